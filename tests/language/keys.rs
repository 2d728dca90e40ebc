//! What columns of a table are together: `unique (A, B)`, `key`, `index`, and references to several columns.

use std::collections::BTreeSet;

use model::Value;
use runtime::generate::Instance;
use rusqlite::Connection;
use testing::{find_draw, read_text};

use super::{codes, compile, failure, instances};

const TAIL: &str = "prompt \"x\" expect reply text \"y\"";

/// The cells of a CSV file, without its header.
fn cells(instance: &Instance, path: &str) -> Vec<Vec<String>> {
    read_text(instance, path).lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

/// A database file, opened.
fn database(instance: &Instance, path: &str) -> (tempfile::TempDir, Connection) {
    let file = instance.files.iter().find(|file| file.path == path).expect("the database");
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("x.db");
    std::fs::write(&place, &file.bytes).expect("written");
    sqlite::init_process().expect("SQLite");
    (folder, Connection::open(place).expect("a database"))
}

fn strings(connection: &Connection, sql: &str) -> Vec<String> {
    let mut statement = connection.prepare(sql).expect("SQL");
    let rows = statement.query_map([], |row| row.get::<_, String>(0)).expect("a query");
    rows.map(|row| row.expect("a text")).collect()
}

#[test]
fn pairs_differ_however_their_columns_are_made() {
    for (columns, pair) in [
        ("A : int 1..6 B : int 1..20 unique (A, B)", [0, 1]),
        ("A : weighted [\"x\": 9, \"y\": 1] B : int 1..60 unique (B, A)", [0, 1]),
        ("A, B : distinct int 1..12 unique (A, B)", [0, 1]),
        ("A : int 1..5 B : int A..A + 20 unique (A, B)", [0, 1]),
        ("A : int 1..5 B : unique word C = \"<<A>>-<<B>>\" unique (A, C)", [0, 2]),
        ("A : sorted int 1..10 B : int 1..30 unique (A, B)", [0, 1]),
        ("B : int 1..30 A : sorted int 1..10 unique (A, B)", [0, 1]),
        ("A : int 1..4 B : normal mean 10 sd 8 0..40 step 1 unique (A, B)", [0, 1]),
        ("A : int 1..30 unique (A)", [0, 0]),
    ] {
        for instance in instances(&format!("csv h at \"h.csv\" {{ rows 15 {columns} }} {TAIL}")) {
            let rows = cells(&instance, "h.csv");
            let pairs: BTreeSet<_> = rows.iter().map(|row| pair.map(|at| row[at].clone())).collect();
            assert_eq!(pairs.len(), 15, "{columns}");
            if columns.contains("distinct") {
                assert!(rows.iter().all(|row| row[0] != row[1]), "{columns}: within a row");
            }
        }
    }
}

#[test]
fn a_row_more_changes_no_row_before_and_a_constraint_only_what_repeats() {
    let of = |rows: &str, more: &str| {
        instances(&format!("csv h at \"h.csv\" {{ rows {rows} A : int 1..6 B : int 1..20 {more} }} {TAIL}"))
    };
    let (short, long, free) = (of("20", "unique (A, B)"), of("21", "unique (A, B)"), of("20", ""));
    for ((short, long), free) in short.iter().zip(&long).zip(&free) {
        let (short, long, free) = (cells(short, "h.csv"), cells(long, "h.csv"), cells(free, "h.csv"));
        assert_eq!(short, long[..20]);
        let mut seen = BTreeSet::new();
        for (row, free) in short.iter().zip(&free) {
            assert_eq!(row[0], free[0], "the first column is as without");
            if !seen.contains(free) {
                assert_eq!(row, free);
            }
            seen.insert(row.clone());
        }
    }
}

#[test]
fn rows_with_a_null_differ_from_every_other() {
    for instance in instances(&format!(
        "csv h at \"h.csv\" {{ rows 30 A : one_of [1] B : int 1..9 blank 90% unique (A, B) }} {TAIL}"
    )) {
        let rows = cells(&instance, "h.csv");
        let full: Vec<_> = rows.iter().filter(|row| !row[1].is_empty()).collect();
        assert_eq!(full.iter().collect::<BTreeSet<_>>().len(), full.len());
    }
}

#[test]
fn what_cannot_differ_is_said() {
    let message = failure(&format!(
        "csv p at \"p.csv\" {{ rows 1 ID : serial }} n = count(p) csv h at \"h.csv\" {{ rows 30 A : one_of [1] B : int 1..n + 8 unique (A, B) }} {TAIL}"
    ));
    assert!(message.contains("row 10 of `h`") && message.contains("(A, B)"), "{message}");
    let message = failure(&format!("csv h at \"h.csv\" {{ rows 30 A : int 1..3 B = A * 2 unique (A, B) }} {TAIL}"));
    assert!(message.contains("have the same (A, B)"), "{message}");
}

#[test]
fn mistakes_in_constraints_are_told() {
    for (clauses, code) in [
        ("unique (A, C)", "E0203"),
        ("unique (A, A)", "E0206"),
        ("unique (A, _H)", "E0702"),
        ("unique (A, B) unique (B, A)", "E0206"),
        ("key (A, B)", "E0702"),
        ("index (A)", "E0702"),
        ("unique (S, T)", "E0402"),
        ("unique (O)", "E0404"),
    ] {
        let body = format!(
            "csv h at \"h.csv\" {{ rows 10 A : int 1..9 B : int 1..9 _H : int 1..9 S, T : int 1..3 O : sorted int 1..99 {clauses} }} {TAIL}"
        );
        assert_eq!(codes(&body), [code], "{clauses}");
    }
    for (clauses, code) in [
        ("key (A, N)", "E0303"),
        ("key (A) key (B)", "E0206"),
        ("key (A, B) unique (B, A)", "E0206"),
        ("index (A) index (A)", "E0206"),
    ] {
        let body = format!(
            "sqlite d at \"d.db\" {{ table h {{ rows 5 A : int 1..99 B : int 1..99 N : word blank 5% {clauses} }} }} {TAIL}"
        );
        assert_eq!(codes(&body), [code], "{clauses}");
    }
    let said = compile(&format!("csv h at \"h.csv\" {{ rows 2 STORE : word unique (STOER) }} {TAIL}")).diagnostics;
    assert_eq!(said[0].help.as_deref(), Some("did you mean `STORE`?"));
    // A misspelt clause is told for what it is.
    let said = compile(&format!("csv h at \"h.csv\" {{\nrows 2\nA : word\nuniqe (A)\n}} {TAIL}")).diagnostics;
    assert_eq!((said[0].code.id, said[0].help.as_deref()), ("E0102", Some("did you mean `unique`?")));
}

#[test]
fn clauses_that_cannot_be_read_are_explained() {
    let of = |clause: &str| {
        let body = format!("csv h at \"h.csv\" {{\nrows 2\nA : word\nB : word\n{clause}\n}} {TAIL}");
        compile(&body).diagnostics.iter().map(|said| said.message.clone()).collect::<Vec<_>>()
    };
    assert_eq!(of("unique A, B"), ["`(` is missing after `unique`"]);
    assert_eq!(of("unique (A B)"), ["a comma is missing"]);
    assert_eq!(of("unique (A, B"), ["`(` is never closed"]);
    assert_eq!(of("C, D : ref h.(A B)"), ["a comma is missing"]);
}

#[test]
fn a_reusable_table_brings_its_constraints() {
    let suite = |body: &str| {
        let text = format!(
            "suite s {{ title \"S\" version \"1\" samples 5 }} table base {{ A : int 1..9 B : int 1..9 unique (A, B) }}\n\
             task q {{ {body} prompt \"<<d>>\" expect reply number 3 }}"
        );
        testing::compile_text(&text)
    };
    for (body, code) in [
        ("csv d : base at \"d.csv\" { rows 82 }", Some("E0402")),
        ("sqlite d at \"d.db\" { table t : base { rows 20 } table u : base { rows 5 key (B, A) } }", None),
        ("csv d : base at \"d.csv\" { rows 9 unique (B, A) }", Some("E0206")),
    ] {
        let found: Vec<_> = suite(body).diagnostics.iter().map(|said| said.code.id).collect();
        assert_eq!(found, code.into_iter().collect::<Vec<_>>(), "{body}");
    }
}

#[test]
fn the_words_are_columns_where_a_sign_follows() {
    assert_eq!(
        codes(&format!("csv h at \"h.csv\" {{ rows 2 unique : word key = 3 index : int 1..9 }} {TAIL}")),
        [""; 0]
    );
}

const SHOP: &str = "sqlite shop at \"shop.db\" {
  table stock { rows 12 STORE : int 1..4 DAY : date 2024-01-01..2024-01-31 N : int 1..9 blank 20% SER : serial key (STORE, DAY) index (N, DAY) index (N) }
  table extra { rows 9 CODE : pattern \"[A-Z]{3}\" ITEM : int 1..50 unique (CODE, ITEM) }
  table sales { rows 40 ID : serial ST, DY : ref stock.(STORE, DAY) where N != null C, I : ref extra.(CODE, ITEM) blank 30% index (ST, DY) }
  table once { rows 5 S, D : unique ref stock.(STORE, DAY) }
}";

#[test]
fn a_database_holds_what_is_declared() {
    let body = format!(
        "{SHOP} s, d : ref shop.stock.(STORE, DAY) layout = schema(shop) prompt \"<<layout>>\" expect reply text \"y\""
    );
    for instance in instances(&body).iter().take(10) {
        let (_folder, connection) = database(instance, "shop.db");
        assert_eq!(strings(&connection, "PRAGMA integrity_check"), ["ok"]);
        let mut check = connection.prepare("PRAGMA foreign_key_check").expect("SQL");
        assert!(check.query([]).expect("a check").next().expect("a row or none").is_none());
        let count = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i64>(0)).expect("a number");
        assert_eq!(count("SELECT COUNT(*) FROM pragma_foreign_key_list('sales')"), 4, "two keys of two columns");
        assert_eq!(count("SELECT COUNT(*) FROM pragma_table_info('stock') WHERE pk > 0"), 2);
        assert_eq!(count("SELECT COUNT(*) FROM sales JOIN stock ON ST = STORE AND DY = DAY WHERE N IS NULL"), 0);
        assert_eq!(count("SELECT COUNT(*) FROM sales WHERE (C IS NULL) <> (I IS NULL)"), 0, "null together");
        assert_eq!(count("SELECT COUNT(*) FROM (SELECT DISTINCT S, D FROM once)"), 5);
        assert_eq!(
            strings(
                &connection,
                "SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL ORDER BY rowid"
            ),
            ["stock_N_DAY_idx", "stock_N_idx", "sales_ST_DY_idx"]
        );
        let schema = strings(&connection, "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL");
        assert!(schema.iter().all(|sql| instance.prompt.contains(sql.as_str())), "`schema` shows all of it");
        let (Value::Int(store), day) = (find_draw(instance, "s"), find_draw(instance, "d")) else { panic!("an int") };
        let found =
            count(&format!("SELECT COUNT(*) FROM stock WHERE STORE = {store} AND DAY = '{}'", day.render_text()));
        assert_eq!(found, 1, "both names come from one row");
    }
}

