//! `sql_name_without_colon`: a column is compared where the task's value of that name was meant.

use sqlparser::ast::Expr;

use super::Finding;
use crate::diagnostics::{Applicability, Code, Diagnostic};
use crate::sql::lex::Kind;
use crate::sql::parse;
use crate::sql::scope::{At, Found, lookup};
use crate::sql::select::Analyser;

impl Analyser<'_> {
    /// `left` is compared with `right`: both are walked.
    pub fn without_colon(&mut self, left: &Expr, right: &Expr) {
        if self.lints.is_none() {
            return;
        }
        let (Some(a), Some(b)) = (self.column_at(left), self.column_at(right)) else { return };
        if a == b {
            self.with_itself(left, right);
        } else if (a.0, a.1) == (b.0, b.1)
            && let Expr::Identifier(name) = right
            && self.is_task_name(&name.value)
            && !self.is_parameter(&name.value)
        {
            // Who writes `:name` elsewhere in the query knows the difference.
            let bytes = parse::ident(name);
            let span = self.query.span(bytes);
            let written = self.query.slice(bytes).to_owned();
            let said = Diagnostic::new(
                Code::SQL_NAME_WITHOUT_COLON,
                format!("`{written}` is a column here, and the task has a value of that name"),
                span,
                "the column",
            );
            let said = self.declared(said, b).help(format!(
                "did you mean the value, `:{}`? for the column, write its table in front of it",
                name.value
            ));
            let fix = format!(":{}", name.value);
            self.find(Finding::always(said.fix("insert the colon", Applicability::Unsafe, span, fix)));
        }
    }

    fn with_itself(&mut self, left: &Expr, right: &Expr) {
        let bare = |expr: &Expr| match expr {
            Expr::Identifier(name) => Some((name.value.clone(), parse::ident(name))),
            _ => None,
        };
        let meant = [right, left].into_iter().filter_map(bare).find(|(name, _)| self.is_task_name(name));
        let Some((start, end)) = parse::node(&self.query.tokens, left).zip(parse::node(&self.query.tokens, right))
        else {
            return;
        };
        let (a, b) = (self.query.slice(start).to_owned(), self.query.slice(end).to_owned());
        let one = if a == b { String::new() } else { format!(": to SQL, `{a}` and `{b}` are one") };
        let said = Diagnostic::new(
            Code::SQL_NAME_WITHOUT_COLON,
            format!("`{a}` is compared with itself{one}"),
            self.query.span((start.0, end.1.max(start.1))),
            "the same column on both sides",
        );
        let said = match self.column_at(left) {
            Some(at) => self.declared(said, at),
            None => said,
        };
        let said = match meant {
            Some((name, bytes)) => said.help(format!("did you mean `:{name}`, the value of the task?")).fix(
                "insert the colon",
                Applicability::Safe,
                self.query.span(bytes),
                format!(":{name}"),
            ),
            None => said.help("compare it with a value, written `:name`, or with another column"),
        };
        self.find(Finding::always(said));
    }

    /// The column that an expression plainly is.
    fn column_at(&self, expr: &Expr) -> Option<At> {
        let found = match expr {
            Expr::Identifier(name) => lookup(&self.frames, &[&name.value]),
            Expr::CompoundIdentifier(parts) => {
                lookup(&self.frames, &parts.iter().map(|part| part.value.as_str()).collect::<Vec<_>>())
            }
            _ => return None,
        };
        match found {
            Found::Column(_, at) => Some(at),
            _ => None,
        }
    }

    fn is_task_name(&self, name: &str) -> bool {
        self.query.request.task_names.iter().any(|known| known == name)
    }

    fn is_parameter(&self, name: &str) -> bool {
        self.query.tokens.iter().any(|token| token.kind == Kind::Param && token.text.strip_prefix(':') == Some(name))
    }

    /// Adds the place where a column is declared.
    pub(super) fn declared(&self, said: Diagnostic, (frame, relation, place): At) -> Diagnostic {
        let relation = self.frames.get(frame).and_then(|frame| frame.relations.get(relation));
        let origin =
            relation.and_then(|relation| relation.columns.as_ref()?.get(place)).and_then(|column| column.value.origin);
        let column = origin.and_then(|(table, column)| self.query.request.tables.get(table)?.columns.get(column));
        match column {
            Some(column) if !said.secondary.iter().any(|label| label.span == column.span) => {
                said.label(column.span, format!("`{}` is declared here", column.name))
            }
            _ => said,
        }
    }
}
