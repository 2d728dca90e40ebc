//! Files with one JSON value per line, read line by line and appended durably.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest as _, Sha256};

use crate::Error;

/// The lines of a file, each parsed as `T`.
pub struct Lines {
    path: Arc<Path>,
    reader: BufReader<File>,
    number: u64,
    /// The first byte of the last line read; `end` is the one after it.
    start: u64,
    end: u64,
    line: Vec<u8>,
    growing: bool,
    digest: Option<Sha256>,
}

impl Lines {
    /// Opens a file that grows line by line (of a run). A last line without a newline was being written when the process was killed, and is omitted.
    pub fn open_growing(path: &Path) -> Result<Lines, Error> {
        Ok(Lines { growing: true, ..Lines::open_whole(path)? })
    }

    /// Opens a file that was written as a whole (of a bundle). A last line without a newline is parsed like any other, so a truncated one is an error.
    pub fn open_whole(path: &Path) -> Result<Lines, Error> {
        let file = disk::open_within(path).map_err(|error| Error::new_io("read", path, &error))?;
        Ok(Lines {
            path: path.into(),
            reader: BufReader::with_capacity(1 << 16, file),
            number: 0,
            start: 0,
            end: 0,
            line: Vec::new(),
            growing: false,
            digest: None,
        })
    }

    /// Opens a file that was written as a whole, and computes its digest while it is read.
    pub fn open_digested(path: &Path) -> Result<Lines, Error> {
        Ok(Lines { digest: Some(Sha256::new()), ..Lines::open_whole(path)? })
    }

    /// Returns the next value; `None` at the end. An error names file and line.
    pub fn next_value<T: DeserializeOwned>(&mut self) -> Option<Result<T, Error>> {
        self.next_parsed(|line| serde_json::from_slice(line))
    }

    /// Returns the next line as `parse` reads it; `None` at the end. An error names file and line.
    pub fn next_parsed<T>(&mut self, parse: impl Fn(&[u8]) -> serde_json::Result<T>) -> Option<Result<T, Error>> {
        self.line.clear();
        let mut line = std::mem::take(&mut self.line);
        let read =
            self.read_line(&mut line).transpose()?.and_then(|()| parse_line(&self.path, self.number, &line, parse));
        self.line = line;
        Some(read)
    }

    /// Returns the next lines: at most `most`, and only the first of them if it is long; `None` at the end.
    pub fn next_block(&mut self, most: usize) -> Option<Result<Block, Error>> {
        const MAX_BYTES: usize = 1 << 18;
        let mut block = Block { path: Arc::clone(&self.path), bytes: Vec::new(), lines: Vec::new() };
        while block.lines.len() < most && block.bytes.len() < MAX_BYTES {
            let start = block.bytes.len();
            match self.read_line(&mut block.bytes) {
                Err(error) => return Some(Err(error)),
                Ok(None) => break,
                Ok(Some(())) => block.lines.push((self.number, start..block.bytes.len())),
            }
        }
        (!block.lines.is_empty()).then_some(Ok(block))
    }

    /// Appends the next line that is not blank; `None` at the end.
    fn read_line(&mut self, line: &mut Vec<u8>) -> Result<Option<()>, Error> {
        let from = line.len();
        loop {
            line.truncate(from);
            let read =
                self.reader.read_until(b'\n', line).map_err(|error| Error::new_io("read", &self.path, &error))?;
            let read_bytes = &line[from..];
            if read == 0 || self.growing && read_bytes.last() != Some(&b'\n') {
                line.truncate(from);
                return Ok(None);
            }
            self.number += 1;
            self.start = self.end;
            self.end += read as u64;
            if let Some(digest) = &mut self.digest {
                digest.update(read_bytes);
            }
            if !read_bytes.trim_ascii().is_empty() {
                return Ok(Some(()));
            }
        }
    }

    /// Computes SHA-256, in hexadecimal digits, of everything read from a file that was opened by [`Lines::open_digested`]; empty for another.
    pub fn compute_digest(&self) -> String {
        self.digest.clone().map(|digest| disk::digest::encode_hex(&digest.finalize())).unwrap_or_default()
    }

    /// Returns the first byte of the last line read, from 0, and its length.
    pub fn find_place(&self) -> (u64, usize) {
        (self.start, self.line.len())
    }

    /// Moves to a line by its first byte. Afterwards, line numbers and the digest are meaningless.
    pub(crate) fn seek_to(&mut self, start: u64) -> Result<(), Error> {
        self.end = start;
        let gone = self.reader.seek(SeekFrom::Start(start));
        gone.map(|_| ()).map_err(|error| Error::new_io("read", &self.path, &error))
    }

    /// Returns the number of the last line read, from 1.
    pub fn number(&self) -> u64 {
        self.number
    }
}

/// Parses a line of a file. An error names both.
fn parse_line<T>(
    path: &Path,
    number: u64,
    line: &[u8],
    parse: impl Fn(&[u8]) -> serde_json::Result<T>,
) -> Result<T, Error> {
    model::json::parse_borrowed(line, parse)
        .map_err(|error| Error::new_usage(format!("`{}`, line {number}: {error}", disk::show_path(&path))))
}

/// Lines of a file that were read together, to be parsed on any thread.
pub struct Block {
    path: Arc<Path>,
    bytes: Vec<u8>,
    /// The number of each line in the file, from 1, and its place in `bytes`.
    lines: Vec<(u64, Range<usize>)>,
}

