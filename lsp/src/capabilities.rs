//! What the editor can do, and what the server can.

use gen_lsp_types::{
    CodeActionKind, CodeActionOptions, DiagnosticOptions, InitializeParams, ServerCapabilities, TextDocumentSyncKind,
    TextDocumentSyncOptions, WorkspaceFolders, WorkspaceFoldersServerCapabilities, WorkspaceOptions,
};

use crate::position::Encoding;
use crate::uri;

/// What the editor said it can do, as far as it matters here.
#[derive(Clone, Debug, Default)]
pub struct Client {
    /// How positions are counted.
    pub encoding: Encoding,
    /// It asks for diagnostics itself.
    pub pulls: bool,
    /// Insertions may hold places to fill in.
    pub snippets: bool,
    /// Edits may name the version of a document.
    pub document_changes: bool,
    /// The folders that are open, as paths.
    pub folders: Vec<String>,
}

impl Client {
    /// From what it says first.
    pub fn new(params: &InitializeParams) -> Client {
        let offered = &params.capabilities;
        let text = offered.text_document.as_ref();
        let general = offered.general.as_ref();
        let encodings = general.and_then(|general| general.position_encodings.clone()).unwrap_or_default();
        let folders = match &params.workspace_folders_initialize_params.workspace_folders {
            Some(WorkspaceFolders::WorkspaceFolderList(folders)) => {
                folders.iter().map(|folder| uri::path(&folder.uri)).collect()
            }
            _ => Vec::new(),
        };
        let edits = offered.workspace.as_ref().and_then(|workspace| workspace.workspace_edit.as_ref());
        let item =
            text.and_then(|text| text.completion.as_ref()).and_then(|completion| completion.completion_item.as_ref());
        Client {
            encoding: Encoding::agreed(&encodings),
            pulls: text.is_some_and(|text| text.diagnostic.is_some()),
            snippets: item.and_then(|item| item.snippet_support) == Some(true),
            document_changes: edits.and_then(|edits| edits.document_changes) == Some(true),
            folders,
        }
    }
}

/// What the server offers this editor.
pub fn capabilities(client: &Client) -> ServerCapabilities {
    ServerCapabilities {
        position_encoding: Some(client.encoding.kind()),
        text_document_sync: Some(
            TextDocumentSyncOptions {
                open_close: Some(true),
                change: Some(TextDocumentSyncKind::Incremental),
                save: Some(true.into()),
                ..TextDocumentSyncOptions::default()
            }
            .into(),
        ),
        code_action_provider: Some(
            CodeActionOptions {
                code_action_kinds: Some(vec![CodeActionKind::QuickFix, CodeActionKind::SourceFixAll]),
                ..CodeActionOptions::default()
            }
            .into(),
        ),
        diagnostic_provider: Some(
            DiagnosticOptions {
                identifier: Some("picardc".to_owned()),
                inter_file_dependencies: true,
                ..DiagnosticOptions::default()
            }
            .into(),
        ),
        workspace: Some(WorkspaceOptions {
            workspace_folders: Some(WorkspaceFoldersServerCapabilities {
                supported: Some(true),
                ..WorkspaceFoldersServerCapabilities::default()
            }),
            ..WorkspaceOptions::default()
        }),
        ..ServerCapabilities::default()
    }
}
