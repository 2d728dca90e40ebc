//! Quotes of code in messages: they are what the formatter would write, so messages do not depend on blanks and line breaks.

use std::collections::BTreeMap;
use std::fs;

use compiler::ast::SourceId;
use compiler::diagnostics::Diagnostic;
use compiler::fmt::{format_source, quote_code, render_meaning};
use compiler::parse::parse_library;
use compiler::syntax::lex::{Kind, lex_source};
use proptest::prelude::*;
use testing::{build_suite_source, compile_text};

use crate::fmt::generate::{cases, draw_value, seed};

/// What stands after `x =` in a formatted text.
fn formatted_value(value: &str) -> Option<String> {
    let after = format_source(&format!("x = {value}\n")).ok()?;
    after.strip_prefix("x =").map(|value| value.trim().to_owned())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(1500), rng_seed: seed(), failure_persistence: None, ..ProptestConfig::default() })]

    /// A quote is what the formatter writes where that is one line, and the same before and after it where that is more.
    #[test]
    fn quotes_are_as_the_formatter_writes(tape in prop::collection::vec(any::<u16>(), 1..60)) {
        let value = draw_value(tape);
        let Some(after) = formatted_value(&value) else { return Ok(()) };
        let quoted = quote_code(&value);
        if !after.contains('\n') && !after.contains('#') {
            prop_assert_eq!(&quoted, &after, "quoted {:?}", value);
        }
        prop_assert_eq!(&quoted, &quote_code(&after), "{:?} and\n{:?}", value, after);
        prop_assert!(!quoted.contains('\n'), "{}", quoted);
    }
}

#[test]
fn quotes_of_some_code() {
    for (code, quoted) in [
        ("a", "a"),
        (" a ", "a"),
        ("a+b", "a + b"),
        ("f( a,b )", "f(a, b)"),
        ("hr . PAY  where\n  AGE>3 # few\n  and x", "hr.PAY where AGE > 3 and x"),
        ("[\n  1,\n  2,\n]", "[1, 2]"),
        ("{a:1}", "{ a: 1 }"),
        ("- x", "-x"),
        ("\"two  blanks\"", "\"two  blanks\""),
        ("<< value :  SELECT  1 >>", "<<value: SELECT  1>>"),
        ("<<value: SELECT a\n   FROM t>>", "<<value: SELECT a FROM t>>"),
        // No code of its own: only joined.
        ("int  1..\n 5", "int 1.. 5"),
        ("a ) + ( b", "a ) + ( b"),
        ("", ""),
    ] {
        assert_eq!(quote_code(code), quoted, "{code:?}");
    }
}

/// Everything that is said of a source, without places.
fn said(source: &str) -> BTreeMap<String, usize> {
    let mut all = BTreeMap::new();
    for said in &compile_text(source).diagnostics {
        *all.entry(render(said)).or_default() += 1;
    }
    all
}

fn render(said: &Diagnostic) -> String {
    let labels = std::iter::once(&said.primary).chain(&said.secondary).map(|label| label.message.as_str());
    let notes = said.iter_notes().map(|(_, text)| text);
    let fixes = said.fixes.iter().map(|fix| fix.message.as_str());
    let texts: Vec<&str> = [said.code.id, &said.message].into_iter().chain(labels).chain(notes).chain(fixes).collect();
    texts.join("\n  ")
}

/// The meaning of a source without syntax errors.
fn meaning(source: &str) -> Option<String> {
    let (file, diagnostics) = parse_library(source, SourceId(0));
    diagnostics.is_empty().then(|| format!("{:?}", render_meaning(file)))
}

/// The places between tokens at which `gap` changes nothing of what a source means.
fn list_gaps(source: &str, gap: &str) -> Vec<usize> {
    let Some(meant) = meaning(source) else { return Vec::new() };
    let lexed = lex_source(source);
    let tokens: Vec<_> = lexed.iter_whole().collect();
    let sign = |kind: &Kind| !matches!(kind, Kind::Word | Kind::Comment | Kind::Doc);
    let near = |pair: &&[&compiler::syntax::lex::Token]| sign(&pair[0].kind) || sign(&pair[1].kind);
    let places = tokens.windows(2).filter(near).map(|pair| pair[1].start as usize);
    places.filter(|at| meaning(&insert(source, &[*at], gap)).as_ref() == Some(&meant)).collect()
}

fn insert(source: &str, places: &[usize], gap: &str) -> String {
    let mut out = source.to_owned();
    for at in places.iter().rev() {
        out.insert_str(*at, gap);
    }
    out
}

