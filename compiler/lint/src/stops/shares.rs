//! The share of draws that meet all `require`s of a task, where it can be counted: they depend on a few names, each of which is drawn by itself, and all of its
//! values are equally likely.

use std::collections::BTreeMap;

use model::Value;
use model::suite::{NameId, Op, Scope};

use super::eval::Eval;
use super::exhaust::set_values;
use super::leaves::{Collector, Leaves, MAX_DEPTH};
use super::phases::Phases;
use super::safe::Safety;
use super::world::{Choices, World};
use hir::facts::Truth;
use hir::{Draw, DrawDomain, Expr, ExprKind, NameSource, Task};

/// The most combinations that are tried for conditions that depend on each other.
const MAX_TRIED: usize = 4_000;

/// Conditions that depend on the same names, or on one of them.
struct Group<'a> {
    names: Vec<NameId>,
    conditions: Vec<&'a Expr>,
}

/// The share of draws that meet all `require`s. `None` if it is not known.
pub(super) fn find_met_share(phases: &Phases<'_, '_>) -> Option<f64> {
    let (task, facts) = (phases.task(), phases.early());
    let safety = Safety::new(facts);
    let collector = Collector { facts, safety: &safety, row: None };
    let open = task.iter_conditions().filter(|part| facts.infer_truth(part, Scope::default()) != Truth::Always);
    let mut groups: Vec<Group<'_>> = Vec::new();
    for condition in open.flat_map(|condition| condition.resolve_name(task).list_conjuncts()) {
        let mut own = Group { names: list_drawn_names(task, condition)?, conditions: vec![condition] };
        let is_apart = |group: &Group<'_>| !group.names.iter().any(|name| own.names.contains(name));
        let (apart, met): (Vec<_>, Vec<_>) = groups.into_iter().partition(is_apart);
        for group in met {
            own.names.extend(group.names);
            own.conditions.extend(group.conditions);
        }
        groups = apart;
        groups.push(own);
    }
    groups.iter().try_fold(1.0, |all, group| {
        let share = count_range(task, group).or_else(|| count_met(task, &collector, group))?;
        Some(all * share)
    })
}

/// The drawn names on which a condition depends, also by way of computed ones. `None` if one of them is not drawn by itself.
fn list_drawn_names(task: &Task, condition: &Expr) -> Option<Vec<NameId>> {
    let (mut open, mut found) = (Vec::new(), Vec::new());
    condition.visit_names(&mut |name| open.push(name));
    while let Some(name) = open.pop() {
        match &task.names.get(name)?.source {
            NameSource::Compute(value) => value.visit_names(&mut |name| open.push(name)),
            NameSource::Draw { draw, .. } if is_fair(draw) => found.push(name),
            _ => return None,
        }
    }
    Some(found)
}

/// Whether all values of a draw are equally likely, whatever is drawn elsewhere.
fn is_fair(draw: &Draw) -> bool {
    let is_alone =
        draw.except.is_empty() && !draw.unique && !draw.sorted && !draw.is_together() && !draw.may_be_blank();
    is_alone && matches!(&draw.domain, DrawDomain::Fixed(domain) if domain.is_uniform())
}

/// The share of ints of a range that meet the only condition on them, which compares them with a constant.
fn count_range(task: &Task, group: &Group<'_>) -> Option<f64> {
    let [condition] = group.conditions.as_slice() else { return None };
    let ExprKind::Binary(op, sides) = &condition.kind else { return None };
    let (name, op, value) = match (&sides.0.kind, &sides.1.kind) {
        (ExprKind::Name(name), ExprKind::Const(Value::Int(value))) => (name, *op, *value),
        (ExprKind::Const(Value::Int(value)), ExprKind::Name(name)) => (name, op.swap_sides(), *value),
        _ => return None,
    };
    let NameSource::Draw { draw, .. } = &task.names.get(*name)?.source else { return None };
    let DrawDomain::Fixed(domain) = &draw.domain else { return None };
    let Some((Value::Int(low), Value::Int(high))) = domain.find_range() else { return None };
    let (low, high, value) = (i128::from(low), i128::from(high), i128::from(value));
    let all = high - low + 1;
    let met = match op {
        Op::Lt => value - low,
        Op::Le => value - low + 1,
        Op::Gt => high - value,
        Op::Ge => high - value + 1,
        _ => return None,
    };
    let is_each = domain.cardinality() == u128::try_from(all).ok();
    is_each.then(|| met.clamp(0, all) as f64 / all as f64)
}

/// The share of the combinations of all values that meet conditions.
fn count_met<'a>(task: &'a Task, collector: &Collector<'_, '_, 'a>, group: &Group<'a>) -> Option<f64> {
    let mut leaves = Leaves::default();
    for condition in &group.conditions {
        collector.collect(condition, Scope::default(), &mut leaves, MAX_DEPTH)?;
    }
    let all = leaves.count_combinations();
    let has_names_only = leaves.calls.is_empty() && leaves.cells.is_empty() && leaves.tables.relations.is_empty();
    if !has_names_only || !leaves.names.iter().all(|(name, values)| has_all_values(task, *name, values)) {
        return None;
    }
    if all > MAX_TRIED || !collector.safety.take_tries(all) {
        return None;
    }
    let (names, columns) = (BTreeMap::new(), BTreeMap::new());
    let choices = Choices { seed: 1, biased: false, redrawn: BTreeMap::new(), names: &names, columns: &columns };
    let mut world = World::new(task, choices);
    let mut met = 0usize;
    for number in 0..all {
        world.begin_again();
        set_values(&mut world, &leaves, number)?;
        let eval = Eval::new(&world);
        let is_met = group.conditions.iter().try_fold(true, |met, part| Some(met && eval.is_true(part).ok()?))?;
        met += usize::from(is_met);
    }
    Some(met as f64 / all.max(1) as f64)
}

/// Whether these are all values of the domain of a name, each as often as it is drawn.
fn has_all_values(task: &Task, name: NameId, values: &[Value]) -> bool {
    let Some(NameSource::Draw { draw, .. }) = task.names.get(name).map(|name| &name.source) else { return false };
    matches!(&draw.domain, DrawDomain::Fixed(domain) if domain.cardinality() == Some(values.len() as u128))
}
