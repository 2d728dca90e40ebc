//! `each` in an editor: what its rows are, and what may be written about them.

use crate::lsp::editor::{Editor, cursors, place};

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
    let home = testing::create_folder(&[("suite.pcd", SUITE), ("dev.csv", DATA)]);
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
fn a_hover_over_describe_says_what_is_left_out() {
    sqlite::init_process().expect("SQLite");
    let source = "suite s { title \"T\" version \"1\" }\ntask t {\n  sqlite db at \"db.sqlite\" from \"db.sqlite\"\n  few = describe(db, 12)\n  \
                  prompt \"<<few>> <<describe(db, 500)>> Count the rows of a in <<db>>.\"\n  expect reply number count(db.a) + 1\n}\n";
    let home = testing::create_folder(&[("suite.pcd", source)]);
    let made = rusqlite::Connection::open(home.path().join("db.sqlite")).expect("opened");
    made.execute_batch(
        "CREATE TABLE a (X INT, Y TEXT); CREATE TABLE b (Z REAL); INSERT INTO a VALUES (1, 'p'), (2, 'q')",
    )
    .expect("filled");
    drop(made);
    let uri = format!("file://{}/suite.pcd", home.path().display());
    let mut editor = Editor::new();
    editor.open(&uri, source);
    editor.diagnostics(&uri);
    let mut hover = |cursor: (u32, u32)| {
        let hover = editor.ask("textDocument/hover", place(&uri, cursor));
        hover["contents"]["value"].as_str().unwrap_or_default().to_owned()
    };
    let few = hover((3, 10));
    for part in [
        "describe(db: sqlite file, budget: int) -> text",
        "of 12 tokens; left out: examples, row counts",
        "all columns",
    ] {
        assert!(few.contains(part), "{part}\n{few}");
    }
    let all = hover((4, 24));
    assert!(all.contains("of 500 tokens; nothing is left out"), "{all}");
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
