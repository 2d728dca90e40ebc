//! The types of cells.

/// The type as which the cells of a column are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum CellType {
    Int,
    /// At most this number of digits after the point; `None` keeps each cell's own.
    Decimal(Option<u8>),
    Float,
    Date,
    DateTime,
    Bool,
    Text,
}

impl CellType {
    /// Returns its name in the source.
    pub fn name(self) -> &'static str {
        match self {
            CellType::Int => "int",
            CellType::Decimal(_) => "decimal",
            CellType::Float => "float",
            CellType::Date => "date",
            CellType::DateTime => "datetime",
            CellType::Bool => "bool",
            CellType::Text => "text",
        }
    }

    /// Returns the type with this name in the source; a decimal keeps the places of each cell.
    pub fn from_name(name: &str) -> Option<CellType> {
        use CellType::{Bool, Date, DateTime, Decimal, Float, Int, Text};
        [Int, Decimal(None), Float, Date, DateTime, Bool, Text].into_iter().find(|ty| ty.name() == name)
    }

    /// Checks whether its values are numbers.
    pub fn is_number(self) -> bool {
        matches!(self, CellType::Int | CellType::Decimal(_) | CellType::Float)
    }

    /// Checks whether its values are dates or datetimes.
    pub fn is_calendar(self) -> bool {
        matches!(self, CellType::Date | CellType::DateTime)
    }
}
