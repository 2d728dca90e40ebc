//! Failures of a build, in the author's terms. The caller shows them with the compiler's renderer.

use crate::Span;

/// The failure that stops a build: the first instance that cannot be made, or an I/O error.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// The kind of failure.
    pub kind: FailureKind,
    /// One sentence that describes the failure, with the values concerned.
    pub message: String,
    /// The place in the source of the failed request.
    pub span: Option<Span>,
    /// The advice.
    pub help: Option<String>,
    /// The instance that failed.
    pub at: Option<At>,
}

/// The instance to which a failure belongs.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
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

/// The kinds of failure. All except `Io`, `Usage`, and `TooMuchWork` have a code of the same name in the compiler (E0901 to E0909).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FailureKind {
    /// E0901: an answer, prompt, or path is null.
    NullAtBuild,
    /// E0902: a `require` is false in all attempts.
    RequireNeverHeld,
    /// E0903: a computation has no result.
    FailedComputation,
    /// E0903 (or E0503 if it is known before the build): even the shortest description exceeds the budget.
    TooFewTokens,
    /// E0904: a drawn path is unsafe, or two paths are equal.
    PathAtBuild,
    /// E0905: SQL failed.
    SqlAtBuild,
    /// E0905: SQL exceeded its limits.
    SqlTooMuch,
    /// E0906: a domain has no value left.
    ExhaustedDomain,
    /// E0907: the expected text is empty.
    EmptyAtBuild,
    /// E0908: a file would be too large.
    TooLarge,
    /// E0909: the rows of a written file cannot be read back.
    NotRecoverable,
    /// An I/O error: exit status 3.
    Io,
    /// Invalid use, such as an existing OUT or shards of different builds: exit status 2.
    Usage,
    /// The instance takes more work than the caller allows, which a build does not limit. The message says what is too large, such as `2,000 rows`.
    TooMuchWork,
}

impl Failure {
    /// Creates a failure without a place.
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Failure {
        Failure { kind, message: message.into(), span: None, help: None, at: None }
    }

    /// Sets the place, unless a more precise one is already set.
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
