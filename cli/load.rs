//! Compiles the suite that a command names.

use std::io::{self, Read as _};
use std::path::Path;

use api::Suite;
use compiler::diagnostics::{Diagnostic, Severity};

use crate::console::Console;
use crate::exit::Exit;
use crate::render::{self, Tally};
use crate::stages::StagesArg;
use host::Disk;

/// Checks that `path` can be read. Prints an error if not: for a folder or a missing file, the exit status is that of wrong use, and otherwise that of an
/// outside failure.
pub fn check_readable(path: &str, console: &Console) -> Result<(), Exit> {
    // Reading one byte suffices: a folder can be opened, and fails only when read.
    let readable = disk::open_regular(Path::new(path)).and_then(|file| file.take(1).read_to_end(&mut Vec::new()));
    if let Err(error) = readable {
        use io::ErrorKind::{InvalidInput, IsADirectory, NotADirectory, NotFound};
        let (why, exit) = match error.kind() {
            NotFound | NotADirectory => ("the file does not exist".to_owned(), Exit::Usage),
            InvalidInput => (error.to_string(), Exit::Usage),
            IsADirectory => ("it is a folder".to_owned(), Exit::Usage),
            io::ErrorKind::PermissionDenied => ("permission denied".to_owned(), Exit::Outside),
            _ => (error.to_string(), Exit::Outside),
        };
        console.print_error(&format!("cannot read `{}`: {why}", disk::show_path(path)), None);
        return Err(exit);
    }
    Ok(())
}

/// Compiles the suite like [`load_suite`], with its stages asked in the selected way.
pub fn load_staged(path: &str, stages: StagesArg, console: &Console) -> Result<Suite, Exit> {
    let suite = load_suite(path, console)?;
    stages.apply_stages(suite).map_err(|failure| {
        console.print_error(&failure.message, failure.help.as_deref());
        Exit::Usage
    })
}

/// Compiles `path` for a command that makes instances, and prints its diagnostics. Errors in the suite return status 1. A file that cannot be read is
/// printed as an error, too.
pub fn load_suite(path: &str, console: &Console) -> Result<Suite, Exit> {
    check_readable(path, console)?;
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
        console.print_error(&format!("`{}` gives nothing to build", disk::show_path(path)), None);
    }
    Err(Exit::NotGood)
}
