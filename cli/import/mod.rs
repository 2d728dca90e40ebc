//! `picardc import`: suites of other tools as `.pcd`. Each tool has a folder; `gold` is for BIRD and Spider, which differ only in layout.
//!
//! Every importer returns an [`Imported`]; [`finish_import`] formats it, writes it, and reports what was left out. `source` renders source text, and `judge`
//! checks suites with the compiler.

pub mod gold;
pub mod judge;
pub mod kramabench;
mod obstacle;
pub mod picard;
pub mod source;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use ::report::render::words::format_count;
use compiler::host::MAX_FIXTURE_BYTES;

use crate::command_error::CommandError;
use crate::console::Console;
use crate::exit::Exit;
use crate::load::read_file;
use crate::whole_file::save_text;
pub use obstacle::Obstacle;

/// Translate a suite of another tool
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Translate a suite of another tool into a .pcd file. Every question that is written passes `check`. What cannot be \
                  translated is listed, on the terminal and at the end of the file, with the reason and what to do.",
    after_help = "Exit status: 0 everything was translated; 1 something was left out; 2 usage error; 3 a file cannot be read or \
                  written.\n\nExample:\n  picardc import picard questions.yaml -o questions.pcd\n  picardc check questions.pcd"
)]
pub struct Args {
    #[command(subcommand)]
    source: Source,
}

#[derive(Debug, clap::Subcommand)]
enum Source {
    Picard(picard::Args),
    Kramabench(kramabench::Args),
    /// Translate a data set in the layout of BIRD
    #[command(
        long_about = "Translate a data set in the layout of BIRD: `dev.json` with questions and gold queries, and `dev_databases/ID/ID.sqlite`. The suite has an \
                      instance for each question. It reads the questions from a JSON file that is written next to it, in which texts in double quotes are \
                      written in single quotes. A question whose gold query fails, changes the database, returns no rows, or depends on the order of \
                      equal rows is left out and listed. Questions keep their ids; the second one of id 137 becomes 137_2.",
        after_help = "Exit status: 0 every question was translated; 1 something was left out; 2 usage error; 3 a file cannot be read or \
                      written.\n\nExample:\n  picardc import bird bird -o bird.pcd\n  picardc check bird.pcd"
    )]
    Bird(gold::Args),
    /// Translate a data set in the layout of Spider
    #[command(
        long_about = "Translate a data set in the layout of Spider: `dev.json` with questions and gold queries, and `database/ID/ID.sqlite`. The suite has an \
                      instance for each question, which is named by its place in the file, from 1. It reads the questions from a JSON file that is written \
                      next to it, in which texts in double quotes are written in single quotes. A question whose gold query fails, changes the database, \
                      returns no rows, or depends on the order of equal rows is left out and listed.",
        after_help = "Exit status: 0 every question was translated; 1 something was left out; 2 usage error; 3 a file cannot be read or \
                      written.\n\nExample:\n  picardc import spider spider -o spider.pcd\n  picardc check spider.pcd"
    )]
    Spider(gold::Args),
}

/// Runs the command and returns its exit status.
pub fn run_command(args: &Args, console: &Console) -> Result<Exit, CommandError> {
    match &args.source {
        Source::Picard(args) => picard::run_import(args, console),
        Source::Kramabench(args) => kramabench::run_import(args, console),
        Source::Bird(args) => gold::run_import(args, &gold::BIRD, console),
        Source::Spider(args) => gold::run_import(args, &gold::SPIDER, console),
    }
}

/// Where the suite is written.
#[derive(Debug, clap::Args)]
pub struct Out {
    /// The suite to write
    #[arg(short, long, value_name = "SUITE")]
    pub out: PathBuf,
    /// Replace an existing file at SUITE
    #[arg(long)]
    pub force: bool,
}

impl Out {
    /// Checks that the suite may be written: its file does not exist, or `--force` is given.
    pub fn require_free(&self) -> Result<(), CommandError> {
        self.require_writable(&self.out)
    }

    /// Checks this for a file that is written together with the suite.
    pub fn require_writable(&self, path: &Path) -> Result<(), CommandError> {
        if self.force || !path.exists() {
            return Ok(());
        }
        let message = format!("`{}` already exists", disk::show_path(&path));
        Err(CommandError::new_usage(message, "give another path, or replace the file with --force"))
    }

    /// The name of the suite, derived from its path.
    pub fn to_suite_name(&self) -> String {
        let stem = self.out.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        source::to_identifier(&stem, "suite")
    }