#[test]
fn several_cells_of_one_row_stay_together_anywhere() {
    let body = format!(
        "csv truth at \"truth.csv\" {{ rows 12 A : int 1..9 blank 20% B : word C : int 1..999 }} \
         csv h at \"h.csv\" {{ rows 20 LOW : int 1..5 P, Q : ref truth.(B, A) where C > LOW X : int 1..30 unique (Q, X) }} \
         csv g at \"g.csv\" {{ rows 3 M : int 1..3 P, R : unique ref truth.(B, C) where C > M }} \
         csv e at \"e.csv\" {{ rows 6 X : int 1..2 P, Q : unique ref truth.(B, C) unique (X, P) }} \
         require csv_count(truth.A) > 5 {TAIL}"
    );
    for instance in instances(&body) {
        let rows = |path: &str| cells(&instance, path);
        let truth = rows("truth.csv");
        let pairs = |a: usize, b: usize| -> BTreeSet<[String; 2]> {
            truth.iter().map(|row| [row[a].clone(), row[b].clone()]).collect()
        };
        let (words, numbers) = (pairs(1, 0), pairs(1, 2));
        let mut seen = BTreeSet::new();
        for row in rows("h.csv") {
            assert!(!row[2].is_empty(), "a null in either leaves the row out");
            assert!(words.contains(&[row[1].clone(), row[2].clone()]), "{row:?} of {words:?}");
            assert!(seen.insert([row[2].clone(), row[3].clone()]), "{row:?} twice");
        }
        for path in ["g.csv", "e.csv"] {
            let found: Vec<[String; 2]> = rows(path).iter().map(|row| [row[1].clone(), row[2].clone()]).collect();
            assert!(found.iter().all(|pair| numbers.contains(pair)), "{found:?} of {numbers:?}");
            assert_eq!(found.iter().collect::<BTreeSet<_>>().len(), found.len(), "each row once");
        }
    }
}

