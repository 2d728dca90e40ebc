//! Writes a file completely or not at all.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use disk::temporary_files;
use tempfile::NamedTempFile;

use crate::command_error::CommandError;

/// The prefix of temporary files.
const START: &str = ".picardc-";

/// The prefixes of temporary files of all commands, in this and earlier versions.
const STARTS: [&str; 3] = [START, ".picardc-fix-", ".picardc-init-"];

/// Writes a temporary file in the folder of `path`, and syncs it. Renamed to `path`, it replaces the file there, whose permissions it has.
pub fn write_temporary(path: &Path, text: &str) -> io::Result<NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    temporary_files::remove_leftovers_once(folder, &STARTS);
    let existing = fs::metadata(path).ok().map(|there| there.permissions());
    let mut builder = tempfile::Builder::new();
    builder.prefix(START);
    // The permissions of any new file: the umask of the process decides, so it is not limited to the owner.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(existing.clone().unwrap_or_else(|| fs::Permissions::from_mode(0o666)));
    }
    let mut file = builder.tempfile_in(folder)?;
    temporary_files::mark_in_use(file.as_file());
    file.write_all(text.as_bytes())?;
    if let Some(existing) = existing {
        file.as_file().set_permissions(existing)?;
    }
    file.as_file().sync_all()?;
    Ok(file)
}

/// Writes a temporary file in the same folder, syncs it, and renames it to `path`. It keeps the permissions of an existing file.
pub fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    if path.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
    }
    write_temporary(path, text)?.persist(path)?;
    Ok(())
}

/// Writes a file like [`write_whole`], for a command that ends if that fails.
pub fn save_text(path: &Path, text: &str) -> Result<(), CommandError> {
    write_whole(path, text).map_err(|error| CommandError::new_io("write", path, error))
}

#[cfg(test)]
mod tests {
    #[test]
    fn whole_and_alone() {
        let home = tempfile::tempdir().expect("temp");
        let path = home.path().join("a.html");
        super::write_whole(&path, "one").expect("written");
        super::write_whole(&path, "two").expect("written");
        assert_eq!(std::fs::read_to_string(&path).expect("read"), "two");
        assert_eq!(std::fs::read_dir(home.path()).expect("readable").count(), 1);
        assert!(super::write_whole(home.path(), "x").is_err());
        assert!(super::write_whole(&home.path().join("no/a.html"), "x").is_err());
    }
}
