//! `other_order`: the prompt asks for another order of the items than the key has, or for none where the key compares it.

use model::functions::{self, Arranges};
use model::suite::matchers::Takes;

use super::aggregate::read_pace;
use super::answers::{Leaf, resolve_column};
use super::asked_aggregates::{is_about_equals, is_about_stay};
use super::sql_shape::SqlShape;
use super::tokens::{Found, Kind, Text};
use super::wording::Wording;
use crate::context::{TaskCx, report_once};
use hir::types::TyKind;
use hir::{Arg, Expr, ExprKind};
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::english::aggregates::PACE_ORDERS;
use syntax::prompts::english::rows;
use syntax::prompts::{Aggregate, End};

/// The order of the items of an expected value.
struct Order {
    /// Which end comes first.
    first: End,
    /// Whether dates are in order, if it is known.
    of_dates: bool,
    /// The column by which rows are ordered, if it is one.
    column: Option<String>,
    /// What to show of it: `ORDER BY PAY DESC`, `sort`.
    shown: String,
    /// Whether only some of the rows are taken.
    is_limited: bool,
}

/// Compares the order that a wording asks for with that of the only list that is expected.
pub(super) fn report_orders<'a>(wording: &Wording<'_, 'a>, leaves: &[Leaf<'a>], said: &mut Vec<Diagnostic>) {
    let cx = wording.cx;
    let lists: Vec<&Leaf<'_>> = leaves.iter().filter(|leaf| is_list(cx, leaf)).collect();
    let [leaf] = lists.as_slice() else { return };
    let Some(is_ordered) = is_order_compared(leaf) else { return };
    if let Some(free) = wording.text.find_any(wording.language.any_order) {
        if is_ordered && !matches!(leaf.value.ty.kind, TyKind::Text) && wording.is_about_reply(free.start) {
            report_once(build_free_diagnostic(wording, free, leaf), said);
        }
        return;
    }
    let Some(order) = find_order(cx, leaf.value, 0).filter(|_| !wording.can_vary()) else { return };
    if let Some(of_file) = wording.text.find_any(rows::FILE_ORDERS) {
        if is_ordered && !order.is_limited && wording.is_about_reply(of_file.start) && is_sorted(cx, leaf.value) {
            report_once(build_file_diagnostic(wording, of_file, leaf), said);
        }
        return;
    }
    let asked = find_asked(wording, &order);
    let [asked] = asked.as_slice() else {
        if asked.is_empty() && !is_ordered {
            said.extend(check_sequence(wording, leaf));
        }
        return;
    };
    let words = wording.quote(asked.start, asked.end);
    let place = wording.locate(asked.start, asked.end);
    let (message, label, help) = if asked.means != order.first {
        // The wrong end of the rows is one slip.
        let is_told = order.is_limited && said.iter().any(|known| known.code == Code::OTHER_AGGREGATE);
        if !is_ordered && order.is_limited || is_told {
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
    let new = Diagnostic::new(Code::OTHER_ORDER, message, leaf.value.span, label).label(place, "asked here").help(help);
    report_once(new, said);
}

/// Reports a wording that asks for an order without a direction, where the key accepts every order.
fn check_sequence(wording: &Wording<'_, '_>, leaf: &Leaf<'_>) -> Option<Diagnostic> {
    let found = wording.text.find_any(wording.language.sequences)?;
    let is_list = matches!(leaf.value.ty.kind, TyKind::List(_)) && leaf.expect.whole_options().ordered.is_none();
    if !is_list || !wording.is_about_reply(found.start) {
        return None;
    }
    let place = (leaf.value.span, "compared without order");
    let new = wording.contradict(Code::OTHER_ORDER, &found, "the key accepts every order", place);
    Some(new.help("write `ordered` after the value, or remove the order from the prompt"))
}

fn build_free_diagnostic(wording: &Wording<'_, '_>, free: Found<()>, leaf: &Leaf<'_>) -> Diagnostic {
    let help = match leaf.expect.whole_options().ordered {
        Some(true) => "remove `ordered`, or state the order in the prompt",
        _ => "write `unordered` after the value, or state the order in the prompt",
    };
    let place = (leaf.value.span, "in this order only");
    wording.contradict(Code::OTHER_ORDER, &free, "the key compares the order of the items", place).help(help)
}

fn build_file_diagnostic(wording: &Wording<'_, '_>, asked: Found<()>, leaf: &Leaf<'_>) -> Diagnostic {
    wording
        .contradict(Code::OTHER_ORDER, &asked, "the key sorts the items", (leaf.value.span, "sorted"))
        .help("leave out `sort` in the key, or change the prompt")
}

/// Whether a value is a sorted list. An ORDER BY can be the order of the file.
fn is_sorted(cx: &TaskCx<'_>, value: &Expr) -> bool {
    let value = value.resolve_name(cx.task);
    matches!(&value.kind, ExprKind::Call(function, _) if function.arranges == Some(Arranges::Sorted))
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
        .find_map(|options| options.ordered.or((!options.sorted_by.is_empty()).then_some(true)));
    match record.takes {
        Takes::Json => Some(own.unwrap_or(true)),
        Takes::List | Takes::Rows => Some(own.or(record.ordered).unwrap_or(false)),
        Takes::One | Takes::Date | Takes::Bool => Some(true),
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
            let shown = function.name.to_owned();
            Some(Order { first: End::Low, of_dates, column: None, shown, is_limited: false })
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
            let column = column.map(|column| column.name.clone());
            Some(Order { first: term.first, of_dates, column, shown, is_limited: shape.limits > 0 })
        }
        _ => None,
    }
}

/// Finds the orders that a wording asks for.
fn find_asked(wording: &Wording<'_, '_>, order: &Order) -> Vec<Found<End>> {
    let (text, language) = (&wording.text, wording.language);
    let mut found = text.find_phrases(language.orders);
    let mut dates = text.find_phrases(language.date_orders);
    let is_new = |known: &[Found<End>], new: &Found<End>| !known.iter().any(|known| known.end == new.end);
    let spread = find_spread_orders(wording, language.extremes);
    found.extend(spread.into_iter().filter(|new| is_new(&dates, new)).collect::<Vec<_>>());
    let spread = find_spread_orders(wording, language.ages);
    dates.extend(spread);
    found.extend(find_ranges(text, language.extremes));
    dates.extend(find_ranges(text, language.ages));
    // "Slowest first" begins with the longest time, or the lowest speed, as the column says.
    let of_pace = |asked: Found<End>| {
        let aggregate = read_pace(order.column.as_deref()?, asked.means, language)?;
        let means = if aggregate == Aggregate::High { End::High } else { End::Low };
        Some(Found { means, ..asked })
    };
    found.extend(text.find_phrases(PACE_ORDERS).into_iter().filter_map(of_pace));
    found = drop_repeated(found);
    dates = drop_repeated(dates);
    if order.of_dates {
        found = found.into_iter().filter_map(|found| read_length(text, found)).collect();
    }
    if !dates.is_empty() && !order.of_dates {
        return Vec::new();
    }
    found.extend(dates);
    found.retain(|found| !is_about_equals(text, language, found));
    found
}

/// An order of lengths, where dates are sorted: who has been waiting longest came first. `None` where the lengths do not have to begin at the dates.
fn read_length(text: &Text<'_>, found: Found<End>) -> Option<Found<End>> {
    let is_length = text.tokens.get(found.start).is_some_and(|token| token.is_any(rows::LENGTHS));
    let turned = if found.means == End::High { End::Low } else { End::High };
    match (is_length, is_about_stay(text, &found)) {
        (true, true) => Some(Found { means: turned, ..found }),
        (true, false) => None,
        (false, _) => Some(found),
    }
}

/// Finds orders from one end to the other: "from the newest to the oldest".
fn find_ranges(text: &Text<'_>, extremes: &[(&str, End)]) -> Vec<Found<End>> {
    let is_article = |at: usize| text.tokens.get(at).is_some_and(|token| token.is_word("the"));
    let find = |first: Found<End>| {
        let to = text.match_phrase(first.end, "to")?;
        let last = text.match_longest(if is_article(to) { to + 1 } else { to }, extremes)?;
        (last.means != first.means).then_some(Found { end: last.end, ..first })
    };
    text.find_phrases(extremes).into_iter().filter_map(find).collect()
}

/// Keeps the longest of the phrases that end at one token.
fn drop_repeated(mut found: Vec<Found<End>>) -> Vec<Found<End>> {
    found.sort_by_key(|found| (found.end, found.start));
    found.dedup_by_key(|found| found.end);
    found
}

/// The largest number of words between an extreme and "first".
const MAX_SPREAD: usize = 3;

/// Finds orders with words between an extreme and "first": "the cheapest plan first", "the cheapest (lowest FEE) first".
fn find_spread_orders(wording: &Wording<'_, '_>, extremes: &[(&str, End)]) -> Vec<Found<End>> {
    let tokens = &wording.text.tokens;
    let is_mark = |at: usize, mark: &str| tokens.get(at).is_some_and(|token| token.text == mark);
    let mut found = Vec::new();
    for extreme in wording.text.find_phrases(extremes) {
        let mut at = extreme.end;
        if is_mark(at, "(") {
            let closing = (at..tokens.len()).take(8).find(|at| is_mark(*at, ")"));
            at = closing.map_or(at, |closing| closing + 1);
        }
        let is_first = |at: &usize| tokens.get(*at).is_some_and(|token| token.is_any(wording.language.first));
        let is_plain = |at: usize| tokens.get(at).is_some_and(|token| matches!(token.kind, Kind::Word));
        let Some(first) = (at..=at + MAX_SPREAD).take_while(|at| is_plain(*at)).find(is_first) else { continue };
        // "The highest first bid" is no order.
        let is_end = tokens.get(first + 1).is_none_or(|next| {
            matches!(next.kind, Kind::Mark)
                || next.is_any(wording.language.and)
                || next.sentence != tokens.get(first).map_or(0, |token| token.sentence)
        });
        if is_end {
            found.push(Found { start: extreme.start, end: first + 1, means: extreme.means });
        }
    }
    found
}
