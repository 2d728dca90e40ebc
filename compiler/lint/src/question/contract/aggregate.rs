//! `other_aggregate`: the prompt asks for a median, a sum, or the lowest value, and the key computes something else.

use hir::types::TyKind;
use hir::{DrawDomain, Rows};

use super::answers::{Computed, Leaf, find_computed, find_sole_leaf};
use super::asked_aggregates::{Wish, find_end_of_groups, find_wish, find_wish_in, is_about_stay};
use super::described_keys::list_described_values;
use super::tokens::{Found, Token};
use super::wording::Wording;
use crate::context::{TaskCx, report_once};
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::Aggregate::{Count, Deviation, Distinct, High, Low, Mean, Median, Mode, Sum};
use syntax::prompts::english::aggregates::{DURATIONS, MIDDLE, SPEEDS};
use syntax::prompts::{Aggregate, End, Language};

/// Compares what a wording asks to compute with the only value that is expected.
pub(super) fn report_aggregates<'a>(wording: &Wording<'_, 'a>, leaves: &[Leaf<'a>], said: &mut Vec<Diagnostic>) {
    let cx = wording.cx;
    if wording.can_vary() {
        return;
    }
    let Some(leaf) = find_sole_leaf(leaves) else {
        return list_described_values(wording, leaves).into_iter().for_each(|(leaf, words)| {
            let wish = find_wish_in(cx.task, &wording.text, wording.language, words);
            let computed = find_computed(cx, leaf.value);
            let computed = computed.filter(|computed| !computed.of_order && !is_end_of_result(cx, computed));
            wish.zip(computed).into_iter().for_each(|(wish, computed)| compare(wording, wish, &computed, said));
        });
    };
    let Some(computed) = find_computed(cx, leaf.value) else { return };
    let of_groups = || find_end_of_groups(cx.task, &wording.text, wording.language).filter(|_| computed.of_order);
    let wish = find_wish(cx.task, &wording.text, wording.language).or_else(of_groups);
    let wish = wish.filter(|_| !names_aggregate(wording, computed.aggregate));
    wish.into_iter().for_each(|wish| compare(wording, wish, &computed, said));
}

/// Whether the highest or lowest of the rows of a query is computed: "`crowns` (the sum)" can be the largest sum, as other words say.
fn is_end_of_result(cx: &TaskCx<'_>, computed: &Computed) -> bool {
    let rows = computed.relation.and_then(|relation| cx.task.relations.get(relation)).map(|relation| &relation.rows);
    matches!(computed.aggregate, High | Low) && matches!(rows, Some(Rows::Query(_)))
}

/// Whether a wording also names, in quotes, the aggregate that the key computes, or describes a median: "the middle one, or the average of the two".
fn names_aggregate(wording: &Wording<'_, '_>, aggregate: Aggregate) -> bool {
    let (text, language) = (&wording.text, wording.language);
    let is_column = |name: &str| {
        let mut columns = wording.cx.task.relations.iter().flat_map(|relation| &relation.columns);
        columns.any(|column| column.name.eq_ignore_ascii_case(name))
    };
    let is_name = |token: &Token<'_>| token.quoted && !is_column(&token.text);
    let mut named = text.find_phrases(language.aggregates).into_iter().filter(|found| found.means == aggregate);
    let is_middle = aggregate == Median && text.tokens.iter().any(|token| token.is_any(MIDDLE));
    let is_quotable = matches!(aggregate, Median | Mean | Sum | Mode);
    is_middle || is_quotable && named.any(|found| text.tokens.get(found.start).is_some_and(is_name))
}

/// Reports a value that is not what a phrase asks for.
fn compare(wording: &Wording<'_, '_>, wish: Found<Wish>, computed: &Computed, said: &mut Vec<Diagnostic>) {
    let of_stay = is_about_stay(&wording.text, &wish);
    let means = match wish.means {
        Wish::End(End::High) if of_stay => Wish::Age(End::Low),
        Wish::End(End::Low) if of_stay => Wish::Age(End::High),
        means => means,
    };
    let read = |means: Wish| to_aggregate(wording.cx, means, computed, wording.language);
    let Some(asked) = read(means).or_else(|| read(wish.means)) else { return };
    let tokens = &wording.text.tokens;
    let is_turned = tokens.iter().skip(wish.end).take(2).any(|token| token.is_any(wording.language.turned));
    // "Most" alone is a number of something.
    let is_most = tokens.get(wish.start).is_some_and(|token| token.is_word("most")) && wish.end == wish.start + 1;
    if is_turned || is_most && !computed.shown.to_uppercase().contains("COUNT") {
        return;
    }
    if !is_contradiction(wording, wish, asked, computed) {
        return;
    }
    let words = wording.quote(wish.start, wish.end);
    let message = format!("the prompt asks for `{words}`, but the key computes {}", describe(computed));
    let help =
        format!("{}, or ask for {} in the prompt", suggest_key(asked, computed), describe_wish(computed.aggregate));
    let label = format!("{} is computed here", describe_wish(computed.aggregate));
    let new = Diagnostic::new(Code::OTHER_AGGREGATE, message, computed.span, label)
        .label(wording.locate(wish.start, wish.end), "asked here")
        .help(help);
    report_once(new, said);
}

