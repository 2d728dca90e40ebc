//! The separators between the cells of a record. This is the only code that decides which cells are quoted.

/// The separation of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quoting {
    /// The ASCII character between cells.
    pub delimiter: u8,
    /// Whether every cell is quoted, except null.
    pub quoted: bool,
}

impl Quoting {
    /// Checks whether a cell that is a number, a boolean, or a date can be written without a search for special characters.
    pub fn can_leave_numbers(self) -> bool {
        !self.quoted && matches!(self.delimiter, b',' | b'\t' | b';' | b'|')
    }

    /// Ends a non-null cell whose text starts at `start`, and quotes it if necessary. An empty text is `""`, which distinguishes it from null.
    pub fn quote_text(self, start: usize, out: &mut String) {
        let cell = out.get(start..).unwrap_or_default();
        if cell.is_empty() {
            return out.push_str("\"\"");
        }
        // Delimiters are ASCII, and bytes are searched faster than characters. Checking all of them is faster than stopping at the first match,
        // because several are compared at once.
        let is_special = |byte: u8| (byte == self.delimiter) | (byte == b'"') | (byte == b'\n') | (byte == b'\r');
        let must = || cell.bytes().fold(false, |must, byte| must | is_special(byte));
        if !self.quoted && !must() {
            return;
        }
        if cell.contains('"') {
            let doubled = cell.replace('"', "\"\"");
            out.truncate(start);
            out.push('"');
            out.push_str(&doubled);
        } else {
            out.insert(start, '"');
        }
        out.push('"');
    }
}
