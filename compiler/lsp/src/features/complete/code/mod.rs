//! The language's own positions: which words, names, domains and values fit.
//!
//! `statements` knows how items, statements, and columns go on, `expects` what follows `expect`, `domains` what follows `:`, `values` expressions, arguments, and
//! what follows a dot, `reading` files that are read: lakes, views, and options, and `writing` files that are written from another table, and their styles.

mod domains;
mod expects;
mod reading;
mod statements;
mod values;
mod writing;

use compiler::query::{Glimpse, Look};
use compiler::syntax::words::{self, Class};

use super::Offers;
use super::scope::Scope;
use crate::analysis::Analysis;
use crate::context::{Block, Context, Open};

pub use reading::{encodings, wants_fields};

/// Offers what fits at a cursor among names and signs, around which a table may be read that has something in its files.
pub fn offer(
    offers: &mut Offers,
    scope: &Scope,
    analysis: &Analysis,
    (text, context): (&str, &Context<'_>),
    (look, glimpse): (Option<&Look>, Option<&Glimpse>),
) {
    let here = Here { scope, analysis, text, context, look, glimpse };
    if !context.path.is_empty() {
        return here.members(offers);
    }
    let frame = context.innermost();
    let words = frame.words.as_slice();
    match frame.kind {
        Open::Block(Block::File) => here.item(offers, words),
        Open::Block(Block::Suite) => here.setting(offers, words),
        Open::Block(Block::Task) => here.statement(offers, words, &|_| true),
        Open::Block(Block::Variant) => here.statement(offers, words, &|word| word.in_variant),
        Open::Block(Block::Stage) => here.statement(offers, words, &|word| word.in_stage),
        Open::Block(Block::Lake) => here.view(offers, words),
        Open::Block(Block::Body) if here.is_reading() => here.read_column(offers, words),
        Open::Block(Block::Body) => here.column(offers, words),
        Open::Block(Block::Tables) => match words {
            [] => offers.words(statements::table().chain(words::of(Class::Stored)), 0),
            ["view", _, "=", value @ ..] => {
                here.expression(offers, value, &[]);
            }
            ["table", _, ":"] => here.tables(offers),
            _ => {}
        },
        Open::Array => {
            if words.contains(&";") {
                here.expression(offers, words, &[]);
            } else {
                here.domain(offers, words);
            }
        }
        Open::Object => match words {
            // A key: whatever the author likes.
            [] => {}
            [_, ":", value @ .., "trap"] => here.traps(offers, value),
            [_, ":", value @ ..] => {
                here.expression(offers, value, &[]);
                if ends_value(value) {
                    offers.words(words::of(Class::Option), 1);
                }
            }
            _ => {}
        },
        Open::List if context.is_in_tools() => here.tools(offers, &frame.arguments.concat()),
        Open::List | Open::Call(None) => here.expression(offers, words, &[]),
        Open::Call(Some(_)) | Open::Placeholder(_) => here.argument(offers, words),
        Open::String => {}
    }
}

struct Here<'a> {
    scope: &'a Scope,
    analysis: &'a Analysis,
    text: &'a str,
    context: &'a Context<'a>,
    /// The table that is read around the cursor, and what is in its files.
    look: Option<&'a Look>,
    glimpse: Option<&'a Glimpse>,
}

/// Whether the words end with a value, so that an operator fits and no operand.
pub(super) fn ends_value(words: &[&str]) -> bool {
    let Some(last) = words.last() else { return false };
    match *last {
        "\"" | "(" | "[" | "{" | "<<" | "%" => true,
        word => word.starts_with(|c: char| c.is_alphanumeric() || c == '_') && !words::takes(word),
    }
}

/// A name as the language reads it.
pub(super) fn spelled(name: &str) -> String {
    let plain = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if plain { name.to_owned() } else { format!("`{name}`") }
}
