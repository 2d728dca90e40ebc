//! `picardc infer`: prints a declaration for an existing file.

use std::path::Path;

use clap::ValueEnum;
use compiler::host::MAX_FIXTURE_BYTES;
use compiler::infer::{Form, Wanted, infer_declarations};

use crate::command_error::CommandError;
use crate::console::Console;
use crate::exit::Exit;
use crate::load::read_file;
use host::Disk;

/// Print a declaration for a data file
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Print a declaration that reads a data file: its encoding, delimiter, title rows, and footer, and its columns with their \
                  types, patterns, null marks, and a key. CSV, TSV, JSON, YAML, XML, HTML, and Excel files are read as tables (a declaration \
                  for each sheet, array, or table in them), other files as text. Columns whose headers are years, months, or one name with \
                  numbers become rows (`unpivot`). What is printed has passed `picardc check` on the file. Comments tell what is guessed, with \
                  the number of cells, and the last line how many cells no column has. Run the command in the folder of your suite: the \
                  path of a fixture or table is then the one that you give. A file outside this folder is printed without its folders: copy it \
                  into the folder. A view is also printed without folders: write those between the lake and the file before its name.",
    after_help = "Exit status: 0 success; 1 the file cannot be declared so, or a row does not fit the header; 2 usage error, or a file that does not exist; 3 the file cannot be read.\n\nExample:\n  \
                  picardc infer data/rain.csv\n  picardc infer survey.xlsx --sheet 2024 --as table"
)]
pub struct Args {
    /// The data file
    #[arg(value_name = "FILE")]
    file: String,
    /// Declare a view of a lake, a file of a task, or a table that the agent never receives
    #[arg(long = "as", value_enum, default_value_t = As::View)]
    form: As,
    /// Only this sheet of a workbook
    #[arg(long, value_name = "NAME")]
    sheet: Option<String>,
}

/// What is declared.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum As {
    View,
    Fixture,
    Table,
}

/// Runs the command and returns its exit status.
pub fn run_command(args: &Args, console: &Console) -> Result<Exit, CommandError> {
    let bytes = read_file(&args.file, MAX_FIXTURE_BYTES)?;
    let form = match args.form {
        As::View => Form::View,
        As::Fixture => Form::Fixture,
        As::Table => Form::Table,
    };
    let path = find_suite_path(&args.file);
    let wanted = Wanted { form, path, sheet: args.sheet.as_deref() };
    let found = infer_declarations(wanted, &bytes, &Disk::new(&args.file))
        .map_err(|error| CommandError::new(Exit::NotGood, error.message).help(error.help))?;
    Ok(console.print_data(&format!("{}\n{}\n", found.declarations.join("\n"), found.lost), Exit::Done))
}

/// Finds the path of a file in a suite in the current folder; for a file outside this folder, its name.
fn find_suite_path(file: &str) -> &str {
    let here = std::env::current_dir().ok();
    let inside = here.and_then(|here| Path::new(file).strip_prefix(here).ok().and_then(Path::to_str));
    let path = inside.unwrap_or(file).trim_start_matches("./");
    let is_below = !path.starts_with('/') && !path.split('/').any(|part| part == "..");
    if is_below { path } else { path.rsplit('/').next().unwrap_or(path) }
}
