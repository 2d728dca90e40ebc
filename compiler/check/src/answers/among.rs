//! `contains V among LIST`: the values of which the answer is one.

use super::AnswerChecker;
use crate::scope::tree_names::check_list_or_column;
use hir::Expr;
use hir::types::{Ty, TyKind};
use syntax::ast;
use syntax::diagnostics::{Code, Diagnostic};

impl<'a> AnswerChecker<'_, '_, 'a> {
    /// Checks the values after `among`: a list, or the values of a column.
    pub(super) fn check_among(&mut self, list: &'a ast::Expr, answer: &Ty) -> Option<Expr> {
        let values = check_list_or_column(self.task, list);
        if values.ty.is_unknown() {
            return None;
        }
        let accepted = match &answer.kind {
            TyKind::List(item) => item,
            _ => answer,
        };
        match &values.ty.kind {
            TyKind::List(item) if accepted.is_comparable(item) => Some(values),
            TyKind::List(item) => {
                let message = format!("`among` lists {item}, but the answer is {accepted}");
                let said = Diagnostic::new(Code::TYPE_MISMATCH, message, values.span, format!("values of {item}"));
                self.task.cx.report(said.help("list the values from which the answer is one"));
                None
            }
            _ => {
                let message = "`among` takes a list, or a column";
                let said = Diagnostic::new(Code::TYPE_MISMATCH, message, values.span, format!("this is {}", values.ty));
                self.task.cx.report(said.help("write: among [a, b]   or: among TABLE.COLUMN"));
                None
            }
        }
    }
}
