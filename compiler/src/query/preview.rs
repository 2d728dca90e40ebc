//! Previews of the files of a table, for people: its region, its headers, and some of its fields. Fields are not typed yet, so there is a preview even if
//! columns are declared wrongly.

use std::borrow::Cow;
use std::collections::BTreeMap;

use model::format::Holds;
use tables::gzip::open_file;
use tables::workbook::Book;
use tables::{Choice, Encoding, Layout, Raw, Records, UnreadRecords, list_choices, read_entries, read_records};

use super::TableLocation;
use syntax::host::{Entry, Host, ReadError};

/// The maximum number of bytes that are read from the files of a table.
const MAX_BYTES: u64 = 16 << 20;
/// The maximum number of rows that are kept from the beginning, and from the end.
const ROWS: usize = 3;
/// The maximum number of distinct fields that are kept per column.
const FIELDS: usize = 200;
/// The number of records at the beginning and at the end that may be next to an edge of the table.
const EDGE: usize = 20;
/// The maximum number of characters of a record's first cell.
const MAX_START: usize = 60;

/// A preview of the files of a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TablePreview {
    /// The number of files.
    pub files: usize,
    /// The number of files that were read: all, unless they are too large.
    pub read: usize,
    /// The number of rows in the files that were read.
    pub rows: usize,
    /// The columns of the files that were read, in the order of the first file.
    pub columns: Vec<Heading>,
    /// The first rows, each with its fields in the order of the columns.
    pub first: Vec<Vec<String>>,
    /// The last rows, without those in `first`.
    pub last: Vec<Vec<String>>,
    /// The records before the table, in the first file that has any.
    pub above: Option<CutOff>,
    /// The records after the table, in the first file that has any.
    pub below: Option<CutOff>,
    /// The encodings that fit all files that were read, the most likely first.
    pub encodings: Vec<Encoding>,
    /// The sheets of a workbook.
    pub sheets: Vec<String>,
    /// The parts of the first file that can be its table, for JSON, YAML, XML, and HTML.
    pub choices: Vec<Choice>,
    /// The first cells of the first file's first records, including those before the table.
    pub starts: Vec<String>,
    /// The first cells of the first file's last records, including those after the table, the last record first.
    pub ends: Vec<String>,
    /// The first file that cannot be read in the layout.
    pub unread: Option<String>,
}

/// A column of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Heading {
    /// Its name, which may be empty.
    pub name: String,
    /// The number of files that have it.
    pub files: usize,
    /// Its first distinct fields, without blank ones.
    pub fields: Vec<String>,
}

/// Records of a file that are not part of its table.
#[derive(Clone, Debug, PartialEq)]
pub struct CutOff {
    /// The path of the file.
    pub path: String,
    /// The number of records, and the first of them.
    pub left: UnreadRecords,
}

/// Reads the preview of a table's files. `folder` is the folder of the suite's root file, with a trailing `/`; `listed` contains the entries below the lake's
/// folder.
pub fn read_glimpse(look: &TableLocation, folder: &str, listed: &[Entry], host: &dyn Host) -> TablePreview {
    let paths = look.list_paths(listed);
    let mut seen = TablePreview { files: paths.len(), ..TablePreview::default() };
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let mut left = MAX_BYTES;
    for path in &paths {
        let bytes = match host.read_at_most(&format!("{folder}{path}"), left) {
            Ok(bytes) => bytes,
            Err(ReadError::NotFound) if look.lake.is_none() => {
                seen.files = 0;
                break;
            }
            // Smaller files may follow, but skipping large files would make the selection hard to understand.
            Err(_) => break,
        };
        left = left.saturating_sub(bytes.len() as u64);
        let bytes = open_file(look.layout.format, path, &bytes).map_or_else(|_| bytes.clone(), Cow::into_owned);
        seen.narrow_encodings(look, &bytes);
        if seen.sheets.is_empty() && look.layout.format.holds == Holds::Tables {
            seen.sheets = Book::open(&bytes).map(|book| book.sheets().to_vec()).unwrap_or_default();
        }
        if seen.read == 0 {
            seen.choices = list_choices(&look.layout, &bytes);
            seen.collect_edges(&look.layout, path, &bytes);
        }
        seen.read += 1;
        let inner = look.lake.as_ref().and_then(|lake| path.strip_prefix(lake.as_str())?.strip_prefix('/'));
        let inner = inner.unwrap_or(path);
        match read_records(&look.layout, inner, &bytes) {
            Ok(records) => seen.add_records(inner, &records, &mut places),
            Err(_) => seen.unread = seen.unread.take().or_else(|| Some(inner.to_owned())),
        }
    }
    seen
}

