//! However tangled the text, reading ends soon, with a diagnostic, and without exhausting a stack of 2 MB (that of a test's thread).

use crate::parse::render::{lines, read};
use compiler::ast::{ExprKind, ItemKind};
use std::time::{Duration, Instant};

/// On an idle machine each takes less than a second when optimised; tests share theirs, with others and with debug builds.
fn patience() -> Duration {
    if testing::is_thorough() { Duration::from_secs(4) } else { Duration::from_secs(60) }
}

fn refused(what: &str, source: &str) {
    let started = Instant::now();
    let (file, diagnostics) = read(source);
    let took = started.elapsed();
    eprintln!(
        "{what}: {} bytes, {} diagnostics ({}), {took:?}",
        source.len(),
        diagnostics.len(),
        diagnostics[0].code.id
    );
    assert!(!diagnostics.is_empty() && diagnostics.len() <= 101, "{what}: {}", diagnostics.len());
    assert!(took < patience(), "{what} took {took:?}");
    drop(file);
}

#[test]
fn brackets_may_nest_128_deep() {
    for (open, close) in [
        ("[", "]"),
        ("(", ")"),
        ("{ a: ", " }"),
        ("f(", ")"),
        ("<<f: ", ">>"),
        ("\"<<", ">>\""),
        ("if a then ", " else b"),
        ("if ", " then a else b"),
    ] {
        let nested = |depth: usize| format!("# One.\n# Two.\nx = {}a{}\n", open.repeat(depth), close.repeat(depth));
        let (file, diagnostics) = read(&nested(128));
        assert_eq!(lines(&nested(128), &diagnostics), "", "{open}");
        assert_eq!(file.comments.len(), 2);
        let (file, diagnostics) = read(&nested(129));
        // Editors fold the comments of what is not parsed, too.
        assert_eq!(file.comments.len(), 2);
        let ids: Vec<&str> = diagnostics.iter().map(|diagnostic| diagnostic.code.id).collect();
        assert_eq!(ids, ["E0106"], "{open}");
    }
    let array = |depth: usize| format!("domain d = {}word{}\n", "[".repeat(depth), "; 3]".repeat(depth));
    assert!(read(&array(128)).1.is_empty());
    assert_eq!(read(&array(129)).1[0].code.id, "E0106");
    let object = |depth: usize| format!("domain d = {}word{}\n", "{ a : ".repeat(depth), " }".repeat(depth));
    assert!(read(&object(128)).1.is_empty());
    assert_eq!(read(&object(129)).1[0].code.id, "E0106");
    let sql = |depth: usize| format!("x = <<value: SELECT {}1{}>>\n", "(".repeat(depth), ")".repeat(depth));
    assert!(read(&sql(127)).1.is_empty());
    assert_eq!(read(&sql(129)).1[0].code.id, "E0106");
}

#[test]
fn deep_brackets_do_not_overflow_in_a_broken_file_either() {
    for (open, close) in
        [("[", "]"), ("(", ")"), ("{ a: ", " }"), ("<<f: ", ">>"), ("\"<<", ">>\""), ("if a then ", " else b")]
    {
        let source = format!(
            "task t {{\n  broken broken\n  x = {}a{}\n  y = {}\n}}\n",
            open.repeat(100),
            close.repeat(100),
            open.repeat(100)
        );
        refused(open, &source);
    }
}

#[test]
fn long_chains_are_cut() {
    let chain = |terms: usize| format!("x = {}a\n", "a + ".repeat(terms - 1));
    assert!(read(&chain(1_000)).1.is_empty());
    let (file, diagnostics) = read(&chain(10_000));
    assert_eq!(diagnostics[0].code.id, "E0106");
    assert_eq!(diagnostics[0].message, "more than 1000 values in one expression");
    let ItemKind::Constant(constant) = &file.items[0].kind else { panic!() };
    assert_eq!(constant.value.kind, ExprKind::Missing);
    for sign in ["- ", "not ", "!"] {
        assert!(
            read(&format!("x = {}a\n", sign.repeat(10_000))).1.iter().any(|diagnostic| diagnostic.code.id == "E0106"),
            "{sign}"
        );
    }
    assert_eq!(read(&format!("x = {}a\n", "if a then b else ".repeat(10_000))).1[0].code.id, "E0106");
    assert!(read(&format!("x = {}a\n", "if a then b else ".repeat(100))).1.is_empty());
}