/// What a phrase asks for, given the column of the answer.
fn to_aggregate(cx: &TaskCx<'_>, wish: Wish, computed: &Computed, language: &Language) -> Option<Aggregate> {
    let column = computed.column.and_then(|(relation, column)| cx.task.relations.get(relation)?.columns.get(column));
    let of_dates = column.map(|column| matches!(column.ty.kind, TyKind::Date | TyKind::DateTime));
    let is_rank = |name: &str| {
        let name = name.to_lowercase();
        name.split('_').any(|word| language.ranks.iter().any(|rank| word.starts_with(rank)))
    };
    // The longest service has the earliest date.
    if matches!(wish, Wish::End(_)) && of_dates == Some(true) {
        return None;
    }
    if matches!(wish, Wish::End(_))
        && (column.is_some_and(|column| is_rank(&column.name)) || computed.shown.contains(['/', '-']))
    {
        return None;
    }
    if let (Wish::Pace(end), Some(column)) = (wish, column) {
        return read_pace(&column.name, end, language);
    }
    // The oldest person is the one with the highest age.
    if let (Wish::Age(end), Some(column)) = (wish, column)
        && column.name.to_lowercase().split('_').any(|word| word == "age")
    {
        return Some(if end == End::Low { High } else { Low });
    }
    wish.to_aggregate(of_dates)
}

/// The fastest one has the lowest time, or the highest speed, as the name of the column says.
pub(super) fn read_pace(name: &str, end: End, language: &Language) -> Option<Aggregate> {
    let lower = name.to_lowercase();
    let has_any = |words: &[&str]| lower.split('_').any(|word| words.contains(&word));
    let is_time = language.units.iter().any(|unit| unit.measure == "time" && unit.is_in_name(name));
    match (is_time || has_any(DURATIONS), has_any(SPEEDS), end) {
        (true, false, End::Low) | (false, true, End::High) => Some(Low),
        (true, false, End::High) | (false, true, End::Low) => Some(High),
        _ => None,
    }
}

/// Whether the key cannot be what the wording asks for.
fn is_contradiction(wording: &Wording<'_, '_>, wish: Found<Wish>, asked: Aggregate, computed: &Computed) -> bool {
    match (asked, computed.aggregate) {
        (asked, computed) if asked == computed => false,
        (Deviation, _) | (_, Deviation) => false,
        (High, Low) | (Low, High) => true,
        (_, High | Low) if computed.of_order => false,
        (Median | Mean | Mode, Sum | Mean | Median | Count | High | Low) => true,
        (High | Low, Mean | Median | Sum) => true,
        (Sum, Mean | Median | High | Low) => true,
        (Sum, Count) => wording.text.quote(wish.start, wish.end).to_lowercase().starts_with("sum"),
        (Distinct, Count) => is_repeated(wording, wish, computed),
        (Count, Distinct) => {
            is_count_of_rows(wording, wish)
                && is_repeated(wording, wish, computed)
                && !is_reference_to_asked(wording, computed)
        }
        (Count, Sum | Mean | Median | High | Low) => is_count_of_rows(wording, wish),
        _ => false,
    }
}

/// Whether the values that are counted can repeat: the column of the key, or the one that the wording names.
fn is_repeated(wording: &Wording<'_, '_>, wish: Found<Wish>, computed: &Computed) -> bool {
    let named = || {
        let relation = computed.relation?;
        let name = &wording.text.tokens.get(wish.end)?.text;
        let mut behind = wording.text.tokens.iter().skip(wish.end).take(3);
        if behind.any(|token| token.is_any(wording.language.other_than)) {
            return None;
        }
        let columns = &wording.cx.task.relations.get(relation)?.columns;
        columns.iter_enumerated().find(|(_, column)| column.name == *name).map(|(id, _)| (relation, id))
    };
    let Some((relation, column)) = computed.column.or_else(named) else { return false };
    let facts = wording.cx.facts();
    let counted = facts.lookup_column(relation, column);
    !counted.unique && facts.count_rows(relation).most > 1
}

/// Whether the counted column refers to rows of a table that the wording names, so each different value is one of these rows.
fn is_reference_to_asked(wording: &Wording<'_, '_>, computed: &Computed) -> bool {
    let draw = computed.column.and_then(|place| wording.cx.task.find_column(place)?.source.draw());
    let Some(DrawDomain::Ref { relation, .. }) = draw.map(|draw| &draw.domain) else { return false };
    let Some(table) = wording.cx.task.relations.get(*relation).map(|relation| &relation.table) else { return false };
    wording.text.tokens.iter().any(|token| token.text.eq_ignore_ascii_case(table))
}

/// Whether the wording asks for a number of rows.
fn is_count_of_rows(wording: &Wording<'_, '_>, wish: Found<Wish>) -> bool {
    wording.text.tokens.get(wish.end).is_some_and(|noun| noun.is_any(wording.language.rows))
}

fn describe(computed: &Computed) -> String {
    match computed.aggregate {
        High | Low if computed.of_order => format!("{} (`{}`)", describe_wish(computed.aggregate), computed.shown),
        _ => format!("{} with `{}`", describe_wish(computed.aggregate), computed.shown),
    }
}

fn describe_wish(aggregate: Aggregate) -> &'static str {
    match aggregate {
        Sum => "a sum",
        Mean => "a mean",
        Median => "a median",
        Count => "a number of rows",
        Distinct => "a number of different values",
        Mode => "the most common value",
        Deviation => "a measure of spread",
        High => "the largest value",
        Low => "the smallest value",
    }
}

fn suggest_key(asked: Aggregate, computed: &Computed) -> String {
    if computed.of_order {
        let change = if computed.shown.ends_with(" DESC") { "remove `DESC`" } else { "write `DESC` after the column" };
        return if computed.shown.starts_with("ORDER") {
            change.to_owned()
        } else {
            format!("write `{}` instead", asked.to_function())
        };
    }
    match asked {
        Distinct => "count different values (`distinct_count`, or `COUNT(DISTINCT …)` in SQL)".to_owned(),
        _ => format!("compute it with `{}`", asked.to_function()),
    }
}
