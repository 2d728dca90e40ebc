//! The reference pages, made from the standard library and the table of codes.

use std::fmt::Write as _;
use std::fs;

use compiler::ast::{FunctionDef, ItemKind, TypeExpr};
use compiler::diagnostics::{CODES, Severity};
use compiler::parse::parse_library;
use model::SourceId;
use model::Value;
use model::distribution::FAMILIES;
use runtime::generate::{Instance, Options};
use testing::root;

const MADE: &str = "<!-- Made by tests/docs.rs: UPDATE_DOCS=1 cargo test --test it docs:: -->";

/// A declaration of the library.
struct Declared {
    section: String,
    name: String,
    doc: String,
    /// The source, without its doc comment.
    text: String,
    /// As in a signature's message; empty for domains.
    signature: String,
}

fn declared(file: &str) -> Vec<Declared> {
    let text = fs::read_to_string(root().join("stdlib/1").join(file)).expect("the library");
    let (parsed, said) = parse_library(&text, SourceId(0));
    assert!(said.is_empty(), "{file}: {said:?}");
    let mut out = Vec::new();
    for item in parsed.items {
        let start = item.span.start as usize;
        let (name, signature) = match &item.kind {
            ItemKind::Function(def) => (def.name.text.clone(), signature(def)),
            ItemKind::Domain(def) => (def.name.text.clone(), String::new()),
            ItemKind::Table(def) => (def.name.text.clone(), String::new()),
            _ => continue,
        };
        let doc = item.doc.map(|doc| doc.text).unwrap_or_default();
        assert!(!doc.is_empty(), "{file}: `{name}` has no doc comment");
        let source = text[start..item.span.end as usize].trim_end().to_owned();
        out.push(Declared { section: section(&text[..start]), name, doc, text: source, signature });
    }
    out
}

/// The last heading above: a comment of one line, alone between blank lines.
fn section(above: &str) -> String {
    let lines: Vec<&str> = above.lines().collect();
    let heading = |at: &usize| {
        lines[*at].strip_prefix("# ").is_some()
            && lines.get(at.wrapping_sub(1)).is_some_and(|line| line.is_empty())
            && lines.get(at + 1).is_some_and(|line| line.is_empty())
    };
    (0..lines.len()).rev().find(heading).map(|at| lines[at][2..].to_owned()).unwrap_or_default()
}

fn signature(def: &FunctionDef) -> String {
    let ty = |ty: &TypeExpr| {
        let words: Vec<&str> = ty.words.iter().map(|word| word.text.as_str()).collect();
        format!("{}{}", words.join(" "), if ty.nullable { "?" } else { "" })
    };
    let params: Vec<String> = def
        .params
        .iter()
        .map(|param| {
            format!(
                "{}{}: {}",
                param.name.text,
                if param.variadic {
                    "..."
                } else if param.optional {
                    "?"
                } else {
                    ""
                },
                ty(&param.ty)
            )
        })
        .collect();
    format!("{}({}) -> {}", def.name.text, params.join(", "), ty(&def.result))
}

/// What a doc comment says, and its example.
fn split_example(doc: &str) -> (String, Option<String>) {
    let (mut said, mut example) = (Vec::new(), None);
    for line in doc.lines() {
        match line.strip_prefix("Example: `").and_then(|rest| rest.strip_suffix('`')) {
            Some(found) => example = Some(found.to_owned()),
            None => said.push(line),
        }
    }
    (said.join(" "), example)
}

/// Every function's example, with the function's name.
pub fn examples() -> Vec<(String, String)> {
    declared("functions.pcd")
        .into_iter()
        .map(|function| {
            let example = split_example(&function.doc).1;
            let example = example.unwrap_or_else(|| panic!("`{}` has no example", function.name));
            (function.name, example)
        })
        .collect()
}

/// `docs/src/reference/functions.md`
pub fn functions() -> String {
    let functions = declared("functions.pcd");
    let mut out = format!(
        "{MADE}\n\n# Functions\n\nThe functions of edition 1. A suite cannot define others.\n\n\
         Call them as `f(a, b)`, or in a placeholder as `<<f: a, b>>`, where the last argument can be raw SQL.\n\n\
         | in a signature | meaning |\n| --- | --- |\n\
         | `number` | an int, a decimal, or a float |\n\
         | `T` | one type, the same wherever it appears in a signature |\n\
         | `?` after a type | the value can be null; after the type of a list, its items can be null |\n\
         | `relation`, `column of …` | a table, or a column of one, with an optional `where` |\n\
         | `csv relation`, `csv column of …` | only a table of a CSV or TSV file, or a column of one |\n\
         | `text file` | any file except a database |\n\
         | `sql` | raw SQL, which reads the database in the argument before it, or otherwise all tables of the task |\n\
         | `scalar` | the type of the query's column |\n\
         | `change` | raw SQL that changes rows of the database in the argument before it |\n\
         | `state` | the content of a database after such SQL |\n\n\
         Positions count from 1, and the header is not a row. Aggregates skip nulls. Over nothing they are null, but `count` is 0 and `list` is empty. \
         If the compiler can prove that there is a value (rows, no `where`, no blanks), an aggregate is not nullable.\n"
    );
    let mut section = String::new();
    let mut name = String::new();
    for function in &functions {
        if function.section != section {
            section.clone_from(&function.section);
            let _ = write!(out, "\n## {section}\n");
        }
        // A function may stand in two sections (`list` of a column, `list` of a query).
        if function.name != name {
            name.clone_from(&function.name);
            let _ = write!(out, "\n### {name}\n");
        }
        let (said, example) = split_example(&function.doc);
        let _ = write!(out, "\n```text\n{}\n```\n\n{said}\n", function.signature);
        if let Some(example) = example {
            let _ = write!(out, "\nExample: `{example}`\n");
        }
    }
    out
}

