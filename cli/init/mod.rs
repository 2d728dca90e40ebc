//! `picardc init`: creates a small suite to start from.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::command_error::CommandError;
use crate::console::Console;
use crate::exit::Exit;
use crate::whole_file;

/// The source of the suite, with the name [`PLACEHOLDER`].
const SUITE: &str = include_str!("suite.pcd");
/// The name of the suite in [`SUITE`].
const PLACEHOLDER: &str = "my_suite";

/// Create a small suite to start from
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Create a small suite that builds, with comments that explain it: two tasks, a CSV file, a database, and answers in the \
                  reply and in a file. The suite is DIR/NAME.pcd, where NAME is the name of the folder. Existing files are never \
                  overwritten.",
    after_help = "Example:\n  picardc init harbour\n  picardc check harbour/harbour.pcd"
)]
pub struct Args {
    /// The folder; it is created if it does not exist
    #[arg(value_name = "DIR", default_value = ".")]
    dir: PathBuf,
}

/// Runs the command and returns its exit status.
pub fn run_command(args: &Args, console: &Console) -> Result<Exit, CommandError> {
    if let Some(file) = args.dir.ancestors().find(|part| part.exists() && !part.is_dir()) {
        let message = format!("`{}` is a file, and a suite is written into a folder", disk::show_path(&file));
        return Err(CommandError::new_usage(message, "give the path of a folder, which may be a new one"));
    }
    let folder = fs::create_dir_all(&args.dir)
        .and_then(|()| fs::canonicalize(&args.dir))
        .map_err(|error| CommandError::new_io("make the folder", &args.dir, error))?;
    let name = to_suite_name(&folder);
    let path = args.dir.join(format!("{name}.pcd"));
    let shown = disk::show_path(&path);
    write_new(&path, &render_suite(&name)).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => CommandError::new_usage(
            format!("`{shown}` is there already"),
            "give another folder: nothing is overwritten",
        ),
        _ => CommandError::new_io("write", &path, error),
    })?;
    console.print_message(&format!(
        "wrote {shown}\n\nnext:\n  picardc check {shown}\n  picardc preview {shown}\n  picardc selftest {shown}\n"
    ));
    Ok(Exit::Done)
}

/// Renders the suite with another name, in canonical layout.
fn render_suite(name: &str) -> String {
    let text = SUITE.replace(PLACEHOLDER, name);
    compiler::fmt::format_source(&text).unwrap_or(text)
}

/// Converts the name of a folder to the name of a suite: letters, digits and `_`, with a letter first.
fn to_suite_name(folder: &Path) -> String {
    let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let name: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect();
    let name = name.trim_matches('_');
    if name.starts_with(|c: char| c.is_ascii_lowercase()) { name.to_owned() } else { PLACEHOLDER.to_owned() }
}

/// Writes a new file: writes a temporary file in the same folder, syncs it, and renames it. An existing file is an error.
fn write_new(path: &Path, text: &str) -> io::Result<()> {
    let written = whole_file::write_temporary(path, text)?.persist_noclobber(path)?;
    // A source should be readable by all.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        written.set_permissions(fs::Permissions::from_mode(0o644))?;
    }
    drop(written);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_folders_become_names_of_suites() {
        for (folder, name) in
            [("/a/Harbour Desk", "harbour_desk"), ("/x/2024", PLACEHOLDER), ("/", PLACEHOLDER), ("/é", PLACEHOLDER)]
        {
            assert_eq!(to_suite_name(Path::new(folder)), name, "{folder}");
        }
    }
}
