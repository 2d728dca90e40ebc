//! A sandbox that is always the same folder, for agents that work in a fixed place.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use records::Error;

/// Marks a folder whose contents may be removed.
pub const MARKER: &str = ".picardc-sandbox";

const NOTE: &str =
    "picardc empties this folder for every instance it asks about. Remove this file to keep what is here.\n";

/// A folder that picardc may empty: it was empty at first, or has the marker.
#[derive(Debug)]
pub struct Fixed {
    path: PathBuf,
    /// Locked while this value exists.
    _marker: File,
}

impl Fixed {
    /// Claims the folder. Creates it if it does not exist.
    ///
    /// # Errors
    /// The folder has contents but no marker, or another run uses it.
    pub fn claim_folder(folder: &Path) -> Result<Fixed, Error> {
        fs::create_dir_all(folder).map_err(|error| Error::new_io("make", folder, &error))?;
        let path = folder.canonicalize().map_err(|error| Error::new_io("open", folder, &error))?;
        let marker = path.join(MARKER);
        let mut entries = fs::read_dir(&path).map_err(|error| Error::new_io("read", &path, &error))?;
        let marked = fs::symlink_metadata(&marker).is_ok_and(|metadata| metadata.is_file());
        if !marked && entries.next().is_some() {
            let message =
                format!("`{}` holds files that are not picardc's, and would be emptied", disk::show_path(&folder));
            return Err(Error::new_usage(message).help("give --sandbox a new or empty folder"));
        }
        let mut file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&marker)
            .map_err(|error| Error::new_io("write", &marker, &error))?;
        if file.try_lock().is_err() {
            let message = format!("another run works in `{}`", disk::show_path(&folder));
            return Err(Error::new_usage(message).help("wait until it is done, or give --sandbox another folder"));
        }
        file.write_all(NOTE.as_bytes()).map_err(|error| Error::new_io("write", &marker, &error))?;
        Ok(Fixed { path, _marker: file })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Removes all contents except the marker, which is written again if an agent removed it.
    pub fn clear_folder(&self) -> Result<(), Error> {
        let clear = || -> std::io::Result<()> {
            let dir = Dir::open_ambient_dir(&self.path, ambient_authority())?;
            let is_marker = dir.symlink_metadata(MARKER).is_ok_and(|found| found.is_file());
            disk::clear_folder(&dir, |name| is_marker && name == MARKER)?;
            if !dir.exists(MARKER) { dir.write(MARKER, NOTE) } else { Ok(()) }
        };
        clear().map_err(|error| Error::new_io("empty the sandbox", &self.path, &error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_nothing_that_is_not_ours() {
        let folder = tempfile::tempdir().expect("a folder");
        let theirs = folder.path().join("theirs");
        fs::create_dir(&theirs).expect("made");
        fs::write(theirs.join("thesis.txt"), "x").expect("written");
        let error = Fixed::claim_folder(&theirs).expect_err("refused");
        assert!(error.message.contains("not picardc's"), "{}", error.message);
        assert!(theirs.join("thesis.txt").exists());

        let ours = folder.path().join("ours");
        let fixed = Fixed::claim_folder(&ours).expect("taken");
        fs::create_dir_all(ours.join("a/b")).expect("made");
        #[cfg(unix)]
        std::os::unix::fs::symlink(&theirs, ours.join("link")).expect("linked");
        fixed.clear_folder().expect("emptied");
        assert_eq!(fs::read_dir(&ours).expect("read").count(), 1, "the marker");
        assert!(theirs.join("thesis.txt").exists(), "links are not followed");
        let error = Fixed::claim_folder(&ours).expect_err("locked");
        assert!(error.message.contains("another run"), "{}", error.message);
        drop(fixed);
        Fixed::claim_folder(&ours).expect("taken again");
    }
}
