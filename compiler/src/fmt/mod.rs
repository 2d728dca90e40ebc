//! Canonical layout: `picardc fmt`.
//!
//! ```text
//! text ─parse→ Ast ─marks→ what each place is ─tokens, tree→ brackets and blocks ─print→ lines ─finish→ text
//! ```
//!
//! What is written is the row of tokens and comments that was read: only blanks and line breaks between them change, commas before a closing bracket
//! or between columns, and the indentation inside of `"""…"""` and SQL, where it says nothing. So a text means after it what it meant before, and no
//! comment is lost. The tree of the parser decides what a token is (a string, a block of statements, a sign in front of a number); it prints nothing.

mod elements;
mod lines;
mod marks;
mod measure;
mod multiline;
mod print;
mod tokens;
mod tree;

use crate::ast::FileId;
use crate::diagnostics::Diagnostic;
use crate::parse;

/// Code is broken so that lines are no longer than this, in characters, where they can be. Strings, SQL and comments are the author's.
pub const WIDTH: usize = 120;

/// Blanks a level.
const INDENT: usize = 2;

/// The text in canonical layout.
///
/// Line breaks are `\n` afterwards, a byte order mark is gone. A text that cannot be read is not laid out: what is wrong with it comes back, with
/// places in `text` as [`readable`] gives it.
pub fn format(text: &str) -> Result<String, Vec<Diagnostic>> {
    let text = readable(text);
    // Functions of the standard library are laid out too; whether they may stand here is for `check`.
    let (file, diagnostics) = parse::parse_library(&text, FileId(0));
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    let marks = marks::marks(&file);
    let tokens = tokens::tokens(&text, &marks, &file.comments);
    let tree = tree::tree(&tokens, &marks);
    Ok(lines::text(print::print(&tree, &text)))
}

/// The text that is laid out: without a byte order mark, and with `\n` for every `\r\n`.
pub fn readable(text: &str) -> String {
    text.trim_start_matches('\u{FEFF}').replace("\r\n", "\n")
}
