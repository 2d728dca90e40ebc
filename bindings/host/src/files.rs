//! The compiler's access to files on disk: the root source anywhere, and other files only below its folder; regular files only.

use std::fs;
use std::io;
use std::path::Path;

use compiler::host::{Compute, Entry, Host, MAX_FIXTURE_BYTES, ReadError, Sqlite};

pub use runtime::generate::Computer;

use sqlite::PreparedSchemas;

/// Files on disk, and SQLite.
pub struct Disk {
    root: String,
    /// The folder of the root source, with a trailing `/`, or "".
    folder: String,
    sqlite: PreparedSchemas,
}

impl Disk {
    /// Explains why a folder leads to nothing or out of the project folder: a part of its path is a link.
    fn link_in(&self, folder: &str) -> Option<ReadError> {
        let below = folder.strip_prefix(self.folder.as_str())?;
        let ends = below.match_indices('/').map(|(at, _)| at).chain([below.len()]);
        let is_link = |path: &&str| {
            let path = format!("{}{path}", self.folder);
            fs::symlink_metadata(path).is_ok_and(|found| found.file_type().is_symlink())
        };
        let link = ends.filter_map(|end| below.get(..end)).find(is_link)?;
        let which = if link == below { "it".to_owned() } else { format!("`{link}`") };
        let leads =
            if fs::metadata(folder).is_ok() { "that leads out of the project folder" } else { "that leads to nothing" };
        Some(ReadError::Other(format!("{which} is a link {leads}")))
    }

    /// Creates the host of the suite at `root`.
    pub fn new(root: &str) -> Disk {
        let folder = root.rfind('/').map_or("", |slash| &root[..=slash]).to_owned();
        Disk { root: root.to_owned(), folder, sqlite: PreparedSchemas::default() }
    }
}

impl Host for Disk {
    fn read_file(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        self.read_at_most(path, MAX_FIXTURE_BYTES)
    }

    fn read_at_most(&self, path: &str, most: u64) -> Result<Vec<u8>, ReadError> {
        if path != self.root {
            self.confine_path(path)?;
        }
        disk::read_regular(Path::new(path), most).map_err(|error| to_read_error(&error))
    }

    fn list_folder(&self, folder: &str) -> Result<Vec<Entry>, ReadError> {
        self.confine_path(folder).map_err(|error| self.link_in(folder).unwrap_or(error))?;
        disk::list_entries(Path::new(folder)).map_err(|error| to_read_error(&error))
    }

    fn sqlite(&self) -> &dyn Sqlite {
        &self.sqlite
    }

    fn evaluator(&self) -> &dyn Compute {
        &Computer
    }
}

impl Disk {
    /// Rejects paths that lead out of the project folder, by `..` or by a link.
    fn confine_path(&self, path: &str) -> Result<(), ReadError> {
        let outside = || ReadError::Other("it lies outside the project folder".to_owned());
        let below = path.strip_prefix(self.folder.as_str()).ok_or_else(outside)?;
        if below.starts_with('/')
            || below.contains('\\')
            || below.split('/').any(|part| part.is_empty() || part == "." || part == "..")
        {
            return Err(outside());
        }
        let folder = if self.folder.is_empty() { "." } else { self.folder.as_str() };
        let real = |path: &Path| fs::canonicalize(path).map_err(|error| to_read_error(&error));
        if real(Path::new(path))?.starts_with(real(Path::new(folder))?) { Ok(()) } else { Err(outside()) }
    }
}

fn to_read_error(error: &io::Error) -> ReadError {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => ReadError::NotFound,
        io::ErrorKind::IsADirectory => ReadError::Other("it is a folder".to_owned()),
        io::ErrorKind::PermissionDenied => ReadError::Other("permission denied".to_owned()),
        _ => ReadError::Other(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_below_the_root_sources_folder_are_read() {
        let home = tempfile::tempdir().expect("temp");
        let at = |path: &str| format!("{}/{path}", home.path().display());
        fs::create_dir_all(at("suite/inner")).expect("created");
        for path in ["suite/a.pcd", "suite/inner/b.txt", "secret"] {
            fs::write(at(path), path).expect("written");
        }
        let disk = Disk::new(&at("suite/a.pcd"));
        assert_eq!(disk.read_file(&at("suite/a.pcd")), Ok(b"suite/a.pcd".to_vec()));
        assert_eq!(disk.read_file(&at("suite/inner/b.txt")), Ok(b"suite/inner/b.txt".to_vec()));
        assert_eq!(disk.read_file(&at("suite/none")), Err(ReadError::NotFound));
        assert_eq!(disk.read_file(&at("suite/inner")), Err(ReadError::Other("it is a folder".into())));
        let outside = Err(ReadError::Other("it lies outside the project folder".into()));
        for path in
            [at("secret"), at("suite/../secret"), at("suite/inner/../../secret"), "/etc/passwd".into(), "secret".into()]
        {
            assert_eq!(disk.read_file(&path), outside, "{path}");
            assert!(disk.list_folder(&path).is_err(), "{path}");
        }
        let file = Entry { path: "b.txt".into(), kind: compiler::EntryKind::File(17) };
        assert_eq!(disk.list_folder(&at("suite/inner")), Ok(vec![file]));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(at("secret"), at("suite/link")).expect("linked");
            assert_eq!(disk.read_file(&at("suite/link")), outside);
            // A folder that is a link says so, wherever it leads.
            for (link, to, said) in [
                ("near", at("suite/inner"), "it is a link"),
                ("far", at("elsewhere"), "it is a link that leads out of the project folder"),
                ("lost", at("nowhere"), "it is a link that leads to nothing"),
            ] {
                fs::create_dir_all(at("elsewhere/below")).expect("created");
                std::os::unix::fs::symlink(to, at(&format!("suite/{link}"))).expect("linked");
                assert_eq!(
                    disk.list_folder(&at(&format!("suite/{link}"))),
                    Err(ReadError::Other(said.to_owned())),
                    "{link}"
                );
            }
            let below = Err(ReadError::Other("`far` is a link that leads out of the project folder".to_owned()));
            assert_eq!(disk.list_folder(&at("suite/far/below")), below);
            std::os::unix::fs::symlink(at("suite/inner"), at("suite/other")).expect("linked");
            let link = Err(ReadError::Other("it is a link".into()));
            assert_eq!(disk.list_folder(&at("suite/other")), link);
        }
    }
}
