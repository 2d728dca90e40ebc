//! The syntax tree: the parsed source with spans, before name resolution.
//!
//! Every node carries the exact range of its own text, without trailing blanks or comments. Incomplete but recognizable forms (a missing value, an unclosed
//! placeholder) are nodes too, so the rest of a broken file can still be analyzed. Strings are kept raw; [`crate::ast::StringLit::cook`] removes indentation
//! and resolves escapes for `lower`.
//!
//! Each kind of node is declared next to the list of its children; [`visit_nodes`] visits all of them.

mod columns;
mod domains;
mod expects;
mod exprs;
mod files;
mod items;
mod lakes;
mod stmts;
mod walk;

use std::collections::BTreeSet;

pub use model::domain::LoremUnit;
pub use model::format::Format;
pub use model::suite::{Matcher, Op};
pub use model::{SourceId, Span};

pub use columns::*;
pub use domains::*;
pub use expects::*;
pub use exprs::*;
pub use files::*;
pub use items::*;
pub use lakes::*;
pub use stmts::*;
pub use walk::{Node, visit_nodes};

use walk::Walk;

/// A name in the source.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ident {
    /// The name itself, without backticks.
    pub text: String,
    /// Its range, with backticks if it has them.
    pub span: Span,
    /// Whether it is written in backticks.
    pub quoted: bool,
}

/// `## …` lines above an item, statement, column, or setting, joined by newlines, without the markers and one blank after each.
#[derive(Clone, Debug, PartialEq)]
pub struct Doc {
    /// The text.
    pub text: String,
    /// The range from the first `##` to the end of the last line.
    pub span: Span,
}

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
