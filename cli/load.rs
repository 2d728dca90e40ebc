//! Compiles the suite that a command names.

use std::io::{self, Read as _};
use std::path::Path;

use api::Suite;
use compiler::diagnostics::{Diagnostic, Severity};

use crate::command_error::CommandError;
use crate::console::Console;
use crate::exit::Exit;
use crate::render::{self, Tally};
use crate::stages::StagesArg;
use host::Disk;

/// Checks that `path` can be read. For a folder or a missing file, the exit status is that of wrong use, and otherwise that of an outside failure.
pub fn check_readable(path: &str) -> Result<(), CommandError> {
    // Reading one byte suffices: a folder can be opened, and fails only when read.
    let readable = disk::open_regular(Path::new(path)).and_then(|file| file.take(1).read_to_end(&mut Vec::new()));
    readable.map(drop).map_err(|error| {
        use io::ErrorKind::{InvalidInput, IsADirectory, NotADirectory, NotFound};
        let (why, exit) = match error.kind() {
            NotFound | NotADirectory => ("the file does not exist".to_owned(), Exit::Usage),
            InvalidInput => (error.to_string(), Exit::Usage),
            IsADirectory => ("it is a folder".to_owned(), Exit::Usage),
            io::ErrorKind::PermissionDenied => ("permission denied".to_owned(), Exit::Outside),
            _ => (error.to_string(), Exit::Outside),
        };
        CommandError::new(exit, format!("cannot read `{}`: {why}", disk::show_path(path)))
    })
}

/// Reads a file of at most `most` bytes, with the errors of [`check_readable`].
pub fn read_file(path: &str, most: u64) -> Result<Vec<u8>, CommandError> {
    check_readable(path)?;
    disk::read_regular(Path::new(path), most).map_err(|error| CommandError::new_io("read", path, error))
}

/// Compiles the suite like [`load_suite`], with its stages asked in the selected way.
pub fn load_staged(path: &str, stages: StagesArg, console: &Console) -> Result<Suite, CommandError> {
    stages.apply_stages(load_suite(path, console)?)
}

/// Compiles `path` for a command that makes instances, and prints its diagnostics. Errors in the suite return status 1.
pub fn load_suite(path: &str, console: &Console) -> Result<Suite, CommandError> {
    check_readable(path)?;
    let suite = Suite::compile(path, &Disk::new(path));
    let mut tally = Tally::default();
    let good = suite.plan().is_some();
    let shown: Vec<&Diagnostic> = suite
        .diagnostics()
        .iter()
        .filter(|said| !console.quiet || !good && said.severity() == Severity::Error)
        .collect();
    if !shown.is_empty() {
        console.print_message(&render::human::render_all(&shown, suite.sources(), console, &mut tally));
        console.print_message(&tally.render_summary());
    }
    if good {
        return Ok(suite);
    }
    if shown.is_empty() {
        return Err(CommandError::new(Exit::NotGood, format!("`{}` gives nothing to build", disk::show_path(path))));
    }
    Err(Exit::NotGood.into())
}
