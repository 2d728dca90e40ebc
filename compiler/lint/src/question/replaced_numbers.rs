//! `unasked_change`: `replace` of a bare number that also changes it within longer numbers, or where another setting has it by chance. A heuristic.

use model::Value;
use model::suite::Scope;

use super::prompt_content::{Way, has_any_word};
use super::unasked_edit::FIRST_VALUE;
use crate::context::{TaskCx, judge_by_words};
use hir::Expr;
use syntax::diagnostics::{Code, Diagnostic};
use syntax::fmt::shorten_text;
use syntax::prompts::english::changes::EVERYWHERE;

/// The most values of a number that are compared with the text.
const MAX_VALUES: i64 = 1_000;

/// Reports a replacement of a bare number. In `content` and `needle`, each drawn value is a special character.
pub(super) fn check_number<'a>(
    cx: &TaskCx<'a>,
    way: &Way<'_>,
    sought: &'a Expr,
    content: &str,
    needle: &str,
) -> Option<Diagnostic> {
    let values = list_numbers(cx, sought, needle)?;
    let is_everywhere = |words: &str| way.tellings.iter().any(|telling| has_any_word(&telling.lower_prompt, words));
    if is_everywhere(EVERYWHERE) {
        return None;
    }
    let shown = shorten_text(&cx.sources.quote(sought.span), 40);
    let (message, label) = match find_embedded(content, needle) {
        Some(line) => {
            let line = shorten_text(&show_line(cx, sought, &line, needle), 40);
            (format!("`replace` changes {shown} also within a longer number: `{line}`"), "is a part of it, too")
        }
        None => {
            let (line, number) = find_equal(content, needle, &values)?;
            let line = shorten_text(line.trim(), 40);
            (format!("`replace` changes {shown} also in `{line}`"), describe_place(&values, number))
        }
    };
    let telling = way.tellings.first()?;
    Some(
        judge_by_words(Code::UNASKED_CHANGE, message, sought.span, label)
            .label(telling.span, "asks for one change")
            .help(format!("replace a longer text that occurs once, such as \"NAME = {}\"", show_bare(cx, sought))),
    )
}

fn describe_place(values: &[String], number: &str) -> &'static str {
    match values.iter().any(|value| value == number) {
        true => "can be the same number",
        false => "can be a part of this number",
    }
}

/// The text that is sought, without quotes.
fn show_bare(cx: &TaskCx<'_>, sought: &Expr) -> String {
    cx.sources.quote(sought.span).trim_matches('"').to_owned()
}

/// A line as the author wrote it, as far as it has no other drawn value.
fn show_line(cx: &TaskCx<'_>, sought: &Expr, line: &str, needle: &str) -> String {
    line.trim().replace(needle, &show_bare(cx, sought))
}

/// The numbers that a text can be. `None` if it can be anything else, or too many.
fn list_numbers<'a>(cx: &TaskCx<'a>, sought: &'a Expr, needle: &str) -> Option<Vec<String>> {
    let is_number = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    if is_number(needle) {
        return Some(vec![needle.to_owned()]);
    }
    let mut letters = needle.chars();
    letters.next().filter(|first| u32::from(*first) >= FIRST_VALUE && letters.next().is_none())?;
    let [piece] = sought.resolve_name(cx.task).as_pieces() else { return None };
    let fact = cx.facts().infer_expr(piece, Scope::default());
    let values: Vec<String> = match (&fact.closed, &fact.range) {
        (Some(values), _) => values.iter().map(|value| value.render_text().into_owned()).collect(),
        (None, Some((Value::Int(low), Value::Int(high)))) if high.saturating_sub(*low) < MAX_VALUES => {
            (*low..=*high).map(|value| value.to_string()).collect()
        }
        _ => return None,
    };
    (!values.is_empty() && values.iter().all(|value| is_number(value))).then_some(values)
}

/// Finds a line in which a digit is next to the number: `mtu 9<<old>>0`. No line with another drawn value is shown.
fn find_embedded(content: &str, needle: &str) -> Option<String> {
    let is_digit = |c: char| c.is_ascii_digit();
    let is_embedded = |line: &&str| {
        line.match_indices(needle).any(|(at, _)| {
            let before = line.get(..at).is_some_and(|text| text.ends_with(is_digit));
            before || line.get(at + needle.len()..).is_some_and(|text| text.starts_with(is_digit))
        })
    };
    let is_plain = |line: &&str| line.replace(needle, "").chars().all(|c| u32::from(c) < FIRST_VALUE);
    content.lines().find(is_embedded).filter(is_plain).map(str::to_owned)
}

/// Finds a line with a number that is not the one that is sought, but has or is one of its values in some samples.
fn find_equal<'c>(content: &'c str, needle: &str, values: &[String]) -> Option<(&'c str, &'c str)> {
    let is_drawn = needle.chars().any(|c| u32::from(c) >= FIRST_VALUE);
    let is_plain = |line: &&str| line.chars().all(|c| u32::from(c) < FIRST_VALUE);
    let numbers = |line: &'c str| line.split(|c: char| !c.is_ascii_digit()).filter(|run| !run.is_empty());
    content.lines().filter(is_plain).find_map(|line| {
        let mut found = numbers(line).filter(|run| values.iter().any(|value| run.contains(value.as_str())));
        // A number that is written down can be there several times on purpose.
        found.find(|run| is_drawn || *run != needle).map(|run| (line, run))
    })
}
