//! Renders file names for people.

use std::fmt::{self, Write as _};
use std::path::Path;

/// Renders a path or a file name for messages and lists, always on one line. Characters that end lines, control terminals, or change the direction of
/// text become `\u{…}`: a file can have any name, and could otherwise begin a line that looks like one of picardc's.
///
/// ```
/// use disk::show_path;
///
/// assert_eq!(show_path("data/café.csv").to_string(), "data/café.csv");
/// // A name cannot begin a line of its own, or turn the direction of a message.
/// assert_eq!(show_path("a\nerror: b").to_string(), r"a\u{a}error: b");
/// assert_eq!(show_path("a\u{202e}b").to_string(), r"a\u{202e}b");
/// ```
pub fn show_path<P: AsRef<Path> + ?Sized>(path: &P) -> Shown<'_> {
    Shown(path.as_ref())
}

/// A path for display.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a>(&'a Path);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .to_string_lossy()
            .chars()
            .try_for_each(|c| if is_steering(c) { write!(f, "\\u{{{:x}}}", u32::from(c)) } else { f.write_char(c) })
    }
}

/// Checks whether a character controls terminals, ends a line, or hides text: control characters, marks of writing direction, and Unicode's line separators.
pub fn is_steering(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_shown_on_one_line() {
        for (name, seen) in [
            ("a/é 中.pcd", "a/é 中.pcd"),
            ("a\n::error::x\r\t", "a\\u{a}::error::x\\u{d}\\u{9}"),
            ("\u{1b}[2J\u{202e}\u{85}\u{2028}", "\\u{1b}[2J\\u{202e}\\u{85}\\u{2028}"),
        ] {
            assert_eq!(show_path(name).to_string(), seen);
        }
    }
}
