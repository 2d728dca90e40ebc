//! What can go wrong while building, in the author's terms. The caller shows it with the compiler's renderer.

use crate::Span;

/// The build stops: the first instance that cannot be made, or the outside failed.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// What kind.
    pub kind: FailureKind,
    /// One sentence: what went wrong, with the values concerned.
    pub message: String,
    /// The place in the source that asked for it.
    pub span: Option<Span>,
    /// What to do about it.
    pub help: Option<String>,
    /// Which instance.
    pub at: Option<At>,
}

/// Which instance a failure belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct At {
    /// The task.
    pub task: String,
    /// The sample, from 1.
    pub sample: u32,
    /// The axis labels, joined by `-`, if any.
    pub cell: Option<String>,
    /// The variant, if any.
    pub variant: Option<String>,
    /// The stage that is asked, if any.
    pub stage: Option<String>,
    /// The attempt, from 0.
    pub attempt: u32,
    /// The seed.
    pub seed: String,
}

/// The kinds of failure; all but `Io` and `Usage` have a code of the same name in the compiler (E0901 to E0909).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FailureKind {
    /// E0901: an answer, prompt or path came out null.
    NullAtBuild,
    /// E0902: `require` held in none of the attempts.
    RequireNeverHeld,
    /// E0903: a computation without result.
    FailedComputation,
    /// E0903, and E0503 where it is known before: not even the shortest description fits.
    TooFewTokens,
    /// E0904: a drawn path is unsafe, or two came out equal.
    PathAtBuild,
    /// E0905: SQL failed.
    SqlAtBuild,
    /// E0905: SQL took more than it may.
    SqlTooMuch,
    /// E0906: a domain had no value left.
    ExhaustedDomain,
    /// E0907: the text that is expected came out empty.
    EmptyAtBuild,
    /// E0908: a file would be too large.
    TooLarge,
    /// E0909: a written file cannot be read back as the rows that it was written from.
    NotRecoverable,
    /// Disk: exit status 3.
    Io,
    /// OUT exists, shards do not fit: exit status 2.
    Usage,
}

impl Failure {
    /// A failure without place.
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Failure {
        Failure { kind, message: message.into(), span: None, help: None, at: None }
    }

    /// Sets the place, unless a more exact one is known.
    pub fn with_default_span(mut self, span: Span) -> Failure {
        self.span.get_or_insert(span);
        self
    }

    /// Sets the advice.
    pub fn help(mut self, help: impl Into<String>) -> Failure {
        self.help = Some(help.into());
        self
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}
