//! The widths of lines and of indentation.

/// The maximum width of a line in characters. Longer code is broken where possible; strings, SQL, and comments keep the author's line breaks.
pub const WIDTH: usize = 120;

/// The number of blanks per level of indentation.
pub(super) const INDENT: usize = 2;