    /// Explains that the folder of `what`, such as a lake, is not below the suite's folder.
    pub fn explain_not_below(&self, what: &str, folder: &Path) -> CommandError {
        let (folder, out) = (disk::show_path(folder), disk::show_path(&self.out));
        CommandError::new_usage(
            format!("the {what} `{folder}` is not below the folder of `{out}`"),
            format!("write the suite to a folder above the {what}, or copy the {what} into a folder next to it"),
        )
    }

    /// Returns the path of a folder relative to the suite's folder, with `/`; `None` if it is not below it.
    ///
    /// # Errors
    /// If the folder or the suite's folder cannot be read.
    pub fn find_relative_folder(&self, folder: &Path) -> io::Result<Option<String>> {
        let home = self.out.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let (home, folder) = (fs::canonicalize(home)?, fs::canonicalize(folder)?);
        let below = folder.strip_prefix(&home).ok().and_then(Path::to_str).filter(|below| !below.is_empty());
        Ok(below.map(|below| below.replace(std::path::MAIN_SEPARATOR, "/")))
    }
}

/// Reads a JSON file. `help` is the advice if it is not JSON.
fn read_json(path: &str, help: &str) -> Result<serde_json::Value, CommandError> {
    let bytes = read_file(path, MAX_FIXTURE_BYTES)?;
    serde_json::from_slice(&bytes)
        .map_err(|error| CommandError::new_usage(format!("`{}` is not JSON: {error}", disk::show_path(path)), help))
}

/// The result of an import.
#[derive(Debug)]
pub struct Imported {
    /// The source of the suite, not formatted.
    pub suite: String,
    /// The number of questions in it.
    pub questions: usize,
    /// The parts that were left out.
    pub left_out: Vec<LeftOut>,
    /// Changes to the original, such as to IDs: sentences without the last period.
    pub notes: Vec<String>,
    /// The files that the suite reads, which are written with it: path and content.
    pub files: Vec<(PathBuf, String)>,
}

/// A part that was not imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The name of the part, such as `question 301`.
    pub what: String,
    /// The reason, and advice: sentences without the last period.
    pub why: String,
}

/// Formats the suite, writes it, and reports the result. `from` is the imported file.
pub fn finish_import(imported: &Imported, from: &Path, out: &Out, console: &Console) -> Result<Exit, CommandError> {
    let from = disk::show_path(from);
    if imported.questions == 0 {
        console.print_block(&render_left_out(&imported.left_out));
        let message = format!("no question of `{from}` can be imported, so nothing is written");
        let help = "change the questions as the list says, and import again";
        return Err(CommandError::new(Exit::NotGood, message).help(help));
    }
    let text = compiler::fmt::format_source(&with_list(imported)).map_err(|_| {
        CommandError::new(Exit::Outside, format!("the suite of `{from}` cannot be laid out"))
            .help("this is a defect of picardc; please report it, with the file")
    })?;
    out.require_free()?;
    let suite = (out.out.clone(), text);
    for (path, text) in imported.files.iter().chain([&suite]) {
        save_text(path, text)?;
    }
    console.print_block(&render_left_out(&imported.left_out));
    console.print_block(&imported.notes.iter().map(|note| format!("note: {note}\n")).collect::<String>());
    let left = match imported.left_out.len() {
        0 => String::new(),
        1 => "; 1 was left out".to_owned(),
        many => format!("; {many} were left out"),
    };
    let questions = format_count(imported.questions as u64, "question");
    console.print_message(&format!("wrote {}: {questions}{left}", disk::show_path(&out.out)));
    Ok(if imported.left_out.is_empty() { Exit::Done } else { Exit::NotGood })
}

/// Renders one line for each part, for people.
fn render_left_out(left_out: &[LeftOut]) -> String {
    left_out.iter().map(|LeftOut { what, why }| format!("left out: {what}: {why}\n")).collect()
}

/// Returns the suite with comments at its end that list what was changed and left out.
fn with_list(imported: &Imported) -> String {
    let list = |verb: &str, items: Vec<String>| {
        let head =
            if items.is_empty() { String::new() } else { format!("\n# {verb} when this suite was imported\n#\n") };
        items.iter().fold(head, |text, item| text + &source::render_comment(item))
    };
    let notes = imported.notes.iter().map(|note| format!("- {note}.")).collect();
    let left_out = imported.left_out.iter().map(|LeftOut { what, why }| format!("- {what}: {why}.")).collect();
    format!("{}{}{}", imported.suite, list("Changed", notes), list("Left out", left_out))
}
