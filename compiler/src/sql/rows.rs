//! Proofs on the number of rows: a key that is fixed gives at most one.

use sqlparser::ast::{BinaryOperator, Expr, UnaryOperator, Value};

use super::scope::{Found, lookup};
use super::select::Analyser;
use super::tables::Joins;

/// A whole number written out.
pub fn literal_int(expr: &Expr) -> Option<i64> {
    match expr {
        Expr::Value(value) => match &value.value {
            Value::Number(digits, _) => digits.parse().ok(),
            _ => None,
        },
        Expr::Nested(inner) => literal_int(inner),
        Expr::UnaryOp { op: UnaryOperator::Minus, expr } => literal_int(expr)?.checked_neg(),
        _ => None,
    }
}

/// Whether every relation of the innermost SELECT is pinned to one row: a key of it equals a constant, a parameter, something of an
/// outer query, or a column of a relation that is pinned already.
pub fn pinned(analyser: &Analyser<'_>, joins: &Joins<'_>, condition: Option<&Expr>) -> bool {
    let Some(frame) = analyser.frames.last() else { return false };
    if joins.reversed || frame.relations.len() > 64 {
        return false;
    }
    // (equality, the relations it may pin): a LEFT join's ON says nothing of what stands to its left.
    let mut equalities: Vec<(&Expr, &Expr, Option<&std::ops::Range<usize>>)> = Vec::new();
    let mut gather = |expr, only| {
        for (left, right) in conjuncts(expr) {
            equalities.push((left, right, only));
            equalities.push((right, left, only));
        }
    };
    if let Some(condition) = condition {
        gather(condition, None);
    }
    for on in &joins.constraints {
        gather(on.on, on.left.then_some(&on.joined));
    }
    let depth = analyser.frames.len() - 1;
    let mut fixed: Vec<bool> = frame.relations.iter().map(|relation| relation.at_most_one).collect();
    loop {
        let mut changed = false;
        for (key, value, only) in &equalities {
            let Some((relation, place)) = column_of(analyser, depth, key) else { continue };
            let allowed = only.is_none_or(|range| range.contains(&relation));
            if !allowed || fixed.get(relation) != Some(&false) || !is_key(analyser, relation, place) {
                continue;
            }
            if known(analyser, depth, &fixed, value) {
                fixed[relation] = true;
                changed = true;
            }
        }
        if !changed {
            return fixed.iter().all(|fixed| *fixed);
        }
    }
}

/// The equalities that must all hold.
fn conjuncts(expr: &Expr) -> Vec<(&Expr, &Expr)> {
    let (mut out, mut open) = (Vec::new(), vec![expr]);
    while let Some(expr) = open.pop() {
        match expr {
            Expr::BinaryOp { left, op: BinaryOperator::And, right } => open.extend([left.as_ref(), right.as_ref()]),
            Expr::BinaryOp { left, op: BinaryOperator::Eq, right } => out.push((left.as_ref(), right.as_ref())),
            Expr::Nested(inner) => open.push(inner),
            _ => {}
        }
    }
    out
}

/// The relation of the innermost SELECT and its column that an expression plainly is.
fn column_of(analyser: &Analyser<'_>, depth: usize, expr: &Expr) -> Option<(usize, usize)> {
    match find(analyser, expr)? {
        Found::Column(_, (frame, relation, place)) if frame == depth => Some((relation, place)),
        _ => None,
    }
}

fn find(analyser: &Analyser<'_>, expr: &Expr) -> Option<Found> {
    match expr {
        Expr::Identifier(name) => Some(lookup(&analyser.frames, &[&name.value])),
        Expr::CompoundIdentifier(parts) => {
            let parts: Vec<&str> = parts.iter().map(|part| part.value.as_str()).collect();
            Some(lookup(&analyser.frames, &parts))
        }
        Expr::Nested(inner) => find(analyser, inner),
        _ => None,
    }
}

fn is_key(analyser: &Analyser<'_>, relation: usize, place: usize) -> bool {
    let relation = analyser.frames.last().and_then(|frame| frame.relations.get(relation));
    let table = relation.and_then(|relation| analyser.query.request.tables.get(relation.table?));
    table.and_then(|table| table.columns.get(place)).is_some_and(|column| column.primary_key || column.unique)
}

/// Whether a value is the same for all rows that are still open.
fn known(analyser: &Analyser<'_>, depth: usize, fixed: &[bool], value: &Expr) -> bool {
    match value {
        Expr::Value(_) => true,
        Expr::UnaryOp { op: UnaryOperator::Minus | UnaryOperator::Plus, expr } => matches!(expr.as_ref(), Expr::Value(_)),
        Expr::Nested(inner) => known(analyser, depth, fixed, inner),
        _ => match find(analyser, value) {
            Some(Found::Column(_, (frame, relation, _))) => frame < depth || fixed.get(relation) == Some(&true),
            _ => false,
        },
    }
}
