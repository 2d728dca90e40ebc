//! `ok/*.pcd` is read without a word; what is said of `errors/*.pcd` is in the snapshots next to them. A file is named for what it shows.

use crate::parse::render::{files, lines, read};
use std::fs;

#[test]
fn suites_and_standard_library_are_read_without_a_word() {
    for path in files("suites").into_iter().chain(files("compiler/tests/parse/ok")) {
        let source = fs::read_to_string(&path).unwrap();
        let (file, diagnostics) = read(&source);
        assert_eq!(lines(&source, &diagnostics), "", "{}", path.display());
        assert!(!file.items.is_empty());
    }
    for path in files("stdlib/1") {
        let source = fs::read_to_string(&path).unwrap();
        let (file, diagnostics) = compiler::parse::parse_library(&source, compiler::ast::SourceId(3));
        assert_eq!(lines(&source, &diagnostics), "", "{}", path.display());
        assert!(!file.items.is_empty());
    }
}

#[test]
fn mistakes_are_explained() {
    testing::check_snapshots(&testing::root().join("compiler/tests/parse/errors"), "pcd", |path| {
        let source = fs::read_to_string(path).unwrap();
        let (_, diagnostics) = read(&source);
        assert!(!diagnostics.is_empty(), "{}", path.display());
        lines(&source, &diagnostics)
    });
}
