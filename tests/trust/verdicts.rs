//! Verdicts that were silently wrong: SQL over files that exist, numbers with two readings, and YAML.

use serde_json::json;
use testing::{create_folder, run_picardc, run_picardc_with_input, write_in_folder};

use crate::trust::fixtures_bounds::database;
use crate::trust::support::{key, keys, said, suite};

const SHOP: &str = "create table a(v INTEGER); insert into a values (9), (10), ('n/a'), (25);
    create table b(v TEXT COLLATE NOCASE); insert into b values ('a'), ('A'), ('b');
    create table c(v INT, w TEXT); insert into c(rowid, v, w) values (5, 1, 'x'), (2, 2, 'y'), (9, 3, 'z');
    create table d(p DECIMAL(10,2)); insert into d values (10), (2.25), (7);
    create table e(t DATETIME); insert into e values ('2024-01-01T10:00'), ('2024-02-01T11:00');
    create view f as select distinct v from b;";

#[test]
fn sql_over_a_sqlite_fixture_reads_the_file_itself() {
    let queries = [
        ("value", "SELECT MIN(v) FROM d.a", json!(9)),
        ("list", "SELECT v FROM d.a ORDER BY v LIMIT 2", json!([9, 10])),
        ("value", "SELECT COUNT(*) FROM d.b WHERE v = 'a'", json!(2)),
        ("value", "SELECT COUNT(DISTINCT v) FROM d.b", json!(2)),
        ("value", "SELECT COUNT(*) FROM d.f", json!(2)),
        ("list", "SELECT w FROM d.c WHERE rowid = 5", json!(["x"])),
        ("value", "SELECT CAST(MAX(p) / 4 AS TEXT) FROM d.d", json!("2")),
        ("value", "SELECT COUNT(*) FROM d.e WHERE t = '2024-01-01T10:00'", json!(1)),
        ("value", "SELECT SUM(length(t)) FROM d.e", json!(32)),
        // Together with tables of other files.
        ("value", "SELECT COUNT(*) FROM d.b JOIN t ON b.v = t.K", json!(3)),
        ("value", "SELECT COUNT(*) FROM d.b AS b JOIN o.g AS g ON b.v = g.x", json!(2)),
    ];
    let fields: Vec<String> =
        queries.iter().enumerate().map(|(at, (word, sql, _))| format!("k{at}: <<{word}: {sql}>>")).collect();
    let task = format!(
        "sqlite d at \"m.db\" from \"m.db\" sqlite o at \"o.db\" from \"o.db\" csv t at \"t.csv\" from \"t.csv\"
        prompt \"<<d>> <<o>> <<t>>\"
        expect reply json {{ {} }}",
        fields.join(", ")
    );
    let (shop, other) = (database(SHOP), database("create table g(x TEXT); insert into g values ('a');"));
    let files: [(&str, &[u8]); 3] = [("m.db", &shop), ("o.db", &other), ("t.csv", b"K\na\nb\n")];
    assert!(!said(&task, &files).contains("W0401"), "{}", said(&task, &files));
    let key = key(&task, &files);
    for (at, (_, sql, value)) in queries.iter().enumerate() {
        assert_eq!(key[format!("k{at}")], *value, "{sql}");
    }
}

#[test]
fn keys_that_sql_cannot_tell_apart_are_refused() {
    let letters = br#"[{"a":1,"A":2},{"a":3,"A":4}]"#;
    let point = br#"[{"a":{"b":1},"a.b":7}]"#;
    let inside = br#"{"r":[{"a":1,"A":2}],"n":5}"#;
    let of = |statement: &str, sql: &str| {
        format!("{statement} prompt \"What is it?\" expect reply number coalesce(<<value: {sql}>>, 0)")
    };
    for (file, declared, sql) in [
        (&letters[..], "json j at \"k.json\" from \"k.json\"", "SELECT SUM(A) FROM j"),
        (&letters[..], "table j from \"k.json\"", "SELECT SUM(A) FROM j"),
        (&point[..], "json j at \"k.json\" from \"k.json\"", "SELECT SUM(\"a.b\") FROM j"),
        (&point[..], "table j from \"k.json\"", "SELECT SUM(\"a.b\") FROM j"),
        (&inside[..], "json j at \"k.json\" from \"k.json\"", "SELECT SUM(A) FROM j.r"),
    ] {
        let said = said(&of(declared, sql), &[("k.json", file)]);
        assert!(said.contains("SQL cannot distinguish") && said.contains("1 error"), "{declared}: {said}");
    }
    // Without SQL each key is itself, and other tables of the file can be read.
    let task = "json j at \"k.json\" from \"k.json\" prompt \"<<j>>\"
        expect reply json { a: sum(j.r.a), b: sum(j.r.A), n: <<value: SELECT n FROM j>>, all: <<json_collect: j, $.r[*].A>> }";
    assert_eq!(key(task, &[("k.json", inside)]), json!({"a": 1, "b": 2, "n": 5, "all": [2]}));
}

