//! Whatever stands in a file, reading it does not panic, and every place that is spoken of is in it.

use crate::parse::render::{files, read};
use crate::parse::spans;
use proptest::prelude::*;
use std::fs;

fn survives(source: &str) {
    let (file, diagnostics) = read(source);
    let inside = |start: u32, end: u32| {
        let (start, end) = (start as usize, end as usize);
        start <= end && end <= source.len() && source.is_char_boundary(start) && source.is_char_boundary(end)
    };
    for diagnostic in &diagnostics {
        let places = std::iter::once(&diagnostic.primary).chain(&diagnostic.secondary).map(|label| label.span);
        let edits = diagnostic.fixes.iter().flat_map(|fix| &fix.edits).map(|edit| edit.span);
        for span in places.chain(edits) {
            assert!(inside(span.start, span.end), "{span:?} of {}", diagnostic.message);
        }
        assert!(!diagnostic.message.is_empty() && !diagnostic.message.ends_with('.'));
    }
    spans::check(source, &file, "random", !diagnostics.is_empty());
    for string in strings(&file) {
        string.cook();
    }
}

/// The strings of a file's constants and prompts: enough to cook some of everything.
fn strings(file: &compiler::ast::File) -> Vec<&compiler::ast::StringLit> {
    use compiler::ast::{ExprKind, ItemKind, Prompt, StmtKind};
    let mut found = Vec::new();
    for item in &file.items {
        match &item.kind {
            ItemKind::Constant(constant) => {
                if let ExprKind::String(string) = &constant.value.kind {
                    found.push(string);
                }
            }
            ItemKind::Task(task) => found.extend(task.body.iter().filter_map(|stmt| match &stmt.kind {
                StmtKind::Prompt(Prompt::One(string)) | StmtKind::Folder(string) => Some(string),
                _ => None,
            })),
            _ => {}
        }
    }
    found
}

fn corpus() -> Vec<String> {
    let folders = ["suites", "compiler/tests/parse/ok", "compiler/tests/parse/errors"];
    folders.iter().flat_map(|folder| files(folder)).map(|path| fs::read_to_string(path).unwrap()).collect()
}

#[test]
fn every_beginning_of_every_file_is_survived() {
    let step = if testing::is_thorough() { 7 } else { 37 };
    let corpus = corpus();
    std::thread::scope(|scope| {
        for part in 0..2 {
            let sources = corpus.iter().skip(part).step_by(2);
            scope.spawn(move || {
                for source in sources {
                    let ends = (0..source.len()).step_by(step).filter(|end| source.is_char_boundary(*end));
                    ends.for_each(|end| survives(&source[..end]));
                }
            });
        }
    });
}

/// Words and signs of the language.
const PARTS: &[&str] = &[
    "task",
    "suite",
    "table",
    "variant",
    "after",
    "prompt",
    "expect",
    "reply",
    "file",
    "csv",
    "sqlite",
    "at",
    "from",
    "json",
    "text",
    "require",
    "x",
    "a.b",
    "`A B`",
    "int",
    "1..9",
    "1",
    "2.5",
    "5%",
    "90 days",
    "2024-02-30",
    "2024-01-01",
    "\"",
    "\"\"\"",
    "'",
    "<<",
    ">>",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "f(",
    ":",
    "=",
    "==",
    ",",
    ";",
    "..",
    "+",
    "-",
    "*",
    "/",
    "%",
    "&&",
    "not",
    "and",
    "in",
    "if",
    "then",
    "else",
    "where",
    "one_of",
    "weighted",
    "\n",
    "\n  ",
    "\n}",
    "#",
    "## doc",
    "SELECT",
    "$.a",
    "/a",
    "--",
    "/*",
    "*/",
    "\\",
    "\\u{",
    "é",
    "@",
    "!",
    "stage",
    "lake",
    "trials",
    "rows",
    "line",
    "unique",
    "blank",
    "except",
    "step",
    "\r\n",
];

#[test]
fn what_ends_in_a_wide_character_is_survived() {
    // What a random text once found: a constant before something that no item begins with.
    survives("x = \"\"\"\"\"\">>é\n}\"\"\"");
    survives("task é\n}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: if testing::is_thorough() { 3_000 } else { 300 }, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text(source in any::<String>()) {
        survives(&source);
    }

    #[test]
    fn any_parts(parts in prop::collection::vec((prop::sample::select(PARTS), any::<bool>()), 0..60)) {
        let source: String = parts.iter().map(|(part, blank)| if *blank { format!("{part} ") } else { (*part).to_owned() }).collect();
        survives(&source);
        survives(&format!("task t {{\n  {source}\n}}\n"));
        survives(&format!("task t {{\n  csv h at \"h.csv\" {{\n    {source}\n  }}\n}}\n"));
        survives(&format!("x = \"\"\"{source}\"\"\""));
    }

    #[test]
    fn any_change_of_a_suite(which in any::<prop::sample::Index>(), cuts in prop::collection::vec((any::<prop::sample::Index>(), 0usize..40, prop::sample::select(PARTS)), 1..4)) {
        let corpus = corpus();
        let mut source = which.get(&corpus).clone();
        for (at, length, part) in cuts {
            let boundary = |mut at: usize| { while !source.is_char_boundary(at) { at -= 1; } at };
            let start = boundary(at.index(source.len() + 1));
            let end = boundary((start + length).min(source.len())).max(start);
            source.replace_range(start..end, part);
        }
        survives(&source);
    }
}
