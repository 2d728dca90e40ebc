//! Ties in gold queries, found by the compiler's probe and by brute force.

use std::collections::BTreeSet;

use model::Value;

use super::Database;

#[test]
fn a_cut_within_equal_rows_is_seen() {
    let database = Database::from_sql(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, n INTEGER); \
         INSERT INTO t VALUES (1, 'x', 5), (2, 'y', 5), (3, 'z', 3), (4, 'x', 3), (5, 'x', 3), (6, 'w', NULL)",
    );
    for (sql, tied) in [
        ("SELECT a FROM t ORDER BY n DESC LIMIT 1", true),
        ("SELECT a FROM t ORDER BY n DESC LIMIT 2", false),
        ("SELECT a FROM t ORDER BY n DESC LIMIT 3;", true),
        ("SELECT a FROM t ORDER BY n DESC, id LIMIT 3", false),
        ("SELECT a FROM t ORDER BY n DESC, a LIMIT 3", false),
        ("SELECT id, a FROM t ORDER BY n DESC, a LIMIT 3", true),
        ("SELECT n FROM t ORDER BY n DESC LIMIT 1", false),
        ("SELECT a, n FROM t ORDER BY 2 DESC LIMIT 1", true),
        ("SELECT a, n AS m FROM t ORDER BY M DESC LIMIT 1", true),
        ("SELECT a, n AS m FROM t ORDER BY m * -1 LIMIT 1 OFFSET 1", true),
        ("SELECT a FROM t ORDER BY n DESC LIMIT 1, 1", true),
        ("SELECT a FROM t ORDER BY id LIMIT 2, 2", false),
        ("SELECT a FROM t ORDER BY n LIMIT 1", false),
        ("SELECT a FROM t ORDER BY n DESC LIMIT 50", false),
        ("SELECT a FROM t LIMIT 50", false),
        ("SELECT a FROM t LIMIT 5", true),
        ("SELECT a FROM t WHERE a = 'x' LIMIT 2", false),
        ("SELECT a, COUNT(*) FROM t GROUP BY a ORDER BY COUNT(*) DESC LIMIT 1", false),
        ("SELECT a, COUNT(*) FROM t GROUP BY a ORDER BY COUNT(*) DESC LIMIT 2", true),
        ("SELECT DISTINCT a FROM t ORDER BY a LIMIT 2", false),
        ("SELECT a FROM t UNION SELECT 'q' ORDER BY a LIMIT 2", false),
        ("SELECT COUNT(*) FROM t WHERE a = (SELECT a FROM t ORDER BY n DESC LIMIT 1)", true),
        ("SELECT COUNT(*) FROM t WHERE a = (SELECT a FROM t ORDER BY n DESC, id LIMIT 1)", false),
        (
            "WITH u AS (SELECT * FROM t) SELECT COUNT(*) FROM t WHERE a = (SELECT a FROM u ORDER BY n DESC LIMIT 1)",
            true,
        ),
        ("WITH u AS (SELECT a FROM t ORDER BY n DESC LIMIT 1) SELECT a FROM u", true),
        ("SELECT a, (SELECT n FROM t u WHERE u.a = t.a ORDER BY n LIMIT 1) FROM t", false),
        ("SELECT a FROM t ORDER BY LOWER(a) DESC LIMIT 1", false),
        ("SELECT a, ROW_NUMBER() OVER (ORDER BY id) FROM t ORDER BY id LIMIT 2", false),
        // The rows next to the bound are the same; another one with the same key is not.
        ("SELECT a FROM t WHERE id > 2 ORDER BY n DESC LIMIT 2", true),
        ("SELECT a FROM t WHERE id > 3 ORDER BY n DESC LIMIT 1", false),
        ("SELECT DISTINCT a, n FROM t ORDER BY n DESC LIMIT 1", true),
        ("SELECT DISTINCT a FROM t ORDER BY LENGTH(a) LIMIT 1", true),
        ("SELECT DISTINCT a FROM t ORDER BY n LIMIT 1", false),
        ("SELECT a FROM t WHERE EXISTS (SELECT * FROM t LIMIT 1)", false),
        ("SELECT UPPER(a) AS b FROM t ORDER BY b COLLATE NOCASE, 1 DESC LIMIT 2", false),
        ("SELECT id FROM t ORDER BY n / 2.0 DESC LIMIT 1", true),
        ("SELECT a FROM t UNION ALL SELECT a FROM t ORDER BY LENGTH(a) LIMIT 1", true),
    ] {
        let found = database.find_tie(sql);
        assert_eq!(found.is_some(), tied, "{sql}: {found:?}");
    }
}

