//! Why an imagined sample has no value at some place: the build would stop there, or the compiler cannot know the value.

use model::Span;

/// The result of an evaluation in an imagined sample.
pub(super) type Res<T> = Result<T, Stop>;

/// The reason why a value is missing.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Stop {
    /// Only a build knows the value.
    Unknown,
    /// The build would stop.
    Fails(Fault),
}

/// A place where the build would stop.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fault {
    /// What goes wrong.
    pub what: What,
    /// Where, in the source.
    pub span: Span,
    /// The reason with the values of this sample: one sentence without a final period.
    pub why: String,
}

/// The kinds of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// A divisor is 0.
    Divisor,
    /// A computation has no result for another reason.
    Computation,
    /// The lower bound is above the upper one.
    Range,
    /// A number of rows or of units of text that does not exist.
    Count,
    /// A share below 0% or above 100%.
    Share,
    /// A draw has no value left.
    Exhausted,
    /// A path that some system cannot store.
    Path,
}

/// Fails at a place.
pub(super) fn fail<T>(what: What, span: Span, why: impl Into<String>) -> Res<T> {
    Err(Stop::Fails(Fault { what, span, why: why.into() }))
}

/// The results of both sides. A side that fails does so whether or not the other is known.
pub(super) fn join_both<A, B>(a: Res<A>, b: Res<B>) -> Res<(A, B)> {
    match (a, b) {
        (Ok(a), Ok(b)) => Ok((a, b)),
        (Err(stop @ Stop::Fails(_)), _) | (_, Err(stop @ Stop::Fails(_))) => Err(stop),
        _ => Err(Stop::Unknown),
    }
}

/// All results, or the first failure among them, or else unknown.
pub(super) fn join_all<T>(results: impl IntoIterator<Item = Res<T>>) -> Res<Vec<T>> {
    let (mut all, mut known) = (Vec::new(), true);
    for result in results {
        match result {
            Ok(value) => all.push(value),
            Err(Stop::Unknown) => known = false,
            Err(stop) => return Err(stop),
        }
    }
    if known { Ok(all) } else { Err(Stop::Unknown) }
}
