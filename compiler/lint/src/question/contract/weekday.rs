//! `unread_condition` for days of the week: the prompt asks for rows of weekdays, and nothing in the task depends on the day of the week.

use super::answers::Leaf;
use super::tokens::Kind;
use super::wording::Wording;
use crate::context::{TaskCx, report_once};
use hir::types::TyKind;
use hir::{Arg, Expr, ExprKind};
use model::Value;
use model::functions::WEEKDAY;
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::english::data::{OF_WEEK, WEEKDAY_NAMES};

/// Compares "from Monday to Friday" and "at the weekend" with what the key reads.
pub(super) fn report_weekdays<'a>(wording: &Wording<'_, 'a>, leaves: &[Leaf<'a>], said: &mut Vec<Diagnostic>) {
    let Some(found) = wording.text.find_any(OF_WEEK).filter(|found| wording.is_in_request(found.start)) else { return };
    let Some(leaf) = leaves.first().filter(|_| !wording.can_vary() && !wording.telling.opaque) else { return };
    let sentence = wording.text.tokens.get(found.start).map(|token| token.sentence);
    let is_date = |kind: &Kind<'_>| match kind {
        Kind::Placeholder(expr) => matches!(expr.ty.kind, TyKind::Date | TyKind::DateTime),
        Kind::Literal(value) => matches!(value, Value::Date(_) | Value::DateTime(_)),
        Kind::Word | Kind::Mark => false,
    };
    let mut own = wording.text.tokens.iter().filter(|token| Some(token.sentence) == sentence);
    if own.any(|token| is_date(&token.kind)) || knows_weekdays(wording.cx) || !has_dates(wording.cx) {
        return;
    }
    let words = wording.quote(found.start, found.end);
    let message = format!("the prompt says `{words}`, but the key does not depend on the day of the week");
    let new = Diagnostic::new(Code::UNREAD_CONDITION, message, wording.locate(found.start, found.end), "asked here")
        .label(leaf.value.span, "of all days")
        .help("compare `weekday(…)`, which is 1 on Mondays and 7 on Sundays, or leave it out of the prompt");
    report_once(new, said);
}

/// Whether a table of the task has days.
fn has_dates(cx: &TaskCx<'_>) -> bool {
    let mut columns = cx.task.relations.iter().flat_map(|own| &own.columns);
    columns.any(|column| matches!(column.ty.kind, TyKind::Date | TyKind::DateTime))
}

/// Whether anything in the task computes a day of the week, or has its name.
fn knows_weekdays(cx: &TaskCx<'_>) -> bool {
    let is_name = |name: &str| {
        let lower = name.to_lowercase();
        WEEKDAY_NAMES.iter().any(|word| lower.contains(word))
    };
    let mut columns = cx.task.relations.iter().flat_map(|own| &own.columns);
    let mut names = cx.task.names.iter();
    let mut found = columns.any(|column| is_name(&column.name)) || names.any(|name| is_name(&name.name));
    let is_telling = |part: &Expr| match &part.kind {
        ExprKind::Call(function, args) => {
            let of_week = |arg: &Arg| matches!(arg, Arg::Sql(sql) if ["%w", "%u", "weekday"].iter().any(|form| sql.text.contains(form)));
            *function == WEEKDAY || args.iter().any(of_week)
        }
        _ => false,
    };
    cx.task.visit_exprs(&mut |_, expr, _| found |= expr.has_part(is_telling));
    found
}
