//! Rows that must not repeat in a combination of columns: `unique (A, B)`, `key (A, B)`.
//!
//! The last of these columns to be made enforces it: a value that would repeat a row is rejected. A row therefore depends only on the rows above it,
//! and adding one never changes the others. An earlier column makes sure that values are left for the last one: if more rows have the same values
//! until now than the remaining columns can distinguish, no draw of these could succeed, and the value of the first row beyond that number is
//! rejected.

use std::collections::{HashMap, HashSet};

use model::suite::{ColumnId, ColumnSource, Constraint, DomainExpr, Draw, Relation, RelationId};
use model::{Val, Value};

use super::choice::{self, Choice};
use super::column::Column;
use super::context::Eval;
use super::failures::{OrSpan, Res, fail_with_help};
use super::sampler::Counting;
use super::table::{Table, build_key};
use crate::failure::FailureKind;

/// Returns the relation and the columns from which a draw takes cells of the same row.
pub(crate) fn find_joint_columns(draw: &Draw) -> Option<(RelationId, &[ColumnId])> {
    match &draw.domain {
        DomainExpr::Ref { relation, together, .. } if !together.is_empty() => Some((*relation, together)),
        _ => None,
    }
}

/// The constraints that a column completes, and the rows until now.
pub(crate) struct Tuples<'a> {
    relation: &'a Relation,
    table: &'a Table,
    /// The columns that a value determines: the one being made, or all that take their cells from one row.
    members: Vec<ColumnId>,
    /// If a value is a row of another relation: that table, and its columns in the order of `members`.
    parent: Option<(&'a Table, Vec<ColumnId>)>,
    sets: Vec<Set<'a>>,
}

/// A combination of unique columns, and the rows until now.
struct Set<'a> {
    constraint: &'a Constraint,
    /// Its columns that are made or being made.
    columns: Vec<ColumnId>,
    /// Maximum number of rows with the same values in these columns; 1 if all are made.
    most: u64,
    /// Number of rows by the key of their values.
    seen: HashMap<String, u64>,
}

impl<'a> Set<'a> {
    fn from_completed(constraint: &'a Constraint) -> Set<'a> {
        Set { constraint, columns: constraint.columns.clone(), most: 1, seen: HashMap::new() }
    }
}

impl<'a> Tuples<'a> {
    /// Creates the tracker of the column `id`, which is drawn by `draw`; `None` if every value is allowed.
    pub fn try_new(
        eval: Eval<'a>,
        relation: &'a Relation,
        id: ColumnId,
        draw: &Draw,
        table: &'a Table,
    ) -> Res<Option<Tuples<'a>>> {
        if relation.constraints.is_empty() {
            return Ok(None);
        }
        let new = Tuples::new_without_sets(eval, relation, id, draw, table)?;
        // A permutation uses each row of a parent once, which makes every combination with these columns unique.
        let each_once = draw.unique && !choice::is_drawn_by_row(draw) && new.parent.is_some();
        let mut left = false;
        let mut sets = Vec::new();
        for constraint in list_completed(relation, &new.members) {
            let given = each_once && new.members.iter().all(|member| constraint.columns.contains(member));
            left |= !given;
            sets.push(Set::from_completed(constraint));
        }
        Ok(left.then_some(Tuples { sets, ..new }))
    }

