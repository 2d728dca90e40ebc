//! The tables of `guides/which-matcher.md`: every cell is a reply, or what an agent does, and an agent gives or does it.

use std::fs;
use std::path::Path;
use std::process::Command;

use model::suite::Matcher;
use model::suite::matchers::Takes;
use testing::root;

use super::blocks::blocks;

const PAGE: &str = "docs/src/guides/which-matcher.md";

/// Gives the reply of its instance, or does what is written for it.
const AGENT: &str = r#"read -r line
id=${line#*\"id\":\"}
id=${id%%\"*}
sql() {
  python3 -c 'import sqlite3, sys
base = sqlite3.connect("shop.db")
for statement in sys.argv[1:]:
    base.execute(statement)
base.commit()' "$@"
}
if [ -f "$1/$id.sh" ]; then . "$1/$id.sh"; fi
if [ -f "$1/$id.txt" ]; then cat "$1/$id.txt"; fi
exit 0
"#;

/// A row of one of the tables.
struct Row {
    /// What is expected, as a statement.
    expect: String,
    /// What the agent replies or does, and whether that is right.
    cells: Vec<(String, bool)>,
    /// The cells are commands, and not replies.
    acts: bool,
}

/// The rows of a page's tables.
fn rows(text: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut acts = false;
    for line in text.lines() {
        let cells = cells(line);
        let [kind, write, accepts, rejects] = cells.as_slice() else { continue };
        if write == "write" {
            acts = kind != "the reply is";
        } else if !write.starts_with("---") {
            let [expect] = spans(write).try_into().unwrap_or_else(|_| panic!("one expectation in {line}"));
            let right = spans(accepts).into_iter().map(|cell| (cell, true));
            let wrong = spans(rejects).into_iter().map(|cell| (cell, false));
            rows.push(Row { expect, cells: right.chain(wrong).collect(), acts });
        }
    }
    rows
}

/// The cells of a table's line; a bar after a backslash belongs to its cell.
fn cells(line: &str) -> Vec<String> {
    let Some(line) = line.strip_prefix("| ").and_then(|line| line.strip_suffix(" |")) else { return Vec::new() };
    line.replace("\\|", "\u{0}").split(" | ").map(|cell| cell.trim().replace('\u{0}', "|")).collect()
}

/// The code in a cell, as Markdown reads it: between backticks, of which there may be several.
fn spans(cell: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut rest = cell;
    while let Some(start) = rest.find('`') {
        let ticks = rest[start..].chars().take_while(|c| *c == '`').count();
        let fence = "`".repeat(ticks);
        let inside = &rest[start + ticks..];
        let mut from = 0;
        let end = loop {
            let at = from + inside[from..].find(&fence).unwrap_or_else(|| panic!("an open code in {cell}"));
            let run = inside[at..].chars().take_while(|c| *c == '`').count();
            if run == ticks {
                break at;
            }
            from = at + run;
        };
        let code = &inside[..end];
        let bare = code.strip_prefix(' ').and_then(|code| code.strip_suffix(' ')).unwrap_or(code);
        out.push(bare.replace('⏎', "\n"));
        rest = &inside[end + ticks..];
    }
    out
}

/// Runs every cell: how many there were, and what came out otherwise than the page says.
pub fn run() -> (usize, Vec<String>) {
    let text = fs::read_to_string(root().join(PAGE)).expect("the page");
    let given: String = blocks(&text).into_iter().filter(|block| block.has("given")).map(|block| block.text).collect();
    let rows = rows(&text);
    let home = tempfile::tempdir().expect("a folder");
    let samples = rows.iter().map(|row| row.cells.len()).max().unwrap_or(1);
    let mut source = format!("suite which {{ title \"Which\" version \"1.0.0\" samples {samples} }}\n");
    let said = home.path().join("said");
    fs::create_dir(&said).expect("made");
    for (number, row) in rows.iter().enumerate() {
        source += &format!("task row{number} {{\n{given}prompt \"Do it.\"\n{}\n}}\n", row.expect);
        for (index, (cell, _)) in row.cells.iter().enumerate() {
            let ending = if row.acts { "sh" } else { "txt" };
            fs::write(said.join(format!("row{number}-{}.{ending}", index + 1)), format!("{cell}\n")).expect("written");
        }
    }
    fs::write(home.path().join("which.pcd"), source).expect("written");
    fs::write(home.path().join("agent.sh"), AGENT).expect("written");
    let agent = format!("cmd:sh agent.sh {}", said.display());
    let said = said.display().to_string();
    let args = ["run", "which.pcd", "-o", "run", "--seed", "1", "--quiet", "--read", &said, "--agent", &agent];
    let output = Command::new(testing::find_program()).current_dir(home.path()).args(args).output().expect("it starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let scores = scores(&home.path().join("run/scores.jsonl"));
    let mut wrong = Vec::new();
    let mut count = 0;
    for (number, row) in rows.iter().enumerate() {
        for (index, (cell, right)) in row.cells.iter().enumerate() {
            count += 1;
            let id = format!("row{number}-{}", index + 1);
            let score = scores.iter().find(|score| score["id"] == id.as_str()).expect("every instance is scored");
            if score["correct"] != *right || score["status"] != "done" {
                let wanted = if *right { "accepted" } else { "rejected" };
                wrong.push(format!("{}\n  {cell:?} should be {wanted}: {}", row.expect, score["verdicts"]));
            }
        }
    }
    (count, wrong)
}

fn scores(path: &Path) -> Vec<serde_json::Value> {
    let lines = fs::read_to_string(path).expect("scores");
    lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// Every matcher that the page on answer keys lists, and whether the tables have a row for it.
pub fn missing() -> Vec<String> {
    let keys = fs::read_to_string(root().join("docs/src/language/expect.md")).expect("the page");
    let section = keys.split("\n## ").find(|section| section.starts_with("Matchers")).expect("a section on matchers");
    let rows = rows(&fs::read_to_string(root().join(PAGE)).expect("the page"));
    let matchers: Vec<String> = section
        .lines()
        .filter_map(|line| cells(line).into_iter().next())
        .flat_map(|cell| spans(&cell))
        .map(|code| code.split(' ').next().unwrap_or("").to_owned())
        .collect();
    assert!(matchers.len() >= 12, "{matchers:?}");
    let has = |matcher: &str| rows.iter().any(|row| row.expect.split(' ').any(|word| word == matcher));
    matchers.into_iter().filter(|matcher| !has(matcher)).collect()
}

/// The pages with a table that has a row for each matcher.
const TABLES: [&str; 3] = ["docs/src/language/expect.md", "docs/src/reference/scoring.md", super::card::PAGE];

/// The matchers that these tables lack. Where asked to, their rows are written, in front of that of `exists`: drafts, made of the record.
pub fn unlisted() -> Vec<String> {
    let mut unlisted = Vec::new();
    for page in TABLES {
        let text = fs::read_to_string(root().join(page)).expect("a page");
        let start = text.find("\n| matcher |").unwrap_or_else(|| panic!("{page} has no table of matchers")) + 1;
        let table = text[start..].split("\n\n").next().unwrap_or_default();
        let first = |line: &str| cells(line).into_iter().next().unwrap_or_default();
        let listed: Vec<String> = table.lines().flat_map(|line| spans(&first(line))).collect();
        let has = |matcher: &Matcher| listed.iter().any(|code| code.split(' ').next() == Some(matcher.word()));
        let missing: Vec<Matcher> = Matcher::ALL.iter().copied().filter(|matcher| !has(matcher)).collect();
        unlisted.extend(missing.iter().map(|matcher| format!("{page} has no row for `{}`", matcher.word())));
        if super::updating() && !missing.is_empty() {
            let columns = cells(table.lines().next().unwrap_or_default()).len();
            let rows: String = missing.into_iter().map(|matcher| draft(matcher, columns)).collect();
            let end = start + table.find("| `exists`").unwrap_or(table.len());
            fs::write(root().join(page), format!("{}{rows}{}", &text[..end], &text[end..])).expect("written");
        }
    }
    unlisted
}

/// A row: the word, in a table of three columns what it takes, and what is right.
fn draft(matcher: Matcher, columns: usize) -> String {
    let takes = match matcher.record().takes {
        Takes::Nothing => "none",
        Takes::One => "a single value",
        Takes::Texts => "a text, an int, a bool, or a list of them",
        Takes::Pattern => "a regular expression",
        Takes::Number => "a number",
        Takes::Date => "a date or datetime",
        Takes::Bool => "true or false",
        Takes::Json => "any value",
        Takes::List => "a list, or a result set",
        Takes::Rows => "a result set",
        Takes::Content => "text, or the name of a declared file",
        Takes::State => "a state",
    };
    let value = if columns > 2 { format!(" {takes} |") } else { String::new() };
    format!("| `{}` |{value} {} |\n", matcher.word(), matcher.record().doc.trim_end_matches('.'))
}
