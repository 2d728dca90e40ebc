//! Proofs that a place cannot stop a build, by all combinations of the values on which it depends, if they are few.
//!
//! A value is that of a drawn name, of another column in the row, or of an aggregate, a query, or a file of which the possible values are known. Each of them
//! is combined with each other, so there may be more combinations than a build has, but never fewer.

use std::collections::BTreeMap;

use model::pattern::compile_anchored;
use model::suite::{ColumnId, NameId, RelationId, Scope};
use model::value::is_blank;
use model::{Domain, TiVec, Value};

use super::chance::Pick;
use super::draws::{Choice, check_lorem, evaluate_share, list_banned};
use super::eval::{Eval, Row};
use super::fault::{Res, Stop};
use super::guards::Guard;
use super::needs::Needs;
use super::safe::Safety;
use super::tables::{check_row_bounds, make_table};
use super::world::{Choices, World};
use hir::facts::{Fact, Facts};
use hir::{Arg, ColumnSource, Draw, DrawDomain, Expr, ExprKind, NameSource, Rows};

/// The most values of one kind, and the most combinations.
const MAX_VALUES: i64 = 10_000;
const MAX_COMBINED: usize = 10_000;

/// The most values of an expression that are told apart.
const MAX_FOUND: usize = 1_000;

/// The most names and columns that are followed.
const MAX_DEPTH: u32 = 40;

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

