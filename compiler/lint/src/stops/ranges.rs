//! Ranges that are empty in every sample: errors.

use model::suite::{Op, Scope};

use super::linear::{Bound, Linear};
use crate::context::{TaskCx, report_once};
use hir::facts::{Facts, Truth, compare_facts};
use hir::{Draw, DrawDomain, Expr, Rows};
use syntax::diagnostics::{Code, Diagnostic};

/// Reports ranges without a value in any sample. Returns whether there are any.
pub(super) fn report_empty_ranges<'a>(cx: &TaskCx<'a>, facts: &Facts<'a>, said: &mut Vec<Diagnostic>) -> bool {
    let before = said.len();
    let mut check = |(low, high): (&'a Expr, &'a Expr), scope: Scope| {
        let (least, most) = (facts.infer_expr(low, scope), facts.infer_expr(high, scope));
        let difference = Linear::from_expr(cx.task, low, scope).subtract(&Linear::from_expr(cx.task, high, scope));
        let never =
            compare_facts(Op::Le, &least, &most) == Truth::Never || difference.is_within(Bound::positive(), facts, &[]);
        if never && !least.nullable && !most.nullable {
            report_once(build_empty_diagnostic(cx, low, high), said);
        }
    };
    let bounds = |draw: &'a Draw| match &draw.domain {
        DrawDomain::Range { low, high, .. } | DrawDomain::Lorem { low, high, .. } => Some((low, high)),
        _ => None,
    };
    for draw in cx.task.names.iter().filter_map(|name| name.source.draw()) {
        bounds(draw).into_iter().for_each(|bounds| check(bounds, Scope::default()));
    }
    for (id, relation) in cx.task.relations.iter_enumerated() {
        if let Rows::Count(low, high) | Rows::PerRow { low, high, .. } = &relation.rows {
            check((low, high), Scope::default());
        }
        for draw in relation.columns.iter().filter_map(|column| column.source.draw()) {
            bounds(draw).into_iter().for_each(|bounds| check(bounds, Scope::with_row(id)));
        }
    }
    said.len() > before
}

fn build_empty_diagnostic(cx: &TaskCx<'_>, low: &Expr, high: &Expr) -> Diagnostic {
    let (a, b) = (cx.sources.quote(low.span), cx.sources.quote(high.span));
    let message = format!("the range `{a}..{b}` is empty in every sample");
    let label = format!("`{a}` is always greater than `{b}`");
    Diagnostic::new(Code::EMPTY_RANGE, message, low.span.extend_to(high.span), label)
        .help(format!("swap the bounds, or give one of them other values: {b}..{a}"))
}
