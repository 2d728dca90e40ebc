//! SHA-256 digests, computed while files are written.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, BufWriter, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use disk::digest::encode_hex;
use sha2::{Digest as _, Sha256};

use super::failures;
use crate::Failure;

/// Number of lines kept in memory before they are written to disk as a sorted run: about 15 MB.
const RUN: usize = 100_000;

/// A file that is hashed while it is written.
pub(super) struct HashingFile {
    file: File,
    hash: Sha256,
}

impl HashingFile {
    pub fn new(file: File) -> HashingFile {
        HashingFile { file, hash: Sha256::new() }
    }

    pub fn write_bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)?;
        self.hash.update(bytes);
        Ok(())
    }

    /// Returns the digest of everything written.
    pub fn into_digest(self) -> String {
        encode_hex(&self.hash.finalize())
    }
}

/// Computes the digest over the sorted lines `<sha256>  <path>` of any number of files in bounded memory: full runs are sorted, kept in temporary
/// files, and merged at the end.
pub(super) struct FileDigests {
    /// The folder for runs, which are unnamed files that end with the process.
    scratch: PathBuf,
    lines: Vec<String>,
    runs: Vec<File>,
    count: u64,
}

impl FileDigests {
    /// Creates an empty list, which keeps its runs in the folder `scratch`.
    pub fn new(scratch: &Path) -> FileDigests {
        FileDigests { scratch: scratch.to_owned(), lines: Vec::new(), runs: Vec::new(), count: 0 }
    }

    /// Adds a file.
    pub fn add_file(&mut self, sha256: &str, path: &str) -> Result<(), Failure> {
        self.lines.push(format!("{sha256}  {path}\n"));
        self.count += 1;
        let written = if self.lines.len() >= RUN { self.write_run() } else { Ok(()) };
        written.map_err(|error| failures::new_io("note a file's digest", &error))
    }

    /// Returns the number of files added.
    pub fn file_count(&self) -> u64 {
        self.count
    }

    fn write_run(&mut self) -> io::Result<()> {
        self.lines.sort_unstable();
        let mut run = BufWriter::new(tempfile::tempfile_in(&self.scratch)?);
        for line in self.lines.drain(..) {
            run.write_all(line.as_bytes())?;
        }
        let mut run = run.into_inner().map_err(io::IntoInnerError::into_error)?;
        run.rewind()?;
        self.runs.push(run);
        Ok(())
    }

    /// Computes the digest of all added files.
    pub fn compute_digest(self) -> Result<String, Failure> {
        self.merge_runs().map_err(|error| failures::new_io("sort the files' digests", &error))
    }

    fn merge_runs(mut self) -> io::Result<String> {
        let mut hash = Sha256::new();
        if self.runs.is_empty() {
            self.lines.sort_unstable();
            self.lines.iter().for_each(|line| hash.update(line));
            return Ok(encode_hex(&hash.finalize()));
        }
        self.write_run()?;
        let mut runs: Vec<BufReader<File>> = self.runs.into_iter().map(BufReader::new).collect();
        let mut heads = BinaryHeap::new();
        for at in 0..runs.len() {
            heads.extend(next_line(&mut runs, at)?.map(|line| Reverse((line, at))));
        }
        while let Some(Reverse((line, at))) = heads.pop() {
            hash.update(&line);
            heads.extend(next_line(&mut runs, at)?.map(|line| Reverse((line, at))));
        }
        Ok(encode_hex(&hash.finalize()))
    }
}

fn next_line(runs: &mut [BufReader<File>], at: usize) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let read = runs[at].read_until(b'\n', &mut line)?;
    Ok((read > 0).then_some(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_answer() {
        assert_eq!(
            disk::digest::hash_sha256(b"abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }

    #[test]
    fn runs_on_disk_give_the_same_digest() -> Result<(), Box<dyn std::error::Error>> {
        let entries: Vec<(String, String)> =
            (0..50u32).map(|n| (disk::digest::hash_sha256(&n.to_le_bytes()), format!("files/{n}"))).collect();
        let mut whole = FileDigests::new(&std::env::temp_dir());
        let mut in_runs = FileDigests::new(&std::env::temp_dir());
        for (at, (sha, path)) in entries.iter().enumerate() {
            whole.add_file(sha, path)?;
            in_runs.add_file(sha, path)?;
            if at % 7 == 6 {
                in_runs.write_run()?;
            }
        }
        assert_eq!(whole.compute_digest()?, in_runs.compute_digest()?);
        Ok(())
    }
}
