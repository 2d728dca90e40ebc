//! Reads a database file from bytes: its tables and views, and the cells of one of them.

use std::collections::BTreeMap;

use model::ddl::quote_name;
use model::sqlite::{CHECK, DatabaseError, Stored, StoredColumn, StoredTable};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Error};

use crate::database::{Database, QueryError, Stop, collect_rows, describe_error, limit_of, read_value};
use crate::ffi;
use crate::rules::{FIXTURE, Rules};

/// Lists the tables and views of a database with their columns, in the order of the schema.
pub(super) fn read_tables(bytes: &[u8]) -> Result<Vec<StoredTable>, DatabaseError> {
    read_within(bytes, &FIXTURE, None, |connection| {
        let sound: String = connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
        if sound != "ok" {
            return Err(Stop::Own(DatabaseError::Broken(sound.replace('\n', " "))));
        }
        let names = list_tables_and_views(connection)?;
        if names.len() > MAX_TABLES {
            return Err(Stop::Own(DatabaseError::TooManyTables { count: names.len(), most: MAX_TABLES }));
        }
        // The list of columns may be empty for a view of a missing table.
        let prepared = |name: &str| connection.prepare(&format!("SELECT * FROM {}", quote_name(name))).map(drop);
        let unread =
            |name: String, why: String, help| StoredTable { name, unread: Some((why, help)), ..StoredTable::default() };
        let tables = names.iter().map(|named| {
            let name = named.name.clone();
            if let Some(module) = named.kind.module() {
                let of = if module.is_empty() { String::new() } else { format!(" of the module `{module}`") };
                let what = format!("`{name}` is a virtual table{of}");
                let why = format!("{what}, whose rows only that module can read");
                return Ok(StoredTable { of_module: Some(what), ..unread(name, why, COPY) });
            }
            let stores = find_virtual_table(&names, named)
                .map(|of| format!("the module of the virtual table `{}` stores its rows in `{name}`", of.name));
            match prepared(&name).and_then(|()| describe_table(connection, &name)) {
                Ok(table) => Ok(StoredTable { of_module: stores, ..table }),
                // A view of a missing or virtual table is recorded; any other error ends the reading.
                Err(error) if named.kind == Kind::View && limit_of(&error, &FIXTURE).is_none() => {
                    let why = format!("the view `{name}` cannot be read: {}", describe_error(&error));
                    Ok(unread(name, why, CHECK))
                }
                Err(error) => Err(Stop::Sqlite(error)),
            }
        });
        tables.collect()
    })
}

/// The remedy for a virtual table.
const COPY: &str = "copy its rows to an ordinary table: CREATE TABLE copied AS SELECT * FROM …";

/// Maximum number of tables and views of a database.
const MAX_TABLES: usize = 2000;

/// Reads the cells of a table or view by column.
pub(super) fn read_columns(
    bytes: &[u8],
    table: &str,
    cells: usize,
    texts: usize,
) -> Result<Vec<Vec<Stored>>, DatabaseError> {
    read_columns_within(bytes, &FIXTURE, table, cells, texts)
}

fn read_columns_within(
    bytes: &[u8],
    rules: &'static Rules,
    name: &str,
    cells: usize,
    texts: usize,
) -> Result<Vec<Vec<Stored>>, DatabaseError> {
    read_within(bytes, rules, Some(name), |connection| {
        let kind: String =
            connection.query_row("SELECT type FROM sqlite_schema WHERE name = ?1", [name], |row| row.get(0))?;
        // Rows are in the order of their keys, not in that of an index that contains all columns.
        let order = if kind == "table" { " NOT INDEXED" } else { "" };
        let mut statement = connection.prepare(&format!("SELECT * FROM {}{order}", quote_name(name)))?;
        let mut columns: Vec<Vec<Stored>> = vec![Vec::new(); statement.column_count()];
        let mut cursor = statement.raw_query();
        let (mut cells_left, mut texts_left) = (cells, texts);
        let too_much =
            |most: usize, what: &'static str| Stop::Own(DatabaseError::TooLarge { table: name.to_owned(), most, what });
        while let Some(row) = cursor.next()? {
            cells_left = cells_left.checked_sub(columns.len()).ok_or_else(|| too_much(cells, "cells"))?;
            for (at, column) in columns.iter_mut().enumerate() {
                let cell = convert_stored(read_value(row, at)?);
                if let Stored::Text(text) | Stored::NotUtf8(text) = &cell {
                    texts_left = texts_left.checked_sub(text.len()).ok_or_else(|| too_much(texts, "bytes of text"))?;
                }
                column.push(cell);
            }
        }
        Ok(columns)
    })
}

