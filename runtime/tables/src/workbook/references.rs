//! Checks references to cells in the XML of a worksheet: a reference outside of a workbook's columns and rows would wrap around to another cell.

use std::io;

/// `XFD` is the last column.
const MAX_LETTERS: usize = 3;
/// 1,048,576 is the last row.
const MAX_DIGITS: usize = 7;
/// Maximum length of a name that matters: a prefix and `worksheet`.
const MAX_TOKEN: usize = 256;

/// Searches the XML written to it for references (attributes `r` and `ref`) that are too long. It counts the bytes but does not keep them.
#[derive(Default)]
pub(super) struct References {
    /// Number of bytes written.
    pub bytes: u64,
    /// The beginning of the first reference that is too long.
    pub too_long: Option<String>,
    at: At,
    /// Whether the first element is a worksheet: in other parts, attributes with these names have other meanings.
    in_worksheet: Option<bool>,
    /// Whether the current text is the name of a tag.
    in_name: bool,
    /// The name of a tag or attribute, or the reference in its value, up to the length that matters.
    token: Vec<u8>,
}

#[derive(Default, Clone, Copy, PartialEq)]
enum At {
    #[default]
    Text,
    /// In a tag, outside of values; contains whether the name has ended.
    Tag {
        ended: bool,
    },
    Value {
        quote: u8,
        refers: bool,
    },
}

impl References {
    fn read_byte(&mut self, byte: u8) {
        match (self.at, byte) {
            (At::Text, b'<') => {
                self.in_name = true;
                self.at = At::Tag { ended: true };
            }
            (At::Text, _) => {}
            (At::Tag { .. }, b'>') => {
                self.end_name();
                self.at = At::Text;
            }
            (At::Tag { .. }, quote @ (b'"' | b'\'')) => {
                let refers = self.in_worksheet == Some(true) && matches!(self.token.as_slice(), b"r" | b"ref");
                self.at = At::Value { quote, refers };
                self.token.clear();
            }
            (At::Tag { .. }, b'=' | b' ' | b'\t' | b'\r' | b'\n') => {
                self.end_name();
                self.at = At::Tag { ended: true };
            }
            (At::Tag { ended }, _) => {
                if ended {
                    self.token.clear();
                }
                self.at = At::Tag { ended: false };
                self.keep_byte(byte);
            }
            (At::Value { quote, .. }, _) if byte == quote => {
                self.token.clear();
                self.at = At::Tag { ended: true };
            }
            (At::Value { refers: true, .. }, _) => {
                if !byte.is_ascii_alphanumeric() {
                    return self.token.clear();
                }
                self.keep_byte(byte);
                let digits = self.token.iter().filter(|byte| byte.is_ascii_digit()).count();
                if digits > MAX_DIGITS || self.token.len() - digits > MAX_LETTERS {
                    self.too_long.get_or_insert_with(|| String::from_utf8_lossy(&self.token).into_owned());
                }
            }
            (At::Value { .. }, _) => {}
        }
    }

    fn end_name(&mut self) {
        // `<?xml …?>` and `<!-- … -->` precede the first element.
        let is_element = !matches!(self.token.first(), None | Some(b'?' | b'!'));
        if std::mem::take(&mut self.in_name) && self.in_worksheet.is_none() && is_element {
            let local = self.token.rsplit(|byte| *byte == b':').next();
            self.in_worksheet = Some(local == Some(b"worksheet".as_slice()));
        }
    }

    fn keep_byte(&mut self, byte: u8) {
        if self.token.len() < MAX_TOKEN {
            self.token.push(byte);
        }
    }
}

impl io::Write for References {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes += bytes.len() as u64;
        if self.too_long.is_none() {
            bytes.iter().for_each(|byte| self.read_byte(*byte));
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
