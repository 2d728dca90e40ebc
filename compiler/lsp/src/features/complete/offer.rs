//! Offers: the completions at a cursor, before they are written in the protocol's form.

use compiler::diagnostics::wording::quote_ident;
use compiler::syntax::words::Word;
use gen_lsp_types as lsp;

use crate::client::Client;
use crate::features::to_markdown;

/// A completion item.
#[derive(Clone, Debug)]
pub struct Offer {
    pub label: String,
    pub kind: lsp::CompletionItemKind,
    /// A few words shown after the label.
    pub detail: Option<String>,
    pub doc: Option<String>,
    /// The inserted text, if it differs from the label.
    pub insert: Option<String>,
    /// Whether `insert` contains tab stops.
    pub snippet: bool,
    /// The text that typed characters are matched with, if it differs from the label.
    pub filter: Option<String>,
    /// The rank; lower ranks are listed first.
    pub rank: u8,
    /// The sort order within the rank, if it is not alphabetical by label.
    pub order: Option<usize>,
}

impl Offer {
    pub fn new(label: impl Into<String>, kind: lsp::CompletionItemKind, rank: u8) -> Offer {
        let label = label.into();
        Offer { label, kind, detail: None, doc: None, insert: None, snippet: false, filter: None, rank, order: None }
    }

    pub fn with_detail(self, detail: impl Into<String>) -> Offer {
        Offer { detail: Some(detail.into()), ..self }
    }

    pub fn with_doc(self, doc: impl Into<String>) -> Offer {
        Offer { doc: Some(doc.into()).filter(|doc| !doc.is_empty()), ..self }
    }

    pub fn with_insert(self, insert: impl Into<String>) -> Offer {
        Offer { insert: Some(insert.into()), ..self }
    }

    /// Inserts a text with tab stops.
    pub fn with_snippet(self, insert: impl Into<String>) -> Offer {
        Offer { snippet: true, ..self.with_insert(insert) }
    }

    /// A name of the author, as it is spelled in the language.
    pub fn from_name(name: &str, kind: lsp::CompletionItemKind, rank: u8, detail: impl Into<String>) -> Offer {
        Offer::new(quote_ident(name), kind, rank).with_detail(detail)
    }

    pub fn into_completion_item(self, range: lsp::Range, client: &Client) -> lsp::CompletionItem {
        let plain =
            self.insert.as_deref().filter(|_| !self.snippet || client.snippets).unwrap_or(&self.label).to_owned();
        lsp::CompletionItem {
            sort_text: Some(match self.order {
                Some(order) => format!("{}{order:06}", self.rank),
                None => format!("{}{}", self.rank, self.label),
            }),
            kind: Some(self.kind),
            detail: self.detail,
            documentation: self.doc.map(|doc| to_markdown(doc).into()),
            insert_text_format: (self.snippet && client.snippets).then_some(lsp::InsertTextFormat::Snippet),
            text_edit: Some(lsp::TextEdit { range, new_text: plain }.into()),
            filter_text: self.filter,
            label: self.label,
            ..lsp::CompletionItem::default()
        }
    }
}

/// A list of offers, in which each label occurs once per kind.
#[derive(Default)]
pub struct Offers {
    pub all: Vec<Offer>,
}

impl Offers {
    pub fn add_offer(&mut self, offer: Offer) {
        if !self.all.iter().any(|known| known.label == offer.label && known.kind == offer.kind) {
            self.all.push(offer);
        }
    }

    /// Adds words of the language.
    pub fn add_words(&mut self, words: impl IntoIterator<Item = &'static Word>, rank: u8) {
        for word in words {
            let offer = Offer::new(word.label, lsp::CompletionItemKind::Keyword, rank).with_doc(word.doc);
            self.add_offer(offer.with_snippet(word.snippet.trim_end()));
        }
    }

    /// Adds words without documentation.
    pub fn add_bare_words(&mut self, words: impl IntoIterator<Item = &'static str>, rank: u8) {
        for word in words {
            self.add_offer(Offer::new(word, lsp::CompletionItemKind::Keyword, rank));
        }
    }
}
