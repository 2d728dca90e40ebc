//! Files beside the suite: word lists and fixtures.

use plan::Span;

use super::Checker;
use crate::diagnostics::{Code, Diagnostic};
use crate::fixture::BYTE_ORDER_MARK;
use crate::host::ReadError;

impl Checker<'_> {
    /// The bytes of a file of the project; says so where it cannot be read. `path` starts at the folder of the suite's own file.
    pub(super) fn beside(&mut self, path: &str, asked: Span) -> Option<Vec<u8>> {
        let path = format!("{}{path}", self.project.folder);
        let (message, label) = match self.host.read(&path) {
            Ok(bytes) => {
                self.sources.add_data(&path, bytes.clone());
                return Some(bytes);
            }
            Err(ReadError::NotFound) => {
                (format!("cannot read `{path}`: there is no such file"), "no such file".to_owned())
            }
            Err(ReadError::Other(why)) => (format!("cannot read `{path}`: {why}"), why),
        };
        let said = Diagnostic::new(Code::UNREADABLE_FILE, message, asked, label);
        self.say(said.help("paths start at the folder of the suite's own file"));
        None
    }

    /// The text of a word list: of the standard library for its own domains, else of the project.
    pub(super) fn word_list(&mut self, name: &str, asked: Span) -> Option<String> {
        let library = self.sources.get(asked.file).is_some_and(|source| source.library);
        if library {
            let found = crate::library::word_list(name).map(str::to_owned);
            if found.is_none() {
                self.say(Diagnostic::new(
                    Code::UNREADABLE_FILE,
                    format!("the library has no `{name}`"),
                    asked,
                    "missing",
                ));
            }
            return found;
        }
        match String::from_utf8(self.beside(name, asked)?) {
            Ok(text) => Some(text.strip_prefix(BYTE_ORDER_MARK).map(str::to_owned).unwrap_or(text)),
            Err(error) => {
                let read = &error.as_bytes()[..error.utf8_error().valid_up_to()];
                let line = read.iter().filter(|byte| **byte == b'\n').count() + 1;
                let path = format!("{}{name}", self.project.folder);
                self.say(
                    Diagnostic::new(
                        Code::NOT_UTF8,
                        format!("`{path}` is not UTF-8 text (line {line})"),
                        asked,
                        "read from here",
                    )
                    .help("save the file as UTF-8"),
                );
                None
            }
        }
    }
}
