//! Whatever is typed: every prefix of every suite that ships, and the server answers.

use std::fs;

use serde_json::{Value, json};

use crate::lsp::editor::{Editor, place};

/// Longer suites are left out of quick tests.
const LONGEST: usize = 20_000;

#[test]
fn every_prefix_is_answered() {
    let thorough = testing::is_thorough();
    let step = if thorough { 20 } else { 389 };
    for path in testing::list_sources(testing::root().join("suites")) {
        let text = fs::read_to_string(&path).expect("a suite");
        if !thorough && text.len() > LONGEST {
            continue;
        }
        let uri = format!("file://{}", path.display());
        let mut editor = Editor::new();
        editor.open(&uri, "");
        let lines = text.char_indices().filter(|(_, c)| *c == '\n').map(|(at, _)| at);
        let lines = lines.enumerate().filter(|(index, _)| thorough || index % 9 == 0).map(|(_, at)| at);
        let mut ends: Vec<usize> =
            text.char_indices().step_by(step).map(|(at, _)| at).chain(lines).chain([text.len()]).collect();
        ends.sort_unstable();
        ends.dedup();
        for end in ends {
            // `Editor` fails on any message for the log: a panic of the server is one.
            editor.replace(&uri, &text[..end]);
            let line = text[..end].matches('\n').count() as u32;
            let character = (end - text[..end].rfind('\n').map_or(0, |newline| newline + 1)) as u32;
            let document = json!({ "textDocument": { "uri": uri } });
            let report = editor.ask("textDocument/diagnostic", document.clone());
            assert!(report["items"].is_array());
            let offers = editor.ask("textDocument/completion", place(&uri, (line, character)));
            assert!(offers.is_null() || offers["items"].is_array());
            editor.ask("textDocument/hover", place(&uri, (line, character.saturating_sub(1))));
            editor.ask("textDocument/signatureHelp", place(&uri, (line, character)));
            let tokens = editor.ask("textDocument/semanticTokens/full", document.clone());
            assert!(tokens["data"].is_array(), "{tokens}");
            for method in ["documentSymbol", "foldingRange", "codeLens"] {
                assert_ne!(editor.ask(&format!("textDocument/{method}"), document.clone()), Value::Null);
            }
        }
        editor.close();
    }
}
