//! Completion of files that are written from another table, and of the styles of their columns.

use compiler::hir;
use compiler::syntax::string::quote_string;
use compiler::syntax::words::{self, Class};
use compiler::types::TyKind;
use gen_lsp_types::CompletionItemKind as Item;
use model::text_style::TextStyle;

use super::super::offer::{Offer, Offers};
use super::cursor::{CursorContext, is_value_end, split_at_sign};
use super::reading::list_patterns;
use super::statements::list_body_words;

impl CursorContext<'_> {
    /// Completes the words after the path of a file: tables after `from`, a condition on the rows after a table. Returns whether the words are in such a
    /// position; after the path of an existing file they are not.
    pub(super) fn offer_in_from(&self, offers: &mut Offers, words: &[&str]) -> bool {
        let Some((_, _, table)) = split_at_sign(words, &["from"]) else { return false };
        match table {
            [] => self.offer_relations(offers),
            ["\"", ..] => return false,
            table if self.offer_in_condition(offers, table) => {}
            _ => offers.add_words(words::iter_class(Class::Filter), 0),
        }
        true
    }

    /// Offers the styles that fit a column, after `as` in a generated table. Returns whether the words are in such a position.
    pub(super) fn offer_write_styles(&self, offers: &mut Offers, words: &[&str]) -> bool {
        let Some((_, _, declared)) = split_at_sign(words, &[":", "="]) else { return false };
        let Some((_, _, styles)) = split_at_sign(declared, &["as"]) else { return false };
        if !(styles.is_empty() || is_value_end(styles)) {
            return true;
        }
        let name = words.first().copied().unwrap_or_default();
        let column = self.find_enclosing_relation().and_then(|relation| {
            relation.iter_own_columns().map(|(_, column)| column).find(|column| column.name == name)
        });
        for pattern in column.map(list_column_patterns).unwrap_or_default() {
            offers.add_offer(Offer::new(format!("written {}", quote_string(pattern)), Item::Value, 0));
        }
        let is_text = column.is_none_or(|column| matches!(column.ty.kind, TyKind::Text | TyKind::Unknown));
        let nullable = column.is_none_or(|column| column.ty.nullable);
        let fits = |word: &str| match word {
            "missing" => nullable && !styles.contains(&word),
            _ if TextStyle::from_word(word).is_some() => is_text && !styles.contains(&word),
            _ => true,
        };
        offers.add_words(words::iter_class(Class::Style).filter(|word| fits(word.text)), 1);
        if !styles.is_empty() {
            offers.add_words(list_body_words(), 2);
        }
        true
    }
}

/// Common patterns for values of a column.
fn list_column_patterns(column: &hir::Column) -> &'static [&'static str] {
    list_patterns(match column.ty.kind {
        TyKind::Int => "int",
        TyKind::Decimal(_) => "decimal",
        TyKind::Date => "date",
        TyKind::DateTime => "datetime",
        TyKind::Text => "text",
        // A float has no fixed number of decimals, and a bool has a single notation.
        _ => return &[],
    })
}
