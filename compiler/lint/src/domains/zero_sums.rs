//! For `zero`: how often the sum of drawn values that can be 0 is 0 although there are rows.

use model::suite::{ColumnId, Op, RelationId};
use model::{Domain, Value};

use super::zero::estimate_match_share;
use hir::facts::Facts;
use hir::{ColumnSource, DrawDomain, Expr, ExprKind, NameSource, Task};

/// Estimates a lower bound on the probability that all values of some rows are 0, and that there is such a row. `None` if nothing is known.
pub(super) fn estimate_zero_sum(
    task: &Task,
    facts: &Facts<'_>,
    (relation, column): (RelationId, ColumnId),
    filter: Option<&Expr>,
) -> Option<f64> {
    let domain = find_plain_domain(task, (relation, column))?;
    let is_positive = domain.find_range().is_some_and(|(low, _)| low.as_f64() == Some(0.0));
    let zero = estimate_match_share(domain, Op::Eq, &Value::Int(0)).filter(|_| is_positive)?;
    let rows = facts.count_rows(relation).most;
    let power = |base: f64, rows: u64| Some(libm::pow(base, f64::from(i32::try_from(rows).ok()?)));
    let Some(filter) = filter else { return power(zero, rows) };
    let ExprKind::Binary(Op::Eq, sides) = &filter.kind else { return None };
    let chosen = sides.0.as_column_id()?;
    let share = 1.0 / find_plain_domain(task, (relation, chosen))?.list_values()?.len() as f64;
    // A row meets the condition and has 0, or it does not meet it.
    let fits = 1.0 - share + share * zero;
    match &sides.1.kind {
        ExprKind::Const(_) => Some(power(fits, rows)? - power(1.0 - share, rows)?),
        ExprKind::Name(id) => match &task.names.get(*id)?.source {
            NameSource::Draw { draw, .. } => match &draw.domain {
                DrawDomain::Ref { relation: of, column: from, .. } if (*of, *from) == (relation, chosen) => {
                    Some(zero * power(fits, rows.saturating_sub(1))?)
                }
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// The domain from which each value of a column is drawn alike, and by itself.
fn find_plain_domain(task: &Task, place: (RelationId, ColumnId)) -> Option<&Domain> {
    let own = task.relations.get(place.0).filter(|own| !own.is_in_key(place.1))?;
    let ColumnSource::Draw { draw, of: 1, .. } = &own.columns.get(place.1)?.source else { return None };
    let DrawDomain::Fixed(domain) = &draw.domain else { return None };
    let is_plain = !draw.unique && draw.except.is_empty() && domain.is_uniform();
    is_plain.then_some(domain)
}
