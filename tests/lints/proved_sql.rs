//! Queries and statements of `after` that cannot stop a build, each next to one that can.

use super::stops::tell_apart;

/// A number that a query returns.
fn value(before: &str, query: &str) -> String {
    format!("{before}  expect reply number coalesce(<<value: {query}>>, 0)")
}

#[test]
fn conditions_around_a_query_narrow_its_parameters() {
    let abs = "SELECT abs(-9223372036854775807 - CASE WHEN :z = 0 THEN 1 ELSE 0 END)";
    let guarded = |names: &str, condition: &str| {
        format!("{names}  expect reply number if {condition} then coalesce(<<value: {abs}>>, 0) else 0")
    };
    let otherwise = |names: &str, condition: &str| {
        format!("{names}  expect reply number if {condition} then 0 else coalesce(<<value: {abs}>>, 0)")
    };
    let z = "z : int 0..1_000_000";
    tell_apart(&[
        (&guarded(z, "z > 0"), &guarded(z, "z >= 0")),
        (&guarded(z, "z != 0 and z < 9"), &guarded(z, "z != 0 or z < 9")),
        (&otherwise(z, "z < 1"), &otherwise(z, "z > 1")),
        (&otherwise(z, "z < 0 or z == 0"), &otherwise(z, "z < 0 and z == 0")),
        (&otherwise(z, "not (z > 0)"), &otherwise("z : int 0..1_000_000 blank 5%", "z < 1")),
        (&value(&format!("{z}  require z > 0"), abs), &value(&format!("{z}  require z < 9"), abs)),
        // A name that follows from the one that is compared.
        (
            &value("k : int 0..9  z = if k == 0 then 0 else 1  require k > 0", abs),
            &value("k : int 0..9  z = if k == 0 then 0 else 1  require k < 9", abs),
        ),
        (
            &value(
                "csv t at \"t.csv\" { rows 2  A : int 1..9 }  z = count(t where A > 3)  ok = z > 0  require ok",
                abs,
            ),
            &value(
                "csv t at \"t.csv\" { rows 2  A : int 1..9 }  z = count(t where A > 3)  ok = z < 2  require ok",
                abs,
            ),
        ),
        // The condition of one row tells nothing of another parameter.
        (&guarded("z, y : int 1..9", "y > 0"), &guarded("z, y : int 0..9", "y > 0")),
    ]);
    // A `require` before the one that needs the name.
    let early = |require: &str| {
        format!(
            "k : int 0..9  {require}  sqlite db at \"a.db\" {{ table t {{ rows 5  ID : serial  A : int 1..9 }} }}  goal = <<after: db, INSERT INTO t (ID, A) VALUES (5 + :k, 3)>>  require changed(goal) > 0  expect file db database goal"
        )
    };
    tell_apart(&[(&early("require k > 0"), &early("require k < 5"))]);
}

#[test]
fn functions_of_sqlite_that_have_a_result() {
    let table = "csv t at \"t.csv\" { rows 4  ID : serial  A : int 1..99 }";
    let share = |shares: &str| {
        format!(
            "{table}  u : one_of {shares}  expect reply number coalesce(<<value: SELECT quantile(A, :u) FROM t>>, 0.0e0) rounded 2"
        )
    };
    tell_apart(&[
        (
            &value("n : int 0..9", "SELECT length(hex(zeroblob(:n)))"),
            &value("n : int 0..40_000_000", "SELECT length(hex(zeroblob(:n)))"),
        ),
        (
            &value("s : one_of [\"{}\", \"[1]\"]", "SELECT length(json_type(:s))"),
            &value("s : one_of [\"{}\", \"[1\"]", "SELECT length(json_type(:s))"),
        ),
        (
            &value("s : one_of [\"{}\", \"[1, 2]\"]", "SELECT json_array_length(:s)"),
            &value("s : pattern \"[a-z]{3}\"", "SELECT json_array_length(:s)"),
        ),
        (&share("[0.25, 0.5]"), &share("[0.25, 1.5]")),
        (
            &value("k : int 1..9", "SELECT 9223372036854775807 + CASE WHEN :k = 0 THEN 1 ELSE 0 END"),
            &value("k : int 0..9", "SELECT 9223372036854775807 + CASE WHEN :k = 0 THEN 1 ELSE 0 END"),
        ),
        (
            &value(table, "SELECT COUNT(*) FROM t WHERE (ID, A) IN (VALUES (1, 2), (3, 4))"),
            &value(
                table,
                "SELECT COUNT(*) FROM t WHERE (ID, abs(A - 9223372036854775807 - 2)) IN (VALUES (1, 2), (3, 4))",
            ),
        ),
    ]);
}

