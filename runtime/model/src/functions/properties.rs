//! What the record of a function says of its results: their range, their order, and what it does with its arguments.

/// The results that are possible for any values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Results {
    /// Any value of its type.
    Any,
    /// A number from the first to the second, both included.
    Within(i64, i64),
    /// With a divisor greater than 0, an int from 0 to less than the divisor.
    Rest,
    /// The number of values or rows.
    Count,
    /// The number of different values.
    Distinct,
    /// The sum of the values.
    Sum,
    /// A float between the smallest and the largest value.
    Mean,
    /// The list of all values.
    Values,
}

/// What is computed from many values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Aggregate {
    /// Their sum.
    Sum,
    /// Their mean.
    Mean,
    /// The value in the middle.
    Median,
    /// Their number.
    Count,
    /// The number of different values.
    Distinct,
    /// The most common value.
    Mode,
    /// Their standard deviation.
    Deviation,
    /// The largest value.
    High,
    /// The smallest value.
    Low,
}

/// The form in which an argument is stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restates {
    /// Rounded to [`Record::places`], or to a whole number if it has none.
    Rounded,
    /// As the number that a text or another type of number holds.
    Converted,
}

/// The arrangement of the items of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arranges {
    /// In ascending order.
    Sorted,
    /// In the opposite order.
    Reversed,
    /// In the same order, each item once.
    Deduped,
}

/// The value that is returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    /// The smallest.
    Least,
    /// The largest.
    Greatest,
    /// The most common one; the smallest of them in case of a tie.
    Commonest,
    /// The first.
    First,
    /// The last.
    Last,
    /// The one at a position, which may be null.
    Place,
}

/// The effect of the order of rows or items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// It has no effect.
    Ignored,
    /// The result has the same order.
    Kept,
    /// It determines which value is returned.
    Picked,
    /// The result is a text that contains it.
    Written,
}

/// Whether a result can be a fraction with infinitely many digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fraction {
    /// Never.
    Never,
    /// Possible, even for exact values.
    Made,
    /// Only if a value is one.
    Kept,
    /// Never, because it is rounded, half away from zero.
    Rounded,
}

/// The items that a position counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// Lines of a text file.
    Line,
    /// Words of a text file.
    Word,
    /// Rows of a table.
    Row,
    /// Written columns of a table.
    Column,
    /// Items of a list.
    Item,
}
