//! Good queries: types of their columns, proofs on their rows, what they read.

use plan::ValueType;
use plan::suite::{ColumnId, RelationId};
use proptest::prelude::*;
use rusqlite::types::Value as Cell;

use crate::world::{connection, filled_tables, in_shop, look, tables};

/// (query, types, rows): `?` behind a type is nullable, `-` unknown; rows `1` exactly one, `?` at most one, `+` at least one, `*` any.
const CASES: &[(&str, &str, &str)] = &[
    // To SQLite a comma may have a condition, as JOIN has.
    ("SELECT COUNT(*), MAX(CUST_NM) FROM customers, orders ON CUST_ID = CUST_REF", "int text?", "1"),
    (
        "SELECT SUM(ORD_AMT) FROM customers AS c, (SELECT CUST_REF AS CUST_ID, ORD_AMT FROM orders) o USING (CUST_ID)",
        "int?",
        "1",
    ),
    (
        "SELECT COUNT(*) FROM orders o JOIN customers c ON o.CUST_REF = c.CUST_ID\n    WHERE c.DEPT_CD = 'Engineering' AND o.ORD_AMT > 50000",
        "int",
        "1",
    ),
    ("SELECT SUM(ORD_AMT) FROM orders WHERE \"group\" = 'Engineering'", "int?", "1"),
    (
        "SELECT COUNT(*) FROM orders o JOIN customers c ON o.CUST_REF = c.CUST_ID WHERE c.DEPT_CD = :dept AND o.ORD_AMT > :threshold",
        "int",
        "1",
    ),
    // plain columns and stars
    ("SELECT * FROM customers", "int text text text", "*"),
    ("SELECT o.* FROM orders o", "int int int decimal2 date? bool date text", "*"),
    ("SELECT \"REG DT\", [REG DT], `REG DT` FROM orders", "date date date", "*"),
    ("SELECT ord_amt, Orders.Price FROM ORDERS", "int decimal2", "*"),
    ("SELECT rowid, ORD_ID FROM orders", "int int", "*"),
    // aggregates
    (
        "SELECT SUM(PRICE), AVG(PRICE), MIN(PRICE), MAX(SHIPPED), TOTAL(PRICE), COUNT(SHIPPED) FROM orders",
        "decimal2? float? decimal2? date? float int",
        "1",
    ),
    (
        "SELECT CUST_REF, SUM(PRICE), AVG(ORD_AMT), MIN(SHIPPED), GROUP_CONCAT(\"group\") FROM orders GROUP BY CUST_REF",
        "int decimal2 float date? text",
        "*",
    ),
    ("SELECT SUM(ORD_AMT) FILTER (WHERE PAID) FROM orders GROUP BY CUST_REF", "int?", "*"),
    ("SELECT MAX(ORD_AMT), CUST_REF FROM orders", "int? int?", "1"),
    ("SELECT COUNT(*) FROM orders HAVING COUNT(*) > 5", "int", "?"),
    ("SELECT COUNT(DISTINCT CUST_REF) * 2 FROM orders", "int", "1"),
    ("SELECT SUM(ORD_AMT * PRICE) FROM orders", "float?", "1"),
    ("SELECT COALESCE(SUM(PRICE), 0) FROM orders", "decimal2", "1"),
    ("SELECT ROUND(AVG(PRICE), 2) FROM orders", "float?", "1"),
    ("SELECT SUM(PAID) FROM orders", "int?", "1"),
    ("SELECT COUNT(*) FROM orders LIMIT 1 OFFSET 1", "int", "?"),
    ("SELECT COUNT(*) FROM orders LIMIT 0", "int", "?"),
    ("SELECT median(ORD_AMT) FROM orders", "float?", "1"),
    // joins
    (
        "SELECT c.CUST_ID, o.ORD_ID, o.PRICE FROM customers c LEFT JOIN orders o ON o.CUST_REF = c.CUST_ID",
        "int int? decimal2?",
        "*",
    ),
    ("SELECT c.CUST_ID, o.ORD_ID FROM customers c RIGHT JOIN orders o ON o.CUST_REF = c.CUST_ID", "int? int", "*"),
    ("SELECT c.CUST_ID, o.ORD_ID FROM customers c FULL JOIN orders o ON o.CUST_REF = c.CUST_ID", "int? int?", "*"),
    (
        "SELECT a.ORD_ID, ORD_AMT FROM orders a JOIN (SELECT ORD_ID, PRICE AS p FROM orders) b USING (ORD_ID)",
        "int int",
        "*",
    ),
    ("SELECT * FROM (SELECT 1 AS a, 'x' AS b) NATURAL JOIN (SELECT 1 AS a, 2.5 AS c)", "int text float", "?"),
    // expressions
    (
        "SELECT ORD_AMT / 2, ORD_AMT / CUST_REF, PRICE / 2, ORD_AMT % 7, -ORD_AMT FROM orders",
        "int int? float int int",
        "*",
    ),
    (
        "SELECT ORD_AMT > 5, PAID AND 1, NOT PAID, SHIPPED > '2024-01-01', ORD_AMT IN (1, 2), SHIPPED IS NULL FROM orders",
        "int int int int? int int",
        "*",
    ),
    (
        "SELECT CASE WHEN PAID THEN 'yes' ELSE 'no' END, CASE WHEN PAID THEN 1 END, IIF(PAID, 1, 2) FROM orders",
        "text int? int",
        "*",
    ),
    (
        "SELECT COALESCE(SHIPPED, '2024-01-01'), IFNULL(SHIPPED, \"REG DT\"), NULLIF(ORD_AMT, 0) FROM orders",
        "text date int?",
        "*",
    ),
    (
        "SELECT CAST(ORD_AMT AS TEXT), CAST(PRICE AS INTEGER), CAST(\"group\" AS REAL), CAST(SHIPPED AS NUMERIC) FROM orders",
        "text int float -?",
        "*",
    ),
    (
        "SELECT CUST_NM || ' ' || DEPT_CD, UPPER(CUST_NM), SUBSTR(CUST_NM, 1, 3), LENGTH(CUST_NM), TRIM(CUST_NM) FROM customers",
        "text text text int text",
        "*",
    ),
    (
        "SELECT strftime('%Y', SHIPPED), date(SHIPPED, '+1 day'), julianday(SHIPPED) FROM orders",
        "text? text? float?",
        "*",
    ),
    ("SELECT abs(PRICE), max(ORD_AMT, 5), ceil(PRICE), floor(ORD_AMT) FROM orders", "decimal2 int float int", "*"),
    ("SELECT :threshold, :dept, :loose, :threshold * 2.0", "int text -? float", "1"),
    ("SELECT NULL, 1, 1.5, 'a', TRUE, x'00'", "-? int float text int -", "1"),
    (
        "SELECT EXISTS (SELECT 1 FROM orders), (SELECT COUNT(*) FROM orders), (SELECT ORD_AMT FROM orders)",
        "int int int?",
        "1",
    ),
    (
        "SELECT c.CUST_NM, (SELECT SUM(o.PRICE) FROM orders o WHERE o.CUST_REF = c.CUST_ID) FROM customers c",
        "text decimal2?",
        "*",
    ),
    // forms that sqlparser does not know
    (
        "SELECT SHIPPED IS NOT DISTINCT FROM '2024-01-01', SHIPPED ISNULL, SHIPPED NOTNULL, SHIPPED NOT NULL FROM orders",
        "int int int int",
        "*",
    ),
    (
        "SELECT CUST_REF IS ORD_ID, CUST_REF IS NOT ORD_ID, ORD_AMT << 2, ORD_AMT & 1 FROM orders",
        "int int int int",
        "*",
    ),
    ("SELECT CUST_NM NOT GLOB 'A*', CUST_NM GLOB 'A*', CUST_NM NOT LIKE 'a%' FROM customers", "int int int", "*"),
    ("SELECT CUST_ID FROM customers NOT INDEXED WHERE CUST_ID IN (SELECT CUST_REF FROM orders)", "int", "*"),
    ("SELECT '{\"a\": 1}' ->> '$.a', '{\"a\": 1}' -> '$.a'", "-? text?", "1"),
    ("SELECT ORD_AMT == 5, ORD_AMT <> 5, .5e1, 0x1F FROM orders", "int int float int", "*"),
    ("WITH one AS NOT MATERIALIZED (SELECT ORD_ID AS id FROM orders) SELECT id FROM one WHERE id IN one", "int", "*"),
    // WITH
    (
        "WITH big(id, amount) AS (SELECT ORD_ID, PRICE FROM orders WHERE ORD_AMT > :threshold) SELECT MAX(amount), COUNT(id) FROM big",
        "decimal2? int",
        "1",
    ),
    ("WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 10) SELECT x FROM n", "int", "+"),
    (
        "WITH RECURSIVE n(x) AS (VALUES(1) UNION ALL SELECT x / 2 + NULL FROM n LIMIT 5) SELECT SUM(x) FROM n",
        "int?",
        "1",
    ),
    ("WITH a AS (SELECT * FROM b), b AS (SELECT ORD_ID FROM orders) SELECT ORD_ID FROM a", "int", "*"),
    // windows
    (
        "SELECT ROW_NUMBER() OVER (PARTITION BY CUST_REF ORDER BY ORD_AMT), SUM(PRICE) OVER (ORDER BY ORD_ID), \
         AVG(ORD_AMT) OVER (ORDER BY ORD_ID ROWS BETWEEN 2 PRECEDING AND 1 PRECEDING EXCLUDE CURRENT ROW), \
         LAG(ORD_AMT) OVER (ORDER BY ORD_ID), LAG(ORD_AMT, 1, 0) OVER w FROM orders WINDOW w AS (ORDER BY ORD_ID)",
        "int decimal2 float? int? int",
        "*",
    ),
    // set operations, VALUES
    ("SELECT ORD_AMT FROM orders UNION SELECT PRICE FROM orders", "decimal2", "*"),
    ("SELECT ORD_AMT FROM orders UNION ALL SELECT NULL", "int?", "+"),
    ("SELECT CUST_REF FROM orders EXCEPT SELECT CUST_ID FROM customers WHERE CUST_ID = 1", "int", "*"),
    ("SELECT CUST_REF FROM orders INTERSECT SELECT CUST_ID FROM customers WHERE CUST_ID = 1", "int", "?"),
    ("SELECT ORD_AMT AS x FROM orders UNION SELECT CUST_ID FROM customers ORDER BY x LIMIT 1", "int", "?"),
    ("VALUES (1, 'a'), (2, NULL)", "int text?", "+"),
    ("VALUES (1, 2.5)", "int float", "1"),
    // rows
    ("SELECT ORD_AMT FROM orders ORDER BY ORD_AMT DESC LIMIT 1", "int", "?"),
    ("SELECT ORD_AMT FROM orders LIMIT 5, 1", "int", "?"),
    ("SELECT ORD_AMT FROM orders LIMIT 2", "int", "*"),
    ("SELECT ORD_AMT FROM orders WHERE ORD_ID = :threshold", "int", "?"),
    ("SELECT CUST_NM FROM customers WHERE (EMAIL = 'a@b.c') AND DEPT_CD = 'Sales'", "text", "?"),
    ("SELECT CUST_NM FROM customers WHERE EMAIL = 'a@b.c' OR DEPT_CD = 'Sales'", "text", "*"),
    ("SELECT c.CUST_NM FROM orders o JOIN customers c ON o.CUST_REF = c.CUST_ID WHERE o.ORD_ID = 7", "text", "?"),
    ("SELECT c.CUST_NM FROM orders o JOIN customers c ON o.CUST_REF = c.CUST_ID WHERE c.CUST_ID = 7", "text", "*"),
    (
        "SELECT o.ORD_ID, c.CUST_NM FROM orders o LEFT JOIN customers c ON c.CUST_ID = o.CUST_REF AND o.ORD_ID = 7",
        "int text?",
        "*",
    ),
    ("SELECT 1 WHERE :threshold > 5", "int", "?"),
    // what is written is left alone
    ("SELECT '12:30', 'at :time', 'x:dept' -- :nothing 'now'\n", "text text text", "1"),
    ("SELECT COUNT(*) FROM orders WHERE SHIPPED >= '2024-01-01' AND \"group\" <> 'now';", "int", "1"),
    ("SELECT value FROM json_each('[1,2]')", "-?", "*"),
    ("/* größer */ SELECT 'ü' || CUST_NM FROM customers", "text", "*"),
];

