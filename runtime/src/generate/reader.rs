//! What the answer is to a reader who has the files alone and knows how they are written: relations put together from what is read back, and the answer
//! computed from them.

use std::collections::BTreeSet;
use std::rc::Rc;

use plan::answer_key::Expected;
use plan::suite::{Expect, FileId, Relation, RelationId, Rows, Task};
use plan::uses::Uses;

use super::answers;
use super::cell::{Cell, Table};
use super::eval::{Eval, Res};
use super::portion::{Joined, Portion, is_read};
use super::stages;
use super::{Address, Generator};
use crate::Failure;

/// What a reader of the files takes for right.
#[derive(Debug)]
pub struct Believed {
    /// The answer key as it is computed from the files.
    pub key: Result<BelievedKey, Failure>,
    /// The same if the reader had been told the columns of [`Believed::computed`]; none if there are none.
    pub told: Option<Result<BelievedKey, Failure>>,
    /// Columns of what the answer reads from which something in the files is computed, and which cannot be read back: `ledger.VOID`.
    pub computed: Vec<String>,
    /// Columns that are not in a file at all: nulls to the reader.
    pub absent: Vec<String>,
}

/// An answer key as a reader computes it.
#[derive(Debug)]
pub struct BelievedKey {
    /// Of the question.
    pub expects: Vec<Expected>,
    /// Of each stage that is scored with it.
    pub stages: Vec<Vec<Expected>>,
}

/// A relation as it is put together.
struct Read {
    id: RelationId,
    rows: Joined,
}

impl Generator<'_> {
    /// What the answer of an instance is to a reader who has the files alone. `None` if it reads nothing that is written in a way that has to be known.
    pub fn believed(&self, address: Address) -> Result<Option<Believed>, Failure> {
        let (cell, _) = self.cell(address)?;
        believed(cell, address.variant).map_err(|failure| *failure)
    }
}

fn believed(mut cell: Cell<'_>, variant: u32) -> Res<Option<Believed>> {
    let task = cell.task;
    let variant = task.variants.get(variant as usize);
    for name in variant.iter().flat_map(|variant| &variant.steps) {
        cell.make_name(*name)?;
    }
    stages::scored(task).try_for_each(|stage| stages::make_names(&mut cell, stage))?;
    let expects = variant.map_or(&task.expects, |variant| &variant.expects).as_slice();
    let in_stages = stages::scored(task).flat_map(|stage| &stage.way.expects);
    let needed = Uses::of_computations(task, expects.iter().chain(in_stages).filter_map(Expect::expr));

    let mut read = Vec::new();
    let mut said = Believed {
        key: Ok(BelievedKey { expects: Vec::new(), stages: Vec::new() }),
        told: None,
        computed: Vec::new(),
        absent: Vec::new(),
    };
    for id in &needed.relations {
        let (files, Some(relation)) = (files_of(task, *id), task.relations.get(*id)) else { continue };
        if files.is_empty() {
            continue;
        }
        let portions = files.iter().map(|file| Portion::read(&cell, *file, *id)).collect::<Res<Vec<_>>>();
        let joined = portions.and_then(|portions| Joined::of(&cell, *id, relation, portions));
        match joined {
            Ok(rows) => {
                let (computed, absent) = unread(relation, &rows);
                said.computed.extend(computed);
                said.absent.extend(absent);
                read.push(Read { id: *id, rows });
            }
            Err(failure) => return Ok(Some(Believed { key: Err(*failure), ..said })),
        }
    }
    if read.is_empty() {
        return Ok(None);
    }
    said.key = key(&cell, expects, &needed, &read, false).map_err(|failure| *failure);
    if !said.computed.is_empty() {
        said.told = Some(key(&cell, expects, &needed, &read, true).map_err(|failure| *failure));
    }
    Ok(Some(said))
}

/// The answer key as it is computed from what was read; with `told`, columns from which others are computed are known.
fn key<'a>(cell: &Cell<'a>, expects: &'a [Expect], needed: &Uses<'_>, read: &[Read], told: bool) -> Res<BelievedKey> {
    let mut tables: Vec<(RelationId, Rc<Table>)> = Vec::with_capacity(read.len());
    for one in read {
        let truth = if told { Some(Eval::new(cell).table(one.id)?) } else { None };
        if let Some(relation) = cell.task.relations.get(one.id) {
            tables.push((one.id, Rc::new(one.rows.table(relation, truth))));
        }
    }
    let task = cell.task;
    let other = cell.with_replaced(&tables, needed)?;
    let expects = expects.iter().map(|expect| answers::expected(Eval::new(&other), expect)).collect::<Res<_>>()?;
    let stages = stages::scored(task)
        .map(|stage| stages::expected(stage, |expect| answers::expected(Eval::new(&other), expect)));
    Ok(BelievedKey { expects, stages: stages.collect::<Res<_>>()? })
}

/// The files that rows of a relation are read from, where they are written in a way that has to be known; else none: the rows are in a file as they are, or in
/// none, and then the prompt may tell them.
fn files_of(task: &Task, id: RelationId) -> Vec<FileId> {
    let Some(relation) = task.relations.get(id) else { return Vec::new() };
    let is_seen = match &relation.rows {
        Rows::Lines(_) | Rows::View(_) => true,
        Rows::Query(name) => {
            let bases = task.computed(*name).map(|value| Uses::of_computation(task, value).relations);
            bases.is_some_and(|bases| bases.iter().filter(|base| **base != id).all(|base| is_known(task, *base)))
        }
        _ => relation.file.is_some_and(|own| !is_read(task, own)),
    };
    if is_seen { Vec::new() } else { written_from(task, id) }
}

/// The files that have rows of a relation: its own, and those that take rows of it.
fn written_from(task: &Task, id: RelationId) -> Vec<FileId> {
    let has = |file: &FileId| {
        let relations = task.files.get(*file).map_or(&[][..], |file| file.content.relations());
        relations.iter().any(|relation| {
            let rows = task.relations.get(*relation).map(|relation| &relation.rows);
            *relation == id || matches!(rows, Some(Rows::Taken { from, .. }) if *from == id)
        })
    };
    task.files.keys().filter(|file| is_read(task, *file) && has(file)).collect()
}

/// Whether the rows of a relation are in files, or are computed from such.
fn is_known(task: &Task, id: RelationId) -> bool {
    let Some(relation) = task.relations.get(id) else { return false };
    relation.file.is_some()
        || matches!(relation.rows, Rows::Query(_) | Rows::Lines(_) | Rows::View(_))
        || !written_from(task, id).is_empty()
}

/// The columns of a relation that are not read: those from which something in a file is computed, and others.
fn unread(relation: &Relation, rows: &Joined) -> (Vec<String>, Vec<String>) {
    let unread = relation.own_columns().filter(|(id, _)| !rows.has(*id));
    let (computed, absent): (Vec<_>, Vec<_>) = unread.partition(|(id, _)| rows.is_computed_from(*id));
    // Helpers are seldom more than a step on the way to what is written.
    let seen: BTreeSet<_> = absent.iter().filter(|(_, column)| !column.helper).map(|(id, _)| *id).collect();
    let absent = absent.into_iter().filter(|(id, _)| seen.is_empty() || seen.contains(id));
    let name = |column: &str| format!("{}.{column}", relation.name);
    (
        computed.into_iter().map(|(_, column)| name(&column.name)).collect(),
        absent.map(|(_, column)| name(&column.name)).collect(),
    )
}
