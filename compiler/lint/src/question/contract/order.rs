//! `other_order`: the prompt asks for another order of the items than the key has, or for none where the key compares it.

use model::functions::{self, Arranges};
use model::suite::matchers::Takes;

use super::answers::{Leaf, resolve_column};
use super::language::End;
use super::sql_shape::SqlShape;
use super::tokens::Found;
use super::wording::Wording;
use crate::context::{TaskCx, report_once};
use hir::types::TyKind;
use hir::{Arg, Expr, ExprKind};
use syntax::diagnostics::{Code, Diagnostic};

/// The order of the items of an expected value.
struct Order {
    /// Which end comes first.
    first: End,
    /// Whether dates are in order, if it is known.
    of_dates: bool,
    /// What to show of it: `ORDER BY PAY DESC`, `sort`.
    shown: String,
    /// Whether only some of the rows are taken.
    is_limited: bool,
}

/// Compares the order that a wording asks for with that of the only list that is expected.
pub(super) fn report_orders<'a>(
    cx: &TaskCx<'a>,
    wording: &Wording<'_, 'a>,
    leaves: &[Leaf<'a>],
    said: &mut Vec<Diagnostic>,
) {
    let lists: Vec<&Leaf<'_>> = leaves.iter().filter(|leaf| is_list(cx, leaf)).collect();
    let [leaf] = lists.as_slice() else { return };
    let Some(is_ordered) = is_order_compared(leaf) else { return };
    if let Some(free) = wording.text.find_any(wording.language.any_order) {
        if is_ordered && !matches!(leaf.value.ty.kind, TyKind::Text) && wording.is_about_reply(free.start) {
            report_once(build_free_diagnostic(cx, wording, free, leaf), said);
        }
        return;
    }
    let Some(order) = find_order(cx, leaf.value, 0).filter(|_| !wording.can_vary()) else { return };
    let asked = find_asked(wording, &order);
    let [asked] = asked.as_slice() else { return };
    let words = wording.quote(cx, asked.start, asked.end);
    let place = wording.locate(cx, asked.start, asked.end);
    let (message, label, help) = if asked.means != order.first {
        if !is_ordered && order.is_limited {
            return;
        }
        let shown = &order.shown;
        let help = match shown.starts_with("ORDER BY") {
            true => "turn the direction of `ORDER BY` around, or change the prompt",
            false => "use `sort` or `reverse(sort(…))` as the prompt says, or change the prompt",
        };
        (format!("the prompt says `{words}`, but the key has the other direction (`{shown}`)"), "other direction", help)
    } else if !is_ordered && !order.is_limited && leaf.expect.whole_options().ordered.is_none() {
        let message = format!("the prompt says `{words}`, but the key accepts every order");
        (message, "compared without order", "write `ordered` after the value, or remove the order from the prompt")
    } else {
        return;
    };
    report_once(
        Diagnostic::new(Code::OTHER_ORDER, message, leaf.value.span, label).label(place, "asked here").help(help),
        said,
    );
}

fn build_free_diagnostic(cx: &TaskCx<'_>, wording: &Wording<'_, '_>, free: Found<()>, leaf: &Leaf<'_>) -> Diagnostic {
    let words = wording.quote(cx, free.start, free.end);
    let message = format!("the prompt says `{words}`, but the key compares the order of the items");
    let help = match leaf.expect.whole_options().ordered {
        Some(true) => "remove `ordered`, or state the order in the prompt",
        _ => "write `unordered` after the value, or state the order in the prompt",
    };
    Diagnostic::new(Code::OTHER_ORDER, message, leaf.value.span, "in this order only")
        .label(wording.locate(cx, free.start, free.end), "asked here")
        .help(help)
}

/// Whether the value consists of several items.
fn is_list(cx: &TaskCx<'_>, leaf: &Leaf<'_>) -> bool {
    let value = leaf.value.resolve_name(cx.task);
    let joined = matches!(&value.kind, ExprKind::Call(function, _) if function.order == functions::Order::Written);
    matches!(leaf.value.ty.kind, TyKind::List(_) | TyKind::Rows(_)) || joined
}

/// Whether the order of the items counts. `None` if that is not known here.
fn is_order_compared(leaf: &Leaf<'_>) -> Option<bool> {
    let record = leaf.expect.matcher.record();
    let own = super::super::precision::iter_options_around(&leaf.expect.options, &leaf.pointer)
        .find_map(|options| options.ordered);
    match record.takes {
        Takes::Json => Some(own.unwrap_or(true)),
        Takes::List | Takes::Rows => Some(own.or(record.ordered).unwrap_or(false)),
        Takes::One => Some(true),
        _ => None,
    }
}

/// The order of a value's items.
fn find_order(cx: &TaskCx<'_>, value: &Expr, depth: u32) -> Option<Order> {
    let value = value.resolve_name(cx.task);
    let ExprKind::Call(function, args) = &value.kind else { return None };
    match (function.arranges, args.as_slice()) {
        _ if depth > 16 => None,
        (Some(Arranges::Deduped), [Arg::Value(list), ..]) => find_order(cx, list, depth + 1),
        (None, [Arg::Value(list), ..]) if function.order == functions::Order::Written => {
            find_order(cx, list, depth + 1)
        }
        (Some(Arranges::Sorted), [Arg::Value(list)]) => {
            let of_dates =
                matches!(&list.ty.kind, TyKind::List(item) if matches!(item.kind, TyKind::Date | TyKind::DateTime));
            Some(Order { first: End::Low, of_dates, shown: function.name.to_owned(), is_limited: false })
        }
        (Some(Arranges::Reversed), [Arg::Value(list)]) => {
            let order = find_order(cx, list, depth + 1)?;
            let first = if order.first == End::Low { End::High } else { End::Low };
            Some(Order { first, shown: format!("{function}({})", order.shown), ..order })
        }
        (_, [.., Arg::Sql(sql)]) => {
            let shape = SqlShape::new(&sql.text)?;
            let term = shape.order.first()?;
            let column = resolve_column(cx, sql, &term.tokens);
            let column = column.and_then(|(relation, column)| cx.task.relations.get(relation)?.columns.get(column));
            let of_dates = column.is_some_and(|column| matches!(column.ty.kind, TyKind::Date | TyKind::DateTime));
            let words: Vec<&str> = term.tokens.iter().map(|token| token.text).collect();
            let direction = if term.first == End::High { " DESC" } else { "" };
            let shown = format!("ORDER BY {}{direction}", words.concat());
            Some(Order { first: term.first, of_dates, shown, is_limited: shape.limits > 0 })
        }
        _ => None,
    }
}

/// Finds the orders that a wording asks for.
fn find_asked(wording: &Wording<'_, '_>, order: &Order) -> Vec<Found<End>> {
    let (text, language) = (&wording.text, wording.language);
    let mut found = text.find_phrases(language.orders);
    let dates = text.find_phrases(language.date_orders);
    if !dates.is_empty() && !order.of_dates {
        return Vec::new();
    }
    found.extend(dates);
    found
}
