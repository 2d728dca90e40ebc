//! English superlatives that ask for the other end than they seem to.

use super::super::End;

/// A superlative of a measure.
pub struct Turned {
    /// The word.
    pub superlative: &'static str,
    /// The last words of names of columns with the measure.
    pub measures: &'static [&'static str],
    /// The end that it asks for.
    pub end: End,
}

/// The names of magnitudes of stars.
const MAGNITUDES: &[&str] = &["mag", "magnitude", "vmag"];
/// The names of times that something took.
const TIMES: &[&str] = &["time", "seconds", "secs", "duration", "laptime", "millis", "milliseconds"];

/// Superlatives, each with the end of a measure of which less is more.
pub const TURNED: [Turned; 6] = [
    Turned { superlative: "brightest", measures: MAGNITUDES, end: End::Low },
    Turned { superlative: "faintest", measures: MAGNITUDES, end: End::High },
    Turned { superlative: "dimmest", measures: MAGNITUDES, end: End::High },
    Turned { superlative: "fastest", measures: TIMES, end: End::Low },
    Turned { superlative: "quickest", measures: TIMES, end: End::Low },
    Turned { superlative: "slowest", measures: TIMES, end: End::High },
];

/// Words in names of columns that are times of the day, or of something else than the whole.
pub const MOMENTS: &[&str] =
    &["start", "end", "begin", "departure", "arrival", "open", "close", "created", "penalty", "lead"];
