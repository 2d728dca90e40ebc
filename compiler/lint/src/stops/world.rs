//! One imagined sample of a task: values for the names and tables that matter, chosen as a build could draw them. It has only some of the values of a build.

use std::collections::BTreeMap;

use model::suite::{ColumnId, NameId, RelationId};
use model::{TiVec, Value};

use super::chance::{Pick, mix};
use super::fault::{Res, Stop};
use hir::{Expr, Task};

/// The maximum number of rows of a table whose cells are imagined.
const MAX_ROWS: u64 = 100;

/// The maximum number of steps for one sample.
const MAX_WORK: u64 = 8_000;

/// Values that a draw should try: those that the source compares with.
pub(super) type Hints<K> = BTreeMap<K, Vec<Value>>;

/// How the draws of a sample are chosen.
#[derive(Clone)]
pub(super) struct Choices<'w> {
    /// The number from which all others follow.
    pub seed: u64,
    /// Whether names are often at the ends of their domains.
    pub biased: bool,
    /// Names that are drawn anew, without bias, by these numbers.
    pub redrawn: BTreeMap<NameId, u64>,
    /// Values to try for names.
    pub names: &'w Hints<NameId>,
    /// Values to try for the cells of columns.
    pub columns: &'w Hints<(RelationId, ColumnId)>,
}

/// An imagined sample.
pub(super) struct World<'a> {
    /// The task.
    pub task: &'a Task,
    /// How draws are chosen.
    pub choices: Choices<'a>,
    names: TiVec<NameId, Res<Value>>,
    tables: TiVec<RelationId, Res<Table>>,
    work: std::cell::Cell<u64>,
    /// Calls whose values are given, by the place of the call in memory.
    given: Vec<(&'a Expr, Value)>,
}

/// An imagined table.
#[derive(Clone, Debug)]
pub(super) struct Table {
    /// The number of rows.
    pub rows: u64,
    /// The cells of the columns that matter.
    pub columns: TiVec<ColumnId, Res<Vec<Value>>>,
}

impl Table {
    /// The number of rows, if there are few enough to know their cells.
    pub(super) fn count_known_rows(&self) -> Res<usize> {
        if self.rows <= MAX_ROWS { Ok(self.rows as usize) } else { Err(Stop::Unknown) }
    }

    /// The cells of a column.
    pub(super) fn read_column(&self, column: ColumnId) -> Res<&Vec<Value>> {
        match self.columns.get(column) {
            Some(Ok(cells)) => Ok(cells),
            Some(Err(stop)) => Err(stop.clone()),
            None => Err(Stop::Unknown),
        }
    }

    /// A cell.
    pub(super) fn read_cell(&self, column: ColumnId, row: usize) -> Res<Value> {
        self.read_column(column)?.get(row).cloned().ok_or(Stop::Unknown)
    }
}

impl<'a> World<'a> {
    /// Creates a sample in which nothing is known yet.
    pub(super) fn new(task: &'a Task, choices: Choices<'a>) -> World<'a> {
        World {
            task,
            choices,
            names: TiVec::from(vec![Err(Stop::Unknown); task.names.len()]),
            tables: task.relations.iter().map(|_| Err(Stop::Unknown)).collect(),
            work: std::cell::Cell::new(0),
            given: Vec::new(),
        }
    }

    /// Counts steps. Too many are as if nothing were known.
    pub(super) fn spend_work(&self, steps: u64) -> Res<()> {
        self.work.set(self.work.get() + steps);
        if self.work.get() > MAX_WORK { Err(Stop::Unknown) } else { Ok(()) }
    }

    /// The number of steps until now.
    pub(super) fn count_work(&self) -> u64 {
        self.work.get()
    }

    /// Counts steps from 0 again.
    pub(super) fn begin_again(&mut self) {
        self.work.set(0);
    }

    /// Gives the values of calls.
    pub(super) fn set_given(&mut self, given: Vec<(&'a Expr, Value)>) {
        self.given = given;
    }

    /// The value that is given for a call.
    pub(super) fn find_given(&self, expr: &Expr) -> Option<Value> {
        let found = self.given.iter().find(|(call, _)| std::ptr::eq(*call, expr));
        found.map(|(_, value)| value.clone())
    }

    /// The value of a name.
    pub(super) fn read_name(&self, id: NameId) -> Res<Value> {
        self.names.get(id).cloned().unwrap_or(Err(Stop::Unknown))
    }

    /// A table.
    pub(super) fn read_table(&self, id: RelationId) -> Res<&Table> {
        match self.tables.get(id) {
            Some(Ok(table)) => Ok(table),
            Some(Err(stop)) => Err(stop.clone()),
            None => Err(Stop::Unknown),
        }
    }

    /// Keeps the value of a name, and returns the reason if there is none.
    pub(super) fn keep_name(&mut self, id: NameId, made: Res<Value>) -> Res<()> {
        let reason = made.as_ref().map(|_| ()).map_err(Clone::clone);
        if let Some(place) = self.names.get_mut(id) {
            *place = made;
        }
        reason
    }

    /// Keeps a table, and returns the reason if it or one of its columns failed.
    pub(super) fn keep_table(&mut self, id: RelationId, made: Res<Table>) -> Res<()> {
        let failed = match &made {
            Ok(table) => table.columns.iter().find_map(|column| match column {
                Err(stop @ Stop::Fails(_)) => Some(stop.clone()),
                _ => None,
            }),
            Err(stop) => Some(stop.clone()),
        };
        if let Some(place) = self.tables.get_mut(id) {
            *place = made;
        }
        failed.map_or(Ok(()), Err)
    }

    /// How a name is chosen.
    pub(super) fn pick_name(&self, id: NameId) -> Pick {
        let own = u64::from(id.0);
        match self.choices.redrawn.get(&id) {
            Some(word) => Pick::Drawn(mix(&[*word, own])),
            None if self.choices.biased => Pick::from_word(mix(&[self.choices.seed, 3, own])),
            None => Pick::Drawn(mix(&[self.choices.seed, 3, own])),
        }
    }

    /// The values of all names that are known.
    pub(super) fn iter_known_names(&self) -> impl Iterator<Item = (NameId, &Value)> {
        self.names.iter_enumerated().filter_map(|(id, value)| Some((id, value.as_ref().ok()?)))
    }
}
