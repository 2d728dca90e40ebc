//! The code next to a file that the user named.

use std::fs;
use std::path::{Path, PathBuf};

use super::super::kinds::{CODE_FOLDERS, is_code, is_ours, is_secret, is_shared};
use super::protected_paths::is_linked;
use super::readable_paths::Readable;
use super::search::{DEEPEST, MAX_ENTRIES, Manner, Search};

/// Allows the file, and each code file in its folder and below. Folders are not allowed as a whole, because later files in them are not the program's.
/// Folders of installed code are searched.
pub fn next_to(file: &Path, search: &mut Search<'_>, into: &mut Readable) {
    let Some(folder) = file.parent() else { return };
    into.paths.push(file.to_owned());
    if is_shared(folder) {
        return;
    }
    let mut code = Code { search, into, left: MAX_ENTRIES, files: Vec::new(), installed: Vec::new() };
    code.scan_folder(folder, DEEPEST);
    let Code { left, files, installed, .. } = code;
    if left == 0 {
        into.notes.push(format!(
            "`{}` holds too many files: only those that --agent names are readable; give --read for more",
            disk::show_path(&folder)
        ));
        return;
    }
    into.listed.push(folder.to_owned());
    into.paths.extend(files);
    for folder in installed {
        if !search.allow_root(&folder, Manner::Installed, into) {
            into.unlooked.push(folder);
        }
    }
}

struct Code<'a, 's> {
    search: &'a Search<'s>,
    /// What was found in any case: picardc's folders, and files with answers that have several hard links.
    into: &'a mut Readable,
    /// The remaining number of entries to look at.
    left: usize,
    files: Vec<PathBuf>,
    /// Folders that contain only installed code.
    installed: Vec<PathBuf>,
}

impl Code<'_, '_> {
    fn scan_folder(&mut self, folder: &Path, levels: usize) {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten().take(self.left);
        let mut entries: Vec<_> = entries.filter_map(|entry| Some((entry.path(), entry.file_type().ok()?))).collect();
        self.left = self.left.saturating_sub(entries.len());
        entries.sort_by(|a, b| a.0.cmp(&b.0));
        let ours = self.search.ours;
        for (path, kind) in entries {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if ours.list_below(&path).next().is_some_and(|known| *known == path) {
                continue;
            }
            if kind.is_file() && is_code(&path) && !is_secret(&path) && !ours.has_number(&path) {
                self.files.push(path);
            } else if kind.is_file() && is_secret(&path) && is_linked(&path) {
                self.into.linked.push(path);
            } else if kind.is_dir() && levels > 0 {
                let tools = path.join("pyvenv.cfg").is_file() || CODE_FOLDERS.iter().any(|known| name == *known);
                if is_ours(&path) {
                    self.into.ours.push(path);
                } else if tools {
                    self.installed.push(path);
                } else if !name.starts_with('.') {
                    self.scan_folder(&path, levels - 1);
                }
            }
        }
    }
}
