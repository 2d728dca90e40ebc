//! `trap NAME, …`: names of the values that known mistakes result in.

use model::answer_key::Trap;
use model::suite::Matcher;

use crate::answers::AnswerChecker;
use crate::answers::governed::AnswerOptions;
use crate::context::{Checker, TaskScope};
use hir::Expr;
use syntax::ast::{self, ExprKind};
use syntax::diagnostics::{Code, Diagnostic};

impl<'a> AnswerChecker<'_, '_, 'a> {
    /// Checks the names after `trap`, which follows the value at `pointer`, and adds them to `governed`.
    pub(super) fn check_traps(
        &mut self,
        names: &'a [ast::Expr],
        matcher: Matcher,
        pointer: &str,
        expected: Option<&Expr>,
        governed: &mut AnswerOptions,
    ) {
        if let (Some(several), Some(first)) = (governed.several, names.first()) {
            let message = "`trap` needs one expected value, but `any_of` lists several";
            return self.task.cx.report(
                Diagnostic::new(Code::BAD_OPTION, message, first.span, "not here")
                    .label(several, "several are accepted")
                    .help("expect one value, or remove the trap"),
            );
        }
        for (index, name) in names.iter().enumerate() {
            let Some(ident) = as_ident(name) else { continue };
            let same = |other: &&ast::Expr| as_ident(other).is_some_and(|other| other.text == ident.text);
            if let Some(first) = names.iter().take(index).find(same) {
                let message = format!("trap `{}` is listed twice", ident.text);
                let said = Diagnostic::new(Code::DUPLICATE, message, name.span, "again");
                self.task.cx.report(said.label(first.span, "first here").help("keep one of the two"));
                continue;
            }
            let value = self.task.check_expr(name);
            if let Some(expected) = expected
                && self.task.scope.is_trap(self.task.cx, &ident.text, &value, expected, matcher)
            {
                governed.traps.push(Trap { name: ident.text.clone(), at: pointer.to_owned(), value });
            }
        }
    }
}

impl<'a> TaskScope<'a> {
    /// Checks that a matcher could accept a value in place of the expected one, and that it is another value. Reports it if not.
    fn is_trap(&self, cx: &mut Checker<'a>, name: &str, value: &Expr, expected: &Expr, matcher: Matcher) -> bool {
        if value.ty.is_unknown() {
            return false;
        }
        let (meant, key) = (self.follow_names(value), self.follow_names(expected));
        let is_key = match (&meant.kind, &key.kind) {
            (hir::ExprKind::Name(trap), hir::ExprKind::Name(key)) => trap == key,
            // Names of the same computed value lead to the same span in the source.
            _ => meant.span == key.span && meant.kind == key.kind,
        };
        if is_key {
            let message = format!("trap `{name}` is the expected value");
            let said = Diagnostic::new(Code::BAD_OPTION, message, value.span, "correct, not a mistake");
            cx.report(
                said.label(expected.span, "expected here")
                    .help("name the value that the mistake gives, or remove the trap"),
            );
            return false;
        }
        if !value.ty.can_stand_for(&expected.ty) {
            let message = format!(
                "trap `{name}` is {}, but the expected value is {}",
                value.ty.describe_with_article(),
                expected.ty.describe_with_article()
            );
            let said = Diagnostic::new(Code::TYPE_MISMATCH, message, value.span, format!("this is {}", value.ty));
            let help = format!("name a value that `{}` can take for the answer", matcher.word());
            cx.report(said.label(expected.span, format!("this is {}", expected.ty)).help(help));
            return false;
        }
        true
    }
}

/// Returns the first name of a path.
pub(super) fn as_ident(path: &ast::Expr) -> Option<&ast::Ident> {
    match &path.kind {
        ExprKind::Path(names) => names.first(),
        _ => None,
    }
}
