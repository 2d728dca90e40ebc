//! `other_aggregate` for places: the prompt asks for the second highest value, and the key takes the highest.

use super::answers::{Leaf, find_computed, find_sole_leaf};
use super::tokens::{Found, Kind, Text};
use super::wording::Wording;
use crate::context::report_once;
use hir::{Arg, Expr, ExprKind, Sql};
use sql::lex::tokenize_sql;
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::english::aggregates::ORDINALS;
use syntax::prompts::{Aggregate, Language};

/// Compares the only place from an end that a wording asks for with the end that the key takes.
pub(super) fn report_places_from_end<'a>(wording: &Wording<'_, 'a>, leaves: &[Leaf<'a>], said: &mut Vec<Diagnostic>) {
    let places = find_places(&wording.text, wording.language);
    let ([place], false) = (places.as_slice(), wording.can_vary()) else { return };
    // In a list, it can be the second item.
    let leaf = find_sole_leaf(leaves).filter(|leaf| leaf.value.ty.is_scalar());
    // A query in a query can leave out the first place.
    let leaf = leaf.filter(|leaf| !leaf.value.has_part_through_names(wording.cx.task, is_nested_query));
    let Some(computed) = leaf.and_then(|leaf| find_computed(wording.cx, leaf.value)) else { return };
    let end = match computed.aggregate {
        Aggregate::High => "the largest value",
        Aggregate::Low => "the smallest value",
        _ => return,
    };
    let words = wording.quote(place.start, place.end);
    let message = format!("the prompt asks for the `{words}`, but the key takes {end} (`{}`)", computed.shown);
    let help = match computed.shown.starts_with("ORDER BY") {
        true => "skip the rows before it: LIMIT 1 OFFSET 1 takes the second one",
        false => "take it by its place: `<<value: SELECT … ORDER BY … LIMIT 1 OFFSET 1>>` takes the second one",
    };
    let new = Diagnostic::new(Code::OTHER_AGGREGATE, message, computed.span, "the first place")
        .label(wording.locate(place.start, place.end), "asked here")
        .help(help);
    report_once(new, said);
}

/// Whether an expression is a query with another query in it.
fn is_nested_query(part: &Expr) -> bool {
    let ExprKind::Call(_, args) = &part.kind else { return false };
    let is_nested = |sql: &Sql| tokenize_sql(&sql.text).iter().filter(|token| token.is_keyword("SELECT")).count() > 1;
    args.iter().any(|arg| matches!(arg, Arg::Sql(sql) if is_nested(sql)))
}

/// Finds places from an end: "second highest", "3rd-largest". The first place is the end itself.
fn find_places(text: &Text<'_>, language: &Language) -> Vec<Found<()>> {
    let is_place = |at: usize| {
        text.tokens.get(at).is_some_and(|token| {
            let is_numbered = ["nd", "rd", "th"].iter().any(|end| {
                token.lower.strip_suffix(end).is_some_and(|digits| digits.chars().all(|c| c.is_ascii_digit()))
            });
            matches!(token.kind, Kind::Word | Kind::Literal(_))
                && (is_numbered || ORDINALS.iter().skip(1).any(|word| token.is_word(word)))
        })
    };
    let ends = text.find_phrases(language.extremes).into_iter().chain(text.find_phrases(language.ages));
    let before = ends.filter_map(|end| Some((end.start.checked_sub(1)?, end.end)));
    before.filter(|(start, _)| is_place(*start)).map(|(start, end)| Found { start, end, means: () }).collect()
}
