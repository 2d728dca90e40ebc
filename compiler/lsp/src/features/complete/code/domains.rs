//! Completion after the `:` of a drawn name or column, and of the names of items.

use compiler::query::Kind;
use compiler::syntax::words::{self, Class};
use gen_lsp_types::CompletionItemKind as Item;

use super::super::offer::{Offer, Offers};
use super::cursor::{CursorContext, is_value_end};

impl CursorContext<'_> {
    /// Offers domains and modifiers after the `:` of a drawn name or column.
    pub(super) fn offer_in_domain(&self, offers: &mut Offers, words: &[&str]) {
        let modifiers = words.iter().take_while(|word| words::is_of_class(Class::Modifier, word)).count();
        match words.get(modifiers..).unwrap_or_default() {
            [] => {
                if words.is_empty() {
                    offers.add_words(words::iter_class(Class::Modifier), 2);
                }
                self.offer_domains(offers);
            }
            ["ref"] => self.offer_relations(offers),
            ["lorem"] => offers.add_bare_words(words::list_names(Class::Unit), 0),
            ["one_of"] => offers.add_bare_words(["lines"], 0),
            ["ref", rows @ ..] if self.offer_in_condition(offers, rows) => {}
            rest if is_value_end(rest) => {
                offers.add_words(words::iter_class(Class::Suffix), 0);
                if rest.first() == Some(&"ref") {
                    offers.add_words(words::iter_class(Class::Filter), 0);
                }
                // The constructor, whose example contains the keywords that it accepts.
                let domain =
                    rest.first().and_then(|name| words::iter_class(Class::Constructor).find(|word| word.text == *name));
                let example = domain.map_or("", |word| word.snippet);
                let written = |argument: &&str| example.split(' ').any(|word| word == *argument);
                offers.add_bare_words(words::list_names(Class::Argument).into_iter().filter(written), 0);
            }
            rest => self.offer_in_expression(offers, rest.get(1..).unwrap_or_default(), &[]),
        }
    }

    pub(super) fn offer_domains(&self, offers: &mut Offers) {
        for word in words::iter_domains() {
            offers.add_offer(Offer::new(word.text, Item::Keyword, 1).with_detail(word.snippet));
        }
        self.offer_items(offers, Kind::Domain, Item::Enum, "domain");
    }

    /// Offers shared tables.
    pub(super) fn offer_reusable_tables(&self, offers: &mut Offers) {
        self.offer_items(offers, Kind::Columns, Item::Struct, "reusable table");
    }

    pub(super) fn offer_constants(&self, offers: &mut Offers, rank: u8) {
        let before = offers.all.len();
        self.offer_items(offers, Kind::Constant, Item::Constant, "constant");
        offers.all.iter_mut().skip(before).for_each(|offer| offer.rank = rank);
    }

    /// Offers the items of one kind, those of the author before those of the library.
    pub(super) fn offer_items(&self, offers: &mut Offers, kind: Kind, item: Item, what: &str) {
        for library in [false, true] {
            for (file, _) in self.analysis.sources().iter().filter(|(_, source)| source.library == library) {
                for declared in self.analysis.list_declarations(file).iter().filter(|declared| declared.kind == kind) {
                    let detail = if library { format!("{what} of the library") } else { what.to_owned() };
                    let offer = Offer::from_name(&declared.name.text, item, u8::from(library), detail);
                    offers.add_offer(offer.with_doc(declared.doc.clone().unwrap_or_default()));
                }
            }
        }
    }
}
