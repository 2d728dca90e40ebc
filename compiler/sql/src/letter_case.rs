//! The places at which a query sorts or searches the texts of a column, where uppercase and lowercase letters differ. For comparisons, see
//! [`super::predicates`].

use sqlparser::ast::{Expr, Function, Ident, OrderByExpr};

use super::analyser::Analyser;
use super::expressions::{as_text_literal, find_argument};
use super::meaning::{ByLetters, Decides};
use super::output::{Taken, Use};
use super::parse::{find_expr_bytes, find_span_bytes};
use super::scope::ExprType;

impl Analyser<'_> {
    /// Notes the terms of ORDER BY, up to the first unique column.
    pub(super) fn note_order(&mut self, terms: &[(&Expr, ExprType)], taken: &Taken<'_>) {
        if taken.limit.is_none() && taken.becomes == Use::Counted {
            return;
        }
        for (term, value) in terms {
            let place = find_expr_bytes(self.query.tokens, term);
            self.note_by_letters(place, value, Decides::Order { of_result: taken.limit.is_none() });
            let column = value.origin.and_then(|origin| self.query.request.find_column(origin));
            if column.is_some_and(|column| column.unique || column.primary_key) {
                break;
            }
        }
    }

    /// Notes the terms by which rows are numbered or aggregated.
    pub(super) fn note_terms(&mut self, terms: &[OrderByExpr]) {
        for term in terms {
            let value = self.infer_expr(&term.expr);
            let place = find_expr_bytes(self.query.tokens, &term.expr);
            self.note_by_letters(place, &value, Decides::Order { of_result: false });
        }
    }

    /// Notes a call that depends on letter case.
    pub(super) fn note_call(&mut self, name: &Ident, function: &Function, args: &[ExprType]) {
        let place = find_span_bytes(name.span);
        match name.value.to_ascii_lowercase().as_str() {
            "min" | "max" => {
                for value in args {
                    self.note_by_letters(place, value, Decides::Order { of_result: false });
                }
            }
            "instr" => {
                let part = find_argument(function, 1).and_then(as_text_literal);
                if let (Some(value), Some(part)) = (args.first(), part) {
                    self.note_by_letters(place, value, Decides::Part(part.to_owned()));
                }
            }
            _ => {}
        }
    }

    /// Notes `value GLOB '*part*'`.
    pub(super) fn note_glob(&mut self, left: &Expr, value: &ExprType, pattern: &Expr) {
        let part = as_text_literal(pattern).and_then(|text| text.strip_prefix('*')?.strip_suffix('*'));
        let Some(part) = part.filter(|part| !part.contains(['*', '?', '['])) else { return };
        let place = find_expr_bytes(self.query.tokens, left);
        self.note_by_letters(place, value, Decides::Part(part.to_owned()));
    }

    fn note_by_letters(&mut self, place: Option<(usize, usize)>, value: &ExprType, what: Decides) {
        let column = value.origin.and_then(|origin| self.query.request.resolve_column(origin));
        if let (Some(column), Some(place)) = (column, place) {
            self.meaning.by_letters.insert(ByLetters { span: self.query.to_span(place), column, what });
        }
    }
}