/// The same: proofs on rows.
const ROWS: &[(&str, &str, &str)] = &[
    // keys, through joins
    ("SELECT ORD_AMT FROM orders WHERE ORD_ID = (SELECT MAX(ORD_ID) FROM orders)", "int", "?"),
    (
        "SELECT ORD_AMT FROM orders o WHERE ORD_ID = (SELECT MAX(p.CUST_REF) FROM orders p WHERE p.ORD_AMT = o.ORD_AMT)",
        "int",
        "*",
    ),
    ("SELECT ORD_AMT FROM orders WHERE rowid = 7", "int", "?"),
    ("SELECT o.ORD_AMT FROM orders o, customers c WHERE o.oid = c._rowid_ AND c.EMAIL = 'a@b.c'", "int", "?"),
    ("SELECT ORD_AMT FROM orders WHERE ORD_ID IN (:threshold)", "int", "?"),
    ("SELECT ORD_AMT FROM orders WHERE ORD_ID IS :threshold", "int", "?"),
    ("SELECT ORD_AMT FROM orders WHERE ORD_ID = :threshold + 1", "int", "?"),
    ("SELECT ORD_AMT FROM orders WHERE (ORD_ID, PAID) = (1, 1)", "int", "?"),
    ("SELECT a.ORD_AMT FROM orders a JOIN orders b USING (ORD_ID) WHERE a.ORD_ID = 7", "int", "?"),
    ("SELECT ORD_AMT FROM orders JOIN (SELECT ORD_ID FROM orders) USING (ORD_ID) WHERE ORD_ID = 7", "int", "?"),
    ("SELECT ORD_AMT FROM orders NATURAL JOIN (SELECT ORD_ID FROM orders) WHERE ORD_ID = 7", "int", "?"),
    ("SELECT ORD_AMT FROM orders NATURAL JOIN (SELECT CUST_REF FROM orders) WHERE ORD_ID = 7", "int", "*"),
    ("SELECT c.CUST_NM FROM orders o LEFT JOIN customers c ON c.CUST_ID = o.CUST_REF WHERE o.ORD_ID = 7", "text?", "?"),
    (
        "SELECT c.CUST_NM FROM orders o LEFT JOIN (customers c JOIN orders p ON p.ORD_ID = c.CUST_ID) ON c.CUST_ID = o.CUST_REF WHERE o.ORD_ID = 7",
        "text?",
        "?",
    ),
    (
        "SELECT x.ORD_ID FROM orders a LEFT JOIN customers c ON c.CUST_ID = 1 AND a.PAID JOIN orders x ON x.ORD_ID = COALESCE(c.CUST_ID, 2)       WHERE a.ORD_ID = x.ORD_ID",
        "int",
        "*",
    ),
    ("SELECT a.ORD_ID FROM orders a FULL JOIN customers c ON a.ORD_ID = c.CUST_ID WHERE a.ORD_ID = 7", "int?", "*"),
    (
        "SELECT a.ORD_ID FROM orders a FULL JOIN customers c ON a.ORD_ID = c.CUST_ID WHERE a.ORD_ID = 7 AND c.CUST_ID = 7",
        "int?",
        "?",
    ),
    // LIMIT, DISTINCT and GROUP BY inside
    ("SELECT ORD_AMT FROM (SELECT ORD_AMT FROM orders ORDER BY PRICE LIMIT 1)", "int", "?"),
    (
        "WITH top AS (SELECT CUST_REF FROM orders ORDER BY PRICE LIMIT 1) SELECT CUST_NM FROM customers JOIN top ON CUST_ID = CUST_REF",
        "text",
        "?",
    ),
    (
        "WITH sums AS (SELECT CUST_REF AS c, SUM(PRICE) AS s FROM orders GROUP BY CUST_REF) SELECT s FROM sums WHERE c = 7",
        "decimal2",
        "?",
    ),
    (
        "WITH sums AS (SELECT CUST_REF, SUM(PRICE) AS s FROM orders GROUP BY 1) SELECT s FROM customers JOIN sums ON CUST_REF = CUST_ID WHERE CUST_ID = 7",
        "decimal2",
        "?",
    ),
    (
        "SELECT s FROM (SELECT ORD_AMT, CUST_REF, COUNT(*) AS s FROM orders GROUP BY ORD_AMT, CUST_REF) WHERE ORD_AMT = 1",
        "int",
        "*",
    ),
    ("SELECT x FROM (SELECT DISTINCT ORD_AMT AS x FROM orders) WHERE x = 5", "int", "?"),
    ("SELECT x FROM (SELECT ORD_AMT AS x FROM orders UNION SELECT CUST_ID FROM customers) WHERE x = 5", "int", "?"),
    ("SELECT x FROM (SELECT ORD_AMT AS x FROM orders UNION ALL SELECT CUST_ID FROM customers) WHERE x = 5", "int", "*"),
    (
        "SELECT n FROM (SELECT o.ORD_ID AS i, c.CUST_NM AS n FROM orders o JOIN customers c ON o.CUST_REF = c.CUST_ID) WHERE i = 7",
        "text",
        "?",
    ),
    (
        "SELECT n FROM (SELECT c.CUST_ID AS i, c.CUST_NM AS n FROM orders o JOIN customers c ON o.CUST_REF = c.CUST_ID) WHERE i = 7",
        "text",
        "*",
    ),
    ("SELECT DISTINCT 'yes' FROM orders", "text", "?"),
    ("SELECT DISTINCT CUST_REF FROM orders WHERE CUST_REF = 7", "int", "?"),
    ("SELECT DISTINCT CUST_REF, PAID FROM orders WHERE CUST_REF = 7", "int bool", "*"),
    ("SELECT CUST_REF, SUM(ORD_AMT) FROM orders WHERE CUST_REF = 7 GROUP BY CUST_REF", "int int", "?"),
    ("SELECT CUST_REF AS c, SUM(ORD_AMT) FROM orders WHERE CUST_REF = 7 GROUP BY c", "int int", "?"),
    ("SELECT CUST_REF, SUM(ORD_AMT) FROM orders WHERE CUST_REF = 7 GROUP BY 1", "int int", "?"),
    ("SELECT * FROM customers GROUP BY 1", "int text text text", "*"),
    ("SELECT SUM(ORD_AMT) FROM orders GROUP BY CUST_REF HAVING CUST_REF = 7", "int", "?"),
    ("SELECT SUM(ORD_AMT) FROM orders GROUP BY CUST_REF HAVING COUNT(*) = 7", "int", "*"),
    (
        "SELECT c.CUST_NM, COUNT(*) FROM customers c JOIN orders o ON o.CUST_REF = c.CUST_ID WHERE c.CUST_ID = 7 GROUP BY c.CUST_ID, c.CUST_NM",
        "text int",
        "?",
    ),
    ("SELECT COUNT(*) FROM orders o LEFT JOIN customers c ON c.CUST_ID = 7 GROUP BY c.CUST_ID", "int", "*"),
    // set operations
    ("SELECT MAX(ORD_AMT) FROM orders UNION SELECT 1 WHERE 0", "int?", "1"),
    ("SELECT ORD_AMT FROM orders UNION ALL SELECT CUST_ID FROM customers LIMIT 1", "int", "?"),
    ("SELECT 1 UNION SELECT 2 LIMIT 1", "int", "1"),
    ("SELECT 1 UNION ALL SELECT 2 LIMIT 1 OFFSET 1", "int", "1"),
    ("SELECT 1 UNION SELECT 1 LIMIT 1 OFFSET 1", "int", "?"),
    ("SELECT COUNT(*) FROM orders UNION SELECT COUNT(*) FROM customers", "int", "+"),
    ("SELECT * FROM (VALUES (1), (2)) LIMIT 1 OFFSET 2", "int", "?"),
    // what WHERE leaves is not null
    ("SELECT SHIPPED FROM orders WHERE SHIPPED IS NOT NULL", "date", "*"),
    (
        "SELECT SHIPPED, * FROM orders WHERE PAID AND (SHIPPED NOTNULL)",
        "date int int int decimal2 date bool date text",
        "*",
    ),
    ("SELECT MAX(SHIPPED), SHIPPED FROM orders WHERE SHIPPED IS NOT NULL", "date? date?", "1"),
    ("SELECT SHIPPED, MAX(SHIPPED) FROM orders WHERE SHIPPED IS NOT NULL GROUP BY SHIPPED", "date date", "*"),
    ("SELECT SHIPPED FROM orders WHERE SHIPPED IS NOT NULL OR PAID", "date?", "*"),
    ("SELECT SHIPPED FROM orders WHERE SHIPPED > '2024-01-01'", "date", "*"),
    ("SELECT d FROM (SELECT SHIPPED AS d FROM orders WHERE SHIPPED IS NOT NULL)", "date", "*"),
    (
        "SELECT c.CUST_ID, c.CUST_NM FROM orders o LEFT JOIN customers c ON c.CUST_ID = o.CUST_REF WHERE c.CUST_ID IS NOT NULL",
        "int text?",
        "*",
    ),
    (
        "SELECT c.CUST_ID FROM orders o LEFT JOIN customers c ON c.CUST_ID = o.CUST_REF AND c.CUST_ID IS NOT NULL",
        "int?",
        "*",
    ),
    ("SELECT COALESCE(SHIPPED, NULL) FROM orders WHERE SHIPPED IS NOT NULL", "date", "*"),
    // days and moments of columns that are never null
    (
        "SELECT DISTINCT date(\"REG DT\"), strftime('%Y-%m', \"REG DT\"), julianday(\"REG DT\") FROM orders",
        "text text float",
        "*",
    ),
    ("SELECT date(SHIPPED), strftime('%W', SHIPPED), date(\"group\") FROM orders", "text? text? text?", "*"),
    ("SELECT date(SHIPPED) FROM orders WHERE SHIPPED IS NOT NULL", "text", "*"),
    (
        "SELECT date(\"REG DT\", 'start of month'), date(\"REG DT\", '+1 day'), strftime('%Q', \"REG DT\") FROM orders",
        "text text? text?",
        "*",
    ),
    ("SELECT unixepoch(\"REG DT\"), time(MAX(\"REG DT\")) FROM orders GROUP BY CUST_REF", "int text", "*"),
    // division by what is never zero
    (
        "SELECT ORD_AMT / 3.0, PRICE / -2, ORD_AMT % 3.5, ORD_AMT % 0.5, ORD_AMT / 0.0 FROM orders",
        "float float float float? float?",
        "*",
    ),
    (
        "SELECT 100.0 * SUM(PAID) / COUNT(*), SUM(ORD_AMT) / COUNT(PAID) FROM orders GROUP BY CUST_REF",
        "float int?",
        "*",
    ),
    ("SELECT 100.0 * SUM(PAID) / COUNT(*) FROM orders", "float?", "1"),
    // what WHERE and HAVING say of more than columns
    ("SELECT date(\"group\") FROM orders WHERE DATE(\"group\") IS NOT NULL", "text?", "*"),
    ("SELECT DISTINCT date(SHIPPED, '+1 day') FROM orders WHERE date(SHIPPED, '+1 day') IS NOT NULL", "text", "*"),
    ("SELECT ORD_AMT / CUST_REF FROM orders WHERE (ord_amt / cust_ref) > 1", "int", "*"),
    ("SELECT ORD_AMT / CUST_REF AS q FROM orders WHERE q IS NOT NULL", "int", "*"),
    ("SELECT ORD_AMT / CUST_REF FROM orders WHERE ORD_AMT / CUST_REF IS NOT NULL OR PAID", "int?", "*"),
    ("SELECT MAX(ORD_AMT / CUST_REF) FROM orders WHERE ORD_AMT / CUST_REF IS NOT NULL", "int?", "1"),
    ("SELECT MAX(SHIPPED) FROM orders GROUP BY CUST_REF HAVING MAX(SHIPPED) IS NOT NULL", "date", "*"),
    ("SELECT MAX(SHIPPED) AS last FROM orders HAVING last > '2024-01-01'", "date", "?"),
    (
        "SELECT (SELECT ORD_AMT / CUST_REF FROM orders LIMIT 1) FROM orders WHERE ORD_AMT / CUST_REF IS NOT NULL",
        "int?",
        "*",
    ),
    ("SELECT strftime('%M', SHIPPED) FROM orders WHERE strftime('%m', SHIPPED) IS NOT NULL", "text?", "*"),
];

