//! How the file that an answer key reads is decoded, and where its table is.

use serde::{Deserialize as _, Serialize};
use serde_json::Value as Json;

use super::KeyError;
use super::codec::read_told;
use crate::suite::Told;

/// Properties of a file, besides its path, that are known when its instance is built.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Read {
    /// The word for its encoding, if that is not UTF-8: that of the expectation, or of the declared file at its path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// The character between the cells of its rows, an ASCII character.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delimiter: Option<char>,
    /// Number of header rows: 0, 1, or 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub header: Option<u8>,
    /// Number of records before the header, including empty lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skip: Option<u32>,
    /// A cell of the header, before which everything is skipped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skip_to: Option<String>,
    /// The text with which the first record after the rows begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
    /// Whether the rows end before the first blank record.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub until_blank: bool,
    /// The sheet of a workbook.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sheet: Option<String>,
    /// The texts of cells that are null.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    /// The only cell of a workbook that is read: `Sum!B7`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cell: Option<String>,
    /// Whether it may be a database at the start; then SQLite's log and journal are read with it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub database: bool,
    /// For a sandbox that must be unchanged: its databases, which may be other bytes with the same content.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub databases: Vec<String>,
    /// The form of the declared file at its path, if a table that is edited in place has another form than a new one: lines above and below it, marks for null, patterns. A file in this form is
    /// correct, too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub declared: Option<Box<Read>>,
    /// In a declared form: the patterns of the numbers of columns, by name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub written: Vec<(String, Vec<Told>)>,
}

impl Read {
    /// Checks whether it has only default values.
    pub fn is_plain(&self) -> bool {
        *self == Read::default()
    }

    /// Checks whether it says where a table is in its file.
    ///
    /// ```
    /// use model::answer_key::Read;
    ///
    /// let read = Read { delimiter: Some(';'), ..Read::default() };
    /// assert!(read.has_layout());
    /// // An encoding is that of a whole text.
    /// assert!(!Read { encoding: Some("utf-16".to_owned()), ..Read::default() }.has_layout());
    /// ```
    pub fn has_layout(&self) -> bool {
        let Read { delimiter, header, skip, skip_to, until, until_blank, sheet, missing, .. } = self;
        delimiter.is_some()
            || header.is_some()
            || skip.is_some()
            || *until_blank
            || [skip_to, until, sheet].into_iter().any(Option::is_some)
            || !missing.is_empty()
    }

    /// Describes the part of a workbook that is read, after its path; empty for all of a file.
    ///
    /// ```
    /// use model::answer_key::Read;
    ///
    /// let read = Read { cell: Some("Sum!B7".to_owned()), ..Read::default() };
    /// assert_eq!(read.describe_part(), " at Sum!B7");
    /// assert_eq!(Read::default().describe_part(), "");
    /// ```
    pub fn describe_part(&self) -> String {
        let cell = self.cell.iter().map(|cell| format!(" at {cell}"));
        self.sheet.iter().map(|sheet| format!(" sheet {sheet}")).chain(cell).collect()
    }

    /// Adds what an expectation says itself; where both say something, that counts.
    #[must_use]
    pub fn with_told(self, told: &Read) -> Read {
        let (told, is_laid_out) = (told.clone(), told.has_layout());
        Read {
            encoding: told.encoding.or(self.encoding),
            delimiter: told.delimiter.or(self.delimiter),
            header: told.header.or(self.header),
            skip: told.skip.or(self.skip),
            skip_to: told.skip_to.or(self.skip_to),
            until: told.until.or(self.until),
            until_blank: told.until_blank || self.until_blank,
            sheet: told.sheet.or(self.sheet),
            missing: if told.missing.is_empty() { self.missing } else { told.missing },
            cell: told.cell.or(self.cell),
            declared: self.declared.filter(|_| !is_laid_out),
            ..self
        }
    }

    /// Reads its form in a key. Rejects unknown fields of later versions, because a file that is read differently is scored differently.
    pub(super) fn from_json(json: &Json) -> Result<Read, KeyError> {
        let wrong = || KeyError::new(format!("the way to read a file, {json}, is unknown"));
        let list = |texts: &Json| Vec::<String>::deserialize(texts).map_err(|_| wrong());
        let mut read = Read::default();
        for (name, value) in json.as_object().ok_or_else(wrong)? {
            match (name.as_str(), value) {
                ("encoding", Json::String(word)) => read.encoding = Some(word.clone()),
                ("delimiter", Json::String(text)) => {
                    let mut chars = text.chars().filter(char::is_ascii);
                    read.delimiter = Some(chars.next().filter(|_| text.len() == 1).ok_or_else(wrong)?);
                }
                ("header", count) => {
                    let rows = count.as_u64().and_then(|rows| u8::try_from(rows).ok()).filter(|rows| *rows <= 2);
                    read.header = Some(rows.ok_or_else(wrong)?);
                }
                ("skip", count) => {
                    let records = count.as_u64().and_then(|records| u32::try_from(records).ok());
                    read.skip = Some(records.ok_or_else(wrong)?);
                }
                ("skip_to", Json::String(cell)) => read.skip_to = Some(cell.clone()),
                ("until", Json::String(cell)) => read.until = Some(cell.clone()),
                ("until_blank", Json::Bool(is)) => read.until_blank = *is,
                ("sheet", Json::String(name)) => read.sheet = Some(name.clone()),
                ("missing", marks) => read.missing = list(marks)?,
                ("cell", Json::String(place)) => read.cell = Some(place.clone()),
                ("database", Json::Bool(is)) => read.database = *is,
                ("databases", paths) => read.databases = list(paths)?,
                ("declared", form) => read.declared = Some(Box::new(Read::from_json(form)?)),
                ("written", columns) => {
                    let columns = Vec::<(String, Vec<Json>)>::deserialize(columns).map_err(|_| wrong())?;
                    let told = |(column, told): (String, Vec<Json>)| {
                        Some((column, told.iter().map(read_told).collect::<Option<_>>()?))
                    };
                    read.written = columns.into_iter().map(told).collect::<Option<_>>().ok_or_else(wrong)?;
                }
                _ => return Err(wrong()),
            }
        }
        Ok(read)
    }
}
