//! Reads a database file given as bytes: what tables and views it has, and the cells of one of them.

use plan::ddl::quote_name;
use plan::sqlite::{Stored, StoredColumn, StoredTable};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Error};

use crate::database::{Database, Stopped, limit_of, value, words};
use crate::rules::{FIXTURE, Rules};

/// The tables and views of a database, in the order of the schema, with their columns.
pub(super) fn tables(bytes: &[u8]) -> Result<Vec<StoredTable>, String> {
    read_within(bytes, &FIXTURE, "the database", |connection| {
        let sound: String = connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
        if sound != "ok" {
            return Err(Unread::Broken(format!("the database is broken: {}", sound.replace('\n', " "))));
        }
        let names = names(connection)?;
        if names.len() > MAX_TABLES {
            return Err(Unread::Broken(format!(
                "the database has {} tables and views, and may have {MAX_TABLES}",
                names.len()
            )));
        }
        // Of a view that leads nowhere, the list of its columns may be empty.
        let prepared = |name: &str| connection.prepare(&format!("SELECT * FROM {}", quote_name(name))).map(drop);
        let tables =
            names.into_iter().map(|(name, kind)| match prepared(&name).and_then(|()| columns(connection, &name)) {
                Ok(columns) => Ok(StoredTable { name, columns, unread: None }),
                // A view of what is not there; all else ends the reading.
                Err(error) if kind == "view" && limit_of(&error, &FIXTURE).is_none() => {
                    let unread = Some(format!("the view `{name}` cannot be read: {}", words(&error)));
                    Ok(StoredTable { name, columns: Vec::new(), unread })
                }
                Err(error) => Err(Unread::Sqlite(error)),
            });
        tables.collect()
    })
}

/// The most tables and views of a database.
const MAX_TABLES: usize = 2000;

/// The cells of a table or view by column.
pub(super) fn columns_of(bytes: &[u8], table: &str, cells: usize, texts: usize) -> Result<Vec<Vec<Stored>>, String> {
    columns_within(bytes, &FIXTURE, table, cells, texts)
}

fn columns_within(
    bytes: &[u8],
    rules: &'static Rules,
    name: &str,
    cells: usize,
    texts: usize,
) -> Result<Vec<Vec<Stored>>, String> {
    read_within(bytes, rules, &format!("`{name}`"), |connection| {
        let kind: String =
            connection.query_row("SELECT type FROM sqlite_schema WHERE name = ?1", [name], |row| row.get(0))?;
        // Rows in the order of their keys, not of an index that happens to hold all columns.
        let order = if kind == "table" { " NOT INDEXED" } else { "" };
        let mut statement = connection.prepare(&format!("SELECT * FROM {}{order}", quote_name(name)))?;
        let mut columns: Vec<Vec<Stored>> = vec![Vec::new(); statement.column_count()];
        let mut cursor = statement.raw_query();
        let (mut cells_left, mut texts_left) = (cells, texts);
        let too_much = |most: usize, what: &str| {
            let most = plan::value::grouped(most as u64);
            Unread::Broken(format!("`{name}` cannot be read: it has more than {most} {what}"))
        };
        while let Some(row) = cursor.next()? {
            cells_left = cells_left.checked_sub(columns.len()).ok_or_else(|| too_much(cells, "cells"))?;
            for (at, column) in columns.iter_mut().enumerate() {
                let cell = stored(value(row, at)?);
                if let Stored::Text(text) | Stored::NotUtf8(text) = &cell {
                    texts_left = texts_left.checked_sub(text.len()).ok_or_else(|| too_much(texts, "bytes of text"))?;
                }
                column.push(cell);
            }
        }
        Ok(columns)
    })
}

