//! What is between the cells of a record. The one place that decides which cells are in quotes.

/// How cells are kept apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quoting {
    /// The character between cells, which is ASCII.
    pub delimiter: u8,
    /// Every cell in quotes, apart from null.
    pub quoted: bool,
}

impl Quoting {
    /// Whether a cell of digits and signs can be written as it is: its characters are not the delimiter.
    pub fn can_leave_numbers(self) -> bool {
        !self.quoted && matches!(self.delimiter, b',' | b'\t' | b';' | b'|')
    }

    /// Ends a cell that is not null and whose text starts at `start`: puts it in quotes if it must be. An empty text is `""`, which null is
    /// not.
    pub fn quote_text(self, start: usize, out: &mut String) {
        let cell = out.get(start..).unwrap_or_default();
        if cell.is_empty() {
            return out.push_str("\"\"");
        }
        // Delimiters are ASCII: bytes are looked through faster than characters, and all of them faster than up to the first, since several are compared at once.
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

    /// Appends a null: nothing, but where it is alone in its record, which would be an empty line.
    pub fn write_null(self, alone: bool, out: &mut String) {
        if alone {
            out.push_str("\"\"");
        }
    }
}
