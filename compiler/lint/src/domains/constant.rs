//! `constant_answer`: a computed answer that is the same in every sample.

use model::Span;
use model::suite::Scope;

use super::words;
use crate::context::TaskCx;
use hir::facts::{Facts, Truth};
use hir::{Arg, Expr, ExprKind, Task};
use sql::Whole;
use syntax::bounds::Bounds;
use syntax::diagnostics::{Code, Diagnostic};

/// Reports every constant answer, except those that contain one of the comparisons `decided`.
pub fn report_constant_answers<'a>(cx: &TaskCx<'a>, decided: &[Span], said: &mut Vec<Diagnostic>) {
    let task = cx.task;
    for expect in task.iter_expects() {
        if let Some(value) = expect.answer_expr() {
            check_answer(cx, decided, value, said);
        }
    }
}

fn check_answer<'a>(cx: &TaskCx<'a>, decided: &[Span], value: &'a Expr, said: &mut Vec<Diagnostic>) {
    let facts = cx.facts();
    // Each key of an object is an answer of its own.
    if let ExprKind::Object(fields) = &value.kind {
        fields.iter().for_each(|(_, field)| check_answer(cx, decided, field, said));
        return;
    }
    let fact = facts.infer_expr(value, Scope::default());
    // `check` may have proved with a `require` that it is not null.
    let fact = if value.ty.nullable { fact } else { hir::facts::Fact { nullable: false, ..fact } };
    let Some(only) = fact.as_single_value() else { return };
    let looked = Looked::from_expr(cx.task, value);
    if !looked.varies || looked.places.iter().any(|place| decided.iter().any(|decided| place.is_enclosing(*decided))) {
        return;
    }
    let shown = words::format_value(only);
    let why = explain_constant_count(cx.task, facts, value.resolve_name(cx.task));
    let instead = match &why {
        Some(_) => "draw the number of rows, as in `rows 40..60`",
        None => "ask for something that depends on draws",
    };
    let message = format!("the expected value is {shown} in every sample");
    let declared = words::find_declaration(cx.task, value, Scope::default());
    said.push(
        Diagnostic::new(Code::CONSTANT_ANSWER, message, value.span, format!("always {shown}"))
            .with_labels(declared.map(|declared| (declared, "declared here")))
            .with_labels(why)
            .help(format!("{instead}, or accept it: allow constant_answer \"why\"")),
    );
}

/// The parts of an answer.
#[derive(Default)]
pub(super) struct Looked {
    /// Whether it contains a draw, a table, or a file, so it is not only constants and axes.
    pub varies: bool,
    /// The spans of all its parts.
    pub places: Vec<Span>,
}

impl Looked {
    pub fn from_expr(task: &Task, expr: &Expr) -> Looked {
        let mut looked = Looked::default();
        expr.visit_through_names(task, &mut |expr| {
            looked.places.push(expr.span);
            looked.varies |= match &expr.kind {
                ExprKind::Column(_) | ExprKind::OuterColumn(_) => true,
                ExprKind::Call(_, args) => args.iter().any(|arg| !matches!(arg, Arg::Value(_))),
                ExprKind::Name(id) => task.names.get(*id).is_some_and(|name| name.source.draw().is_some()),
                _ => false,
            };
        });
        looked
    }
}

/// Explains why a count is always the same.
fn explain_constant_count<'a>(task: &'a Task, facts: &Facts<'a>, value: &'a Expr) -> Option<(Span, String)> {
    let ExprKind::Call(_, args) = &value.kind else { return None };
    let (relation, column, filter) = match args.as_slice() {
        [Arg::Relation { relation, filter }, ..] => (*relation, None, filter),
        [Arg::Column { relation, column, filter }, ..] => (*relation, Some(*column), filter),
        [.., Arg::Sql(sql)] => {
            let Whole { relation, column, .. } = sql.analysis.whole?;
            (relation, column, &None)
        }
        _ => return None,
    };
    let passes = filter.as_ref().map(|filter| facts.infer_truth(filter, Scope::with_row(relation)));
    let Bounds { least, most } = facts.count_rows(relation);
    if passes == Some(Truth::Never) || least != most {
        return None;
    }
    let rows = format!("always has {least} {}", if least == 1 { "row" } else { "rows" });
    let filled = column.is_some_and(|column| !facts.lookup_column(relation, column).nullable);
    let why = if filled { format!("{rows}, none of them null there") } else { rows };
    Some((task.relations.get(relation)?.span, why))
}
