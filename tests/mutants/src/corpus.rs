//! All `.pcd` files of the repository, each read once, and the files that they use.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use compiler::host::{Compute, Entry, Host, ReadError, Sqlite};

use crate::scan::{self, Kind, Place, Token};

/// The folders that contain sources.
const FOLDERS: [&str; 5] = ["suites", "stdlib", "tests", "compiler/tests", "cli/init"];

/// The maximum size of a source, in bytes. Larger sources are left out: they are large on purpose.
const MAX_SOURCE_BYTES: usize = 60_000;

/// A source and its tokens.
#[derive(Debug)]
pub struct Source {
    /// The path below the root of the repository.
    pub path: String,
    /// The folder of the source.
    pub folder: PathBuf,
    /// The text.
    pub text: String,
    /// The tokens, as ranges of the text.
    pub tokens: Vec<Piece>,
    /// Pairs of brackets, as the indexes of their tokens.
    pub groups: Vec<(usize, usize)>,
}

/// A token of a [`Source`].
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// The kind of token.
    pub kind: Kind,
    /// The language in which the token is written.
    pub place: Place,
    /// The offset of the first byte.
    pub start: usize,
    /// The offset after the last byte.
    pub end: usize,
}

impl Source {
    fn new(path: String, folder: PathBuf, text: String) -> Source {
        let tokens: Vec<Piece> = scan::scan_tokens(&text).iter().map(Piece::from_token).collect();
        let mut source = Source { path, folder, text, tokens, groups: Vec::new() };
        source.groups = source.find_pairs();
        source
    }

    /// Returns the text of a token.
    pub fn text_of(&self, piece: Piece) -> &str {
        &self.text[piece.start..piece.end]
    }

    fn find_pairs(&self) -> Vec<(usize, usize)> {
        let (mut open, mut pairs) = (Vec::new(), Vec::new());
        for (number, piece) in self.tokens.iter().enumerate().filter(|(_, piece)| piece.kind == Kind::Bracket) {
            match self.text_of(*piece) {
                "{" | "[" | "(" | "<<" => open.push(number),
                _ => pairs.extend(open.pop().map(|first| (first, number))),
            }
        }
        pairs
    }
}

impl Piece {
    fn from_token(token: &Token<'_>) -> Piece {
        Piece { kind: token.kind, place: token.place, start: token.start, end: token.end() }
    }
}

/// Reads the sources of the repository at `root`, by path. Files that are not UTF-8 are left out.
pub fn read_sources(root: &Path) -> io::Result<Vec<Source>> {
    let mut paths = Vec::new();
    for folder in FOLDERS {
        walk_folder(&root.join(folder), &mut paths)?;
    }
    paths.sort();
    let mut sources = Vec::new();
    for path in paths {
        let Ok(text) = String::from_utf8(fs::read(&path)?) else { continue };
        if text.len() > MAX_SOURCE_BYTES {
            continue;
        }
        let shown = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        let folder = path.parent().unwrap_or(root).to_path_buf();
        sources.push(Source::new(shown, folder, text));
    }
    Ok(sources)
}

fn walk_folder(folder: &Path, out: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            walk_folder(&path, out)?;
        } else if path.extension().is_some_and(|end| end == "pcd") {
            out.push(path);
        }
    }
    Ok(())
}

/// The bytes of a file, or why it could not be read.
type Known = Result<Vec<u8>, ReadError>;

/// The files next to a source, each read from disk once. The source itself is a given text.
pub struct Folder<'a> {
    /// The folder of the source.
    pub folder: &'a Path,
    /// The text of the source, which is at [`ROOT`].
    pub text: &'a str,
    /// SQLite.
    pub sqlite: &'a dyn Sqlite,
    /// The files that were read so far.
    pub files: &'a RefCell<BTreeMap<PathBuf, Known>>,
}

/// The path of the source.
pub const ROOT: &str = "suite.pcd";

impl Host for Folder<'_> {
    fn read_file(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        if path == ROOT {
            return Ok(self.text.as_bytes().to_vec());
        }
        // A mutant may name any path, but a path must not lead out of the folder.
        if !Path::new(path).components().all(|part| matches!(part, Component::Normal(_))) || path.contains('\0') {
            return Err(ReadError::NotFound);
        }
        let place = self.folder.join(path);
        let mut files = self.files.borrow_mut();
        files.entry(place).or_insert_with_key(|place| read_file(place)).clone()
    }

    fn list_folder(&self, folder: &str) -> Result<Vec<Entry>, ReadError> {
        // The command's host rejects paths that lead out of the source's folder.
        let place = |path: &str| self.folder.join(path).display().to_string();
        picardc::host::Disk::new(&place(ROOT)).list_folder(&place(folder))
    }

    fn sqlite(&self) -> &dyn Sqlite {
        self.sqlite
    }

    fn evaluator(&self) -> &dyn Compute {
        &picardc::host::Computer
    }
}

fn read_file(place: &Path) -> Known {
    match fs::metadata(place) {
        Ok(is) if is.is_file() => fs::read(place).map_err(|error| ReadError::Other(error.to_string())),
        Ok(_) => Err(ReadError::Other("it is a folder".to_owned())),
        Err(_) => Err(ReadError::NotFound),
    }
}
