//! Suites of several files, open and on disk.

use std::fs;

use serde_json::{Value, json};

use crate::lsp::editor::{Editor, place};

const ROOT: &str = "use \"parts/shared.pcd\"\nsuite s { title \"T\" version \"1\" }\ntask t {\n  a : colours\n  prompt \"Say <<a>>\"\n  expect reply text a\n}\n";
const SHARED: &str = "## What is chosen.\ndomain colours = one_of [\"red\", \"green\"]\n";

struct Folder {
    home: tempfile::TempDir,
}

impl Folder {
    fn new() -> Folder {
        let home = tempfile::tempdir().expect("a folder");
        fs::create_dir(home.path().join("parts")).expect("created");
        fs::write(home.path().join("suite.pcd"), ROOT).expect("written");
        fs::write(home.path().join("parts/shared.pcd"), SHARED).expect("written");
        Folder { home }
    }

    fn uri(&self, name: &str) -> String {
        format!("file://{}/{name}", self.home.path().display())
    }
}

fn messages(diagnostics: &[Value]) -> Vec<String> {
    diagnostics.iter().map(|said| said["code"].as_str().expect("a code").to_owned()).collect()
}

#[test]
fn a_file_that_is_used_is_checked_with_the_suite_that_uses_it() {
    let folder = Folder::new();
    let mut editor = Editor::new();
    let shared = folder.uri("parts/shared.pcd");
    editor.open(&shared, SHARED);
    // It declares no suite, and that is right.
    assert!(editor.diagnostics(&shared).is_empty());
    // What it means is known from the suite on disk.
    let uses = {
        let mut params = place(&shared, (1, 8));
        params["context"] = json!({ "includeDeclaration": false });
        editor.ask("textDocument/references", params)
    };
    assert_eq!(uses[0]["uri"], folder.uri("suite.pcd"), "{uses}");
    // Breaking it breaks the suite, which is not open.
    editor.replace(&shared, "domain colors = one_of [\"red\", \"green\"]\n");
    assert_eq!(messages(&editor.diagnostics(&folder.uri("suite.pcd"))), ["E0204"]);
    editor.replace(&shared, SHARED);
    assert!(editor.diagnostics(&folder.uri("suite.pcd")).is_empty());
    editor.close();
}

#[test]
fn open_buffers_are_before_the_disk() {
    let folder = Folder::new();
    let mut editor = Editor::new();
    let (root, shared) = (folder.uri("suite.pcd"), folder.uri("parts/shared.pcd"));
    editor.open(&shared, "domain shades = one_of [\"red\", \"green\"]\n");
    editor.open(&root, ROOT);
    assert_eq!(messages(&editor.diagnostics(&root)), ["E0204"]);
    // Closed, what is on disk counts again.
    editor.tell("textDocument/didClose", json!({ "textDocument": { "uri": shared } }));
    assert!(editor.diagnostics(&root).is_empty());
    // A change on disk is taken up when the editor tells of it.
    fs::write(folder.home.path().join("parts/shared.pcd"), "domain shades = one_of [\"a\", \"b\"]\n").expect("written");
    editor.tell("workspace/didChangeWatchedFiles", json!({ "changes": [] }));
    assert_eq!(messages(&editor.diagnostics(&root)), ["E0204"]);
    editor.close();
}

#[test]
fn a_name_is_renamed_in_all_files() {
    let folder = Folder::new();
    let mut editor = Editor::new();
    let (root, shared) = (folder.uri("suite.pcd"), folder.uri("parts/shared.pcd"));
    editor.open(&root, ROOT);
    let mut params = place(&root, (3, 7));
    params["newName"] = json!("shades");
    let edit = editor.ask("textDocument/rename", params);
    let documents: Vec<&Value> = edit["documentChanges"].as_array().expect("a list").iter().collect();
    let uris: Vec<&str> =
        documents.iter().map(|document| document["textDocument"]["uri"].as_str().expect("a uri")).collect();
    assert_eq!(uris, [shared.as_str(), root.as_str()]);
    assert!(documents.iter().all(|document| document["edits"][0]["newText"] == "shades"));
    editor.close();
}

