//! `other_count`: the prompt asks for the top 5, and the key takes 3.

use model::Value;
use model::functions::{Arranges, FunctionId, Order, Position, QueryResult, SLICE};

use super::answers::{Leaf, find_sole_leaf};
use super::sql_shape::SqlShape;
use super::tokens::{Found, Kind, Text};
use super::wording::Wording;
use crate::context::{TaskCx, report_once};
use hir::{Arg, Expr, ExprKind};
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::Language;

/// What the key takes a number of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Taken {
    /// Rows of a query, or items of a list.
    Rows(i64),
    /// Lines, rows, or items by their positions.
    Positions(i64),
    /// Characters of a text.
    Characters(i64),
}

/// Compares the number of rows that a wording asks for with the number that the key takes.
pub(super) fn report_amounts<'a>(wording: &Wording<'_, 'a>, leaves: &[Leaf<'a>], said: &mut Vec<Diagnostic>) {
    if wording.can_vary() {
        return;
    }
    let taken = match find_sole_leaf(leaves) {
        Some(leaf) => find_taken(wording.cx, leaf.value).map(|taken| (taken, leaf.value.span)),
        None => find_list_length(leaves)
            .map(|length| (Taken::Positions(length), leaves.first().map(|leaf| leaf.expect.span).unwrap_or_default())),
    };
    let Some((taken, span)) = taken else { return };
    let asked: Vec<Found<i64>> = find_amounts(&wording.text, wording.language, taken);
    let Some(asked) = asked.last().filter(|last| asked.iter().all(|other| other.means == last.means)) else { return };
    let (Taken::Rows(own) | Taken::Positions(own) | Taken::Characters(own)) = taken;
    if own == asked.means {
        return;
    }
    let what = match taken {
        Taken::Rows(_) => "row",
        Taken::Positions(_) => "item",
        Taken::Characters(_) => "character",
    };
    let count = syntax::diagnostics::wording::format_count(own.unsigned_abs() as u32, what);
    let words = wording.quote(asked.start, asked.end);
    let message = format!("the prompt asks for `{words}`, but the key takes {count}");
    let new = Diagnostic::new(Code::OTHER_COUNT, message, span, format!("takes {own}"))
        .label(wording.locate(asked.start, asked.end), "asked here")
        .help(format!("take {} in the key, or ask for {own} in the prompt", asked.means));
    report_once(new, said);
}

/// The number of rows or characters that a value takes, if it is fixed.
fn find_taken(cx: &TaskCx<'_>, value: &Expr) -> Option<Taken> {
    let value = value.resolve_name(cx.task);
    match &value.kind {
        ExprKind::Call(function, args) => match args.as_slice() {
            [Arg::Value(list), ..] if has_all_items(*function) => find_taken(cx, list),
            [Arg::Value(_), Arg::Value(first), Arg::Value(last)] if *function == SLICE => {
                let (first, last) = (as_int(cx, first)?, as_int(cx, last)?);
                (first == 1 && last > 0).then_some(Taken::Characters(last))
            }
            [Arg::Sql(sql)] if matches!(function.query, Some(QueryResult::List | QueryResult::Rows)) => {
                let shape = SqlShape::new(&sql.text)?;
                (shape.limits == 1 && !shape.offset).then_some(shape.limit).flatten().map(Taken::Rows)
            }
            _ => None,
        },
        ExprKind::List(items) => count_positions(cx, items).map(Taken::Positions),
        _ => None,
    }
}

/// Whether a function returns all items of a list, in any order, or writes them into a text.
fn has_all_items(function: FunctionId) -> bool {
    function.order == Order::Written || matches!(function.arranges, Some(Arranges::Sorted | Arranges::Reversed))
}

/// Whether a position is that of a line, a row, or an item.
fn is_counted(position: &(usize, Position)) -> bool {
    matches!(position, (1, Position::Line | Position::Row | Position::Item))
}

/// The number of items of a list that are the lines, rows, or items 1, 2, 3, and so on.
fn count_positions(cx: &TaskCx<'_>, items: &[Expr]) -> Option<i64> {
    let position = |item: &Expr| match &item.resolve_name(cx.task).kind {
        ExprKind::Call(function, args) if function.positions.first().is_some_and(is_counted) => match args.get(1)? {
            Arg::Value(place) => as_int(cx, place),
            _ => None,
        },
        _ => None,
    };
    let places: Vec<i64> = items.iter().map(position).collect::<Option<_>>()?;
    let are_first = places.iter().zip(1..).all(|(place, number)| *place == number);
    (are_first && places.len() > 1).then_some(places.len() as i64)
}

