//! `constant_answer`: a computed answer that is the same in every sample.

use model::Span;
use model::suite::Scope;

use super::super::TaskCx;
use super::words;
use hir::facts::{Facts, Truth};
use hir::{Arg, Expr, ExprKind, NameSource, Task};
use sql::Whole;
use syntax::bounds::Bounds;
use syntax::diagnostics::{Code, Diagnostic};

/// Reports every constant answer, except those that contain one of the comparisons `decided`.
pub fn report_constant_answers<'a>(cx: &TaskCx<'a>, facts: &Facts<'a>, decided: &[Span], said: &mut Vec<Diagnostic>) {
    let task = cx.task;
    for expect in task.iter_expects() {
        if let Some(value) = expect.answer_expr() {
            check_answer(cx, facts, decided, value, said);
        }
    }
}

fn check_answer<'a>(cx: &TaskCx<'a>, facts: &Facts<'a>, decided: &[Span], value: &'a Expr, said: &mut Vec<Diagnostic>) {
    // Each key of an object is an answer of its own.
    if let ExprKind::Object(fields) = &value.kind {
        fields.iter().for_each(|(_, field)| check_answer(cx, facts, decided, field, said));
        return;
    }
    let fact = facts.infer_expr(value, Scope::default());
    // `check` may have proved with a `require` that it is not null.
    let fact = if value.ty.nullable { fact } else { hir::facts::Fact { nullable: false, ..fact } };
    let Some(only) = fact.as_single_value() else { return };
    let mut looked = Looked::default();
    looked.inspect_expr(cx.task, value);
    if !looked.varies || looked.places.iter().any(|place| decided.iter().any(|decided| place.is_enclosing(*decided))) {
        return;
    }
    let shown = words::format_value(only);
    let mut diagnostic = Diagnostic::new(
        Code::CONSTANT_ANSWER,
        format!("the expected value is {shown} in every sample"),
        value.span,
        format!("always {shown}"),
    );
    if let Some(declared) = words::find_declaration(cx.task, value, Scope::default()) {
        diagnostic = diagnostic.label(declared, "declared here");
    }
    let why = explain_constant_count(cx.task, facts, value);
    let instead = if why.is_some() {
        "draw the number of rows, as in `rows 40..60`"
    } else {
        "ask for something that depends on draws"
    };
    if let Some((span, why)) = why {
        diagnostic = diagnostic.label(span, why);
    }
    said.push(diagnostic.help(format!("{instead}, or accept it: allow constant_answer \"why\"")));
}

/// The parts of an answer.
#[derive(Default)]
struct Looked {
    /// Whether it contains a draw, a table, or a file, so it is not only constants and axes.
    varies: bool,
    /// The spans of all its parts.
    places: Vec<Span>,
}

impl Looked {
    fn inspect_expr(&mut self, task: &Task, expr: &Expr) {
        expr.visit_exprs(&mut |expr| {
            self.places.push(expr.span);
            match &expr.kind {
                ExprKind::Column(_) | ExprKind::OuterColumn(_) => self.varies = true,
                ExprKind::Call(_, args) => self.varies |= args.iter().any(|arg| !matches!(arg, Arg::Value(_))),
                ExprKind::Name(id) => match task.names.get(*id).map(|name| &name.source) {
                    Some(NameSource::Draw { .. }) => self.varies = true,
                    Some(NameSource::Compute(value)) => self.inspect_expr(task, value),
                    _ => {}
                },
                _ => {}
            }
        });
    }
}

/// Explains why a count is always the same.
fn explain_constant_count<'a>(task: &'a Task, facts: &Facts<'a>, value: &'a Expr) -> Option<(Span, String)> {
    match &value.kind {
        ExprKind::Name(id) => match &task.names.get(*id)?.source {
            NameSource::Compute(value) => explain_constant_count(task, facts, value),
            _ => None,
        },
        ExprKind::Call(_, args) => {
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
            if passes == Some(Truth::Never) {
                return None;
            }
            let declared = task.relations.get(relation)?;
            let Bounds { least, most } = facts.count_rows(relation);
            if least != most {
                return None;
            }
            let rows = format!("always has {least} {}", if least == 1 { "row" } else { "rows" });
            let filled = column.is_some_and(|column| !facts.lookup_column(relation, column).nullable);
            Some((declared.span, if filled { format!("{rows}, none of them null there") } else { rows }))
        }
        _ => None,
    }
}