    fn new_without_sets(
        eval: Eval<'a>,
        relation: &'a Relation,
        id: ColumnId,
        draw: &Draw,
        table: &'a Table,
    ) -> Res<Tuples<'a>> {
        let (members, parent) = match find_joint_columns(draw) {
            None => (vec![id], None),
            Some((target, _)) => {
                let (own, theirs) = find_siblings(relation, id);
                (own, Some((eval.find_table(target)?, theirs)))
            }
        };
        Ok(Tuples { relation, table, members, parent, sets: Vec::new() })
    }

    /// Creates the tracker of the column `id`, whose values are drawn but not yet sorted. It rejects values that leave none for the columns made
    /// later, and values that repeat a row. Returns `None` if the drawn values leave enough for the later columns, as far as their number is known.
    pub fn with_room(
        eval: Eval<'a>,
        relation: &'a Relation,
        id: ColumnId,
        draw: &Draw,
        table: &'a Table,
        drawn: &Column,
    ) -> Res<Option<Tuples<'a>>> {
        if relation.constraints.is_empty() || draw.unique {
            return Ok(None);
        }
        let mut new = Tuples::new_without_sets(eval, relation, id, draw, table)?;
        let made = list_made_columns(relation, &new.members);
        let mut is_full = false;
        for constraint in list_unique_sets(relation, &new.members) {
            let (columns, to_come): (Vec<ColumnId>, Vec<ColumnId>) =
                constraint.columns.iter().partition(|id| made.contains(id));
            // In a sorted column, the rows with the same values are known only after sorting.
            if to_come.is_empty() || (draw.sorted && columns.len() > 1) {
                continue;
            }
            let most = Room { eval, relation, rows: table.rows as u64 }.count_combinations(&to_come);
            let Some(most) = most.filter(|most| *most < table.rows as u64) else { continue };
            is_full |= new.parent.is_some() || new.is_beyond(&columns, most, drawn);
            new.sets.push(Set { constraint, columns, most, seen: HashMap::new() });
        }
        if !is_full {
            return Ok(None);
        }
        new.sets.extend(list_completed(relation, &new.members).map(Set::from_completed));
        Ok(Some(new))
    }

    /// Checks whether more than `most` rows have the same values in these columns, one of which is being drawn.
    fn is_beyond(&self, columns: &[ColumnId], most: u64, drawn: &Column) -> bool {
        let mut seen: HashMap<String, u64> = HashMap::new();
        (0..self.table.rows).any(|row| {
            let cell = |id: &ColumnId| match self.members.contains(id) {
                true => drawn.get(row),
                false => self.table.read_cell(*id, row),
            };
            build_key(columns.iter().map(cell)).is_some_and(|key| {
                let count = seen.entry(key).or_default();
                *count += 1;
                *count > most
            })
        })
    }

    /// Checks that a value, or a row of the parent, does not repeat a row above.
    pub fn is_new(&self, row: usize, value: &Value) -> bool {
        let has_room = |set: &Set<'_>, key: &str| set.seen.get(key).is_none_or(|rows| *rows < set.most);
        self.sets.iter().all(|set| self.build_key(&set.columns, row, value).is_none_or(|key| has_room(set, &key)))
    }

    /// Records the value of a row.
    pub fn record_value(&mut self, row: usize, value: &Value) {
        let mut sets = std::mem::take(&mut self.sets);
        for set in &mut sets {
            if let Some(key) = self.build_key(&set.columns, row, value) {
                *set.seen.entry(key).or_default() += 1;
            }
        }
        self.sets = sets;
    }

    /// Returns the cell of the column `id` for a drawn value, which is a row number for a `ref` of several columns.
    pub fn resolve_cell<'v>(&'v self, id: ColumnId, value: &'v Value) -> Val<'v> {
        let Some((parent, columns)) = &self.parent else { return Val::Ref(value) };
        let place = self.members.iter().position(|member| *member == id);
        match (place.and_then(|place| columns.get(place)), value) {
            (Some(column), Value::Int(row)) => parent.read_cell(*column, *row as usize),
            _ => Val::NULL,
        }
    }

    fn build_key(&self, columns: &[ColumnId], row: usize, value: &Value) -> Option<String> {
        build_key(columns.iter().map(|id| {
            if self.members.contains(id) { self.resolve_cell(*id, value) } else { self.table.read_cell(*id, row) }
        }))
    }

    /// Fails because a row has no values left.
    pub fn fail_exhausted<T>(&self, id: ColumnId, row: usize) -> Res<T> {
        let name = self.relation.columns.get(id).map_or("", |column| column.name.as_str());
        let all: Vec<String> =
            self.sets.iter().map(|set| format!("({})", join_column_names(self.relation, set.constraint))).collect();
        let message = format!(
            "row {} of `{}` has no value left for `{name}` that repeats no row above in {}",
            row + 1,
            self.relation.name,
            all.join(" or ")
        );
        fail_with_help(
            FailureKind::ExhaustedDomain,
            message,
            format!(
                "`{name}` is drawn last, for what the other columns are by then: give it a larger domain, or ask for fewer rows"
            ),
        )
    }
}

/// Counts the rows that the remaining columns can distinguish.
struct Room<'a> {
    eval: Eval<'a>,
    relation: &'a Relation,
    /// Number of rows of the table; larger counts need not be exact.
    rows: u64,
}

