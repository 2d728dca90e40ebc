//! Copies of relations for queries over several files, made on demand. Given (not drawn) relations are the same for all instances of a task: when a
//! cell is done, its database returns to a shelf without the drawn tables, and the next cell reuses the others.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use model::ddl;
use model::suite::{ColumnSource, FileContent, FixtureKind, Relation, RelationId, Rows, Task};
use sqlite::{AUTHOR, CHECKED, Rules};

use super::failures::{Res, fail};
use super::sqlite::{Database, build_replaced_sql, build_table_sql, insert_rows};
use super::table::{Tables, find_table};
use crate::failure::FailureKind;

/// Maximum number of values in the databases on a shelf.
const MAX_SHELF_VALUES: usize = 4 << 20;

/// Number of bytes of a file that count as one value.
const BYTES_OF_A_VALUE: usize = 16;

/// The slot of a cell's copies.
pub(crate) type ScratchSlot = RefCell<Scratch>;

/// Databases that are not in use, each with the index of its task; the last one returned is at the end.
#[derive(Default)]
pub(crate) struct Shelf(Mutex<VecDeque<(u32, Filled)>>);

impl Shelf {
    fn take_database(&self, task: u32) -> Option<Filled> {
        let mut free = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = free.iter().rposition(|(of, _)| *of == task)?;
        free.remove(at).map(|(_, filled)| filled)
    }

    fn put_database(&self, task: u32, filled: Filled) {
        let mut free = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        free.push_back((task, filled));
        let mut values: usize = free.iter().map(|(_, filled)| filled.values).sum();
        while values > MAX_SHELF_VALUES
            && let Some((_, oldest)) = free.pop_front()
        {
            values -= oldest.values;
        }
    }
}

/// A database with copies of relations.
struct Filled {
    database: Database,
    attached: Vec<String>,
    loaded: Vec<Loaded>,
    /// Number of values of given relations in it.
    values: usize,
}

struct Loaded {
    relation: RelationId,
    /// The name of the table in SQL; `None` for a given table.
    drawn: Option<String>,
}

impl Filled {
    fn load_relations(
        &mut self,
        (task, tables): (&Task, &Tables),
        relations: &[RelationId],
        replaced: &[RelationId],
    ) -> Res<()> {
        for id in relations {
            if self.loaded.iter().any(|loaded| loaded.relation == *id) {
                continue;
            }
            let Some(relation) = task.relations.get(*id) else { continue };
            let schema = relation.database_name();
            if let (Some(schema), Some(bytes)) = (schema, find_fixture(task, relation, replaced)) {
                // The file itself is attached, because a copy would lose its collations, rowids, and the storage of each cell.
                if !self.attached.iter().any(|other| other == schema) {
                    self.database.attach_fixture(schema, bytes)?;
                    self.attached.push(schema.to_owned());
                    self.values = self.values.saturating_add(bytes.len() / BYTES_OF_A_VALUE);
                }
                self.loaded.push(Loaded { relation: *id, drawn: None });
                continue;
            }
            let name = if schema.is_some() { &relation.table } else { &relation.name };
            let sql =
                if replaced.contains(id) { build_replaced_sql } else { build_table_sql }(task, relation, schema, name);
            let table = find_table(tables, *id)?;
            let attached = &mut self.attached;
            self.database.with_connection(|connection| {
                if let Some(schema) = schema.filter(|schema| !attached.iter().any(|other| other == schema)) {
                    connection.execute_batch(&format!("ATTACH ':memory:' AS {}", ddl::quote_name(schema)))?;
                    attached.push(schema.to_owned());
                }
                connection.execute_batch("BEGIN")?;
                connection.execute_batch(&sql.create)?;
                insert_rows(connection, &sql, table)?;
                connection.execute_batch("COMMIT")
            })?;
            let drawn = (!is_given(relation)).then(|| {
                let schema = schema.map_or(String::new(), |schema| format!("{}.", ddl::quote_name(schema)));
                format!("{schema}{}", ddl::quote_name(name))
            });
            if drawn.is_none() {
                self.values = self.values.saturating_add(table.rows.saturating_mul(relation.columns.len()));
            }
            self.loaded.push(Loaded { relation: *id, drawn });
        }
        Ok(())
    }

    /// Removes the drawn tables; returns whether that succeeds.
    fn without_drawn(&mut self) -> bool {
        let tables = self.loaded.iter().filter_map(|loaded| loaded.drawn.as_ref());
        let removed: String = tables.map(|table| format!("DROP TABLE {table};")).collect();
        self.loaded.retain(|loaded| loaded.drawn.is_none());
        removed.is_empty() || self.database.with_connection(|connection| connection.execute_batch(&removed)).is_ok()
    }
}

/// Returns the SQLite fixture that contains a relation, if queries can be run on it. SQLite cannot attach a database in UTF-16 to one in UTF-8.
fn find_fixture<'t>(task: &'t Task, relation: &Relation, replaced: &[RelationId]) -> Option<&'t [u8]> {
    /// The position of the encoding in a database header, and its value for UTF-8 (https://sqlite.org/fileformat.html).
    const ENCODING: std::ops::Range<usize> = 56..60;
    const IN_UTF_8: [u8; 4] = [0, 0, 0, 1];
    let file = relation.file?;
    let others = replaced.iter().filter_map(|id| task.relations.get(*id));
    if others.into_iter().any(|other| other.file == Some(file)) {
        return None;
    }
    match &task.files.get(file)?.content {
        FileContent::Fixture { bytes, kind: FixtureKind::Sqlite } => {
            let bytes = &*bytes.0;
            (bytes.get(ENCODING) == Some(&IN_UTF_8)).then_some(bytes)
        }
        _ => None,
    }
}

