//! The files that are read as a table, and the origin of each of its rows.

use std::sync::Arc;

use model::{Format, Span};
use tables::TableData;
use tables::limits::find_max_bytes;

use super::packed::open_packed;
use crate::context::Checker;
use hir::fixture::compute_sha256;

/// A file to read.
pub(super) struct Source {
    /// The path in its lake; for other files, relative to the folder of the suite file.
    pub inner: String,
    pub held: Held,
}

/// The location of the bytes of a file while it is read.
pub(super) enum Held {
    /// In memory.
    Bytes(Arc<[u8]>),
    /// On disk, with a path relative to the folder of the suite file: the files of a view are in memory one at a time.
    OnDisk(String),
}

impl Checker<'_> {
    /// Returns the bytes of a file, unpacked if it is a gzip file. Reports a file that cannot be read, and returns `None`.
    pub(super) fn read_source(&mut self, source: &Source, format: Format, at: Span) -> Option<Arc<[u8]>> {
        let bytes = match &source.held {
            Held::Bytes(bytes) => Arc::clone(bytes),
            Held::OnDisk(path) => self.read_uncached_file(path, find_max_bytes(format) as u64, at)?,
        };
        let content = open_packed(self, format, &source.inner, &bytes, at)?;
        if !Arc::ptr_eq(&content, &bytes) {
            // The digest is that of the file, not of what is in it; the first one counts.
            self.note_content(source, compute_sha256(&bytes));
        }
        Some(content)
    }

    /// Records the digest of a file whose content is not kept.
    pub(super) fn note_content(&mut self, source: &Source, sha256: [u8; 32]) {
        if let Held::OnDisk(path) = &source.held {
            let path = format!("{}{path}", self.project.folder);
            self.sources.add_digest(path, sha256);
        }
    }
}

/// The origin of each row: its file, its record, and its line.
pub(super) struct Origins<'s> {
    sources: &'s [Source],
    rows: Vec<(u32, u32, u32)>,
}

impl<'s> Origins<'s> {
    /// Lists the rows of the parts of a table, each of which was read from one of the sources.
    pub fn from_parts(sources: &'s [Source], parts: &[Arc<TableData>]) -> Origins<'s> {
        let rows = (0..).zip(parts).flat_map(|(file, part)| {
            part.records.iter().zip(&part.lines).map(move |(record, line)| (file, *record, *line))
        });
        Origins { sources, rows: rows.collect() }
    }

    /// Returns the file of a row.
    pub fn source(&self, row: usize) -> Option<&Source> {
        self.sources.get(self.rows.get(row)?.0 as usize)
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns the number of a row in its file, from 1.
    pub fn record(&self, row: usize) -> i64 {
        self.rows.get(row).map_or(0, |row| i64::from(row.1))
    }

    /// Returns the line of a row in its file.
    fn line(&self, row: usize) -> u32 {
        self.rows.get(row).map_or(0, |row| row.2)
    }

    /// Returns the index of the file of a row, and the index of the row in this file.
    pub fn find_in_file(&self, row: usize) -> Option<(usize, usize)> {
        let file = self.rows.get(row)?.0;
        let first = self.rows.partition_point(|(other, ..)| *other < file);
        Some((file as usize, row.checked_sub(first)?))
    }

    /// Describes the line of a row: `line 9`, or with several files, `line 9 of a.csv`.
    pub fn describe_line(&self, row: usize) -> String {
        match self.sources {
            [_, _, ..] => self.describe_line_in_file(row),
            _ => format!("line {}", self.line(row)),
        }
    }

    /// Describes the line of a row, always with the name of the file.
    pub fn describe_line_in_file(&self, row: usize) -> String {
        let line = self.line(row);
        let name = self.source(row).map_or("", |source| source.inner.as_str());
        format!("line {line} of `{name}`")
    }
}
