//! What follows the `:` of a drawn name or column, and names of items.

use compiler::query::Kind;
use compiler::syntax::words::{self, Class};
use gen_lsp_types::CompletionItemKind as Item;

use super::super::{Offer, Offers};
use super::{Here, ends_value, spelled};

impl Here<'_> {
    /// After the `:` of a drawn name or column.
    pub(super) fn domain(&self, offers: &mut Offers, words: &[&str]) {
        let rest: Vec<&str> = words.iter().copied().skip_while(|word| words::is(Class::Modifier, word)).collect();
        match rest.as_slice() {
            [] => {
                if words.is_empty() {
                    offers.words(words::of(Class::Modifier), 2);
                }
                self.domains(offers);
            }
            ["ref"] => self.relation_names(offers),
            ["lorem"] => offers.bare(words::names(Class::Unit), 0),
            ["one_of"] => offers.bare(["lines"], 0),
            ["ref", path @ .., "where"] | ["ref", path @ .., "where", _] if !path.contains(&"where") => {
                let path: Vec<&str> = path.iter().copied().filter(|word| *word != ".").collect();
                self.expression(offers, &[], &path);
            }
            ["ref", path @ ..] if path.contains(&"where") => {
                let at = path.iter().position(|word| *word == "where").unwrap_or(path.len());
                let names: Vec<&str> = path.iter().take(at).copied().filter(|word| *word != ".").collect();
                self.expression(offers, path.get(at + 1..).unwrap_or_default(), &names);
            }
            rest if ends_value(rest) => {
                offers.words(words::of(Class::Suffix), 0);
                if rest.first() == Some(&"ref") {
                    offers.words(words::of(Class::Filter), 0);
                }
                // What the domain's example is written with.
                let domain =
                    rest.first().and_then(|name| words::of(Class::Constructor).find(|word| word.text == *name));
                let example = domain.map_or("", |word| word.snippet);
                let written = |argument: &&str| example.split(' ').any(|word| word == *argument);
                offers.bare(words::names(Class::Argument).into_iter().filter(written), 0);
            }
            rest => self.expression(offers, rest.get(1..).unwrap_or_default(), &[]),
        }
    }

    pub(super) fn domains(&self, offers: &mut Offers) {
        for word in words::domains() {
            offers.add(Offer::new(word.text, Item::Keyword, 1).detail(word.snippet));
        }
        self.items(offers, Kind::Domain, Item::Enum, "domain");
    }

    /// Reusable tables.
    pub(super) fn tables(&self, offers: &mut Offers) {
        self.items(offers, Kind::Columns, Item::Struct, "reusable table");
    }

    pub(super) fn constants(&self, offers: &mut Offers, rank: u8) {
        let before = offers.all.len();
        self.items(offers, Kind::Constant, Item::Constant, "constant");
        offers.all.iter_mut().skip(before).for_each(|offer| offer.rank = rank);
    }

    /// Items of one kind, the author's before the library's.
    pub(super) fn items(&self, offers: &mut Offers, kind: Kind, item: Item, what: &str) {
        for library in [false, true] {
            for (file, _) in self.analysis.sources().iter().filter(|(_, source)| source.library == library) {
                for declared in self.analysis.declared(file).iter().filter(|declared| declared.kind == kind) {
                    let detail = if library { format!("{what} of the library") } else { what.to_owned() };
                    let doc = declared.doc.clone().unwrap_or_default();
                    let name = spelled(&declared.name.text);
                    offers.add(Offer::new(name, item, u8::from(library)).detail(detail).doc(doc));
                }
            }
        }
    }
}
