//! The capabilities of the editor and of the server.

use gen_lsp_types::{
    CodeActionKind, CodeActionOptions, CodeLensOptions, CompletionOptions, DiagnosticOptions, ExecuteCommandOptions,
    InitializeParams, RenameOptions, SemanticTokensLegend, SemanticTokensOptions, ServerCapabilities,
    SignatureHelpOptions, TextDocumentContentOptions, TextDocumentSyncKind, TextDocumentSyncOptions, WorkspaceFolders,
    WorkspaceFoldersServerCapabilities, WorkspaceOptions,
};
use serde_json::{Value, json};

use crate::features::{commands, tokens};
use crate::position::Encoding;
use crate::state::ServerHooks;
use crate::uri;

/// The capabilities that the editor announced, as far as the server uses them.
#[derive(Clone, Debug, Default)]
pub struct Client {
    /// The unit in which positions are counted.
    pub encoding: Encoding,
    /// The editor requests diagnostics itself (pull model).
    pub pulls: bool,
    /// Inserted text may contain tab stops (snippets).
    pub snippets: bool,
    /// Edits may name the version of a document.
    pub document_changes: bool,
    /// The editor can request the text of documents that are not files.
    pub virtual_documents: bool,
    /// The editor can watch files for the server.
    pub watches: bool,
    /// The editor supports glob patterns relative to a folder.
    pub relative_patterns: bool,
    /// The editor requests diagnostics again on `workspace/diagnostic/refresh`.
    pub refreshes: bool,
    /// The paths of the open workspace folders.
    pub folders: Vec<String>,
}

impl Client {
    /// Reads the capabilities from the parameters of `initialize`.
    pub fn new(params: &InitializeParams) -> Client {
        let offered = serde_json::to_value(&params.capabilities).unwrap_or_default();
        let names = |path: &str| offered.pointer(path).is_some();
        let supports = |path: &str| offered.pointer(path) == Some(&Value::Bool(true));
        let general = params.capabilities.general.as_ref();
        let encodings = general.and_then(|general| general.position_encodings.clone()).unwrap_or_default();
        let folders = match &params.workspace_folders_initialize_params.workspace_folders {
            Some(WorkspaceFolders::WorkspaceFolderList(folders)) => {
                folders.iter().map(|folder| uri::to_path(&folder.uri)).collect()
            }
            _ => Vec::new(),
        };
        Client {
            encoding: Encoding::choose_from_offered(&encodings),
            pulls: names("/textDocument/diagnostic"),
            snippets: supports("/textDocument/completion/completionItem/snippetSupport"),
            document_changes: supports("/workspace/workspaceEdit/documentChanges"),
            virtual_documents: names("/workspace/textDocumentContent"),
            watches: supports("/workspace/didChangeWatchedFiles/dynamicRegistration"),
            relative_patterns: supports("/workspace/didChangeWatchedFiles/relativePatternSupport"),
            refreshes: supports("/workspace/diagnostics/refreshSupport"),
            folders,
        }
    }
}

/// Builds the result of `initialize`.
pub fn build_initialize_result(client: &Client, outside: &ServerHooks) -> Value {
    json!({
        "capabilities": build_capabilities(client, outside),
        "serverInfo": { "name": "picardc", "version": env!("CARGO_PKG_VERSION") },
    })
}

/// Builds the server's capabilities for this editor.
fn build_capabilities(client: &Client, outside: &ServerHooks) -> ServerCapabilities {
    let words = |words: &[&str]| Some(words.iter().map(|word| (*word).to_owned()).collect::<Vec<String>>());
    ServerCapabilities {
        position_encoding: Some(client.encoding.to_protocol_kind()),
        text_document_sync: Some(
            TextDocumentSyncOptions {
                open_close: Some(true),
                change: Some(TextDocumentSyncKind::Incremental),
                save: Some(true.into()),
                ..TextDocumentSyncOptions::default()
            }
            .into(),
        ),
        completion_provider: Some(CompletionOptions {
            trigger_characters: words(&[".", ":", "<", "$", "/", "\"", "@", "`"]),
            ..CompletionOptions::default()
        }),
        hover_provider: Some(true.into()),
        signature_help_provider: Some(SignatureHelpOptions {
            trigger_characters: words(&["(", ",", ":"]),
            ..SignatureHelpOptions::default()
        }),
        definition_provider: Some(true.into()),
        references_provider: Some(true.into()),
        document_highlight_provider: Some(true.into()),
        document_symbol_provider: Some(true.into()),
        workspace_symbol_provider: Some(true.into()),
        code_action_provider: Some(
            CodeActionOptions {
                code_action_kinds: Some(vec![CodeActionKind::QuickFix, CodeActionKind::SourceFixAll]),
                ..CodeActionOptions::default()
            }
            .into(),
        ),
        code_lens_provider: Some(CodeLensOptions::default()),
        document_formatting_provider: outside.format.is_some().then(|| true.into()),
        rename_provider: Some(RenameOptions { prepare_provider: Some(true), ..RenameOptions::default() }.into()),
        folding_range_provider: Some(true.into()),
        selection_range_provider: Some(true.into()),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: commands::COMMANDS.map(str::to_owned).to_vec(),
            ..ExecuteCommandOptions::default()
        }),
        semantic_tokens_provider: Some(
            SemanticTokensOptions {
                legend: SemanticTokensLegend {
                    token_types: tokens::TYPES.map(str::to_owned).to_vec(),
                    token_modifiers: tokens::MODIFIERS.map(str::to_owned).to_vec(),
                },
                range: Some(true.into()),
                full: Some(true.into()),
                ..SemanticTokensOptions::default()
            }
            .into(),
        ),
        inlay_hint_provider: Some(true.into()),
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
            text_document_content: Some(TextDocumentContentOptions { schemes: vec![uri::SCHEME.to_owned()] }.into()),
            ..WorkspaceOptions::default()
        }),
        ..ServerCapabilities::default()
    }
}
