//! Completion in the language's own positions: the words, names, domains, and values that fit.
//!
//! `statements` covers items, statements, and columns, `expects` the words after `expect`, `domains` those after `:`, `values` expressions, arguments, and
//! members after a dot, `reading` tables that are read (lakes, views, and options), and `writing` files that are written from another table, and their styles.
//! `cursor` is what all of them know of the cursor.

mod cursor;
mod domains;
mod expects;
mod reading;
mod statements;
mod values;
mod writing;

use compiler::syntax::words::{self, Class};

use super::offer::Offers;
use crate::context::{Block, Open};
use cursor::is_value_end;

pub use cursor::CursorContext;
pub use reading::{list_encodings, must_read_fields};

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
