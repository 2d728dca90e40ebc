//! Completion in the language's own positions: the words, names, domains, and values that fit.
//!
//! `statements` covers items, statements, and columns, `expects` the words after `expect`, `domains` those after `:`, `values` expressions, arguments, and
//! members after a dot, `reading` tables that are read (lakes, views, and options), and `writing` files that are written from another table, and their styles.

mod domains;
mod expects;
mod reading;
mod statements;
mod values;
mod writing;

use compiler::query::{TableLocation, TablePreview};
use compiler::syntax::words::{self, Class};

use super::Offers;
use super::scope::Scope;
use crate::analysis::Analysis;
use crate::context::{Block, Context, Open};

pub use reading::{list_encodings, must_read_fields};

/// A cursor outside strings.
pub struct CursorContext<'a> {
    pub scope: &'a Scope,
    pub analysis: &'a Analysis,
    pub text: &'a str,
    pub context: &'a Context<'a>,
    /// The location of the table that is read around the cursor; its files are in `glimpse`.
    pub look: Option<&'a TableLocation>,
    pub glimpse: Option<&'a TablePreview>,
}

impl CursorContext<'_> {
    /// Offers completions.
    pub fn offer_in_code(&self, offers: &mut Offers) {
        let context = self.context;
        if !context.path.is_empty() {
            return self.offer_members(offers);
        }
        let frame = context.innermost_frame();
        let words = frame.words.as_slice();
        match frame.kind {
            Open::Block(Block::File) => self.offer_in_item(offers, words),
            Open::Block(Block::Suite) => self.offer_in_setting(offers, words),
            Open::Block(Block::Task) => self.offer_in_statement(offers, words, &|_| true),
            Open::Block(Block::Variant) => self.offer_in_statement(offers, words, &|word| word.in_variant),
            Open::Block(Block::Stage) => self.offer_in_statement(offers, words, &|word| word.in_stage),
            Open::Block(Block::Lake) => self.offer_in_view(offers, words),
            Open::Block(Block::Body) if self.is_reading() => self.read_column(offers, words),
            Open::Block(Block::Body) => self.offer_in_body(offers, words),
            Open::Block(Block::Tables) => match words {
                [] => offers.add_words(statements::list_table_words().chain(words::iter_class(Class::Stored)), 0),
                ["view", _, "=", value @ ..] => self.offer_in_expression(offers, value, &[]),
                ["table", _, ":"] => self.offer_reusable_tables(offers),
                _ => {}
            },
            Open::Array if words.contains(&";") => self.offer_in_expression(offers, words, &[]),
            Open::Array => self.offer_in_domain(offers, words),
            Open::Object => match words {
                // A key: any text of the author.
                [] => {}
                [_, ":", value @ .., "trap"] => self.offer_traps(offers, value),
                [_, ":", value @ ..] => {
                    self.offer_in_expression(offers, value, &[]);
                    if is_value_end(value) {
                        offers.add_words(words::iter_class(Class::Option), 1);
                    }
                }
                _ => {}
            },
            Open::List if context.is_in_tools() => self.offer_tools(offers, &frame.arguments.concat()),
            Open::List | Open::Call(None) => self.offer_in_expression(offers, words, &[]),
            Open::Call(Some(_)) | Open::Placeholder(_) => self.offer_in_argument(offers, words),
            Open::String => {}
        }
    }
}

/// Whether the words end with a value, and an operator fits next instead of an operand.
pub(super) fn is_value_end(words: &[&str]) -> bool {
    let Some(last) = words.last() else { return false };
    match *last {
        "\"" | "(" | "[" | "{" | "<<" | "%" => true,
        word => word.starts_with(|c: char| c.is_alphanumeric() || c == '_') && !words::must_be_followed(word),
    }
}

/// The words around the first of these signs: those before it, the sign, and those after it.
fn split_at_sign<'w, 't>(words: &'w [&'t str], signs: &[&str]) -> Option<(&'w [&'t str], &'t str, &'w [&'t str])> {
    let at = words.iter().position(|word| signs.contains(word))?;
    let (before, rest) = words.split_at_checked(at)?;
    let (sign, after) = rest.split_first()?;
    Some((before, sign, after))
}

/// The names of a path `a.b`.
fn list_path_names<'t>(words: &[&'t str]) -> Vec<&'t str> {
    words.iter().copied().filter(|word| *word != ".").collect()
}
