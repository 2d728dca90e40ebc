//! For `tied`: a row that is looked up by columns whose values repeat: several rows are found.

use super::context::TaskCx;
use super::taken_rows::Rows;
use hir::{ColumnSource, Expr, ExprKind};
use model::functions::Pick;
use model::suite::{ColumnId, Op};
use sql::Asked;
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::english::lints::ROW_RULES;

/// Reports `first(staff.NAME where TOWN == town)`, where many people are in each town.
pub(super) fn check_lookup(
    cx: &TaskCx<'_>,
    pick: Pick,
    rows: &Rows<'_>,
    call: &Expr,
    prompt: &str,
) -> Option<Diagnostic> {
    let relation = cx.task.relations.get(rows.relation)?;
    let taken = relation.columns.get(rows.column)?;
    let is_free = matches!(&taken.source, ColumnSource::Draw { draw, .. } if !draw.is_together());
    let least = cx.facts().count_rows(rows.relation).least;
    let mut found = Vec::new();
    if !is_free
        || !collect_keys(rows.filter?, &mut found)
        || !Asked::Without(ROW_RULES).is_met(&prompt.replace('_', " "))
    {
        return None;
    }
    let mut groups: u64 = 1;
    for column in &found {
        let fact = cx.facts().lookup_column(rows.relation, *column);
        let declared = relation.columns.get(*column).filter(|column| column.source.draw().is_some())?;
        let values =
            fact.closed.filter(|_| !fact.unique && !declared.source.draw().is_some_and(|draw| draw.is_together()))?;
        groups = groups.checked_mul(values.len() as u64)?;
    }
    // Where each group has two rows on average, some surely have several.
    if found.is_empty() || least < groups.checked_mul(2)? {
        return None;
    }
    let condition = cx.sources.quote(rows.filter?.span);
    let place = if pick == Pick::First { "first" } else { "last" };
    let first = relation.columns.get(*found.first()?)?;
    Some(
        Diagnostic::new(
            Code::TIED_ANSWER,
            format!("several rows of `{}` can meet `{condition}`, and the prompt does not say which one counts", relation.name),
            call.span,
            format!("takes the {place} of them"),
        )
        .label(first.span, "values repeat")
        .help(format!(
            "look the row up by a unique column, say in the prompt that the {place} in the file counts, or redraw such samples: require count({} where {condition}) == 1",
            relation.name
        )),
    )
}

/// Collects the columns that a filter compares with one value each. Returns `false` if it has other conditions.
fn collect_keys(filter: &Expr, found: &mut Vec<ColumnId>) -> bool {
    let ExprKind::Binary(op, sides) = &filter.kind else { return false };
    match op {
        Op::And => collect_keys(&sides.0, found) && collect_keys(&sides.1, found),
        Op::Eq => {
            let key = match (sides.0.as_column_id(), sides.1.as_column_id()) {
                (Some(column), None) => Some((column, &sides.1)),
                (None, Some(column)) => Some((column, &sides.0)),
                _ => None,
            };
            let is_row =
                |part: &Expr| matches!(part.kind, ExprKind::Column(_) | ExprKind::OuterColumn(_) | ExprKind::Call(..));
            let key = key.filter(|(_, value)| !value.has_part(is_row));
            found.extend(key.map(|(column, _)| column));
            key.is_some()
        }
        _ => false,
    }
}
