//! `picardc check`: all errors and lints of all files at once.

use clap::ValueEnum;
use compiler::diagnostics::Diagnostic;

use crate::console::Console;
use crate::exit::Exit;
use crate::load::load;
use crate::render::{self, Tally};

/// Check suites: all errors and lints of all files at once
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Check suites: names, types, SQL, paths, whether predicates can hold and answers differ; all errors and lints of all files at \
                  once. Nothing is drawn or built.",
    after_help = "Exit status: 0 no errors; 1 errors (or warnings, with --deny-warnings); 2 wrong use; 3 a file cannot be read.\n\n\
                  Example:\n  picardc check suites/past.pcd\n  picardc check suites/*.pcd --format short --deny-warnings"
)]
pub struct Args {
    /// The suites
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// `human` (stderr), `short`: a line each (stdout), `json`: an object a line (stdout)
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Warnings fail the check
    #[arg(long)]
    deny_warnings: bool,
}

/// How diagnostics are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Human,
    Short,
    Json,
}

/// Runs it.
pub fn run(args: &Args, console: &Console) -> Exit {
    let mut tally = Tally::default();
    let mut exit = Exit::Done;
    let mut data = String::new();
    for path in &args.files {
        let compiled = match load(path, console) {
            Ok(compiled) => compiled,
            Err(unreadable) => {
                exit = exit.max(unreadable);
                continue;
            }
        };
        let shown: Vec<&Diagnostic> = compiled.diagnostics.iter().collect();
        match args.format {
            Format::Human => console.say_block(&render::human::all(&shown, &compiled.sources, console, &mut tally)),
            Format::Short => data.push_str(&render::short::all(&shown, &compiled.sources, &mut tally)),
            Format::Json => data.push_str(&render::json::all(&shown, &compiled.sources, &mut tally)),
        }
        if compiled.plan.is_none() {
            exit = exit.max(Exit::NotGood);
        }
    }
    if tally.errors > 0 || args.deny_warnings && tally.warnings > 0 {
        exit = exit.max(Exit::NotGood);
    }
    if args.format == Format::Human && exit < Exit::Usage {
        let clean = format!("{}: no errors, no warnings", count(args.files.len(), "file"));
        console.say(&if tally.is_clean() { clean } else { tally.summary() });
    }
    console.data(&data, exit)
}

fn count(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}
