//! The failures of generation.

use model::Span;

use crate::Failure;
use crate::failure::FailureKind;

/// A result of generation. The failure is boxed, which keeps successful results small.
pub(crate) type Res<T> = Result<T, Box<Failure>>;

/// Returns a boxed failure without a place in the source.
pub(crate) fn fail<T>(kind: FailureKind, message: impl Into<String>) -> Res<T> {
    Err(Box::new(Failure::new(kind, message)))
}

/// Returns the failure of a computation without a result (E0903).
pub(crate) fn fail_computation<T>(message: impl ToString) -> Res<T> {
    fail(FailureKind::FailedComputation, message.to_string())
}

/// Returns a boxed failure with advice.
pub(crate) fn fail_with_help<T>(kind: FailureKind, message: impl Into<String>, help: impl Into<String>) -> Res<T> {
    Err(Box::new(Failure::new(kind, message).help(help)))
}

/// Adds a place to failures that do not have one yet.
pub(crate) trait OrSpan {
    /// Does the same as [`Failure::with_default_span`].
    fn or_span(self, span: Span) -> Self;
}

impl<T> OrSpan for Res<T> {
    fn or_span(self, span: Span) -> Self {
        self.map_err(|failure| Box::new(failure.with_default_span(span)))
    }
}
