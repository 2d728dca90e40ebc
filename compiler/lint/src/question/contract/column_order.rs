//! Columns that a wording describes in words, in another order than the expected rows have: "the branch, the number of withdrawals, and the total".

use model::suite::matchers::Takes;

use super::sql_shape::SqlShape;
use super::tokens::Text;
use super::wording::Wording;
use hir::types::TyKind;
use hir::{Arg, ExprKind};
use names::words::{split_words, to_singular};
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::Aggregate;

/// The tokens that describe a column.
#[derive(Clone, Copy)]
struct Item {
    start: usize,
    end: usize,
}

/// What a column can be described by.
struct Described {
    words: Vec<String>,
    aggregate: Option<Aggregate>,
}

/// Compares the order in which a wording describes columns with that of the expected rows.
pub(super) fn check_described_columns(wording: &Wording<'_, '_>, expect: &hir::Expect) -> Option<Diagnostic> {
    let value = expect.answer_expr().filter(|_| expect.matcher.record().takes == Takes::Rows && !expect.is_any_of())?;
    let TyKind::Rows(columns) = &value.ty.kind else { return None };
    let names: Vec<&str> = columns.iter().map(|(name, _)| name.as_str()).collect();
    let ExprKind::Call(_, args) = &value.resolve_name(wording.cx.task).kind else { return None };
    let Some(Arg::Sql(sql)) = args.last() else { return None };
    let aggregates = SqlShape::new(&sql.text)?.list_item_aggregates();
    if names.len() < 2 || aggregates.len() != names.len() {
        return None;
    }
    let described: Vec<Described> = names
        .iter()
        .zip(aggregates)
        .map(|(name, aggregate)| Described { words: split_words(name), aggregate })
        .collect();
    let tokens = &wording.text.tokens;
    let leads = tokens.iter().enumerate().filter(|(_, token)| token.is_any(wording.language.columns));
    for (lead, _) in leads {
        let items: Vec<Item> = list_items(&wording.text, lead + 1).into_iter().take(names.len()).collect();
        let meant: Option<Vec<usize>> = items.iter().map(|item| find_described(wording, *item, &described)).collect();
        let Some(meant) = meant.filter(|meant| meant.len() == names.len()) else { continue };
        let is_each = (0..names.len()).all(|at| meant.contains(&at));
        if is_each && !meant.is_sorted() {
            let (start, end) = (items.first()?.start, items.last()?.end);
            let order: Vec<&str> = meant.iter().filter_map(|at| names.get(*at).copied()).collect();
            let message = format!(
                "the prompt describes the columns {}, but the key has {}",
                super::place::list_names(&order),
                super::place::list_names(&names)
            );
            return Some(
                Diagnostic::new(Code::OTHER_PLACE, message, sql.span, "columns in another order")
                    .label(wording.locate(start, end), "described here")
                    .help("describe the columns in the order of the key, or select them as the prompt says"),
            );
        }
    }
    None
}

/// Splits the rest of a sentence at commas and "and".
fn list_items(text: &Text<'_>, start: usize) -> Vec<Item> {
    let Some(sentence) = text.tokens.get(start).map(|token| token.sentence) else { return Vec::new() };
    let mut items = Vec::new();
    let mut from = start;
    for at in start..=text.tokens.len() {
        let token = text.tokens.get(at).filter(|token| token.sentence == sentence || token.sentence == sentence + 1);
        let is_break =
            token.is_none_or(|token| token.is_word("and") || matches!(token.text.as_str(), "," | "." | ";" | ":"));
        if is_break {
            if at > from {
                items.push(Item { start: from, end: at });
            }
            from = at + 1;
        }
        if token.is_none_or(|token| token.text == ".") {
            break;
        }
    }
    items
}

/// The only column that some words describe.
fn find_described(wording: &Wording<'_, '_>, item: Item, described: &[Described]) -> Option<usize> {
    let text = &wording.text;
    let tokens = text.tokens.get(item.start..item.end)?;
    let asked = (item.start..item.end).find_map(|at| {
        let language = wording.language;
        let counted =
            language.how_many.iter().any(|phrase| text.match_phrase(at, phrase).is_some_and(|end| end <= item.end));
        if counted {
            return Some(Aggregate::Count);
        }
        text.match_longest(at, language.aggregates).filter(|found| found.end <= item.end).map(|found| found.means)
    });
    let is_named = |column: &Described| {
        tokens.iter().any(|token| {
            let word = to_singular(&token.lower);
            !token.is_operand() && word.len() > 1 && column.words.iter().any(|own| to_singular(own) == word)
        })
    };
    let fits = |column: &Described| match (asked, column.aggregate) {
        (Some(asked), Some(own)) => asked == own || asked == Aggregate::Count && own == Aggregate::Distinct,
        (Some(_), None) => false,
        (None, own) => is_named(column) && own.is_none(),
    };
    let mut found = described.iter().enumerate().filter(|(_, column)| fits(column));
    let (at, _) = found.next()?;
    found.next().is_none().then_some(at)
}
