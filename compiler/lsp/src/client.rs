//! The capabilities of the editor.

use gen_lsp_types::{InitializeParams, WorkspaceFolders};
use serde_json::Value;

use crate::position::Encoding;
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
