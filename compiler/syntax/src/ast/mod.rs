//! The syntax tree: the parsed source with spans, before name resolution.
//!
//! Every node carries the exact range of its own text, without trailing blanks or comments. Incomplete but recognizable forms (a missing value, an unclosed
//! placeholder) are nodes too, so the rest of a broken file can still be analyzed. Strings are kept raw; [`crate::ast::StringLit::cook`] removes indentation
//! and resolves escapes for `lower`.
//!
//! [`visit_nodes`] visits all nodes; `walk` lists the children of each.

mod allow;
mod columns;
mod domains;
mod expects;
mod exprs;
mod file;
mod files;
mod ident;
mod items;
mod lakes;
mod rows;
mod stmts;
mod walk;

pub use model::domain::LoremUnit;
pub use model::format::Format;
pub use model::suite::{CellMatch, Matcher, Op};
pub use model::{SourceId, Span};

pub use allow::*;
pub use columns::*;
pub use domains::*;
pub use expects::*;
pub use exprs::*;
pub use file::*;
pub use files::*;
pub use ident::*;
pub use items::*;
pub use lakes::*;
pub use rows::*;
pub use stmts::*;
pub use walk::{Node, visit_nodes};
