//! A JSON answer that is put together leaf by leaf: each leaf is the one that the most instances accept there.

use std::collections::BTreeMap;

use model::answer_key::Expected;
use model::pointer::escape_step;
use model::{Scorer, Value};

use super::intervals::{find_deepest, render_round_number};

/// Maximum number of leaves.
const MAX_LEAVES: usize = 64;

/// Builds a value from the best leaves. `None` if the answers are not objects and lists of single values with the same keys.
pub fn build_from_leaves(expects: &[&Expected]) -> Option<Value> {
    let first = expects.first()?.single_value()?;
    if !matches!(first, Value::Object(_) | Value::List(_)) {
        return None;
    }
    let mut left = MAX_LEAVES;
    build_value(first, String::new(), expects, &mut left)
}

fn build_value(first: &Value, pointer: String, expects: &[&Expected], left: &mut usize) -> Option<Value> {
    match first {
        Value::Object(fields) => {
            let field = |(name, field): &(String, Value)| {
                let below = format!("{pointer}/{}", escape_step(name));
                Some((name.clone(), build_value(field, below, expects, left)?))
            };
            fields.iter().map(field).collect::<Option<Vec<_>>>().map(Value::Object)
        }
        Value::List(items) => {
            let item = |(at, item): (usize, &Value)| build_value(item, format!("{pointer}/{at}"), expects, left);
            items.iter().enumerate().map(item).collect::<Option<Vec<_>>>().map(Value::List)
        }
        _ => {
            *left = left.checked_sub(1)?;
            choose_leaf(&pointer, expects)
        }
    }
}

/// Chooses the leaf at a pointer that the most instances accept.
fn choose_leaf(pointer: &str, expects: &[&Expected]) -> Option<Value> {
    let found: Vec<(&Expected, &Value)> =
        expects.iter().filter_map(|expect| Some((*expect, find_leaf(expect.single_value()?, pointer)?))).collect();
    let range = |(expect, value): &(&Expected, &Value)| {
        score::find_number_range(expect, value, pointer, Scorer::CURRENT).map(|range| vec![range])
    };
    if let Some(ranges) = found.iter().map(range).collect::<Option<Vec<_>>>()
        && let Some(deepest) = find_deepest(&ranges)
    {
        let text = render_round_number(deepest.low, deepest.high);
        return text.parse::<i64>().map(Value::Int).ok().or_else(|| text.parse().ok().map(Value::Decimal));
    }
    let mut counts: BTreeMap<String, (usize, &Value)> = BTreeMap::new();
    found.iter().for_each(|(_, value)| counts.entry(value.to_json().to_string()).or_insert((0, *value)).0 += 1);
    counts.into_values().max_by_key(|(count, _)| *count).map(|(_, value)| value.clone())
}

/// Returns the single value at a pointer.
fn find_leaf<'v>(value: &'v Value, pointer: &str) -> Option<&'v Value> {
    pointer.split('/').skip(1).try_fold(value, |value, step| match value {
        Value::Object(fields) => fields.iter().find(|(name, _)| escape_step(name) == step).map(|(_, field)| field),
        Value::List(items) => items.get(step.parse::<usize>().ok()?),
        _ => None,
    })
}
