//! What drawn samples show is added to the diagnostics that were published before, and only to those of the text that was drawn.

use serde_json::{Value, json};

use crate::lsp::editor::Editor;

const URI: &str = "file:///suites/a.pcd";

/// A suite without errors whose key no answer meets.
fn suite(word: &str) -> String {
    format!(
        "suite s {{ title \"T\" version \"1\" }}\ntask t {{\n  n : int 1..9\n  prompt \"{word} letters and <<n>>.\"\n  expect reply matches \"[a-z]+ <<n>>\"\n  \
         expect reply matches \"<<n>> [a-z]+\"\n}}\n"
    )
}

fn codes(said: &[Value]) -> Vec<&str> {
    said.iter().filter_map(|said| said["code"].as_str()).collect()
}

#[test]
fn it_is_published_after_the_proofs() {
    let mut editor = Editor::new();
    editor.open(URI, &suite("Say"));
    assert!(editor.diagnostics(URI).is_empty());
    let said = editor.diagnostics(URI);
    assert_eq!(codes(&said), ["E0920"]);
    assert_eq!(said[0]["data"]["observed"]["seed"], "check");
    // The next text has not been drawn yet.
    editor.replace(URI, &suite("Tell"));
    let next = editor.next_diagnostics(URI);
    assert_eq!((next["version"].as_i64(), next["diagnostics"].as_array().map(Vec::len)), (Some(2), Some(0)));
    assert_eq!(codes(&editor.diagnostics(URI)), ["E0920"]);
    // A text with errors is not drawn; nothing comes after its errors.
    editor.replace(URI, &suite("<<m>>"));
    assert_eq!(codes(&editor.diagnostics(URI)), ["E0201"]);
    editor.replace(URI, &suite("Say"));
    assert!(editor.diagnostics(URI).is_empty());
    editor.close();
}

#[test]
fn an_editor_that_pulls_is_asked_to_pull_again() {
    let mut capabilities = Editor::capable();
    capabilities["textDocument"]["diagnostic"] = json!({});
    capabilities["workspace"]["diagnostics"] = json!({ "refreshSupport": true });
    let mut editor = Editor::with(capabilities);
    editor.open(URI, &suite("Say"));
    let document = json!({ "textDocument": { "uri": URI } });
    assert_eq!(editor.ask("textDocument/diagnostic", document.clone())["items"], json!([]));
    while editor.question().method != "workspace/diagnostic/refresh" {}
    let again = editor.ask("textDocument/diagnostic", document);
    assert_eq!(codes(again["items"].as_array().expect("a list")), ["E0920"]);
    editor.close();
}
