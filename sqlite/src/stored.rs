//! Reads a database file given as bytes: all of its tables and views.

use plan::ddl::quote_name;
use plan::sqlite::{Stored, StoredColumn, StoredTable};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Error};

use crate::database::{Database, Stopped, limit_of, value, words};
use crate::rules::{FIXTURE, Rules};

/// Reads every table and view, in the order of the schema. The bounds are those of all together.
pub(super) fn read(bytes: &[u8]) -> Result<Vec<StoredTable>, String> {
    read_within(bytes, &FIXTURE)
}

fn read_within(bytes: &[u8], rules: &'static Rules) -> Result<Vec<StoredTable>, String> {
    if !bytes.starts_with(b"SQLite format 3\0") {
        return Err("the file is no SQLite database".to_owned());
    }
    // Bytes 18 and 19 tell how it is written: 2 is with a log beside it, which a fixture cannot have.
    if bytes.get(18..20).is_some_and(|versions| versions.contains(&2)) {
        return Err("the database is in WAL mode: run `PRAGMA journal_mode = DELETE` on it".to_owned());
    }
    let database = Database::of(bytes, rules).map_err(|error| words(&error))?;
    // What was being read, for whoever is told that it cannot be.
    let mut place = String::new();
    let read = database.bounded(None, |connection| read_all(connection, &mut place));
    read.map_err(|stopped| match stopped {
        Stopped::Failed(Unread::Broken(why)) => why,
        Stopped::Failed(Unread::Sqlite(error)) => match limit_of(&error, rules) {
            Some(over) => format!("{place} cannot be read: it takes more than {over}"),
            None => format!("{place} cannot be read: {}", words(&error)),
        },
        Stopped::Over(over) => format!("{place} cannot be read: it takes more than {over}; does it end?"),
        Stopped::Clock => format!("{place} cannot be read: it depends on the clock"),
        Stopped::LocalTime => format!("{place} cannot be read: it depends on the time zone of the machine"),
        Stopped::Refused(why) => format!("{place} cannot be read: {why}"),
        Stopped::Interrupted => "interrupted".to_owned(),
    })
}

/// Why a database could not be read.
enum Unread {
    Broken(String),
    Sqlite(Error),
}

impl From<Error> for Unread {
    fn from(error: Error) -> Unread {
        Unread::Sqlite(error)
    }
}

fn read_all(connection: &Connection, place: &mut String) -> Result<Vec<StoredTable>, Unread> {
    "the database".clone_into(place);
    let sound: String = connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    if sound != "ok" {
        return Err(Unread::Broken(format!("the database is broken: {}", sound.replace('\n', " "))));
    }
    let mut tables = Vec::new();
    for (name, kind) in names(connection)? {
        let what = if kind == "view" { "view" } else { "table" };
        *place = format!("the {what} `{name}`");
        tables.push(table(connection, &name, what)?);
    }
    Ok(tables)
}

/// Names and kinds. What belongs to a full-text index or the like stands in tables of its own, which are none of the author's.
pub(super) fn names(connection: &Connection) -> rusqlite::Result<Vec<(String, String)>> {
    let mut statement = connection.prepare(
        "SELECT m.name, m.type FROM sqlite_schema AS m \
         WHERE m.type IN ('table', 'view') AND lower(substr(m.name, 1, 7)) <> 'sqlite_' \
         AND NOT EXISTS (SELECT 1 FROM pragma_table_list AS l \
                         WHERE l.schema = 'main' AND l.name = m.name AND l.type = 'shadow') \
         ORDER BY m.rowid",
    )?;
    let names = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    names.collect()
}

fn table(connection: &Connection, name: &str, kind: &str) -> rusqlite::Result<StoredTable> {
    let columns = columns(connection, name)?;
    // Rows in the order of their keys, not of an index that happens to hold all columns.
    let order = if kind == "table" { " NOT INDEXED" } else { "" };
    let mut statement = connection.prepare(&format!("SELECT * FROM {}{order}", quote_name(name)))?;
    let count = statement.column_count();
    let mut cursor = statement.raw_query();
    let mut rows = Vec::new();
    while let Some(row) = cursor.next()? {
        let cells: rusqlite::Result<Vec<Stored>> = (0..count).map(|at| stored(value(row, at)?, at)).collect();
        rows.push(cells?);
    }
    Ok(StoredTable { name: name.to_owned(), columns, rows })
}

fn stored(value: ValueRef<'_>, at: usize) -> rusqlite::Result<Stored> {
    Ok(match value {
        ValueRef::Null => Stored::Null,
        ValueRef::Integer(value) => Stored::Int(value),
        ValueRef::Real(value) => Stored::Real(value),
        ValueRef::Text(text) => {
            let text = std::str::from_utf8(text).map_err(|error| Error::Utf8Error(at, error))?;
            Stored::Text(text.to_owned())
        }
        ValueRef::Blob(_) => Stored::Blob,
    })
}

