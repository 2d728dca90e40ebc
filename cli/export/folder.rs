//! The folder of an export.

use std::fs::{self, File, OpenOptions};
use std::io::{BufWriter, Write as _};
use std::path::{Component, Path, PathBuf};

use disk::digest;
use records::instance::Content;
use records::jsonl::to_json_line;
use records::{Bundle, Error};
use serde_json::Value as Json;

/// A folder below which files are written. Paths use `/`.
#[derive(Clone, Debug)]
pub(super) struct Folder {
    path: PathBuf,
}

impl Folder {
    pub(super) fn new(path: &Path) -> Folder {
        Folder { path: path.to_owned() }
    }

    /// Resolves a path that does not lead out of the folder. Creates the folders above it.
    fn resolve_path(&self, path: &str) -> Result<PathBuf, Error> {
        if path.is_empty() || !Path::new(path).components().all(|part| matches!(part, Component::Normal(_))) {
            return Err(Error::new_usage(format!("`{path}` leads out of the folder")).help("was the bundle edited?"));
        }
        let place = self.path.join(path);
        if let Some(above) = place.parent() {
            fs::create_dir_all(above).map_err(|error| Error::new_io("make", above, &error))?;
        }
        Ok(place)
    }

    /// Creates a file. Writing the same path twice is an error.
    pub(super) fn create_file(&self, path: &str) -> Result<File, Error> {
        let place = self.resolve_path(path)?;
        let opened = OpenOptions::new().read(true).write(true).create_new(true).open(&place);
        opened.map_err(|error| Error::new_io("write", &place, &error))
    }

    /// Writes a file.
    pub(super) fn write_file(&self, path: &str, bytes: &[u8]) -> Result<(), Error> {
        let written = self.create_file(path)?.write_all(bytes);
        written.map_err(|error| Error::new_io("write", &self.path.join(path), &error))
    }

    /// Writes an executable program.
    pub(super) fn write_program(&self, path: &str, text: &str) -> Result<(), Error> {
        self.write_file(path, text.as_bytes())?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let place = self.path.join(path);
            let set = fs::set_permissions(&place, fs::Permissions::from_mode(0o755));
            set.map_err(|error| Error::new_io("write", &place, &error))?;
        }
        Ok(())
    }

    /// Writes indented JSON with a newline at the end.
    pub(super) fn write_json(&self, path: &str, json: &Json) -> Result<(), Error> {
        let text = serde_json::to_string_pretty(json).map_err(|error| Error::new_outside(error.to_string()))?;
        self.write_file(path, format!("{text}\n").as_bytes())
    }

    /// Copies a file of a bundle. Returns its SHA-256 in hexadecimal digits.
    pub(super) fn copy_file(&self, bundle: &Bundle, content: &Content, path: &str) -> Result<String, Error> {
        match content.as_static() {
            Some(below) => {
                bundle.copy_file(below, &mut self.create_file(path)?).map(|sha256| digest::encode_hex(&sha256))
            }
            None => {
                let bytes = bundle.read_content(content)?;
                self.write_file(path, &bytes)?;
                Ok(digest::hash_sha256(&bytes))
            }
        }
    }

    /// Places a copy of a file. Returns its path.
    pub(super) fn copy_from(&self, from: &Path, path: &str) -> Result<PathBuf, Error> {
        let place = self.resolve_path(path)?;
        let mut read = disk::open_regular(from).map_err(|error| Error::new_io("read", from, &error))?;
        let copied = std::io::copy(&mut read, &mut self.create_file(path)?);
        copied.map_err(|error| Error::new_io("write", &place, &error))?;
        Ok(place)
    }

    /// Places a hard link to a file of the export, or a copy if that is not possible. Returns its path.
    pub(super) fn link_or_copy(&self, from: &Path, path: &str) -> Result<PathBuf, Error> {
        let place = self.resolve_path(path)?;
        if fs::hard_link(from, &place).is_ok() { Ok(place) } else { self.copy_from(from, path) }
    }

    /// Creates a folder.
    pub(super) fn make_folder(&self, path: &str) -> Result<(), Error> {
        let place = self.resolve_path(path)?;
        fs::create_dir_all(&place).map_err(|error| Error::new_io("make", &place, &error))
    }

    /// Returns the SHA-256 of a written file, in hexadecimal digits.
    pub(super) fn digest_file(&self, path: &str) -> Result<String, Error> {
        let place = self.resolve_path(path)?;
        let digest = File::open(&place).and_then(|mut file| digest::digest_file(&mut file));
        digest.map(|(_, sha256)| digest::encode_hex(&sha256)).map_err(|error| Error::new_io("read", &place, &error))
    }

    /// Creates a file of JSON lines.
    pub(super) fn create_lines(&self, path: &str) -> Result<Lines, Error> {
        let file = BufWriter::with_capacity(1 << 16, self.create_file(path)?);
        Ok(Lines { file, path: self.path.join(path) })
    }
}

/// A file of JSON lines.
pub(super) struct Lines {
    file: BufWriter<File>,
    path: PathBuf,
}

impl Lines {
    /// Adds a line.
    pub(super) fn add_line(&mut self, json: &Json) -> Result<(), Error> {
        let written = self.file.write_all(to_json_line(json.to_string()).as_bytes());
        written.map_err(|error| Error::new_io("write", &self.path, &error))
    }

    /// Writes the rest. Returns the SHA-256 of the file in hexadecimal digits.
    pub(super) fn finish_lines(self) -> Result<String, Error> {
        let wrong = |error: &std::io::Error| Error::new_io("write", &self.path, error);
        let mut file = self.file.into_inner().map_err(|error| wrong(error.error()))?;
        let (_, sha256) = digest::digest_file(&mut file).map_err(|error| wrong(&error))?;
        Ok(digest::encode_hex(&sha256))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_written_outside_or_twice() {
        let home = tempfile::tempdir().expect("temp");
        let folder = Folder::new(&home.path().join("in"));
        for path in ["../x", "/tmp/x", "a/../../x", "", "."] {
            assert!(folder.write_file(path, b"x").is_err(), "{path}");
        }
        folder.write_file("a/b", b"x").expect("written");
        assert!(folder.write_file("a/b", b"y").is_err());
        assert_eq!(fs::read_dir(home.path()).expect("readable").count(), 1);
    }
}
