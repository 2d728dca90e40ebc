//! A source file: its items, and what of it could not be parsed.

use super::Item;
use model::{SourceId, Span};
use std::collections::BTreeSet;

/// One source file.
#[derive(Clone, Debug, PartialEq)]
pub struct File {
    /// The file's id.
    pub id: SourceId,
    /// Its items in source order.
    pub items: Vec<Item>,
    /// Every comment (`#`, `##`, `###`), in source order, for the formatter.
    pub comments: Vec<Span>,
    /// The parts that could not be parsed.
    pub unread: Vec<Unread>,
}

/// Lines of a file that could not be parsed completely. Their parsed parts are among the items.
#[derive(Clone, Debug, PartialEq)]
pub struct Unread {
    /// The lines.
    pub span: Span,
    /// The names that they might declare.
    pub declares: BTreeSet<String>,
}

impl File {
    /// Whether a span begins in lines that could not be parsed.
    pub fn is_unread(&self, place: Span) -> bool {
        let holds = |unread: &Unread| unread.span.start <= place.start && place.start <= unread.span.end;
        place.file == self.id && self.unread.iter().any(holds)
    }

    /// Whether part of a block could not be parsed, and might contain what seems to be missing.
    pub fn has_unread_in(&self, block: Span) -> bool {
        let meets = |unread: &Unread| unread.span.start < block.end && block.start < unread.span.end;
        block.file == self.id && self.unread.iter().any(meets)
    }

    /// Whether a part that could not be parsed might declare a name.
    pub fn may_declare(&self, name: &str) -> bool {
        self.unread.iter().any(|unread| unread.declares.contains(name))
    }
}
