//! What is answered at once, and what becomes of a check whose text was edited meanwhile.

use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use compiler::host::{Compute, Entry, Host, ReadError, Sqlite};
use lsp::ServerHooks;
use picardc::host::Disk;
use serde_json::{Value, json};

use crate::lsp::editor::{Editor, place};
use crate::lsp::speed::within;

const URI: &str = "file:///suites/a.pcd";

/// A suite whose prompt names `name` too; only `a` is declared.
fn suite(name: &str) -> String {
    format!(
        "suite s {{ title \"T\" version \"1\" }}\ntask t {{\n  a : word\n  csv hr at \"hr.csv\" {{\n    rows 9\n    PAY : int 1..9\n  }}\n  \
         n = sum(hr.PAY)\n  prompt \"Say <<a>>, <<{name}>> of <<hr>>\"\n  expect reply number n\n}}\n"
    )
}

/// Holds up whatever reads a file.
#[derive(Default)]
struct Gate {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    closed: bool,
    /// How many came.
    came: usize,
    waiting: usize,
    /// How many of those that wait may pass.
    permits: usize,
}

impl Gate {
    fn set(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state.lock().expect("no panic"));
        self.changed.notify_all();
    }

    fn pass(&self) {
        let mut state = self.state.lock().expect("no panic");
        state.came += 1;
        state.waiting += 1;
        self.changed.notify_all();
        let mut state = self.changed.wait_while(state, |state| state.closed && state.permits == 0).expect("no panic");
        state.permits = state.permits.saturating_sub(1);
        state.waiting -= 1;
    }

    /// Closes it; gives how many came before.
    fn close(&self) -> usize {
        self.set(|state| state.closed = true);
        self.state.lock().expect("no panic").came
    }

    /// Until so many came and the last one is held up.
    fn wait(&self, came: usize) {
        let state = self.state.lock().expect("no panic");
        let patience = Duration::from_secs(60);
        let is_early = |state: &mut State| state.came < came || state.waiting == 0;
        let waited = self.changed.wait_timeout_while(state, patience, is_early).expect("no panic");
        assert!(!waited.1.timed_out(), "nothing reads a file");
    }
}

struct Gated {
    disk: Disk,
    gate: Arc<Gate>,
}

impl Host for Gated {
    fn read_file(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        self.gate.pass();
        self.disk.read_file(path)
    }

    fn list_folder(&self, folder: &str) -> Result<Vec<Entry>, ReadError> {
        self.disk.list_folder(folder)
    }

    fn sqlite(&self) -> &dyn Sqlite {
        self.disk.sqlite()
    }

    fn evaluator(&self) -> &dyn Compute {
        self.disk.evaluator()
    }
}

/// An editor whose server checks nothing while the gate is closed.
fn gated() -> (Editor, Arc<Gate>) {
    let gate = Arc::new(Gate::default());
    let theirs = Arc::clone(&gate);
    let host =
        move |root: &str| -> Box<dyn Host> { Box::new(Gated { disk: Disk::new(root), gate: Arc::clone(&theirs) }) };
    let outside = ServerHooks { host: Arc::new(host), ..picardc::lsp::build_outside() };
    (Editor::serving(Editor::capable(), outside), gate)
}

fn labels(offers: &Value) -> Vec<&str> {
    offers["items"].as_array().expect("offers").iter().filter_map(|item| item["label"].as_str()).collect()
}

/// Waits until the server has taken in what was sent: it answers this at once.
fn sync(editor: &mut Editor) {
    editor.ask("textDocument/completion", place(URI, (2, 2)));
}

/// Versions and messages of the diagnostics that came.
fn published(editor: &mut Editor, last: i64) -> Vec<(i64, usize)> {
    let mut came = Vec::new();
    while came.last().is_none_or(|(version, _)| *version < last) {
        let params = editor.next_diagnostics(URI);
        let said = params["diagnostics"].as_array().expect("a list").len();
        came.push((params["version"].as_i64().expect("a version"), said));
    }
    came
}

