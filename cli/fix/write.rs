//! Replaces a file completely or not at all.

use std::fs;
use std::io;
use std::path::Path;

use crate::command_error::CommandError;
use crate::exit::Exit;
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

impl Refusal {
    /// Converts the refusal for a command that was `done` with the file, such as `checked`.
    pub fn into_error(self, path: &str, done: &str) -> CommandError {
        let why = match self {
            Refusal::Changed => format!("it was changed while it was {done}; run the command again"),
            Refusal::Io(error) => error.to_string(),
        };
        let message = format!("cannot write `{}`, it stays as it was: {why}", disk::show_path(path));
        CommandError::new(Exit::Outside, message)
    }
}

/// Replaces the text `before` of a file by `after`: writes a temporary file with the same permissions in the same folder, syncs it, and renames it.
pub fn replace_text(path: &Path, before: &str, after: &str) -> Result<(), Refusal> {
    if fs::read(path)? != before.as_bytes() {
        return Err(Refusal::Changed);
    }
    // A rename requires only permission for the folder, but a read-only file must not change.
    if fs::metadata(path)?.permissions().readonly() {
        return Err(Refusal::Io(io::Error::new(io::ErrorKind::PermissionDenied, "it is read-only")));
    }
    Ok(whole_file::write_whole(path, after)?)
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
