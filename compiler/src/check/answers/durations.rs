//! Durations as expected values: `PT6651S`, `1:50:51`, and `110 minutes` are one duration, and no matcher reads all of them.

use model::Span;
use model::suite::Op;

use crate::check::model::TaskChecker;
use crate::diagnostics::{Code, Diagnostic};
use crate::hir::{Expr, ExprKind};
use crate::types::{Ty, TyKind};

impl TaskChecker<'_, '_> {
    /// Reports an expected value that is a duration or contains one. Returns whether it did.
    pub(super) fn report_duration(&mut self, value: &Expr, matcher_span: Span) -> bool {
        let Some(part) = find_duration_part(value) else { return false };
        let said = Diagnostic::new(
            Code::TEXT_OF_FRACTION,
            "the expected value is a duration, which can be written in many ways",
            part.span,
            format!("this is {}", part.ty),
        );
        let help = self.suggest_duration_replacement(part);
        self.cx.report(said.label(matcher_span, "compares one spelling").help(help));
        true
    }

    /// Suggests a value to expect instead; if the duration is the difference of two names, it uses these names.
    fn suggest_duration_replacement(&self, part: &Expr) -> String {
        let meant = self.follow_names(part);
        let sides = match &meant.kind {
            ExprKind::Binary(Op::Sub, sides) => Some((self.name_of(&sides.0), self.name_of(&sides.1))),
            _ => None,
        };
        match sides {
            Some((Some(last), Some(first))) => {
                format!("expect a number of seconds: <<value: SELECT unixepoch(:{last}) - unixepoch(:{first})>>")
            }
            _ => "expect a number, such as that of the seconds between two datetimes that have names: \
                  <<value: SELECT unixepoch(:last) - unixepoch(:first)>>"
                .to_owned(),
        }
    }

    /// Returns the name that an expression consists of.
    fn name_of(&self, side: &Expr) -> Option<String> {
        match side.kind {
            ExprKind::Name(id) => Some(self.names[id].ident.text.clone()),
            _ => None,
        }
    }
}

/// Finds the innermost written part of a value that is a duration or has one in its type.
fn find_duration_part(value: &Expr) -> Option<&Expr> {
    if !has_duration(&value.ty)
        && !value.ty.is_unknown()
        && !matches!(value.kind, ExprKind::List(_) | ExprKind::Object(_))
    {
        return None;
    }
    match &value.kind {
        ExprKind::List(items) => items.iter().find_map(find_duration_part),
        ExprKind::Object(fields) => fields.iter().find_map(|(_, field)| find_duration_part(field)),
        _ => has_duration(&value.ty).then_some(value),
    }
}

fn has_duration(ty: &Ty) -> bool {
    match &ty.kind {
        TyKind::Duration => true,
        TyKind::List(item) | TyKind::Map(item) => has_duration(item),
        TyKind::Object(fields) | TyKind::Rows(fields) => fields.iter().any(|(_, ty)| has_duration(ty)),
        _ => false,
    }
}
