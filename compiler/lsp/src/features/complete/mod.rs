//! Completion at the cursor.
//!
//! `context` determines the syntactic context of the cursor; this module turns it into offers. `code` covers the positions of the language, `scope` the
//! declarations of the current task, `sql` and `paths` the languages inside placeholders, and `files` strings that name files.

mod code;
mod files;
mod paths;
mod scope;
mod sql;

use compiler::ast::RawKind;
use compiler::diagnostics::wording::quote_ident;
use compiler::syntax::words::Word;
use gen_lsp_types as lsp;

use super::to_markdown;
use crate::capabilities::Client;
use crate::context::{Context, Inside};
use crate::reading;
use crate::state::State;
use code::CursorContext;
use scope::Scope;

/// Returns the completions at a position.
pub fn handle_completion(state: &mut State, params: lsp::CompletionParams) -> Option<lsp::CompletionResponse> {
    let place = state.resolve_request_place(&params.text_document_position_params)?;
    let analysis = place.analysis.clone();
    let text = place.text();
    let offset = place.offset as usize;
    let context = Context::new(text, offset);
    let scope = Scope::new(state, &place, &context);
    let mut offers = Offers::default();
    let start = match context.inside {
        Inside::Comment => return None,
        Inside::Text => files::offer_in_string(&mut offers, state, &analysis, text, &context, offset),
        Inside::Raw(RawKind::Sql, ref raw) => sql::offer_in_query(&mut offers, &scope, text, raw, offset, &context),
        Inside::Raw(kind, ref raw) => paths::offer_keys(&mut offers, &scope, text, (kind, raw.start), offset, &context),
        Inside::Code => {
            let look = reading::parse_look(text, &context);
            let wanted = look.as_ref().filter(|_| code::must_read_fields(&context.innermost_frame().words));
            let glimpse = wanted.and_then(|look| state.workspace.disk.load_glimpse(&analysis.root, look));
            let (look, glimpse) = (look.as_ref(), glimpse.as_deref());
            let cursor = CursorContext { scope: &scope, analysis: &analysis, text, context: &context, look, glimpse };
            cursor.offer_in_code(&mut offers);
            context.start
        }
    };
    let range = place.lines()?.find_byte_range(text, start.min(offset), offset);
    let items = offers.all.into_iter().map(|offer| offer.into_completion_item(range, &state.client)).collect();
    Some(lsp::CompletionList { is_incomplete: false, items, ..lsp::CompletionList::default() }.into())
}

/// A completion item.
#[derive(Clone, Debug)]
struct Offer {
    label: String,
    kind: lsp::CompletionItemKind,
    /// A few words shown after the label.
    detail: Option<String>,
    doc: Option<String>,
    /// The inserted text, if it differs from the label.
    insert: Option<String>,
    /// Whether `insert` contains tab stops.
    snippet: bool,
    /// The text that typed characters are matched with, if it differs from the label.
    filter: Option<String>,
    /// The rank; lower ranks are listed first.
    rank: u8,
    /// The sort order within the rank, if it is not alphabetical by label.
    order: Option<usize>,
}

impl Offer {
    fn new(label: impl Into<String>, kind: lsp::CompletionItemKind, rank: u8) -> Offer {
        let label = label.into();
        Offer { label, kind, detail: None, doc: None, insert: None, snippet: false, filter: None, rank, order: None }
    }

    fn with_detail(self, detail: impl Into<String>) -> Offer {
        Offer { detail: Some(detail.into()), ..self }
    }

    fn with_doc(self, doc: impl Into<String>) -> Offer {
        Offer { doc: Some(doc.into()).filter(|doc| !doc.is_empty()), ..self }
    }

    fn with_insert(self, insert: impl Into<String>) -> Offer {
        Offer { insert: Some(insert.into()), ..self }
    }

    /// Inserts a text with tab stops.
    fn with_snippet(self, insert: impl Into<String>) -> Offer {
        Offer { snippet: true, ..self.with_insert(insert) }
    }

    /// A name of the author, as it is spelled in the language.
    fn from_name(name: &str, kind: lsp::CompletionItemKind, rank: u8, detail: impl Into<String>) -> Offer {
        Offer::new(quote_ident(name), kind, rank).with_detail(detail)
    }

    fn into_completion_item(self, range: lsp::Range, client: &Client) -> lsp::CompletionItem {
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
struct Offers {
    all: Vec<Offer>,
}

impl Offers {
    fn add_offer(&mut self, offer: Offer) {
        if !self.all.iter().any(|known| known.label == offer.label && known.kind == offer.kind) {
            self.all.push(offer);
        }
    }

    /// Adds words of the language.
    fn add_words(&mut self, words: impl IntoIterator<Item = &'static Word>, rank: u8) {
        for word in words {
            let offer = Offer::new(word.label, lsp::CompletionItemKind::Keyword, rank).with_doc(word.doc);
            self.add_offer(offer.with_snippet(word.snippet.trim_end()));
        }
    }

    /// Adds words without documentation.
    fn add_bare_words(&mut self, words: impl IntoIterator<Item = &'static str>, rank: u8) {
        for word in words {
            self.add_offer(Offer::new(word, lsp::CompletionItemKind::Keyword, rank));
        }
    }
}
