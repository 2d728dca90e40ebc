//! `other_change`: a goal moves dates to the other side, inserts another value than the prompt names, or deletes rows where it names a new value. Heuristics.

use crate::context::judge_by_words;
use sql::ChangeKind;
use sql::lex::{Kind as SqlKind, Token as SqlToken, tokenize_sql};

use super::tokens::{Found, Kind, Token};
use super::wording::Wording;
use crate::goals::{Goal, Step};
use hir::types::TyKind;
use model::Span;
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::english::changes::{
    ADVANCING, BECOMING, COMPARING, POSTPONING, REMOVAL_MARKS, REMOVALS, VALUE_LINKS,
};

/// The number of words between a column and its new value.
const REACH: usize = 2;

/// Compares the only statement of a goal with the words of a wording.
pub(super) fn check_goal(wording: &Wording<'_, '_>, goal: &Goal<'_>) -> Option<Diagnostic> {
    let [step] = goal.steps.as_slice() else { return None };
    if wording.can_vary() {
        return None;
    }
    match step.change.kind {
        ChangeKind::Update => check_moved_dates(wording, step).map(|found| build_diagnostic(wording, found)),
        ChangeKind::Insert => check_inserted(wording, step).map(|found| build_diagnostic(wording, found)),
        ChangeKind::Delete => check_deleted(wording, step).map(|found| build_diagnostic(wording, found)),
    }
}

/// Whether an UPDATE of a column marks rows as deleted: by its name or value, or because the wording names it.
pub(super) fn is_mark_of_removal(wording: &Wording<'_, '_>, (column, value): &(String, Vec<SqlToken<'_>>)) -> bool {
    let tokens = &wording.text.tokens;
    let column = column.to_lowercase();
    let texts: Vec<String> = value.iter().map(|token| token.to_unquoted().to_lowercase()).collect();
    let marks = |text: &str| REMOVAL_MARKS.iter().any(|mark| text.contains(mark));
    let is_named = tokens.iter().any(|token| token.is_word(&column) || texts.iter().any(|text| token.is_word(text)));
    let is_text = matches!(value.as_slice(), [only] if only.kind == SqlKind::Text);
    !is_text || is_named || marks(&column) || texts.iter().any(|text| marks(text))
}

/// What a statement does otherwise than the wording says.
struct Mistake {
    asked: Found<()>,
    what: String,
    span: Span,
    label: &'static str,
    help: &'static str,
}

fn build_diagnostic(wording: &Wording<'_, '_>, found: Mistake) -> Diagnostic {
    let (start, end) = (found.asked.start, found.asked.end);
    let message = format!("the prompt says `{}`, but {}", wording.quote(start, end), found.what);
    judge_by_words(Code::OTHER_CHANGE, message, found.span, found.label)
        .label(wording.locate(start, end), "asked for here")
        .help(found.help)
}

/// Compares the sign of `date(DUE, '-7 days')` with "later" and "earlier".
fn check_moved_dates(wording: &Wording<'_, '_>, step: &Step<'_>) -> Option<Mistake> {
    let [(column, value)] = step.change.sets.as_slice() else { return None };
    let [function, open, name, comma, by, .., close] = value.as_slice() else { return None };
    let is_shift = function.is_any("DATE DATETIME") && open.is_punct("(") && comma.is_punct(",") && close.is_punct(")");
    if !is_shift || !name.is_named(column) || by.kind != SqlKind::Text {
        return None;
    }
    let by = by.to_unquoted();
    let is_earlier = match by.chars().next()? {
        '-' => true,
        '+' | '0'..='9' => false,
        _ => return None,
    };
    let find = |words: &[&str]| find_plain(&wording.text.tokens, words);
    let (own, other) = if is_earlier { (ADVANCING, POSTPONING) } else { (POSTPONING, ADVANCING) };
    let at = find(other).filter(|_| find(own).is_none())?;
    let side = if is_earlier { "earlier" } else { "later" };
    Some(Mistake {
        asked: Found { start: at, end: at + 1, means: () },
        what: format!("the goal makes `{column}` {side}"),
        span: step.to_span((function.start, close.end())),
        label: "the other way",
        help: "turn the sign around, or use the other word",
    })
}

/// Finds one of some words where nothing is compared: not "later than" and "or later".
fn find_plain(tokens: &[Token<'_>], words: &[&str]) -> Option<usize> {
    tokens.iter().enumerate().find_map(|(at, token)| {
        let is_near =
            |near: Option<usize>| near.and_then(|near| tokens.get(near)).is_some_and(|near| near.is_any(COMPARING));
        (token.is_any(words) && !token.quoted && !is_near(at.checked_sub(1)) && !is_near(Some(at + 1))).then_some(at)
    })
}

/// Compares the literals of a new row with the values that the wording names after their columns: "STATE new".
fn check_inserted(wording: &Wording<'_, '_>, step: &Step<'_>) -> Option<Mistake> {
    let relation = wording.cx.task.relations.get(step.relation)?;
    let (first, last) = step.change.bytes;
    let tokens = tokenize_sql(step.sql.text.get(first..last)?);
    let values = tokens.iter().position(|token| token.is_keyword("VALUES"))?;
    let (head, row) = (tokens.get(..values)?, read_list(tokens.get(values + 1..)?)?);
    let names: Vec<String> = match head.iter().position(|token| token.is_punct("(")) {
        Some(open) => {
            read_list(head.get(open..)?)?.iter().filter_map(|name| name.first()).map(SqlToken::to_unquoted).collect()
        }
        None => relation.iter_written_columns().map(|(_, column)| column.name.clone()).collect(),
    };
    let pairs = names.iter().zip(&row).filter(|_| names.len() == row.len());
    pairs.into_iter().find_map(|(name, value)| {
        let [literal] = value.as_slice() else { return None };
        let (asked, told) = find_told(wording, step, name)?;
        let own = literal.to_unquoted();
        let is_other = match literal.kind {
            SqlKind::Text => !own.eq_ignore_ascii_case(&told),
            SqlKind::Number => {
                let numbers = own.parse::<f64>().ok().zip(told.parse::<f64>().ok());
                numbers.is_some_and(|(own, told)| (own - told).abs() > f64::EPSILON)
            }
            _ => false,
        };
        is_other.then(|| Mistake {
            asked,
            what: format!("the goal inserts {}", literal.text),
            span: step.to_span((first + literal.start, first + literal.end())),
            label: "another value",
            help: "insert the value of the prompt",
        })
    })
}

/// Reads tokens that are one list in brackets.
fn read_list<'t>(tokens: &[SqlToken<'t>]) -> Option<Vec<Vec<SqlToken<'t>>>> {
    let [open, inner @ .., close] = tokens else { return None };
    let is_plain = open.is_punct("(") && close.is_punct(")") && !inner.iter().any(|token| token.is_any("( )"));
    is_plain.then(|| inner.split(|token| token.is_punct(",")).map(<[_]>::to_vec).collect())
}

