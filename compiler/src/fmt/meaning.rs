//! What a file means: its tree without places, and its texts as they will be read.
//!
//! Of the texts in the tree itself only the blanks around a line break are left out, so whatever nobody thought of counts as a difference.

use std::fmt::{self, Write as _};

use super::multiline::may_move;
use crate::ast::{Cooked, File, Node, Raw, visit_nodes};

/// The meaning as text: two files of one meaning have the same.
pub fn render_meaning(mut file: File) -> String {
    file.comments.clear();
    let mut out = Placeless::default();
    // Writing to a text cannot fail.
    let _ = write!(out, "{file:?}");
    visit_nodes(&file, &mut |node| match node {
        Node::String(string) => {
            for piece in string.cook() {
                let _ = match piece {
                    Cooked::Text(text) => write!(out.text, "\n{text:?}"),
                    Cooked::Placeholder(_) => write!(out.text, "\n<<>>"),
                };
            }
        }
        Node::Raw(raw) => {
            let _ = write!(out.text, "\n{:?}", without_indentation(raw));
        }
        _ => {}
    });
    out.text
}

/// Debug output without what is in `Span { … }`, and without blanks around line breaks in texts.
#[derive(Default)]
struct Placeless {
    text: String,
    at: At,
}

/// What a character of Debug output is in.
#[derive(Default)]
enum At {
    #[default]
    Tree,
    /// `Span { … }`
    Place,
    /// The quotes of a text.
    Text,
    /// After a backslash in them.
    Escape,
}

/// How a place begins in Debug output.
const PLACE: &str = "Span {";
/// A line break in a text there.
const BREAK: &str = "\\n";

impl Placeless {
    fn push_char(&mut self, c: char) {
        let indents = self.text.ends_with(BREAK);
        match (&self.at, c) {
            (At::Place, '}') => self.at = At::Tree,
            (At::Place, _) => {}
            (At::Tree, '{') if self.text.ends_with(PLACE.trim_end_matches('{')) => {
                self.text.truncate(self.text.len() + 1 - PLACE.len());
                self.at = At::Place;
            }
            (At::Tree, _) => {
                self.text.push(c);
                if c == '"' {
                    self.at = At::Text;
                }
            }
            (At::Text, '\\') => self.at = At::Escape,
            (At::Text, ' ') if indents => {}
            (At::Text, _) => {
                self.text.push(c);
                if c == '"' {
                    self.at = At::Tree;
                }
            }
            (At::Escape, _) => {
                self.at = At::Text;
                if c == 'n' {
                    self.drop_blanks();
                }
                if c != 't' || !indents {
                    self.text.extend(['\\', c]);
                }
            }
        }
    }

    /// Takes off the blanks at the end of a line of a text.
    fn drop_blanks(&mut self) {
        while let Some(rest) = self.text.strip_suffix(' ').or(self.text.strip_suffix("\\t")) {
            self.text.truncate(rest.len());
        }
    }
}

impl fmt::Write for Placeless {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.chars().for_each(|c| self.push_char(c));
        Ok(())
    }
}

/// Raw text without the blanks at the start of its lines, where these may be moved.
fn without_indentation(raw: &Raw) -> String {
    if !may_move(raw) {
        return raw.text.clone();
    }
    raw.text.split_inclusive('\n').map(|line| line.trim_start_matches([' ', '\t'])).collect()
}
