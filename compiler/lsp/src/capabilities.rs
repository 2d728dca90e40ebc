//! The capabilities of the editor and of the server.

use gen_lsp_types::{CodeActionKind, InitializeParams, TextDocumentSyncKind, WorkspaceFolders};
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

/// Builds the server's capabilities for this editor, as the protocol spells them.
fn build_capabilities(client: &Client, outside: &ServerHooks) -> Value {
    json!({
        "positionEncoding": client.encoding.to_protocol_kind(),
        "textDocumentSync": { "openClose": true, "change": TextDocumentSyncKind::Incremental, "save": true },
        "completionProvider": { "triggerCharacters": [".", ":", "<", "$", "/", "\"", "@", "`"] },
        "hoverProvider": true,
        "signatureHelpProvider": { "triggerCharacters": ["(", ",", ":"] },
        "definitionProvider": true,
        "referencesProvider": true,
        "documentHighlightProvider": true,
        "documentSymbolProvider": true,
        "codeActionProvider": { "codeActionKinds": [CodeActionKind::QuickFix, CodeActionKind::SourceFixAll] },
        "codeLensProvider": {},
        "workspaceSymbolProvider": true,
        "documentFormattingProvider": outside.format.is_some(),
        "renameProvider": { "prepareProvider": true },
        "foldingRangeProvider": true,
        "selectionRangeProvider": true,
        "executeCommandProvider": { "commands": commands::COMMANDS },
        "semanticTokensProvider": {
            "legend": { "tokenTypes": tokens::TYPES, "tokenModifiers": tokens::MODIFIERS },
            "range": true,
            "full": true,
        },
        "inlayHintProvider": true,
        "diagnosticProvider": { "identifier": "picardc", "interFileDependencies": true, "workspaceDiagnostics": false },
        "workspace": {
            "workspaceFolders": { "supported": true },
            "textDocumentContent": { "schemes": [uri::SCHEME] },
        },
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use gen_lsp_types::ServerCapabilities;

    use super::*;

    /// Names that the protocol does not have are lost when they are read.
    #[test]
    fn capabilities_are_those_of_the_protocol() {
        let hooks = ServerHooks {
            host: Arc::new(|_| unreachable!("nothing is compiled")),
            analyze: Arc::new(|_, _| Ok(String::new())),
            format: None,
        };
        let built = build_capabilities(&Client::default(), &hooks);
        let read: ServerCapabilities = serde_json::from_value(built.clone()).expect("capabilities");
        assert_eq!(serde_json::to_value(read).expect("JSON"), built);
    }
}
