//! Writes a file completely or not at all.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use disk::temporary_files;

/// The prefix of temporary files.
pub const START: &str = ".picardc-";

/// The prefixes of temporary files of all commands, in this and earlier versions.
const STARTS: [&str; 3] = [START, ".picardc-fix-", ".picardc-init-"];

/// Removes the files that killed commands left in a folder.
pub fn remove_leftovers(folder: &Path) {
    temporary_files::remove_leftovers_once(folder, &STARTS);
}

/// Writes a temporary file in the same folder, syncs it, and renames it to `path`. It keeps the permissions of an existing file.
pub fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if path.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
    }
    remove_leftovers(folder);
    let mut builder = tempfile::Builder::new();
    builder.prefix(START);
    // The permissions of any new file: the umask of the process decides, so it is not limited to the owner.
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
