//! The dispatch of requests and notifications to features.

use std::panic::{AssertUnwindSafe, catch_unwind};

use gen_lsp_types as lsp;
use lsp_server::{ErrorCode, Notification, Request, Response};
use serde::de::DeserializeOwned;

use crate::documents::{Document, Documents};
use crate::error::{Answer, NotificationError};
use crate::features::diagnostics::{build_log_message, describe_panic};
use crate::features::{
    actions, commands, complete, content, diagnostics, folding, format, hints, hover, lenses, navigate, rename,
    selection, signature, symbols, tokens,
};
use crate::position::Encoding;
use crate::state::State;
use crate::uri;

/// Answers a request, even if the server fails. Also returns a line for the editor's log about a failure.
pub fn answer_request(state: &mut State, request: Request) -> (Response, Option<Notification>) {
    let (id, method) = (request.id.clone(), request.method.clone());
    match catch_unwind(AssertUnwindSafe(|| Call { state, request }.call_handler())) {
        Ok(response) => (response, None),
        Err(why) => {
            // A defect of the server: the editor continues without this answer.
            let words = format!("{method}: the server failed: {}", describe_panic(why.as_ref()));
            let response = Response::new_err(id, ErrorCode::InternalError as i32, format!("{method} failed"));
            (response, Some(build_log_message(&words)))
        }
    }
}

/// A request, and the state from which it is answered.
struct Call<'s> {
    state: &'s mut State,
    request: Request,
}

impl Call<'_> {
    fn call_handler(self) -> Response {
        match self.request.method.as_str() {
            "textDocument/diagnostic" => {
                self.answer::<lsp::DocumentDiagnosticRequest>(diagnostics::handle_document_diagnostic)
            }
            "textDocument/codeAction" => self.answer::<lsp::CodeActionRequest>(actions::handle_code_action),
            "textDocument/hover" => self.answer::<lsp::HoverRequest>(hover::handle_hover),
            "textDocument/documentSymbol" => self.answer::<lsp::DocumentSymbolRequest>(symbols::handle_document_symbol),
            "workspace/symbol" => self.answer::<lsp::WorkspaceSymbolRequest>(symbols::handle_workspace_symbol),
            "textDocument/foldingRange" => self.answer::<lsp::FoldingRangeRequest>(folding::handle_folding_range),
            "textDocument/selectionRange" => {
                self.answer::<lsp::SelectionRangeRequest>(selection::handle_selection_range)
            }
            "textDocument/definition" => self.answer::<lsp::DefinitionRequest>(navigate::handle_definition),
            "textDocument/references" => self.answer::<lsp::ReferencesRequest>(navigate::handle_references),
            "textDocument/documentHighlight" => {
                self.answer::<lsp::DocumentHighlightRequest>(navigate::handle_document_highlight)
            }
            "textDocument/prepareRename" => {
                self.answer_or_refuse::<lsp::PrepareRenameRequest>(rename::handle_prepare_rename)
            }
            "textDocument/rename" => self.answer_or_refuse::<lsp::RenameRequest>(rename::handle_rename),
            "textDocument/completion" => self.answer::<lsp::CompletionRequest>(complete::handle_completion),
            "textDocument/signatureHelp" => self.answer::<lsp::SignatureHelpRequest>(signature::handle_signature_help),
            "textDocument/semanticTokens/full" => {
                self.answer::<lsp::SemanticTokensRequest>(tokens::handle_semantic_tokens_full)
            }
            "textDocument/semanticTokens/range" => {
                self.answer::<lsp::SemanticTokensRangeRequest>(tokens::handle_semantic_tokens_range)
            }
            "textDocument/inlayHint" => self.answer::<lsp::InlayHintRequest>(hints::handle_inlay_hint),
            "textDocument/codeLens" => self.answer::<lsp::CodeLensRequest>(lenses::handle_code_lens),
            "textDocument/formatting" => {
                self.answer_or_refuse::<lsp::DocumentFormattingRequest>(format::handle_formatting)
            }
            "workspace/executeCommand" => {
                self.answer_or_refuse::<lsp::ExecuteCommandRequest>(commands::handle_execute_command)
            }
            "workspace/textDocumentContent" => {
                self.answer_or_refuse::<lsp::TextDocumentContentRequest>(content::handle_text_document_content)
            }
            other => {
                let why = format!("picardc does not answer `{other}`");
                Response::new_err(self.request.id, ErrorCode::MethodNotFound as i32, why)
            }
        }
    }

    fn answer<R: lsp::Request>(self, handle: fn(&mut State, R::Params) -> R::Result) -> Response {
        self.answer_or_refuse::<R>(|state, params| Ok(handle(state, params)))
    }

    fn answer_or_refuse<R: lsp::Request>(
        self,
        handle: impl FnOnce(&mut State, R::Params) -> Answer<R::Result>,
    ) -> Response {
        let Request { id, method, params } = self.request;
        let params: R::Params = match serde_json::from_value(params) {
            Ok(params) => params,
            Err(error) => {
                let why = format!("the parameters of `{method}` are not understood: {error}");
                return Response::new_err(id, ErrorCode::InvalidParams as i32, why);
            }
        };
        match handle(self.state, params) {
            Ok(result) => Response::new_ok(id, result),
            Err(why) => Response::new_err(id, ErrorCode::RequestFailed as i32, why),
        }
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
            documents.insert(path.clone(), Document { uri: item.uri, version: item.version, text: item.text });
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
            documents.remove(&path);
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