impl TablePreview {
    /// Finds the column with a header.
    pub fn find_column(&self, header: &str) -> Option<&Heading> {
        self.columns.iter().find(|column| column.name == header)
    }

    fn narrow_encodings(&mut self, look: &TableLocation, bytes: &[u8]) {
        if !look.layout.format.reading.contains(&"encoding") {
            return;
        }
        let fitting = Encoding::list_fitting(bytes);
        if self.read == 0 {
            self.encodings = fitting;
        } else {
            self.encodings.retain(|encoding| fitting.contains(encoding));
        }
    }

    /// Collects the first cells of the records at both ends of a file.
    fn collect_edges(&mut self, layout: &Layout, path: &str, bytes: &[u8]) {
        let start = |cells: &[Raw<'_>]| {
            let text = cells.iter().find(|cell| !cell.is_blank())?.render_cell().trim().to_owned();
            (text.chars().count() <= MAX_START).then_some(text)
        };
        // Before the layout is known, rows may have different numbers of cells, so the records are not read as a table.
        let starts: Vec<Option<String>> = match layout.format.holds {
            Holds::Cells(_) | Holds::Tables => {
                read_entries(layout, bytes).unwrap_or_default().iter().map(|entry| start(&entry.cells)).collect()
            }
            Holds::Text => {
                let all = Layout { skip: None, until: None, ..layout.clone() };
                let lines = read_records(&all, path, bytes).unwrap_or_default();
                lines.rows.iter().map(|row| start(&row.cells)).collect()
            }
            _ => Vec::new(),
        };
        let once = |known: &mut Vec<String>, text: &String| {
            if !known.contains(text) {
                known.push(text.clone());
            }
        };
        starts.iter().take(EDGE).flatten().for_each(|text| once(&mut self.starts, text));
        starts.iter().rev().take(EDGE).flatten().for_each(|text| once(&mut self.ends, text));
    }

    fn add_records(&mut self, path: &str, records: &Records<'_>, places: &mut BTreeMap<String, usize>) {
        // The index of each column of this file among all columns; columns without a name are identified by their position.
        let mut own: Vec<usize> = Vec::with_capacity(records.header.len());
        for (at, name) in records.header.iter().enumerate() {
            let key = if name.is_empty() { format!("\u{0}{at}") } else { name.clone() };
            let next = self.columns.len();
            let place = *places.entry(key).or_insert(next);
            if place == next {
                self.columns.push(Heading { name: name.clone(), ..Heading::default() });
            }
            if !own.contains(&place)
                && let Some(column) = self.columns.get_mut(place)
            {
                column.files += 1;
            }
            own.push(place);
        }
        for row in &records.rows {
            for (cell, place) in row.cells.iter().zip(&own).filter(|(cell, _)| !cell.is_blank()) {
                let Some(column) = self.columns.get_mut(*place).filter(|column| column.fields.len() < FIELDS) else {
                    continue;
                };
                let shown = cell.render_cell();
                if !column.fields.iter().any(|known| *known == *shown) {
                    column.fields.push(shown.into_owned());
                }
            }
        }
        let fields = |at: usize| {
            let row = records.rows.get(at)?;
            let mut fields = vec![String::new(); own.iter().max().map_or(0, |most| most + 1)];
            for (cell, place) in row.cells.iter().zip(&own) {
                if let Some(field) = fields.get_mut(*place) {
                    *field = cell.render_cell().into_owned();
                }
            }
            Some(fields)
        };
        let rows = records.rows.len();
        let head = ROWS.saturating_sub(self.first.len()).min(rows);
        self.first.extend((0..head).filter_map(fields));
        self.last.extend((head.max(rows.saturating_sub(ROWS))..rows).filter_map(fields));
        self.last.drain(..self.last.len().saturating_sub(ROWS));
        self.rows += rows;
        let cut_off =
            |left: &UnreadRecords| (left.records > 0).then(|| CutOff { path: path.to_owned(), left: left.clone() });
        self.above = self.above.take().or_else(|| cut_off(&records.cut.above));
        self.below = self.below.take().or_else(|| cut_off(&records.cut.below));
    }
}