/// What a place depends on, with all possible values.
#[derive(Clone, Default)]
struct Leaves<'a> {
    /// Drawn names.
    names: Vec<(NameId, Vec<Value>)>,
    /// Computed names, each after those that it depends on.
    computed: Vec<(NameId, &'a Expr)>,
    /// Columns of the row.
    cells: Vec<(ColumnId, Vec<Value>)>,
    /// Computed columns of the row, each after those that it depends on.
    computed_cells: Vec<(ColumnId, &'a Expr)>,
    /// Calls of which only the possible values are known: all that are the same, with the values.
    calls: Vec<(Vec<&'a Expr>, Vec<Value>)>,
    /// Tables whose cells are always the same.
    tables: Needs,
}

/// Collects what places depend on.
struct Collector<'s, 'f, 'a> {
    facts: &'f Facts<'a>,
    safety: &'s Safety<'f, 'a>,
    /// The relation of the row.
    row: Option<RelationId>,
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

fn list_values(fact: &Fact<'_>) -> Option<Vec<Value>> {
    let mut values: Vec<Value> = match (&fact.closed, fact.as_int_range()) {
        (Some(values), _) => values.to_vec(),
        (None, Some((low, high))) if high.checked_sub(low).is_some_and(|size| size < MAX_VALUES) => {
            (low..=high).map(Value::Int).collect()
        }
        _ => {
            let few = |domain: &&Domain| domain.cardinality().is_some_and(|size| size <= MAX_VALUES as u128);
            fact.domain.filter(few)?.list_values()?.to_vec()
        }
    };
    if fact.nullable {
        values.push(Value::Null);
    }
    (!values.is_empty()).then_some(values)
}

impl<'a> Collector<'_, '_, 'a> {
    fn collect(&self, expr: &'a Expr, scope: Scope, leaves: &mut Leaves<'a>, depth: u32) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        match &expr.kind {
            ExprKind::Name(id) => self.collect_name(*id, leaves, depth),
            ExprKind::Column(column) if scope.row == self.row && scope.outer.is_none() => {
                self.collect_cell(*column, leaves, depth)
            }
            ExprKind::Column(_) | ExprKind::OuterColumn(_) | ExprKind::Unknown => None,
            ExprKind::Call(_, args) if args.iter().any(|arg| !matches!(arg, Arg::Value(_))) => {
                let mut of_tables = leaves.clone();
                if self.collect_tables(args, &mut of_tables, depth).is_some() {
                    *leaves = of_tables;
                    return Some(());
                }
                self.collect_call(expr, scope, leaves)
            }
            _ => {
                let mut found = Some(());
                expr.visit_children(&mut |child, _| {
                    found = found.and_then(|()| self.collect(child, scope, leaves, depth));
                });
                found
            }
        }
    }

    /// Collects a call of which only the possible values are known.
    fn collect_call(&self, call: &'a Expr, scope: Scope, leaves: &mut Leaves<'a>) -> Option<()> {
        let is_same = |known: &Vec<&'a Expr>| known.iter().any(|own| own.without_spans() == call.without_spans());
        if scope == Scope::default()
            && let Some((known, _)) = leaves.calls.iter_mut().find(|(known, _)| is_same(known))
        {
            known.push(call);
            return Some(());
        }
        let values = list_values(&self.facts.infer_expr(call, scope))?;
        self.safety.is_safe_expr(call, scope).then(|| leaves.calls.push((vec![call], values)))
    }

    fn collect_name(&self, id: NameId, leaves: &mut Leaves<'a>, depth: u32) -> Option<()> {
        let is_known =
            leaves.names.iter().any(|(own, _)| *own == id) || leaves.computed.iter().any(|(own, _)| *own == id);
        if is_known {
            return Some(());
        }
        if let NameSource::Compute(value) = &self.facts.task().names.get(id)?.source {
            let mut deeper = leaves.clone();
            let found = self.collect(value, Scope::default(), &mut deeper, depth);
            if found.is_some() && deeper.count_combinations() <= MAX_COMBINED {
                deeper.computed.push((id, value));
                *leaves = deeper;
                return Some(());
            }
        }
        leaves.names.push((id, list_values(&self.facts.lookup_name(id))?));
        Some(())
    }

    fn collect_cell(&self, column: ColumnId, leaves: &mut Leaves<'a>, depth: u32) -> Option<()> {
        let is_known = leaves.cells.iter().any(|(own, _)| *own == column)
            || leaves.computed_cells.iter().any(|(own, _)| *own == column);
        if is_known {
            return Some(());
        }
        let relation = self.row?;
        if let ColumnSource::Compute(value) = &self.facts.task().find_column((relation, column))?.source {
            let mut deeper = leaves.clone();
            let found = self.collect(value, Scope::with_row(relation), &mut deeper, depth);
            if found.is_some() && deeper.count_combinations() <= MAX_COMBINED {
                deeper.computed_cells.push((column, value));
                *leaves = deeper;
                return Some(());
            }
        }
        leaves.cells.push((column, list_values(&self.facts.lookup_column(relation, column))?));
        Some(())
    }

    /// Collects a call over tables whose cells are always the same.
    fn collect_tables(&self, args: &'a [Arg], leaves: &mut Leaves<'a>, depth: u32) -> Option<()> {
        for arg in args {
            let (relation, column, inner) = match arg {
                Arg::Value(value) => {
                    self.collect(value, self.row.map(Scope::with_row).unwrap_or_default(), leaves, depth)?;
                    continue;
                }
                Arg::Relation { relation, filter } => (*relation, None, filter.as_ref()),
                Arg::Column { relation, column, filter } => (*relation, Some(*column), filter.as_ref()),
                _ => return None,
            };
            self.collect_table(relation, column, inner, leaves, depth)?;
        }
        Some(())
    }

    fn collect_table(
        &self,
        relation: RelationId,
        column: Option<ColumnId>,
        filter: Option<&'a Expr>,
        leaves: &mut Leaves<'a>,
        depth: u32,
    ) -> Option<()> {
        let mut columns: Vec<ColumnId> = column.into_iter().collect();
        if let Some(filter) = filter {
            self.collect_filter(filter, (&mut *leaves, &mut columns), depth)?;
        }
        let task = self.facts.task();
        let declared = task.relations.get(relation)?;
        let rows = self.facts.count_rows(relation);
        let is_fixed = match &declared.rows {
            Rows::Given(_) => true,
            Rows::Count(low, high) => {
                rows.least == rows.most && [low, high].iter().all(|bound| bound.as_constant().is_some())
            }
            _ => false,
        };
        let is_same = |column: &ColumnId| match declared.columns.get(*column).map(|column| &column.source) {
            Some(ColumnSource::Given(_)) => true,
            Some(ColumnSource::Draw { draw, .. }) => draw.is_serial() && !draw.may_be_blank(),
            _ => false,
        };
        (is_fixed && columns.iter().all(is_same)).then_some(())?;
        leaves.tables.relations.insert(relation);
        leaves.tables.columns.extend(columns.into_iter().map(|column| (relation, column)));
        Some(())
    }

    /// Collects what a condition on the rows of a table depends on, and its columns.
    fn collect_filter(
        &self,
        part: &'a Expr,
        (leaves, columns): (&mut Leaves<'a>, &mut Vec<ColumnId>),
        depth: u32,
    ) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        match &part.kind {
            ExprKind::Name(id) => self.collect_name(*id, leaves, depth),
            ExprKind::Column(column) => {
                columns.push(*column);
                Some(())
            }
            // A column of the row around it.
            ExprKind::OuterColumn(column) => self.collect_cell(*column, leaves, depth),
            ExprKind::Call(_, args) if args.iter().any(|arg| !matches!(arg, Arg::Value(_))) => {
                // One that does not depend on the row.
                let mut is_apart = true;
                part.visit_exprs(&mut |inner| is_apart &= !matches!(inner.kind, ExprKind::OuterColumn(_)));
                is_apart.then_some(())?;
                self.collect_call(part, Scope::default(), leaves)
            }
            _ => {
                let mut found = Some(());
                part.visit_children(&mut |child, _| {
                    found = found.and_then(|()| self.collect_filter(child, (&mut *leaves, &mut *columns), depth));
                });
                found
            }
        }
    }

    fn collect_draw(&self, draw: &'a Draw, scope: Scope, leaves: &mut Leaves<'a>) -> Option<()> {
        for except in draw.except.iter().chain(&draw.blank) {
            self.collect(except, scope, leaves, MAX_DEPTH)?;
        }
        let mut of_all =
            |exprs: &[&'a Expr]| exprs.iter().try_for_each(|expr| self.collect(expr, scope, leaves, MAX_DEPTH));
        match &draw.domain {
            DrawDomain::Range { low, high, step, .. } => {
                of_all(&[low, high])?;
                step.iter().try_for_each(|step| of_all(&[step]))
            }
            DrawDomain::Lorem { low, high, .. } => of_all(&[low, high]),
            DrawDomain::OneOf(items) => items.iter().try_for_each(|item| of_all(&[item])),
            DrawDomain::Share(share) => of_all(&[share]),
            DrawDomain::Fixed(_) => Some(()),
            DrawDomain::Ref { relation, column, together, filter } => {
                for column in [column].into_iter().chain(together) {
                    self.collect_table(*relation, Some(*column), filter.as_ref(), leaves, MAX_DEPTH).or_else(|| {
                        // Only whether a row is there matters, not what is in this column.
                        let is_there = !self.facts.lookup_column(*relation, *column).nullable;
                        let filter = filter.as_ref().filter(|_| is_there)?;
                        self.collect_table(*relation, None, Some(filter), leaves, MAX_DEPTH)
                    })?;
                }
                Some(())
            }
            DrawDomain::Unknown(()) | DrawDomain::Exactly(_) => None,
        }
    }
}

impl<'a> Leaves<'a> {
    /// Notes the calls in conditions that are the same as those of the place.
    fn note_same_calls(&mut self, conditions: &[&'a Expr]) {
        for condition in conditions {
            condition.visit_exprs(&mut |part| {
                if !matches!(part.kind, ExprKind::Call(..)) {
                    return;
                }
                let is_same =
                    |known: &Vec<&Expr>| known.first().is_some_and(|own| own.without_spans() == part.without_spans());
                if let Some((known, _)) = self.calls.iter_mut().find(|(known, _)| is_same(known)) {
                    known.push(part);
                }
            });
        }
    }

    /// Whether both depend on the same value.
    fn meets(&self, other: &Leaves<'a>) -> bool {
        let has_name = |id: &NameId| other.names.iter().any(|(own, _)| own == id);
        let has_call = |call: &Expr| {
            let mut others = other.calls.iter().flat_map(|(known, _)| known);
            others.any(|own| own.without_spans() == call.without_spans())
        };
        self.names.iter().any(|(id, _)| has_name(id))
            || self.calls.iter().flat_map(|(known, _)| known).any(|call| has_call(call))
    }

    fn list_sizes(&self) -> Vec<usize> {
        let names = self.names.iter().map(|(_, values)| values.len());
        let cells = self.cells.iter().map(|(_, values)| values.len());
        names.chain(cells).chain(self.calls.iter().map(|(_, values)| values.len())).collect()
    }

    fn count_combinations(&self) -> usize {
        self.list_sizes().into_iter().fold(1, usize::saturating_mul)
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

/// Whether a place has a value in a combination, or the combination is of no sample that gets there.
fn has_value<'a>(
    world: &mut World<'a>,
    leaves: &Leaves<'a>,
    (place, number): (Place<'a>, usize),
    guards: &[Guard<'a>],
    found: &mut Vec<Value>,
) -> bool {
    let mut at = number;
    let mut choose = |values: &Vec<Value>| {
        let size = values.len().max(1);
        let value = values.get(at % size).cloned();
        at /= size;
        value.ok_or(Stop::Unknown)
    };
    let names: Vec<(NameId, Res<Value>)> = leaves.names.iter().map(|(id, values)| (*id, choose(values))).collect();
    let mut cells: TiVec<ColumnId, Res<Value>> = TiVec::from(Vec::new());
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
        // That is a place of its own.
        if is_failed {
            return true;
        }
    }
    let eval = Eval::new(world);
    for (id, value) in &leaves.computed_cells {
        let made = eval.with_row(Row::Alone(&cells)).evaluate(value);
        if matches!(made, Err(Stop::Fails(_))) {
            return true;
        }
        if let Some(cell) = cells.get_mut(*id) {
            *cell = made;
        }
    }
    let is_elsewhere =
        |guard: &Guard<'a>| guard.scope == Scope::default() && eval.is_true(guard.condition) == Ok(!guard.is_met);
    if guards.iter().any(is_elsewhere) {
        return true;
    }
    let here = if width.is_some() { eval.with_row(Row::Alone(&cells)) } else { eval };
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
