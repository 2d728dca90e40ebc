//! The meaning of a file for comparisons: its tree without positions, and the values of its strings.
//!
//! In the tree itself, only blanks around line breaks in texts are ignored, so any unforeseen difference still counts.

use std::fmt::{self, Write as _};

use super::multiline::may_move;
use crate::ast::{Cooked, File, Node, Raw, visit_nodes};

/// Renders the meaning as text, which is equal for files with the same meaning.
pub fn render_meaning(mut file: File) -> String {
    file.comments.clear();
    let mut out = Placeless::default();
    // Writing to a String cannot fail.
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

/// Removes the content of `Span { … }`, and blanks around line breaks in texts, from Debug output.
#[derive(Default)]
struct Placeless {
    text: String,
    at: At,
}

/// The construct of the Debug output that contains the current character.
#[derive(Default)]
enum At {
    #[default]
    Tree,
    /// `Span { … }`
    Place,
    /// A quoted text.
    Text,
    /// The character after a backslash in a text.
    Escape,
}

/// The beginning of a span in Debug output.
const PLACE: &str = "Span {";
/// An escaped line break in a text.
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

    /// Removes blanks at the end of a line of a text.
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

/// Returns raw text without the indentation of its lines if they may be moved.
fn without_indentation(raw: &Raw) -> String {
    if !may_move(raw) {
        return raw.text.clone();
    }
    raw.text.split_inclusive('\n').map(|line| line.trim_start_matches([' ', '\t'])).collect()
}
