//! Determinism: the result must not depend on randomness, the clock, or the machine.

use model::sqlite::functions::{Determinism, find_nature};

use super::brackets::{find_closing_bracket, split_at_commas};
use super::lex::{Kind, Token};
use super::request::{Query, is_same_name};
use syntax::diagnostics::{Code, Diagnostic};
use syntax::host::Prepared;

const CLOCKS: &str = "CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP";
const CHANCE: [&str; 2] = ["random", "randomblob"];
/// Functions of time, with the indexes of their time arguments.
const TIMES: [(&str, &[usize]); 7] = [
    ("date", &[0]),
    ("time", &[0]),
    ("datetime", &[0]),
    ("julianday", &[0]),
    ("unixepoch", &[0]),
    ("strftime", &[1]),
    ("timediff", &[0, 1]),
];
const DRAW_DAY: &str =
    "draw the date and pass it in: `today : date 2024-01-01..2024-12-31` in the task, and `:today` in the query";

/// Reports expressions whose results differ between runs.
pub fn report_nondeterminism(query: &Query<'_>, found: &mut Vec<Diagnostic>) {
    for (index, token) in query.tokens.iter().enumerate() {
        if token.kind != Kind::Word
            || index.checked_sub(1).is_some_and(|i| query.tokens.get(i).is_some_and(|t| t.is_punct(".")))
        {
            continue;
        }
        if token.is_any(CLOCKS) {
            let message = format!("`{}` changes from day to day", token.text);
            found.push(build_diagnostic(query, message, token, "differs every time", DRAW_DAY));
        }
        let Some(arguments) = split_arguments(query.tokens, index) else { continue };
        if CHANCE.iter().any(|name| is_same_name(name, token.text)) {
            let message = format!("`{}()` returns another value every time", token.text);
            let help = "draw the value and pass it in: `n : int 1..100` in the task and `:n` in the query; for a random row, `pick : ref TABLE.COLUMN`";
            found.push(build_diagnostic(query, message, token, "differs every time", help));
        }
        if let Some((_, moments)) = TIMES.iter().find(|(name, _)| is_same_name(name, token.text)) {
            report_time_arguments(query, token, &arguments, moments, found);
        }
    }
}

/// Reports calls that are visible only in SQLite's list of called functions.
pub fn check_prepared(query: &Query<'_>, prepared: &Prepared, found: &mut Vec<Diagnostic>) {
    if found.iter().any(|diagnostic| diagnostic.code == Code::SQL_NONDETERMINISTIC) {
        return;
    }
    for name in &prepared.functions {
        let Some(nature) = find_nature(name).filter(|nature| *nature != Determinism::Steady) else { continue };
        let called = query.tokens.iter().find(|token| token.kind == Kind::Word && token.is_keyword(name));
        let span = called.map_or(query.whole_span(), |token| query.to_token_span(token));
        let message = format!("`{name}` depends on {}", nature.describe_dependency());
        let help = match nature {
            Determinism::Clock => DRAW_DAY,
            _ => "draw the value in the task, and pass it in: `n : int 1..100` in the task and `:n` in the query",
        };
        found.push(Diagnostic::new(Code::SQL_NONDETERMINISTIC, message, span, "differs every time").help(help));
    }
}

fn report_time_arguments(
    query: &Query<'_>,
    name: &Token<'_>,
    arguments: &[&[Token<'_>]],
    moments: &[usize],
    found: &mut Vec<Diagnostic>,
) {
    let first = moments.first().copied().unwrap_or(0);
    if arguments.len() <= first {
        let message = format!("`{}` without a time means now, which changes from day to day", name.text);
        found.push(build_diagnostic(query, message, name, "the time of the run", DRAW_DAY));
        return;
    }
    for (place, argument) in arguments.iter().enumerate() {
        let [only] = argument else { continue };
        if only.kind != Kind::Text {
            continue;
        }
        let value = only.to_unquoted();
        if moments.contains(&place)
            && ["now", "subsec", "subsecond"].iter().any(|word| is_same_name(word, value.trim()))
        {
            let message = format!("`{}` changes from day to day", only.text);
            found.push(build_diagnostic(query, message, only, "differs every time", DRAW_DAY));
        } else if place > first && ["localtime", "utc"].iter().any(|word| is_same_name(word, value.trim())) {
            let message = format!("`{}` depends on the time zone of the machine", only.text);
            let help = "remove it: dates and datetimes of a suite do not have a time zone";
            found.push(build_diagnostic(query, message, only, "not the same on every machine", help));
        }
    }
}

fn build_diagnostic(query: &Query<'_>, message: String, at: &Token<'_>, label: &str, help: &str) -> Diagnostic {
    Diagnostic::new(Code::SQL_NONDETERMINISTIC, message, query.to_token_span(at), label).help(help)
}

/// The tokens of each argument of the call that begins with the word at `index`; `None` if it does not begin a call.
fn split_arguments<'t, 'a>(tokens: &'t [Token<'a>], index: usize) -> Option<Vec<&'t [Token<'a>]>> {
    tokens.get(index + 1).filter(|open| open.is_punct("("))?;
    let inside = tokens.get(index + 2..find_closing_bracket(tokens, index + 1)?)?;
    Some(if inside.is_empty() { Vec::new() } else { split_at_commas(inside) })
}
