//! Which message is answered by which feature.

use gen_lsp_types as lsp;
use lsp_server::{ErrorCode, Notification, Request, Response};
use serde::de::DeserializeOwned;

use crate::documents::{Document, Documents};
use crate::features::{
    actions, commands, complete, content, diagnostics, folding, format, hints, hover, lenses, navigate, rename,
    selection, signature, symbols, tokens,
};
use crate::position::Encoding;
use crate::state::State;
use crate::uri;

/// A request that makes sense and is refused, with the reason for the author.
pub type Answer<T> = Result<T, String>;

/// Answers a request.
pub fn request(state: &mut State, request: Request) -> Response {
    match request.method.as_str() {
        "textDocument/diagnostic" => on::<lsp::DocumentDiagnosticRequest>(state, request, diagnostics::pull),
        "textDocument/codeAction" => on::<lsp::CodeActionRequest>(state, request, actions::actions),
        "textDocument/hover" => on::<lsp::HoverRequest>(state, request, hover::hover),
        "textDocument/documentSymbol" => on::<lsp::DocumentSymbolRequest>(state, request, symbols::of_document),
        "workspace/symbol" => on::<lsp::WorkspaceSymbolRequest>(state, request, symbols::of_workspace),
        "textDocument/foldingRange" => on::<lsp::FoldingRangeRequest>(state, request, folding::folding),
        "textDocument/selectionRange" => on::<lsp::SelectionRangeRequest>(state, request, selection::selection),
        "textDocument/definition" => on::<lsp::DefinitionRequest>(state, request, navigate::definition),
        "textDocument/references" => on::<lsp::ReferencesRequest>(state, request, navigate::references),
        "textDocument/documentHighlight" => on::<lsp::DocumentHighlightRequest>(state, request, navigate::highlights),
        "textDocument/prepareRename" => on::<lsp::PrepareRenameRequest>(state, request, rename::prepare),
        "textDocument/rename" => on::<lsp::RenameRequest>(state, request, rename::rename),
        "textDocument/completion" => on::<lsp::CompletionRequest>(state, request, complete::complete),
        "textDocument/signatureHelp" => on::<lsp::SignatureHelpRequest>(state, request, signature::help),
        "textDocument/semanticTokens/full" => on::<lsp::SemanticTokensRequest>(state, request, tokens::full),
        "textDocument/semanticTokens/range" => on::<lsp::SemanticTokensRangeRequest>(state, request, tokens::range),
        "textDocument/inlayHint" => on::<lsp::InlayHintRequest>(state, request, hints::hints),
        "textDocument/codeLens" => on::<lsp::CodeLensRequest>(state, request, lenses::lenses),
        "textDocument/formatting" => on::<lsp::DocumentFormattingRequest>(state, request, format::format),
        "workspace/executeCommand" => on::<lsp::ExecuteCommandRequest>(state, request, commands::execute),
        "workspace/textDocumentContent" => on::<lsp::TextDocumentContentRequest>(state, request, content::content),
        other => {
            let why = format!("picardc does not answer `{other}`");
            Response::new_err(request.id, ErrorCode::MethodNotFound as i32, why)
        }
    }
}

fn on<R: lsp::Request>(
    state: &mut State,
    request: Request,
    answer: fn(&mut State, R::Params) -> Answer<R::Result>,
) -> Response {
    let params: R::Params = match serde_json::from_value(request.params) {
        Ok(params) => params,
        Err(error) => {
            let why = format!("the parameters of `{}` are not understood: {error}", request.method);
            return Response::new_err(request.id, ErrorCode::InvalidParams as i32, why);
        }
    };
    match answer(state, params) {
        Ok(result) => Response::new_ok(request.id, result),
        Err(why) => Response::new_err(request.id, ErrorCode::RequestFailed as i32, why),
    }
}

/// What a notification was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heard {
    /// A buffer is another now.
    Edit,
    /// Files on disk may be others now.
    Disk,
    /// Nothing that diagnostics depend on.
    Other,
}

/// Which buffer is another now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// It was opened or changed.
    Changed(String),
    /// It is gone.
    Closed(String),
}

/// Keeps buffers as the editor shows them. `None`: the notification is about something else. Fails with a line for the log.
pub fn edit(
    documents: &mut Documents,
    encoding: Encoding,
    notification: &Notification,
) -> Result<Option<Edit>, String> {
    Ok(Some(match notification.method.as_str() {
        "textDocument/didOpen" => {
            let item = read::<lsp::DidOpenTextDocumentParams>(notification)?.text_document;
            let path = uri::path(&item.uri);
            documents.open(path.clone(), Document { uri: item.uri, version: item.version, text: item.text });
            Edit::Changed(path)
        }
        "textDocument/didChange" => {
            let params = read::<lsp::DidChangeTextDocumentParams>(notification)?;
            let uri = &params.text_document.text_document_identifier.uri;
            let path = uri::path(uri);
            let Some(document) = documents.get_mut(&path) else {
                return Err(format!("`{uri}` was changed, and was never opened"));
            };
            document.change(params.content_changes, encoding);
            document.version = params.text_document.version;
            Edit::Changed(path)
        }
        "textDocument/didClose" => {
            let params = read::<lsp::DidCloseTextDocumentParams>(notification)?;
            let path = uri::path(&params.text_document.uri);
            documents.close(&path);
            Edit::Closed(path)
        }
        _ => return Ok(None),
    }))
}

/// Takes note of a notification. Fails with a line for the log.
pub fn notify(state: &mut State, notification: &Notification) -> Result<Heard, String> {
    let workspace = &mut state.workspace;
    match edit(&mut workspace.documents, workspace.encoding, notification)? {
        Some(Edit::Changed(path)) => workspace.changed(&path),
        Some(Edit::Closed(path)) => workspace.closed(&path),
        None => return about_files(state, notification),
    }
    Ok(Heard::Edit)
}

fn about_files(state: &mut State, notification: &Notification) -> Result<Heard, String> {
    match notification.method.as_str() {
        "textDocument/didSave" | "workspace/didChangeWatchedFiles" => {
            state.workspace.changed_on_disk();
            Ok(Heard::Disk)
        }
        "workspace/didChangeWorkspaceFolders" => {
            let event = read::<lsp::DidChangeWorkspaceFoldersParams>(notification)?.event;
            let removed: Vec<String> = event.removed.iter().map(|folder| uri::path(&folder.uri)).collect();
            state.workspace.folders.retain(|folder| !removed.contains(folder));
            state.workspace.folders.extend(event.added.iter().map(|folder| uri::path(&folder.uri)));
            Ok(Heard::Other)
        }
        // `initialized`, `$/cancelRequest` (looked for where requests are answered), `$/setTrace` and whatever else need nothing.
        _ => Ok(Heard::Other),
    }
}

fn read<P: DeserializeOwned>(notification: &Notification) -> Result<P, String> {
    P::deserialize(&notification.params)
        .map_err(|error| format!("the parameters of `{}` are not understood: {error}", notification.method))
}