#[test]
fn garbage_ends_with_a_diagnostic() {
    let mega = if testing::is_thorough() { 1_000_000 } else { 100_000 };
    let fill = |text: &str| text.repeat(mega / text.len());
    refused("letters", &fill("a"));
    refused("lines of one word", &fill("a\n"));
    refused("lines of two words", &fill("a b\n"));
    refused("words", &fill("a "));
    refused("signs", &fill("+-*/%&|!?;,.\n"));
    refused("names", &fill("a,"));
    refused("lines of names", &fill("a,\n"));
    refused("declarations without an end", &fill("a = "));
    refused("lines of them", &fill("a =\n"));
    refused("brackets", &"[".repeat(100_000));
    refused("parentheses", &"x = ((((".repeat(50_000));
    refused("closing brackets", &fill("}])>>\n"));
    refused("pairs", &fill("[]"));
    refused("crossed pairs", &fill("[(])"));
    refused("placeholders", &fill("<<"));
    refused("placeholders in a task", &format!("task t {{ x = {}", fill("<<a ")));
    refused("raw text", &fill("<<f: $ (\n"));
    refused("raw text in strings", &fill("\"<<f: SELECT (' -- /*\n"));
    refused("SQL comments", &format!("x = <<f: SELECT {}", fill("/* ")));
    refused("parentheses in SQL", &format!("x = <<f: SELECT {}{}", "(".repeat(100), fill("a ")));
    refused("triple quotes", &fill("\"\"\""));
    refused("triple quotes with prompts", &fill("prompt \"\"\"\n x\n"));
    refused("open strings", &fill("x = \"a\n"));
    refused("odd quotes", &fill("\" "));
    refused("placeholders in odd quotes", &fill("\"<< "));
    refused("comments", &format!("x {}", fill("# \"\n")));
    refused("docs", &format!("x {}", fill("## a\n")));
    refused("tasks without an end", &fill("task t {\n"));
    refused("ifs", &fill("if "));
    refused("ifs in a task", &format!("task t {{ x = {}", fill("if a then ")));
    refused("quotes", &fill("'"));
    refused("backticks", &fill("`"));
    refused("backslashes", &format!("x = \"{}", fill("\\")));
    refused("NUL", &fill("\0"));
    refused("multibyte", &fill("é漢😀"));
    // 100,000 and more of what can be read take their time.
    let tenth = |text: &str| text.repeat(mega / 10 / text.len());
    refused("one line of statements, then a mistake", &format!("task t {{ {} ? }}", tenth("x = 1 ")));
    refused("lines of statements, then a mistake", &format!("task t {{ {} ? }}", tenth("x = 1\n")));
    refused("one task, a mistake on each line", &format!("task t {{ {} }}", fill("x : int 1..\n")));
    refused("commas", &format!("x = f({}", fill("a,")));
    refused("stages", &fill("stage x { \" "));
}

/// Data sets of any size that a source can have: the work allowed grows with the text, and so does the work done.
#[test]
fn lists_are_read_however_long_they_are() {
    let sizes: &[usize] = if testing::is_thorough() { &[72_000, 80_000, 400_000] } else { &[72_000, 80_000] };
    let items: [&dyn Fn(usize) -> String; 4] =
        [&|_| "1".to_owned(), &|at| format!("\"item {at}\""), &|at| format!("{{ a: {at} }}"), &|_| "f(1)".to_owned()];
    for (item, sizes) in items.into_iter().zip([sizes, &sizes[1..], &sizes[1..], &sizes[1..]]) {
        for size in sizes {
            let list: Vec<String> = (0..*size).map(item).collect();
            let source = format!("x = [{}]\ny = 2\n", list.join(","));
            let started = Instant::now();
            let (file, diagnostics) = read(&source);
            eprintln!("{size} times {}: {:?}", item(1), started.elapsed());
            assert_eq!(lines(&source, &diagnostics), "");
            let ItemKind::Constant(constant) = &file.items[0].kind else { panic!("a constant") };
            let ExprKind::List(found) = &constant.value.kind else { panic!("a list") };
            assert_eq!((found.len(), file.items.len()), (*size, 2));
        }
    }
}

