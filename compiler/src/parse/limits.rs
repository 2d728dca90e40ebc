//! Limits on the work of parsing and on the number of diagnostics.

use crate::ast::{SourceId, Span};
use crate::diagnostics::{Code, Diagnostic};
use crate::syntax::lex::DEEPEST;
use pest::Parser;
use pest::error::Error;
use pest::iterators::Pairs;
use std::num::NonZeroUsize;
use std::sync::{PoisonError, RwLock};

use super::grammar::{Grammar, Rule};

/// The maximum number of syntax errors that are shown; further ones are only counted.
const MAX_DIAGNOSTICS: usize = 100;

/// The number of errors after which the rest of a file is not parsed.
pub(super) const HOPELESS: usize = 1_000;

/// The maximum number of rule attempts in one parse: enough for about 20,000 lines.
const CALLS: usize = 10_000_000;

/// The maximum number of rule attempts per byte of a longer text: a third more than a list of the shortest values needs (`1,1,1`).
const CALLS_A_BYTE: usize = 100;

/// The maximum number of rule attempts in any parse: enough for a list of 700,000 values.
const MAX_CALLS: usize = 100_000_000;

/// The limit that is set in pest for the whole process. A parse with another limit waits for exclusive access, and changes the limit.
static LIMIT: RwLock<Option<usize>> = RwLock::new(None);

fn limit_calls(text: &str) -> usize {
    text.len().saturating_mul(CALLS_A_BYTE).clamp(CALLS, MAX_CALLS)
}

/// Parses a text with a rule of the grammar. The work is bounded by a limit that depends only on the length of the text.
pub(super) fn parse_bounded(rule: Rule, text: &str) -> Result<Pairs<'_, Rule>, Box<Error<Rule>>> {
    let most = limit_calls(text);
    {
        let set = LIMIT.read().unwrap_or_else(PoisonError::into_inner);
        if *set == Some(most) {
            return Grammar::parse(rule, text).map_err(Box::new);
        }
    }
    let mut set = LIMIT.write().unwrap_or_else(PoisonError::into_inner);
    pest::set_call_limit(NonZeroUsize::new(most));
    *set = Some(most);
    Grammar::parse(rule, text).map_err(Box::new)
}

/// Explains that a part of a file needs too many rule attempts; `values` is the number of its tokens that can be values.
pub(super) fn explain_too_much(at: Span, word: &str, values: usize) -> Diagnostic {
    let values = model::value::group_digits(values as u64);
    let message = format!("`{word}` is too long to be read: it has {values} words, numbers, and texts");
    Diagnostic::new(Code::TOO_COMPLEX, message, at, "starts here")
        .note("a statement can have about 700,000 of them")
        .help("put the values into a file next to the suite, and read that: csv NAME from \"values.csv\"")
}

/// Rejects a file that is too long, because spans have 32 bits.
pub(super) fn explain_too_long(source: &str, file: SourceId) -> Option<Diagnostic> {
    (source.len() >= u32::MAX as usize)
        .then(|| Diagnostic::new(Code::TOO_COMPLEX, "the file is too long", Span::new(file, 0, 0), ""))
}

/// Explains a bracket at `at` that is nested too deeply.
pub(super) fn explain_too_deep(source: &str, file: SourceId, at: u32) -> Diagnostic {
    let rest = source.get(at as usize..).unwrap_or("");
    let what = match rest.as_bytes() {
        [b'<', b'<', ..] => "<<",
        [b'i', b'f', ..] => "if",
        _ => rest.get(..1).unwrap_or(""),
    };
    let message = format!("brackets are nested more than {DEEPEST} levels deep");
    Diagnostic::new(
        Code::TOO_COMPLEX,
        message,
        Span::new(file, at, at + what.len() as u32),
        "one level too many".to_owned(),
    )
    .help("add a missing closing bracket before it, or give its parts their own names")
}

/// Sorts diagnostics by position, removes duplicates, and limits their number.
pub(super) fn limit_diagnostics(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    diagnostics.sort_by_key(|diagnostic| (diagnostic.primary.span.start, diagnostic.primary.span.end));
    diagnostics.dedup();
    if diagnostics.len() > MAX_DIAGNOSTICS {
        let more = diagnostics.len() - MAX_DIAGNOSTICS;
        let next = diagnostics[MAX_DIAGNOSTICS].primary.span;
        diagnostics.truncate(MAX_DIAGNOSTICS);
        let noun = if more == 1 { "mistake" } else { "mistakes" };
        let most = if more + MAX_DIAGNOSTICS >= HOPELESS { "at least " } else { "" };
        diagnostics.push(Diagnostic::new(
            Code::SYNTAX,
            format!("{most}{more} more {noun} from here on are not shown"),
            next,
            "",
        ));
    }
    diagnostics
}
