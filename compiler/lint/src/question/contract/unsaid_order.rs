//! `other_order`: a JSON array has different values in the order in which a file has them first, and the prompt says nothing of an order. A heuristic: it looks for
//! words about order.

use model::functions::Arranges;
use model::suite::matchers::Takes;
use model::suite::{ColumnId, RelationId};

use super::answers::Leaf;
use super::wording::Wording;
use crate::context::{TaskCx, report_once};
use hir::types::TyKind;
use hir::{Arg, ColumnSource, Expr, ExprKind};
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::english::rows::OF_ORDER;

/// Reports arrays of different values whose order the wording does not tell.
pub(super) fn report_unsaid_orders<'a>(wording: &Wording<'_, 'a>, leaves: &[Leaf<'a>], said: &mut Vec<Diagnostic>) {
    let cx = wording.cx;
    let is_told = wording.text.tokens.iter().any(|token| token.is_any(OF_ORDER));
    if is_told || wording.can_vary() {
        return;
    }
    for leaf in leaves {
        let options = super::super::precision::iter_options_around(&leaf.expect.options, &leaf.pointer);
        let is_ordered = options.filter_map(|options| options.ordered).next().unwrap_or(true);
        if leaf.expect.matcher.record().takes != Takes::Json || !is_ordered || leaf.expect.is_any_of() {
            continue;
        }
        let Some(column) = find_first_seen(cx, leaf.value).filter(|column| !is_sorted(cx, *column)) else { continue };
        let name = cx.task.find_column(column).map_or("", |column| column.name.as_str());
        let message = format!(
            "the prompt says nothing of the order of the array, but the key has each `{name}` where it is first in the file"
        );
        let new = Diagnostic::new(Code::OTHER_ORDER, message, leaf.value.span, "in this order only")
            .label(wording.telling.span, "no order is asked for here")
            .help("write `unordered` after the value, or sort the array and say so in the prompt");
        report_once(new, said);
    }
}

/// The column whose different values a list has, in the order of the rows.
fn find_first_seen(cx: &TaskCx<'_>, value: &Expr) -> Option<(RelationId, ColumnId)> {
    let ExprKind::Call(function, args) = &value.resolve_name(cx.task).kind else { return None };
    let [Arg::Value(list)] = args.as_slice() else { return None };
    let ExprKind::Call(_, args) = &list.resolve_name(cx.task).kind else { return None };
    match args.as_slice() {
        [Arg::Column { relation, column, .. }]
            if function.arranges == Some(Arranges::Deduped) && matches!(list.ty.kind, TyKind::List(_)) =>
        {
            Some((*relation, *column))
        }
        _ => None,
    }
}

/// Whether the rows are sorted by the column.
fn is_sorted(cx: &TaskCx<'_>, column: (RelationId, ColumnId)) -> bool {
    let source = cx.task.find_column(column).map(|column| &column.source);
    matches!(source, Some(ColumnSource::Draw { draw, .. }) if draw.sorted)
}
