//! Every expression of a task with the rows at hand there, and the conditions among them.

use plan::suite::Op;

use crate::facts::Scope;
use crate::hir::{
    Arg, ColumnSource, Draw, DrawDomain, Expr, ExprKind, FileContent, NameSource, Rows, Slice, Subject, Task,
};

/// A condition, and what it decides on.
#[derive(Clone, Copy)]
pub struct Condition<'a> {
    pub expr: &'a Expr,
    pub scope: Scope,
    /// It chooses rows: `where`.
    pub of_rows: bool,
}

/// The conditions of `where`, `require` and `if` in a task.
pub fn conditions(task: &Task) -> Vec<Condition<'_>> {
    let mut found = Vec::new();
    found.extend(task.requires.iter().map(|expr| Condition { expr, scope: Scope::default(), of_rows: false }));
    roots(task, &mut |draw_filter, expr, scope| {
        if draw_filter {
            found.push(Condition { expr, scope, of_rows: true });
        }
        each(expr, scope, &mut |expr, scope| match &expr.kind {
            ExprKind::If(parts) => found.push(Condition { expr: &parts.0, scope, of_rows: false }),
            ExprKind::Call(_, args) => {
                for arg in args {
                    if let Arg::Relation { relation, filter: Some(filter) }
                    | Arg::Column { relation, filter: Some(filter), .. } = arg
                    {
                        found.push(Condition { expr: filter, scope: scope.filter(*relation), of_rows: true });
                    }
                }
            }
            _ => {}
        });
    });
    found
}

/// Calls `visit` for an expression and every expression in it, outermost first, with the rows at hand.
pub fn each<'a>(expr: &'a Expr, scope: Scope, visit: &mut dyn FnMut(&'a Expr, Scope)) {
    visit(expr, scope);
    match &expr.kind {
        ExprKind::Neg(inner) | ExprKind::Not(inner) => each(inner, scope, visit),
        ExprKind::Binary(_, sides) => {
            each(&sides.0, scope, visit);
            each(&sides.1, scope, visit);
        }
        ExprKind::If(parts) => {
            each(&parts.0, scope, visit);
            each(&parts.1, scope, visit);
            each(&parts.2, scope, visit);
        }
        ExprKind::List(items) | ExprKind::Concat(items) => items.iter().for_each(|item| each(item, scope, visit)),
        ExprKind::Object(fields) => fields.iter().for_each(|(_, value)| each(value, scope, visit)),
        ExprKind::Call(_, args) => {
            for arg in args {
                match arg {
                    Arg::Value(value) => each(value, scope, visit),
                    Arg::Relation { relation, filter: Some(filter) }
                    | Arg::Column { relation, filter: Some(filter), .. } => {
                        each(filter, scope.filter(*relation), visit);
                    }
                    Arg::Sql(sql) => sql.params.iter().for_each(|(_, value)| each(value, scope, visit)),
                    _ => {}
                }
            }
        }
        _ => {}
    }
}

