//! Rows that may not repeat in several columns together: `unique (A, B)`, `key (A, B)`.
//!
//! The last of the columns to be made sees to it: a value that would repeat a row is thrown back. So a row needs only the rows above it,
//! and adding one changes none.

use std::collections::HashSet;
use std::fmt::Write as _;

use plan::suite::{ColumnId, ColumnSource, Constraint, DomainExpr, Draw, Relation, RelationId};
use plan::{Val, Value};

use super::cell::Table;
use super::column::Column;
use super::eval::{Eval, Res};
use crate::Failure;
use crate::failure::FailureKind;

/// The relation and columns of which a draw takes one, all from the same row.
pub(crate) fn together(draw: &Draw) -> Option<(RelationId, &[ColumnId])> {
    match &draw.domain {
        DomainExpr::Ref { relation, together, .. } if !together.is_empty() => Some((*relation, together)),
        _ => None,
    }
}

/// What identifies several values together; none where one is null, because then nothing equals them.
pub(crate) fn key<'v>(values: impl Iterator<Item = Val<'v>>) -> Option<String> {
    let mut key = String::new();
    for value in values {
        if value.is_null() {
            return None;
        }
        let text = value.render();
        // The length in front keeps ("a", "bc") from ("ab", "c").
        let _ = write!(key, "{}:{text}", text.len());
    }
    Some(key)
}

/// The constraints that a column completes, and the rows so far.
pub(crate) struct Tuples<'a> {
    relation: &'a Relation,
    table: &'a Table,
    /// The columns decided by a value: the one being made, or all that take their cells from one row.
    members: Vec<ColumnId>,
    /// Where a value is a row of another relation: its columns, as `members`.
    parent: Option<(&'a Table, Vec<ColumnId>)>,
    sets: Vec<(&'a Constraint, HashSet<String>)>,
}

impl<'a> Tuples<'a> {
    /// Of the column `id`, which is drawn so; none where any value will do.
    pub fn of(
        eval: Eval<'a>,
        relation: &'a Relation,
        id: ColumnId,
        draw: &Draw,
        table: &'a Table,
        by_row: bool,
    ) -> Res<Option<Tuples<'a>>> {
        if relation.constraints.is_empty() {
            return Ok(None);
        }
        let (members, parent) = match together(draw) {
            None => (vec![id], None),
            Some((target, _)) => {
                let (own, theirs) = siblings(relation, id);
                (own, Some((eval.table(target)?, theirs)))
            }
        };
        let made = made_before(relation, &members);
        // Each row of a parent once, by a permutation, makes all that holds these columns unique.
        let each_once = draw.unique && !by_row && parent.is_some();
        let mut left = false;
        let mut sets = Vec::new();
        for constraint in completed(relation, &members, &made) {
            let given = each_once && members.iter().all(|member| constraint.columns.contains(member));
            left |= !given;
            sets.push((constraint, HashSet::new()));
        }
        Ok(left.then_some(Tuples { relation, table, members, parent, sets }))
    }

    /// Whether a value, or row of the parent, repeats no row above.
    pub fn is_new(&self, row: usize, value: &Value) -> bool {
        self.sets
            .iter()
            .all(|(constraint, seen)| self.key(constraint, row, value).is_none_or(|key| !seen.contains(&key)))
    }

    /// Takes a value for a row.
    pub fn take(&mut self, row: usize, value: &Value) {
        for at in 0..self.sets.len() {
            let Some(key) = self.sets.get(at).and_then(|(constraint, _)| self.key(constraint, row, value)) else {
                continue;
            };
            if let Some((_, seen)) = self.sets.get_mut(at) {
                seen.insert(key);
            }
        }
    }

    /// The cell of the column `id` for a drawn value, which for a `ref` of several columns is the number of a row.
    pub fn cell<'v>(&'v self, id: ColumnId, value: &'v Value) -> Val<'v> {
        let Some((parent, columns)) = &self.parent else { return Val::Ref(value) };
        let place = self.members.iter().position(|member| *member == id);
        let column = place.and_then(|place| columns.get(place)).and_then(|id| parent.columns.get(*id));
        match (column, value) {
            (Some(column), Value::Int(row)) => column.get(*row as usize),
            _ => Val::NULL,
        }
    }

    fn key(&self, constraint: &Constraint, row: usize, value: &Value) -> Option<String> {
        key(constraint.columns.iter().map(|id| {
            if self.members.contains(id) {
                return self.cell(*id, value);
            }
            self.table.columns.get(*id).map_or(Val::NULL, |column| column.get(row))
        }))
    }

    /// No value is left for a row.
    pub fn exhausted(&self, id: ColumnId, row: usize) -> Box<Failure> {
        let name = self.relation.columns.get(id).map_or("", |column| column.name.as_str());
        let all: Vec<String> =
            self.sets.iter().map(|(constraint, _)| format!("({})", names(self.relation, constraint))).collect();
        let message = format!(
            "row {} of `{}` has no value left for `{name}` that repeats no row above in {}",
            row + 1,
            self.relation.name,
            all.join(" or ")
        );
        let failure = Failure::new(FailureKind::ExhaustedDomain, message);
        Box::new(failure.help(format!(
            "`{name}` is drawn last, for what the other columns are by then: give it a larger domain, or ask for fewer rows"
        )))
    }
}

