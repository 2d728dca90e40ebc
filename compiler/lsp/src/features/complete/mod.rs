//! Completion at the cursor.
//!
//! `context` determines the syntactic context of the cursor; this module turns it into offers (`offer`). `code` covers the positions of the language, `scope`
//! the declarations of the current task, `sql` and `paths` the languages inside placeholders, and `files` strings that name files.

mod code;
mod files;
mod offer;
mod paths;
mod scope;
mod sql;

use compiler::ast::RawKind;
use gen_lsp_types as lsp;

use crate::context::{Context, Inside};
use crate::reading;
use crate::state::State;
use code::CursorContext;
use offer::Offers;
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
