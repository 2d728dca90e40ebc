//! Positions in the source.

use serde::{Deserialize, Serialize};

use crate::SourceId;

/// A half-open range of bytes in a source file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Span {
    /// The file.
    pub file: SourceId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// Creates the range `start..end` of `file`, in bytes.
    pub const fn new(file: SourceId, start: u32, end: u32) -> Span {
        Span { file, start, end }
    }

    /// Returns the smallest range that contains both (of the same file).
    ///
    /// ```
    /// use model::{SourceId, Span};
    ///
    /// let span = |start, end| Span::new(SourceId::default(), start, end);
    /// let (left, right) = (span(4, 7), span(10, 12));
    /// assert_eq!(left.extend_to(right), span(4, 12));
    /// assert!(left.extend_to(right).is_enclosing(right) && !left.is_enclosing(right));
    /// // A missing word is reported after the word that precedes it.
    /// assert_eq!(left.shrink_to_end(), span(7, 7));
    /// ```
    pub fn extend_to(self, other: Span) -> Span {
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// Returns the empty range directly after this one, for something missing.
    pub fn shrink_to_end(self) -> Span {
        Span { start: self.end, ..self }
    }

    /// Checks whether this range contains the other.
    pub fn is_enclosing(self, other: Span) -> bool {
        self.file == other.file && self.start <= other.start && other.end <= self.end
    }

    /// Checks whether `offset` is inside, including both ends (a cursor can be after the last character).
    pub fn has_offset(self, offset: u32) -> bool {
        self.start <= offset && offset <= self.end
    }
}
