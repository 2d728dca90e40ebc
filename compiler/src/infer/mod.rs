//! Declarations of files as they are: from bytes to the source that reads them. What it writes has been checked on the file.
//!
//! ```text
//! bytes ─layout→ Layout ─columns→ Columns ─write→ source ─prove→ source that `check` accepts
//! ```
//!
//! | module | what |
//! | --- | --- |
//! | `layout` | the encoding, the delimiter, and where in the file the table is |
//! | `columns` | the columns of a table: names, types, marks of missing fields, and keys |
//! | `series` | headers that are values |
//! | `numbers`, `dates` | patterns of fields |
//! | `trees` | the arrays of JSON and YAML files |
//! | `write` | names, strings, and declarations as source |
//! | `prove` | the declaration in a suite of its own, checked |
//! | `source` | the columns of a table that is declared without them |

mod columns;
mod dates;
mod layout;
mod numbers;
mod prove;
mod series;
mod source;
#[cfg(test)]
mod tests;
mod trees;
mod write;

use std::sync::Arc;

use plan::Format;
use plan::format::Holds;
use tabular::{CellType, Encoding, Layout, Unreadable};

pub use source::{bare, written};

use crate::host::Host;

plan::worded! {
    /// What is declared.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Form {
        /// A view of a lake.
        View = "view",
        /// A file of a task.
        Fixture = "fixture",
        /// A table that no agent is given.
        Table = "table",
    }
}

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'w> {
    /// What is declared.
    pub form: Form,
    /// The file, as the source names it.
    pub path: &'w str,
    /// Of a workbook, only this sheet.
    pub sheet: Option<&'w str>,
}

/// The ways in which all of these fields can be read, as numbers or as dates: as what, and by which patterns together.
pub fn ways(fields: &[&str]) -> Vec<(CellType, Vec<String>)> {
    let dates = dates::pattern(fields).ok().map(|(ty, pattern)| (ty, vec![pattern]));
    numbers::patterns(fields).into_iter().chain(dates).collect()
}

/// The declarations of what is in a file, one for each of its tables. Each passes `check` on the file.
///
/// # Errors
/// The file cannot be declared so.
pub fn infer(wanted: Wanted<'_>, bytes: &[u8], host: &dyn Host) -> Result<Vec<String>, Unreadable> {
    let file = prove::File { wanted, bytes: Arc::from(bytes), host };
    let format = crate::fixture::format_of(wanted.path);
    let format = if format == Format::File { Format::Text } else { format };
    if let Some(sheet) = wanted.sheet.filter(|_| format.holds != Holds::Tables) {
        let message = format!("`{}` has no sheet `{sheet}`", wanted.path);
        return Err(Unreadable::new(message, "leave `--sheet` out: only workbooks have sheets"));
    }
    let layouts = layouts(format, wanted, bytes)?;
    // A fixture is one file, whatever number of tables is in it.
    let whole = wanted.form == Form::Fixture && layouts.len() != 1;
    let mut taken = Vec::new();
    let mut found = Vec::new();
    for (name, layout) in layouts.into_iter().filter(|_| !whole) {
        let name = write::table_name(&name, &mut taken);
        found.extend(file.declared(&name, &layout)?);
    }
    if found.is_empty() {
        found.push(file.plain(&write::table_name(stem(wanted.path), &mut taken), format)?);
    }
    Ok(found)
}

/// Where the tables of a file are, each with a name.
fn layouts(format: Format, wanted: Wanted<'_>, bytes: &[u8]) -> Result<Vec<(String, Layout)>, Unreadable> {
    let stem = stem(wanted.path);
    Ok(match format.holds {
        Holds::Cells(_) => {
            layout::delimited(format, bytes).into_iter().map(|layout| (stem.to_owned(), layout)).collect()
        }
        Holds::Tables => layout::workbook(bytes, wanted.sheet)?
            .into_iter()
            .map(|(sheet, layout)| (sheet.map_or_else(|| stem.to_owned(), |sheet| format!("{stem}_{sheet}")), layout))
            .collect(),
        Holds::Tree => trees::arrays(format, bytes)?
            .into_iter()
            .map(|(key, at)| (key.unwrap_or_else(|| stem.to_owned()), Layout { at, ..Layout::of(format) }))
            .collect(),
        Holds::Text => match layout::encoding(bytes) {
            Some(encoding) => vec![(stem.to_owned(), Layout { encoding, ..Layout::of(format) })],
            None => Vec::new(),
        },
        Holds::Elements | Holds::Page => parts(format, bytes, stem),
        Holds::Database | Holds::Bytes => Vec::new(),
    })
}

/// The tables of an XML file or of a page: the only one, or each that can be chosen.
fn parts(format: Format, bytes: &[u8], stem: &str) -> Vec<(String, Layout)> {
    let encoding = if format.reading.contains(&"encoding") { layout::encoding(bytes) } else { Some(Encoding::Utf8) };
    let Some(encoding) = encoding else { return Vec::new() };
    let plain = Layout { encoding, ..Layout::of(format) };
    let read = |layout: &Layout| tabular::records(layout, "", bytes).is_ok_and(|records| !records.rows.is_empty());
    if read(&plain) {
        return vec![(stem.to_owned(), plain)];
    }
    let chosen = tabular::choices(&plain, bytes).into_iter().map(|choice| choice.at);
    // The root of XML is not a row.
    let chosen = chosen.filter(|at| format.holds != Holds::Elements || at.matches('/').count() > 1);
    let named = chosen.map(|at| {
        let last = at.rsplit('/').next().unwrap_or(&at);
        let name =
            if last.bytes().all(|byte| byte.is_ascii_digit()) { format!("{stem}_{last}") } else { last.to_owned() };
        (name, Layout { at: Some(at), ..plain.clone() })
    });
    named.filter(|(_, layout)| read(layout)).take(MOST_PARTS).collect()
}

/// No more tables of one file are declared.
const MOST_PARTS: usize = 16;

fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}
