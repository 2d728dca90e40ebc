//! The capabilities of the server: the answer to `initialize`.

use gen_lsp_types::{CodeActionKind, TextDocumentSyncKind};
use serde_json::{Value, json};

use crate::client::Client;
use crate::features::{commands, tokens};
use crate::state::ServerHooks;
use crate::uri;

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
            observe: None,
        };
        let built = build_capabilities(&Client::default(), &hooks);
        let read: ServerCapabilities = serde_json::from_value(built.clone()).expect("capabilities");
        assert_eq!(serde_json::to_value(read).expect("JSON"), built);
    }
}
