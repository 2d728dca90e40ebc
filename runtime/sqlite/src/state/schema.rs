//! The schema of a database: tables, indexes, views, and triggers, by the tokens of their declarations.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::{Connection, Row};

use super::UnreadableDatabase;
use super::read::{check_sound, with_opened};
use super::sql_tokens::list_tokens;
use crate::database::collect_rows;
use crate::stored::{find_virtual_table, list_tables_and_views};

/// The part of a schema that is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SchemaPart {
    /// Triggers, views, and virtual tables: they decide what the database does later.
    Behavior,
    /// All of it: types, constraints, keys, and indexes too.
    Whole,
}

/// A declaration of a schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// `table`, `index`, `view`, or `trigger`.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// The table to which it belongs; of a table or view, itself.
    pub table: String,
    /// Its SQL.
    pub sql: String,
    /// Its tokens, by which it is compared: names and keywords in lowercase, without quotes and comments; of an index, without its name.
    tokens: Vec<String>,
}

/// A declaration that one of two schemas lacks, or declares in another way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaChange {
    /// The declaration in the first schema.
    pub before: Option<Declaration>,
    /// The declaration in the second schema.
    pub after: Option<Declaration>,
}

/// Reads the declarations of an untrusted database, without SQLite's own and those in which virtual tables store their rows.
///
/// # Errors
/// It is not a database, or is too large.
pub fn read_schema(bytes: &[u8]) -> Result<Vec<Declaration>, UnreadableDatabase> {
    with_opened(bytes, |connection| {
        check_sound(connection)?;
        Ok(list_declarations(connection)?)
    })
}

fn list_declarations(connection: &Connection) -> rusqlite::Result<Vec<Declaration>> {
    // What has no SQL is an index of a constraint, which its table declares.
    const DECLARED: &str = "SELECT type, name, tbl_name, sql FROM sqlite_schema \
                            WHERE sql IS NOT NULL AND lower(name) NOT GLOB 'sqlite_*'";
    let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?));
    let names = list_tables_and_views(connection)?;
    let shadows: BTreeSet<&str> = names
        .iter()
        .filter(|named| find_virtual_table(&names, named).is_some())
        .map(|named| named.name.as_str())
        .collect();
    let found: Vec<(String, String, String, String)> = collect_rows(connection, DECLARED, [], read)?;
    let own = found.into_iter().filter(|(_, _, table, _)| !shadows.contains(table.as_str()));
    Ok(own.map(|(kind, name, table, sql)| Declaration::new(kind, name, table, sql)).collect())
}

impl Declaration {
    fn new(kind: String, name: String, table: String, sql: String) -> Declaration {
        let mut tokens = list_tokens(&sql);
        if kind == "index"
            && let Some(at) = tokens.iter().position(|token| token == "index").filter(|at| at + 1 < tokens.len())
        {
            tokens.remove(at + 1);
        }
        Declaration { kind, name, table, sql, tokens }
    }

    /// Whether it is of this part of a schema.
    fn is_part(&self, part: SchemaPart) -> bool {
        match part {
            SchemaPart::Whole => true,
            SchemaPart::Behavior => match self.kind.as_str() {
                "view" | "trigger" => true,
                "table" => self.tokens.get(1).is_some_and(|token| token == "virtual"),
                _ => false,
            },
        }
    }

    /// What two declarations that belong together have in common. The name of an index does not count.
    fn to_place(&self) -> (&str, String, &[String]) {
        match self.kind.as_str() {
            "index" => ("index", self.table.to_lowercase(), &self.tokens),
            kind => (kind, self.name.to_lowercase(), &[]),
        }
    }
}

/// Returns the first declaration that differs between two schemas, without those of the tables for which `ignores` is true.
///
/// ```
/// use sqlite::state::{SchemaPart, find_schema_change, read_schema};
/// use sqlite::{Database, TOOL};
///
/// let make = |statements: &str| {
///     let mut made = Database::new_empty(&TOOL).expect("SQLite");
///     made.connection().execute_batch(statements).expect("written");
///     read_schema(&made.to_bytes().expect("bytes")).expect("a schema")
/// };
/// let change = |before: &str, after: &str, part| find_schema_change(&make(before), &make(after), part, |_| false);
/// let table = "CREATE TABLE t (N INTEGER, M TEXT); CREATE INDEX a ON t (N)";
/// // Written in another way, and the index by another name.
/// let same = "CREATE TABLE \"T\" (n integer, -- a number\n [M] text); CREATE INDEX b ON t (N)";
/// assert_eq!(change(table, same, SchemaPart::Whole), None);
/// let other = "CREATE TABLE t (N INT, M TEXT); CREATE INDEX a ON t (N)";
/// assert!(change(table, other, SchemaPart::Whole).is_some());
/// assert_eq!(change(table, other, SchemaPart::Behavior), None);
/// let trigger = format!("{table}; CREATE TRIGGER g AFTER INSERT ON t BEGIN DELETE FROM t; END");
/// assert_eq!(change(table, &trigger, SchemaPart::Behavior).and_then(|new| new.after).map(|new| new.name), Some("g".into()));
/// ```
pub fn find_schema_change(
    before: &[Declaration],
    after: &[Declaration],
    part: SchemaPart,
    ignores: impl Fn(&str) -> bool,
) -> Option<SchemaChange> {
    type Found<'d> = BTreeMap<(&'d str, String, &'d [String]), Vec<&'d Declaration>>;
    fn collect<'d>(all: &'d [Declaration], counts: impl Fn(&Declaration) -> bool) -> Found<'d> {
        let mut found = Found::new();
        for one in all.iter().filter(|one| counts(one)) {
            found.entry(one.to_place()).or_default().push(one);
        }
        found
    }
    // Triggers also change other tables than their own.
    let is_ignored =
        |one: &Declaration| ignores(&one.name) || ignores(&one.table) && !one.is_part(SchemaPart::Behavior);
    let counts = |one: &Declaration| one.is_part(part) && !is_ignored(one);
    let (before, after) = (collect(before, counts), collect(after, counts));
    before.keys().chain(after.keys()).collect::<BTreeSet<_>>().into_iter().find_map(|place| {
        let [one, other] = [&before, &after].map(|found| found.get(place).map_or(&[][..], Vec::as_slice));
        let is_same = one.len() == other.len() && one.iter().zip(other).all(|(a, b)| a.tokens == b.tokens);
        let last = |all: &[&Declaration]| all.last().map(|one| (*one).clone());
        (!is_same).then(|| match (one.len(), other.len()) {
            (many, few) if many > few && few > 0 => SchemaChange { before: last(one), after: None },
            (few, many) if many > few && few > 0 => SchemaChange { before: None, after: last(other) },
            _ => SchemaChange { before: last(one), after: last(other) },
        })
    })
}
