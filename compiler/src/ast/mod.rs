//! The source as written: what the parser saw, with spans and nothing resolved.
//!
//! Every node carries the exact range of its own text, without trailing blanks or comments. Forms that are incomplete
//! but recognisable (a missing value, an unclosed placeholder) are nodes too, so that a broken file still yields what
//! can be known. Strings are kept raw: dedenting and escapes are [`crate::ast::StringLit::cook`]'s, for `lower`.
//!
//! Each kind of node is declared next to the list of what is inside of it; [`visit_nodes`] goes over all of them.

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

pub use domains::*;
pub use expects::*;
pub use exprs::*;
pub use files::*;
pub use items::*;
pub use lakes::*;
pub use stmts::*;
pub use walk::{Node, visit_nodes};

use walk::Walk;

/// A name as written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ident {
    /// The name itself, without backticks.
    pub text: String,
    /// With backticks, where there are any.
    pub span: Span,
    /// Written in backticks.
    pub quoted: bool,
}

/// `## …` lines above an item, statement, column or setting, joined by newlines, markers and one blank stripped.
#[derive(Clone, Debug, PartialEq)]
pub struct Doc {
    /// The text.
    pub text: String,
    /// From the first `##` to the last line's end.
    pub span: Span,
}

/// One source file.
#[derive(Clone, Debug, PartialEq)]
pub struct File {
    /// Which file.
    pub id: SourceId,
    /// Its items in source order.
    pub items: Vec<Item>,
    /// Every comment (`#`, `##`, `###`), in source order, for the formatter.
    pub comments: Vec<Span>,
    /// What could not be read.
    pub unread: Vec<Unread>,
}

/// Lines of a file of which something could not be read. What could be read of them is among the items; nothing more is known.
#[derive(Clone, Debug, PartialEq)]
pub struct Unread {
    /// The lines.
    pub span: Span,
    /// The names that they may declare.
    pub declares: BTreeSet<String>,
}

impl File {
    /// Whether a place is in lines that could not be read.
    pub fn is_unread(&self, place: Span) -> bool {
        let holds = |unread: &Unread| unread.span.start <= place.start && place.start <= unread.span.end;
        place.file == self.id && self.unread.iter().any(holds)
    }

    /// Whether something of a block could not be read, so that it may hold what seems to be missing.
    pub fn has_unread_in(&self, block: Span) -> bool {
        let meets = |unread: &Unread| unread.span.start < block.end && block.start < unread.span.end;
        block.file == self.id && self.unread.iter().any(meets)
    }

    /// Whether something that could not be read may declare a name.
    pub fn may_declare(&self, name: &str) -> bool {
        self.unread.iter().any(|unread| unread.declares.contains(name))
    }
}
