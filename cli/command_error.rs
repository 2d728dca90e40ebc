//! The reason why a command ends early. Commands return it, and [`crate::main`] prints it.

use std::fmt;
use std::path::Path;

use crate::console::Console;
use crate::exit::Exit;

/// Why a command, or its work on one file, ends early.
#[derive(Debug, PartialEq, Eq)]
pub struct CommandError {
    /// One sentence without a period; empty if the reason was already printed.
    message: String,
    help: Option<String>,
    exit: Exit,
}

impl CommandError {
    /// Creates an error that ends the command with this status.
    pub fn new(exit: Exit, message: impl Into<String>) -> CommandError {
        CommandError { message: message.into(), help: None, exit }
    }

    /// Creates the error for wrong use of the command, with advice.
    pub fn new_usage(message: impl Into<String>, help: impl Into<String>) -> CommandError {
        CommandError::new(Exit::Usage, message).help(help)
    }

    /// Creates the error for a failure outside of picardc to read or write a file.
    pub fn new_io(what: &str, path: &(impl AsRef<Path> + ?Sized), error: impl fmt::Display) -> CommandError {
        CommandError::new(Exit::Outside, format!("cannot {what} `{}`: {error}", disk::show_path(path)))
    }

    /// Adds advice.
    #[must_use]
    pub fn help(self, help: impl Into<String>) -> CommandError {
        CommandError { help: Some(help.into()), ..self }
    }

    /// Prints the reason, and returns the exit status.
    pub fn report_to(&self, console: &Console) -> Exit {
        if !self.message.is_empty() {
            console.print_error(&self.message, self.help.as_deref());
        }
        self.exit
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// The reason was already printed.
impl From<Exit> for CommandError {
    fn from(exit: Exit) -> CommandError {
        CommandError::new(exit, "")
    }
}

impl From<records::Error> for CommandError {
    fn from(error: records::Error) -> CommandError {
        let exit = if error.outside { Exit::Outside } else { Exit::Usage };
        CommandError { message: error.message, help: error.help, exit }
    }
}
