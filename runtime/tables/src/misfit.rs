//! Cells that are not values of their column's type, and the reasons.

/// Maximum number of misfits kept for each column.
const SHOWN_MISFITS: usize = 5;

/// The reason why a cell is not a value of its column's type.
#[derive(Clone, Debug, PartialEq)]
pub enum Misfit {
    /// It is empty, and the type is not text.
    Empty,
    /// It does not have the form of a value of the type.
    Unreadable,
    /// It matches none of the column's patterns.
    Unwritten,
    /// It does not match the pattern that splits it into columns.
    Unsplit,
    /// It is a number that is too large for its type.
    TooLarge,
    /// It has more digits after the point than allowed; an int allows none.
    Places(u8),
    /// It is `15.000`, as an int: a whole number if the point is a decimal point, or a thousand times that if it groups digits.
    Grouped,
    /// Its currency differs from that of an earlier cell, which has this sign.
    Currency(char),
    /// It names a date or time that does not exist in the calendar, or a weekday that does not match the date.
    NoSuchDay,
    /// It is a datetime with a fraction of a second.
    Fraction,
    /// Two patterns of the column read it differently.
    TwoReadings {
        /// Index of one pattern.
        first: usize,
        /// Index of the other.
        second: usize,
    },
}

/// Cells that do not fit their column.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Misfits {
    /// Number of such cells.
    pub count: usize,
    /// The first of them: the line, the cell, and the reason.
    pub first: Vec<(u32, String, Misfit)>,
}

impl Misfits {
    /// Counts a misfit, and keeps it if it is one of the first.
    pub(crate) fn add_misfit(&mut self, line: u32, cell: &str, misfit: Misfit) {
        self.count += 1;
        if self.first.len() < SHOWN_MISFITS {
            self.first.push((line, cell.to_owned(), misfit));
        }
    }
}
