//! How much is read before giving up, and how much is said.

use crate::ast::{SourceId, Span};
use crate::diagnostics::{Code, Diagnostic};
use crate::syntax::lex::DEEPEST;
use std::num::NonZeroUsize;
use std::sync::Once;

/// More diagnostics than this are counted, not shown.
const MOST: usize = 100;

/// After this many mistakes the rest of a file is left unread.
pub(super) const HOPELESS: usize = 1_000;

/// How often one reading of the grammar may try a rule: what some 20,000 lines need. A longer file is read item by item.
const CALLS: usize = 10_000_000;

/// Sets the limit of work, which pest keeps for the whole process.
pub(super) fn set() {
    static SET: Once = Once::new();
    SET.call_once(|| pest::set_call_limit(NonZeroUsize::new(CALLS)));
}

/// Spans count in 32 bits.
pub(super) fn too_long(source: &str, file: SourceId) -> Option<Diagnostic> {
    (source.len() >= u32::MAX as usize)
        .then(|| Diagnostic::new(Code::TOO_COMPLEX, "the file is too long", Span::new(file, 0, 0), ""))
}

/// A bracket too deep, at `at`.
pub(super) fn too_deep(source: &str, file: SourceId, at: u32) -> Diagnostic {
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

/// In order of their places, no two alike, and no more than can be read.
pub(super) fn cap(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    diagnostics.sort_by_key(|diagnostic| (diagnostic.primary.span.start, diagnostic.primary.span.end));
    diagnostics.dedup();
    if diagnostics.len() > MOST {
        let more = diagnostics.len() - MOST;
        let next = diagnostics[MOST].primary.span;
        diagnostics.truncate(MOST);
        let noun = if more == 1 { "mistake" } else { "mistakes" };
        let most = if more + MOST >= HOPELESS { "at least " } else { "" };
        diagnostics.push(Diagnostic::new(
            Code::SYNTAX,
            format!("{most}{more} more {noun} from here on are not shown"),
            next,
            "",
        ));
    }
    diagnostics
}
