//! A file is written whole or not at all.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use disk::temporary_files;

/// How the name of a temporary file begins.
pub const START: &str = ".picardc-";

/// How the names of all begin that commands make, of this version and those before it.
const STARTS: [&str; 3] = [START, ".picardc-fix-", ".picardc-init-"];

/// Removes what commands that were killed left in a folder.
pub fn remove_leftovers(folder: &Path) {
    temporary_files::remove_leftovers_once(folder, &STARTS);
}

/// Writes a temporary file in the same folder, syncs it, and renames it to `path`, with the permissions of a file
/// there.
pub fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if path.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
    }
    remove_leftovers(folder);
    let mut builder = tempfile::Builder::new();
    builder.prefix(START);
    // As any new file: readable to whom the process's mask allows, not to its owner alone.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder)?;
    temporary_files::mark_in_use(file.as_file());
    file.write_all(text.as_bytes())?;
    if let Ok(there) = fs::metadata(path) {
        file.as_file().set_permissions(there.permissions())?;
    }
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
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