/// Beyond the limit, the message names the statement, its size, and the limit.
#[test]
fn what_is_too_long_is_said_with_its_limit() {
    if !testing::is_thorough() {
        return;
    }
    let source = format!("task t {{\n  prompt \"x\"\n  expect reply list [{}]\n}}\n", vec!["1"; 900_000].join(","));
    let (_, diagnostics) = read(&source);
    let [said] = diagnostics.as_slice() else { panic!("{}", lines(&source, &diagnostics)) };
    assert_eq!(said.code.id, "E0106");
    assert_eq!(said.message, "`expect` is too long to be read: it has 900,003 words, numbers, and texts");
    assert_eq!(said.note.as_deref(), Some("a statement can have about 700,000 of them"));
}

/// A long list in a file that also has a mistake is read in the same way.
#[test]
fn a_mistake_elsewhere_does_not_make_a_list_too_long() {
    let list = vec!["1"; 80_000].join(",");
    let source = format!("task t {{\n  n : int 1..\n  x = [{list}]\n  prompt \"x\"\n  expect reply number x\n}}\n");
    let (_, diagnostics) = read(&source);
    assert_eq!(lines(&source, &diagnostics).lines().count(), 1, "{}", lines(&source, &diagnostics));
}

/// A suite as a person would write it, of about `lines` lines.
fn long_suite(lines: usize) -> String {
    let task =
        std::fs::read_to_string(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../suites/past.pcd")).unwrap();
    let mut source = String::new();
    let mut count = 0;
    for _ in 0..=lines / task.lines().count() {
        for line in task.lines() {
            match line.strip_prefix("task ") {
                Some(rest) => {
                    count += 1;
                    source.push_str(&format!("task n{count}_{rest}\n"));
                }
                None => source.push_str(&format!("{line}\n")),
            }
        }
    }
    source
}

#[test]
fn ten_thousand_lines_are_read_quickly() {
    let source = long_suite(10_000);
    let started = Instant::now();
    let (file, diagnostics) = read(&source);
    let took = started.elapsed();
    eprintln!("{} lines, {} bytes: {took:?}", source.lines().count(), source.len());
    assert!(diagnostics.is_empty() && file.items.len() > 600);
    if testing::is_thorough() {
        assert!(took < Duration::from_millis(600), "{took:?}");
    }
    let broken = source.replacen("require total != null", "require total !=", 200);
    let started = Instant::now();
    let (_, diagnostics) = read(&broken);
    eprintln!("with {} mistakes: {:?}", diagnostics.len(), started.elapsed());
    assert!(diagnostics.len() > 50);
}

#[test]
fn a_file_beyond_the_limit_of_work_is_read_item_by_item() {
    if !testing::is_thorough() {
        return;
    }
    let source = long_suite(60_000);
    let started = Instant::now();
    let (file, diagnostics) = read(&source);
    eprintln!("{} lines, {} bytes: {:?}", source.lines().count(), source.len(), started.elapsed());
    assert_eq!(lines(&source, &diagnostics), "");
    assert_eq!(
        file.items.len(),
        source.lines().filter(|line| line.starts_with("task ") || line.starts_with("suite ")).count()
    );
}

#[test]
fn mistakes_beyond_a_hundred_are_counted() {
    let source = format!("task t {{\n{}}}\n", "  promt \"x\"\n".repeat(250));
    let (_, diagnostics) = read(&source);
    assert_eq!(diagnostics.len(), 101);
    assert_eq!(diagnostics[100].message, "150 more mistakes from here on are not shown");
}
