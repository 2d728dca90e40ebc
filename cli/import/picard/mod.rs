//! `picardc import picard`: tests of PICARD, written in YAML.
//!
//! `definition` parses a test, and `text` its placeholders. `draft` is the task under construction: `files` (with `schema`) adds the files, whose `contents`
//! functions read; `functions` (with `paths`) translates calls, and `keys` the expectation. `task` puts it together, and checks it with the compiler.

mod contents;
mod definition;
mod draft;
mod expression;
mod files;
mod function_call;
mod functions;
mod keys;
mod paths;
mod schema;
mod task;
mod text;
mod types;

use std::path::{Path, PathBuf};

use compiler::host::MAX_SOURCE_BYTES;

use super::source::{self, Names};
use super::{Imported, LeftOut, Out, finish_import};
use crate::command_error::CommandError;
use crate::console::Console;
use crate::exit::Exit;
use crate::load::{check_readable, read_file};
use definition::Test;

/// Translate the tests of a YAML file of PICARD
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Translate the tests of a YAML file of PICARD into a suite: variables become drawn values, components become files, and \
                  template functions become expressions. A test that relies on a defect of PICARD is left out and listed, with what to do.",
    after_help = "Exit status: 0 every test was translated; 1 a test was left out; 2 usage error; 3 a file cannot be read or \
                  written.\n\nExample:\n  picardc import picard questions.yaml -o questions.pcd"
)]
pub struct Args {
    /// The YAML file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    out: Out,
}

/// Runs the import and returns its exit status.
pub fn run_import(args: &Args, console: &Console) -> Result<Exit, CommandError> {
    check_readable(&args.file.to_string_lossy())?;
    args.out.require_free()?;
    let bytes = read_file(&args.file.to_string_lossy(), MAX_SOURCE_BYTES)?;
    let imported = import_tests(&bytes, &args.file, &args.out.to_suite_name()).map_err(|(message, help)| {
        let message = format!("cannot import `{}`: {message}", disk::show_path(&args.file));
        CommandError::new(Exit::NotGood, message).help(help)
    })?;
    finish_import(&imported, &args.file, &args.out, console)
}

/// Imports the suite of a YAML file.
///
/// # Errors
/// If the file is not YAML, or does not contain tests: a message, and advice.
pub fn import_tests(bytes: &[u8], file: &Path, name: &str) -> Result<Imported, (String, String)> {
    let tree = tables::tree::yaml::read_yaml(bytes).map_err(|odd| (odd.message, odd.help))?;
    let tests = definition::find_tests(&tree)
        .map_err(|why| (why.to_string(), "give a file of test definitions of PICARD".to_owned()))?;
    let (mut tasks, mut left_out, mut names) = (Vec::new(), Vec::new(), Names::default());
    for (test, number) in tests.iter().zip(1..) {
        let translated = definition::check_ambiguity(&tree, test)
            .and_then(|()| definition::check_dependencies(test))
            .and_then(|()| Test::from_value(test))
            .and_then(|test| task::translate_test(&test));
        match translated {
            Ok(task) => tasks.push((names.take_name(&task.name, "q"), task)),
            Err(why) => {
                left_out.push(LeftOut { what: definition::describe_test(test, number), why: why.to_string() });
            }
        }
    }
    // The most frequent number of samples becomes that of the suite.
    let count = |samples: i64| tasks.iter().filter(|(_, task)| task.samples == samples).count();
    let samples =
        tasks.iter().map(|(_, task)| task.samples).max_by_key(|samples| (count(*samples), *samples)).unwrap_or(1);
    let shown = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut suite = format!(
        "## The tests of `{}`, imported from PICARD.\nsuite {name} {{\ntitle {}\nversion \"1.0.0\"\nsamples {samples}\n}}\n",
        shown.replace(['\n', '\r'], " "),
        source::render_string(&name.replace('_', " "))
    );
    for (name, task) in &tasks {
        let own = if task.samples == samples { String::new() } else { format!("samples {}\n", task.samples) };
        suite.push_str(&format!("\ntask {name} {{\n{own}{}}}\n", task.body));
    }
    Ok(Imported { suite, questions: tasks.len(), left_out, notes: Vec::new(), files: Vec::new() })
}