/// Calls `visit` for every whole expression of a task but its `require`s, in source order by kind; the first argument tells whether it is
/// the filter of a `ref`.
pub fn roots<'a>(task: &'a Task, visit: &mut dyn FnMut(bool, &'a Expr, Scope)) {
    let top = Scope::default();
    for (_, value) in task.axes.iter().flat_map(|axis| &axis.cells) {
        visit(false, value, top);
    }
    for name in &task.names {
        match &name.source {
            NameSource::Draw { draw, .. } => drawn(draw, top, visit),
            NameSource::Compute(value) | NameSource::Variant(value) => visit(false, value, top),
            NameSource::Axis => {}
        }
    }
    for (id, relation) in (0..).map(plan::suite::RelationId).zip(&task.relations) {
        if let Rows::Count(low, high) | Rows::PerRow { low, high, .. } = &relation.rows {
            visit(false, low, top);
            visit(false, high, top);
        }
        for column in &relation.columns {
            match &column.source {
                ColumnSource::Draw { draw, .. } => drawn(draw, Scope::at(id), visit),
                ColumnSource::Compute(value) => visit(false, value, Scope::at(id)),
                ColumnSource::Given(_) | ColumnSource::Result(_) => {}
            }
        }
    }
    for file in &task.files {
        visit(false, &file.path, top);
        match &file.content {
            FileContent::DrawnText(draw) => drawn(draw, top, visit),
            FileContent::ComputedText(value) | FileContent::ComputedTree { value, .. } => visit(false, value, top),
            FileContent::TextLines { relation, line } => visit(false, line, Scope::at(*relation)),
            _ => {}
        }
    }
    task.folders.iter().for_each(|folder| visit(false, folder, top));
    for (count, within) in &task.clutter {
        visit(false, count, top);
        within.iter().for_each(|within| visit(false, within, top));
    }
    let variants = &task.variants;
    task.prompt
        .iter()
        .chain(variants.iter().flat_map(|variant| &variant.prompt))
        .for_each(|text| visit(false, text, top));
    for expect in task.expects.iter().chain(variants.iter().flat_map(|variant| &variant.expects)) {
        match &expect.subject {
            Subject::Reply(Some(Slice::After(text))) => visit(false, text, top),
            Subject::File(path) | Subject::Files(path) | Subject::Tree(path) => visit(false, path, top),
            Subject::Reply(_) => {}
        }
        expect.value.iter().for_each(|value| visit(false, value, top));
    }
}

fn drawn<'a>(draw: &'a Draw, scope: Scope, visit: &mut dyn FnMut(bool, &'a Expr, Scope)) {
    match &draw.domain {
        DrawDomain::Range { low, high, step, .. } => {
            visit(false, low, scope);
            visit(false, high, scope);
            step.iter().for_each(|step| visit(false, step, scope));
        }
        DrawDomain::Lorem { low, high, .. } => {
            visit(false, low, scope);
            visit(false, high, scope);
        }
        DrawDomain::OneOf(items) => items.iter().for_each(|item| visit(false, item, scope)),
        DrawDomain::Ref { relation, filter: Some(filter), .. } => visit(true, filter, scope.filter(*relation)),
        DrawDomain::Ref { .. } | DrawDomain::Fixed(_) | DrawDomain::Unknown => {}
    }
    draw.except.iter().for_each(|except| visit(false, except, scope));
}

/// The comparisons that a condition is made of, under `and`, `or` and `not`.
pub fn comparisons(expr: &Expr) -> Vec<&Expr> {
    let mut open = vec![expr];
    let mut found = Vec::new();
    while let Some(expr) = open.pop() {
        match &expr.kind {
            ExprKind::Binary(Op::And | Op::Or, sides) => open.extend([&sides.1, &sides.0]),
            ExprKind::Not(inner) => open.push(inner),
            ExprKind::Binary(Op::Add | Op::Sub | Op::Mul | Op::Div, _) => {}
            ExprKind::Binary(..) => found.push(expr),
            _ => {}
        }
    }
    found
}

/// The comparisons that must all hold for a condition to hold, where there are several; of each `and` inside of it too.
pub fn conjunctions(expr: &Expr) -> Vec<Vec<&Expr>> {
    let mut found = Vec::new();
    let mut open = vec![expr];
    while let Some(expr) = open.pop() {
        match &expr.kind {
            ExprKind::Binary(Op::And, _) => {
                let mut parts = Vec::new();
                let mut left = vec![expr];
                while let Some(part) = left.pop() {
                    match &part.kind {
                        ExprKind::Binary(Op::And, sides) => left.extend([&sides.1, &sides.0]),
                        _ => parts.push(part),
                    }
                }
                open.extend(parts.iter().copied());
                found.push(parts);
            }
            ExprKind::Binary(Op::Or, sides) => open.extend([&sides.0, &sides.1]),
            ExprKind::Not(inner) => open.push(inner),
            _ => {}
        }
    }
    found
}
