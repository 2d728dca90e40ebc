//! `ok/*.pcd` is read without a word; what is said of `errors/*.pcd` is held by snapshots. A file is named for what it shows.

use crate::render::{files, lines, read};
use std::fs;

#[test]
fn suites_and_standard_library_are_read_without_a_word() {
    for path in files("../suites").into_iter().chain(files("tests/parse/ok")) {
        let source = fs::read_to_string(&path).unwrap();
        let (file, diagnostics) = read(&source);
        assert_eq!(lines(&source, &diagnostics), "", "{}", path.display());
        assert!(!file.items.is_empty());
    }
    for path in files("../stdlib/1") {
        let source = fs::read_to_string(&path).unwrap();
        let (file, diagnostics) = compiler::parse::parse_library(&source, compiler::ast::SourceId(3));
        assert_eq!(lines(&source, &diagnostics), "", "{}", path.display());
        assert!(!file.items.is_empty());
    }
}

#[test]
fn mistakes_are_explained() {
    for path in files("tests/parse/errors") {
        let source = fs::read_to_string(&path).unwrap();
        let (_, diagnostics) = read(&source);
        assert!(!diagnostics.is_empty(), "{}", path.display());
        let text = format!("{source}----\n{}", lines(&source, &diagnostics));
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(name, text);
        });
    }
}
