//! The protocol itself: beginnings, encodings, changes, cancellation, commands, and what is refused.

use serde_json::{Value, json};

use crate::lsp::editor::{Editor, place};

const URI: &str = "file:///suites/a.pcd";
const GOOD: &str =
    "suite s { title \"T\" version \"1\" }\ntask t {\n  a : word\n  prompt \"Say <<a>>\"\n  expect reply text a\n}\n";

fn past() -> String {
    std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/suites/past.pcd")).expect("a suite")
}

#[test]
fn what_the_server_can_do() {
    let editor = Editor::new();
    insta::assert_json_snapshot!(editor.capabilities);
    editor.close();
}

#[test]
fn diagnostics_come_and_go() {
    let mut editor = Editor::new();
    editor.open(URI, GOOD);
    assert!(editor.diagnostics(URI).is_empty());
    editor.replace(URI, &GOOD.replace("text a", "text b"));
    let said = editor.diagnostics(URI);
    assert_eq!((said.len(), &said[0]["code"]), (1, &json!("E0201")), "{said:?}");
    editor.replace(URI, GOOD);
    assert!(editor.diagnostics(URI).is_empty());
    editor.close();
}

#[test]
fn an_editor_that_pulls_is_not_pushed_at() {
    let mut editor = Editor::with(json!({ "textDocument": { "diagnostic": {} } }));
    assert_eq!(editor.capabilities["positionEncoding"], "utf-16");
    editor.open(URI, &GOOD.replace("text a", "text b"));
    let report = editor.ask("textDocument/diagnostic", json!({ "textDocument": { "uri": URI } }));
    assert_eq!(report["kind"], "full");
    assert_eq!(report["items"][0]["code"], "E0201", "{report}");
    editor.replace(URI, GOOD);
    let report = editor.ask("textDocument/diagnostic", json!({ "textDocument": { "uri": URI } }));
    assert_eq!(report["items"], json!([]));
    assert!(editor.heard.is_empty(), "{:?}", editor.heard);
    editor.close();
}

#[test]
fn places_count_as_agreed() {
    let text = GOOD.replace("Say <<a>>", "😀ä <<b>>");
    let column = |capabilities: Value| {
        let mut editor = Editor::with(capabilities);
        editor.open(URI, &text);
        let said = editor.diagnostics(URI);
        let unknown = said.iter().find(|said| said["code"] == "E0201").expect("unknown");
        let start = unknown["range"]["start"]["character"].as_u64();
        editor.close();
        start
    };
    assert_eq!(column(json!({})), Some(16), "UTF-16 without a word");
    assert_eq!(column(json!({ "general": { "positionEncodings": ["utf-8"] } })), Some(19));
    assert_eq!(column(json!({ "general": { "positionEncodings": ["utf-32"] } })), Some(15));
}

#[test]
fn changes_of_parts_are_applied() {
    let mut editor = Editor::with(json!({}));
    editor.open(URI, GOOD);
    assert!(editor.diagnostics(URI).is_empty());
    let change = |from: (u32, u32), to: (u32, u32), text: &str| {
        let at = |(line, character)| json!({ "line": line, "character": character });
        json!({ "range": { "start": at(from), "end": at(to) }, "text": text })
    };
    // `a` becomes `b` everywhere, a part at a time.
    let changes = [change((2, 2), (2, 3), "b"), change((3, 16), (3, 17), "b"), change((4, 20), (4, 21), "b")];
    for (index, change) in changes.iter().enumerate() {
        let document = json!({ "uri": URI, "version": index + 2 });
        editor.tell("textDocument/didChange", json!({ "textDocument": document, "contentChanges": [change] }));
    }
    let symbols = editor.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": URI } }));
    assert_eq!(symbols[1]["children"][0]["name"], "b");
    let report = editor.ask("textDocument/diagnostic", json!({ "textDocument": { "uri": URI } }));
    assert_eq!(report["items"], json!([]));
    editor.close();
}

#[test]
fn a_request_that_is_cancelled_is_not_answered() {
    let mut editor = Editor::new();
    editor.open(URI, &past());
    // Sent together, so that the cancellation is there before the request's turn comes.
    let slow = editor.begin("textDocument/semanticTokens/full", json!({ "textDocument": { "uri": URI } }));
    let ids: Vec<_> = (0..20).map(|_| editor.begin("textDocument/hover", place(URI, (7, 6)))).collect();
    for id in &ids {
        let id: i32 = id.to_string().parse().expect("a number");
        editor.tell("$/cancelRequest", json!({ "id": id }));
    }
    assert!(editor.wait(&slow).response_result.is_ok());
    let answers: Vec<_> = ids.iter().map(|id| editor.wait(id).response_result).collect();
    let cancelled = answers.iter().filter(|answer| matches!(answer, Err(error) if error.code == -32800)).count();
    assert!(cancelled > 0, "{answers:?}");
    editor.close();
}

