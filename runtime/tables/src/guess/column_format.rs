//! A way to read the cells of a column: the result of a guess.

use model::suite::Told;

use crate::cell::Reading;
use crate::cell_type::CellType;
use crate::pattern::Pattern;

/// A way to read cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnFormat {
    /// The type.
    pub ty: CellType,
    /// The patterns; empty for the usual form of the type.
    pub written: Vec<Told>,
}

impl ColumnFormat {
    /// Creates the reading with these null marks.
    pub fn reading(&self, missing: Vec<String>) -> Option<Reading> {
        let written =
            self.written.iter().map(|told| Pattern::parse_told(told, self.ty).ok()).collect::<Option<_>>()?;
        Some(Reading { ty: self.ty, missing, written })
    }

    /// Checks whether it reads all of these texts.
    pub fn can_read_all(&self, texts: &[&str]) -> bool {
        self.reading(Vec::new()).is_some_and(|reading| texts.iter().all(|text| reading.read_text(text).is_ok()))
    }
}
