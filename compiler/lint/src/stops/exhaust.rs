//! Proofs that a place cannot stop a build, by all combinations of the values on which it depends, if they are few.
//!
//! A value is that of a drawn name, of another column in the row, or of an aggregate, a query, or a file of which the possible values are known. Each of them
//! is combined with each other, so there may be more combinations than a build has, but never fewer.

use std::collections::BTreeMap;

use model::pattern::compile_anchored;
use model::suite::{ColumnId, NameId, RelationId, Scope};
use model::value::is_blank;
use model::{TiVec, Value};

use super::chance::Pick;
use super::draws::{Choice, check_lorem, evaluate_share, list_banned};
use super::eval::{Eval, Row};
use super::fault::{Res, Stop};
use super::guards::Guard;
use super::leaves::{Collector, Leaves, MAX_COMBINED, MAX_DEPTH};
use super::safe::Safety;
use super::tables::{check_row_bounds, make_table};
use super::world::{Choices, World};
use hir::facts::Facts;
use hir::{Draw, DrawDomain, Expr};

/// The most values of an expression that are told apart.
const MAX_FOUND: usize = 1_000;

/// A place that may have no value.
#[derive(Clone, Copy)]
pub(super) enum Place<'a> {
    /// An expression.
    Value(&'a Expr),
    /// An expression whose values are listed.
    Listed(&'a Expr),
    /// A draw, with the number of its values that must differ.
    Draw(&'a Draw, u128),
    /// A text that must not be blank.
    Visible(&'a Expr),
    /// A pattern.
    Pattern(&'a Expr),
    /// A number of rows, from one to the other.
    Count(&'a Expr, &'a Expr),
}

/// Whether a place has a value for all combinations of what it depends on, except those that a `require` rejects.
pub(super) fn is_proved<'a>(
    safety: &Safety<'_, 'a>,
    (place, row): (Place<'a>, Option<RelationId>),
    requires: &[&'a Expr],
) -> bool {
    let facts = safety.facts();
    let scope = row.map(Scope::with_row).unwrap_or_default();
    let collector = Collector { facts, safety, row };
    let mut leaves = Leaves::default();
    let found = match place {
        Place::Value(expr) | Place::Listed(expr) | Place::Visible(expr) | Place::Pattern(expr) => {
            collector.collect(expr, scope, &mut leaves, MAX_DEPTH)
        }
        Place::Draw(draw, _) => collector.collect_draw(draw, scope, &mut leaves),
        Place::Count(low, high) => [low, high]
            .into_iter()
            .try_for_each(|bound| collector.collect(bound, Scope::default(), &mut leaves, MAX_DEPTH)),
    };
    let all = leaves.count_combinations();
    if found.is_none() || all > MAX_COMBINED || !safety.take_tries(all) {
        return false;
    }
    leaves.note_same_calls(requires);
    let guards: Vec<Guard<'a>> =
        requires.iter().map(|condition| Guard { condition, scope: Scope::default(), is_met: true }).collect();
    run_all(facts, &leaves, place, &guards, &mut Vec::new())
}

/// The possible values of an expression in the samples that get to it: conditions around it are met, or not. `None` if they are not known, or too many.
pub(super) fn list_values_where<'a>(
    facts: &Facts<'a>,
    safety: &Safety<'_, 'a>,
    expr: &'a Expr,
    guards: &[Guard<'a>],
) -> Option<Vec<Value>> {
    let collector = Collector { facts, safety, row: None };
    let mut leaves = Leaves::default();
    collector.collect(expr, Scope::default(), &mut leaves, MAX_DEPTH)?;
    for guard in guards.iter().filter(|guard| guard.scope == Scope::default()) {
        let (mut own, mut both) = (Leaves::default(), leaves.clone());
        let collect = |into: &mut Leaves<'a>| collector.collect(guard.condition, guard.scope, into, MAX_DEPTH);
        let is_known = collect(&mut own).is_some() && own.meets(&leaves) && collect(&mut both).is_some();
        if is_known && both.count_combinations() <= MAX_COMBINED {
            leaves = both;
        }
    }
    let all = leaves.count_combinations();
    if all > MAX_COMBINED || !safety.take_tries(all) {
        return None;
    }
    leaves.note_same_calls(&guards.iter().map(|guard| guard.condition).collect::<Vec<_>>());
    let mut found: Vec<Value> = Vec::new();
    run_all(facts, &leaves, Place::Listed(expr), guards, &mut found).then_some(found)
}

/// Adds a value to those that an expression can have. Returns whether it is known, and they are not too many.
fn add_value(value: Res<Value>, found: &mut Vec<Value>) -> bool {
    match value {
        Ok(value) => {
            if !found.iter().any(|known| known.is_same(&value)) {
                found.push(value);
            }
            found.len() <= MAX_FOUND
        }
        // That is a place of its own.
        Err(Stop::Fails(_)) => true,
        Err(Stop::Unknown) => false,
    }
}

fn run_all<'a>(
    facts: &Facts<'a>,
    leaves: &Leaves<'a>,
    place: Place<'a>,
    guards: &[Guard<'a>],
    found: &mut Vec<Value>,
) -> bool {
    let (names, columns) = (BTreeMap::new(), BTreeMap::new());
    let choices = Choices { seed: 1, biased: false, redrawn: BTreeMap::new(), names: &names, columns: &columns };
    let mut world = World::new(facts.task(), choices);
    for id in &leaves.tables.relations {
        let made = make_table(&world, *id, &|column| leaves.tables.columns.contains(&(*id, column)));
        if world.keep_table(*id, made).is_err() {
            return false;
        }
    }
    (0..leaves.count_combinations()).all(|number| {
        world.begin_again();
        has_value(&mut world, leaves, (place, number), guards, found)
    })
}

/// The cells of a row that may have them.
type Cells = TiVec<ColumnId, Res<Value>>;

/// Sets the values of a combination in a world. Returns the cells of the row. `None` if a computed one has no value, which is a place of its own.
pub(super) fn set_values<'a>(world: &mut World<'a>, leaves: &Leaves<'a>, number: usize) -> Option<Cells> {
    let mut at = number;
    let mut choose = |values: &Vec<Value>| {
        let size = values.len().max(1);
        let value = values.get(at % size).cloned();
        at /= size;
        value.ok_or(Stop::Unknown)
    };
    let names: Vec<(NameId, Res<Value>)> = leaves.names.iter().map(|(id, values)| (*id, choose(values))).collect();
    let mut cells: Cells = TiVec::from(Vec::new());
    let width = leaves.cells.iter().map(|(id, _)| *id).chain(leaves.computed_cells.iter().map(|(id, _)| *id)).max();
    for _ in 0..width.map_or(0, |id| id.0 + 1) {
        cells.push(Err(Stop::Unknown));
    }
    for (id, values) in &leaves.cells {
        if let Some(cell) = cells.get_mut(*id) {
            *cell = choose(values);
        }
    }
    let calls = leaves.calls.iter().filter_map(|(calls, values)| Some((calls, choose(values).ok()?)));
    world.set_given(calls.flat_map(|(calls, value)| calls.iter().map(move |call| (*call, value.clone()))).collect());
    for (id, value) in names {
        // Nothing fails here.
        let _ = world.keep_name(id, value);
    }
    for (id, value) in &leaves.computed {
        let made = Eval::new(world).evaluate(value);
        let is_failed = matches!(made, Err(Stop::Fails(_)));
        let _ = world.keep_name(*id, made);
        if is_failed {
            return None;
        }
    }
    let eval = Eval::new(world);
    for (id, value) in &leaves.computed_cells {
        let made = eval.with_row(Row::Alone(&cells)).evaluate(value);
        if matches!(made, Err(Stop::Fails(_))) {
            return None;
        }
        if let Some(cell) = cells.get_mut(*id) {
            *cell = made;
        }
    }
    Some(cells)
}

/// Whether a place has a value in a combination, or the combination is of no sample that gets there.
fn has_value<'a>(
    world: &mut World<'a>,
    leaves: &Leaves<'a>,
    (place, number): (Place<'a>, usize),
    guards: &[Guard<'a>],
    found: &mut Vec<Value>,
) -> bool {
    let Some(cells) = set_values(world, leaves, number) else { return true };
    let eval = Eval::new(world);
    let is_elsewhere =
        |guard: &Guard<'a>| guard.scope == Scope::default() && eval.is_true(guard.condition) == Ok(!guard.is_met);
    if guards.iter().any(is_elsewhere) {
        return true;
    }
    let here = if !cells.is_empty() { eval.with_row(Row::Alone(&cells)) } else { eval };
    match place {
        Place::Value(expr) => here.evaluate(expr).is_ok(),
        Place::Listed(expr) => add_value(here.evaluate(expr), found),
        Place::Count(low, high) => check_row_bounds(here, low, high).is_ok(),
        Place::Draw(draw, needed) => require_drawable(here, draw, needed).is_ok(),
        Place::Visible(expr) => here.evaluate(expr).is_ok_and(|text| !is_blank(&text.render_text())),
        Place::Pattern(expr) => here.evaluate(expr).is_ok_and(|text| compile_anchored(&text.render_text()).is_ok()),
    }
}

/// Looks whether a draw has a value that is allowed.
fn require_drawable<'a>(eval: Eval<'_, 'a>, draw: &'a Draw, needed: u128) -> Res<()> {
    if let Some(share) = &draw.blank {
        evaluate_share(eval, share)?;
    }
    if let DrawDomain::Lorem { low, high, .. } = &draw.domain {
        return check_lorem(eval, low, high);
    }
    if let DrawDomain::Ref { relation, column, filter: Some(filter), .. } = &draw.domain {
        let table = eval.world.read_table(*relation)?;
        // Its cells are not known, but all of them are there.
        if table.read_column(*column).is_err() && draw.except.is_empty() && needed == 1 {
            for row in 0..table.count_known_rows()? {
                if eval.with_candidate(Row::Of(table, row)).is_true(filter)? {
                    return Ok(());
                }
            }
            return Err(Stop::Unknown);
        }
    }
    let choice = Choice::new(eval, draw)?;
    let banned = list_banned(eval, draw)?;
    if needed > 1 {
        let left = choice.count_values().and_then(|all| all.checked_sub(banned.len() as u128));
        return if left.is_some_and(|left| left >= needed) { Ok(()) } else { Err(Stop::Unknown) };
    }
    if banned.is_empty() || matches!(draw.domain, DrawDomain::Ref { .. }) {
        return Ok(());
    }
    let is_banned = |value: &Value| banned.iter().any(|banned| banned.is_same(value));
    choice.pick_allowed(eval, draw, (Pick::Drawn(1), &[]), &is_banned).map(|_| ())
}
