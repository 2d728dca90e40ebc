//! Limits on the work of parsing and on the number of diagnostics.

use crate::ast::{SourceId, Span};
use crate::diagnostics::{Code, Diagnostic};
use crate::lex::DEEPEST;
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
pub(super) const MAX_CALLS: usize = 100_000_000;

/// The number of values of a list for which a number of rule attempts is enough.
fn count_values_within(most_calls: usize) -> usize {
    most_calls / 1_000 * 7
}

/// The limit that is set in pest for the whole process. A parse with another limit waits for exclusive access, and changes the limit.
static LIMIT: RwLock<Option<usize>> = RwLock::new(None);

/// Parses a text with a rule of the grammar. The work is bounded by a limit that depends only on the length of the text, and is at most `most_calls`.
pub(super) fn parse_bounded(rule: Rule, text: &str, most_calls: usize) -> Result<Pairs<'_, Rule>, Box<Error<Rule>>> {
    let most = text.len().saturating_mul(CALLS_A_BYTE).max(CALLS).min(most_calls);
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

/// Explains that a part of a file needs more than `most_calls` rule attempts; `values` is the number of its tokens that can be values.
pub(super) fn explain_too_much(at: Span, word: &str, values: usize, most_calls: usize) -> Diagnostic {
    let group = |count: usize| model::value::group_digits(count as u64);
    let (values, most) = (group(values), group(count_values_within(most_calls)));
    let message = format!("`{word}` is too long to be read: it has {values} words, numbers, and texts");
    Diagnostic::new(Code::TOO_COMPLEX, message, at, "starts here")
        .note(format!("a statement can have about {most} of them"))
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
    let place = Span::new(file, at, at + what.len() as u32);
    Diagnostic::new(Code::TOO_COMPLEX, message, place, "one level too many")
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lex::lex_source;
    use crate::parse::{AstBuilder, list_comments, parse_or_recover};

    /// A thousandth of the real limit.
    const FEW: usize = MAX_CALLS / 1_000;

    /// Parses a text with a limit on the work, and returns its diagnostics.
    fn parse_within(source: &str, most_calls: usize) -> Vec<Diagnostic> {
        let comments = list_comments(&lex_source(source).tokens, SourceId(0));
        parse_or_recover(AstBuilder { most_calls, ..AstBuilder::new(source, SourceId(0), &comments) }).1
    }

    fn expect_list(item: &str, count: usize) -> String {
        format!("task t {{\n  prompt \"x\"\n  expect reply list [{}]\n}}\n", vec![item; count].join(","))
    }

    #[test]
    fn what_is_too_long_is_said_with_its_size_and_the_limit() {
        let said = parse_within(&expect_list("1", 900), FEW);
        let [said] = said.as_slice() else { panic!("{said:?}") };
        assert_eq!(said.code.id, "E0106");
        assert_eq!(said.message, "`expect` is too long to be read: it has 903 words, numbers, and texts");
        assert_eq!(said.note.as_deref(), Some("a statement can have about 700 of them"));
    }

    /// The limit that the message names is the one that holds, by a tenth.
    #[test]
    fn a_list_is_read_up_to_about_the_limit_that_is_named() {
        for most_calls in [FEW, 3 * FEW, 10 * FEW] {
            let named = count_values_within(most_calls);
            let is_read = |count: usize| parse_within(&expect_list("1", count), most_calls).is_empty();
            assert!(is_read(named * 9 / 10), "{most_calls}: fewer than the limit are refused");
            assert!(!is_read(named * 11 / 10), "{most_calls}: more than the limit are read");
        }
    }

    /// Whatever is too long, and wherever it is, no other mistake is said of it.
    #[test]
    fn whatever_is_too_long_is_said_to_be_too_long() {
        let items = ["1", "\"item\"", "{ a: 1 }", "f(1)", "[1]", "<<a>>", "1 + 2", "2024-01-01", "a.b", "-1", "null"];
        for item in items {
            let list = vec![item; 3_000].join(", ");
            for source in [
                expect_list(item, 3_000),
                format!("x = [{list}]\n"),
                format!("task t {{\n  x = [{list}]\n  prompt \"x\"\n}}\n"),
                format!("task t {{\n  require a in [{list}]\n  prompt \"x\"\n}}\n"),
                format!("task t {{\n  prompt \"x\"\n  expect reply number count({list})\n}}\n"),
            ] {
                let said = parse_within(&source, FEW);
                let codes: Vec<&str> = said.iter().map(|said| said.code.id).collect();
                assert_eq!(codes, ["E0106"], "{item}: {said:?}");
                assert!(said[0].message.contains("is too long to be read"), "{item}: {}", said[0].message);
            }
        }
    }
}
