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

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::console::Console;
use crate::exit::Exit;
use crate::whole_file;
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
    Bird(gold::BirdArgs),
    Spider(gold::SpiderArgs),
}

/// Runs the command and returns its exit status.
pub fn run_command(args: &Args, console: &Console) -> Exit {
    match &args.source {
        Source::Picard(args) => picard::run_import(args, console),
        Source::Kramabench(args) => kramabench::run_import(args, console),
        Source::Bird(args) => gold::run_bird(args, console),
        Source::Spider(args) => gold::run_spider(args, console),
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
    /// Checks that the suite may be written. If its file exists and `--force` is not given, prints an error and returns the exit status.
    pub fn require_free(&self, console: &Console) -> Result<(), Exit> {
        self.require_writable(&self.out, console)
    }

    /// Checks this for a file that is written together with the suite.
    pub fn require_writable(&self, path: &Path, console: &Console) -> Result<(), Exit> {
        if self.force || !path.exists() {
            return Ok(());
        }
        let help = "give another path, or replace the file with --force";
        console.print_error(&format!("`{}` already exists", disk::show_path(&path)), Some(help));
        Err(Exit::Usage)
    }

    /// The name of the suite, derived from its path.
    pub fn to_suite_name(&self) -> String {
        let stem = self.out.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        source::to_identifier(&stem, "suite")
    }

    /// Returns the path of a file next to the suite, with the same name and another extension.
    pub fn next_to(&self, ending: &str) -> PathBuf {
        self.out.with_extension(ending)
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
pub fn finish_import(imported: &Imported, from: &Path, out: &Out, console: &Console) -> Exit {
    if imported.questions == 0 {
        console.print_block(&render_left_out(&imported.left_out));
        let help = "change the questions as the list says, and import again";
        console.print_error(
            &format!("no question of `{}` can be imported, so nothing is written", disk::show_path(&from)),
            Some(help),
        );
        return Exit::NotGood;
    }
    let text = match compiler::fmt::format_source(&with_list(imported)) {
        Ok(text) => text,
        Err(_) => {
            let help = "this is a defect of picardc; please report it, with the file";
            console.print_error(&format!("the suite of `{}` cannot be laid out", disk::show_path(&from)), Some(help));
            return Exit::Outside;
        }
    };
    if let Err(exit) = out.require_free(console) {
        return exit;
    }
    let suite = (out.out.clone(), text);
    for (path, text) in imported.files.iter().chain([&suite]) {
        if let Err(error) = whole_file::write_whole(path, text) {
            console.print_error(&format!("cannot write `{}`: {error}", disk::show_path(&path)), None);
            return Exit::Outside;
        }
    }
    console.print_block(&render_left_out(&imported.left_out));
    console.print_block(&imported.notes.iter().map(|note| format!("note: {note}\n")).collect::<String>());
    let questions = |count: usize| format!("{count} question{}", if count == 1 { "" } else { "s" });
    let left = match imported.left_out.len() {
        0 => String::new(),
        1 => "; 1 was left out".to_owned(),
        many => format!("; {many} were left out"),
    };
    console.print_message(&format!("wrote {}: {}{left}", disk::show_path(&out.out), questions(imported.questions)));
    if imported.left_out.is_empty() { Exit::Done } else { Exit::NotGood }
}

/// Renders one line for each part, for people.
fn render_left_out(left_out: &[LeftOut]) -> String {
    left_out.iter().fold(String::new(), |mut text, LeftOut { what, why }| {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "left out: {what}: {why}");
        text
    })
}

/// Returns the suite with comments at its end that list what was changed and left out.
fn with_list(imported: &Imported) -> String {
    let mut text = imported.suite.clone();
    if !imported.notes.is_empty() {
        text.push_str("\n# Changed when this suite was imported\n#\n");
        imported.notes.iter().for_each(|note| text.push_str(&source::render_comment(&format!("- {note}."))));
    }
    if imported.left_out.is_empty() {
        return text;
    }
    text.push_str("\n# Left out when this suite was imported\n#\n");
    for LeftOut { what, why } in &imported.left_out {
        text.push_str(&source::render_comment(&format!("- {what}: {why}.")));
    }
    text
}
