//! `picardc fmt`: formats source files in the canonical layout.

use std::fs;
use std::io::{self, Read as _};

use ::report::render::words::format_count;
use compiler::Sources;
use compiler::fmt::{MEANING, Refusal as Refused};
use compiler::host::MAX_SOURCE_BYTES;
use disk::show_path;

use crate::command_error::CommandError;
use crate::console::Console;
use crate::exit::Exit;
use crate::fix::{self, Refusal};
use crate::load::read_file;
use crate::render::{self, Tally};
use crate::source_files::{self, SourceFile};

/// Format source files in the canonical layout
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Format source files in the one canonical layout: indentation, spaces, line breaks, and aligned columns. Comments, SQL, \
                  and the meaning of the file do not change. A file with a syntax error is not changed.",
    after_help = "Exit status: 0 success; 1 a file has syntax errors, or (with --check or --diff) would change; 2 usage error; 3 a file \
                  cannot be read or written.\n\nExample:\n  picardc fmt suites/past.pcd\n  picardc fmt --check suites\n  picardc fmt - < \
                  draft.pcd"
)]
pub struct Args {
    /// Files, folders whose .pcd files are formatted, or `-` to format standard input to standard output
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Write nothing, and list the files that would change
    #[arg(long)]
    check: bool,
    /// Write nothing, and print the changes as a unified diff
    #[arg(long)]
    diff: bool,
}

/// The name of standard input.
const STDIN: &str = "<stdin>";

/// Runs the command and returns its exit status.
pub fn run_command(args: &Args, console: &Console) -> Result<Exit, CommandError> {
    let mut work = Work { args, console, data: String::new(), tally: Tally::default(), done: Done::default() };
    let exit = if args.files.iter().any(|path| path == "-") {
        if args.files.len() > 1 {
            let message = "`-` (standard input) does not go with other files";
            return Err(CommandError::new_usage(message, "give it alone"));
        }
        work.format_stdin().unwrap_or_else(|error| error.report_to(console))
    } else {
        let (files, mut exit) = source_files::collect_sources(&args.files, console);
        for SourceFile { path, .. } in &files {
            let done = source_files::run_guarded(path, "laid out", || work.format_file(path));
            exit = exit.max(done.flatten().unwrap_or_else(|error| error.report_to(console)));
        }
        exit
    };
    if work.done.files > 0 && !(exit == Exit::Done && args.files == ["-"]) {
        console.print_message(&work.done.render_summary(if work.is_dry() { "would change" } else { "changed" }));
    }
    Ok(console.print_data(&work.data, exit))
}

/// The state that is collected over all files.
struct Work<'a> {
    args: &'a Args,
    console: &'a Console,
    data: String,
    tally: Tally,
    done: Done,
}

impl Work<'_> {
    fn is_dry(&self) -> bool {
        self.args.check || self.args.diff
    }

    fn format_stdin(&mut self) -> Result<Exit, CommandError> {
        let mut bytes = Vec::new();
        let read = io::stdin().lock().read_to_end(&mut bytes);
        read.map_err(|error| CommandError::new(Exit::Outside, format!("cannot read standard input: {error}")))?;
        let (before, after) = self.format_bytes(STDIN, bytes)?;
        if self.is_dry() {
            return Ok(self.report_difference(STDIN, &before, &after));
        }
        self.data.push_str(&after);
        Ok(Exit::Done)
    }

    fn format_file(&mut self, path: &str) -> Result<Exit, CommandError> {
        let bytes = read_file(path, MAX_SOURCE_BYTES)?;
        let (before, after) = self.format_bytes(path, bytes)?;
        if self.is_dry() || before == after {
            return Ok(self.report_difference(path, &before, &after));
        }
        // A link is followed to its file.
        let place = fs::canonicalize(path).map_err(Refusal::Io);
        let written = place.and_then(|place| fix::replace_text(&place, &before, &after));
        written.map_err(|refusal| refusal.into_error(path, "read"))?;
        self.done.changed += 1;
        Ok(Exit::Done)
    }

    /// Returns the text and the formatted text.
    fn format_bytes(&mut self, path: &str, bytes: Vec<u8>) -> Result<(String, String), CommandError> {
        self.done.files += 1;
        let formatted = self.try_format(path, bytes);
        self.done.wrong += usize::from(formatted.is_err());
        formatted
    }

    fn try_format(&mut self, path: &str, bytes: Vec<u8>) -> Result<(String, String), CommandError> {
        let before = String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to() + 1;
            let message = format!("`{}` is not UTF-8 text, from byte {at} on, and stays as it is", show_path(path));
            CommandError::new(Exit::NotGood, message).help("save it as UTF-8")
        })?;
        match compiler::fmt::format_source(&before) {
            Ok(after) => Ok((before, after)),
            Err(Refused::Meaning) => {
                let message = format!("`{}` stays as it is: {MEANING}", show_path(path));
                Err(CommandError::new(Exit::NotGood, message).help("please report it, with the file"))
            }
            Err(Refused::Mistakes(diagnostics)) => {
                let mut sources = Sources::default();
                sources.add_source(path, compiler::fmt::normalize_text(&before));
                let shown: Vec<_> = diagnostics.iter().collect();
                self.console.print_block(&render::human::render_all(&shown, &sources, self.console, &mut self.tally));
                Err(Exit::NotGood.into())
            }
        }
    }

    /// If a file would change, prints its path, or with --diff its diff.
    fn report_difference(&mut self, path: &str, before: &str, after: &str) -> Exit {
        if before == after {
            return Exit::Done;
        }
        self.done.changed += 1;
        if self.args.diff {
            self.data.push_str(&fix::render_unified_diff(path, before, after));
        } else {
            self.data.push_str(&format!("{}\n", show_path(path)));
        }
        Exit::NotGood
    }
}

/// The results for the files.
#[derive(Default)]
struct Done {
    files: usize,
    changed: usize,
    wrong: usize,
}

impl Done {
    fn render_summary(&self, verb: &str) -> String {
        let changed = format!("{} {verb}", format_count(self.changed as u64, "file"));
        let same = self.files - self.changed - self.wrong;
        let mut parts = vec![changed, format!("{same} unchanged")];
        if self.wrong > 0 {
            parts.push(format!(
                "{} left as {}, with errors",
                self.wrong,
                if self.wrong == 1 { "it is" } else { "they are" }
            ));
        }
        parts.join(", ")
    }
}
