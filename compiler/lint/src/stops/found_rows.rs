//! Rows that `ref` surely finds: where each row meets the `where` on its own, and all rows together miss it at most once in 10¹⁶ attempts. Then a
//! sample without such a row is rarer than one that its `require`s reject 1,000 times (see `held`), so this counts as a proof.

use model::suite::{ColumnId, Op, RelationId};
use model::{Domain, Value, ops};

use hir::facts::Facts;
use hir::{ColumnSource, Draw, DrawDomain, Expr, ExprKind, Rows};

/// The chance that counts as none.
const NEVER: f64 = 1e-16;

/// The most values of a domain that are looked at one by one.
const MAX_VALUES: u128 = 2000;

/// Whether a row surely meets a condition, and has a value in each of these columns.
pub(super) fn has_found_row<'a>(
    facts: &Facts<'a>,
    relation: RelationId,
    filter: Option<&'a Expr>,
    cells: &[ColumnId],
) -> bool {
    let least = facts.count_rows(relation).least;
    let parts = filter.map(Expr::list_conjuncts).unwrap_or_default();
    if let [part] = parts.as_slice()
        && excludes_one_row(facts, relation, part)
    {
        return least > 1 && cells.iter().all(|cell| !facts.lookup_column(relation, *cell).nullable);
    }
    let share = find_share(facts, relation, &parts, cells);
    let rows = i32::try_from(least).map_or(f64::from(i32::MAX), f64::from);
    share.is_some_and(|share| libm::pow(1.0 - share, rows) < NEVER)
}

/// Whether a condition is met by all rows but one: they differ in a column, and it is not the same as a value that does not depend on the row.
fn excludes_one_row(facts: &Facts<'_>, relation: RelationId, part: &Expr) -> bool {
    let ExprKind::Binary(Op::Ne, sides) = &part.kind else { return false };
    let (ExprKind::Column(column), ExprKind::Name(_) | ExprKind::Const(_)) = (&sides.0.kind, &sides.1.kind) else {
        return false;
    };
    let cells = facts.lookup_column(relation, *column);
    cells.unique && !cells.nullable && !sides.1.ty.nullable && !sides.1.is_null()
}

/// At least the share of the rows that meet all conditions, each of another column, and have a value in each of `cells`.
fn find_share(facts: &Facts<'_>, relation: RelationId, parts: &[&Expr], cells: &[ColumnId]) -> Option<f64> {
    let (mut seen, mut share) = (Vec::new(), 1.0);
    for part in parts {
        let (column, own) = find_own_share(facts, relation, part)?;
        if seen.contains(&column) {
            return None;
        }
        seen.push(column);
        share *= own;
    }
    for cell in cells {
        if facts.lookup_column(relation, *cell).nullable && !seen.contains(cell) {
            seen.push(*cell);
            share *= find_known_share(find_blank_draw(facts, relation, *cell)?);
        }
    }
    Some(share)
}

/// The column of a condition, and the share of the rows that meet it. None of those has a null in it.
fn find_own_share(facts: &Facts<'_>, relation: RelationId, part: &Expr) -> Option<(ColumnId, f64)> {
    let (column, op, value) = match &part.kind {
        ExprKind::Column(column) => (*column, Op::Eq, &Value::Bool(true)),
        ExprKind::Not(inner) => (inner.as_column_id()?, Op::Eq, &Value::Bool(false)),
        ExprKind::Binary(op, sides) => (sides.0.as_column_id()?, *op, sides.1.as_constant()?),
        _ => return None,
    };
    if value.is_null() {
        let draw = find_blank_draw(facts, relation, column).filter(|_| op == Op::Ne)?;
        return Some((column, find_known_share(draw)));
    }
    let draw = find_draw(facts, relation, column)?;
    let known = find_known_share(draw);
    let DrawDomain::Fixed(domain) = &draw.domain else { return None };
    find_met_share(domain, op, value).map(|share| (column, share * known))
}

/// A draw that each row leaves blank on its own.
fn find_blank_draw<'a>(facts: &Facts<'a>, relation: RelationId, column: ColumnId) -> Option<&'a Draw> {
    let own = facts.task().relations.get(relation)?;
    let draw = own.columns.get(column)?.source.draw()?;
    let is_alone = matches!(own.rows, Rows::Count(..)) && draw.blank.is_none() && !own.is_in_key(column);
    let has_values = !matches!(draw.domain, DrawDomain::Ref { .. } | DrawDomain::Unknown(()));
    (is_alone && has_values).then_some(draw)
}

/// A draw that each row makes on its own.
fn find_draw<'a>(facts: &Facts<'a>, relation: RelationId, column: ColumnId) -> Option<&'a Draw> {
    let own = facts.task().relations.get(relation)?;
    let ColumnSource::Draw { draw, of: 1, .. } = &own.columns.get(column)?.source else { return None };
    let is_alone = matches!(own.rows, Rows::Count(..))
        && matches!(draw.domain, DrawDomain::Fixed(_))
        && !(draw.unique || draw.sorted || draw.is_serial() || draw.blank.is_some() || own.is_in_key(column))
        && draw.except.is_empty();
    is_alone.then_some(draw)
}

/// The share of the rows in which a draw is not left blank.
fn find_known_share(draw: &Draw) -> f64 {
    1.0 - f64::from(draw.blank_per_million) / 1e6
}

/// The share of the values of a domain that meet a comparison.
fn find_met_share(domain: &Domain, op: Op, value: &Value) -> Option<f64> {
    let is_met = |own: &Value| ops::apply_binary(op, own, value) == Ok(Value::Bool(true));
    match domain {
        Domain::Bool { per_million } => {
            let share = f64::from(*per_million) / 1e6;
            let of = |own: bool| if own { share } else { 1.0 - share };
            Some([true, false].into_iter().filter(|own| is_met(&Value::Bool(*own))).map(of).sum())
        }
        Domain::Weighted { items } => {
            let all: u64 = items.iter().map(|(_, weight)| weight).sum();
            let met: u64 = items.iter().filter(|(own, _)| is_met(own)).map(|(_, weight)| weight).sum();
            (all > 0).then(|| met as f64 / all as f64)
        }
        Domain::Int { low, high, step: 1 } => count_met_ints((*low, *high), op, value),
        Domain::OneOf { .. } | Domain::Int { .. } | Domain::Date { .. }
            if domain.cardinality().is_some_and(|size| size <= MAX_VALUES) =>
        {
            let values = domain.list_values().filter(|values| !values.is_empty())?;
            Some(values.iter().filter(|own| is_met(own)).count() as f64 / values.len() as f64)
        }
        _ => None,
    }
}

/// The share of the ints of a range that meet a comparison with another one.
fn count_met_ints((low, high): (i64, i64), op: Op, value: &Value) -> Option<f64> {
    let Value::Int(limit) = value else { return None };
    let (low, high, limit) = (i128::from(low), i128::from(high), i128::from(*limit));
    let all = high - low + 1;
    let below = (limit - low).clamp(0, all);
    let same = i128::from((low..=high).contains(&limit));
    let met = match op {
        Op::Lt => below,
        Op::Le => below + same,
        Op::Gt => all - below - same,
        Op::Ge => all - below,
        Op::Eq => same,
        Op::Ne => all - same,
        _ => return None,
    };
    (all > 0).then(|| met as f64 / all as f64)
}
