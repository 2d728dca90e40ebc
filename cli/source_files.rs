//! Source files of a command line. A defect in the work on one does not stop the others.

use std::any::Any;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use disk::show_path;

use crate::command_error::CommandError;
use crate::console::Console;
use crate::exit::Exit;

/// A source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// The path.
    pub path: String,
    /// Whether it was found in a folder, and not named itself.
    pub found: bool,
}

/// Collects the named files, each once, in order. For a folder, these are the files below it that end in `.pcd`. Folders without such files, or that cannot be
/// read, are reported, and determine the exit status.
pub fn collect_sources(given: &[String], console: &Console) -> (Vec<SourceFile>, Exit) {
    let mut files: Vec<SourceFile> = Vec::new();
    let mut exit = Exit::Done;
    for path in given {
        if !Path::new(path).is_dir() {
            files.push(SourceFile { path: path.clone(), found: false });
            continue;
        }
        let mut found = Vec::new();
        if let Err(error) = collect_below(path, &mut found) {
            console.print_error(&format!("cannot read `{}`: {error}", show_path(path)), None);
            exit = exit.max(Exit::Outside);
        } else if found.is_empty() {
            console.print_error(&format!("no .pcd file in `{}`", show_path(path)), None);
            exit = exit.max(Exit::Usage);
        }
        files.extend(found.into_iter().map(|path| SourceFile { path, found: true }));
    }
    let mut seen = BTreeSet::new();
    files.retain(|file| seen.insert(file.path.clone()));
    (files, exit)
}

/// Collects the files below a folder, except for hidden folders and links to folders.
fn collect_below(folder: &str, files: &mut Vec<String>) -> io::Result<()> {
    let mut entries: Vec<fs::DirEntry> = fs::read_dir(folder)?.collect::<Result<_, _>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let Some(name) = entry.file_name().to_str().map(str::to_owned) else { continue };
        let path = format!("{}/{name}", folder.trim_end_matches('/'));
        if entry.file_type()?.is_dir() {
            if !name.starts_with('.') {
                collect_below(&path, files)?;
            }
        } else if name.ends_with(".pcd") && fs::metadata(&path).map_or(true, |is| is.is_file()) {
            files.push(path);
        }
    }
    Ok(())
}

/// Runs work on the file at `path`. A panic is an error, and does not stop the other work.
pub fn run_guarded<T>(path: &str, what: &str, work: impl FnOnce() -> T) -> Result<T, CommandError> {
    catch_panic(work).map_err(|why| {
        CommandError::new(Exit::Outside, format!("`{}` cannot be {what}: {why}", show_path(path)))
            .help("this is a defect of picardc; please report it, with the file")
    })
}

/// Runs work, and converts a panic to an error.
pub(crate) fn catch_panic<T>(work: impl FnOnce() -> T) -> Result<T, CommandError> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|why| {
        CommandError::new(Exit::Outside, format!("picardc itself failed: {}", describe_panic(why.as_ref())))
    })
}

/// Returns the message of a panic.
fn describe_panic(why: &(dyn Any + Send)) -> &str {
    let text = why.downcast_ref::<String>().map(String::as_str).or_else(|| why.downcast_ref::<&str>().copied());
    text.unwrap_or("it does not say why")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_exit_status() {
        assert_eq!(run_guarded("a.pcd", "checked", || 7), Ok(7));
        let failed = run_guarded("a.pcd", "checked", || -> u8 { panic!("byte index {}", 1) }).expect_err("it panics");
        assert_eq!(failed.report_to(&Console::PLAIN), Exit::Outside);
        let why = catch_unwind(|| panic!("byte index {}", 1)).expect_err("it panics");
        assert_eq!(describe_panic(why.as_ref()), "byte index 1");
    }
}
