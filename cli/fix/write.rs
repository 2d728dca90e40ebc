//! Replaces a file completely or not at all.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use disk::temporary_files;

use crate::whole_file;

/// The reason why a file was not written.
#[derive(Debug)]
pub enum Refusal {
    /// The file was changed after it was read.
    Changed,
    /// An error of the system.
    Io(io::Error),
}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Refusal {
        Refusal::Io(error)
    }
}

/// Replaces the text `before` of a file by `after`: writes a temporary file with the same permissions in the same folder, syncs it, and renames it.
pub fn replace_text(path: &Path, before: &str, after: &str) -> Result<(), Refusal> {
    if fs::read(path)? != before.as_bytes() {
        return Err(Refusal::Changed);
    }
    let permissions = fs::metadata(path)?.permissions();
    // A rename requires only permission for the folder, but a read-only file must not change.
    if permissions.readonly() {
        return Err(Refusal::Io(io::Error::new(io::ErrorKind::PermissionDenied, "it is read-only")));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    whole_file::remove_leftovers(folder);
    let mut file = tempfile::Builder::new().prefix(whole_file::START).tempfile_in(folder)?;
    temporary_files::mark_in_use(file.as_file());
    file.write_all(after.as_bytes())?;
    file.as_file().set_permissions(permissions)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| Refusal::Io(error.error))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_whole_with_its_permissions_or_not_at_all() {
        let home = tempfile::tempdir().expect("temp");
        let path = home.path().join("a.pcd");
        fs::write(&path, "old").expect("written");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("set");
        }
        let permissions = fs::metadata(&path).expect("there").permissions();
        assert!(matches!(replace_text(&path, "older", "new"), Err(Refusal::Changed)));
        assert_eq!(fs::read_to_string(&path).expect("read"), "old");
        replace_text(&path, "old", "new").expect("written");
        assert_eq!(fs::read_to_string(&path).expect("read"), "new");
        assert_eq!(fs::metadata(&path).expect("there").permissions(), permissions);
        let mut readonly = permissions;
        readonly.set_readonly(true);
        fs::set_permissions(&path, readonly).expect("set");
        assert!(matches!(replace_text(&path, "new", "newer"), Err(Refusal::Io(_))));
        assert_eq!(fs::read_dir(home.path()).expect("readable").count(), 1);
    }
}
