//! `idle_axis` for renderings: an axis only makes columns dirty that no answer reads, so all its cells are equally hard.

use std::collections::BTreeSet;

use model::Span;
use model::suite::{ColumnId, NameId, RelationId};

use crate::context::TaskCx;
use crate::question::{Flow, Followed};
use hir::{Axis, ColumnSource, Expr, ExprKind, Relation, Rows, Task};
use syntax::diagnostics::wording::join_with_and;
use syntax::diagnostics::{Code, Diagnostic};

/// Reports an axis that is used only in shares of dirty cells, of columns that no answer reads. `roots` are all expressions of the task.
pub(super) fn check_idle_dirt<'a>(cx: &TaskCx<'a>, axis: &Axis, roots: &[&'a Expr]) -> Option<Diagnostic> {
    let task = cx.task;
    let names_axis = |expr: &Expr| expr.has_part_through_names(task, |part| part.kind == ExprKind::Name(axis.slot));
    let dirty = list_dirty_columns(task, axis.slot);
    let shares: BTreeSet<Span> = dirty.iter().flat_map(|column| column.shares.iter().copied()).collect();
    let is_other = |root: &&&Expr| !shares.contains(&root.span) && names_axis(root);
    if dirty.is_empty() || roots.iter().any(|root| is_other(&root)) {
        return None;
    }
    let mut read = Flow::new(task, Followed::All);
    task.iter_expects().for_each(|expect| read.add_expect(expect));
    let (first, relation) = (dirty.first()?, dirty.first()?.relation);
    let is_read = |own: RelationId, column: ColumnId| {
        list_origins(task, own, column).iter().any(|place| read.columns.contains(place))
    };
    if read.columns.is_empty() || dirty.iter().any(|column| is_read(column.relation, column.column)) {
        return None;
    }
    let own = task.relations.get(relation)?;
    let clean = own
        .iter_written_columns()
        .filter(|(id, column)| matches!(column.ty.kind, hir::types::TyKind::Text) && is_read(relation, *id));
    let clean: Vec<(Span, &str)> =
        clean.map(|(_, column)| (column.span, "read by the answer, and always clean")).collect();
    // With numbers alone, there is nothing that letters or blanks could change.
    if clean.is_empty() {
        return None;
    }
    let names = dirty
        .iter()
        .filter_map(|dirty| Some(task.relations.get(dirty.relation)?.columns.get(dirty.column)?.name.as_str()));
    let message = format!("axis `{}` only makes {} dirty, which no answer reads", axis.name, join_with_and(names));
    let declared = task.names.get(axis.slot)?;
    Some(
        Diagnostic::new(Code::IDLE_AXIS, message, first.span, "no answer depends on it")
            .label(declared.span, "all cells are equally hard")
            .with_labels(clean)
            .help("make a column dirty that the answer reads, or remove the axis"),
    )
}

/// A column whose cells are dirty by an axis.
struct Dirty {
    relation: RelationId,
    column: ColumnId,
    span: Span,
    /// The places of the shares.
    shares: Vec<Span>,
}

fn list_dirty_columns(task: &Task, axis: NameId) -> Vec<Dirty> {
    let mut found = Vec::new();
    for (relation, own) in task.relations.iter_enumerated() {
        let Some(form) = own.file.and_then(|file| task.files.get(file)?.content.form()) else { continue };
        for styled in &form.styled {
            let shares = styled.styles.iter().filter_map(|style| style.text_style().and(style.share()));
            let by_axis =
                shares.filter(|share| share.has_part_through_names(task, |part| part.kind == ExprKind::Name(axis)));
            let shares: Vec<Span> = by_axis.map(|share| share.span).collect();
            if let Some(column) = own.columns.get(styled.column).filter(|_| !shares.is_empty()) {
                found.push(Dirty { relation, column: styled.column, span: column.span, shares });
            }
        }
    }
    found
}

/// Lists a column of a file, and the columns of the table from which it is written.
fn list_origins(task: &Task, relation: RelationId, column: ColumnId) -> Vec<(RelationId, ColumnId)> {
    let mut found = vec![(relation, column)];
    let Some(own) = task.relations.get(relation) else { return found };
    let mut open = vec![column];
    let mut seen = BTreeSet::new();
    while let Some(column) = open.pop() {
        if !seen.insert(column) {
            continue;
        }
        found.push((relation, column));
        found.extend(list_sources(own, column, &mut open));
    }
    found
}

/// Returns the column of the other table that a column is, and adds the columns of the same row that it is computed from.
fn list_sources(own: &Relation, column: ColumnId, open: &mut Vec<ColumnId>) -> Option<(RelationId, ColumnId)> {
    match &own.columns.get(column)?.source {
        ColumnSource::Taken(of) => match &own.rows {
            Rows::Taken { from, .. } => Some((*from, *of)),
            _ => None,
        },
        ColumnSource::Compute(value) => {
            value.visit_exprs(&mut |part| open.extend(part.as_column_id()));
            None
        }
        _ => None,
    }
}