/// (query, for each column: `e` endless, `n` null only where no row met the condition).
const KINDS: &[(&str, &str)] = &[
    ("SELECT AVG(PRICE), MAX(PRICE), SUM(PRICE) / 3, SUM(PRICE) / 4, ROUND(AVG(PRICE), 2) FROM orders", "e - e - -"),
    ("SELECT MAX(ORD_AMT) FROM orders WHERE \"group\" = 'a/b' /* avg( */", "n"),
    ("SELECT ORD_AMT / 7, 1.0 * ORD_AMT / 7, -(1.0 * ORD_AMT / 7), CAST(PRICE / 7 AS INTEGER) FROM orders", "- e e -"),
    ("SELECT x + 1 FROM (SELECT CUST_REF, AVG(ORD_AMT) AS x FROM orders GROUP BY CUST_REF)", "e"),
    ("SELECT SUM(ORD_AMT), SUM(ORD_AMT) + 1, COUNT(*), MAX(SHIPPED) FROM orders WHERE PAID", "n n - -"),
    ("SELECT SUM(ORD_AMT) FROM orders", "-"),
    ("SELECT MAX(SHIPPED) FROM orders WHERE SHIPPED IS NOT NULL", "-"),
    ("SELECT COALESCE(SUM(ORD_AMT), 0), sqrt(ORD_AMT) FROM orders WHERE PAID", "- e"),
];

