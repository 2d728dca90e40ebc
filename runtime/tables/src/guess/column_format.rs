//! A way to read the cells of a column: the result of a guess.

use model::suite::Told;

use crate::cell::Reading;
use crate::cell_type::CellType;
use crate::line::{Line, Piece};
use crate::pattern::Pattern;

/// A way to read cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnFormat {
    /// The type.
    pub ty: CellType,
    /// The patterns; empty for the usual form of the type.
    pub written: Vec<Told>,
}

/// A way to read each cell as two columns: a number, and the text before or after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitFormat {
    /// Where the text is.
    pub side: TextSide,
    /// Whether a blank separates the two.
    pub has_blank: bool,
    /// The reading of the number.
    pub number: ColumnFormat,
}

/// The side of a number on which a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum TextSide {
    Before,
    After,
}

impl SplitFormat {
    /// Renders the pattern of `line` with these names of the columns.
    pub fn render_line(&self, number: &str, text: &str) -> String {
        let blank = if self.has_blank { " " } else { "" };
        match self.side {
            TextSide::Before => format!("<<{text}>>{blank}<<{number}>>"),
            TextSide::After => format!("<<{number}>>{blank}<<{text}>>"),
        }
    }

    /// Checks whether each text is read as its own number and text, of which it consists.
    pub fn can_read_all(&self, texts: &[&str]) -> bool {
        let Some(reading) = self.number.reading(Vec::new()) else { return false };
        let readings = [reading.clone(), Reading::from_type(CellType::Text)];
        let (number, text) = (Piece::Column(0, reading.ty), Piece::Column(1, CellType::Text));
        let (first, second) = if self.side == TextSide::After { (number, text) } else { (text, number) };
        let blank = self.has_blank.then(|| Piece::Text(" ".to_owned()));
        let pieces: Vec<Piece> = std::iter::once(first).chain(blank).chain([second]).collect();
        let Ok(line) = Line::new(&pieces) else { return false };
        let separator = if self.has_blank { " " } else { "" };
        texts.iter().all(|text| {
            let Ok(Some(cells)) = line.read_cells(text, |column| readings.get(column)) else { return false };
            let cells: Vec<&str> = cells.iter().map(|(_, cell)| *cell).collect();
            cells.join(separator) == *text
        })
    }
}

impl ColumnFormat {
    /// Creates the reading with these null marks.
    pub fn reading(&self, missing: Vec<String>) -> Option<Reading> {
        let written = self.written.iter().map(|told| Pattern::parse_told(told, self.ty).ok()).collect::<Option<_>>()?;
        Some(Reading { ty: self.ty, missing, written })
    }

    /// Checks whether it reads all of these texts.
    pub fn can_read_all(&self, texts: &[&str]) -> bool {
        self.reading(Vec::new()).is_some_and(|reading| texts.iter().all(|text| reading.read_text(text).is_ok()))
    }
}
