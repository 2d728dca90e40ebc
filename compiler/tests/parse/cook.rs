//! What strings say.

use crate::parse::render::read;
use compiler::ast::{Cooked, ExprKind, ItemKind};

fn cook(literal: &str) -> Vec<String> {
    let source = format!("a = {literal}\n");
    let (file, diagnostics) = read(&source);
    assert!(diagnostics.is_empty(), "{literal}: {diagnostics:?}");
    let ItemKind::Constant(constant) = &file.items[0].kind else { panic!() };
    let ExprKind::String(string) = &constant.value.kind else { panic!() };
    string
        .cook()
        .into_iter()
        .map(|piece| match piece {
            Cooked::Text(text) => text,
            Cooked::Placeholder(expr) => format!("<{}>", &source[expr.span.start as usize..expr.span.end as usize]),
        })
        .collect()
}

#[test]
fn escapes_are_resolved() {
    assert_eq!(cook(r#""a\n\t\"\\\u{e9}\u{1F600}\<<b>>""#), ["a\n\t\"\\é😀<<b>>"]);
    assert_eq!(cook(r#""""#), Vec::<String>::new());
    assert_eq!(cook(r#""\\n""#), ["\\n"]);
}

#[test]
fn placeholders_stand_between() {
    assert_eq!(cook(r#""<<a>>/<<b>>.csv""#), ["<<<a>>>", "/", "<<<b>>>", ".csv"]);
}

#[test]
fn indentation_is_taken_off() {
    assert_eq!(cook("\"\"\"\n    one\n      two\n\n    three\n    \"\"\""), ["one\n  two\n\nthree\n"]);
    assert_eq!(cook("\"\"\"\r\n    one\r\n    two\r\n    \"\"\""), ["one\ntwo\n"]);
    assert_eq!(cook("\"\"\"one\n    two\"\"\""), ["one\ntwo"]);
    assert_eq!(cook("\"\"\"\"\"\""), Vec::<String>::new());
    assert_eq!(cook("\"\"\"\n  \"\"\""), Vec::<String>::new());
    // The lines that only hold blanks do not count, those that start with a placeholder do.
    assert_eq!(
        cook("\"\"\"\n    a\n \n  <<b>> c\n   d <<e>>\n  \"\"\""),
        ["  a\n\n", "<<<b>>>", " c\n d ", "<<<e>>>", "\n"]
    );
    // A newline that is written as an escape starts no line, and text behind a placeholder is not at a line's start.
    assert_eq!(cook("\"\"\"\n    a\\n b\n    <<c>>    d\n    \"\"\""), ["a\n b\n", "<<<c>>>", "    d\n"]);
    // One quote may stand before the closing three.
    assert_eq!(cook("\"\"\"say \"hi\"\"\"\""), ["say \"hi\""]);
}
