//! Compiles the suite that a command names.

use std::io::{self, Read as _};
use std::path::Path;

use compiler::diagnostics::{Diagnostic, Severity};
use compiler::{Compiled, Host, compile};
use plan::Plan;
use plan::span::FileId;

use crate::console::Console;
use crate::exit::Exit;
use crate::host::Disk;
use crate::render::{self, Tally};

/// Compiles `path`. `Err` (already said) when the file itself cannot be read.
pub fn load(path: &str, console: &Console) -> Result<Compiled, Exit> {
    readable(path, console)?;
    Ok(compile_with(path, &Disk::new(path)))
}

/// Whether `path` can be read. `Err` (already said) when it cannot: a folder or no file is wrong use, anything else the outside.
pub fn readable(path: &str, console: &Console) -> Result<(), Exit> {
    // A byte tells: a folder opens, and fails only when read.
    let readable = disk::open(Path::new(path)).and_then(|file| file.take(1).read_to_end(&mut Vec::new()));
    if let Err(error) = readable {
        use io::ErrorKind::{InvalidInput, IsADirectory, NotADirectory, NotFound};
        let (why, exit) = match error.kind() {
            NotFound | NotADirectory => ("the file does not exist".to_owned(), Exit::Usage),
            InvalidInput => (error.to_string(), Exit::Usage),
            IsADirectory => ("it is a folder".to_owned(), Exit::Usage),
            io::ErrorKind::PermissionDenied => ("permission denied".to_owned(), Exit::Outside),
            _ => (error.to_string(), Exit::Outside),
        };
        console.error(&format!("cannot read `{path}`: {why}"), None);
        return Err(exit);
    }
    Ok(())
}

/// Compiles `path`, read through `host`.
pub fn compile_with(path: &str, host: &dyn Host) -> Compiled {
    let mut compiled = compile(path, host);
    sort(&mut compiled.diagnostics);
    compiled
}

/// By file, then by place.
fn sort(diagnostics: &mut [Diagnostic]) {
    diagnostics
        .sort_by_key(|said| (said.primary.span.file, said.primary.span.start, said.primary.span.end, said.code.id));
}

/// Compiles `path` for a command that needs its plan: says what there is to say, and gives up (1) on errors.
pub fn load_plan(path: &str, console: &Console, quiet: bool) -> Result<(Compiled, Plan), Exit> {
    let mut compiled = load(path, console)?;
    let mut tally = Tally::default();
    let plan = compiled.plan.take();
    let shown: Vec<&Diagnostic> = compiled
        .diagnostics
        .iter()
        .filter(|said| !quiet || plan.is_none() && said.severity() == Severity::Error)
        .collect();
    if !shown.is_empty() {
        console.say(&render::human::all(&shown, &compiled.sources, console, &mut tally));
        console.say(&tally.summary());
    }
    match plan {
        Some(plan) => Ok((compiled, plan)),
        None => {
            if shown.is_empty() {
                console.error(&format!("`{path}` gives nothing to build"), None);
            }
            Err(Exit::NotGood)
        }
    }
}

/// The digest of all that a suite was compiled from. The root counts under its bare name: where it lies makes no difference.
pub fn source_digest(compiled: &Compiled) -> String {
    let root = compiled.sources.get(FileId(0)).map_or("", |source| source.path.as_str());
    let folder = root.rfind('/').map_or("", |slash| &root[..=slash]);
    let content = compiled.sources.content();
    runtime::bundle::source_digest(
        content.into_iter().map(|(path, bytes)| (path.strip_prefix(folder).unwrap_or(path), bytes)),
    )
}
