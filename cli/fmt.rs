//! `picardc fmt`: formats source files in the canonical layout.

use std::fs;
use std::io::{self, Read as _};

use compiler::Sources;
use compiler::fmt::{MEANING, Refusal as Refused};
use compiler::host::MAX_SOURCE_BYTES;
use disk::show_path;

use crate::console::Console;
use crate::exit::Exit;
use crate::fix::{self, Refusal};
use crate::load::check_readable;
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
pub fn run_command(args: &Args, console: &Console) -> Exit {
    let mut work = Work { args, console, data: String::new(), tally: Tally::default(), done: Done::default() };
    let exit = if args.files.iter().any(|path| path == "-") {
        if args.files.len() > 1 {
            console.print_error("`-` (standard input) does not go with other files", Some("give it alone"));
            return Exit::Usage;
        }
        work.format_stdin()
    } else {
        let (files, mut exit) = source_files::collect_sources(&args.files, console);
        for SourceFile { path, .. } in &files {
            let done = source_files::run_guarded(path, "laid out", console, || work.format_file(path));
            exit = exit.max(done.unwrap_or_else(|failed| failed));
        }
        exit
    };
    if work.done.files > 0 && !(exit == Exit::Done && args.files == ["-"]) {
        console.print_message(&work.done.render_summary(if work.is_dry() { "would change" } else { "changed" }));
    }
    console.print_data(&work.data, exit)
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

    fn format_stdin(&mut self) -> Exit {
        let mut bytes = Vec::new();
        if let Err(error) = io::stdin().lock().read_to_end(&mut bytes) {
            self.console.print_error(&format!("cannot read standard input: {error}"), None);
            return Exit::Outside;
        }
        let Some((before, after)) = self.format_bytes(STDIN, bytes) else { return Exit::NotGood };
        if self.is_dry() {
            return self.report_difference(STDIN, &before, &after);
        }
        self.data.push_str(&after);
        Exit::Done
    }

    fn format_file(&mut self, path: &str) -> Exit {
        if let Err(unreadable) = check_readable(path, self.console) {
            return unreadable;
        }
        let bytes = match disk::read_regular(path.as_ref(), MAX_SOURCE_BYTES) {
            Ok(bytes) => bytes,
            Err(error) => {
                self.console.print_error(&format!("cannot read `{}`: {error}", show_path(path)), None);
                return Exit::Outside;
            }
        };
        let Some((before, after)) = self.format_bytes(path, bytes) else { return Exit::NotGood };
        if self.is_dry() || before == after {
            return self.report_difference(path, &before, &after);
        }
        // A link is followed to its file.
        let written =
            fs::canonicalize(path).map_err(Refusal::Io).and_then(|place| fix::replace_text(&place, &before, &after));
        let why = match written {
            Ok(()) => {
                self.done.changed += 1;
                return Exit::Done;
            }
            Err(Refusal::Changed) => "it was changed while it was read; run the command again".to_owned(),
            Err(Refusal::Io(error)) => error.to_string(),
        };
        self.console.print_error(&format!("cannot write `{}`, it stays as it was: {why}", show_path(path)), None);
        Exit::Outside
    }

    /// Returns the text and the formatted text. If it cannot be formatted, prints the error and returns `None`.
    fn format_bytes(&mut self, path: &str, bytes: Vec<u8>) -> Option<(String, String)> {
        self.done.files += 1;
        let before = match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => {
                let at = error.utf8_error().valid_up_to() + 1;
                let message = format!("`{}` is not UTF-8 text, from byte {at} on, and stays as it is", show_path(path));
                self.console.print_error(&message, Some("save it as UTF-8"));
                self.done.wrong += 1;
                return None;
            }
        };
        match compiler::fmt::format_source(&before) {
            Ok(after) => Some((before, after)),
            Err(Refused::Meaning) => {
                self.console.print_error(
                    &format!("`{}` stays as it is: {MEANING}", show_path(path)),
                    Some("please report it, with the file"),
                );
                self.done.wrong += 1;
                None
            }
            Err(Refused::Mistakes(diagnostics)) => {
                let mut sources = Sources::default();
                sources.add_source(path, compiler::fmt::normalize_text(&before));
                let shown: Vec<_> = diagnostics.iter().collect();
                self.console.print_block(&render::human::render_all(&shown, &sources, self.console, &mut self.tally));
                self.done.wrong += 1;
                None
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
        let count = |number: usize| if number == 1 { "1 file".to_owned() } else { format!("{number} files") };
        let changed = format!("{} {verb}", count(self.changed));
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
