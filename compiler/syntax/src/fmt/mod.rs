//! The formatter: canonical layout for `picardc fmt`.
//!
//! ```text
//! text ─parse→ Ast ─marks→ what each place is ─tokens, tree→ brackets and blocks ─print→ lines ─finish→ text
//! ```
//!
//! The output consists of the same tokens and comments as the input. Only these change: blanks and line breaks between them, commas before a closing bracket or
//! between columns, and the indentation inside `"""…"""` and SQL where it has no meaning. So the meaning is preserved, and no comment is lost. The parser's
//! tree determines the extent of each token (a string, a block of statements, a sign before a number); nothing is printed from it.

mod lines;
mod marks;
mod meaning;
mod measure;
mod multiline;
mod print;
mod quote;
mod spread;
mod tokens;
mod tree;
mod width;

use std::fmt;

use crate::ast::{File, SourceId};
use crate::diagnostics::Diagnostic;
use crate::parse;

pub use meaning::render_meaning;
pub use measure::join_blanks;
pub use quote::{quote_code, shorten_text};
pub use width::WIDTH;

/// The reason for not formatting a text.
#[derive(Clone, Debug, PartialEq)]
pub enum Refusal {
    /// It has syntax errors; the spans refer to the result of [`normalize_text`].
    Mistakes(Vec<Diagnostic>),
    /// The output cannot be parsed or has another meaning: a defect of the formatter.
    Meaning,
}

/// The message about a formatter that changes the meaning.
pub const MEANING: &str = "the formatter would change what it means, which is a defect of picardc";

/// Renders a sentence about the text, for an editor.
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

/// Formats a text in canonical layout.
///
/// Line breaks become `\n`, and a byte order mark is removed. The output is parsed again before it is returned, and must have the same meaning as `text`.
///
/// ```
/// use syntax::fmt::{Refusal, format_source};
///
/// let text = "suite s{title \"S\"\nversion \"1\"}\r\ntask t { n:int 1..9\nprompt \"Double <<n>>.\" expect reply number n*2 }";
/// let formatted = format_source(text).expect("no mistakes");
/// assert!(formatted.contains("n : int 1..9\n") && formatted.contains("number n * 2\n") && !formatted.contains('\r'));
/// // What is formatted stays as it is.
/// assert_eq!(format_source(&formatted).expect("no mistakes"), formatted);
/// // A source with a mistake of syntax is left alone.
/// assert!(matches!(format_source("suite s {"), Err(Refusal::Mistakes(found)) if !found.is_empty()));
/// ```
pub fn format_source(text: &str) -> Result<String, Refusal> {
    let text = normalize_text(text);
    // Functions of the standard library are formatted too; `check` decides whether they are allowed.
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

/// Normalizes a text for formatting: removes leading byte order marks, and replaces all line endings with `\n`.
pub fn normalize_text(text: &str) -> String {
    parse::cook::normalize_newlines(text.trim_start_matches('\u{FEFF}')).into_owned()
}