/// Says so where a computed column makes rows repeat.
pub(crate) fn check(relation: &Relation, id: ColumnId, made: &Column, table: &Table) -> Res<()> {
    if relation.constraints.is_empty() {
        return Ok(());
    }
    let before = made_before(relation, &[id]);
    for constraint in completed(relation, &[id], &before) {
        // By key the first row with it; only looked up.
        let mut seen = std::collections::HashMap::new();
        for row in 0..table.rows {
            let cells = || {
                constraint.columns.iter().map(|column| {
                    let of_table = || table.columns.get(*column).map(|column| &**column);
                    let column = if *column == id { Some(made) } else { of_table() };
                    column.map_or(Val::NULL, |column| column.get(row))
                })
            };
            let Some(key) = key(cells()) else { continue };
            let Some(first) = seen.insert(key, row) else { continue };
            let values: Vec<String> = cells().map(|value| value.render().into_owned()).collect();
            let names = names(relation, constraint);
            let message = format!(
                "rows {} and {} of `{}` have the same ({names}): {}",
                first + 1,
                row + 1,
                relation.name,
                values.join(", ")
            );
            let failure = Failure::new(FailureKind::FailedComputation, message).or_span(constraint.span);
            let name = relation.columns.get(id).map_or("", |column| column.name.as_str());
            return Err(Box::new(failure.help(format!(
                "`{name}` is computed, so it cannot be drawn again: compute it from what differs, or draw it"
            ))));
        }
    }
    Ok(())
}

/// All columns that take their cells from the same row as `id`, and the columns of that row.
fn siblings(relation: &Relation, id: ColumnId) -> (Vec<ColumnId>, Vec<ColumnId>) {
    let of =
        |column: &plan::suite::Column| match &column.source {
            ColumnSource::Draw {
                draw: Draw { domain: DomainExpr::Ref { column, together, .. }, .. }, group, ..
            } if !together.is_empty() => Some((group.clone(), *column)),
            _ => None,
        };
    let group = relation.columns.get(id).and_then(of).map(|(group, _)| group);
    let all = relation.columns.iter_enumerated();
    all.filter_map(|(id, column)| {
        of(column).filter(|(own, _)| Some(own) == group.as_ref()).map(|(_, theirs)| (id, theirs))
    })
    .unzip()
}

/// The columns made before the first of `members`.
fn made_before(relation: &Relation, members: &[ColumnId]) -> Vec<ColumnId> {
    relation.order.iter().copied().take_while(|id| !members.contains(id)).collect()
}

/// What is unique together once `members` are made, where no column of it is unique alone.
fn completed<'a>(
    relation: &'a Relation,
    members: &[ColumnId],
    made: &[ColumnId],
) -> impl Iterator<Item = &'a Constraint> {
    let alone = |id: &ColumnId| relation.columns.get(*id).is_some_and(|column| column.cells.unique);
    relation.constraints.iter().filter(move |constraint| {
        let columns = &constraint.columns;
        constraint.is_unique()
            && columns.iter().any(|id| members.contains(id))
            && columns.iter().all(|id| members.contains(id) || made.contains(id))
            && !columns.iter().any(alone)
    })
}

fn names(relation: &Relation, constraint: &Constraint) -> String {
    let columns = constraint.columns.iter().filter_map(|id| relation.columns.get(*id));
    columns.map(|column| column.name.as_str()).collect::<Vec<_>>().join(", ")
}
