//! Open buffers. The text that the editor shows takes precedence over the file on disk.

use std::collections::BTreeMap;

use compiler::host::{Compute, Entry, Host, MAX_FIXTURE_BYTES, ReadError, Sqlite};
use gen_lsp_types::{TextDocumentContentChangeEvent, Uri};

use crate::edits::Edits;
use crate::position::{Encoding, Lines};

/// The maximum number of queries per call over a data set while somebody types: those of its first rows.
const MAX_QUERIES: usize = 50;

/// A buffer.
#[derive(Clone, Debug)]
pub struct Document {
    /// The URI, in the editor's spelling.
    pub uri: Uri,
    /// The editor's version number of the text.
    pub version: i32,
    /// The text.
    pub text: String,
}

impl Document {
    /// Applies the changes in order.
    pub fn apply_changes(&mut self, changes: Vec<TextDocumentContentChangeEvent>, encoding: Encoding) {
        for change in changes {
            match change {
                TextDocumentContentChangeEvent::TextDocumentContentChangeWholeDocument(whole) => self.text = whole.text,
                TextDocumentContentChangeEvent::TextDocumentContentChangePartial(part) => {
                    let lines = Lines::new(&self.text, encoding);
                    let (start, end) = lines.find_offsets(&self.text, part.range);
                    self.text.replace_range(start..end.max(start), &part.text);
                }
            }
        }
    }
}

/// The open buffers, by path.
pub type Documents = BTreeMap<String, Document>;

/// A host that reads open buffers instead of their files.
pub struct Overlay<'a> {
    /// The host that reads everything else.
    pub behind: &'a dyn Host,
    /// The buffers.
    pub documents: &'a Documents,
    /// Replacement texts for files and buffers, by path.
    pub instead: &'a BTreeMap<String, String>,
    /// The edits that make this compilation obsolete; checked at each call of the host.
    pub edits: &'a Edits,
}

impl Host for Overlay<'_> {
    fn read_file(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        self.read_at_most(path, MAX_FIXTURE_BYTES)
    }

    fn read_at_most(&self, path: &str, most: u64) -> Result<Vec<u8>, ReadError> {
        self.edits.stop_if_superseded();
        let shown = self.instead.get(path).or_else(|| self.documents.get(path).map(|document| &document.text));
        let Some(text) = shown else { return self.behind.read_at_most(path, most) };
        match self.behind.read_at_most(path, most) {
            // A file outside the project stays unreadable even if it is open; a new file need not be on disk.
            Err(error @ ReadError::Other(_)) if !path.contains(':') => Err(error),
            _ => Ok(text.clone().into_bytes()),
        }
    }

    fn list_folder(&self, folder: &str) -> Result<Vec<Entry>, ReadError> {
        self.edits.stop_if_superseded();
        self.behind.list_folder(folder)
    }

    fn must_read_all_tables(&self) -> bool {
        true
    }

    fn max_queries(&self) -> usize {
        MAX_QUERIES
    }

    fn max_threads(&self) -> usize {
        self.behind.max_threads()
    }

    fn check_cancellation(&self) {
        self.edits.stop_if_superseded();
    }

    fn sqlite(&self) -> &dyn Sqlite {
        self.edits.stop_if_superseded();
        self.behind.sqlite()
    }

    fn evaluator(&self) -> &dyn Compute {
        self.edits.stop_if_superseded();
        self.behind.evaluator()
    }
}

#[cfg(test)]
mod tests {
    use gen_lsp_types::{Position, Range, TextDocumentContentChangePartial};
    use proptest::prelude::*;

    use super::*;

    fn partial(from: (u32, u32), to: (u32, u32), text: &str) -> TextDocumentContentChangeEvent {
        let at = |(line, character)| Position { line, character };
        #[allow(deprecated)]
        TextDocumentContentChangeEvent::TextDocumentContentChangePartial(TextDocumentContentChangePartial {
            range: Range { start: at(from), end: at(to) },
            range_length: None,
            text: text.to_owned(),
        })
    }

    proptest! {
        /// Whatever ranges an editor names, in whatever order: the text stays a text.
        #[test]
        fn changes_never_panic(changes in proptest::collection::vec(((0u32..6, 0u32..9), (0u32..6, 0u32..9), "[a😀\n\r]{0,4}"), 0..8)) {
            let uri = Uri("file:///x".to_owned());
            let mut document = Document { uri, version: 0, text: "a😀\nbé\r\nc".to_owned() };
            let changes = changes.iter().map(|(from, to, text)| partial(*from, *to, text)).collect();
            document.apply_changes(changes, Encoding::Utf16);
        }
    }

    #[test]
    fn changes_apply_in_order() {
        let uri = Uri("file:///x".to_owned());
        let mut document = Document { uri, version: 0, text: "one\ntwo\n".to_owned() };
        document.apply_changes(vec![partial((1, 0), (1, 3), "😀"), partial((1, 2), (1, 2), "!")], Encoding::Utf16);
        assert_eq!(document.text, "one\n😀!\n");
    }
}