/// Forms of the language's own domains, each with what it needs to stand in a column.
const FORMS: &[&str] = &[
    "int 1..100",
    "int 0..1_000 step 50",
    "decimal 1.00..9.99",
    "date 2024-01-01..2024-12-31",
    "date 2024-01-01..2024-12-31 step 7 days",
    "datetime 2024-03-01T00:00..2024-03-02T00:00",
    "bool",
    "bool 80%",
    "bool exactly 2",
    "one_of [\"ruby\", \"opal\"]",
    "weighted [\"INFO\": 90, \"WARN\": 8, \"ERROR\": 2]",
    "pattern \"[A-Z]{3}-[0-9]{4}\"",
    "template \"<<color>>-<<metal>>\"",
    "lorem words 3",
    "lorem sentences 1",
];

/// The forms after the distributions.
const LAST_FORMS: &[&str] = &["zipf 100", "serial"];

/// `docs/src/reference/domains.md`
pub fn domains() -> String {
    let named = declared("domains.pcd");
    let distributions: Vec<&str> = FAMILIES.iter().map(|family| family.example).collect();
    let own = [FORMS, &distributions, LAST_FORMS].concat();
    let forms: Vec<&str> = own.iter().copied().chain(named.iter().map(|domain| domain.name.as_str())).collect();
    let mut drawn = samples(&forms).into_iter();
    let mut out = format!(
        "{MADE}\n\n# Domains\n\nEvery domain of edition 1, with five values drawn from it. [Domains](../language/domains.md) explains how to write domains and their modifiers.\n\n## Forms\n\n| domain | five values |\n| --- | --- |\n"
    );
    for (form, values) in own.iter().zip(&mut drawn) {
        let _ = writeln!(out, "| `{form}` | {values} |");
    }
    let mut section = String::new();
    for (domain, values) in named.iter().zip(drawn) {
        if domain.section != section {
            section.clone_from(&domain.section);
            let _ = write!(out, "\n## {section}\n");
        }
        let said = domain.doc.lines().collect::<Vec<_>>().join(" ");
        let _ = write!(
            out,
            "\n### {}\n\n{said}\n\n```pcd items\n{}\n```\n\nFive values: {values}\n",
            domain.name,
            definition(&domain.text)
        );
    }
    out
}

/// `docs/src/reference/tables.md`
pub fn tables() -> String {
    let tables = declared("tables.pcd");
    let mut out = format!(
        "{MADE}\n\n# Tables of the library\n\nEach table of the library has columns whose values agree within a row. A file or a table uses them by name, \
         states the number of rows, and can add columns. Your own table of the same name hides the library's ([Items](../language/items.md#table)). A column \
         that begins with `_` is a helper column: it is not written, but you can use it in `where` and in columns below it.\n\n\
         ```pcd task\ncsv staff : employee at \"staff.csv\" {{\n  rows 50\n  BONUS : int 0..5_000 step 100\n}}\n\
         prompt \"What do all people of the Legal department in <<staff>> earn a year together? Reply with the number only.\"\n\
         expect reply number coalesce(sum(staff.SALARY where DEPARTMENT == \"Legal\"), 0)\n```\n"
    );
    for table in &tables {
        let said = table.doc.lines().collect::<Vec<_>>().join(" ");
        let _ = write!(
            out,
            "\n## {}\n\n{said}\n\n```pcd items\n{}\n```\n\nThree rows:\n\n```csv\n{}```\n",
            table.name,
            table.text,
            three_rows(&table.name)
        );
    }
    out
}

/// A CSV file of three rows of a table.
fn three_rows(table: &str) -> String {
    let source = format!(
        "suite rows {{ title \"Rows\" version \"1.0.0\" }}\ntask t {{ csv drawn : {table} at \"drawn.csv\" {{ rows 3 }}  \
         prompt \"How many rows has <<drawn>>?\"  expect reply number file_line_count(drawn)  }}\n"
    );
    testing::read_text(&instances(&source)[0], "drawn.csv")
}