impl Block {
    /// Returns the number of lines.
    pub fn count_lines(&self) -> usize {
        self.lines.len()
    }

    /// Parses the line at `at`, from 0, below [`Block::count_lines`].
    ///
    /// # Errors
    /// It is not such JSON; the error names file and line.
    pub fn parse_line<T>(&self, at: usize, parse: impl Fn(&[u8]) -> serde_json::Result<T>) -> Result<T, Error> {
        let bytes = self.lines.get(at).and_then(|(_, place)| self.bytes.get(place.clone())).unwrap_or_default();
        parse_line(&self.path, self.number_line(at), bytes, parse)
    }

    /// Returns the number of the line at `at` in the file, from 1.
    pub fn number_line(&self, at: usize) -> u64 {
        self.lines.get(at).map_or(0, |(number, _)| *number)
    }
}

/// Line ends of Unicode that JSON allows in texts, with their escapes.
const ENDS: [(char, &str); 3] = [('\u{85}', "\\u0085"), ('\u{2028}', "\\u2028"), ('\u{2029}', "\\u2029")];

/// Renders JSON as a line for other programs, some of which split lines at all line ends of Unicode (`splitlines` of Python, `readline` of Node):
/// only the last character is a line end.
///
/// ```
/// use records::jsonl::to_json_line;
///
/// let json = serde_json::to_string("a\u{2028}b").expect("JSON");
/// let line = to_json_line(json);
/// // One line for every reader, and the same text.
/// assert_eq!(line.trim_end(), "\"a\\u2028b\"");
/// assert_eq!(serde_json::from_str::<String>(&line).expect("JSON"), "a\u{2028}b");
/// ```
pub fn to_json_line(json: String) -> String {
    let mut line = json;
    for (end, escape) in ENDS {
        if line.contains(end) {
            line = line.replace(end, escape);
        }
    }
    line.push('\n');
    line
}

/// Calls `take` with each value of a file that grows line by line. A missing file has no values.
pub fn visit_values<T: DeserializeOwned>(path: &Path, mut take: impl FnMut(T)) -> Result<(), Error> {
    if !path.exists() {
        return Ok(());
    }
    let mut lines = Lines::open_growing(path)?;
    while let Some(value) = lines.next_value() {
        take(value?);
    }
    Ok(())
}

/// Reads all values of a file.
pub fn read_all<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, Error> {
    let mut lines = Lines::open_growing(path)?;
    let mut all = Vec::new();
    while let Some(value) = lines.next_value() {
        all.push(value?);
    }
    Ok(all)
}

/// A file that grows by whole lines.
#[derive(Debug)]
pub struct Appender {
    path: PathBuf,
    file: File,
}

impl Appender {
    /// Opens or creates the file. An unfinished line after its last newline is removed.
    pub fn open_or_create(path: &Path) -> Result<Appender, Error> {
        let open = || -> io::Result<File> {
            let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
            let end = find_end_of_lines(&mut file)?;
            if file.metadata()?.len() != end {
                file.set_len(end)?;
            }
            file.seek(SeekFrom::Start(end))?;
            Ok(file)
        };
        let file = open().map_err(|error| Error::new_io("write", path, &error))?;
        Ok(Appender { path: path.to_owned(), file })
    }

    /// Appends values, one per line, in one write, and waits until they are on the disk.
    pub fn append_values<T: Serialize>(&mut self, values: &[T]) -> Result<(), Error> {
        let mut bytes = Vec::new();
        for value in values {
            serde_json::to_writer(&mut bytes, value).map_err(|error| Error::new_outside(error.to_string()))?;
            bytes.push(b'\n');
        }
        let written = self.file.write_all(&bytes).and_then(|()| self.file.sync_data());
        written.map_err(|error| Error::new_io("write", &self.path, &error))
    }
}

/// Finds the end of the last complete line, reading backwards in blocks.
fn find_end_of_lines(file: &mut File) -> io::Result<u64> {
    let mut end = file.metadata()?.len();
    let mut block = vec![0; 1 << 16];
    while end > 0 {
        let size = end.min(block.len() as u64);
        file.seek(SeekFrom::Start(end - size))?;
        let part = &mut block[..size as usize];
        file.read_exact(part)?;
        if let Some(at) = part.iter().rposition(|byte| *byte == b'\n') {
            return Ok(end - size + at as u64 + 1);
        }
        end -= size;
    }
    Ok(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_torn_line_is_left_out_and_cut_off() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x.jsonl");
        std::fs::write(&path, "1\n\n2\n3").expect("written");
        assert_eq!(read_all::<u8>(&path), Ok(vec![1, 2]));
        let mut appender = Appender::open_or_create(&path).expect("opened");
        appender.append_values(&[7, 8]).expect("appended");
        assert_eq!(std::fs::read_to_string(&path).expect("read"), "1\n\n2\n7\n8\n");
    }

    #[test]
    fn a_line_has_no_other_line_end() {
        let json = serde_json::Value::from("a\u{85}b\u{2028}c\u{2029}d\ne\r\u{b}\u{c}\u{1c}");
        let text = to_json_line(json.to_string());
        assert!(text.is_ascii() && !text.trim_end_matches('\n').contains('\n'), "{text}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).expect("JSON"), json);
    }

    #[test]
    fn a_wrong_line_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x.jsonl");
        std::fs::write(&path, "1\n{\n2\n").expect("written");
        let error = read_all::<u8>(&path).expect_err("wrong");
        assert!(error.message.contains("x.jsonl`, line 2: "), "{}", error.message);
    }
}