/// Opens a database and reads from it, or from this table of it, within the rules.
fn read_within<T>(
    bytes: &[u8],
    rules: &'static Rules,
    table: Option<&str>,
    work: impl FnOnce(&Connection) -> Result<T, Stop<DatabaseError>>,
) -> Result<T, DatabaseError> {
    if !crate::state::is_database_file(bytes) {
        return Err(DatabaseError::NotADatabase);
    }
    // Bytes 18 and 19 are the versions of the format: 2 means a write-ahead log next to it, which a fixture cannot have.
    if bytes.get(18..20).is_some_and(|versions| versions.contains(&2)) {
        return Err(DatabaseError::WalMode);
    }
    let refused = |error: Error| DatabaseError::Sqlite(describe_error(&error));
    let database = Database::from_bytes(bytes, rules).map_err(refused)?;
    // The content of a virtual table comes from its module, whose origin is unknown, so no module is run.
    ffi::drop_modules(database.connection()).map_err(refused)?;
    database.run_bounded(None, work).map_err(|stopped| {
        let why = match stopped {
            QueryError::Failed(Stop::Own(error)) => return error,
            QueryError::Interrupted => return DatabaseError::Interrupted,
            QueryError::Failed(Stop::Sqlite(error)) => match limit_of(&error, rules) {
                Some(over) => format!("it takes more than {over}"),
                None => describe_error(&error),
            },
            QueryError::Over(over) => format!("it takes more than {over}; does it end?"),
            QueryError::Clock => "it depends on the clock".to_owned(),
            QueryError::LocalTime => "it depends on the time zone of the machine".to_owned(),
            QueryError::Refused(_, why) | QueryError::NoResult(why) => why,
        };
        DatabaseError::Unread(table.map(str::to_owned), why)
    })
}

/// A table or view of a database.
pub(super) struct Named {
    pub name: String,
    pub kind: Kind,
}

/// The kind of a name in the schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Table,
    View,
    /// A virtual table, with the name of its module.
    Virtual {
        module: String,
        /// Whether it is an index of rows that another table has, or of none (`content=`): its module does not store them.
        is_index: bool,
    },
}

impl Kind {
    /// Returns the module of a virtual table.
    pub fn module(&self) -> Option<&str> {
        match self {
            Kind::Virtual { module, .. } => Some(module),
            _ => None,
        }
    }
}

/// The suffixes that modules add to the name of a virtual table, for the tables in which they store its rows:
/// <https://sqlite.org/fts5.html>, <https://sqlite.org/fts3.html>, <https://sqlite.org/rtree.html>.
const SHADOWS: [(&[&str], &[&str]); 3] = [
    (&["fts5"], &["data", "idx", "content", "docsize", "config"]),
    (&["fts3", "fts4"], &["content", "segments", "segdir", "docsize", "stat"]),
    (&["rtree", "rtree_i32", "geopoly"], &["node", "parent", "rowid"]),
];

/// Finds the virtual table whose module stores its rows in this ordinary table. An unknown module is taken to use the suffixes of all others.
pub(super) fn find_virtual_table<'n>(names: &'n [Named], table: &Named) -> Option<&'n Named> {
    let name = table.name.to_ascii_lowercase();
    let (of, suffix) = name.rsplit_once('_').filter(|_| table.kind == Kind::Table)?;
    names.iter().find(|other| {
        let Kind::Virtual { module, is_index } = &other.kind else { return false };
        let module = module.to_ascii_lowercase();
        let is_known = |(modules, _): &&(&[&str], &[&str])| modules.contains(&module.as_str());
        let stores = match SHADOWS.iter().find(is_known) {
            Some((_, suffixes)) => suffixes.contains(&suffix),
            None => SHADOWS.iter().any(|(_, suffixes)| suffixes.contains(&suffix)),
        };
        stores && !(*is_index && suffix == "content") && other.name.eq_ignore_ascii_case(of)
    })
}

