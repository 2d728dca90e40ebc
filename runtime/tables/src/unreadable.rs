//! The reason why a file cannot be read, in the words of the reader of its format.

/// The reason why a file, or a place in it, cannot be read, given by the reader of its format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// The problem, and its place in the file.
    pub message: String,
    /// The remedy.
    pub help: String,
    /// The cell as its program shows it, if that is a text which can be declared as missing (`#N/A`); otherwise empty.
    pub cell: String,
}

impl Unreadable {
    /// Creates a reason with its help.
    pub fn new(message: impl Into<String>, help: impl Into<String>) -> Unreadable {
        Unreadable { message: message.into(), help: help.into(), cell: String::new() }
    }

    /// Returns the same with the text that the program shows for the cell.
    pub fn with_cell(self, cell: impl Into<String>) -> Unreadable {
        Unreadable { cell: cell.into(), ..self }
    }
}
