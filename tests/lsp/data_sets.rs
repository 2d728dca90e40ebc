//! `each` in an editor: what its rows are, and what may be written about them.

use crate::editor::{Editor, cursors, place};

const SUITE: &str = "suite s { title \"T\" version \"1\" }
table dev from \"dev.csv\"
task t {
  each q in dev key ID by DB where LEVEL > 1
  prompt \"Reply with <<q.WORD>> in <<q.DB>>.\"
  expect reply text q.WORD
}
";

const DATA: &str = "ID,DB,WORD,LEVEL\n1,shop,alpha,2\n2,shop,beta,1\n3,zoo,gamma,3\n4,zoo,delta,2\n";

fn project() -> (tempfile::TempDir, String) {
    let home = testing::folder(&[("suite.pcd", SUITE), ("dev.csv", DATA)]);
    let uri = format!("file://{}/suite.pcd", home.path().display());
    (home, uri)
}

fn labels(editor: &mut Editor, uri: &str, cursor: (u32, u32)) -> Vec<String> {
    let list = editor.ask("textDocument/completion", place(uri, cursor));
    let items = list["items"].as_array().or(list.as_array()).cloned().unwrap_or_default();
    items.iter().filter_map(|item| item["label"].as_str().map(str::to_owned)).collect()
}

#[test]
fn a_hover_shows_rows_clusters_and_the_first_row() {
    let (_home, uri) = project();
    let mut editor = Editor::new();
    editor.open(&uri, SUITE);
    editor.diagnostics(&uri);
    let hover = editor.ask("textDocument/hover", place(&uri, (3, 7)));
    let text = hover["contents"]["value"].as_str().unwrap_or_default();
    for part in ["row of `dev`", "3 rows", "2 clusters", "first row, 1:", "`q.WORD`: alpha", "`q.DB`: shop"] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    editor.close();
}

#[test]
fn completion_knows_the_columns_of_the_row_and_what_goes_on() {
    let (_home, uri) = project();
    let mut editor = Editor::new();
    editor.open(&uri, SUITE);
    editor.diagnostics(&uri);
    for (from, to, wanted) in [
        ("expect reply text q.WORD", "expect reply text q.‸", &["ID", "DB", "WORD", "LEVEL"][..]),
        ("key ID by", "key ‸ by", &["ID", "DB", "WORD", "LEVEL"]),
        ("each q in dev key ID by DB where LEVEL > 1", "each q in ‸", &["dev"]),
        ("each q in dev key ID by DB where LEVEL > 1", "each q in dev ‸", &["key", "by", "where"]),
        ("each q in dev key ID by DB where LEVEL > 1", "each q in dev where ‸", &["LEVEL"]),
    ] {
        let (text, places) = cursors(&SUITE.replacen(from, to, 1));
        editor.replace(&uri, &text);
        let offered = labels(&mut editor, &uri, places[0]);
        for label in wanted {
            assert!(offered.iter().any(|other| other == label), "{to}: {label} is not in {offered:?}");
        }
    }
    editor.close();
}
