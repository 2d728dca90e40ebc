//! The standard library declares exactly the functions that have a record, and the compiler asks the record, never a name.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

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

/// Words that mean something else than a function of the library: a folder or file of the compiler, and the words that are used there.
const OTHER_MEANINGS: [(&str, &[&str]); 55] = [
    // Words of the grammar, units of time among them; the start of an XPath function's name in a line that does not parse.
    ("syntax/parse/", &KEYWORDS),
    ("syntax/parse/recover/written.rs", &["sort"]),
    // A rule of the grammar: the rows of a table.
    ("syntax/parse/recover/phrases.rs", &["count"]),
    ("syntax/", &KEYWORDS),
    ("syntax/fmt/", &KEYWORDS),
    ("check/answers/subject.rs", &["tree"]),
    ("check/suite/settings.rs", &["title"]),
    // Words in the names of tools of other systems.
    ("check/task/agent_tools.rs", &["list", "query", "remove"]),
    // Names of domains.
    ("check/domains/ranges.rs", &["date"]),
    ("check/domains/scalar.rs", &["date"]),
    ("check/lakes/domain.rs", &["date"]),
    ("check/suite/globals.rs", &["date"]),
    ("query/library.rs", &["date"]),
    // Names of types.
    ("check/library/signature.rs", &["date", "list", "object", "rows", "value"]),
    ("hir/types.rs", &["date", "object", "rows"]),
    // Parts of messages.
    ("check/domains/domain.rs", &["value"]),
    ("check/files/data.rs", &["rows"]),
    ("check/scope/declare.rs", &["value"]),
    ("lint/domains/constant.rs", &["rows"]),
    ("lint/lookups.rs", &["first", "last"]),
    ("lint/tied.rs", &["first", "last"]),
    // Words of prompts and of names.
    ("syntax/prompts/", &ENGLISH),
    ("syntax/prompts/", &AGGREGATES),
    ("syntax/prompts/", &["after", "append", "lower", "remove", "replace", "round", "trim", "weekday"]),
    ("lint/question/", &["after", "floor", "round", "tree", "trim"]),
    ("lint/uses.rs", &["first", "join", "last", "least", "lower"]),
    ("lint/question/contract/aggregate.rs", &["sum"]),
    ("lint/question/contract/asked_aggregates.rs", &["avg", "count"]),
    ("lint/question/contract/comparison.rs", &["year"]),
    ("lint/question/contract/dates.rs", &["month"]),
    ("lint/question/contract/moment.rs", &["first", "last", "max", "min"]),
    ("lint/question/contract/key.rs", &["date"]),
    ("lint/question/contract/period.rs", &["year"]),
    ("lint/question/contract/quantile.rs", &["lower", "upper"]),
    ("lint/question/leaked_order.rs", &["first", "last"]),
    ("lint/question/leaked_rows.rs", &["join"]),
    // Units of the modifiers of SQLite's dates.
    ("lint/question/listed_rows.rs", &["day", "month", "year"]),
    ("lint/question/contract/weekday.rs", &["weekday"]),
    ("lint/question/contract/form.rs", &["object"]),
    ("lint/question/contract/gold.rs", &["count"]),
    ("sql/lints/merged_groups.rs", &["first", "last", "title"]),
    // Words of messages.
    ("check/files/keys.rs", &["value"]),
    // Keys of fixtures.
    ("check/fixtures/odd.rs", &["rows"]),
    ("hir/fixture/", &["day", "list", "value"]),
    // Functions of JSONPath and XPath, and of SQLite, with the modifiers of its dates.
    ("hir/paths/", &["contains", "count", "floor", "last", "mod", "round", "sum", "value"]),
    ("lint/domains/filters/", &["contains", "count", "floor", "round", "sum", "value"]),
    ("sql/risk_collector.rs", &["quantile", "interpolate"]),
    ("sql/term_aggregates.rs", &["quantile", "interpolate"]),
    ("hir/order/queries.rs", &SQL),
    ("hir/terms/", &SQL),
    ("hir/texts.rs", &["date"]),
    ("hir/terms/moments.rs", &["hour", "minute", "second"]),
    ("lint/domains/forms.rs", &["max", "min"]),
    ("lint/question/contract/measured.rs", &SQL),
    ("sql/", &SQL),
];

const KEYWORDS: [&str; 17] = [
    "after", "contains", "date", "day", "hour", "last", "lines", "list", "minute", "month", "replace", "rows",
    "second", "title", "tree", "xpath_", "year",
];

const ENGLISH: [&str; 15] = [
    "contains", "date", "day", "first", "hour", "last", "lines", "list", "minute", "month", "rows", "second", "sort",
    "value", "year",
];

const AGGREGATES: [&str; 11] =
    ["avg", "count", "greatest", "least", "max", "median", "min", "mode", "quantile", "stdev", "sum"];

const SQL: [&str; 24] = [
    "abs", "avg", "ceil", "coalesce", "count", "date", "day", "floor", "format", "greatest", "least", "len", "lower",
    "max", "median", "min", "month", "replace", "round", "sum", "trim", "upper", "weekday", "year",
];

#[test]
fn the_compiler_knows_no_function_by_its_name() {
    let names = declared();
    // The start of several names, as in `json_`: comparing that is comparing names.
    let starts: BTreeSet<&str> = names.iter().filter_map(|name| Some(&name[..=name.find('_')?])).collect();
    let mut found = Vec::new();
    for (path, text) in sources() {
        let other: Vec<&str> = OTHER_MEANINGS
            .iter()
            .filter(|(room, _)| path.starts_with(room))
            .flat_map(|(_, words)| words.iter().copied())
            .collect();
        for literal in literals(&text) {
            let is_name = names.contains(literal) || starts.contains(literal);
            if is_name && !other.contains(&literal) {
                found.push(format!("{path}: \"{literal}\""));
            }
        }
    }
    assert!(
        found.is_empty(),
        "ask the function's record in `model::functions` instead of its name:\n{}",
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

/// The help for an unknown domain says so.
#[test]
fn the_page_of_unknown_domains_lists_all_domains() {
    let page = fs::read_to_string(testing::root().join("docs/src/codes/E0204.md")).expect("a page");
    let library = fs::read_to_string(testing::root().join("stdlib/1/domains.pcd")).expect("the library");
    let named = library.lines().filter_map(|line| line.strip_prefix("domain ")?.split(' ').next());
    let own = compiler::syntax::words::iter_domains().map(|word| word.text);
    let missing: Vec<&str> = named.chain(own).filter(|name| !page.contains(&format!("`{name}`"))).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
