//! The source files of a compilation, and their line starts.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use memchr::memchr_iter;
use model::TiVec;
use model::{SourceId, Span};

use crate::fmt;

/// All source files that were read, in the order of loading; 0 is the suite's root file.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: TiVec<SourceId, Source>,
    extra: BTreeMap<String, Extra>,
}

/// A file other than a source.
#[derive(Clone, Debug)]
enum Extra {
    Whole(Arc<[u8]>),
    /// The SHA-256 of a file that is not kept.
    Read([u8; 32]),
}

/// The content of a file that a suite is built from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Content<'a> {
    /// The whole content.
    Bytes(&'a [u8]),
    /// Its SHA-256, because it may be large and is not kept.
    Digest(&'a [u8; 32]),
}

/// A source file.
#[derive(Clone, Debug)]
pub struct Source {
    /// The path: as on the command line, or inside the root source's folder; `<stdlib>/…` for the standard library.
    pub path: String,
    /// Its text.
    pub text: String,
    /// Whether it is part of the standard library.
    pub library: bool,
    /// The line starts, computed on first use.
    line_starts: OnceLock<Vec<u32>>,
}

/// A position for people: lines and characters from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
}

impl Sources {
    /// Adds a file and returns its id.
    pub fn add_source(&mut self, path: impl Into<String>, text: impl Into<String>) -> SourceId {
        let (path, text) = (path.into(), text.into());
        self.files.push_and_get_key(Source { path, text, library: false, line_starts: OnceLock::new() })
    }

    /// Like [`Sources::add_source`], for a file of the standard library.
    pub fn add_library_source(&mut self, path: impl Into<String>, text: impl Into<String>) -> SourceId {
        let (path, text) = (path.into(), text.into());
        self.files.push_and_get_key(Source { path, text, library: true, line_starts: OnceLock::new() })
    }

    /// Adds a file that is not a source but part of the suite (a word list, a fixture); [`Sources::list_content`] includes it.
    pub fn add_data(&mut self, path: impl Into<String>, bytes: Arc<[u8]>) {
        self.extra.entry(path.into()).or_insert(Extra::Whole(bytes));
    }

    /// Like [`Sources::add_data`], for a file that is not kept, by its SHA-256.
    pub fn add_digest(&mut self, path: impl Into<String>, sha256: [u8; 32]) {
        self.extra.entry(path.into()).or_insert(Extra::Read(sha256));
    }

    /// The SHA-256 of these files, by path.
    pub fn list_digests(&self) -> BTreeMap<&str, &[u8; 32]> {
        let digests = self.extra.iter().filter_map(|(path, extra)| match extra {
            Extra::Whole(_) => None,
            Extra::Read(sha256) => Some((path.as_str(), sha256)),
        });
        digests.collect()
    }

    /// Finds a file by its id.
    pub fn get(&self, file: SourceId) -> Option<&Source> {
        self.files.get(file)
    }

    /// All files with their ids.
    pub fn iter(&self) -> impl Iterator<Item = (SourceId, &Source)> {
        self.files.iter_enumerated()
    }

    /// The paths and contents of all files of the author that the suite is built from (sources, word lists, fixtures), sorted by path. The standard library is
    /// not included, because the edition fixes it.
    pub fn list_content(&self) -> Vec<(&str, Content<'_>)> {
        let sources = self.files.iter().filter(|source| !source.library);
        let sources = sources.map(|source| (source.path.as_str(), Content::Bytes(source.text.as_bytes())));
        let extra = self.extra.iter().map(|(path, extra)| {
            let content = match extra {
                Extra::Whole(bytes) => Content::Bytes(bytes),
                Extra::Read(sha256) => Content::Digest(sha256),
            };
            (path.as_str(), content)
        });
        let mut all: Vec<_> = sources.chain(extra).collect();
        all.sort();
        all
    }

    /// The text of a range; empty if the range is invalid.
    pub fn text(&self, span: Span) -> &str {
        self.get(span.file).and_then(|source| source.text.get(span.start as usize..span.end as usize)).unwrap_or("")
    }

    /// Quotes the expression or argument at a range for a message: as the formatter would write it, on one line.
    pub fn quote(&self, span: Span) -> String {
        fmt::quote_code(self.text(span))
    }

    /// Quotes an expression like [`Self::quote`], without the `<<` and `>>` around it.
    pub fn quote_bare(&self, span: Span) -> String {
        let quoted = self.quote(span);
        let inner = quoted.strip_prefix("<<").and_then(|rest| rest.strip_suffix(">>"));
        // `<<a>> + <<b>>` is not in brackets.
        inner.filter(|inner| !inner.contains(">>")).map(|inner| inner.trim().to_owned()).unwrap_or(quoted)
    }

    /// The source range of some bytes of a string's value; `None` if the string contains escapes.
    pub fn find_in_string(&self, string: Span, says: &str, (start, end): (usize, usize)) -> Option<Span> {
        if self.text(string).len() != says.len() + 2 {
            return None;
        }
        let place = |at: usize| Some(string.start + 1 + u32::try_from(at).ok()?);
        Some(Span::new(string.file, place(start)?, place(end.max(start))?))
    }

    /// The position at which a range begins.
    pub fn start_position(&self, span: Span) -> Position {
        self.get(span.file).map_or(Position { line: 1, column: 1 }, |source| source.find_position(span.start))
    }

    /// The position after the last character of a range.
    pub fn end_position(&self, span: Span) -> Position {
        self.get(span.file).map_or(Position { line: 1, column: 1 }, |source| source.find_position(span.end))
    }
}

impl Source {
    /// The line and column of a byte offset.
    ///
    /// ```
    /// use syntax::sources::Sources;
    ///
    /// let mut sources = Sources::default();
    /// let id = sources.add_source("s.pcd", "é = 1\nb = 2\n");
    /// let source = sources.get(id).expect("added");
    /// let place = |offset| (source.find_position(offset).line, source.find_position(offset).column);
    /// // Offsets count bytes, columns count characters: `é` has two bytes.
    /// assert_eq!([place(0), place(2), place(7)], [(1, 1), (1, 2), (2, 1)]);
    /// ```
    pub fn find_position(&self, offset: u32) -> Position {
        let line_starts = self.line_starts.get_or_init(|| {
            let ends = memchr_iter(b'\n', self.text.as_bytes());
            std::iter::once(0).chain(ends.map(|at| at as u32 + 1)).collect()
        });
        let line = line_starts.partition_point(|start| *start <= offset).max(1);
        let start = line_starts.get(line - 1).copied().unwrap_or(0) as usize;
        let end = (offset as usize).min(self.text.len());
        let column = self.text.get(start..end).map_or(0, |text| text.chars().count());
        Position { line: line as u32, column: column as u32 + 1 }
    }
}
