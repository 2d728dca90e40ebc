//! What is promised of queries, and what SQLite really gives: those of `types.txt`, and others put together at random.

use model::ValueType;
use proptest::prelude::*;
use rusqlite::types::Value as Cell;

use crate::sql::types::cases;
use crate::sql::world::{connection, filled_tables, in_shop, look, tables};

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
        let broken: String = cases().iter().map(|case| broken_promises(filled, &case.sql)).collect();
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
    #![proptest_config(ProptestConfig::with_cases(6000))]

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