/// A table that no agent is given: files are offered, and its columns shown, wherever it is named.
#[test]
fn b11_a_private_table_is_known_in_the_editor() {
    let folder = Folder::new();
    let text = "suite s { title \"T\" version \"1\" samples 3 }\ntable limits from \"limits.csv\" delimiter \";\"\ntask t {\n  m : ref limits.MOST\n  prompt \"Say <<m>>.\"\n  expect reply number m + count(limits)\n}\n";
    fs::write(folder.home.path().join("limits.csv"), "STATION;MOST\nKiel;40\nUlm;25\n").expect("written");
    fs::write(folder.home.path().join("suite.pcd"), text).expect("written");
    let mut editor = Editor::new();
    let root = folder.uri("suite.pcd");
    editor.open(&root, text);
    assert_eq!(editor.diagnostics(&root), Vec::<Value>::new());
    let labels = |editor: &mut Editor, at| -> Vec<String> {
        let list = editor.ask("textDocument/completion", place(&root, at));
        let items = list["items"].as_array().expect("a list").iter();
        items.map(|item| item["label"].as_str().expect("a label").to_owned()).collect()
    };
    // Behind `from "`, behind the path, and behind `ref limits.`
    assert_eq!(labels(&mut editor, (1, 19)), ["limits.csv", "parts/"]);
    assert!(labels(&mut editor, (1, 31)).contains(&"delimiter".to_owned()));
    assert_eq!(labels(&mut editor, (3, 17))[..2], ["STATION".to_owned(), "MOST".to_owned()]);
    // Where it is declared and where it is named.
    for at in [(1, 8), (3, 11), (5, 32)] {
        let hover = editor.ask("textDocument/hover", place(&root, at));
        let shown = hover["contents"]["value"].as_str().expect("a text");
        assert!(shown.contains("private table") && shown.contains("`limits`, 2 rows: `STATION`, `MOST`"), "{shown}");
    }
    let there = editor.ask("textDocument/definition", place(&root, (3, 11)));
    assert_eq!(there["range"]["start"], json!({ "line": 1, "character": 6 }));
    let file = editor.ask("textDocument/definition", place(&root, (1, 22)));
    assert_eq!(file["uri"], folder.uri("limits.csv"));
    let uses = {
        let mut params = place(&root, (1, 8));
        params["context"] = json!({ "includeDeclaration": false });
        editor.ask("textDocument/references", params)
    };
    assert_eq!(uses.as_array().expect("a list").len(), 2, "{uses}");
    editor.close();
}

#[test]
fn from_a_use_to_its_file_and_paths_completed() {
    let folder = Folder::new();
    let mut editor = Editor::new();
    let root = folder.uri("suite.pcd");
    editor.open(&root, ROOT);
    let there = editor.ask("textDocument/definition", place(&root, (0, 8)));
    assert_eq!(there["uri"], folder.uri("parts/shared.pcd"));
    let labels = |editor: &mut Editor, at| -> Vec<String> {
        let list = editor.ask("textDocument/completion", place(&root, at));
        list["items"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|item| item["label"].as_str().expect("a label").to_owned())
            .collect()
    };
    assert_eq!(labels(&mut editor, (0, 5)), ["parts/"]);
    assert_eq!(labels(&mut editor, (0, 11)), ["shared.pcd"]);
    editor.close();
}

#[test]
fn columns_are_written_as_the_files_have_them() {
    let home = tempfile::tempdir().expect("a folder");
    fs::create_dir_all(home.path().join("data/rain")).expect("created");
    for (station, rows) in [("a", "1990;1,5;x\n1991;n/a;\n"), ("b", "1992;0,25;y\n1993;2,5;z\n")] {
        fs::write(home.path().join(format!("data/rain/{station}.csv")), format!("Year;Rain (mm);Note\n{rows}"))
            .expect("written");
    }
    let task = "task t {\n  prompt \"How many?\"\n  expect reply number count(l.rain)\n}\n";
    let view = "lake l from \"data\" {\n  csv rain from \"rain/*.csv\" delimiter \";\"";
    let suite = |view: &str| format!("suite s {{ title \"T\" version \"1\" }}\n{view}\n}}\n{task}");
    let text = suite(view);
    fs::write(home.path().join("suite.pcd"), &text).expect("written");
    let uri = format!("file://{}/suite.pcd", home.path().display());
    let mut editor = Editor::new();
    editor.open(&uri, &text);
    let before = messages(&editor.diagnostics(&uri));
    let range = json!({ "start": { "line": 2, "character": 8 }, "end": { "line": 2, "character": 8 } });
    let params = json!({ "textDocument": { "uri": uri }, "range": range, "context": { "diagnostics": [], "only": ["quickfix"] } });
    let actions = editor.ask("textDocument/codeAction", params);
    let action =
        actions.as_array().into_iter().flatten().find(|action| action["title"] == "write the columns of `rain`");
    let action = action.unwrap_or_else(|| panic!("{actions:#}"));
    let written = action["edit"]["documentChanges"][0]["edits"][0]["newText"].as_str().expect("a text");
    let expected = " {\n    Year            : int\n    # null: \"n/a\" (1 cell)\n    `Rain (mm)`     : decimal as written \"0,00\" missing [\"n/a\"]\n    \
                    Note            : text as missing [\"\"]\n    key (Year)\n  }";
    let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(squeezed(written), squeezed(expected));
    let after = suite(&format!("{view}{written}"));
    editor.replace(&uri, &after);
    assert_eq!(messages(&editor.diagnostics(&uri)), before, "{after}");
    // It is laid out as the formatter does.
    assert!(compiler::fmt::format_source(&after).is_ok_and(|laid_out| laid_out.contains(written)), "{after}");
    editor.close();
}
