//! `unwritten_column`: the answer reads a column of a table, files are written from the table, and none of them has the column.

use std::collections::BTreeSet;

use plan::Span;
use plan::suite::{ColumnId, RelationId};

use super::Reach;
use super::needed::{Reading, inputs};
use crate::diagnostics::{Code, Diagnostic};
use crate::hir::{self, ColumnSource};

pub(super) fn check(reach: &Reach<'_>, said: &mut Vec<Diagnostic>) {
    let mut known: BTreeSet<(RelationId, ColumnId)> = BTreeSet::new();
    for (reading, relation) in reach.hidden() {
        for read in &reading.columns {
            let mut open = vec![*read];
            let mut seen = BTreeSet::new();
            while let Some(column) = open.pop() {
                if !seen.insert(column) || is_written(reach, reading.relation, column) {
                    continue;
                }
                let Some(own) = relation.columns.get(column) else { continue };
                let from = inputs(reading.relation, &own.source);
                if !from.is_empty() {
                    open.extend(from);
                } else if known.insert((reading.relation, column)) && is_hidden(&own.source) {
                    said.push(unwritten(reach, (reading, *read), relation, own));
                }
            }
        }
    }
}

/// Whether a file shows this column of a table, or something else does.
fn is_written(reach: &Reach<'_>, relation: RelationId, column: ColumnId) -> bool {
    reach.known.has(relation, column) || reach.of(relation).any(|file| file.columns.contains_key(&column))
}

/// Whether nobody can know its values: a column that is computed from nothing in its row follows from what is known otherwise.
fn is_hidden(source: &ColumnSource) -> bool {
    source.draw().is_some()
}

fn unwritten(
    reach: &Reach<'_>,
    (reading, read): (&Reading<'_>, ColumnId),
    relation: &hir::Relation,
    column: &hir::Column,
) -> Diagnostic {
    let said = Diagnostic::new(
        Code::UNWRITTEN_COLUMN,
        format!("no file contains `{}.{}`", relation.name, column.name),
        place(reading, read),
        "read by the answer",
    )
    .label(column.span, "drawn here");
    let file = reach.of(reading.relation).next().and_then(|file| reach.cx.task.files.get(file.file));
    match file {
        Some(file) => {
            said.help(format!("write it in `{}`, or compute the answer from columns that are written", file.name))
        }
        None => said,
    }
}

/// Where a column is read: of a query, the first place that names it.
fn place(reading: &Reading<'_>, column: ColumnId) -> Span {
    let places = reading.sql.iter().flat_map(|sql| &sql.analysis.places);
    let mut named = places.filter(|(_, of, named)| (*of, *named) == (reading.relation, column)).map(|(span, ..)| *span);
    named.next().unwrap_or(reading.span)
}
