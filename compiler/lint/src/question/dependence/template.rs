//! A wording as its text and the values in it, and the words before and after a value.

use model::suite::NameId;
use model::{Span, Value};

use hir::{Expr, ExprKind, Task};
use names::prose::DRAWN;

/// The number of pieces after which a wording is abandoned, because names composed of names can double each time.
const MAX_PIECES: usize = 2000;

/// A drawn name, an axis, or a computed value in a wording.
#[derive(Clone, Debug)]
pub struct Placed<'a> {
    /// The expression.
    pub expr: &'a Expr,
    /// Where the wording has it.
    pub span: Span,
    /// The byte in [`Template::text`] of its mark.
    at: usize,
}

/// A wording.
#[derive(Clone, Debug, Default)]
pub struct Template<'a> {
    /// The text, with [`DRAWN`] for each value.
    pub text: String,
    /// The values, in their order.
    pub values: Vec<Placed<'a>>,
}

impl<'a> Template<'a> {
    /// Reads a wording. The definitions of names that are texts or constants are part of it.
    pub fn from_wording(task: &'a Task, wording: &'a Expr) -> Template<'a> {
        let mut template = Template::default();
        let mut open: Vec<(&'a Expr, Span)> = vec![(wording, wording.span)];
        let mut left = MAX_PIECES;
        while let Some((expr, span)) = open.pop()
            && left > 0
        {
            left -= 1;
            match &expr.kind {
                ExprKind::Concat(pieces) => {
                    let own = |piece: &'a Expr| if span == wording.span { piece.span } else { span };
                    open.extend(pieces.iter().rev().map(|piece| (piece, own(piece))));
                }
                ExprKind::Const(value) => value.render_into(&mut template.text),
                ExprKind::Name(id)
                    if let Some(value) = task.find_computed(*id)
                        && matches!(value.kind, ExprKind::Concat(_) | ExprKind::Const(Value::Text(_))) =>
                {
                    open.push((value, span));
                }
                _ => {
                    template.values.push(Placed { expr, span, at: template.text.len() });
                    template.text.push(DRAWN);
                }
            }
        }
        template
    }

    /// Returns the text before a value in its sentence.
    pub fn text_before(&self, value: &Placed<'_>) -> &str {
        let before = self.text.get(..value.at).unwrap_or_default();
        let start = find_sentence_ends(before).last().unwrap_or(0);
        before.get(start..).unwrap_or_default()
    }

    /// Returns the text after a value.
    pub fn text_after(&self, value: &Placed<'_>) -> &str {
        self.text.get(value.at + DRAWN.len_utf8()..).unwrap_or_default()
    }

    /// Iterates over the places that render a name itself.
    pub fn iter_names(&self) -> impl Iterator<Item = (NameId, &Placed<'a>)> {
        self.values.iter().filter_map(|value| match value.expr.kind {
            ExprKind::Name(id) => Some((id, value)),
            _ => None,
        })
    }
}

/// Returns the places after which a sentence begins.
fn find_sentence_ends(text: &str) -> impl Iterator<Item = usize> + '_ {
    text.match_indices(['.', '?', '!', '\n']).filter_map(move |(at, mark)| {
        let end = at + mark.len();
        let rest = text.get(end..)?;
        (mark == "\n" || rest.is_empty() || rest.starts_with(char::is_whitespace)).then_some(end)
    })
}

/// Checks whether a text ends with one of these phrases, which are in lower case and separated by commas, as whole words. Marks before a value do not count.
pub fn ends_with_phrase(text: &str, phrases: &str) -> bool {
    let text = trim_marks(text).to_lowercase();
    phrases.split(", ").any(|phrase| {
        text.strip_suffix(phrase).is_some_and(|rest| {
            let is_word = phrase.starts_with(char::is_alphanumeric);
            !is_word || !rest.ends_with(|c: char| c.is_alphanumeric() || c == '_')
        })
    })
}

/// Removes blanks, quotes, and currency signs from the end of a text.
fn trim_marks(text: &str) -> &str {
    text.trim_end_matches(|c: char| c.is_whitespace() || "\"'`*_$€£“”‘’(#".contains(c))
}

/// Returns the first words of a text in lower case, without marks.
pub fn list_first_words(text: &str, most: usize) -> Vec<String> {
    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty());
    words.take(most).map(str::to_lowercase).collect()
}