fn columns(connection: &Connection, table: &str) -> rusqlite::Result<Vec<StoredColumn>> {
    // Columns that a virtual table hides are not among `*`; generated ones are.
    let mut statement = connection
        .prepare("SELECT name, type, \"notnull\", pk FROM pragma_table_xinfo(?1) WHERE hidden <> 1 ORDER BY cid")?;
    let found = statement.query_map([table], |row| {
        let (decl_type, key): (String, i64) = (row.get(1)?, row.get(3)?);
        Ok(StoredColumn {
            name: row.get(0)?,
            decl_type: Some(decl_type).filter(|decl_type| !decl_type.is_empty()),
            not_null: row.get(2)?,
            primary_key: key > 0,
            unique: false,
        })
    })?;
    let mut columns: Vec<StoredColumn> = found.collect::<rusqlite::Result<_>>()?;
    if columns.iter().filter(|column| column.primary_key).count() > 1 {
        columns.iter_mut().for_each(|column| column.primary_key = false);
    }
    // Indexes over one column, without a condition.
    let mut statement = connection.prepare(
        "SELECT min(i.name) FROM pragma_index_list(?1) AS l, pragma_index_info(l.name) AS i \
         WHERE l.\"unique\" AND NOT l.partial GROUP BY l.name HAVING count(*) = 1",
    )?;
    let unique: Vec<Option<String>> =
        statement.query_map([table], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    for column in &mut columns {
        column.unique = column.primary_key || unique.iter().flatten().any(|name| *name == column.name);
    }
    Ok(columns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Bounds, TOOL};

    /// The bytes of a database made by these statements.
    fn database(sql: &str) -> Vec<u8> {
        let mut database = Database::empty(&TOOL).expect("opened");
        database.connection().execute_batch(sql).expect(sql);
        database.bytes().expect("serialized")
    }

    #[test]
    fn tables_and_views_are_read_in_their_order() {
        let bytes = database(
            "CREATE TABLE \"od d\" (ID INTEGER PRIMARY KEY AUTOINCREMENT, A DATE NOT NULL UNIQUE, B, \
                                    C AS (B || '!'), D TEXT);
             CREATE UNIQUE INDEX part ON \"od d\"(D) WHERE D > 'x'; CREATE INDEX whole ON \"od d\"(B, A, D, ID);
             INSERT INTO \"od d\" VALUES (2, '2024-01-31', 'z', NULL), (1, '2024-01-30', 1.5, x'00');
             CREATE VIEW v AS SELECT count(*) AS N FROM \"od d\";
             CREATE TABLE pair (X INT, Y INT, PRIMARY KEY (X, Y)) WITHOUT ROWID;",
        );
        let tables = read(&bytes).expect("read");
        let names: Vec<_> = tables.iter().map(|table| table.name.as_str()).collect();
        assert_eq!(names, ["od d", "v", "pair"]);
        let text = |text: &str| Stored::Text(text.to_owned());
        let rows = [
            vec![Stored::Int(1), text("2024-01-30"), Stored::Real(1.5), text("1.5!"), Stored::Blob],
            vec![Stored::Int(2), text("2024-01-31"), text("z"), text("z!"), Stored::Null],
        ];
        assert_eq!(tables[0].rows, rows);
        assert_eq!(tables[1].rows, [[Stored::Int(2)]]);
        let keys: Vec<_> = tables[0]
            .columns
            .iter()
            .map(|column| {
                let decl_type = column.decl_type.as_deref().unwrap_or("");
                (column.name.as_str(), decl_type, column.not_null, column.primary_key, column.unique)
            })
            .collect();
        let wanted = [
            ("ID", "INTEGER", false, true, true),
            ("A", "DATE", true, false, true),
            ("B", "", false, false, false),
            ("C", "", false, false, false),
            ("D", "TEXT", false, false, false),
        ];
        assert_eq!(keys, wanted);
        assert!(tables[2].columns.iter().all(|column| !column.primary_key && !column.unique));
    }

    #[test]
    fn what_cannot_be_read_is_told() {
        assert_eq!(read(b"").expect_err("none"), "the file is no SQLite database");
        assert_eq!(read(b"ID,NAME\n1,x\n").expect_err("none"), "the file is no SQLite database");
        let good = database("CREATE TABLE t (A); INSERT INTO t VALUES (randomblob(20000))");
        assert!(read(&good).is_ok());
        let error = read(&good[..good.len() / 2]).expect_err("cut off");
        assert!(error.starts_with("the database "), "{error}");
        let mut log = good.clone();
        log[18..20].copy_from_slice(&[2, 2]);
        assert!(read(&log).expect_err("a log").contains("WAL mode"));
        let view = database("CREATE VIEW v AS SELECT * FROM gone");
        assert_eq!(read(&view).expect_err("a view"), "the view `v` cannot be read: no such table: main.gone");
        let endless = database(
            "CREATE VIEW v AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n FROM r) SELECT max(n) AS n FROM r",
        );
        static FEW: Rules = Rules { bounds: Bounds { work: 1_000_000, ..FIXTURE.bounds }, ..FIXTURE };
        assert!(read_within(&endless, &FEW).expect_err("endless").contains("more than 1 million steps"));
    }
}
