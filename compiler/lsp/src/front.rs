//! Requests that are answered without compiling, from the last compiled suite: completion, hover, and signature help.

use gen_lsp_types::TextDocumentPositionParams;
use lsp_server::Request;
use serde::Deserialize as _;

use crate::state::State;
use crate::workspace::WorkspaceSnapshot;

/// The requests that are answered from the last compiled suite.
const AT_ONCE: [&str; 3] = ["textDocument/completion", "textDocument/hover", "textDocument/signatureHelp"];

/// Whether a request can be answered without compiling: its suite was compiled before, and a hover is over text that was compiled. `known` returns the latest
/// compiled suites; they are merged into `state` if the request is one of these.
pub fn is_at_once(state: &mut State, request: &Request, known: impl FnOnce() -> WorkspaceSnapshot) -> bool {
    if !AT_ONCE.contains(&request.method.as_str()) {
        return false;
    }
    let Ok(asked) = TextDocumentPositionParams::deserialize(&request.params) else { return false };
    state.workspace.merge_snapshot(known());
    if !state.workspace.has_learnt(&crate::uri::to_path(&asked.text_document.uri)) {
        return false;
    }
    request.method != "textDocument/hover"
        || state.resolve_request_place(&asked).is_some_and(|place| place.to_compiled_place().is_some())
}
