//! The source files of one compilation, and where their lines begin.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use memchr::memchr_iter;
use model::TiVec;
use model::{SourceId, Span};

/// Every source file read, in order of loading: 0 is the suite's own.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: TiVec<SourceId, Source>,
    extra: BTreeMap<String, Extra>,
}

/// A file that is not a source.
#[derive(Clone, Debug)]
enum Extra {
    Whole(Arc<[u8]>),
    /// One that is not kept.
    Read([u8; 32]),
}

/// What is known of a file that a suite is built from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Content<'a> {
    /// All of it.
    Bytes(&'a [u8]),
    /// Its SHA-256: it may be large, and is not kept.
    Digest(&'a [u8; 32]),
}

/// A source file.
#[derive(Clone, Debug)]
pub struct Source {
    /// As given on the command line, or below the root source's folder; `<stdlib>/…` for the standard library.
    pub path: String,
    /// Its text.
    pub text: String,
    /// Part of the standard library.
    pub library: bool,
    /// Found when a place is asked for.
    line_starts: OnceLock<Vec<u32>>,
}

/// A place as people count: lines and characters from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// From 1.
    pub line: u32,
    /// In characters, from 1.
    pub column: u32,
}

impl Sources {
    /// Adds a file and gives its number.
    pub fn add_source(&mut self, path: impl Into<String>, text: impl Into<String>, library: bool) -> SourceId {
        let (path, text) = (path.into(), text.into());
        self.files.push_and_get_key(Source { path, text, library, line_starts: OnceLock::new() })
    }

    /// Adds a file that is not a source but part of the suite (a word list, a fixture): it counts in
    /// [`Sources::list_content`].
    pub fn add_data(&mut self, path: impl Into<String>, bytes: Arc<[u8]>) {
        self.extra.entry(path.into()).or_insert(Extra::Whole(bytes));
    }

    /// The same of a file that has been read and is not kept, by its SHA-256.
    pub fn add_digest(&mut self, path: impl Into<String>, sha256: [u8; 32]) {
        self.extra.entry(path.into()).or_insert(Extra::Read(sha256));
    }

    /// The SHA-256 of such files, by path.
    pub fn list_digests(&self) -> BTreeMap<&str, &[u8; 32]> {
        let digests = self.extra.iter().filter_map(|(path, extra)| match extra {
            Extra::Whole(_) => None,
            Extra::Read(sha256) => Some((path.as_str(), sha256)),
        });
        digests.collect()
    }

    /// A file.
    pub fn get(&self, file: SourceId) -> Option<&Source> {
        self.files.get(file)
    }

    /// Every file and its number.
    pub fn iter(&self) -> impl Iterator<Item = (SourceId, &Source)> {
        self.files.iter_enumerated()
    }

    /// Path and content of everything the author wrote that the suite is built from (sources, word lists, fixtures; not the standard
    /// library, which the edition fixes), by path.
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

    /// The text of a range, "" if the range is invalid.
    pub fn text(&self, span: Span) -> &str {
        self.get(span.file).and_then(|source| source.text.get(span.start as usize..span.end as usize)).unwrap_or("")
    }

    /// Where bytes of what a string says are in the source; `None` where it is written with escapes.
    pub fn find_in_string(&self, string: Span, says: &str, (start, end): (usize, usize)) -> Option<Span> {
        if self.text(string).len() != says.len() + 2 {
            return None;
        }
        let place = |at: usize| Some(string.start + 1 + u32::try_from(at).ok()?);
        Some(Span::new(string.file, place(start)?, place(end.max(start))?))
    }

    /// Where a range begins.
    pub fn start_position(&self, span: Span) -> Position {
        self.get(span.file).map_or(Position { line: 1, column: 1 }, |source| source.find_position(span.start))
    }

    /// Where a range ends: the position after its last character.
    pub fn end_position(&self, span: Span) -> Position {
        self.get(span.file).map_or(Position { line: 1, column: 1 }, |source| source.find_position(span.end))
    }
}

impl Source {
    /// Line and column of a byte offset.
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
