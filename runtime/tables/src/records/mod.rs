//! The records of a file, with one module for each kind of storage. They are independent of headers, regions, and types.

mod columns;
pub mod delimited;
mod elements;
mod html;
mod text;
mod tree;
mod workbook;

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use model::Format;
use model::format::Holds;

use crate::fault::SizeLimit;
use crate::limits::find_max_bytes;
use crate::{Encoding, Fault, FaultKind, Layout, Raw, Records, Unreadable, region};

/// All records of a file.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Grid<'t> {
    /// The records that are not empty, in order; in texts, all lines.
    pub entries: Vec<Entry<'t>>,
    /// Number of empty lines after the last of them.
    pub gap: u32,
}

/// A record as stored in the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry<'t> {
    /// Number of empty lines, or of empty rows in a sheet, directly before it.
    pub gap: u32,
    /// The line on which it starts, from 1.
    pub line: u32,
    /// Its own cells.
    pub cells: Vec<Raw<'t>>,
    /// The indexes of the cells that extend into it from the record above, ascending; only in a page.
    pub above: Vec<usize>,
}

/// The line of a fault, and its kind.
pub(crate) type Wrong = (u32, FaultKind);

/// Reads the records of a table in a file, without its header.
///
/// # Errors
/// The file does not fit the layout.
pub fn read_records<'t>(layout: &Layout, path: &str, bytes: &'t [u8]) -> Result<Records<'t>, Fault> {
    read(layout, bytes).map_err(|(line, kind)| Fault { path: path.to_owned(), line, kind })
}

/// Passes the records of a table in a file to `make`, and returns its result. The records are not kept, so their cells borrow from the decoded text,
/// in every encoding.
///
/// # Errors
/// The same as for [`read_records`].
pub(crate) fn with_records<T>(
    layout: &Layout,
    path: &str,
    bytes: &[u8],
    make: impl for<'a> FnOnce(Records<'a>) -> T,
) -> Result<T, Fault> {
    let fault = |(line, kind)| Fault { path: path.to_owned(), line, kind };
    match layout.format.holds {
        Holds::Cells(_) | Holds::Text => {
            let text = check_size(layout, bytes).and_then(|()| decode_text(layout.encoding, bytes)).map_err(fault)?;
            read_text_records(layout, &text).map(make).map_err(fault)
        }
        _ => read(layout, bytes).map(make).map_err(fault),
    }
}

/// Reads the records of a table in a text.
fn read_text_records<'a>(layout: &Layout, text: &'a str) -> Result<Records<'a>, Wrong> {
    match layout.format.holds {
        Holds::Text => region::select_lines(layout, text::read_grid(text)?),
        _ => region::select_table(layout, delimited::read_grid(text, layout.delimiter)?),
    }
}

/// Fails if the file exceeds the maximum size.
fn check_size(layout: &Layout, bytes: &[u8]) -> Result<(), Wrong> {
    let most = find_max_bytes(layout.format);
    if bytes.len() > most { Err((0, FaultKind::TooMuch { of: SizeLimit::Bytes, most })) } else { Ok(()) }
}

/// Reads all records of a file whose cells are in lines or in rows of a sheet. `skip`, `header`, and `until` are ignored, because the place of the
/// table is not known yet.
///
/// # Errors
/// The file cannot be split into records.
pub fn read_entries(layout: &Layout, bytes: &[u8]) -> Result<Vec<Entry<'static>>, FaultKind> {
    let owned = |grid: Grid<'_>| {
        let owned = |entry: Entry<'_>| Entry {
            gap: entry.gap,
            line: entry.line,
            cells: entry.cells.into_iter().map(Raw::into_owned).collect(),
            above: entry.above,
        };
        grid.entries.into_iter().map(owned).collect()
    };
    let most = find_max_bytes(layout.format);
    if bytes.len() > most {
        return Err(FaultKind::TooMuch { of: SizeLimit::Bytes, most });
    }
    match layout.format.holds {
        Holds::Tables => workbook::read_grid(layout.sheet.as_deref(), bytes).map(owned).map_err(|(_, kind)| kind),
        Holds::Cells(_) => {
            let text = layout.encoding.decode(bytes).map_err(|fault| FaultKind::Undecodable {
                encoding: layout.encoding,
                byte: fault.byte,
                before: fault.before,
                fitting: Encoding::list_fitting(bytes),
            })?;
            if memchr::memchr(0, text.as_bytes()).is_some() {
                return Err(FaultKind::Nul);
            }
            delimited::read_grid(&text, layout.delimiter).map(owned).map_err(|(_, kind)| kind)
        }
        _ => Ok(Vec::new()),
    }
}