/// Lists the author's tables and views. The tables in which virtual ones store their rows are ordinary.
pub(super) fn list_tables_and_views(connection: &Connection) -> rusqlite::Result<Vec<Named>> {
    const NAMES: &str = "SELECT name, type, coalesce(sql, '') FROM sqlite_schema \
                         WHERE type IN ('table', 'view') AND lower(substr(name, 1, 7)) <> 'sqlite_' ORDER BY rowid";
    collect_rows(connection, NAMES, [], |row| {
        let (kind, sql): (String, String) = (row.get(1)?, row.get(2)?);
        let kind = match parse_module(&sql) {
            _ if kind == "view" => Kind::View,
            Some(module) => Kind::Virtual { module, is_index: has_content_option(&sql) },
            None => Kind::Table,
        };
        Ok(Named { name: row.get(0)?, kind })
    })
}

/// Parses the module of a virtual table from the statement that created it, whose beginning SQLite itself writes in uppercase and with single spaces.
/// Empty if it cannot be determined.
fn parse_module(sql: &str) -> Option<String> {
    const START: &str = "CREATE VIRTUAL TABLE ";
    let is_virtual = sql.get(..START.len()).is_some_and(|start| start.eq_ignore_ascii_case(START));
    is_virtual.then(|| sql.get(START.len()..).and_then(parse_module_after).unwrap_or_default())
}

/// Checks for the option `content=` of a full-text index.
fn has_content_option(sql: &str) -> bool {
    let text: String = sql.chars().filter(|char| !char.is_whitespace()).flat_map(char::to_lowercase).collect();
    ["(content=", ",content="].iter().any(|option| text.contains(option))
}

/// Parses the module after the name of a virtual table.
fn parse_module_after(rest: &str) -> Option<String> {
    // The name of the table may be quoted, and contain the keyword.
    let rest = match rest.chars().next()? {
        open @ ('"' | '`' | '\'' | '[') => {
            let close = if open == '[' { ']' } else { open };
            let mut parts = rest.get(1..)?.split(close);
            let mut end = 1;
            loop {
                end += parts.next()?.len() + 1;
                // A doubled quote is part of the name.
                if open == '[' || !rest.get(end..)?.starts_with(close) {
                    break rest.get(end..)?;
                }
                parts.next()?;
                end += 1;
            }
        }
        _ => rest.get(rest.find(char::is_whitespace)?..)?,
    };
    let rest = rest.trim_start();
    let module = rest.get(..5).filter(|word| word.eq_ignore_ascii_case("using")).and(rest.get(5..)).unwrap_or_default();
    let is_part = |char: char| char.is_alphanumeric() || char == '_';
    Some(
        module
            .trim_start()
            .trim_start_matches(['"', '[', '`', '\''])
            .chars()
            .take_while(|char| is_part(*char))
            .collect(),
    )
}

