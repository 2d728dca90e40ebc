//! Diagnostics of failed builds, also reported by `check` if no draw can prevent the failure.

use model::Span;
use model::failure::{Failure, FailureKind};

use super::{Code, Diagnostic};

impl Code {
    /// The code of a build failure; `None` for wrong options and I/O errors.
    pub fn from_failure_kind(kind: FailureKind) -> Option<&'static Code> {
        match kind {
            FailureKind::NullAtBuild => Some(Code::NULL_AT_BUILD),
            FailureKind::RequireNeverHeld => Some(Code::REQUIRE_NEVER_HELD),
            FailureKind::FailedComputation | FailureKind::TooFewTokens => Some(Code::FAILED_COMPUTATION),
            FailureKind::PathAtBuild => Some(Code::PATH_AT_BUILD),
            FailureKind::SqlAtBuild | FailureKind::SqlTooMuch => Some(Code::SQL_AT_BUILD),
            FailureKind::ExhaustedDomain => Some(Code::EXHAUSTED_DOMAIN),
            FailureKind::EmptyAtBuild => Some(Code::EMPTY_AT_BUILD),
            FailureKind::TooLarge => Some(Code::TOO_LARGE_AT_BUILD),
            FailureKind::NotRecoverable => Some(Code::NOT_RECOVERABLE),
            FailureKind::Io | FailureKind::Usage | FailureKind::TooMuchWork => None,
        }
    }
}

impl Diagnostic {
    /// Converts the failure of a constant value at `span` to a diagnostic; `None` for a failure that another build may not have.
    pub fn from_failure(failure: &Failure, span: Span) -> Option<Diagnostic> {
        let (code, label, help) = match failure.kind {
            FailureKind::TooFewTokens => (Code::OUT_OF_BOUNDS, "too few tokens", "allow more tokens"),
            kind => (
                Code::from_failure_kind(kind)?,
                "fails in every build",
                "correct the expression, or handle such values with `if`: nothing that it depends on is drawn",
            ),
        };
        let said = Diagnostic::new(code, &failure.message, failure.span.unwrap_or(span), label);
        Some(said.help(failure.help.as_deref().unwrap_or(help)))
    }
}