/// The length of a JSON array that is a whole answer, if each item is a position of something.
fn find_list_length(leaves: &[Leaf<'_>]) -> Option<i64> {
    let of_list = leaves.iter().enumerate().all(|(at, leaf)| leaf.pointer == format!("/{at}"));
    let positions = leaves.iter().all(|leaf| {
        matches!(&leaf.value.kind, ExprKind::Call(function, _) if matches!(function.positions, [only] if is_counted(only)))
    });
    (of_list && positions && leaves.len() > 1).then_some(leaves.len() as i64)
}

fn as_int(cx: &TaskCx<'_>, value: &Expr) -> Option<i64> {
    match value.resolve_name(cx.task).as_constant()? {
        Value::Int(number) => Some(*number),
        _ => None,
    }
}

/// Finds the numbers of rows that a text asks for.
pub(super) fn find_row_amounts(text: &Text<'_>, language: &Language) -> Vec<Found<i64>> {
    find_amounts(text, language, Taken::Rows(0))
}

/// Finds the numbers of rows or characters that a text asks for.
fn find_amounts(text: &Text<'_>, language: &Language, taken: Taken) -> Vec<Found<i64>> {
    let mut found = Vec::new();
    for at in 0..text.tokens.len() {
        let Some(means) = read_number(text, language, at) else { continue };
        let before = at.checked_sub(1).and_then(|at| text.tokens.get(at));
        let leads = before.is_some_and(|token| token.is_any(language.takes));
        let of_pieces = text.tokens.get(at + 1).is_some_and(|token| token.is_any(language.pieces));
        let end = find_superlative(text, language, at + 1);
        let fits = match taken {
            Taken::Positions(_) => leads,
            Taken::Rows(_) => (leads || end.is_some() || is_before_extreme(text, language, at)) && !of_pieces,
            Taken::Characters(_) => leads && text.tokens.get(at + 1).is_some_and(|token| is_character(&token.lower)),
        };
        if fits {
            let start = if leads { at - 1 } else { at };
            found.push(Found { start, end: end.unwrap_or(at + 1), means });
        }
    }
    found
}

/// Whether a number is before things of which an extreme follows: "which three orders have the largest total".
fn is_before_extreme(text: &Text<'_>, language: &Language, at: usize) -> bool {
    let Some(noun) = text.tokens.get(at + 1).filter(|token| matches!(token.kind, Kind::Word)) else { return false };
    let before = at.checked_sub(1).and_then(|at| text.tokens.get(at));
    let is_chosen = before.is_some_and(|token| token.is_any(language.choosing));
    let is_plural = (noun.lower.ends_with('s') || noun.is_word("people"))
        && !noun.is_any(language.columns)
        && !noun.is_any(language.pieces);
    let of_sentence = |at: &usize| text.tokens.get(*at).is_some_and(|token| token.sentence == noun.sentence);
    let mut behind = (at + 2..text.tokens.len()).take_while(of_sentence);
    is_chosen && is_plural && behind.any(|at| find_superlative(text, language, at).is_some())
}

fn is_character(word: &str) -> bool {
    ["character", "letter", "digit", "sign"].iter().any(|known| word.starts_with(known))
}

/// The end of a superlative that begins at a token.
fn find_superlative(text: &Text<'_>, language: &Language, at: usize) -> Option<usize> {
    let extreme = text.match_longest(at, language.extremes).map(|found| found.end);
    extreme.max(text.match_longest(at, language.ages).map(|found| found.end))
}

/// The number at a token, as digits or as a word.
fn read_number(text: &Text<'_>, language: &Language, at: usize) -> Option<i64> {
    let token = text.tokens.get(at)?;
    match &token.kind {
        Kind::Literal(Value::Int(number)) => Some(*number),
        Kind::Word => language.numbers.iter().position(|word| token.lower == *word).map(|number| number as i64),
        _ => None,
    }
    .filter(|number| (2..=100).contains(number))
}
