//! Reads the content of a database's description (tables, columns, references, and examples), and the tables and columns that a query reads.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use model::ddl::quote_name;
use model::schema_description::{Column, EXAMPLE_ROWS, EXAMPLES, Table, render_number, render_text};
use rusqlite::Connection;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::types::ValueRef;

use crate::database::{Database, QueryError, collect_rows, read_value};
use crate::rules::{AUTHOR, FIXTURE};
use crate::stored::{COLUMNS, Kind, list_tables_and_views};

/// Lists the tables of a database in the order of their creation, for [`model::schema_description`]. Views are excluded. The examples of a column are
/// its first different values in the table's first rows, in the order of its row numbers, without nulls and blobs.
///
/// ```
/// use sqlite::{Database, TOOL, describe_tables};
///
/// let mut made = Database::new_empty(&TOOL).expect("SQLite");
/// let statements = "CREATE TABLE towns (ID INTEGER PRIMARY KEY, NAME TEXT NOT NULL); \
///                   INSERT INTO towns VALUES (1, 'Ulm'), (2, 'Bonn'), (3, 'Ulm')";
/// made.connection().execute_batch(statements).expect("written");
/// let tables = describe_tables(&made.to_bytes().expect("bytes")).expect("a description");
/// let [id, name] = &tables[0].columns[..] else { panic!("two columns") };
/// assert_eq!((tables[0].rows, id.key, name.not_null), (3, true, true));
/// // Different values, as SQL would write them.
/// assert_eq!(name.examples, ["'Ulm'", "'Bonn'"]);
/// ```
///
/// # Errors
/// It is not a database, or exceeds the limits of a fixture.
pub fn describe_tables(bytes: &[u8]) -> Result<Vec<Table>, QueryError<rusqlite::Error>> {
    let database = Database::from_bytes(bytes, &FIXTURE)?;
    database.run_bounded(None, |connection| {
        let tables = list_tables_and_views(connection)?.into_iter().filter(|named| named.kind == Kind::Table);
        tables.map(|named| describe_table(connection, named.name)).collect()
    })
}

/// A table that a query reads, without a column or with one that the query reads. Names are those of SQLite.
pub type Read = (String, Option<String>);

/// Lists the tables that a query of a database reads, each without a column and with each of its columns that the query reads. For a view, these are
/// the tables that it reads.
///
/// ```
/// use sqlite::{Database, TOOL, list_reads};
///
/// let mut made = Database::new_empty(&TOOL).expect("SQLite");
/// let statements = "CREATE TABLE towns (ID INTEGER, NAME TEXT, N INTEGER); \
///                   CREATE VIEW large AS SELECT NAME FROM towns WHERE N > 9";
/// made.connection().execute_batch(statements).expect("written");
/// let bytes = made.to_bytes().expect("bytes");
/// let read = |table: &str, column: Option<&str>| (table.to_owned(), column.map(str::to_owned));
/// // A view reads its table.
/// let reads = list_reads(&bytes, "SELECT NAME FROM large").expect("a query");
/// assert_eq!(reads.into_iter().collect::<Vec<_>>(), [
///     read("towns", None),
///     read("towns", Some("N")),
///     read("towns", Some("NAME")),
/// ]);
/// let error = list_reads(&bytes, "SELECT SIZE FROM towns").expect_err("no such column");
/// assert_eq!(error.to_string(), "no such column: SIZE");
/// ```
///
/// # Errors
/// SQLite rejects the query.
pub fn list_reads(bytes: &[u8], query: &str) -> Result<BTreeSet<Read>, QueryError<rusqlite::Error>> {
    let mut database = Database::from_bytes(bytes, &FIXTURE)?;
    let tables = list_tables(&mut database)?;
    collect_reads(&mut database, &tables, query)
}

