//! The records of a file, with one module for each kind of storage. They are independent of headers, regions, and types.

mod choice;
mod columns;
pub mod delimited;
mod elements;
mod html;
mod parquet;
mod text;
mod tree;
mod workbook;

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use model::format::Holds;

pub use choice::Choice;

use crate::fault::{SizeLimit, Wrong};
use crate::grid::Entry;
use crate::limits::find_max_bytes;
use crate::tree::read_tree;
use crate::{Encoding, Fault, FaultKind, Layout, Raw, Records, Unreadable, region};

/// Reads the records of a table in a file, without its header.
///
/// # Errors
/// The file does not fit the layout.
pub fn read_records<'t>(layout: &Layout, path: &str, bytes: &'t [u8]) -> Result<Records<'t>, Fault> {
    let read = decode_file(layout, bytes).and_then(|text| match text {
        Some(Cow::Borrowed(text)) => read_text(layout, text),
        Some(Cow::Owned(text)) => read_text(layout, &text).map(Records::into_owned),
        None => read_bytes(layout, bytes),
    });
    read.map_err(|(line, kind)| Fault { path: path.to_owned(), line, kind })
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
    let read = decode_file(layout, bytes).and_then(|text| match text {
        Some(text) => read_text(layout, &text).map(make),
        None => read_bytes(layout, bytes).map(make),
    });
    read.map_err(|(line, kind)| Fault { path: path.to_owned(), line, kind })
}

/// Decodes a file that is read as text; `None` if it is read as bytes.
fn decode_file<'b>(layout: &Layout, bytes: &'b [u8]) -> Result<Option<Cow<'b, str>>, Wrong> {
    check_size(layout, bytes)?;
    match layout.format.holds {
        Holds::Cells(_) | Holds::Text | Holds::Page => decode_text(layout.encoding, bytes).map(Some),
        _ => Ok(None),
    }
}

/// Fails if the file exceeds the maximum size.
fn check_size(layout: &Layout, bytes: &[u8]) -> Result<(), Wrong> {
    SizeLimit::Bytes.check_size(bytes.len(), find_max_bytes(layout.format), 0)
}

/// Reads all records of a file whose cells are in lines or in rows of a sheet. `skip`, `header`, and `until` are ignored, because the place of the
/// table is not known yet. `None` if the file cannot be split into records.
pub fn read_entries(layout: &Layout, bytes: &[u8]) -> Option<Vec<Entry<'static>>> {
    check_size(layout, bytes).ok()?;
    match layout.format.holds {
        Holds::Tables => Some(workbook::read_grid(layout.sheet.as_deref(), bytes).ok()?.entries),
        // Its records have keys, which are known only after all of them are read.
        Holds::Cells(0) => Some(Vec::new()),
        Holds::Cells(_) => {
            let text =
                layout.encoding.decode(bytes).ok().filter(|text| memchr::memchr(0, text.as_bytes()).is_none())?;
            let owned = |entry: Entry<'_>| {
                let cells = entry.cells.into_iter().map(Raw::into_owned).collect();
                Entry { gap: entry.gap, line: entry.line, cells, above: entry.above }
            };
            Some(delimited::read_grid(&text, layout.delimiter).ok()?.entries.into_iter().map(owned).collect())
        }
        _ => Some(Vec::new()),
    }
}

/// Lists the parts of a file that can be its table, in order: arrays, elements, or the tables of a page. Empty if the file cannot be read.
pub fn list_choices(layout: &Layout, bytes: &[u8]) -> Vec<Choice> {
    if check_size(layout, bytes).is_err() {
        return Vec::new();
    }
    match layout.format.holds {
        Holds::Tree => read_tree(layout.format, bytes).map(|tree| tree::list_choices(&tree)).unwrap_or_default(),
        Holds::Elements => {
            crate::tree::xml::read_xml(bytes).map(|root| elements::list_choices(&root)).unwrap_or_default()
        }
        Holds::Page => layout.encoding.decode(bytes).map(|text| html::list_choices(&text)).unwrap_or_default(),
        _ => Vec::new(),
    }
}

/// Reads the records of a table in a text.
fn read_text<'a>(layout: &Layout, text: &'a str) -> Result<Records<'a>, Wrong> {
    match layout.format.holds {
        Holds::Text => region::select_lines(layout, text::read_grid(text)?),
        Holds::Page => region::select_table(layout, html::read_grid(layout, text)?),
        Holds::Cells(0) => tree::read_lines(text),
        _ => region::select_table(layout, delimited::read_grid(text, layout.delimiter)?),
    }
}

/// Reads the records of a table in a file that is not read as text.
fn read_bytes(layout: &Layout, bytes: &[u8]) -> Result<Records<'static>, Wrong> {
    let unreadable = |odd: Unreadable| (0, FaultKind::Unreadable(odd));
    match layout.format.holds {
        Holds::Tables => region::select_table(layout, workbook::read_grid(layout.sheet.as_deref(), bytes)?),
        Holds::Columns => parquet::read_records(bytes),
        Holds::Tree => tree::read_records(layout.at.as_deref(), &read_tree(layout.format, bytes).map_err(unreadable)?),
        Holds::Elements => {
            elements::read_records(layout.at.as_deref(), &crate::tree::xml::read_xml(bytes).map_err(unreadable)?)
        }
        _ => Err(unreadable(Unreadable::new(
            format!("{} is not read as records", layout.format.noun),
            "read a CSV, TSV, text, JSON, JSON Lines, YAML, XML, or Parquet file, a workbook, or an HTML page",
        ))),
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
