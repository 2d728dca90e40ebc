//! The dispatch of requests and notifications to features.

use gen_lsp_types as lsp;
use lsp_server::{ErrorCode, Notification, Request, Response};
use serde::de::DeserializeOwned;

use crate::documents::{Document, Documents};
use crate::error::NotificationError;
use crate::features::{
    actions, commands, complete, content, diagnostics, folding, format, hints, hover, lenses, navigate, rename,
    selection, signature, symbols, tokens,
};
use crate::position::Encoding;
use crate::state::State;
use crate::uri;

/// The result of a request; the error is the reason for a refusal, shown to the author.
pub type Answer<T> = Result<T, String>;

/// Answers a request.
pub fn answer_request(state: &mut State, request: Request) -> Response {
    match request.method.as_str() {
        "textDocument/diagnostic" => {
            answer_with::<lsp::DocumentDiagnosticRequest>(state, request, diagnostics::handle_document_diagnostic)
        }
        "textDocument/codeAction" => answer_with::<lsp::CodeActionRequest>(state, request, actions::handle_code_action),
        "textDocument/hover" => answer_with::<lsp::HoverRequest>(state, request, hover::handle_hover),
        "textDocument/documentSymbol" => {
            answer_with::<lsp::DocumentSymbolRequest>(state, request, symbols::handle_document_symbol)
        }
        "workspace/symbol" => {
            answer_with::<lsp::WorkspaceSymbolRequest>(state, request, symbols::handle_workspace_symbol)
        }
        "textDocument/foldingRange" => {
            answer_with::<lsp::FoldingRangeRequest>(state, request, folding::handle_folding_range)
        }
        "textDocument/selectionRange" => {
            answer_with::<lsp::SelectionRangeRequest>(state, request, selection::handle_selection_range)
        }
        "textDocument/definition" => answer_with::<lsp::DefinitionRequest>(state, request, navigate::handle_definition),
        "textDocument/references" => answer_with::<lsp::ReferencesRequest>(state, request, navigate::handle_references),
        "textDocument/documentHighlight" => {
            answer_with::<lsp::DocumentHighlightRequest>(state, request, navigate::handle_document_highlight)
        }
        "textDocument/prepareRename" => {
            answer_with::<lsp::PrepareRenameRequest>(state, request, rename::handle_prepare_rename)
        }
        "textDocument/rename" => answer_with::<lsp::RenameRequest>(state, request, rename::handle_rename),
        "textDocument/completion" => answer_with::<lsp::CompletionRequest>(state, request, complete::handle_completion),
        "textDocument/signatureHelp" => {
            answer_with::<lsp::SignatureHelpRequest>(state, request, signature::handle_signature_help)
        }
        "textDocument/semanticTokens/full" => {
            answer_with::<lsp::SemanticTokensRequest>(state, request, tokens::handle_semantic_tokens_full)
        }
        "textDocument/semanticTokens/range" => {
            answer_with::<lsp::SemanticTokensRangeRequest>(state, request, tokens::handle_semantic_tokens_range)
        }
        "textDocument/inlayHint" => answer_with::<lsp::InlayHintRequest>(state, request, hints::handle_inlay_hint),
        "textDocument/codeLens" => answer_with::<lsp::CodeLensRequest>(state, request, lenses::handle_code_lens),
        "textDocument/formatting" => {
            answer_with::<lsp::DocumentFormattingRequest>(state, request, format::handle_formatting)
        }
        "workspace/executeCommand" => {
            answer_with::<lsp::ExecuteCommandRequest>(state, request, commands::handle_execute_command)
        }
        "workspace/textDocumentContent" => {
            answer_with::<lsp::TextDocumentContentRequest>(state, request, content::handle_text_document_content)
        }
        other => {
            let why = format!("picardc does not answer `{other}`");
            Response::new_err(request.id, ErrorCode::MethodNotFound as i32, why)
        }
    }
}

fn answer_with<R: lsp::Request>(
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

/// The effect of a notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotificationKind {
    /// The content of a buffer changed.
    Edit,
    /// Files on disk may have changed.
    Disk,
    /// Diagnostics do not depend on it.
    Other,
}

/// An edited buffer, by path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// It was opened or changed.
    Changed(String),
    /// It was closed.
    Closed(String),
}

/// Applies a notification about open buffers. Returns `None` if the notification is about something else.
pub fn apply_edit(
    documents: &mut Documents,
    encoding: Encoding,
    notification: &Notification,
) -> Result<Option<Edit>, NotificationError> {
    Ok(Some(match notification.method.as_str() {
        "textDocument/didOpen" => {
            let item = parse_params::<lsp::DidOpenTextDocumentParams>(notification)?.text_document;
            let path = uri::to_path(&item.uri);
            documents.open_document(path.clone(), Document { uri: item.uri, version: item.version, text: item.text });
            Edit::Changed(path)
        }
        "textDocument/didChange" => {
            let params = parse_params::<lsp::DidChangeTextDocumentParams>(notification)?;
            let uri = &params.text_document.text_document_identifier.uri;
            let path = uri::to_path(uri);
            let Some(document) = documents.get_mut(&path) else {
                return Err(NotificationError::NotOpen(uri.clone()));
            };
            document.apply_changes(params.content_changes, encoding);
            document.version = params.text_document.version;
            Edit::Changed(path)
        }
        "textDocument/didClose" => {
            let params = parse_params::<lsp::DidCloseTextDocumentParams>(notification)?;
            let path = uri::to_path(&params.text_document.uri);
            documents.close_document(&path);
            Edit::Closed(path)
        }
        _ => return Ok(None),
    }))
}

/// Applies a notification to the state.
pub fn handle_notification(
    state: &mut State,
    notification: &Notification,
) -> Result<NotificationKind, NotificationError> {
    let workspace = &mut state.workspace;
    match apply_edit(&mut workspace.documents, workspace.encoding, notification)? {
        Some(Edit::Changed(path)) => workspace.discard_compiled(&path),
        Some(Edit::Closed(path)) => workspace.close_file(&path),
        None => return handle_file_notification(state, notification),
    }
    Ok(NotificationKind::Edit)
}

fn handle_file_notification(
    state: &mut State,
    notification: &Notification,
) -> Result<NotificationKind, NotificationError> {
    match notification.method.as_str() {
        "textDocument/didSave" | "workspace/didChangeWatchedFiles" => {
            state.workspace.discard_all();
            Ok(NotificationKind::Disk)
        }
        "workspace/didChangeWorkspaceFolders" => {
            let event = parse_params::<lsp::DidChangeWorkspaceFoldersParams>(notification)?.event;
            let removed: Vec<String> = event.removed.iter().map(|folder| uri::to_path(&folder.uri)).collect();
            state.workspace.folders.retain(|folder| !removed.contains(folder));
            state.workspace.folders.extend(event.added.iter().map(|folder| uri::to_path(&folder.uri)));
            Ok(NotificationKind::Other)
        }
        // `initialized`, `$/cancelRequest` (searched for before a request is answered), `$/setTrace`, and all others need no action.
        _ => Ok(NotificationKind::Other),
    }
}

fn parse_params<P: DeserializeOwned>(notification: &Notification) -> Result<P, NotificationError> {
    P::deserialize(&notification.params)
        .map_err(|error| NotificationError::Params { method: notification.method.clone(), error })
}
