//! `sql_name_without_colon`: a column is compared where a value of the task with its name may be intended: with itself, or with an unqualified column of the
//! same table.

use model::Span;
use sqlparser::ast::Expr;

use super::findings::{Confusion, Odd};
use crate::analyser::Analyser;
use crate::lex::Kind;
use crate::parse;
use crate::scope::{At, lookup_expr};
use syntax::diagnostics::Diagnostic;

impl Analyser<'_> {
    /// Checks the comparison of `left` with `right`, both already visited.
    pub fn without_colon(&mut self, left: &Expr, right: &Expr) {
        if self.lints.is_none() {
            return;
        }
        let (Some(a), Some(b)) = (self.find_column_at(left), self.find_column_at(right)) else { return };
        let confusion = if a == b {
            self.with_itself(left, right, a)
        } else if (a.0, a.1) == (b.0, b.1) {
            // An author who uses `:name` elsewhere in the query knows the difference.
            self.find_bare_name(right).filter(|(name, _)| !self.is_parameter(name)).map(|bare| Confusion {
                itself: None,
                bare: vec![bare],
                column: self.find_declaration(b),
            })
        } else {
            None
        };
        self.note_odd(Odd { confusions: confusion.into_iter().collect(), ..Odd::default() });
    }

    fn with_itself(&self, left: &Expr, right: &Expr, at: At) -> Option<Confusion> {
        let (a, b) =
            parse::find_node_bytes(self.query.tokens, left).zip(parse::find_node_bytes(self.query.tokens, right))?;
        let span = self.query.to_span((a.0, b.1.max(a.1)));
        Some(Confusion {
            itself: Some((self.query.slice_text(a).to_owned(), self.query.slice_text(b).to_owned(), span)),
            bare: [right, left].into_iter().filter_map(|side| self.find_bare_name(side)).collect(),
            column: self.find_declaration(at),
        })
    }

    /// An unqualified name.
    fn find_bare_name(&self, expr: &Expr) -> Option<(String, Span)> {
        match expr {
            Expr::Identifier(name) => Some((name.value.clone(), self.query.to_span(parse::find_ident_bytes(name)))),
            _ => None,
        }
    }

    /// The column, if the expression consists only of its name, without brackets.
    fn find_column_at(&self, expr: &Expr) -> Option<At> {
        match expr {
            Expr::Nested(_) => None,
            _ => lookup_expr(&self.frames, expr)?.as_column(),
        }
    }

    fn is_parameter(&self, name: &str) -> bool {
        self.query.tokens.iter().any(|token| token.kind == Kind::Param && token.text.strip_prefix(':') == Some(name))
    }

    /// The name of a column and the span of its declaration.
    fn find_declaration(&self, (frame, relation, place): At) -> Option<(String, Span)> {
        let column = self.frames.get(frame)?.get_column((relation, place))?;
        let column = self.query.request.find_column(column.value.origin?)?;
        Some((column.name.to_owned(), column.span))
    }

    /// Adds a label at the declaration of a column.
    pub(super) fn label_declaration(&self, said: Diagnostic, at: At) -> Diagnostic {
        match self.find_declaration(at) {
            Some((name, span)) => said.label_declaration(&name, span),
            None => said,
        }
    }
}