/// Does the same for a query that qualifies tables by their database, as in suites: `shop.orders`.
///
/// # Errors
/// The same as for [`list_reads`].
pub fn list_qualified_reads(
    bytes: &[u8],
    database: &str,
    query: &str,
) -> Result<BTreeSet<Read>, QueryError<rusqlite::Error>> {
    let tables = list_tables(&mut Database::from_bytes(bytes, &FIXTURE)?)?;
    let mut around = Database::new_empty(&AUTHOR)?;
    let attach = format!("ATTACH ':memory:' AS {}", quote_name(database));
    around.connection().execute_batch(&attach)?;
    if !bytes.is_empty() {
        around.fill_schema(database, bytes)?;
    }
    collect_reads(&mut around, &tables, query)
}

fn list_tables(database: &mut Database) -> Result<BTreeSet<String>, QueryError<rusqlite::Error>> {
    let all = database.run_bounded(None, list_tables_and_views)?;
    Ok(all.into_iter().filter_map(|named| (named.kind == Kind::Table).then_some(named.name)).collect())
}

/// Collects the reads of these tables that SQLite reports while it prepares a query, without running it.
fn collect_reads(
    database: &mut Database,
    tables: &BTreeSet<String>,
    query: &str,
) -> Result<BTreeSet<Read>, QueryError<rusqlite::Error>> {
    let seen: Arc<Mutex<BTreeSet<Read>>> = Arc::default();
    let notes = Arc::clone(&seen);
    // This replaces the rules of running queries.
    let note = move |context: AuthContext<'_>| match context.action {
        AuthAction::Read { table_name, column_name } => {
            let mut notes = notes.lock().unwrap_or_else(PoisonError::into_inner);
            notes.insert((table_name.to_owned(), None));
            // Row numbers are not a column, and a query that counts rows reads no column.
            if !column_name.is_empty() && column_name != "ROWID" {
                notes.insert((table_name.to_owned(), Some(column_name.to_owned())));
            }
            Authorization::Allow
        }
        AuthAction::Select | AuthAction::Function { .. } | AuthAction::Recursive => Authorization::Allow,
        _ => Authorization::Deny,
    };
    database.connection_mut().authorizer(Some(note))?;
    let prepared = |connection: &Connection| connection.prepare(query).map(drop);
    database.run_bounded(None, prepared)?;
    let mut seen = std::mem::take(&mut *seen.lock().unwrap_or_else(PoisonError::into_inner));
    seen.retain(|(table, _)| tables.contains(table));
    Ok(seen)
}