#[test]
fn what_makes_no_sense_is_refused_and_nothing_breaks() {
    let mut editor = Editor::new();
    assert_eq!(editor.refused("textDocument/moniker", json!({})), "picardc does not answer `textDocument/moniker`");
    assert!(editor.refused("textDocument/hover", json!({ "position": 3 })).contains("not understood"));
    // Of a document that is neither open nor on disk nothing is known.
    assert_eq!(editor.ask("textDocument/hover", place("file:///nowhere/x.pcd", (0, 0))), Value::Null);
    let offers = editor.ask("textDocument/completion", place("untitled:Untitled-1", (9, 9)));
    assert!(offers["items"].is_array(), "{offers}");
    editor.open("untitled:Untitled-1", GOOD);
    assert!(editor.diagnostics("untitled:Untitled-1").is_empty());
    // Behind the end of the text.
    assert_eq!(editor.ask("textDocument/hover", place("untitled:Untitled-1", (99, 99))), Value::Null);
    editor.close();
}

#[test]
fn commands() {
    let mut editor = Editor::new();
    editor.open(URI, &past());
    assert!(editor.diagnostics(URI).is_empty());
    let run = |editor: &mut Editor, command: &str, argument: Value| {
        let answer = editor.ask("workspace/executeCommand", json!({ "command": command, "arguments": [argument] }));
        answer["markdown"].as_str().expect("markdown").to_owned()
    };
    let of = json!({ "uri": URI, "task": "q302_csv_filter", "sample": 2, "seed": 7 });
    insta::assert_snapshot!("preview", run(&mut editor, "picardc.previewInstance", of));
    let analysis = run(&mut editor, "picardc.analyzeTask", json!({ "uri": URI, "task": "q302_csv_filter" }));
    assert!(analysis.contains("q302_csv_filter") && analysis.contains("instances"), "{analysis}");
    assert!(run(&mut editor, "picardc.explainCode", json!({ "code": "E0203" })).contains("unknown_column"));
    let refused = |editor: &mut Editor, command: &str, argument: Value| {
        editor.refused("workspace/executeCommand", json!({ "command": command, "arguments": [argument] }))
    };
    assert_eq!(
        refused(&mut editor, "picardc.previewInstance", json!({ "uri": URI, "task": "q302_csv_filte" })),
        "the suite has no task `q302_csv_filte`; did you mean `q302_csv_filter`?"
    );
    assert!(refused(&mut editor, "picardc.previewInstance", json!({})).contains("takes {uri, task, sample?, seed?}"));
    assert!(refused(&mut editor, "picardc.dance", json!({})).contains("has no command `picardc.dance`"));
    editor.replace(URI, &past().replace("hr.EMP_ID", "hr.EMP_IDX"));
    let why = refused(&mut editor, "picardc.analyzeTask", json!({ "uri": URI, "task": "q302_csv_filter" }));
    assert_eq!(why, "the suite has an error, so nothing can be built; the first: `hr` has no column `EMP_IDX`");
    editor.close();
}

#[test]
fn what_has_no_file_can_be_read() {
    let mut editor = Editor::new();
    editor.open(URI, GOOD);
    let there = editor.ask("textDocument/definition", place(URI, (2, 7)));
    assert_eq!(there["uri"], "picardc:/stdlib/1/domains.pcd");
    let text = editor.ask("workspace/textDocumentContent", json!({ "uri": there["uri"] }));
    let line = there["range"]["start"]["line"].as_u64().expect("a line") as usize;
    assert!(text["text"].as_str().expect("a text").lines().nth(line).expect("a line").starts_with("domain word ="));
    let page = editor.ask("workspace/textDocumentContent", json!({ "uri": "picardc:/explain/E0203.md" }));
    assert!(page["text"].as_str().expect("a text").contains("unknown_column"));
    assert!(editor.refused("workspace/textDocumentContent", json!({ "uri": "picardc:/x" })).contains("nothing at"));
    editor.close();
}

/// Values come from the text as it last had no error, so that a hover does not go blank while one types.
#[test]
fn hover_keeps_its_samples_while_the_suite_is_broken() {
    let mut editor = Editor::new();
    editor.open(URI, GOOD);
    let hover = |editor: &mut Editor| editor.ask("textDocument/hover", place(URI, (2, 2)))["contents"]["value"].clone();
    let before = hover(&mut editor);
    assert!(before.as_str().expect("text").contains("for example"), "{before}");
    editor.replace(URI, &GOOD.replace("text a", "text a +"));
    assert_eq!(hover(&mut editor), before);
    editor.close();
}