/// Checks whether the whole relation is in the plan and thus the same for every instance.
fn is_given(relation: &Relation) -> bool {
    let mut written = relation.iter_written_columns().map(|(_, column)| column);
    matches!(relation.rows, Rows::Given(_)) && written.all(|column| matches!(column.source, ColumnSource::Given(_)))
}

/// The copies of a cell's relations.
pub(crate) struct Scratch {
    /// The limits of a query.
    rules: &'static Rules,
    /// The shelf from which its database comes and to which it returns, and the index of the task.
    shelf: Option<(Arc<Shelf>, u32)>,
    filled: Option<Filled>,
    /// Whether another cell used the database before.
    is_used: bool,
    /// The relations whose rows are replaced.
    replaced: Vec<RelationId>,
}

impl Scratch {
    /// Creates a scratch for queries of a task's instances.
    pub fn new(shelf: &Arc<Shelf>, task: u32) -> Scratch {
        let shelf = Some((Arc::clone(shelf), task));
        Scratch { rules: &AUTHOR, shelf, filled: None, is_used: false, replaced: Vec::new() }
    }

    /// Creates a scratch for a cell in which the rows of `replaced` differ. Databases on the shelf contain given rows, so none of them is used if one
    /// of these relations is given.
    pub fn with_replaced(&self, task: &Task, replaced: Vec<RelationId>) -> Scratch {
        let given = replaced.iter().filter_map(|id| task.relations.get(*id)).any(is_given);
        let shelf = self.shelf.as_ref().filter(|_| !given);
        let shelf = shelf.map(|(shelf, task)| (Arc::clone(shelf), *task));
        Scratch { rules: self.rules, shelf, filled: None, is_used: false, replaced }
    }

    /// Creates a scratch for queries that run while a suite is checked.
    pub fn new_checked() -> Scratch {
        Scratch { rules: &CHECKED, shelf: None, filled: None, is_used: false, replaced: Vec::new() }
    }

    /// Returns a database that contains these relations of a task's cell.
    pub fn load_relations(&mut self, task: &Task, tables: &Tables, relations: &[RelationId]) -> Res<&Database> {
        if self.filled.is_none() {
            self.filled = self.shelf.as_ref().and_then(|(shelf, task)| shelf.take_database(*task));
            self.is_used = self.filled.is_some();
        }
        if self.is_used
            && let Some(filled) = &mut self.filled
            && filled.load_relations((task, tables), relations, &self.replaced).is_err()
        {
            // The remains of other cells may exceed the limits of one database; a new database behaves as if no other cell existed.
            self.filled = None;
            self.is_used = false;
        }
        let filled = match &mut self.filled {
            Some(filled) => filled,
            None => {
                let (database, attached, loaded) = (Database::new_empty(self.rules)?, Vec::new(), Vec::new());
                self.filled.insert(Filled { database, attached, loaded, values: 0 })
            }
        };
        match filled.load_relations((task, tables), relations, &self.replaced) {
            Ok(()) => {}
            Err(failure) => {
                // A part of the relation may have been loaded.
                self.filled = None;
                return Err(failure);
            }
        }
        match &self.filled {
            Some(filled) => Ok(&filled.database),
            None => fail(FailureKind::SqlAtBuild, "no database"),
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let (Some((shelf, task)), Some(mut filled)) = (&self.shelf, self.filled.take())
            && filled.values > 0
            && filled.without_drawn()
        {
            shelf.put_database(*task, filled);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shelf_lets_go_what_was_put_back_first() {
        let shelf = Shelf::default();
        let put = |task, values| {
            let database = Database::new_empty(&AUTHOR).unwrap();
            shelf.put_database(task, Filled { database, attached: Vec::new(), loaded: Vec::new(), values });
        };
        put(1, MAX_SHELF_VALUES / 2);
        put(2, MAX_SHELF_VALUES / 2);
        assert!(shelf.take_database(3).is_none());
        assert!(shelf.take_database(1).is_some() && shelf.take_database(1).is_none(), "it is of one cell at a time");
        put(1, MAX_SHELF_VALUES / 2);
        put(3, 1);
        assert!(shelf.take_database(2).is_none(), "the oldest");
        assert!(shelf.take_database(1).is_some() && shelf.take_database(3).is_some());
        put(4, MAX_SHELF_VALUES + 1);
        assert!(shelf.take_database(4).is_none(), "too large to be kept");
    }

    #[test]
    fn what_was_drawn_is_gone_and_what_is_given_stays() {
        let database = Database::new_empty(&AUTHOR).unwrap();
        let make = "ATTACH ':memory:' AS l; CREATE TABLE l.v (A); INSERT INTO l.v VALUES (1); CREATE TABLE \"t u\" (B)";
        database.with_connection(|connection| connection.execute_batch(make)).unwrap();
        let loaded = |at, drawn: Option<&str>| Loaded { relation: RelationId(at), drawn: drawn.map(str::to_owned) };
        let loaded = vec![loaded(0, None), loaded(1, Some("\"t u\""))];
        let mut filled = Filled { database, attached: vec!["l".to_owned()], loaded, values: 1 };
        assert!(filled.without_drawn());
        assert_eq!(filled.loaded.len(), 1);
        let count = |table: &str| {
            filled.database.with_connection(|connection| {
                connection
                    .query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get::<_, i64>(0))
                    .map(|_| ())
            })
        };
        assert!(count("l.v").is_ok() && count("\"t u\"").is_err());
        // A table that cannot be removed: the database is not used again.
        filled.loaded.push(Loaded { relation: RelationId(2), drawn: Some("none".to_owned()) });
        assert!(!filled.without_drawn());
    }
}