#[test]
fn what_is_asked_while_typing_is_answered_while_the_suite_is_checked() {
    let (mut editor, gate) = gated();
    editor.open(URI, &suite("a"));
    assert!(editor.diagnostics(URI).is_empty());
    let before = gate.close();
    // A name that is half written, and a line more.
    let typed = suite("a").replace("sum(hr.PAY)", "sum(hr.)\n  # a remark");
    editor.replace(URI, &typed);
    gate.wait(before + 1);
    let began = Instant::now();
    let offers = editor.ask("textDocument/completion", place(URI, (7, 13)));
    let completion = began.elapsed();
    assert!(labels(&offers).contains(&"PAY"), "{offers}");
    let edit = &offers["items"][0]["textEdit"]["range"];
    assert_eq!((&edit["start"]["line"], &edit["end"]["character"]), (&json!(7), &json!(13)), "{offers}");
    let began = Instant::now();
    let hover = editor.ask("textDocument/hover", place(URI, (5, 5)));
    let hovered = began.elapsed();
    assert!(hover["contents"]["value"].as_str().expect("words").contains("PAY"), "{hover}");
    assert_eq!(hover["range"]["start"], json!({ "line": 5, "character": 4 }), "{hover}");
    // What comes after the edit is a line further down.
    let hover = editor.ask("textDocument/hover", place(URI, (9, 33)));
    assert!(hover["contents"]["value"].as_str().expect("words").contains("hr"), "{hover}");
    assert_eq!(hover["range"]["start"], json!({ "line": 9, "character": 32 }), "{hover}");
    let help = editor.ask("textDocument/signatureHelp", place(URI, (7, 10)));
    assert!(help["signatures"][0]["label"].as_str().expect("a signature").starts_with("sum("), "{help}");
    within("completion while the suite is checked", &[completion], Duration::from_millis(20));
    within("hover while the suite is checked", &[hovered], Duration::from_millis(20));
    gate.set(|state| state.closed = false);
    assert!(!editor.diagnostics(URI).is_empty());
    editor.close();
}

#[test]
fn a_check_of_an_edited_text_is_given_up_but_not_twice() {
    let (mut editor, gate) = gated();
    editor.open(URI, &suite("a"));
    assert!(editor.diagnostics(URI).is_empty());
    let before = gate.close();
    editor.replace(URI, &suite("b"));
    gate.wait(before + 1);
    editor.replace(URI, &suite("c"));
    sync(&mut editor);
    // The check of `b` goes on, sees that it is of no use, and that of `c` begins.
    gate.set(|state| state.permits = 1);
    gate.wait(before + 2);
    editor.replace(URI, &suite("a"));
    sync(&mut editor);
    gate.set(|state| state.closed = false);
    let came = published(&mut editor, 4);
    assert_eq!(came, [(3, 1), (4, 0)], "version 2 is told of by nothing, version 3 although 4 was there");
    editor.close();
}

#[test]
fn diagnostics_come_in_order_and_the_last_ones_are_of_the_last_text() {
    let mut editor = Editor::new();
    editor.open(URI, &suite("a"));
    for round in 0..60 {
        editor.replace(URI, &suite(if round % 2 == 0 { "b" } else { "a" }));
        if round % 7 == 0 {
            std::thread::sleep(Duration::from_millis(3));
        }
    }
    editor.replace(URI, &suite("nowhere"));
    let came = published(&mut editor, 62);
    assert!(came.is_sorted_by(|(a, _), (b, _)| a < b), "{came:?}");
    assert_eq!(came.last(), Some(&(62, 1)), "{came:?}");
    editor.close();
}

#[test]
fn each_version_is_told_of_even_where_its_diagnostics_are_those_of_the_last() {
    let mut editor = Editor::new();
    editor.open(URI, &suite("nowhere"));
    assert_eq!(published(&mut editor, 1), [(1, 1)]);
    // An editor that moved the mark with the text moves it back.
    editor.replace(URI, &format!("{}# more\n", suite("nowhere")));
    assert_eq!(published(&mut editor, 2), [(2, 1)]);
    editor.close();
}

#[test]
fn completion_goes_on_while_files_of_a_lake_are_read() {
    let home = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(home.path().join("data")).expect("created");
    std::fs::write(home.path().join("data/a.csv"), "Year;MM\n1;2\n").expect("written");
    let uri = format!("file://{}/suite.pcd", home.path().display());
    let text = "suite s { title \"T\" version \"1\" }\nlake l from \"data\" {\n  csv v from \"a.csv\" delimiter \";\" {\n    Y : int from \"\"\n  }\n}\n";
    std::fs::write(home.path().join("suite.pcd"), text).expect("written");
    let (mut editor, gate) = gated();
    editor.open(&uri, text);
    editor.diagnostics(&uri);
    let came = gate.close();
    let headers = editor.begin("textDocument/completion", place(&uri, (3, 18)));
    gate.wait(came + 1);
    // The file is being read, and something else is asked.
    let other = editor.ask("textDocument/completion", place(&uri, (6, 0)));
    assert!(labels(&other).contains(&"task"), "{other}");
    gate.set(|state| state.closed = false);
    let headers = editor.wait(&headers).response_result.expect("an answer");
    assert_eq!(labels(&headers), ["Year", "MM"]);
    // Read once, it is known.
    gate.close();
    assert_eq!(labels(&editor.ask("textDocument/completion", place(&uri, (3, 18)))), ["Year", "MM"]);
    gate.set(|state| state.closed = false);
    editor.close();
}
