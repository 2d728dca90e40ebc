//! Every span of the tree lies in the source and covers its node, without blanks or comments at its ends.

use crate::parse::render::{files, read};
use compiler::ast::File;
use std::fs;

/// Every range in the debug output of a tree: what stands in front of it, start, end.
fn ranges(tree: &str) -> Vec<(&str, usize, usize)> {
    let number =
        |text: &str| text.chars().take_while(char::is_ascii_digit).collect::<String>().parse::<usize>().unwrap();
    tree.match_indices("Span { file: ")
        .map(|(at, _)| {
            let rest = &tree[at..];
            let start = number(&rest[rest.find("start: ").unwrap() + 7..]);
            let end = number(&rest[rest.find("end: ").unwrap() + 5..]);
            let mut front = at.saturating_sub(4);
            while !tree.is_char_boundary(front) {
                front -= 1;
            }
            (&tree[front..at], start, end)
        })
        .collect()
}

/// Asserts it of every span of a file; in a broken file (`rough`) blanks and comments may stand at a node's ends.
pub fn check(source: &str, file: &File, name: &str, rough: bool) {
    let tree = format!("{file:?}");
    for (front, start, end) in ranges(&tree) {
        assert!(start <= end && end <= source.len(), "{name}: {start}..{end}");
        assert!(source.is_char_boundary(start) && source.is_char_boundary(end), "{name}: {start}..{end}");
        let text = &source[start..end];
        // A string's pieces keep their blanks.
        if rough || front.ends_with("\", ") {
            continue;
        }
        assert_eq!(text, text.trim(), "{name}: {start}..{end}");
        let comment =
            file.comments.iter().find(|comment| comment.end as usize == end && comment.start as usize > start);
        let own = file.comments.iter().any(|comment| comment.start as usize == start);
        assert!(comment.is_none() || own || start == end, "{name}: {text:?} ends with a comment");
    }
}

#[test]
fn spans_are_exact_in_every_suite() {
    for path in ["suites", "compiler/tests/parse/ok", "compiler/tests/parse/errors"].into_iter().flat_map(files) {
        let source = fs::read_to_string(&path).unwrap();
        for source in [
            source.clone(),
            source.replace('\n', "\r\n"),
            source.replace('\n', " # note\n").replace("\"\"\" # note", "\"\"\""),
        ] {
            let (file, diagnostics) = read(&source);
            if !path.to_string_lossy().contains("errors") {
                assert_eq!(crate::parse::render::lines(&source, &diagnostics), "", "{}", path.display());
            }
            check(&source, &file, &path.display().to_string(), !diagnostics.is_empty());
        }
    }
}

#[test]
fn a_node_covers_its_own_text() {
    let source =
        "task t {\n  a : int 1..9 step 2   # drawn\n  b = (a + 1) * -2   # computed\n\n  c = f(a where b > 1 )\n}\n";
    let (file, diagnostics) = read(source);
    assert!(diagnostics.is_empty());
    let compiler::ast::ItemKind::Task(task) = &file.items[0].kind else { panic!() };
    let texts: Vec<&str> =
        task.body.iter().map(|stmt| &source[stmt.span.start as usize..stmt.span.end as usize]).collect();
    assert_eq!(texts, ["a : int 1..9 step 2", "b = (a + 1) * -2", "c = f(a where b > 1 )"]);
    assert_eq!(file.comments.len(), 2);
}
