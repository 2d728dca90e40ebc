//! The text of documents that are not files: the standard library, and the pages of codes.

use compiler::diagnostics::find_code_by_id;
use gen_lsp_types as lsp;

use crate::error::Answer;
use crate::state::State;
use crate::uri::SCHEME;

/// Returns the text at a `picardc:` URI.
pub fn handle_text_document_content(
    _state: &mut State,
    params: lsp::TextDocumentContentParams,
) -> Answer<lsp::TextDocumentContentResult> {
    let uri = params.uri.as_ref();
    let path = uri.strip_prefix(SCHEME).and_then(|rest| rest.strip_prefix(":/")).unwrap_or("");
    let text = if let Some(name) = path.strip_prefix("stdlib/") {
        compiler::query::find_library_source(name)
    } else {
        path.strip_prefix("explain/").and_then(|page| find_code_by_id(page.strip_suffix(".md")?)).map(|code| code.page)
    };
    match text {
        Some(text) => Ok(lsp::TextDocumentContentResult { text: text.to_owned() }),
        None => Err(format!("there is nothing at `{uri}`")),
    }
}