fn convert_stored(value: ValueRef<'_>) -> Stored {
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

/// Reads the declaration of a table or view.
fn describe_table(connection: &Connection, name: &str) -> rusqlite::Result<StoredTable> {
    let columns = list_columns(connection, name)?;
    let keys = list_keys(connection, name, &columns)?;
    Ok(StoredTable { name: name.to_owned(), columns, keys, ..StoredTable::default() })
}

/// Lists the sets of several columns that are unique together: primary keys, and unique indexes without a condition.
fn list_keys(connection: &Connection, table: &str, columns: &[StoredColumn]) -> rusqlite::Result<Vec<Vec<usize>>> {
    const PARTS: &str = "SELECT '', name FROM pragma_table_xinfo(?1) WHERE pk > 0 UNION ALL \
                         SELECT l.name, i.name FROM pragma_index_list(?1) AS l, pragma_index_info(l.name) AS i \
                         WHERE l.\"unique\" AND NOT l.partial";
    // A part without a name is an expression.
    let parts: Vec<(String, Option<String>)> =
        collect_rows(connection, PARTS, [table], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let mut sets: BTreeMap<String, Vec<Option<usize>>> = BTreeMap::new();
    for (set, name) in parts {
        let place = name.and_then(|name| columns.iter().position(|column| column.name == name));
        sets.entry(set).or_default().push(place);
    }
    let mut keys: Vec<Vec<usize>> =
        sets.into_values().filter(|set| set.len() > 1).filter_map(|set| set.into_iter().collect()).collect();
    keys.sort();
    keys.dedup();
    Ok(keys)
}

/// Lists the foreign keys of one column: the column, the table, and the column there.
fn list_references(connection: &Connection, table: &str) -> rusqlite::Result<Vec<(String, String, String)>> {
    // Without a column, the primary key of the other table is meant.
    const KEYS: &str = "SELECT min(f.\"from\"), min(f.\"table\"), min(coalesce(f.\"to\", \
                        (SELECT min(name) FROM pragma_table_xinfo(f.\"table\") WHERE pk > 0 HAVING count(*) = 1))) \
                        FROM pragma_foreign_key_list(?1) AS f GROUP BY f.id HAVING count(*) = 1";
    let found: Vec<(String, String, Option<String>)> =
        collect_rows(connection, KEYS, [table], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    Ok(found.into_iter().filter_map(|(from, table, to)| Some((from, table, to?))).collect())
}

/// The columns of a table. `*` does not include hidden columns of a virtual table, but does include generated columns.
pub(super) const COLUMNS: &str =
    "SELECT name, type, \"notnull\", pk FROM pragma_table_xinfo(?1) WHERE hidden <> 1 ORDER BY cid";

fn list_columns(connection: &Connection, table: &str) -> rusqlite::Result<Vec<StoredColumn>> {
    let mut columns = collect_rows(connection, COLUMNS, [table], |row| {
        let (decl_type, key): (String, i64) = (row.get(1)?, row.get(3)?);
        Ok(StoredColumn {
            name: row.get(0)?,
            decl_type: Some(decl_type).filter(|decl_type| !decl_type.is_empty()),
            not_null: row.get(2)?,
            primary_key: key > 0,
            unique: false,
            references: None,
        })
    })?;
    if columns.iter().filter(|column| column.primary_key).count() > 1 {
        columns.iter_mut().for_each(|column| column.primary_key = false);
    }
    // Unique indexes on one column, without a condition.
    const UNIQUE: &str = "SELECT min(i.name) FROM pragma_index_list(?1) AS l, pragma_index_info(l.name) AS i \
                          WHERE l.\"unique\" AND NOT l.partial GROUP BY l.name HAVING count(*) = 1";
    let unique: Vec<Option<String>> = collect_rows(connection, UNIQUE, [table], |row| row.get(0))?;
    let references = list_references(connection, table)?;
    for column in &mut columns {
        let same = |(from, ..): &&(String, String, String)| from.eq_ignore_ascii_case(&column.name);
        column.references = references.iter().find(same).map(|(_, table, to)| (table.clone(), to.clone()));
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
        let mut database = Database::new_empty(&TOOL).expect("opened");
        database.connection().execute_batch(sql).expect(sql);
        database.to_bytes().expect("serialized")
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
        let tables = read_tables(&bytes).expect("read");
        let rows_of = |name: &str| -> Vec<Vec<Stored>> {
            let columns = read_columns(&bytes, name, 100, 1000).expect("read");
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
        assert_eq!(read_columns(&bytes, "pair", 0, 0), Ok(vec![Vec::new(), Vec::new()]));
        let many = read_columns(&bytes, "od d", 9, 1000).expect_err("ten cells");
        assert_eq!(many.to_string(), "`od d` cannot be read: it has more than 9 cells");
        let long = read_columns(&bytes, "od d", 10, 20).expect_err("more bytes");
        assert_eq!(long.to_string(), "`od d` cannot be read: it has more than 20 bytes of text");
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
    fn keys_of_several_columns_and_references_are_read() {
        let bytes = database(
            "CREATE TABLE a (X INTEGER PRIMARY KEY, Y TEXT);
             CREATE TABLE b (A INT REFERENCES a, B INT REFERENCES A(x), C, D, E UNIQUE, PRIMARY KEY (A, C), UNIQUE (D, C),
                             FOREIGN KEY (C, D) REFERENCES c (C, D));
             CREATE TABLE c (C, D, F REFERENCES gone, PRIMARY KEY (C, D));
             CREATE UNIQUE INDEX part ON b (B, D) WHERE B > 3;
             CREATE UNIQUE INDEX made ON b (B, D + 1);
             CREATE INDEX plain ON b (A, B);
             CREATE VIEW v AS SELECT A, C FROM b;",
        );
        let tables = read_tables(&bytes).expect("read");
        let keys: Vec<&[Vec<usize>]> = tables.iter().map(|table| table.keys.as_slice()).collect();
        assert_eq!(keys, [&[][..], &[vec![0, 2], vec![3, 2]], &[vec![0, 1]], &[]]);
        let references: Vec<(&str, &str, &str)> = tables
            .iter()
            .flat_map(|table| &table.columns)
            .filter_map(|column| {
                column.references.as_ref().map(|(to, at)| (column.name.as_str(), to.as_str(), at.as_str()))
            })
            .collect();
        assert_eq!(references, [("A", "a", "X"), ("B", "A", "x")]);
    }

    #[test]
    fn the_module_of_a_virtual_table_is_told() {
        for (sql, module) in [
            ("CREATE VIRTUAL TABLE docs USING fts5(a, b)", Some("fts5")),
            ("CREATE VIRTUAL TABLE \"a \"\" USING x\" using  \"rtree\"(id)", Some("rtree")),
            ("CREATE VIRTUAL TABLE [a USING b] USING fts4", Some("fts4")),
            ("CREATE VIRTUAL TABLE `a``b` USING vec0 (x)", Some("vec0")),
            ("CREATE VIRTUAL TABLE 'it''s' USING m1()", Some("m1")),
            ("create virtual table docs(a)", Some("")),
            ("CREATE VIRTUAL TABLE docs", Some("")),
            ("CREATE VIRTUAL TABLE \"docs", Some("")),
            ("CREATE TABLE using_ (a)", None),
        ] {
            assert_eq!(parse_module(sql).as_deref(), module, "{sql}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_told() {
        assert_eq!(read_tables(b""), Err(DatabaseError::NotADatabase));
        assert_eq!(read_tables(b"ID,NAME\n1,x\n"), Err(DatabaseError::NotADatabase));
        let good = database("CREATE TABLE t (A); INSERT INTO t VALUES (randomblob(20000))");
        assert!(read_tables(&good).is_ok());
        let error = read_tables(&good[..good.len() / 2]).expect_err("cut off").to_string();
        assert!(error.starts_with("the database "), "{error}");
        let mut log = good.clone();
        log[18..20].copy_from_slice(&[2, 2]);
        assert_eq!(read_tables(&log), Err(DatabaseError::WalMode));
        let views = database(
            "CREATE VIEW v AS SELECT * FROM gone; CREATE TABLE t (A); CREATE VIEW loops AS SELECT * FROM loops;
             INSERT INTO t VALUES (CAST(x'61ff' AS TEXT));",
        );
        let found = read_tables(&views).expect("read");
        let why = |at: usize| found[at].unread.as_ref().map(|(why, _)| why.as_str());
        assert_eq!(why(0), Some("the view `v` cannot be read: no such table: main.gone"));
        assert_eq!(why(1), None);
        assert!(why(2).is_some_and(|why| why.contains("circularly defined")), "{found:?}");
        assert_eq!(read_columns(&views, "t", 9, 99), Ok(vec![vec![Stored::NotUtf8("a\u{fffd}".to_owned())]]));
        let endless = database(
            "CREATE VIEW v AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n FROM r) SELECT max(n) AS n FROM r",
        );
        static FEW: Rules = Rules { bounds: Bounds { work: 1_000_000, ..FIXTURE.bounds }, ..FIXTURE };
        assert_eq!(read_tables(&endless).map(|tables| tables.len()), Ok(1), "what is not asked for is not run");
        let error = read_columns_within(&endless, &FEW, "v", 9, 99).expect_err("endless").to_string();
        assert!(error.contains("more than 1 million steps"), "{error}");
    }
}