impl Room<'_> {
    /// Returns the number of combinations of these columns; `None` if it is unknown, or if a null makes rows differ.
    fn count_combinations(&self, columns: &[ColumnId]) -> Option<u64> {
        let mut product = 1_u64;
        let mut counted: Vec<ColumnId> = Vec::new();
        for id in columns {
            if counted.contains(id) {
                continue;
            }
            let ColumnSource::Draw { draw, .. } = &self.relation.columns.get(*id)?.source else { return None };
            if draw.may_be_blank() || choice::is_drawn_by_row(draw) || matches!(draw.domain, DomainExpr::Exactly(_)) {
                return None;
            }
            let (together, of_parent) = find_siblings(self.relation, *id);
            let pairs = together.iter().zip(&of_parent).filter(|(own, _)| columns.contains(own));
            let (own, theirs): (Vec<ColumnId>, Vec<ColumnId>) = pairs.map(|(own, theirs)| (*own, *theirs)).unzip();
            let values = if own.is_empty() { self.count_values(draw)? } else { self.count_parent_rows(draw, &theirs)? };
            counted.push(*id);
            counted.extend(own);
            product = product.saturating_mul(values);
        }
        Some(product)
    }

    /// Returns the number of values that a draw can produce; it is never too small.
    fn count_values(&self, draw: &Draw) -> Option<u64> {
        // A failed computation is reported by the draw itself.
        let choice = Choice::new(self.eval, draw, Counting::Values).ok()?;
        let count = choice.count_values()?;
        // The exact number does not matter if it exceeds the number of rows.
        if choice.n.is_some() && choice.sampler.is_injective_for(Counting::Values) || count > u128::from(self.rows) {
            return u64::try_from(count).ok();
        }
        let at = |place: u64| choice.value_at(place).filter(|value| !choice.is_banned(&Val::Ref(value)));
        let values: HashSet<String> =
            (0..count as u64).filter_map(|place| build_key(std::iter::once(Val::Own(at(place)?)))).collect();
        Some(values.len() as u64)
    }

    /// Counts the different cells in these columns of the rows from which a draw takes one.
    fn count_parent_rows(&self, draw: &Draw, columns: &[ColumnId]) -> Option<u64> {
        let (parent, _) = find_joint_columns(draw)?;
        let parent = self.eval.find_table(parent).ok()?;
        let choice = Choice::new_for_rows(self.eval, draw, Counting::Rows).ok()?;
        let rows = (0..choice.n? as u64).filter_map(|place| choice.value_at(place));
        let cells = |row: Value| match row {
            Value::Int(row) => build_key(columns.iter().map(|id| parent.read_cell(*id, row as usize))),
            _ => None,
        };
        Some(rows.filter_map(cells).collect::<HashSet<String>>().len() as u64)
    }
}

/// Fails if a computed column makes rows repeat.
pub(crate) fn check_computed_column(relation: &Relation, id: ColumnId, made: &Column, table: &Table) -> Res<()> {
    if relation.constraints.is_empty() {
        return Ok(());
    }
    for constraint in list_completed(relation, &[id]) {
        // The first row by key, used only for lookups.
        let mut seen = HashMap::new();
        for row in 0..table.rows {
            let cell = |column: &ColumnId| if *column == id { made.get(row) } else { table.read_cell(*column, row) };
            let cells = || constraint.columns.iter().map(cell);
            let Some(key) = build_key(cells()) else { continue };
            let Some(first) = seen.insert(key, row) else { continue };
            let values: Vec<String> = cells().map(|value| value.render_text().into_owned()).collect();
            let names = join_column_names(relation, constraint);
            let message = format!(
                "rows {} and {} of `{}` have the same ({names}): {}",
                first + 1,
                row + 1,
                relation.name,
                values.join(", ")
            );
            let name = relation.columns.get(id).map_or("", |column| column.name.as_str());
            let help =
                format!("`{name}` is computed, so it cannot be drawn again: compute it from what differs, or draw it");
            return fail_with_help(FailureKind::FailedComputation, message, help).or_span(constraint.span);
        }
    }
    Ok(())
}

/// Returns all columns that take their cells from the same row as `id`, and the columns of that row.
fn find_siblings(relation: &Relation, id: ColumnId) -> (Vec<ColumnId>, Vec<ColumnId>) {
    let of =
        |column: &model::suite::Column| match &column.source {
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

/// Returns the columns that are made when `members` are.
fn list_made_columns(relation: &Relation, members: &[ColumnId]) -> Vec<ColumnId> {
    let before = relation.order.iter().take_while(|id| !members.contains(id));
    before.chain(members).copied().collect()
}

/// Returns the unique combinations with any of `members`, if no column of them is unique by itself.
fn list_unique_sets<'a>(relation: &'a Relation, members: &[ColumnId]) -> impl Iterator<Item = &'a Constraint> {
    let alone = |id: &ColumnId| relation.columns.get(*id).is_some_and(|column| column.cells.unique);
    relation.constraints.iter().filter(move |constraint| {
        let columns = &constraint.columns;
        constraint.is_unique() && columns.iter().any(|id| members.contains(id)) && !columns.iter().any(alone)
    })
}

/// Returns those that are complete when `members` are made.
fn list_completed<'a>(relation: &'a Relation, members: &[ColumnId]) -> impl Iterator<Item = &'a Constraint> {
    let made = list_made_columns(relation, members);
    list_unique_sets(relation, members).filter(move |set| set.columns.iter().all(|id| made.contains(id)))
}

fn join_column_names(relation: &Relation, constraint: &Constraint) -> String {
    let columns = constraint.columns.iter().filter_map(|id| relation.columns.get(*id));
    columns.map(|column| column.name.as_str()).collect::<Vec<_>>().join(", ")
}
