//! Files beside the suite: word lists and fixtures.

use std::sync::Arc;

use plan::Span;

use super::Checker;
use crate::diagnostics::{Code, Diagnostic};
use crate::fixture::BYTE_ORDER_MARK;
use crate::host::{MOST_OF_A_SOURCE, ReadError};

impl Checker<'_> {
    /// The bytes of a file of the project, which may have so many; says so where it cannot be read. `path` starts at the folder of the suite's own file.
    pub(super) fn beside(&mut self, path: &str, most: u64, asked: Span) -> Option<Arc<[u8]>> {
        let path = format!("{}{path}", self.project.folder);
        let (message, label) = match self.host.read_at_most(&path, most) {
            Ok(bytes) => {
                let bytes: Arc<[u8]> = bytes.into();
                self.sources.add_data(&path, Arc::clone(&bytes));
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
        let bytes = self.beside(name, MOST_OF_A_SOURCE, asked)?;
        match std::str::from_utf8(&bytes) {
            Ok(text) => Some(text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text).to_owned()),
            Err(error) => {
                let read = bytes.get(..error.valid_up_to()).unwrap_or_default();
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