/// Finds the value that a wording names after a column, if it does so once: a number, or a text that the column can have.
fn find_told(wording: &Wording<'_, '_>, step: &Step<'_>, name: &str) -> Option<(Found<()>, String)> {
    let (id, column) = step.find_column(wording.cx.task, name)?;
    let tokens = &wording.text.tokens;
    let mut places = tokens.iter().enumerate().filter(|(_, token)| token.text == column.name);
    let (at, _) = places.next().filter(|_| places.next().is_none())?;
    let is_link = tokens.get(at + 1).is_some_and(|link| link.is_any(VALUE_LINKS));
    let place = if is_link { at + 2 } else { at + 1 };
    let told = tokens.get(place).filter(|told| !matches!(told.kind, Kind::Placeholder(_)))?;
    let is_value = match column.ty.kind {
        TyKind::Text => {
            let values = wording.cx.facts().lookup_column(step.relation, id).closed;
            values.is_some_and(|values| values.iter().any(|value| value.render_text().eq_ignore_ascii_case(&told.text)))
        }
        _ => matches!(told.kind, Kind::Literal(_)),
    };
    is_value.then(|| (Found { start: at, end: place + 1, means: () }, told.text.replace(['_', ','], "")))
}

/// Finds "its STATE becomes closed" where rows are deleted, and the wording has no word for that.
fn check_deleted(wording: &Wording<'_, '_>, step: &Step<'_>) -> Option<Mistake> {
    if wording.text.has_word_beginning(REMOVALS) {
        return None;
    }
    let tokens = &wording.text.tokens;
    let relation = wording.cx.task.relations.get(step.relation)?;
    let mut columns = relation.iter_written_columns().filter(|(_, column)| column.ty.kind == TyKind::Text);
    let asked = columns.find_map(|(id, column)| {
        let values = wording.cx.facts().lookup_column(step.relation, id).closed?;
        let is_value =
            |token: &Token<'_>| values.iter().any(|value| value.render_text().eq_ignore_ascii_case(&token.text));
        tokens.iter().enumerate().filter(|(_, token)| token.text == column.name).find_map(|(at, _)| {
            let link = (at + 1..=at + REACH).find(|at| tokens.get(*at).is_some_and(|token| token.is_any(BECOMING)))?;
            let end = link + 1;
            tokens.get(end).is_some_and(is_value).then_some(Found { start: at, end: end + 1, means: () })
        })
    })?;
    Some(Mistake {
        asked,
        what: "the goal deletes the rows".to_owned(),
        span: step.span(),
        label: "deletes rows",
        help: "write an UPDATE that sets the value, or ask in the prompt to delete the rows",
    })
}