#[test]
fn quotients_in_queries_have_limits() {
    let table = "csv t at \"t.csv\" { rows 9  G : int 1..3  A : int 1..99  D : decimal 1.00..9.00 }";
    let mean = |quotient: &str| {
        format!("{table}  x = <<value: SELECT {quotient} FROM t>>  require x != null  expect reply number x rounded 2")
    };
    tell_apart(&[
        (&mean("(SUM(A) - MIN(A)) * 1.0 / (COUNT(*) - 9)"), &mean("1e308 * 10 / (COUNT(*) - 9)")),
        (&mean("(SUM(D) - MIN(D) - MAX(D)) / (COUNT(*) - 2)"), &mean("SUM(D) / (MIN(D) - 2) * 1e307")),
    ]);
}

#[test]
fn tables_that_read_themselves_end() {
    let links = |rows: u32| format!("csv l at \"l.csv\" {{ rows {rows}  A : int 1..20  B : int 1..20 }}  s : ref l.A");
    let reach = |rows: u32, union: &str, next: &str| {
        value(
            &links(rows),
            &format!(
                "WITH RECURSIVE r(S) AS (SELECT :s {union} SELECT {next} FROM r JOIN l ON l.A = r.S) SELECT COUNT(*) FROM r"
            ),
        )
    };
    let days = |step: &str, condition: &str| {
        value(
            "a : date 2024-01-01..2024-02-01  b : date 2024-03-01..2024-05-01",
            &format!(
                "WITH RECURSIVE c(D) AS (SELECT :a UNION ALL SELECT {step} FROM c WHERE {condition}) SELECT COUNT(*) FROM c"
            ),
        )
    };
    let count = |first: &str, last: &str, next: &str| {
        value(
            &format!("n : int 1..{last}"),
            &format!(
                "WITH RECURSIVE c(X, Y) AS (SELECT {first} UNION ALL SELECT {next} FROM c WHERE X < :n) SELECT COUNT(*) FROM c"
            ),
        )
    };
    tell_apart(&[
        (&reach(15, "UNION", "l.B"), &reach(15, "UNION ALL", "l.B")),
        (&reach(15, "UNION", "CASE WHEN l.A > 3 THEN l.B ELSE r.S END"), &reach(15, "UNION", "l.B + r.S")),
        (&reach(15, "UNION", "B"), &reach(90_000, "UNION", "B")),
        (&days("date(D, '+1 day')", "D < :b"), &days("date(D, '+1 day')", "D > :b")),
        (&days("date(D, '+1 month')", "date(D, '+1 month') <= :b"), &days("date(D, '+1 day')", "D <> :b")),
        (&days("date(c.D, '+2 days')", "D < :b AND D > :a"), &days("date(D, '+1 day')", "D < :b OR D < :a")),
        (&count("1, 5", "90", "X + 1, Y * 2"), &count("1, 5", "90", "X + :n, Y * 2")),
        (&count("1, 5", "90", "X + 1, Y"), &count("1, 5", "90", "Y, X + 1")),
    ]);
}

/// Statements on two tables, one of which refers to the other.
fn statements(names: &str, statements: &str) -> String {
    format!(
        "{names}  sqlite db at \"a.db\" {{ table p {{ rows 9  ID : serial  N : unique int 1..90  A : int 1..9  D : decimal 1.0..9.0  G : int 1..9 blank 20% }}  table c {{ rows 20  CID : serial  P : ref p.ID  Q : int 1..9 }} }}  goal = <<after: db, {statements}>>  expect file db database goal"
    )
}

