//! Every expression of a task, with where it stands.

use crate::facts::Scope;
use crate::hir::{ColumnSource, Draw, Expr, NameSource, Task};

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
    for (id, relation) in task.relations.iter_enumerated() {
        relation.rows.each(&mut |expr| visit(false, expr, top));
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
        file.content.each(&mut |expr, row| visit(false, expr, row.map_or(top, Scope::at)));
        if let Some(draw) = file.content.draw() {
            drawn(draw, top, visit);
        }
    }
    task.folders.iter().for_each(|folder| visit(false, folder, top));
    task.clutter.iter().for_each(|clutter| clutter.each(&mut |expr| visit(false, expr, top)));
    let variants = &task.variants;
    task.prompt
        .iter()
        .chain(variants.iter().flat_map(|variant| &variant.prompt))
        .for_each(|text| visit(false, text, top));
    for expect in task.expects.iter().chain(variants.iter().flat_map(|variant| &variant.expects)) {
        expect.each(&mut |expr| visit(false, expr, top));
    }
}

/// Calls `visit` for an expression and every expression in it, outermost first, with the rows at hand.
pub fn each<'a>(expr: &'a Expr, scope: Scope, visit: &mut dyn FnMut(&'a Expr, Scope)) {
    visit(expr, scope);
    expr.inside(&mut |child, rows| each(child, rows.map_or(scope, |rows| scope.filter(rows)), visit));
}

fn drawn<'a>(draw: &'a Draw, scope: Scope, visit: &mut dyn FnMut(bool, &'a Expr, Scope)) {
    draw.domain.each(&mut |expr, rows| match rows {
        Some(rows) => visit(true, expr, scope.filter(rows)),
        None => visit(false, expr, scope),
    });
    draw.except.iter().for_each(|except| visit(false, except, scope));
}
