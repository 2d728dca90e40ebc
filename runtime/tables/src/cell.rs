//! The way in which the cells of a column are read: null marks, then patterns or the usual form of the type.

use model::{Val, Value};

use crate::cell_type::CellType;
use crate::misfit::Misfit;
use crate::pattern::Pattern;
use crate::plain::{convert_typed, read_plain};
use crate::raw::{Raw, trim_blanks};

/// The way in which the cells of a column are read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reading {
    /// The type.
    pub ty: CellType,
    /// The texts that represent null, which take precedence. Without any, no text cell is null.
    pub missing: Vec<String>,
    /// The patterns of values; if there are none, values have the usual form of the type.
    pub written: Vec<Pattern>,
}

impl Reading {
    /// Creates a reading of this type in its usual form, without null.
    pub fn from_type(ty: CellType) -> Reading {
        Reading { ty, missing: Vec::new(), written: Vec::new() }
    }

    /// Reads the value of a cell. A value with a type in the file (a number of a workbook, `true` of JSON) is used if it fits the type; otherwise its
    /// text is read. The caller must report cells that the reader of the format could not interpret.
    pub fn read(&self, cell: &Raw<'_>) -> Result<Value, Misfit> {
        self.read_val(cell).map(Val::into_value)
    }

    /// Does the same as [`Reading::read`], but borrows text from the cell.
    pub fn read_val<'c>(&self, cell: &'c Raw<'_>) -> Result<Val<'c>, Misfit> {
        match cell {
            Raw::Text(text) => self.read_part(text),
            Raw::Value(Value::Text(text)) => self.read_part(text),
            Raw::Value(Value::Null) => Ok(Val::NULL),
            Raw::Odd(odd) if !odd.cell.is_empty() && self.is_missing(&odd.cell) => Ok(Val::NULL),
            Raw::Odd(_) => Err(Misfit::Unreadable),
            Raw::Value(value) => {
                let text = value.render_text();
                if self.is_missing(&text) {
                    return Ok(Val::NULL);
                }
                match convert_typed(self.ty, value) {
                    Some(read) => read.map(Val::Own),
                    None => self.read_present(&text).map(|read| Val::Own(read.into_value())),
                }
            }
        }
    }

    /// Reads the value of a text cell.
    ///
    /// ```
    /// use tables::{CellType, Misfit, Reading};
    ///
    /// let read = |ty, cell| Reading::from_type(ty).read_text(cell).map(|value| value.render_text().into_owned());
    /// assert_eq!(read(CellType::Int, " 1,200 ").as_deref(), Ok("1200"));
    /// assert_eq!(read(CellType::Decimal(Some(2)), "12.50").as_deref(), Ok("12.50"));
    /// assert_eq!(read(CellType::Decimal(Some(2)), "12.505"), Err(Misfit::Places(2)));
    /// assert_eq!(read(CellType::Date, "2024-02-30"), Err(Misfit::NoSuchDay));
    /// assert_eq!(read(CellType::Int, "many"), Err(Misfit::Unreadable));
    /// // An empty cell is null only where the column says so.
    /// assert_eq!(read(CellType::Int, ""), Err(Misfit::Empty));
    /// let marked = Reading { missing: vec!["".to_owned(), "n/a".to_owned()], ..Reading::from_type(CellType::Int) };
    /// assert_eq!((marked.read_text(""), marked.read_text("n/a")), (Ok(model::Value::Null), Ok(model::Value::Null)));
    /// ```
    pub fn read_text(&self, cell: &str) -> Result<Value, Misfit> {
        self.read_part(cell).map(Val::into_value)
    }

    /// Does the same as [`Reading::read_text`], but borrows text from the cell.
    pub(crate) fn read_part<'c>(&self, cell: &'c str) -> Result<Val<'c>, Misfit> {
        if self.is_missing(cell) { Ok(Val::NULL) } else { self.read_present(cell) }
    }

    /// Checks whether a cell is null.
    pub fn is_missing(&self, cell: &str) -> bool {
        !self.missing.is_empty() && {
            let cell = trim_blanks(cell);
            self.missing.iter().any(|mark| trim_blanks(mark) == cell)
        }
    }

    fn read_present<'c>(&self, text: &'c str) -> Result<Val<'c>, Misfit> {
        match self.written.as_slice() {
            [] => read_plain(self.ty, text),
            [pattern] => pattern.read_val(text),
            patterns => read_by_one(patterns, text),
        }
    }
}

/// Returns the value on which all matching patterns agree.
fn read_by_one<'c>(patterns: &[Pattern], text: &'c str) -> Result<Val<'c>, Misfit> {
    let mut found: Option<(usize, Val<'c>)> = None;
    let mut reason = Misfit::Unwritten;
    for (second, pattern) in patterns.iter().enumerate() {
        // Every text has the usual form of text; this pattern counts only if no other one matches.
        if found.is_some() && pattern.is_any_text() {
            continue;
        }
        match pattern.read_val(text) {
            Ok(value) => match &found {
                Some((first, other)) if !other.is_same(&value) => {
                    return Err(Misfit::TwoReadings { first: *first, second });
                }
                // If `1.50` and `1.5` are equal, the places of the first reading are kept.
                Some(_) => {}
                None => found = Some((second, value)),
            },
            // A pattern that matches the text explains the failure better than one that does not.
            Err(misfit) if reason == Misfit::Unwritten => reason = misfit,
            Err(_) => {}
        }
    }
    found.map(|(_, value)| value).ok_or(reason)
}