#[test]
fn rows_without_references_are_deleted() {
    let k = "k : int 1..9  day : int 1..5";
    let delete = |text: &str| statements(k, text);
    tell_apart(&[
        (
            &delete("DELETE FROM p WHERE ID NOT IN (SELECT P FROM c)"),
            &delete("DELETE FROM p WHERE ID NOT IN (SELECT P FROM c WHERE Q > 3)"),
        ),
        (
            &delete("DELETE FROM p WHERE A > 2 AND ID NOT IN (SELECT P FROM c)"),
            &delete("DELETE FROM p WHERE ID IN (SELECT P FROM c)"),
        ),
        (
            &delete("DELETE FROM c WHERE P = :k; DELETE FROM p WHERE ID = :k"),
            &delete("DELETE FROM c WHERE P = :k; DELETE FROM p WHERE ID = :day"),
        ),
        (
            &delete("DELETE FROM c WHERE P = :k; DELETE FROM p WHERE ID = :k AND A > 1"),
            &delete("DELETE FROM c WHERE P = :k AND Q > 1; DELETE FROM p WHERE ID = :k"),
        ),
        (&delete("DELETE FROM c; DELETE FROM p WHERE A = :k"), &delete("DELETE FROM p WHERE A = :k; DELETE FROM c")),
        (
            &delete(
                "DELETE FROM c WHERE P IN (SELECT ID FROM p WHERE A < :k AND D > 2); DELETE FROM p WHERE A < :k AND D > 2",
            ),
            &delete("DELETE FROM c WHERE P IN (SELECT ID FROM p WHERE A < :k AND D > 2); DELETE FROM p WHERE A < :k"),
        ),
        (
            &delete("DELETE FROM c WHERE P IN (SELECT ID FROM p WHERE A < :k); DELETE FROM p WHERE A < :k"),
            &delete(
                "DELETE FROM c WHERE P IN (SELECT ID FROM p WHERE A < :k); UPDATE p SET A = 0 WHERE A = 9; DELETE FROM p WHERE A < :k",
            ),
        ),
        (
            &delete("DELETE FROM c WHERE CID IN (SELECT CID FROM c WHERE Q = 1) OR Q = 2")
                .replace("CID IN (SELECT CID FROM c WHERE Q = 1)", "P IN (SELECT ID FROM p WHERE A = 1)"),
            // What is deleted can depend on what is left.
            &delete("DELETE FROM c WHERE Q < (SELECT COUNT(*) FROM c d WHERE d.P = c.P)"),
        ),
    ]);
}

#[test]
fn columns_are_set_to_possible_values() {
    let k = "k : int 1..9  z : int 0..9";
    let update = |text: &str| statements(k, text);
    tell_apart(&[
        (&update("UPDATE p SET A = A + 100 / :k"), &update("UPDATE p SET A = A + 100 / :z")),
        (&update("UPDATE p SET A = A + 60 / N"), &update("UPDATE p SET A = A + 60 / (N - 5)")),
        // A column that may be null can be null.
        (&update("UPDATE p SET G = 60 / (N - 5)"), &update("UPDATE p SET A = G")),
        (&update("UPDATE p SET D = D * 1.5"), &update("UPDATE p SET D = D * 1e308")),
        (&update("UPDATE p SET N = 90 + :k WHERE N = 5"), &update("UPDATE p SET N = 89 + :k WHERE N = 5")),
        (&update("UPDATE p SET N = 90 + :k WHERE ID = 5"), &update("UPDATE p SET N = 90 + :k WHERE ID > 5")),
        (&update("UPDATE c SET CID = 20 + :k WHERE CID = 3"), &update("UPDATE p SET ID = 20 + :k WHERE ID = 3")),
        (
            &update("UPDATE c SET Q = 0 WHERE P = (SELECT ID FROM p WHERE N = :k)"),
            &update("UPDATE c SET Q = (SELECT A FROM p LIMIT 1)"),
        ),
        (
            &update("UPDATE c SET Q = 0 WHERE P IN (SELECT ID FROM p WHERE A = :k)"),
            &update("UPDATE c SET Q = (SELECT A FROM p WHERE A > :k)"),
        ),
        (
            &update("UPDATE p SET A = 5; UPDATE p SET A = A + 1"),
            &update("UPDATE p SET A = 0; UPDATE p SET D = 6.0 / A"),
        ),
    ]);
}