#[test]
fn means_and_quotients_are_endless_and_aggregates_may_be_over_nothing() {
    for (sql, kinds) in KINDS {
        let analysis = in_shop(sql).0;
        let seen: Vec<&str> = analysis
            .columns
            .iter()
            .map(|column| match (column.endless, column.empty) {
                (true, _) => "e",
                (_, true) => "n",
                _ => "-",
            })
            .collect();
        assert_eq!(seen.join(" "), *kinds, "{sql}");
    }
}

#[test]
fn what_leaves_nulls_out_is_written_for_the_author() {
    let guards =
        |sql: &str| -> Vec<String> { in_shop(sql).0.columns.into_iter().filter_map(|column| column.guard).collect() };
    assert_eq!(guards("SELECT date(SHIPPED) AS d FROM orders"), ["WHERE date(SHIPPED) IS NOT NULL"]);
    assert_eq!(guards("SELECT MAX(SHIPPED) FROM orders GROUP BY PAID"), ["HAVING MAX(SHIPPED) IS NOT NULL"]);
}

/// The same, where the tables are known to have three and four rows.
const FILLED: &[(&str, &str, &str)] = &[
    (
        "SELECT SUM(ORD_AMT), MIN(ORD_AMT), MAX(PRICE), AVG(PRICE), MAX(SHIPPED) FROM orders",
        "int int decimal2 float date?",
        "1",
    ),
    ("SELECT MAX(ORD_AMT), CUST_REF FROM orders", "int int", "1"),
    ("SELECT SUM(ORD_AMT) FROM orders WHERE PAID", "int?", "1"),
    ("SELECT SUM(ORD_AMT) FROM orders JOIN customers ON CUST_REF = CUST_ID", "int", "1"),
    ("SELECT SUM(ORD_AMT) FROM orders, customers", "int", "1"),
    ("SELECT SUM(ORD_AMT) FROM orders LEFT JOIN customers ON CUST_REF = CUST_ID", "int", "1"),
    ("SELECT SUM(ORD_AMT) FILTER (WHERE PAID) FROM orders", "int?", "1"),
    ("SELECT ROUND(AVG(PRICE), 2) FROM orders HAVING COUNT(*) > 100", "float", "?"),
    ("SELECT ORD_AMT FROM orders LIMIT 1", "int", "1"),
    ("SELECT ORD_AMT FROM orders ORDER BY PRICE LIMIT 1 OFFSET 3", "int", "1"),
    ("SELECT ORD_AMT FROM orders ORDER BY PRICE LIMIT 1 OFFSET 4", "int", "?"),
    ("SELECT ORD_AMT FROM orders WHERE PAID LIMIT 1", "int", "?"),
    ("SELECT DISTINCT ORD_AMT FROM orders", "int", "+"),
    ("SELECT DISTINCT ORD_AMT FROM orders LIMIT 1 OFFSET 1", "int", "?"),
    ("SELECT CUST_REF FROM orders GROUP BY CUST_REF LIMIT 1", "int", "1"),
    ("SELECT (SELECT ORD_AMT FROM orders LIMIT 1), (SELECT MAX(PRICE) FROM orders)", "int decimal2", "1"),
    ("WITH all_orders AS (SELECT * FROM orders) SELECT MAX(ORD_AMT) FROM all_orders", "int", "1"),
    (
        "SELECT c.CUST_NM, (SELECT MAX(o.PRICE) FROM orders o WHERE o.CUST_REF = c.CUST_ID) FROM customers c",
        "text decimal2?",
        "+",
    ),
];

