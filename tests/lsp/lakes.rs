//! Lakes in an editor: what is in their files, and what may be written about them.

use std::fmt::Write as _;
use std::fs;

use serde_json::{Value, json};

use crate::lsp::editor::{Editor, cursors, place};

/// The files of the lake.
const FILES: [(&str, &[u8]); 5] = [
    ("data/rain/kiel.csv", b"Rain at Kiel\n\nYear;Rain (mm);Note\n1990;1,5;x\n1991;M;\n1992;0,25;y\n1993;2,5;z\n1994;7,0;x\n1995;1,0;w\n1996;3,5;x\n\nSource: made up\n"),
    ("data/rain/ulm.csv", b"Rain at Ulm\n\nYear;Rain (mm);Note;Extra\n1990;2,5;x;1\n\nSource: made up\n"),
    ("data/landings_2021.csv", b"Hafen;Tag\nF\xe4hre;01.02.2021\nS\xfcd;28.12.2021\n"),
    ("data/landings_2022.csv", b"Hafen;Tag\nNord;03.02.2022\n"),
    ("data/notes.txt", b"nothing\n"),
];

/// Files with several parts.
const MORE: [(&str, &str); 3] = [
    ("data/parts.json", r#"{"result": {"items": [{"a": 1}, {"a": 2}], "by place": [1]}, "notes": []}"#),
    ("data/sites.xml", "<all><site><id>1</id></site><site><id>2</id></site><note>x</note></all>"),
    (
        "data/page.html",
        "<table><caption>Rain by year</caption><tr><th>Year</th></tr><tr><td>1990</td></tr></table><table><tr><th>A</th></tr></table>",
    ),
];

const SUITE: &str = r#"suite s { title "T" version "1" }
lake sea from "data" {
  ## Rain by year.
  csv rain from "rain/*.csv" delimiter ";" skip "Year" until blank {
    PLACE = file.stem
    YEAR  : int from "Year"
    MM    : decimal from "Rain (mm)" as written "0,0" missing ["M"]
    key (PLACE, YEAR)
  }
  csv landings from "landings_2021.csv" delimiter ";" encoding "windows-1252"
}
task t {
  lake sea needed
  wet   = count(sea.rain where MM > 1.0)
  first = <<value: SELECT MIN(YEAR) FROM sea.rain>>
  prompt "In <<sea>>, how many years since <<first>> had more than 1 mm?"
  expect reply number wet
}
"#;

struct Project {
    home: tempfile::TempDir,
}

impl Project {
    fn new() -> Project {
        let home = tempfile::tempdir().expect("a folder");
        for (path, bytes) in FILES {
            let path = home.path().join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("created");
            fs::write(path, bytes).expect("written");
        }
        for (path, text) in MORE {
            fs::write(home.path().join(path), text).expect("written");
        }
        let workbook = testing::root().join("suites/lake/data/survey.xlsx");
        fs::copy(workbook, home.path().join("data/survey.xlsx")).expect("copied");
        fs::write(home.path().join("suite.pcd"), SUITE).expect("written");
        Project { home }
    }

    fn uri(&self) -> String {
        format!("file://{}/suite.pcd", self.home.path().display())
    }
}

fn at(text: &str, before: &str, skip: usize) -> (u32, u32) {
    let offset = text.find(before).unwrap_or_else(|| panic!("{before}")) + skip;
    let line = text[..offset].matches('\n').count();
    (line as u32, (offset - text[..offset].rfind('\n').map_or(0, |end| end + 1)) as u32)
}

#[test]
fn the_suite_is_right() {
    let (project, mut editor) = (Project::new(), Editor::new());
    editor.open(&project.uri(), SUITE);
    assert_eq!(editor.diagnostics(&project.uri()), Vec::<Value>::new());
    editor.close();
}

#[test]
fn hovers_show_what_is_in_the_files() {
    let (project, mut editor) = (Project::new(), Editor::new());
    editor.open(&project.uri(), SUITE);
    let mut out = String::new();
    for (before, skip) in [
        ("lake sea", 6),
        ("csv rain", 5),
        ("PLACE =", 1),
        ("YEAR  :", 1),
        ("MM    :", 1),
        ("csv landings", 6),
        ("sea needed", 1),
        ("sea.rain where", 5),
        ("MM > 1", 1),
        ("MIN(YEAR", 5),
    ] {
        let hover = editor.ask("textDocument/hover", place(&project.uri(), at(SUITE, before, skip)));
        let _ = writeln!(out, "═══ {before}\n{}", hover["contents"]["value"].as_str().unwrap_or("nothing"));
    }
    insta::assert_snapshot!("hovers_on_lakes", out);
    editor.close();
}

/// What is offered at each cursor, in the editor's order.
fn offered(editor: &mut Editor, uri: &str, cursor: (u32, u32)) -> Vec<(String, String)> {
    let list = editor.ask("textDocument/completion", place(uri, cursor));
    let mut items: Vec<Value> = list["items"].as_array().cloned().unwrap_or_default();
    items.sort_by_key(|item| item["sortText"].as_str().expect("an order").to_owned());
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    items.iter().map(|item| (text(&item["label"]), text(&item["detail"]))).collect()
}

#[test]
fn completions_know_the_files() {
    let (project, mut editor) = (Project::new(), Editor::new());
    let uri = project.uri();
    editor.open(&uri, SUITE);
    editor.diagnostics(&uri);
    let head = "suite s { title \"T\" version \"1\" }\n";
    let rain =
        "lake sea from \"data\" {\n  csv rain from \"rain/*.csv\" delimiter \";\" skip \"Year\" until blank {\n    ";
    let mut out = String::new();
    for written in [
        "lake sea from \"‸\"",
        "lake sea ‸",
        "lake sea from \"data\" {\n  ‸\n}",
        "lake sea from \"data\" {\n  csv rain from \"‸\"\n}",
        "lake sea from \"data\" {\n  csv rain from \"rain/*.csv\" delimiter \";\" ‸\n}",
        "lake sea from \"data\" {\n  csv l from \"landings_*.csv\" delimiter \";\" encoding \"‸\"\n}",
        "lake sea from \"data\" {\n  csv l from \"landings_*.csv\" delimiter \";\" until ‸\n}",
        "lake sea from \"data\" {\n  csv l from \"landings_*.csv\" delimiter \";\" encoding \"windows-1252\" {\n    DAY : date from \"Tag\" as ‸\n  }\n}",
        "lake sea from \"data\" {\n  xlsx l from \"survey.xlsx\" sheet \"‸\"\n}",
        "lake sea from \"data\" {\n  xlsx l from \"survey.xlsx\"\n    ‸\n}",
        "lake sea from \"data\" {\n  csv rain from \"rain/*.csv\" delimiter \";\" skip \"‸\"\n}",
        "lake sea from \"data\" {\n  csv rain from \"rain/*.csv\" delimiter \";\" skip \"Year\" until \"‸\"\n}",
        "lake sea from \"data\" {\n  json parts from \"parts.json\" at \"‸\"\n}",
        "lake sea from \"data\" {\n  xml sites from \"sites.xml\" at \"‸\"\n}",
        "lake sea from \"data\" {\n  html page from \"page.html\" at \"‸\"\n}",
        "RAIN‸",
        "RAINYEAR : int from \"‸\"\n  }\n}",
        "RAINYEAR : int from \"‸",
        "RAINYEAR : ‸",
        "RAINYEAR : int ‸",
        "RAINMM : decimal from \"Rain (mm)\" as ‸",
        "RAINMM : decimal from \"Rain (mm)\" as written \"0,0\" ‸",
        "RAINunpivot A, B : text from \"Year\"..\"‸",
        "RAINYEAR : int from \"Year\"\n    P = file.‸",
        "table limits from \"data/landings_2021.csv\" delimiter \";\" encoding ‸",
        "SUITEtask u {\n  lake ‸\n}",
        "SUITEtask u {\n  lake sea needed [\"‸\"]\n}",
        "SUITEtask u {\n  n = count(sea.‸\n}",
        "SUITEtask u {\n  n = sum(sea.rain.‸\n}",
        "SUITEtask u {\n  n = <<value: SELECT x FROM sea.‸>>\n}",
    ] {
        let text = match written.strip_prefix("RAIN") {
            Some(rest) => format!("{head}{rain}{rest}"),
            None => match written.strip_prefix("SUITE") {
                Some(rest) => format!("{SUITE}{rest}"),
                None => format!("{head}{written}"),
            },
        };
        let (text, places) = cursors(&text);
        editor.replace(&uri, &text);
        editor.diagnostics(&uri);
        let all = offered(&mut editor, &uri, places[0]);
        let _ = writeln!(out, "═══ {}", written.lines().find(|line| line.contains('‸')).expect("a cursor").trim());
        for (label, detail) in all.iter().take(14) {
            let _ = writeln!(out, "{}", format!("{label}   {detail}").trim_end());
        }
        if all.len() > 14 {
            let _ = writeln!(out, "… {} in all", all.len());
        }
    }
    insta::assert_snapshot!("completions_in_lakes", out);
    editor.close();
}

/// What is inserted is right in a string.
#[test]
fn a_header_is_inserted_as_it_is_written_in_a_string() {
    let (project, mut editor) = (Project::new(), Editor::new());
    fs::write(project.home.path().join("data/odd.csv"), "a \"\"b,<<c>>\n1,2\n").expect("written");
    let (text, places) = cursors(
        "suite s { title \"T\" version \"1\" }\nlake l from \"data\" {\n  csv v from \"odd.csv\" {\n    A : int from \"‸\"\n  }\n}\n",
    );
    editor.open(&project.uri(), &text);
    let list = editor.ask("textDocument/completion", place(&project.uri(), places[0]));
    let inserted: Vec<&str> = list["items"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|item| item["textEdit"]["newText"].as_str().expect("a text"))
        .collect();
    assert_eq!(inserted, ["a \\\"\\\"b", "\\<<c>>"]);
    editor.close();
}

#[test]
fn names_lead_to_their_declarations_and_uses() {
    let (project, mut editor) = (Project::new(), Editor::new());
    let uri = project.uri();
    editor.open(&uri, SUITE);
    let start = |location: &Value| -> (u64, u64) {
        let start = &location["range"]["start"];
        (start["line"].as_u64().expect("a line"), start["character"].as_u64().expect("a place"))
    };
    let told = |(line, character): (u32, u32)| (u64::from(line), u64::from(character));
    for (used, skip, declared, to) in [
        ("sea needed", 1, "lake sea", 5),
        ("sea.rain where", 1, "lake sea", 5),
        ("sea.rain where", 5, "csv rain", 4),
        ("MM > 1", 1, "MM    :", 0),
        ("MIN(YEAR", 5, "YEAR  :", 0),
        ("FROM sea.rain", 10, "csv rain", 4),
        ("(PLACE, YEAR", 2, "PLACE =", 0),
    ] {
        let there = editor.ask("textDocument/definition", place(&uri, at(SUITE, used, skip)));
        assert_eq!(start(&there), told(at(SUITE, declared, to)), "{used}: {there}");
    }
    let file = editor.ask("textDocument/definition", place(&uri, at(SUITE, "landings_2021", 2)));
    assert!(file["uri"].as_str().is_some_and(|uri| uri.ends_with("/data/landings_2021.csv")), "{file}");
    for (before, skip, uses) in [("lake sea", 6, 5), ("csv rain", 5, 3), ("YEAR  :", 1, 3), ("MM    :", 1, 2)] {
        let mut params = place(&uri, at(SUITE, before, skip));
        params["context"] = json!({ "includeDeclaration": true });
        let found = editor.ask("textDocument/references", params.clone());
        let lines: Vec<(u64, u64)> = found.as_array().expect("a list").iter().map(start).collect();
        assert_eq!(lines.len(), uses, "{before}: {lines:?}");
        // Renamed everywhere, the suite is as right as before.
        params["newName"] = json!("other");
        let edit = editor.ask("textDocument/rename", params);
        let edits = edit["documentChanges"][0]["edits"].as_array().expect("edits");
        assert_eq!(edits.len(), uses, "{before}: {edit}");
    }
    editor.close();
}

#[test]
fn outlines_colours_and_foldings_of_lakes() {
    let (project, mut editor) = (Project::new(), Editor::new());
    let uri = project.uri();
    editor.open(&uri, SUITE);
    let document = json!({ "textDocument": { "uri": uri } });
    let mut out = String::new();
    fn outline(out: &mut String, symbols: &Value, depth: usize) {
        for symbol in symbols.as_array().into_iter().flatten() {
            let text = |key: &str| symbol[key].as_str().unwrap_or_default().to_owned();
            let _ = writeln!(out, "{:indent$}{} ({})", "", text("name"), text("detail"), indent = depth * 2);
            outline(out, &symbol["children"], depth + 1);
        }
    }
    outline(&mut out, &editor.ask("textDocument/documentSymbol", document.clone()), 0);
    for range in editor.ask("textDocument/foldingRange", document.clone()).as_array().expect("a list") {
        let _ = writeln!(out, "folds {}–{}", range["startLine"], range["endLine"]);
    }
    let legend = editor.capabilities["semanticTokensProvider"]["legend"]["tokenTypes"].clone();
    let tokens = editor.ask("textDocument/semanticTokens/full", document);
    let (mut line, mut character) = (0, 0);
    for token in tokens["data"].as_array().expect("a list").chunks(5) {
        let part = |at: usize| token[at].as_u64().expect("a number") as usize;
        (line, character) = if part(0) > 0 { (line + part(0), part(1)) } else { (line, character + part(1)) };
        let word = &SUITE.lines().nth(line).expect("a line")[character..character + part(2)];
        if ["sea", "rain", "landings", "PLACE", "YEAR", "MM", "skip", "until", "blank", "as", "written", "file", "stem"]
            .contains(&word)
        {
            let _ = writeln!(out, "{:>3} {word:<10} {}", line + 1, legend[part(3)].as_str().expect("a word"));
        }
    }
    insta::assert_snapshot!("outline_of_a_lake", out);
    editor.close();
}

/// Each edit that is offered for a file that is not as declared, at the place of the diagnostic.
#[test]
fn what_a_file_needs_is_offered_as_an_action() {
    let (project, mut editor) = (Project::new(), Editor::new());
    let uri = project.uri();
    let text = SUITE
        .replace("from \"Rain (mm)\"", "from \"Rain (m)\"")
        .replace(" encoding \"windows-1252\"", "")
        .replace("sea needed", "sea");
    editor.open(&uri, &text);
    let mut out = String::new();
    for said in editor.diagnostics(&uri) {
        let (code, range) = (said["code"].as_str().expect("a code").to_owned(), said["range"].clone());
        let document = json!({ "uri": uri });
        let actions = editor.ask(
            "textDocument/codeAction",
            json!({ "textDocument": document, "range": range, "context": { "diagnostics": [] } }),
        );
        for action in actions.as_array().expect("a list") {
            let edit = &action["edit"]["documentChanges"][0]["edits"][0]["newText"];
            let _ = writeln!(out, "{code} {} → {edit}", action["title"].as_str().expect("a title"));
        }
    }
    insta::assert_snapshot!("actions_in_lakes", out);
    editor.close();
}

/// Without a keystroke, diagnostics follow the files that are read.
#[test]
fn diagnostics_follow_files_on_the_disk() {
    let project = Project::new();
    let mut capable = Editor::capable();
    capable["workspace"]["didChangeWatchedFiles"] =
        json!({ "dynamicRegistration": true, "relativePatternSupport": true });
    let mut editor = Editor::with(capable);
    let uri = project.uri();
    editor.open(&uri, SUITE);
    assert_eq!(editor.diagnostics(&uri), Vec::<Value>::new());
    let asked = editor.question();
    assert_eq!(asked.method, "client/registerCapability");
    let registered = &asked.params["registrations"][0];
    assert_eq!(registered["method"], "workspace/didChangeWatchedFiles");
    let folder = uri.strip_suffix("/suite.pcd").expect("the folder");
    let watchers = json!([
        { "globPattern": { "baseUri": format!("{folder}/data"), "pattern": "**" } },
        { "globPattern": { "baseUri": folder, "pattern": "suite.pcd" } },
    ]);
    assert_eq!(registered["registerOptions"]["watchers"], watchers);

    let path = project.home.path().join("data/rain/ulm.csv");
    let good = fs::read(&path).expect("read");
    fs::write(&path, "Year;Rain (mm)\n1990;much\n").expect("written");
    let changed = json!({ "changes": [{ "uri": format!("{folder}/data/rain/ulm.csv"), "type": 2 }] });
    editor.tell("workspace/didChangeWatchedFiles", changed.clone());
    let said = editor.diagnostics(&uri);
    assert_eq!(said.iter().map(|said| &said["code"]).collect::<Vec<_>>(), ["E0507"], "{said:?}");
    fs::write(&path, good).expect("written");
    editor.tell("workspace/didChangeWatchedFiles", changed);
    assert_eq!(editor.diagnostics(&uri), Vec::<Value>::new());

    // What is watched follows the suite, and an editor that was asked once is not asked again for the same.
    assert_eq!(editor.asked.len(), 0);
    editor.replace(&uri, &format!("{SUITE}table more from \"more.csv\" {{ A : int }}\n"));
    assert_ne!(editor.diagnostics(&uri), Vec::<Value>::new());
    let (gone, asked) = (editor.question(), editor.question());
    assert_eq!(gone.method, "client/unregisterCapability");
    assert_eq!(gone.params["unregisterations"][0]["id"], registered["id"]);
    let watchers = asked.params["registrations"][0]["registerOptions"]["watchers"].as_array().expect("a list");
    assert_eq!(watchers[1]["globPattern"]["pattern"], "more.csv");
    editor.close();
}
