//! The wheel of the command, which is placed in the folder of each task.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use records::Error;

use crate::build::describe_compiler;
use crate::export::folder::Folder;

/// A wheel of this version of the command.
pub(super) struct Wheel {
    name: String,
    /// The path of the file to copy: the first task gets a copy, and the others get hard links to it if the file system supports them.
    path: PathBuf,
    is_ours: bool,
}

/// Returns a pattern for the name of the wheel.
pub(super) fn build_name_pattern() -> String {
    format!("picardc_cli-{}-*.whl", describe_compiler().version)
}

impl Wheel {
    /// Checks the file that the user named.
    ///
    /// # Errors
    /// If it is not a wheel of the command in this version, or cannot be read.
    pub(super) fn from_path(path: &Path) -> Result<Wheel, Error> {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        let is_named =
            name.starts_with(&format!("picardc_cli-{}-", describe_compiler().version)) && name.ends_with(".whl");
        let mut start = [0; 4];
        let read = disk::open_regular(path).and_then(|mut file| file.read(&mut start));
        read.map_err(|error| Error::new_io("read", path, &error))?;
        // A wheel is a zip archive.
        if !is_named || start != *b"PK\x03\x04" {
            let message = format!("`{}` is not the wheel of the command in this version", disk::show_path(path));
            return Err(
                Error::new_usage(message).help(format!("give {}, which `./dist wheels` builds", build_name_pattern()))
            );
        }
        Ok(Wheel { name, path: path.to_owned(), is_ours: false })
    }

    /// Copies or links the wheel into a folder of the export.
    pub(super) fn copy_into(&mut self, folder: &Folder, at: &str) -> Result<(), Error> {
        let to = format!("{at}/{}", self.name);
        let place = if self.is_ours { Folder::link_or_copy } else { Folder::copy_from };
        self.path = place(folder, &self.path, &to)?;
        self.is_ours = true;
        Ok(())
    }
}