/// Checks that blanks and line breaks change nothing of what is said. Returns the number of layouts that were compared.
fn expect_same(source: &str, layouts: usize, drawn: &mut u64) -> usize {
    let Some(meant) = meaning(source) else { return 0 };
    let before = said(source);
    let mut compared = 0;
    for gap in ["  ", "\n   "] {
        let places = list_gaps(source, gap);
        for layout in 0..layouts {
            // The first has a gap everywhere, each other one in about half of all places.
            let mut next = || {
                *drawn = drawn.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                *drawn >> 63 == 1
            };
            let chosen: Vec<usize> = places.iter().copied().filter(|_| next() || layout == 0).collect();
            let changed = insert(source, &chosen, gap);
            if meaning(&changed).as_ref() != Some(&meant) {
                continue;
            }
            assert_eq!(said(&changed), before, "{changed}");
            let laid_out = format_source(&changed).expect("a source without syntax errors");
            assert_eq!(said(&laid_out), before, "{changed}\nis laid out as\n{laid_out}");
            compared += 1;
        }
    }
    compared
}

/// A body of a task, and a code that is said of it because of an expression that the message quotes.
const QUOTING: &[(&str, &str)] = &[
    ("E0303", "  prompt \"Which? Reply with it.\"\n  expect reply number sum(hr.PAY where DEPT == \"Legal\")"),
    ("E0303", "  prompt \"Which? Reply with it.\"\n  expect reply number sum(hr.PAY where DEPT == \"Legal\" and N<5)"),
    ("E0303", "  prompt \"Which? Reply with it.\"\n  expect reply number max(hr.PAY where N == 1)+max(hr.N)"),
    ("E0303", "  prompt \"Which? Reply with it.\"\n  expect reply list [max(hr.PAY where N == 1), 2]"),
    ("E0303", "  k : one_of [1, null]\n  prompt \"Which? Reply with it.\"\n  expect reply number (k)"),
    (
        "E0303",
        "  prompt \"Which? Reply with it.\"\n  expect reply number (<<value: SELECT MAX(PAY)\n FROM hr WHERE N = 1>>)",
    ),
    ("W0402", "  prompt \"How many? Reply with the number.\"\n  expect reply number count(hr where PAY>20_000)"),
    (
        "W0402",
        "  prompt \"How many? Reply with the number.\"\n  expect reply number count(hr where (PAY+1) * 3 - (N * 2) + 100_000 > 20_000 - 1)",
    ),
    (
        "W0402",
        "  prompt \"How many? Reply with the number.\"\n  expect reply number count(hr where N in[1, 2, 3] and PAY==PAY)",
    ),
    (
        "W0401",
        "  prompt \"How many? Reply with the number.\"\n  expect reply number count(hr where DEPT in[\"Legal\", \"Lega\"])",
    ),
    (
        "W0404",
        "  a : int 100..200\n  prompt \"How many have more than <<a>>? Reply with the number.\"\n  expect reply number count(hr where (N * 2)<a)",
    ),
    ("E0302", "  prompt \"How many? Reply with the number.\"\n  expect reply number count(hr.PAY>5_000)"),
    (
        "E0302",
        "  csv b at \"b.csv\" { rows 9  C : int 1..9 }\n  prompt \"How many? Reply with the number.\"\n  expect reply number corr(hr . PAY, b . C)",
    ),
    ("E0401", "  n : int 9 .. 1\n  prompt \"Which is <<n>>?\"\n  expect reply number n"),
];

#[test]
fn layout_changes_no_message() {
    let mut drawn = 7;
    let data = "  csv hr at \"hr.csv\" { rows 50  DEPT : one_of [\"Legal\", \"Sales\"]  PAY : int 30_000..90_000  N : int 1..9 }\n";
    let mut compared = 0;
    for (code, body) in QUOTING {
        let source = build_suite_source("", &format!("{data}{body}"));
        let codes = testing::list_codes(&compile_text(&source));
        assert!(codes.contains(code), "{code} is not said, but {codes:?}:\n{body}");
        compared += expect_same(&source, 6, &mut drawn);
    }
    assert!(compared >= QUOTING.len() * 10, "{compared} layouts only");
}

#[test]
fn layout_changes_no_message_about_the_wrong_examples_of_the_manual() {
    let mut drawn = 11;
    let mut compared = 0;
    for path in testing::list_below(testing::root().join("docs/src/codes"), "md") {
        let page = fs::read_to_string(path).expect("a page");
        let examples = page.split("```").filter_map(|block| block.strip_prefix("pcd fail\n"));
        for example in examples {
            compared += expect_same(example, 2, &mut drawn);
        }
    }
    assert!(compared > 200, "{compared} layouts only");
}