#[test]
fn types_and_rows_are_what_sqlite_gives() {
    let mut failures = String::new();
    let (plain, filled) = (tables(None), filled_tables());
    let cases = CASES.iter().chain(ROWS).map(|case| (case, &plain)).chain(FILLED.iter().map(|case| (case, &filled)));
    for ((sql, types, rows), tables) in cases {
        let (analysis, found, _) = look(sql, tables, Some("shop"));
        let seen: Vec<String> = analysis
            .columns
            .iter()
            .map(|column| {
                let ty = match column.value_type {
                    Some(ValueType::Decimal(places)) => format!("decimal{places}"),
                    Some(ty) => ty.name().to_owned(),
                    None => "-".to_owned(),
                };
                format!("{ty}{}", if column.nullable { "?" } else { "" })
            })
            .collect();
        let proved = match (analysis.at_most_one_row, analysis.always_a_row) {
            (true, true) => "1",
            (true, false) => "?",
            (false, true) => "+",
            (false, false) => "*",
        };
        if !analysis.ok || seen.join(" ") != *types || proved != *rows {
            let messages: Vec<&str> = found.iter().map(|diagnostic| diagnostic.message.as_str()).collect();
            failures +=
                &format!("{sql}\n  expected {types} {rows}\n  seen     {} {proved} {messages:?}\n", seen.join(" "));
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

#[test]
fn what_was_read_in_full_is_told() {
    assert!(in_shop("SELECT ORD_AMT FROM orders").0.understood);
    assert!(!in_shop("SELECT value FROM json_each('[1]')").0.understood);
}

#[test]
fn reads_and_parameters_are_listed() {
    let (analysis, ..) = in_shop("SELECT COUNT(*) FROM orders o, customers WHERE o.ORD_AMT > :threshold + :threshold");
    assert_eq!(analysis.reads, [(RelationId(1), ColumnId(2))]);
    assert_eq!(analysis.tables, [RelationId(0), RelationId(1)]);
    let names: Vec<&str> = analysis.params.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["threshold", "threshold"]);
    let (analysis, ..) = in_shop("SELECT * FROM customers");
    assert_eq!(analysis.reads, [0, 1, 2, 3].map(|at| (RelationId(0), ColumnId(at))));
    let names: Vec<&str> = analysis.columns.iter().map(|column| column.name.as_str()).collect();
    assert_eq!(names, ["CUST_ID", "CUST_NM", "DEPT_CD", "EMAIL"]);
}

/// What is promised of a query and does not hold for what SQLite really gives.
fn broken_promises(filled: bool, sql: &str) -> String {
    use ValueType::{Bool, Date, Decimal, Float, Int, Text};
    let connection = connection(filled);
    let tables = if filled { filled_tables() } else { tables(None) };
    let (analysis, ..) = look(sql, &tables, Some("shop"));
    let mut statement = connection.prepare(sql).unwrap();
    for index in 1..=statement.parameter_count() {
        let value = match statement.parameter_name(index) {
            Some(":threshold") => Cell::Integer(1),
            Some(":dept") => Cell::Text("Sales".into()),
            _ => Cell::Null,
        };
        statement.raw_bind_parameter(index, value).unwrap();
    }
    let (mut count, mut broken) = (0, String::new());
    let mut rows = statement.raw_query();
    while let Some(row) = rows.next().unwrap() {
        count += 1;
        for (index, column) in analysis.columns.iter().enumerate() {
            let kept = match (row.get::<_, Cell>(index).unwrap(), column.value_type) {
                (Cell::Null, _) => column.nullable,
                (_, None) | (Cell::Integer(_), Some(Int | Bool | Decimal(_) | Float)) => true,
                (Cell::Real(_), Some(Decimal(_) | Float)) | (Cell::Text(_), Some(Text | Date)) => true,
                _ => false,
            };
            if !kept {
                broken += &format!(
                    "{sql}\n  row {count}, column {index}: {:?}, promised {column:?}\n",
                    row.get::<_, Cell>(index)
                );
            }
        }
    }
    if count > 1 && analysis.at_most_one_row || count == 0 && analysis.always_a_row {
        broken += &format!("{sql}\n  gave {count} rows\n");
    }
    broken
}

#[test]
fn promises_are_kept() {
    for filled in [false, true] {
        let broken: String =
            CASES.iter().chain(ROWS).chain(FILLED).map(|(sql, ..)| broken_promises(filled, sql)).collect();
        assert!(broken.is_empty(), "{broken}");
    }
}

const VALUES: &[&str] = &[
    "o.ORD_AMT",
    "o.PRICE",
    "o.SHIPPED",
    "o.PAID",
    "o.\"REG DT\"",
    "o.\"group\"",
    "c.CUST_ID",
    "c.CUST_NM",
    "c.DEPT_CD",
    "1",
    "0",
    "2.5",
    "'x'",
    "NULL",
    "date(o.SHIPPED, '+1 day')",
    "o.ORD_AMT / o.CUST_REF",
    "strftime('%Y-%m', o.\"REG DT\")",
    "SUM(o.PRICE)",
    ":threshold",
    ":dept",
];
const SHAPES: &[&str] = &[
    "{}",
    "{} + {}",
    "{} / {}",
    "{} % {}",
    "{} || {}",
    "{} = {}",
    "{} IS {}",
    "{} AND {}",
    "NOT {}",
    "-{}",
    "CASE WHEN {} THEN {} ELSE {} END",
    "CASE WHEN {} THEN {} END",
    "COALESCE({}, {})",
    "IFNULL({}, {})",
    "NULLIF({}, {})",
    "IIF({}, {}, {})",
    "MAX({}, {})",
    "ABS({})",
    "ROUND({}, 1)",
    "LENGTH({})",
    "UPPER({})",
    "SUBSTR({}, 1, 2)",
    "CAST({} AS INTEGER)",
    "CAST({} AS TEXT)",
    "CAST({} AS REAL)",
    "{} IN ({}, {})",
    "{} BETWEEN {} AND {}",
    "COUNT({})",
    "SUM({})",
    "AVG({})",
    "MIN({})",
    "MAX({})",
    "TOTAL({})",
    "GROUP_CONCAT({})",
    "SUM({}) FILTER (WHERE {})",
    "(SELECT MAX({}))",
    "(SELECT {} WHERE {})",
    "(SELECT COUNT(*) FROM orders WHERE ORD_AMT > {})",
    "SUM({}) OVER (ORDER BY {})",
    "LAG({}) OVER (ORDER BY {})",
    "LAG({}, 1, {}) OVER (ORDER BY {})",
    "FIRST_VALUE({}) OVER (PARTITION BY {})",
    "ROW_NUMBER() OVER ()",
    "printf('%s', {})",
    "concat({}, {})",
    "instr({}, {})",
    "hex({})",
    "typeof({})",
    "date({})",
    "julianday({})",
    "datetime({}, 'start of month')",
    "date({}, '+1 month')",
    "strftime('%Y-%m %W %j', {})",
    "strftime('%Y %Q', {})",
    "timediff({}, {})",
    "unixepoch({})",
    "{} / 3.0",
    "{} % 2.5",
    "{} / 0.0",
    "{} / COUNT(*)",
    "ceil({})",
    "quote({})",
    "{} LIKE {}",
    "{} ISNULL",
    "replace({}, {}, {})",
    "trim({})",
    "sign({})",
    "unicode({})",
    "{} & {}",
    "json_quote({})",
];
const FROM: &[&str] = &[
    "orders o JOIN customers c ON o.CUST_REF = c.CUST_ID",
    "orders o LEFT JOIN customers c ON o.CUST_REF = c.CUST_ID AND c.CUST_ID = 1",
    "orders o RIGHT JOIN customers c ON o.CUST_REF = c.CUST_ID",
    "orders o FULL JOIN customers c ON o.CUST_REF = c.CUST_ID AND o.ORD_ID = 1",
    "orders o, customers c",
    "customers c, orders x LEFT JOIN orders o ON o.ORD_ID = x.ORD_AMT",
    "customers c, orders x RIGHT JOIN orders o ON o.ORD_ID = x.ORD_AMT",
    "(SELECT * FROM orders LIMIT 1) o JOIN (SELECT * FROM customers WHERE CUST_ID = 1) c",
    "orders o JOIN (SELECT DISTINCT CUST_ID, CUST_NM, DEPT_CD, EMAIL FROM customers) c ON c.CUST_ID = o.CUST_REF",
    "orders o LEFT JOIN (SELECT * FROM customers LIMIT 1) c ON o.PAID",
    "orders o FULL JOIN (SELECT * FROM customers LIMIT 1) c ON o.PAID",
    "(SELECT *, ORD_ID AS CUST_ID FROM orders) o JOIN customers c USING (CUST_ID)",
    "orders o LEFT JOIN (customers c JOIN orders p ON p.ORD_ID = c.CUST_ID) ON c.CUST_ID = o.CUST_REF",
];
const TAILS: &[&str] = &[
    "",
    "WHERE o.ORD_ID = 1",
    "WHERE c.CUST_ID = 1 AND o.ORD_ID = 2",
    "WHERE o.ORD_ID = o.CUST_REF AND c.CUST_ID = o.ORD_ID",
    "WHERE 0",
    "LIMIT 1",
    "GROUP BY o.CUST_REF",
    "GROUP BY c.CUST_ID HAVING COUNT(*) > 1",
    "WHERE c.EMAIL = 'a@b.c' GROUP BY 1",
    "WHERE o.SHIPPED IS NOT NULL",
    "WHERE c.CUST_ID IS NOT NULL AND o.SHIPPED IS NOT NULL GROUP BY o.SHIPPED",
    "WHERE c.CUST_ID = 1 GROUP BY c.CUST_ID, c.CUST_NM",
    "WHERE c.CUST_ID IS 1 AND o.rowid = 7",
    "LIMIT 1 OFFSET 2",
    "WHERE c.CUST_NM IS NULL GROUP BY c.CUST_NM",
    "ORDER BY COUNT(*)",
    "LIMIT 1 OFFSET 3",
    "WHERE date(o.SHIPPED, '+1 day') IS NOT NULL",
    "WHERE (o.ORD_AMT / o.CUST_REF) > 0 AND DATE(o.SHIPPED, '+1 day') > '2024'",
    "WHERE o.ORD_AMT / o.CUST_REF IS NOT NULL GROUP BY o.CUST_REF",
    "GROUP BY c.CUST_ID HAVING SUM(o.PRICE) IS NOT NULL",
    "HAVING SUM(o.PRICE) IS NOT NULL",
];

const COLUMNS: &[&str] = &[
    "o.ORD_ID",
    "o.CUST_REF",
    "o.ORD_AMT",
    "o.PRICE",
    "o.SHIPPED",
    "o.PAID",
    "o.\"group\"",
    "o.rowid",
    "c.CUST_ID",
    "c.CUST_NM",
    "c.DEPT_CD",
    "c.EMAIL",
    "CUST_ID",
    "7",
];
const CONDITIONS: &[&str] = &[
    "{} = 7",
    "{} = 1",
    "{} = {}",
    "{} = {}",
    "{} IS {}",
    "{} IS NULL",
    "{} IS NOT NULL",
    "{} > 1",
    "{} = (SELECT MAX(x.CUST_REF) FROM orders x WHERE x.ORD_ID >= {})",
    "{} IN (7)",
    "{} IS 7",
    "{} = COALESCE({}, 7)",
    "{} = {} + 0",
    "NOT {}",
    "{} = 'Sales'",
    "0",
];

/// A condition over some columns, numbers with numbers where that matters.
fn condition() -> impl Strategy<Value = String> {
    let columns = prop::collection::vec(prop::sample::select(COLUMNS), 2);
    (prop::sample::select(CONDITIONS), columns)
        .prop_map(|(shape, columns)| shape.replacen("{}", columns[0], 1).replacen("{}", columns[1], 1))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    /// The same for queries put together at random, as far as SQLite takes them.
    #[test]
    fn promises_are_kept_by_any_query(
        shapes in prop::collection::vec((prop::sample::select(SHAPES), prop::collection::vec(prop::sample::select(VALUES), 3), prop::sample::select(SHAPES)), 1..4),
        from in prop::sample::select(FROM), tail in prop::sample::select(TAILS),
    ) {
        let outputs: Vec<String> = shapes.iter().map(|(shape, values, inner)| {
            let mut out = (*shape).to_owned();
            let mut inner = Some(*inner);
            for value in values.iter().chain(values) {
                out = out.replacen("{}", &inner.take().map_or_else(|| (*value).to_owned(), |inner| format!("({inner})")), 1);
            }
            for value in values.iter().cycle().take(12) {
                out = out.replacen("{}", value, 1);
            }
            out
        }).collect();
        let sql = format!("SELECT {} FROM {from} {tail}", outputs.join(", "));
        if connection(false).prepare(&sql).is_err() || !in_shop(&sql).0.ok {
            return Ok(());
        }
        for filled in [false, true] {
            let broken = broken_promises(filled, &sql);
            prop_assert!(broken.is_empty(), "{}", broken);
        }
    }

    /// Keys, groups and subqueries at random.
    #[test]
    fn promises_on_rows_are_kept_by_any_query(
        columns in prop::collection::vec(prop::sample::select(COLUMNS), 1..4),
        from in prop::sample::select(FROM), conditions in prop::collection::vec(condition(), 0..4), on in condition(),
        distinct in any::<bool>(), groups in prop::collection::vec(prop::sample::select(COLUMNS), 0..3), wrap in 0..4,
    ) {
        let outputs: Vec<String> = columns.iter().enumerate().map(|(index, column)| format!("{column} AS x{index}")).collect();
        let distinct = if distinct { "DISTINCT " } else { "" };
        let filter = if conditions.is_empty() { String::new() } else { format!(" WHERE {}", conditions.join(" AND ")) };
        let group = if groups.is_empty() { String::new() } else { format!(" GROUP BY {}", groups.join(", ")) };
        let inner = format!("SELECT {distinct}{} FROM {from} LEFT JOIN customers z ON {on}{filter}{group}", outputs.join(", "));
        let sql = match wrap {
            0 => inner,
            1 => format!("SELECT x0 FROM ({inner}) WHERE x0 = 7"),
            2 => format!("WITH w AS ({inner}) SELECT w.x0 FROM w JOIN orders ON w.x0 = orders.ORD_ID WHERE orders.ORD_ID = 7"),
            _ => format!("SELECT x0 FROM ({inner} UNION {inner}) LIMIT 1"),
        };
        if connection(false).prepare(&sql).is_err() || !in_shop(&sql).0.ok {
            return Ok(());
        }
        for filled in [false, true] {
            let broken = broken_promises(filled, &sql);
            prop_assert!(broken.is_empty(), "{}", broken);
        }
    }
}
