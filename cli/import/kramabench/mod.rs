//! `picardc import kramabench`: a workload of KramaBench and its lake. `workload` reads the questions, `lake` finds the files of a question, `answer`
//! builds the expectation, `write` renders the source, and `draft` checks it with the compiler.

mod answer;
mod draft;
mod lake;
mod workload;
mod write;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use compiler::host::{Entry, EntryKind};

use crate::command_error::CommandError;
use crate::console::Console;
use crate::exit::Exit;

use super::{Imported, LeftOut, Out, finish_import, read_json};
use lake::Files;

/// Translate a workload of KramaBench
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Translate a workload of KramaBench: a JSON list of tasks with their questions, published answers, and steps. The suite \
                  has a task for each question, with a stage for each of its steps. It hands out the files that the question and its \
                  steps name as their sources. The answer keys are the published answers: each task has the tag `published`.",
    after_help = "Exit status: 0 everything was translated; 1 something was left out; 2 usage error; 3 a file cannot be read or \
                  written.\n\nExample:\n  picardc import kramabench workload/legal.json --lake data/legal -o legal.pcd\n  picardc \
                  selftest legal.pcd"
)]
pub struct Args {
    /// The workload
    #[arg(value_name = "WORKLOAD")]
    workload: PathBuf,
    /// The folder of the lake, below the folder of SUITE, which hands it out
    #[arg(long, value_name = "DIR")]
    lake: PathBuf,
    #[command(flatten)]
    out: Out,
}

/// Runs the import and returns its exit status.
pub fn run_import(args: &Args, console: &Console) -> Result<Exit, CommandError> {
    args.out.require_free()?;
    finish_import(&import_workload(args)?, &args.workload, &args.out, console)
}

/// Imports the suite of a workload.
fn import_workload(args: &Args) -> Result<Imported, CommandError> {
    let (Some(workload), Some(out)) = (args.workload.to_str(), args.out.out.to_str()) else {
        return Err(CommandError::new_usage("a path is not UTF-8", "rename the file or folder"));
    };
    let folder = resolve_lake_folder(args)?;
    let json = read_json(workload, "correct it; NaN is not JSON, for example")?;
    let files = list_lake_files(&args.lake)?;
    let mut left_out: Vec<LeftOut> = Vec::new();
    let questions = workload::parse_questions(&json, &mut left_out).map_err(|why| {
        CommandError::new_usage(format!("`{workload}` is not a workload of KramaBench: {why}"), "give another file")
    })?;
    let title = args.workload.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let place = write::Place { suite: &args.out.to_suite_name(), title: &title, folder: &folder, files: &files };
    let (head, tasks) = write::build_suite(&place, &questions, &mut left_out);
    let tasks = draft::select_accepted(out, &head, tasks, &mut left_out);
    let suite = tasks.iter().fold(head, |suite, task| suite + &task.to_source());
    let questions = tasks.iter().map(|task| 1 + task.stages.len()).sum();
    Ok(Imported { suite, questions, left_out, notes: Vec::new(), files: Vec::new() })
}

/// The advice for a lake that is not a folder, or has no files.
const GIVE_FOLDER: &str = "give the folder that has the files of the workload";

/// Returns the lake's folder, relative to the suite's.
fn resolve_lake_folder(args: &Args) -> Result<String, CommandError> {
    let shown = disk::show_path(&args.lake);
    let unread = |error: io::Error| {
        CommandError::new_usage(
            format!("cannot read the folder `{shown}`: {error}"),
            "give the path of a folder that exists",
        )
    };
    let below = args.out.find_relative_folder(&args.lake).map_err(unread)?;
    if !args.lake.is_dir() {
        return Err(CommandError::new_usage(format!("`{shown}` is not a folder"), GIVE_FOLDER));
    }
    let below = below.ok_or_else(|| args.out.explain_not_below("lake", &args.lake))?;
    let lake = fs::canonicalize(&args.lake).map_err(unread)?;
    if fs::canonicalize(&args.workload).is_ok_and(|workload| workload.starts_with(&lake)) {
        let message =
            format!("`{}` is inside the lake, so agents would receive the answers", disk::show_path(&args.workload));
        return Err(CommandError::new_usage(message, "move the workload out of the lake"));
    }
    Ok(below)
}

/// Lists the files of a lake.
fn list_lake_files(folder: &Path) -> Result<Files, CommandError> {
    let shown = disk::show_path(&folder);
    let listed = fs::canonicalize(folder).and_then(|folder| disk::list_entries(&folder));
    let listed = listed.map_err(|error| {
        CommandError::new_usage(format!("cannot read the folder `{shown}`: {error}"), "give a folder that can be read")
    })?;
    let listed: Vec<Entry> = listed.into_iter().filter(|entry| entry.kind != EntryKind::Hidden).collect();
    if let Some(odd) = listed.iter().find(|entry| !matches!(entry.kind, EntryKind::File(_))) {
        let message = format!("`{}` in the lake `{shown}` is not a regular file with a name in UTF-8", odd.path);
        return Err(CommandError::new_usage(message, "replace a link by the file that it leads to, or remove it"));
    }
    if listed.is_empty() {
        return Err(CommandError::new_usage(format!("the lake `{shown}` has no files"), GIVE_FOLDER));
    }
    Ok(Files::new(listed.into_iter().map(|entry| entry.path).collect()))
}
