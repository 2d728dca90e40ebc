//! The texts that a task shows besides its prompt and the rows of its tables, and the texts that a value can be.

use model::Value;
use model::suite::{FixtureKind, NameSource, RelationId};

use hir::{ColumnSource, Expr, ExprKind, FileContent, Task};

/// Collects the texts in the sandbox that may explain the data: files that do not consist of drawn rows.
pub fn collect_documents(task: &Task) -> String {
    let mut out = String::new();
    for file in &task.files {
        match &file.content {
            FileContent::Fixture {
                bytes,
                kind: FixtureKind::Text | FixtureKind::Tree(_) | FixtureKind::Elements(_),
            } => {
                out.push_str(&String::from_utf8_lossy(&bytes.0));
                out.push('\n');
            }
            content => {
                file.visit_exprs(&mut |_, expr, _| add_texts(task, expr, &mut out));
                if let Some(shape) = content.shape() {
                    shape.visit_relations(&mut |relation| add_single_row(task, relation, &mut out));
                }
            }
        }
    }
    out
}

/// Adds the constants in an expression.
pub fn add_texts(task: &Task, expr: &Expr, out: &mut String) {
    expr.visit_through_names(task, &mut |part| match &part.kind {
        ExprKind::Const(value) => {
            value.render_into(out);
            out.push('\n');
        }
        ExprKind::Name(id) => {
            let source = task.names.get(*id).map(|name| &name.source);
            if let Some(NameSource::Axis) = source {
                let cells = task.axes.iter().filter(|axis| axis.slot == *id).flat_map(|axis| &axis.cells);
                cells.for_each(|(_, value)| add_texts(task, value, out));
            }
            source.and_then(NameSource::draw).into_iter().for_each(|draw| add_drawn_texts(task, draw, out));
        }
        _ => {}
    });
}

/// Adds the values of a short list from which a value is drawn.
fn add_drawn_texts(task: &Task, draw: &hir::Draw, out: &mut String) {
    match &draw.domain {
        hir::DrawDomain::Fixed(domain) => {
            let listed = domain.list_values().filter(|values| values.len() <= 50);
            listed.iter().flat_map(|values| values.iter()).for_each(|value| {
                value.render_into(out);
                out.push('\n');
            });
        }
        hir::DrawDomain::OneOf(items) => items.iter().for_each(|item| add_texts(task, item, out)),
        hir::DrawDomain::Ref { relation, column, .. } => {
            let of = task.find_column((*relation, *column)).and_then(|column| column.source.draw());
            if let Some(hir::Draw { domain: domain @ hir::DrawDomain::Fixed(_), .. }) = of {
                add_drawn_texts(task, &hir::Draw { domain: domain.clone(), ..draw.clone() }, out);
            }
        }
        _ => {}
    }
}

/// Adds the values outside of arrays, such as the settings of a configuration.
fn add_single_row(task: &Task, relation: RelationId, out: &mut String) {
    let Some(own) = task.relations.get(relation) else { return };
    let is_one = match &own.rows {
        hir::Rows::Count(low, high) => [low, high].iter().all(|rows| rows.as_constant() == Some(&Value::Int(1))),
        _ => false,
    };
    if !is_one {
        return;
    }
    for column in &own.columns {
        match &column.source {
            ColumnSource::Compute(value) => add_texts(task, value, out),
            ColumnSource::Draw { draw, .. } => add_drawn_texts(task, draw, out),
            _ => {}
        }
    }
}