/// Random choices: what they are does not matter, only that they are always the same.
struct Draw(u64);

impl Draw {
    fn draw_below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    fn pick_one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.draw_below(of.len())]
    }
}

/// A result without its order; numbers by value, whatever their type.
fn collect_bag(database: &Database, sql: &str) -> Vec<Vec<String>> {
    let cell = |value: &Value| match value {
        Value::Int(number) => (*number as f64).to_string(),
        Value::Float(number) => number.to_string(),
        other => format!("{other:?}"),
    };
    let table = database.run_query(sql).unwrap_or_else(|why| panic!("{sql}: {why}"));
    let mut bag: Vec<Vec<String>> = table.rows.iter().map(|row| row.iter().map(cell).collect()).collect();
    bag.sort();
    bag
}

#[test]
fn a_cut_is_tied_where_another_order_of_the_rows_gives_others() {
    let mut draw = Draw(7);
    let (mut tied, mut certain) = (0, 0);
    for _ in 0..600 {
        let grouped = draw.draw_below(4) == 0;
        // Of groups and of what is distinct, which writing of a text is shown is up to SQLite.
        let distinct = !grouped && draw.draw_below(4) == 0;
        let folded = !grouped && !distinct && draw.draw_below(3) == 0;
        let texts: &[&str] = if folded { &["p", "P", "q", "Q"] } else { &["p", "q", "r"] };
        let numbers: &[&str] = if distinct || grouped { &["0", "1", "2"] } else { &["0", "1", "1.0", "2", "NULL"] };
        let mut rows: Vec<String> = (0..6)
            .map(|_| format!("('{}', {}, {})", draw.pick_one(texts), draw.pick_one(numbers), draw.draw_below(4)))
            .collect();
        let select = if grouped {
            "a, SUM(n)"
        } else if distinct {
            draw.pick_one(&["DISTINCT a, n", "DISTINCT n, m", "DISTINCT a, n, m"])
        } else {
            draw.pick_one(&["a", "n", "a, m", "a, n + 1 AS k", "*"])
        };
        let terms = if grouped {
            draw.pick_one(&["SUM(n)", "2 DESC", "COUNT(*), a", "a"])
        } else if distinct {
            draw.pick_one(&["n", "n DESC", "1", "2 DESC", "n + 1, 1"])
        } else {
            draw.pick_one(&[
                "n",
                "n DESC, m",
                "1",
                "a DESC",
                "m + n",
                "m, n, a",
                "UPPER(a)",
                "a COLLATE BINARY",
                "n NULLS LAST, 1",
            ])
        };
        let order = if draw.draw_below(6) == 0 { String::new() } else { format!(" ORDER BY {terms}") };
        let group = if grouped { " GROUP BY a" } else { "" };
        let limit = match draw.draw_below(3) {
            0 => format!("{}", draw.draw_below(7)),
            1 => format!("{} OFFSET {}", draw.draw_below(4), draw.draw_below(4)),
            _ => format!("{}, {}", draw.draw_below(4), draw.draw_below(4)),
        };
        let block = format!("SELECT {select} FROM t{group}{order} LIMIT {limit}");
        let sql = if draw.draw_below(4) == 0 { format!("SELECT * FROM ({block})") } else { block };
        let collation = if folded { " COLLATE NOCASE" } else { "" };
        let mut results = BTreeSet::new();
        let mut said = None;
        for turn in 0..40 {
            for at in (1..rows.len()).rev() {
                rows.swap(at, draw.draw_below(at + 1));
            }
            let values = rows.join(", ");
            let statements = format!("CREATE TABLE t (a TEXT{collation}, n, m INTEGER); INSERT INTO t VALUES {values}");
            let database = Database::from_sql(&statements);
            results.insert(collect_bag(&database, &sql));
            if turn == 0 {
                said = database.find_tie(&sql);
            }
        }
        // Groups are in an order of their own, whatever that of the rows.
        assert!(said.is_some() || results.len() == 1, "{sql} over {rows:?}: {results:?}");
        assert!(said.is_none() || grouped || results.len() > 1, "{sql} over {rows:?}: {said:?}");
        tied += usize::from(said.is_some());
        certain += usize::from(said.is_none());
    }
    assert!(tied > 100 && certain > 100, "{tied} {certain}");
}