#[test]
fn rows_of_queries_are_inserted() {
    let k = "k : int 1..9  z : int 0..9  w : ref db.p.ID";
    let insert = |text: &str| statements(k, text);
    let one = |values: &str| insert(&format!("INSERT INTO c (CID, P, Q) VALUES ({values})"));
    tell_apart(&[
        (&one("20 + :k, 3, 1"), &one("20 + :z, 3, 1")),
        // What is referred to is there.
        (&one("21, :w, 1"), &one("21, :z, 1")),
        (&one("21, :k, 1"), &one("21, :k + 1, 1")),
        (
            &insert("INSERT INTO c (CID, P, Q) SELECT 21, ID, A FROM p WHERE N = :k"),
            &insert("INSERT INTO c (CID, P, Q) SELECT 21, ID, A FROM p WHERE A = :k"),
        ),
        (
            &insert("INSERT INTO c (CID, P, Q) SELECT 21, ID, A FROM p WHERE ID = :k"),
            &insert("INSERT INTO c (CID, P, Q) SELECT 20, ID, A FROM p WHERE ID = :k"),
        ),
        (
            &insert("INSERT INTO c (CID, P, Q) VALUES (21, 1, 1); INSERT INTO c (CID, P, Q) VALUES (21 + :k, 1, 1)"),
            &insert("INSERT INTO c (CID, P, Q) VALUES (22, 1, 1); INSERT INTO c (CID, P, Q) VALUES (21 + :k, 1, 1)"),
        ),
        (
            &insert("DELETE FROM c WHERE CID = 3; INSERT INTO c (CID, P, Q) VALUES (21, 1, 1)"),
            &insert("DELETE FROM c; DELETE FROM p WHERE ID = 1; INSERT INTO c (CID, P, Q) VALUES (21, 1, 1)"),
        ),
        (
            &insert("INSERT INTO c (CID, P, Q) VALUES (21, 1, 1)"),
            &insert("INSERT INTO c (CID, P, Q) VALUES (21, 1, NULL)"),
        ),
        (&one("21, 1, 2"), &one("21, 1, 2), (21, 2, 2")),
    ]);
    // Each list of statements sees what the one before it has left.
    let twice = |first: &str, second: &str| {
        insert(first).replace(
            "expect file db database goal",
            &format!("last = <<after: goal, {second}>>  expect file db database last"),
        )
    };
    let row = |key: &str| format!("INSERT INTO c (CID, P, Q) VALUES ({key}, 1, 1)");
    tell_apart(&[
        (&twice(&row("21"), &row("21 + :k")), &twice(&row("21"), &row("21 + :z"))),
        (
            &twice("UPDATE p SET A = 5", "UPDATE p SET D = 6.0 / N"),
            &twice("UPDATE p SET A = A - 1", "UPDATE p SET D = 6.0 / A"),
        ),
    ]);
}

#[test]
fn results_have_rows() {
    let table = "csv t at \"t.csv\" { rows 4  ID : serial  A : int 1..99 }";
    let pick = |names: &str, condition: &str| {
        format!(
            "{table}  {names}  top = <<rows: SELECT ID AS N, A AS V FROM t WHERE {condition}>>  y : ref top.N  expect reply number y"
        )
    };
    tell_apart(&[
        (&pick("k : int 1..9", "ID <= :k"), &pick("k : int 0..9", "ID <= :k")),
        (&pick("k : int 1..3", "ID > :k AND A > 0"), &pick("k : int 1..4", "ID > :k AND A > 0")),
        (&pick("k : int 1..9", "ID = 3 OR A > :k"), &pick("k : int 1..9", "ID = 5 OR A > :k")),
        (&pick("k : int 1..9", "A > 0"), &pick("k : int 1..9", "A > 1")),
        (&pick("k : int 1..9", "ID <= :k"), &pick("k : int 1..9", "ID <= :k GROUP BY A HAVING A > 5")),
    ]);
}

#[test]
fn descriptions_have_room() {
    let describe = |budget: &str| {
        format!(
            "k : int 0..900  sqlite db at \"a.db\" {{ table orders {{ rows 4  ID : serial  A : int 1..99 }} }}  u = describe(db, {budget})  text f at \"f.txt\" = \"<<u>>\"  expect reply number sum(db.orders.A)"
        )
    };
    tell_apart(&[(&describe("k + 50"), &describe("k"))]);
}