#[test]
fn mistakes_in_references_are_told() {
    let parent = "sqlite d at \"d.db\" { table p { rows 9 A : int 1..99 B : int 1..99 }";
    for (child, code) in [
        ("X, Y : ref p.(A, B)", "E0405"),
        ("X, Y, Z : ref p.(A, B)", "E0405"),
        ("X : ref p.(A, B)", "E0405"),
        ("X, Y : ref p.(A, C)", "E0203"),
        ("X, Y : ref p.(A, A)", "E0206"),
        ("X, Y : sorted ref p.(A, B)", "E0702"),
        ("X, Y : distinct ref p.(A, B)", "E0702"),
        ("X, Y : ref p.(A, B) except 3", "E0702"),
    ] {
        assert_eq!(codes(&format!("{parent} table c {{ rows 5 {child} }} }} {TAIL}")), [code], "{child}");
    }
    let fits = "sqlite d at \"d.db\" { table p { rows 9 A : int 1..99 B : int 1..99 unique (B, A) } table c { rows 5 X, Y : ref p.(A, B) } }";
    assert_eq!(codes(&format!("{fits} {TAIL}")), [""; 0]);
}

#[test]
fn a_query_on_all_columns_of_a_key_gives_one_row() {
    let ask = |condition: &str| {
        codes(&format!(
            "{SHOP} s, d : ref shop.stock.(STORE, DAY) prompt \"<<shop>> <<s>> <<d>>\" \
             expect reply number coalesce(<<sqlite_query: shop, SELECT SER FROM stock WHERE {condition}>>, 0)"
        ))
    };
    assert_eq!(ask("STORE = :s AND DAY = :d"), [""; 0]);
    assert_eq!(ask("DAY = :d"), ["E0605"]);
}