#[test]
fn values_of_several_types_are_not_read_through_sql() {
    let mixed = br#"[{"a":true,"b":1},{"a":"x","b":2},{"a":1.50,"b":3}]"#;
    for declared in ["json j at \"k.json\" from \"k.json\"", "table j from \"k.json\""] {
        let task = |key: &str| format!("{declared} prompt \"What is it?\" expect reply json {{ k: {key} }}");
        let files: [(&str, &[u8]); 1] = [("k.json", mixed)];
        let refused = said(&task("<<list: SELECT a FROM j WHERE a IS NOT NULL>>"), &files);
        assert!(refused.contains("the values of `a` in `j` have several types"), "{refused}");
        assert_eq!(key(&task("<<list: SELECT b FROM j>>"), &files), json!({"k": [1, 2, 3]}));
        assert_eq!(key(&task("list(j.a)"), &files)["k"][0], json!(true));
    }
    let base = database(SHOP);
    let task = "table t from \"a.db\" prompt \"What is it?\" expect reply text <<value: SELECT MIN(v) FROM t>>";
    let only = database("create table a(v INTEGER); insert into a values (9), (10), ('n/a');");
    let refused = said(task, &[("a.db", &only)]);
    assert!(!base.is_empty() && refused.contains("have several types"), "{refused}");
}

#[test]
fn digits_with_two_readings_are_no_int() {
    let read = |cells: &str, ty: &str| {
        let file = format!("N;B\n{}", cells.split(' ').map(|cell| format!("x;{cell}\n")).collect::<String>());
        let task = "prompt \"What is it?\" expect reply number coalesce(sum(t.B), 0)";
        let text = format!("table t from \"t.csv\" delimiter \";\" {{ N : text B : {ty} }}");
        said(&format!("{text} {task}"), &[("t.csv", file.as_bytes())])
    };
    for cells in ["1.000 2.000 15.000", "1.234 2.000 13.100", "7 -15.000"] {
        let said = read(cells, "int");
        for part in ["E0507", "B : int as written \"#.##0\"", "B : decimal", "differently"] {
            assert!(said.contains(part), "{cells}: {part}: {said}");
        }
        assert!(!said.contains("fix"), "{cells}: {said}");
        for ty in ["int as written \"#.##0\"", "decimal"] {
            assert!(!read(cells, ty).contains("E0507"), "{cells}: {ty}");
        }
    }
    for cells in ["15.0 2", "15.00 2", "0.000 2", "1,015.000 2", "15 2"] {
        assert!(!read(cells, "int").contains("E0507"), "{cells}: {}", read(cells, "int"));
    }
}

#[test]
fn currencies_are_not_added_up() {
    let read = |cells: &str| {
        let file = format!("K,A\n{}", cells.split(' ').map(|cell| format!("1,{cell}\n")).collect::<String>());
        let task =
            "csv t at \"t.csv\" from \"t.csv\" { K : int A : decimal } prompt \"<<t>>\" expect reply number sum(t.A)";
        said(task, &[("t.csv", file.as_bytes())])
    };
    let refused = read("$5 €6");
    assert!(refused.contains("E0507") && refused.contains("`€6`, where another field has `$`"), "{refused}");
    assert!(!read("$5 $6.50 -$7 8").contains("E0507"), "{}", read("$5 $6.50"));
}

#[test]
fn currencies_of_several_files_are_not_added_up() {
    let read = |first: &str, second: &str| {
        let suite = "suite s { title \"S\" version \"1.0.0\" }
            lake l from \"l\" { csv v from \"*.csv\" { A : decimal } }
            task t { lake l prompt \"In <<l>> are amounts. What is their sum?\" expect reply number sum(l.v.A) }";
        let (a, b) = (format!("A\n1\n{first}\n"), format!("A\n2\n{second}\n"));
        let home = create_folder(&[("s.pcd", suite), ("l/a.csv", &a), ("l/b.csv", &b)]);
        run_picardc(home.path(), &["check", "s.pcd"]).join_output()
    };
    let refused = read("$5", "€6");
    assert!(refused.contains("E0507"), "{refused}");
    assert!(refused.contains("line 3 of `b.csv` is `€6`, where another field has `$`"), "{refused}");
    for (first, second) in [("$5", "$6"), ("5", "€6"), ("$5", "6")] {
        assert!(!read(first, second).contains("E0507"), "{}", read(first, second));
    }
}

#[test]
fn a_whole_yaml_file_is_read_as_yaml() {
    let task = "n : int 1..9 prompt \"Write out.yaml: a YAML file with the key `a`, whose value is <<n>>.\"
        expect file \"out.yaml\" json { a: n }";
    let home = create_folder(&[("s.pcd", &suite(task))]);
    let n = keys(home.path())[0]["a"].clone();
    for (text, right) in [(format!("a: {n}\n"), true), (format!("{{\"a\": {n}}}"), true), ("a: 77\n".to_owned(), false)]
    {
        write_in_folder(home.path(), "sb/out.yaml", text.as_bytes());
        let ran = run_picardc_with_input(home.path(), &["grade", "out", "q-1", "--sandbox", "sb"], "done");
        assert_eq!(ran.join_output().contains("not correct"), !right, "{text}: {}", ran.join_output());
    }
}
