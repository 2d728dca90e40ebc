//! What becomes of some texts: `layout/*.pcd`, snapshots beside them.

use crate::fmt::hold::hold;

#[test]
fn layout() {
    let sources = testing::check_snapshots(&testing::root().join("compiler/tests/fmt/layout"), "pcd", |path| {
        hold(&std::fs::read_to_string(path).unwrap())
            .unwrap_or_else(|why| panic!("{}: {why}", path.display()))
            .unwrap_or_else(|| panic!("{} has mistakes", path.display()))
    });
    assert!(sources.len() >= 10);
}

#[test]
fn nothing_becomes_nothing() {
    for source in ["", "\n\n", "\u{FEFF}", "  \r\n\t"] {
        assert_eq!(compiler::fmt::format_source(source), Ok(String::new()), "{source:?}");
    }
}

#[test]
fn a_file_of_comments_keeps_them() {
    let after = compiler::fmt::format_source("# a\r\n\r\n\r\n  ## b\n### c").unwrap();
    assert_eq!(after, "# a\n\n## b\n### c\n");
}

#[test]
fn what_cannot_be_read_is_said() {
    let said = match compiler::fmt::format_source("task t {\r\n  a : \r\n}\r\n") {
        Err(compiler::fmt::Refusal::Mistakes(said)) => said,
        other => panic!("{other:?}"),
    };
    let text = compiler::fmt::normalize_text("task t {\r\n  a : \r\n}\r\n");
    assert_eq!(said.len(), 1);
    assert_eq!(said[0].primary.span.start as usize, text.find(": ").unwrap() + 1);
}