/// Numbers for the cases of a test, the same every time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most
    }
}

/// Some instances of a task with this body, which is right.
#[track_caller]
fn few(body: &str) -> Vec<Instance> {
    testing::expect_instances(&testing::keep_errors(testing::compile_text(&testing::build_suite_source(
        "samples 3",
        body,
    ))))
}

/// V24: however few pairs are left over, none of the rows is without one, whatever the columns are drawn from.
#[test]
fn as_many_rows_as_pairs_can_be_drawn() {
    let domain = |numbers: &mut Numbers| -> (String, usize) {
        let count = 2 + numbers.below(7);
        match numbers.below(9) {
            0 | 1 => (format!("int 1..{count}"), count),
            2 => (format!("date 2024-01-01..2024-01-0{count}"), count),
            3 => ("one_of [\"a\", \"b\", \"c\"]".to_owned(), 3),
            4 => ("weighted [\"x\": 97, \"y\": 2, \"z\": 1]".to_owned(), 3),
            5 => ("bool 99%".to_owned(), 2),
            6 => (format!("zipf {count}"), count),
            7 => (format!("normal mean 2 sd 1 1..{count} step 1"), count),
            _ => ("ref p.ID".to_owned(), 5),
        }
    };
    let mut numbers = Numbers(24);
    for _ in 0..40 {
        let columns: Vec<(String, usize)> = (0..2 + numbers.below(2)).map(|_| domain(&mut numbers)).collect();
        let all: usize = columns.iter().map(|(_, count)| count).product();
        let rows = (all - numbers.below(3)).min(120);
        let names = ["A", "B", "C"];
        let mut order: Vec<&str> = names.into_iter().take(columns.len()).collect();
        if numbers.below(2) == 1 {
            order.reverse();
        }
        let declared: Vec<String> =
            names.into_iter().zip(&columns).map(|(name, (domain, _))| format!("{name} : {domain}")).collect();
        let body = format!(
            "csv p at \"p.csv\" {{ rows 5 ID : serial }} csv h at \"h.csv\" {{ rows {rows} {} unique ({}) }} {TAIL}",
            declared.join(" "),
            order.join(", ")
        );
        for instance in few(&body) {
            let found: BTreeSet<Vec<String>> = cells(&instance, "h.csv").into_iter().collect();
            assert_eq!(found.len(), rows, "{body}");
        }
    }
}

