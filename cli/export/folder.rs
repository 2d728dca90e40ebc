//! The folder that an export is written to.

use std::fs::{self, File, OpenOptions};
use std::io::{BufWriter, Write as _};
use std::path::{Component, Path, PathBuf};

use disk::digest;
use records::instance::Content;
use records::jsonl::line;
use records::{Bundle, Error};
use serde_json::Value as Json;

/// A folder, and all that may be written below it. Paths use `/`.
#[derive(Clone, Debug)]
pub(super) struct Folder {
    path: PathBuf,
}

impl Folder {
    pub(super) fn new(path: &Path) -> Folder {
        Folder { path: path.to_owned() }
    }

    /// Where a path is, if it does not lead out of the folder. The folders above it are made.
    fn place(&self, path: &str) -> Result<PathBuf, Error> {
        if path.is_empty() || !Path::new(path).components().all(|part| matches!(part, Component::Normal(_))) {
            return Err(Error::usage(format!("`{path}` leads out of the folder")).help("was the bundle edited?"));
        }
        let place = self.path.join(path);
        if let Some(above) = place.parent() {
            fs::create_dir_all(above).map_err(|error| Error::io("make", above, &error))?;
        }
        Ok(place)
    }

    /// A new file; a path that is written twice is an error.
    pub(super) fn create(&self, path: &str) -> Result<File, Error> {
        let place = self.place(path)?;
        let opened = OpenOptions::new().read(true).write(true).create_new(true).open(&place);
        opened.map_err(|error| Error::io("write", &place, &error))
    }

    /// Writes a file; gives its SHA-256 in hexadecimal digits.
    pub(super) fn write(&self, path: &str, bytes: &[u8]) -> Result<String, Error> {
        let written = self.create(path)?.write_all(bytes);
        written.map_err(|error| Error::io("write", &self.path.join(path), &error))?;
        Ok(digest::sha256(bytes))
    }

    /// Writes a program that can be started.
    pub(super) fn program(&self, path: &str, text: &str) -> Result<(), Error> {
        self.write(path, text.as_bytes())?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let place = self.path.join(path);
            let set = fs::set_permissions(&place, fs::Permissions::from_mode(0o755));
            set.map_err(|error| Error::io("write", &place, &error))?;
        }
        Ok(())
    }

    /// Writes JSON for people and programs, with a newline at its end.
    pub(super) fn json(&self, path: &str, json: &Json) -> Result<String, Error> {
        let text = serde_json::to_string_pretty(json).map_err(|error| Error::outside(error.to_string()))?;
        self.write(path, format!("{text}\n").as_bytes())
    }

    /// Copies a file of a bundle; gives its SHA-256 in hexadecimal digits.
    pub(super) fn copy(&self, bundle: &Bundle, content: &Content, path: &str) -> Result<String, Error> {
        match content.as_static() {
            Some(below) => bundle.copy(below, &mut self.create(path)?).map(|sha256| digest::hex(&sha256)),
            None => self.write(path, &bundle.content(content)?),
        }
    }

    /// Puts a copy of a file there, or a link to it if it is one that is written and `may_link`; gives its place.
    pub(super) fn take(&self, from: &Path, path: &str, may_link: bool) -> Result<PathBuf, Error> {
        let place = self.place(path)?;
        if !may_link || fs::hard_link(from, &place).is_err() {
            let mut read = disk::open(from).map_err(|error| Error::io("read", from, &error))?;
            let copied = std::io::copy(&mut read, &mut self.create(path)?);
            copied.map_err(|error| Error::io("write", &place, &error))?;
        }
        Ok(place)
    }

    /// Makes a folder.
    pub(super) fn make(&self, path: &str) -> Result<(), Error> {
        let place = self.place(path)?;
        fs::create_dir_all(&place).map_err(|error| Error::io("make", &place, &error))
    }

    /// The SHA-256 of a file that was written, in hexadecimal digits.
    pub(super) fn sha256(&self, path: &str) -> Result<String, Error> {
        let place = self.place(path)?;
        let digest = File::open(&place).and_then(|mut file| digest::of_file(&mut file));
        digest.map(|(_, sha256)| digest::hex(&sha256)).map_err(|error| Error::io("read", &place, &error))
    }

    /// A file that gets a line of JSON after the other.
    pub(super) fn lines(&self, path: &str) -> Result<Lines, Error> {
        let file = BufWriter::with_capacity(1 << 16, self.create(path)?);
        Ok(Lines { file, path: self.path.join(path) })
    }
}

/// A file of lines of JSON.
pub(super) struct Lines {
    file: BufWriter<File>,
    path: PathBuf,
}

impl Lines {
    /// One more.
    pub(super) fn add(&mut self, json: &Json) -> Result<(), Error> {
        let written = self.file.write_all(line(json.to_string()).as_bytes());
        written.map_err(|error| Error::io("write", &self.path, &error))
    }

    /// Writes what is left; gives the file's SHA-256 in hexadecimal digits.
    pub(super) fn finish(self) -> Result<String, Error> {
        let wrong = |error: &std::io::Error| Error::io("write", &self.path, error);
        let mut file = self.file.into_inner().map_err(|error| wrong(error.error()))?;
        let (_, sha256) = digest::of_file(&mut file).map_err(|error| wrong(&error))?;
        Ok(digest::hex(&sha256))
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
            assert!(folder.write(path, b"x").is_err(), "{path}");
        }
        folder.write("a/b", b"x").expect("written");
        assert!(folder.write("a/b", b"y").is_err());
        assert_eq!(fs::read_dir(home.path()).expect("readable").count(), 1);
    }
}
