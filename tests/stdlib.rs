//! The standard library declares exactly the functions that have a record, and the compiler asks the record, never a name.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use model::sqlite::functions::find_nature;
use regex::Regex;

fn declared() -> BTreeSet<String> {
    compiler::list_function_names().into_iter().collect()
}

#[test]
fn every_function_that_has_a_signature_has_a_record_and_the_other_way_round() {
    let (declared, recorded) =
        (declared(), model::functions::iter_functions().map(|function| function.name.to_owned()).collect());
    let without_record: Vec<_> = declared.difference(&recorded).collect();
    let without_signature: Vec<_> = recorded.difference(&declared).collect();
    assert!(without_record.is_empty(), "no record in model::functions: {without_record:?}");
    assert!(without_signature.is_empty(), "no signature in stdlib/1/functions.pcd: {without_signature:?}");
}

/// Words that mean something else than a function of the library, in sources that see functions: a folder or file of the compiler, and the words.
const OTHER_MEANINGS: [(&str, &[&str]); 10] = [
    // A part of a message.
    ("check/domains/domain.rs", &["value"]),
    // Names of types.
    ("check/library/signature.rs", &["date", "list", "object", "rows", "value"]),
    ("hir/texts.rs", &["date"]),
    // A function of XPath.
    ("lint/domains/filters/", &["contains"]),
    // Words of messages, of prompts, and of names.
    ("lint/lookups.rs", &["first", "last"]),
    ("lint/tied.rs", &["first", "last"]),
    ("lint/uses.rs", &["first", "last", "least"]),
    ("lint/question/contract/", &["count", "first", "last", "lower", "max", "min", "object", "upper", "weekday"]),
    ("lint/question/leaked_rows.rs", &["join"]),
    // Functions of other databases, and units of the modifiers of SQLite's dates.
    ("sql/", &["day", "greatest", "least", "len", "month", "weekday", "year"]),
];

/// Sources in which a name is that of a function of SQLite, if there is one.
const OF_SQL: [&str; 3] = ["hir/terms/", "lint/question/contract/measured.rs", "sql/"];

#[test]
fn the_compiler_knows_no_function_by_its_name() {
    let names = declared();
    // The start of several names, as in `json_`: comparing that is comparing names.
    let starts: BTreeSet<&str> = names.iter().filter_map(|name| Some(&name[..=name.find('_')?])).collect();
    let sees_functions = Regex::new(r"FunctionId|\bfunctions?::|\bfunction\.|\.function\b|iter_functions")
        .expect("a regular expression");
    let mut found = Vec::new();
    for (path, text) in sources().into_iter().filter(|(_, text)| sees_functions.is_match(text)) {
        let is_of_sql = |name| OF_SQL.iter().any(|room| path.starts_with(room)) && find_nature(name).is_some();
        let other: Vec<&str> = OTHER_MEANINGS
            .iter()
            .filter(|(room, _)| path.starts_with(room))
            .flat_map(|(_, words)| words.iter().copied())
            .collect();
        for literal in literals(&text) {
            let is_name = names.contains(literal) || starts.contains(literal);
            if is_name && !other.contains(&literal) && !is_of_sql(literal) {
                found.push(format!("{path}: \"{literal}\""));
            }
        }
    }
    assert!(
        found.is_empty(),
        "ask the function's record in `model::functions` instead of its name; other words are in OTHER_MEANINGS:\n{}",
        found.join("\n")
    );
}

/// The compiler's sources, by their path in `compiler/`, without `src/`. Those of the language server and of tests are not among them.
fn sources() -> Vec<(String, String)> {
    let root = testing::root().join("compiler");
    let read = |path: PathBuf| {
        let name = path.strip_prefix(&root).expect("inside").to_string_lossy().replace("src/", "");
        (name, fs::read_to_string(&path).expect("a text"))
    };
    let is_other = |path: &PathBuf| path.starts_with(root.join("lsp")) || path.starts_with(root.join("tests"));
    let files: Vec<(String, String)> =
        testing::list_below(&root, "rs").into_iter().filter(|path| !is_other(path)).map(read).collect();
    assert!(files.len() > 100, "the sources are elsewhere");
    files
}

/// What is between the quotes of each string literal of a Rust source.
fn literals(text: &str) -> Vec<&str> {
    let (bytes, mut found, mut at) = (text.as_bytes(), Vec::new(), 0);
    let from = |at: usize, end: &str| text[at..].find(end).map_or(text.len(), |found| at + found);
    while at < bytes.len() {
        let rest = &text.as_bytes()[at..];
        at = match rest {
            [b'/', b'/', ..] => from(at, "\n"),
            [b'/', b'*', ..] => from(at, "*/") + 2,
            // A character, not a lifetime.
            [b'\'', ..] => match text[at + 1..].chars().next() {
                Some('\\') => from(at + 3, "'") + 1,
                Some(char) if text[at + 1 + char.len_utf8()..].starts_with('\'') => at + 2 + char.len_utf8(),
                _ => at + 1,
            },
            [b'r', b'"' | b'#', ..] if at == 0 || !bytes[at - 1].is_ascii_alphanumeric() && bytes[at - 1] != b'_' => {
                let marks = rest[1..].iter().take_while(|byte| **byte == b'#').count();
                match rest.get(1 + marks) {
                    Some(b'"') => {
                        let (start, quote) = (at + marks + 2, format!("\"{}", "#".repeat(marks)));
                        let end = from(start, &quote);
                        found.push(&text[start..end]);
                        end + quote.len()
                    }
                    _ => at + 1,
                }
            }
            [b'"', ..] => {
                let mut end = at + 1;
                while end < bytes.len() && bytes[end] != b'"' {
                    end += if bytes[end] == b'\\' { 2 } else { 1 };
                }
                found.push(&text[at + 1..end.min(text.len())]);
                end + 1
            }
            _ => at + 1,
        };
    }
    found
}

#[test]
fn the_reader_of_literals_misses_none() {
    let source = r##"
        // "comment" and it's
        fn f<'a>(x: &'a str) -> bool { /* "comment" */
            x == "equal" || matches!(x, "match" | "es") || ["array", "of"].contains(&x) || x == r"raw" || x == r#"ra"w"#
                || c == '"' || c == '\'' || c == '\u{22}' || x == "esc\"aped" || x == b"bytes" || var"odd"
        }"##;
    let wanted = ["equal", "match", "es", "array", "of", "raw", "ra\"w", "esc\\\"aped", "bytes", "odd"];
    assert_eq!(literals(source), wanted);
}