/// V24: a value changes only where no draw of the later columns could have made its row differ.
#[test]
fn only_what_would_have_stopped_the_build_is_drawn_again() {
    let mut numbers = Numbers(42);
    let (mut kept, mut changed) = (0, 0);
    for _ in 0..30 {
        let (first, second) = (3 + numbers.below(30), 2 + numbers.below(6));
        let rows = 2 + numbers.below(first * second - 2);
        let of = |clause: &str| {
            instances(&format!(
                "csv h at \"h.csv\" {{ rows {rows} A : int 1..{first} B : int 1..{second} C : word {clause} }} {TAIL}"
            ))
        };
        for (made, free) in of("unique (A, B)").iter().zip(&of("")) {
            let (made, free) = (cells(made, "h.csv"), cells(free, "h.csv"));
            let mut often: std::collections::BTreeMap<&str, usize> = std::collections::BTreeMap::new();
            for (made, free) in made.iter().zip(&free) {
                let before = often.get(free[0].as_str()).copied().unwrap_or(0);
                // The first row beyond what B can tell apart, and those that its new value pushes out.
                if before < second {
                    assert_eq!(made[0], free[0], "{first} {second} {rows}");
                    kept += 1;
                } else {
                    assert_ne!(made[0], free[0], "{first} {second} {rows}");
                    changed += 1;
                }
                assert_eq!(made[2], free[2], "other columns stay");
                *often.entry(made[0].as_str()).or_default() += 1;
            }
        }
    }
    assert!(kept > 1000 && changed > 50, "{kept} {changed}");
}

/// V24: references to several columns at once, `distinct` columns, and nulls leave room as well.
#[test]
fn rows_of_a_parent_and_distinct_columns_leave_room() {
    for (columns, key, rows) in [
        ("P, Q : ref p.(X, Y) N : int 1..3", "P, N", 5 * 3),
        ("P, Q : ref p.(X, Y) N : int 1..2", "P, Q, N", 10 * 2),
        ("N : int 1..4 P, Q : ref p.(X, Y)", "N, P", 4 * 5),
        // `B` is not drawn again: `A` needs a second value with room.
        ("A, B : distinct int 1..6 N : int 1..3", "A, N", 6 * 3 - 3),
        ("A : ref p.X B : ref p.Y", "A, B", 5 * 10),
        ("A : ref p.X where Y > 4 B : int 1..3", "A, B", 3 * 3),
        ("A : int 1..4 except 2 B : int 1..4 except 1", "A, B", 3 * 3),
        ("A : sorted int 1..4 B : int 1..5", "A, B", 4 * 5),
        ("A : int 1..3 B : int 1..4 C : int 1..2", "C, A, B", 24),
    ] {
        let body = format!(
            "csv p at \"p.csv\" {{ rows 10 Y : serial X = mod(Y, 5) }} csv h at \"h.csv\" {{ rows {rows} {columns} unique ({key}) }} {TAIL}"
        );
        for instance in instances(&body) {
            let text = read_text(&instance, "h.csv").to_owned();
            let header: Vec<&str> = text.lines().next().unwrap_or_default().split(',').collect();
            let places: Vec<usize> =
                key.split(", ").map(|name| header.iter().position(|own| *own == name).expect("a column")).collect();
            let found: BTreeSet<Vec<String>> = cells(&instance, "h.csv")
                .iter()
                .map(|row| places.iter().map(|at| row[*at].clone()).collect())
                .collect();
            assert_eq!(found.len(), rows, "{columns}");
        }
    }
}

/// V24: what check says of tables that can run out of different rows.
#[test]
fn keys_that_can_run_out_are_told() {
    for (rows, columns, code) in [
        ("12", "A : int 1..3 B : int 1..4", None),
        ("13", "A : int 1..3 B : int 1..4", Some("E0402")),
        ("9..12", "A : int 1..3 B : int 1..4", None),
        ("12", "A : int 1..3 B : int 1..n", Some("W0403")),
        ("6", "A : int 1..3 B : int 1..n", None),
        ("13", "A : int 1..3 B : int 1..n", Some("E0402")),
        ("20", "A : int 1..3 B : int 1..4 blank 5%", Some("W0403")),
        ("12", "A : int 1..3 B : int 1..4 blank 5%", None),
        ("12", "A : ref p.ID B : int 1..4", None),
        ("24", "A : ref p.ID B : int 1..4", Some("W0403")),
        ("25", "A : ref p.ID B : int 1..4", Some("E0402")),
        ("9", "A : int 1..3 B = A + 1", None),
        ("12", "A : int 1..3 B : int A..A + 3", None),
    ] {
        let body = format!(
            "n : int 2..4 csv p at \"p.csv\" {{ rows 5..6 ID : serial }} csv h at \"h.csv\" {{ rows {rows} {columns} unique (A, B) }} {TAIL}"
        );
        let said = testing::compile_text(&testing::build_suite_source("samples 40", &body)).diagnostics;
        let found: Vec<&str> =
            said.iter().map(|said| said.code.id).filter(|id| ["E0402", "W0403"].contains(id)).collect();
        assert_eq!(found, code.into_iter().collect::<Vec<_>>(), "{rows} {columns}");
    }
}
