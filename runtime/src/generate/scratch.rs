//! Copies of relations for queries over more than one file, made as they are asked for. What is given, not drawn, is the same for all instances of a task:
//! when a cell is done, its database goes back to a shelf without the tables that were drawn, and the next cell finds the others in it.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use model::ddl;
use model::suite::{ColumnSource, FileContent, FixtureKind, Relation, RelationId, Rows, Task};
use sqlite::{AUTHOR, CHECKED, Rules};

use super::eval::{Eval, Res, fail};
use super::sqlite::{Database, build_replaced_sql, build_table_sql, insert_rows};
use crate::failure::FailureKind;

/// So many values may be in the databases on a shelf.
const MAX_SHELF_VALUES: usize = 4 << 20;

/// How many bytes of a file count as a value.
const BYTES_OF_A_VALUE: usize = 16;

/// The slot of a cell's copies.
pub(crate) type ScratchSlot = RefCell<Scratch>;

/// Databases that no cell uses now, each with the index of its task; the one that was put back last is the last.
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

/// A database with copies.
struct Filled {
    database: Database,
    attached: Vec<String>,
    loaded: Vec<Loaded>,
    /// How many values of given relations it has.
    values: usize,
}

struct Loaded {
    relation: RelationId,
    /// The table, unless it is given.
    drawn: Option<String>,
}

impl Filled {
    fn load_relations(&mut self, eval: Eval<'_>, relations: &[RelationId], replaced: &[RelationId]) -> Res<()> {
        let task = eval.cell.task;
        for id in relations {
            if self.loaded.iter().any(|loaded| loaded.relation == *id) {
                continue;
            }
            let Some(relation) = task.relations.get(*id) else { continue };
            let schema = relation.database_name();
            if let (Some(schema), Some(bytes)) = (schema, find_fixture(task, relation, replaced)) {
                // The file itself: a copy has neither its collations and rowids nor each cell as it is stored.
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
            let table = eval.find_table(*id)?;
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

    /// Removes what was drawn; whether that succeeds.
    fn without_drawn(&mut self) -> bool {
        let tables = self.loaded.iter().filter_map(|loaded| loaded.drawn.as_ref());
        let removed: String = tables.map(|table| format!("DROP TABLE {table};")).collect();
        self.loaded.retain(|loaded| loaded.drawn.is_none());
        removed.is_empty() || self.database.with_connection(|connection| connection.execute_batch(&removed)).is_ok()
    }
}

/// The SQLite fixture that a relation is a table of, where queries can be run on that. SQLite attaches no database in UTF-16 to one in UTF-8.
fn find_fixture<'t>(task: &'t Task, relation: &Relation, replaced: &[RelationId]) -> Option<&'t [u8]> {
    /// Where the header of a database says its encoding, and what it says of UTF-8 (https://sqlite.org/fileformat.html).
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

/// Whether all of it is in the plan: it is the same for every instance.
fn is_given(relation: &Relation) -> bool {
    let mut written = relation.iter_written_columns().map(|(_, column)| column);
    matches!(relation.rows, Rows::Given(_)) && written.all(|column| matches!(column.source, ColumnSource::Given(_)))
}

/// The copies of a cell.
pub(crate) struct Scratch {
    /// What a query may take.
    rules: &'static Rules,
    /// Where its database is from, and goes: of which task.
    shelf: Option<(Arc<Shelf>, u32)>,
    filled: Option<Filled>,
    /// Whether another cell had it before.
    is_used: bool,
    /// The relations that have other rows than they were given or drawn.
    replaced: Vec<RelationId>,
}

impl Scratch {
    /// For queries of instances of a task.
    pub fn new(shelf: &Arc<Shelf>, task: u32) -> Scratch {
        let shelf = Some((Arc::clone(shelf), task));
        Scratch { rules: &AUTHOR, shelf, filled: None, is_used: false, replaced: Vec::new() }
    }

    /// For a cell in which `replaced` have other rows. On the shelf are databases with the rows that are given, so that it takes none of them
    /// where one of these relations is given.
    pub fn with_replaced(&self, task: &Task, replaced: Vec<RelationId>) -> Scratch {
        let given = replaced.iter().filter_map(|id| task.relations.get(*id)).any(is_given);
        let shelf = self.shelf.as_ref().filter(|_| !given);
        let shelf = shelf.map(|(shelf, task)| (Arc::clone(shelf), *task));
        Scratch { rules: self.rules, shelf, filled: None, is_used: false, replaced }
    }

    /// For queries that are run while a suite is checked.
    pub fn new_checked() -> Scratch {
        Scratch { rules: &CHECKED, shelf: None, filled: None, is_used: false, replaced: Vec::new() }
    }

    /// A database that has these relations.
    pub fn load_relations(&mut self, eval: Eval<'_>, relations: &[RelationId]) -> Res<&Database> {
        if self.filled.is_none() {
            self.filled = self.shelf.as_ref().and_then(|(shelf, task)| shelf.take_database(*task));
            self.is_used = self.filled.is_some();
        }
        if self.is_used
            && let Some(filled) = &mut self.filled
            && filled.load_relations(eval, relations, &self.replaced).is_err()
        {
            // What other cells left in it may be too much for one database: without that it is as if there had been no other cell.
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
        match filled.load_relations(eval, relations, &self.replaced) {
            Ok(()) => {}
            Err(failure) => {
                // Some of it may be there.
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