/// Opens a database, and reads in it within the rules; `place` is what is read.
fn read_within<T>(
    bytes: &[u8],
    rules: &'static Rules,
    place: &str,
    work: impl FnOnce(&Connection) -> Result<T, Unread>,
) -> Result<T, String> {
    if !crate::state::is_database_file(bytes) {
        return Err("the file is not an SQLite database".to_owned());
    }
    // Bytes 18 and 19 are the format's versions: 2 means a write-ahead log next to it, which a fixture cannot have.
    if bytes.get(18..20).is_some_and(|versions| versions.contains(&2)) {
        return Err("the database is in WAL mode: run `PRAGMA journal_mode = DELETE` on it".to_owned());
    }
    let database = Database::of(bytes, rules).map_err(|error| words(&error))?;
    database.bounded(None, work).map_err(|stopped| match stopped {
        Stopped::Failed(Unread::Broken(why)) => why,
        Stopped::Failed(Unread::Sqlite(error)) => match limit_of(&error, rules) {
            Some(over) => format!("{place} cannot be read: it takes more than {over}"),
            None => format!("{place} cannot be read: {}", words(&error)),
        },
        Stopped::Over(over) => format!("{place} cannot be read: it takes more than {over}; does it end?"),
        Stopped::Clock => format!("{place} cannot be read: it depends on the clock"),
        Stopped::LocalTime => format!("{place} cannot be read: it depends on the time zone of the machine"),
        Stopped::Refused(_, why) | Stopped::NoResult(why) => format!("{place} cannot be read: {why}"),
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

/// The names and types of the author's tables and views. The shadow tables of full-text indexes and the like are left
/// out.
pub(super) fn names(connection: &Connection) -> rusqlite::Result<Vec<(String, String)>> {
    let mut statement = connection.prepare(
        "SELECT m.name, m.type FROM sqlite_schema AS m \
         WHERE m.type IN ('table', 'view') AND lower(substr(m.name, 1, 7)) <> 'sqlite_' \
         AND m.name NOT IN (SELECT l.name FROM pragma_table_list AS l WHERE l.schema = 'main' AND l.type = 'shadow') \
         ORDER BY m.rowid",
    )?;
    let names = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    names.collect()
}

fn stored(value: ValueRef<'_>) -> Stored {
    match value {
        ValueRef::Null => Stored::Null,
        ValueRef::Integer(value) => Stored::Int(value),
        ValueRef::Real(value) => Stored::Real(value),
        ValueRef::Text(text) => match std::str::from_utf8(text) {
            Ok(text) => Stored::Text(text.to_owned()),
            Err(_) => Stored::NotUtf8(String::from_utf8_lossy(text).into_owned()),
        },
        ValueRef::Blob(_) => Stored::Blob,
    }
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
        let tables = tables(&bytes).expect("read");
        let rows_of = |name: &str| -> Vec<Vec<Stored>> {
            let columns = columns_of(&bytes, name, 100, 1000).expect("read");
            let rows = columns.first().map_or(0, Vec::len);
            (0..rows).map(|row| columns.iter().map(|column| column[row].clone()).collect()).collect()
        };
        let names: Vec<_> = tables.iter().map(|table| table.name.as_str()).collect();
        assert_eq!(names, ["od d", "v", "pair"]);
        let text = |text: &str| Stored::Text(text.to_owned());
        let rows = [
            vec![Stored::Int(1), text("2024-01-30"), Stored::Real(1.5), text("1.5!"), Stored::Blob],
            vec![Stored::Int(2), text("2024-01-31"), text("z"), text("z!"), Stored::Null],
        ];
        assert_eq!(rows_of("od d"), rows);
        assert_eq!(rows_of("v"), [[Stored::Int(2)]]);
        assert_eq!(columns_of(&bytes, "pair", 0, 0), Ok(vec![Vec::new(), Vec::new()]));
        let many = columns_of(&bytes, "od d", 9, 1000).expect_err("ten cells");
        assert_eq!(many, "`od d` cannot be read: it has more than 9 cells");
        let long = columns_of(&bytes, "od d", 10, 20).expect_err("more bytes");
        assert_eq!(long, "`od d` cannot be read: it has more than 20 bytes of text");
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
        assert_eq!(tables(b"").expect_err("none"), "the file is not an SQLite database");
        assert_eq!(tables(b"ID,NAME\n1,x\n").expect_err("none"), "the file is not an SQLite database");
        let good = database("CREATE TABLE t (A); INSERT INTO t VALUES (randomblob(20000))");
        assert!(tables(&good).is_ok());
        let error = tables(&good[..good.len() / 2]).expect_err("cut off");
        assert!(error.starts_with("the database "), "{error}");
        let mut log = good.clone();
        log[18..20].copy_from_slice(&[2, 2]);
        assert!(tables(&log).expect_err("a log").contains("WAL mode"));
        let views = database(
            "CREATE VIEW v AS SELECT * FROM gone; CREATE TABLE t (A); CREATE VIEW loops AS SELECT * FROM loops;
             INSERT INTO t VALUES (CAST(x'61ff' AS TEXT));",
        );
        let found = tables(&views).expect("read");
        assert_eq!(found[0].unread.as_deref(), Some("the view `v` cannot be read: no such table: main.gone"));
        assert_eq!(found[1].unread, None);
        assert!(found[2].unread.as_deref().is_some_and(|why| why.contains("circularly defined")), "{found:?}");
        assert_eq!(columns_of(&views, "t", 9, 99), Ok(vec![vec![Stored::NotUtf8("a\u{fffd}".to_owned())]]));
        let endless = database(
            "CREATE VIEW v AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n FROM r) SELECT max(n) AS n FROM r",
        );
        static FEW: Rules = Rules { bounds: Bounds { work: 1_000_000, ..FIXTURE.bounds }, ..FIXTURE };
        assert_eq!(tables(&endless).map(|tables| tables.len()), Ok(1), "what is not asked for is not run");
        let error = columns_within(&endless, &FEW, "v", 9, 99).expect_err("endless");
        assert!(error.contains("more than 1 million steps"), "{error}");
    }
}