/// One sample of each task.
fn instances(source: &str) -> Vec<Instance> {
    let compiled = testing::compile_text(source);
    assert!(compiled.diagnostics.is_empty(), "{:?}", compiled.diagnostics);
    let options = Options { samples: Some(1), ..Options::new("manual") };
    testing::make_instances(&compiled.plan.expect("a plan"), options)
        .unwrap_or_else(|failure| panic!("{}", failure.message))
}

/// A definition whose word list only the library can read is shown by its kind.
fn definition(text: &str) -> String {
    match text.split_once("one_of lines ") {
        Some((before, path)) => {
            let path = path.trim().trim_matches('"');
            let list = fs::read_to_string(root().join("stdlib/1").join(path)).expect("a word list");
            let words: Vec<String> =
                list.lines().filter(|line| !line.trim().is_empty()).map(|word| format!("{:?}", word.trim())).collect();
            let mut out = format!("{before}one_of [");
            let mut width = usize::MAX;
            for word in words {
                if width.saturating_add(word.len()) > 100 {
                    out.push_str("\n ");
                    width = 1;
                }
                let _ = write!(out, " {word},");
                width += word.len() + 2;
            }
            out.push_str("\n]");
            out
        }
        None => text.to_owned(),
    }
}

/// Five values of each domain, from a suite that is really built.
fn samples(domains: &[&str]) -> Vec<String> {
    let mut source =
        "suite samples { title \"Samples\" version \"1.0.0\" allow unused_name \"only drawn\" allow unused_allow \"only drawn\" }\n".to_owned();
    for (index, domain) in domains.iter().enumerate() {
        let _ = write!(
            source,
            "task t{index} {{\n  csv drawn at \"drawn.csv\" {{ rows 5  value : {domain} }}\n  values = list(drawn.value)\n  \
             prompt \"What is in <<drawn>>?\"\n  expect reply json values\n}}\n"
        );
    }
    instances(&source)
        .iter()
        .map(|instance| match testing::find_answer(instance) {
            Value::List(values) => {
                values.iter().map(|value| format!("`{}`", value.render_text())).collect::<Vec<_>>().join(", ")
            }
            other => panic!("no list: {other:?}"),
        })
        .collect()
}

/// `docs/src/reference/diagnostics.md`
pub fn diagnostics() -> String {
    let mut out = format!(
        "{MADE}\n\n# Diagnostics\n\nEvery code has a page: what it means, why it matters, a wrong example and a right one, \
         how to fix it, and for a lint when to allow it. `picardc explain CODE` shows the same page. Codes are never reused.\n"
    );
    let groups = [
        ("E01", "The text itself"),
        ("E02", "Names"),
        ("E03", "Types"),
        ("E04", "Domains"),
        ("E05", "Files"),
        ("E06", "SQL"),
        ("E07", "Tasks"),
        ("E09", "While building"),
        ("W01", "Lints on names"),
        ("W02", "Lints on the question"),
        ("W03", "Lints on the answer"),
        ("W04", "Lints on predicates and data"),
        ("W05", "Lints on SQL"),
    ];
    assert!(
        CODES.iter().all(|code| groups.iter().any(|(prefix, _)| code.id.starts_with(prefix))),
        "a code without a group"
    );
    for (prefix, title) in groups {
        let _ = write!(out, "\n## {title}\n\n| code | name | says |\n| --- | --- | --- |\n");
        for code in CODES.iter().filter(|code| code.id.starts_with(prefix)) {
            assert_eq!(code.severity == Severity::Warning, code.id.starts_with('W'), "{}", code.id);
            let planned = if code.page.contains("**Planned.**") { " *(planned: the name is reserved)*" } else { "" };
            let _ =
                writeln!(out, "| [{0}](../codes/{0}.md) | `{1}` | {2}{planned} |", code.id, code.name, what(code.page));
        }
    }
    out
}

/// `docs/src/SUMMARY.md` as it is, but with a line for each page of a code below the list of them.
pub fn summary(text: &str) -> String {
    let list = "- [All diagnostics](reference/diagnostics.md)\n";
    let (before, after) = text.split_once(list).expect("the list of diagnostics is in the summary");
    let after: String =
        after.lines().skip_while(|line| line.starts_with("  - ")).map(|line| format!("{line}\n")).collect();
    let mut out = format!("{before}{list}");
    for code in CODES {
        let _ = writeln!(out, "  - [{0} {1}](codes/{0}.md)", code.id, code.name);
    }
    out + &after
}

/// The first paragraph under "What".
fn what(page: &str) -> String {
    let below = page.split_once("## What\n").map_or("", |(_, below)| below);
    let paragraph: Vec<&str> =
        below.lines().skip_while(|line| line.is_empty()).take_while(|line| !line.is_empty()).collect();
    paragraph.join(" ").replace('|', "\\|")
}
