//! `other_order`: the prompt asks for items sorted by one column, and the key sorts them by another.

use model::suite::{ColumnId, RelationId};

use super::answers::{Leaf, resolve_column};
use super::sql_shape::SqlShape;
use super::tokens::Found;
use super::wording::Wording;
use crate::context::{TaskCx, report_once};
use hir::{Arg, Column, Expr, ExprKind};
use model::functions::{Arranges, Order};
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::english::rows as words;

/// Compares "sorted by PAY" with the column by which the only list is sorted.
pub(super) fn report_sort_columns<'a>(wording: &Wording<'_, 'a>, leaves: &[Leaf<'a>], said: &mut Vec<Diagnostic>) {
    let [leaf] = leaves else { return };
    let Some((relation, column)) = find_sort_column(wording.cx, leaf.value, 0).filter(|_| !wording.can_vary()) else {
        return;
    };
    let Some(table) = wording.cx.task.relations.get(relation) else { return };
    let own = table.columns.get(column).map_or("", |column| column.name.as_str());
    let asked = find_asked(wording);
    let [asked] = asked.as_slice() else { return };
    let Some(token) = wording.text.tokens.get(asked.end - 1) else { return };
    let is_other = |name: &str| token.lower == name.to_lowercase();
    let Some(other) = table.columns.iter().find(|column| is_other(&column.name)) else { return };
    // Rows in the order of a number can be in that of another column, too.
    let is_in_order = |column: &Column| column.source.draw().is_some_and(|draw| draw.sorted || draw.is_serial());
    let runs = table.columns.get(column).is_some_and(is_in_order) || is_in_order(other);
    if is_other(own) || runs || !wording.is_in_request(asked.start) {
        return;
    }
    let sorted = format!("sorted by `{own}`");
    let but = format!("the key is {sorted}");
    let new = wording.contradict(Code::OTHER_ORDER, asked, &but, (leaf.value.span, sorted));
    report_once(new.help(format!("sort by the same column in both: `ORDER BY {}` in a query", token.text)), said);
}

/// Finds "sorted by" with the word after it.
fn find_asked(wording: &Wording<'_, '_>) -> Vec<Found<()>> {
    let tokens = &wording.text.tokens;
    let starts = (0..tokens.len()).filter_map(|start| {
        let end = words::SORTED_BY.iter().filter_map(|phrase| wording.text.match_phrase(start, phrase)).max()?;
        let fillers = tokens.iter().skip(end).take_while(|token| token.is_any(wording.language.fillers)).count();
        let at = end + fillers;
        tokens.get(at).filter(|token| !token.is_operand()).map(|_| Found { start, end: at + 1, means: () })
    });
    starts.collect()
}

/// The column by which the items of a value are sorted first.
fn find_sort_column(cx: &TaskCx<'_>, value: &Expr, depth: u32) -> Option<(RelationId, ColumnId)> {
    let ExprKind::Call(function, args) = &value.resolve_name(cx.task).kind else { return None };
    match (function.arranges, args.as_slice()) {
        _ if depth > 16 => None,
        (Some(Arranges::Sorted), [Arg::Value(list)]) => match &list.resolve_name(cx.task).kind {
            ExprKind::Call(inner, args) if inner.is_value_list() => match args.as_slice() {
                [Arg::Column { relation, column, .. }] => Some((*relation, *column)),
                _ => None,
            },
            _ => None,
        },
        (Some(Arranges::Reversed | Arranges::Deduped), [Arg::Value(list), ..]) => find_sort_column(cx, list, depth + 1),
        (None, [Arg::Value(list), ..]) if function.order == Order::Written => find_sort_column(cx, list, depth + 1),
        (_, [.., Arg::Sql(sql)]) => {
            let shape = SqlShape::new(&sql.text)?;
            resolve_column(cx, sql, &shape.order.first()?.tokens)
        }
        _ => None,
    }
}
