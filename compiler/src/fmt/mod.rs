//! Canonical layout: `picardc fmt`.
//!
//! ```text
//! text ─parse→ Ast ─marks→ what each place is ─tokens, tree→ brackets and blocks ─print→ lines ─finish→ text
//! ```
//!
//! What is written is the row of tokens and comments that was read: only blanks and line breaks between them change, commas before a closing bracket
//! or between columns, and the indentation inside of `"""…"""` and SQL, where it says nothing. So a text means after it what it meant before, and no
//! comment is lost. The tree of the parser decides what a token is (a string, a block of statements, a sign before a
//! number); it prints nothing.

mod elements;
mod lines;
mod marks;
mod meaning;
mod measure;
mod multiline;
mod print;
mod tokens;
mod tree;

use std::fmt;

use crate::ast::{File, SourceId};
use crate::diagnostics::Diagnostic;
use crate::parse;

pub use meaning::render_meaning;

/// The width of a line in characters. Longer code is broken where possible; strings, SQL and comments stay as the
/// author wrote them.
pub const WIDTH: usize = 120;

/// Blanks a level.
const INDENT: usize = 2;

/// Why a text is not laid out.
#[derive(Clone, Debug, PartialEq)]
pub enum Refusal {
    /// It cannot be read: what is wrong with it, with places in the text as [`normalize_text`] gives it.
    Mistakes(Vec<Diagnostic>),
    /// What would be written cannot be read or has another meaning: a defect of the formatter.
    Meaning,
}

/// What a formatter that changed a meaning would be.
pub const MEANING: &str = "the formatter would change what it means, which is a defect of picardc";

/// A sentence about the text, for an editor.
impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Mistakes(said) => {
                f.write_str("a source with syntax errors is left as it is")?;
                said.first().map_or(Ok(()), |first| write!(f, ": {}", first.message))
            }
            Refusal::Meaning => f.write_str(MEANING),
        }
    }
}

/// The text in canonical layout.
///
/// Line breaks are `\n` afterwards, a byte order mark is gone. What would be written is read again before it is given: its meaning is that of `text`.
pub fn format_source(text: &str) -> Result<String, Refusal> {
    let text = normalize_text(text);
    // Functions of the standard library are laid out too; whether they are allowed here is for `check`.
    let (file, diagnostics) = parse::parse_library(&text, SourceId(0));
    if !diagnostics.is_empty() {
        return Err(Refusal::Mistakes(diagnostics));
    }
    let laid_out = {
        let marks = marks::collect_marks(&file);
        let tokens = tokens::collect_tokens(&text, &marks);
        let tree = tree::build_tree(&tokens, &marks);
        lines::join_lines(print::print_file(&tree, &text))
    };
    if laid_out == text {
        return Ok(laid_out);
    }
    let (read, diagnostics) = parse::parse_library(&laid_out, SourceId(0));
    let comments = |file: &File, text: &str| -> Vec<String> {
        file.comments
            .iter()
            .map(|span| text.get(span.start as usize..span.end as usize).unwrap_or("").to_owned())
            .collect()
    };
    let same = diagnostics.is_empty()
        && comments(&file, &text) == comments(&read, &laid_out)
        && render_meaning(file) == render_meaning(read);
    if same { Ok(laid_out) } else { Err(Refusal::Meaning) }
}

/// The text that is laid out: without byte order marks in front, and with `\n` for every line end.
pub fn normalize_text(text: &str) -> String {
    parse::cook::normalize_newlines(text.trim_start_matches('\u{FEFF}')).into_owned()
}
