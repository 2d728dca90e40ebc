//! The source of a call: a file below the folder of the server, or a text.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use compiler::host::MAX_SOURCE_BYTES;

use super::call::{Arguments, ToolResult, find_text};
use crate::overlay::{Overlay, Texts};
use host::Disk;

/// The path for a text without one.
const UNNAMED: &str = "suite.pcd";

/// The folder of the server, which is the current folder of the process.
pub struct Folder {
    /// The canonical path.
    real: PathBuf,
}

/// A source, and the files next to it.
pub struct CallSource {
    /// The path, relative to the folder.
    pub path: String,
    /// The text.
    pub text: String,
    /// The files.
    pub disk: Disk,
    /// The texts that differ from those on disk.
    pub texts: Texts,
}

impl Folder {
    /// Changes the current folder of the process to this folder.
    pub fn enter_folder(folder: &Path) -> io::Result<Folder> {
        std::env::set_current_dir(folder)?;
        Ok(Folder { real: fs::canonicalize(".")? })
    }

    /// Resolves the source of a call.
    pub fn resolve_given(&self, arguments: &Arguments) -> Result<CallSource, ToolResult> {
        let (source, path) = (find_text(arguments, "source"), find_text(arguments, "path"));
        if source.is_none() && path.is_none() {
            return Err(ToolResult::new_error("give `source`, the text of a suite, or `path`, a .pcd file"));
        }
        let path = path.unwrap_or(UNNAMED);
        self.confine_path(path)?;
        let disk = Disk::new(path);
        let mut texts = Texts::default();
        let text = match source {
            Some(text) => {
                texts.put_text(path, text, text.to_owned());
                text.to_owned()
            }
            None => {
                let bytes = disk::read_regular(Path::new(path), MAX_SOURCE_BYTES)
                    .map_err(|error| ToolResult::new_error(format!("cannot read `{path}`: {error}")))?;
                // The compiler reports text that is not UTF-8.
                String::from_utf8_lossy(&bytes).into_owned()
            }
        };
        Ok(CallSource { path: path.to_owned(), text, disk, texts })
    }

    /// Rejects paths that are not below the folder, also through links. The file need not exist.
    fn confine_path(&self, path: &str) -> Result<(), ToolResult> {
        let outside = || {
            let message = "is not a path below the folder of the server; write it relative to that, with `/`";
            ToolResult::new_error(format!("`{path}` {message}"))
        };
        let parts_are_plain = path.split('/').all(|part| !matches!(part, "" | "." | "..")) && !path.contains('\\');
        if !parts_are_plain || Path::new(path).is_absolute() {
            return Err(outside());
        }
        let mut place = Path::new(path);
        loop {
            match fs::canonicalize(place) {
                Ok(real) if real.starts_with(&self.real) => return Ok(()),
                Ok(_) => return Err(outside()),
                // A dangling link is an existing name.
                Err(_) if fs::symlink_metadata(place).is_ok() => return Err(outside()),
                Err(_) => match place.parent().filter(|parent| !parent.as_os_str().is_empty()) {
                    Some(parent) => place = parent,
                    None => return Ok(()),
                },
            }
        }
    }
}

impl CallSource {
    /// The compiler's host.
    pub fn as_host(&self) -> Overlay<'_> {
        Overlay { disk: &self.disk, texts: &self.texts }
    }
}
