//! How the cells of a column are read.

/// What the cells of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CellType {
    /// A whole number of 64 bits.
    Int,
    /// An exact number with so many places; without, as many as the cell with the most has.
    Decimal(Option<u8>),
    /// A double.
    Float,
    /// A day.
    Date,
    /// A moment.
    DateTime,
    /// True or false.
    Bool,
    /// The cell as it is.
    Text,
}

/// How a cell is read.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// What it is.
    pub ty: CellType,
    /// Cells that are null.
    pub missing: Vec<String>,
}
