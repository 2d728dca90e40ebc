//! What becomes of some texts: `layout/*.pcd`, snapshots beside them.

use crate::corpus::sources;
use crate::hold::hold;

#[test]
fn layout() {
    let sources = sources("compiler/tests/fmt/layout");
    assert!(sources.len() >= 10);
    for (path, source) in sources {
        let after = hold(&source)
            .unwrap_or_else(|why| panic!("{path}: {why}"))
            .unwrap_or_else(|| panic!("{path} has mistakes"));
        let name = path.rsplit('/').next().unwrap().trim_end_matches(".pcd").to_owned();
        insta::with_settings!({ snapshot_path => "layout", prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(name, after);
        });
    }
}

#[test]
fn nothing_becomes_nothing() {
    for source in ["", "\n\n", "\u{FEFF}", "  \r\n\t"] {
        assert_eq!(compiler::fmt::format(source), Ok(String::new()), "{source:?}");
    }
}

#[test]
fn a_file_of_comments_keeps_them() {
    let after = compiler::fmt::format("# a\r\n\r\n\r\n  ## b\n### c").unwrap();
    assert_eq!(after, "# a\n\n## b\n### c\n");
}

#[test]
fn what_cannot_be_read_is_said() {
    let said = match compiler::fmt::format("task t {\r\n  a : \r\n}\r\n") {
        Err(compiler::fmt::Refusal::Mistakes(said)) => said,
        other => panic!("{other:?}"),
    };
    let text = compiler::fmt::readable("task t {\r\n  a : \r\n}\r\n");
    assert_eq!(said.len(), 1);
    assert_eq!(said[0].primary.span.start as usize, text.find(": ").unwrap() + 1);
}
