//! How long an editor waits. Printed, and asserted with `PICARDC_THOROUGH=1`, on a machine without other work.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::lsp::editor::{Editor, place};

pub fn within(what: &str, times: &[Duration], most: Duration) {
    let worst = times.iter().max().copied().unwrap_or_default();
    let mean = times.iter().sum::<Duration>() / times.len().max(1) as u32;
    println!("{what}: {mean:?} on average, {worst:?} at worst ({} times, at most {most:?} wanted)", times.len());
    if testing::is_thorough() {
        // The median, so that another process on the machine is not taken for ours.
        let mut sorted = times.to_vec();
        sorted.sort();
        let median = sorted[sorted.len() / 2];
        assert!(median < most, "{what} took {median:?}");
    }
}

/// Times from a keystroke to its diagnostics: `marker` is where letters are typed.
fn keystrokes(text: &str, marker: &str, times: usize) -> Vec<Duration> {
    let uri = format!("file://{}/suites/speed.pcd", env!("CARGO_MANIFEST_DIR"));
    let mut editor = Editor::new();
    editor.open(&uri, text);
    editor.diagnostics(&uri);
    let at = text.find(marker).expect("the marker") + marker.len();
    let mut taken = Vec::new();
    for index in 0..times {
        // Each keystroke makes another mistake, so that each has diagnostics of its own.
        let typed = format!("{}{}{}", &text[..at], "x".repeat(index + 1), &text[at..]);
        let began = Instant::now();
        editor.replace(&uri, &typed);
        let said = editor.diagnostics(&uri);
        taken.push(began.elapsed());
        assert!(!said.is_empty());
    }
    editor.close();
    taken
}

fn past() -> String {
    std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/suites/past.pcd")).expect("a suite")
}

#[test]
fn speed_of_a_keystroke() {
    within("keystroke to diagnostics, past.pcd", &keystrokes(&past(), "hr.EMP_ID", 30), Duration::from_millis(16));
}

#[test]
fn speed_of_a_keystroke_in_a_large_suite() {
    let times = if testing::is_thorough() { 15 } else { 3 };
    let taken = keystrokes(&large(), "count(hr", times);
    within("keystroke to diagnostics, 5,000 lines", &taken, Duration::from_millis(150));
}

#[test]
fn speed_of_completion_while_a_large_suite_is_checked() {
    let (uri, text) = (format!("file://{}/suites/speed.pcd", env!("CARGO_MANIFEST_DIR")), large());
    let mut editor = Editor::new();
    editor.open(&uri, &text);
    editor.diagnostics(&uri);
    let at = text.rfind("count(hr").expect("a call") + "count(hr".len();
    let line = text[..at].matches('\n').count() as u32;
    let column = (at - text[..at].rfind('\n').expect("a line before") - 1) as u32;
    let (mut completions, mut hovers) = (Vec::new(), Vec::new());
    let times = if testing::is_thorough() { 15 } else { 3 };
    for round in 1..=times {
        editor.replace(&uri, &format!("{}{}{}", &text[..at], ".x".repeat(round), &text[at..]));
        let cursor = place(&uri, (line, column + 2 * round as u32));
        let began = Instant::now();
        let offers = editor.ask("textDocument/completion", cursor);
        completions.push(began.elapsed());
        assert!(offers["items"].is_array(), "{offers}");
        let began = Instant::now();
        editor.ask("textDocument/hover", place(&uri, (line, 3)));
        hovers.push(began.elapsed());
        assert!(editor.heard.is_empty(), "the suite was checked before completion answered");
        editor.diagnostics(&uri);
    }
    within("completion while 5,000 lines are checked", &completions, Duration::from_millis(20));
    within("hover while 5,000 lines are checked", &hovers, Duration::from_millis(20));
    editor.close();
}

/// A suite of 5,000 lines.
fn large() -> String {
    let mut text = "suite large { title \"T\" version \"1\" }\n".to_owned();
    let mut number = 0;
    while text.lines().count() < 5_000 {
        number += 1;
        let _ = write!(
            text,
            "task t{number} {{\n  dir : word\n  least : int 100..900\n  csv hr at \"<<dir>>/hr.csv\" {{\n    rows 50\n    EMP_ID : serial\n    \
             DEPT : department\n    PAY : int 1..1000\n  }}\n  sqlite db at \"<<dir>>/data.db\" {{\n    table orders {{\n      rows 20\n      OID : serial\n      \
             AMOUNT : currency\n    }}\n  }}\n  n = count(hr where PAY > least)\n  best = <<sqlite_query: db, SELECT MAX(AMOUNT) FROM orders>>\n  prompt \"How many in \
             <<hr>> have a PAY above <<least>>? And the largest AMOUNT in <<db>>?\"\n  expect reply number n\n  expect file \"best{number}.txt\" number best\n}}\n"
        );
    }
    text
}

#[test]
fn speed_of_answers() {
    let uri = format!("file://{}/suites/speed.pcd", env!("CARGO_MANIFEST_DIR"));
    let text = past();
    let mut editor = Editor::new();
    editor.open(&uri, &text);
    editor.diagnostics(&uri);
    let places: Vec<(u32, u32)> = text
        .lines()
        .enumerate()
        .flat_map(|(line, written)| {
            (0..written.len())
                .step_by(7)
                .filter(|at| written.is_char_boundary(*at))
                .map(move |at| (line as u32, at as u32))
                .collect::<Vec<_>>()
        })
        .collect();
    let step = if testing::is_thorough() { 1 } else { 23 };
    for method in ["hover", "completion", "signatureHelp", "definition", "references", "documentHighlight"] {
        let mut taken = Vec::new();
        for at in places.iter().step_by(step) {
            let mut params = place(&uri, *at);
            params["context"] = json!({ "includeDeclaration": true, "triggerKind": 1, "isRetrigger": false });
            let began = Instant::now();
            editor.ask(&format!("textDocument/{method}"), params);
            taken.push(began.elapsed());
        }
        within(method, &taken, Duration::from_millis(50));
    }
    editor.close();
}