fn describe_table(connection: &Connection, name: String) -> rusqlite::Result<Table> {
    let mut columns = collect_rows(connection, COLUMNS, [&name], |row| {
        let (declared, key): (Option<String>, i64) = (row.get(1)?, row.get(3)?);
        Ok(Column {
            name: row.get(0)?,
            declared: declared.unwrap_or_default(),
            not_null: row.get(2)?,
            key: key > 0,
            ..Column::default()
        })
    })?;
    // Without a named column, a reference leads to the primary key of the table.
    const REFERENCES: &str = "SELECT f.\"from\", f.\"table\", coalesce(f.\"to\", \
                              (SELECT c.name FROM pragma_table_xinfo(f.\"table\") AS c WHERE c.pk = f.seq + 1)) \
                              FROM pragma_foreign_key_list(?1) AS f ORDER BY f.id DESC, f.seq";
    let references: Vec<(String, String, Option<String>)> =
        collect_rows(connection, REFERENCES, [&name], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    for (from, table, to) in references {
        let column = columns.iter_mut().find(|column| column.name.eq_ignore_ascii_case(&from));
        if let (Some(column), Some(to)) = (column, to) {
            column.references.push((table, to));
        }
    }
    let quoted = quote_name(&name);
    let rows: i64 = connection.query_row(&format!("SELECT count(*) FROM {quoted}"), [], |row| row.get(0))?;
    let list: Vec<String> = columns.iter().map(|column| quote_name(&column.name)).collect();
    let query = format!("SELECT {} FROM {quoted} NOT INDEXED LIMIT {EXAMPLE_ROWS}", list.join(", "));
    let mut statement = connection.prepare(&query)?;
    let mut cursor = statement.raw_query();
    while columns.iter().any(|column| column.examples.len() < EXAMPLES)
        && let Some(row) = cursor.next()?
    {
        for (at, column) in columns.iter_mut().enumerate().filter(|(_, column)| column.examples.len() < EXAMPLES) {
            let example = match read_value(row, at)? {
                ValueRef::Null | ValueRef::Blob(_) => continue,
                ValueRef::Integer(value) => value.to_string(),
                ValueRef::Real(value) => render_number(value),
                ValueRef::Text(bytes) => render_text(&String::from_utf8_lossy(bytes)),
            };
            if !column.examples.contains(&example) {
                column.examples.push(example);
            }
        }
    }
    Ok(Table { name, rows: u64::try_from(rows).unwrap_or_default(), columns })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::TOOL;

    fn database(sql: &str) -> Vec<u8> {
        let mut database = Database::new_empty(&TOOL).expect("opened");
        database.connection().execute_batch(sql).expect(sql);
        database.to_bytes().expect("serialized")
    }

    const SHOP: &str = "CREATE TABLE customers (ID INTEGER PRIMARY KEY, NAME TEXT NOT NULL);
        CREATE TABLE \"od d\" (OID INTEGER PRIMARY KEY, CUST INT REFERENCES customers, AMOUNT REAL, X);
        CREATE VIEW v AS SELECT NAME FROM customers;
        INSERT INTO customers VALUES (2, 'Bo'), (1, 'Ada');
        INSERT INTO \"od d\" VALUES (1, 2, 1.0, NULL), (2, 2, 2.5, x'00'), (3, 1, 1.0, 7), (4, 1, 1e300, 'it''s');";

    #[test]
    fn all_that_is_told() {
        let tables = describe_tables(&database(SHOP)).expect("described");
        let text = model::schema_description::describe_tables(&tables, 1000, "").expect("room").text;
        assert_eq!(
            text,
            "# customers (2 rows)\n- ID: INTEGER, key, e.g. 1, 2\n- NAME: TEXT not null, e.g. 'Ada', 'Bo'\n# od d (4 rows)\n\
             - OID: INTEGER, key, e.g. 1, 2, 3\n- CUST: INT -> customers.ID, e.g. 2, 1\n- AMOUNT: REAL, e.g. 1.0, 2.5, 1e300\n\
             - X, e.g. 7, 'it''s'"
        );
        assert!(describe_tables(&[]).is_ok_and(|tables| tables.is_empty()));
        assert!(describe_tables(b"no database at all, but long enough to be looked at").is_err());
    }

    #[test]
    fn what_a_query_reads() {
        let bytes = database(SHOP);
        let read = |query: &str| {
            list_reads(&bytes, query).ok().map(|found| {
                let said = found
                    .into_iter()
                    .map(|(table, column)| column.map_or(table.clone(), |column| format!("{table}.{column}")));
                said.collect::<Vec<_>>().join(" ")
            })
        };
        assert_eq!(read("SELECT count(*) FROM customers"), Some("customers".to_owned()));
        assert_eq!(read("SELECT * FROM v"), Some("customers customers.NAME".to_owned()));
        assert_eq!(
            read(
                "WITH big AS (SELECT CUST FROM \"OD D\" WHERE amount > 1) SELECT name FROM customers JOIN big ON id = cust"
            ),
            Some("customers customers.ID customers.NAME od d od d.AMOUNT od d.CUST".to_owned())
        );
        let of_suite = |query: &str| list_qualified_reads(&bytes, "my shop", query).ok().map(|found| found.len());
        assert_eq!(of_suite("SELECT o.X FROM \"my shop\".\"od d\" AS o WHERE cust = :n"), Some(3));
        assert_eq!(of_suite("SELECT NAME FROM \"my shop\".v"), Some(2));
        assert!(of_suite("SELECT NAME FROM \"my shop\".w").is_none());
        assert!(read("SELECT nope FROM customers").is_none());
        assert!(read("DELETE FROM customers").is_none());
    }
}