/// A part of a file that `at` can select.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The value of `at`.
    pub at: String,
    /// A short description of its content.
    pub shows: String,
}

/// Lists the parts of a file that can be its table, in order: arrays, elements, or the tables of a page. Empty if the file cannot be read.
pub fn list_choices(layout: &Layout, bytes: &[u8]) -> Vec<Choice> {
    if bytes.len() > find_max_bytes(layout.format) {
        return Vec::new();
    }
    match layout.format.holds {
        Holds::Tree => {
            let read =
                if layout.format == Format::Yaml { crate::tree::yaml::read_yaml } else { crate::tree::json::read_json };
            read(bytes).map(|tree| tree::list_choices(&tree)).unwrap_or_default()
        }
        Holds::Elements => {
            crate::tree::xml::read_xml(bytes).map(|root| elements::list_choices(&root)).unwrap_or_default()
        }
        Holds::Page => layout.encoding.decode(bytes).map(|text| html::list_choices(&text)).unwrap_or_default(),
        _ => Vec::new(),
    }
}

fn read<'t>(layout: &Layout, bytes: &'t [u8]) -> Result<Records<'t>, Wrong> {
    check_size(layout, bytes)?;
    match layout.format.holds {
        Holds::Cells(_) | Holds::Text => read_decoded(layout.encoding, bytes, |text| read_text_records(layout, text)),
        Holds::Tables => region::select_table(layout, workbook::read_grid(layout.sheet.as_deref(), bytes)?),
        Holds::Tree => {
            let read =
                if layout.format == Format::Yaml { crate::tree::yaml::read_yaml } else { crate::tree::json::read_json };
            let tree = read(bytes).map_err(|error| (0, FaultKind::Unreadable(error)))?;
            tree::read_records(layout.at.as_deref(), &tree)
        }
        Holds::Elements => {
            let root = crate::tree::xml::read_xml(bytes).map_err(|error| (0, FaultKind::Unreadable(error)))?;
            elements::read_records(layout.at.as_deref(), &root)
        }
        Holds::Page => {
            read_decoded(layout.encoding, bytes, |text| region::select_table(layout, html::read_grid(layout, text)?))
        }
        Holds::Database | Holds::Bytes => {
            let message = format!("{} is not read as records", layout.format.noun);
            Err((
                0,
                FaultKind::Unreadable(Unreadable::new(
                    message,
                    "read a CSV, TSV, text, JSON, YAML, or XML file, a workbook, or an HTML page",
                )),
            ))
        }
    }
}

/// Decodes the bytes and reads the text. If the bytes are the text, the result borrows from them.
fn read_decoded<'t>(
    encoding: Encoding,
    bytes: &'t [u8],
    read: impl for<'a> FnOnce(&'a str) -> Result<Records<'a>, Wrong>,
) -> Result<Records<'t>, Wrong> {
    match decode_text(encoding, bytes)? {
        Cow::Borrowed(text) => read(text),
        Cow::Owned(text) => read(&text).map(Records::into_owned),
    }
}

/// Decodes the bytes.
fn decode_text(encoding: Encoding, bytes: &[u8]) -> Result<Cow<'_, str>, Wrong> {
    let text = encoding.decode(bytes).map_err(|fault| {
        let fitting = Encoding::list_distinct_fitting(bytes);
        (fault.line, FaultKind::Undecodable { encoding, byte: fault.byte, before: fault.before, fitting })
    })?;
    match memchr::memchr(0, text.as_bytes()) {
        Some(at) => Err((crate::encoding::find_line_after(text.get(..at).unwrap_or_default()), FaultKind::Nul)),
        None => Ok(text),
    }
}
