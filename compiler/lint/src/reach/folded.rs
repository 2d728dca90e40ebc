//! A column that the answer reads is written in a style of texts, and two of its values differ only in that.

use std::collections::{BTreeSet, HashMap};

use model::suite::{ColumnId, RelationId};
use model::{Span, Value};
use tables::write::Folds;

use super::context::Reach;
use super::unknowable::find_dirt;
use hir::DrawDomain;
use hir::origins::find_origin;
use syntax::diagnostics::{Code, Diagnostic};

pub(super) fn report_folded_values(reach: &Reach<'_, '_>, said: &mut Vec<Diagnostic>) {
    let mut seen = BTreeSet::new();
    for reading in &reach.readings {
        for column in &reading.columns {
            let at = find_origin(reach.cx.task, (reading.relation, *column));
            if !seen.insert(at) {
                continue;
            }
            let Some(dirt) = find_dirt(reach, at) else { continue };
            let folds = Folds::from_styles(dirt.iter_present().map(|(style, _)| style));
            if let Some((_, style)) = dirt.iter_present().next()
                && let Some((first, second)) = find_folded_pair(&list_column_values(reach.cx.task, at, 0), folds)
            {
                said.extend(build_diagnostic(reach.cx.task, at, (&first, &second), *style, reading.span));
            }
        }
    }
}

/// The maximum number of columns to follow.
const FARTHEST: usize = 16;

/// Lists the texts that a column can have, if all are known.
fn list_column_values(task: &hir::Task, place: (RelationId, ColumnId), depth: usize) -> Vec<Value> {
    let draw = task.find_column(place).and_then(|column| column.source.draw());
    match draw.map(|draw| &draw.domain) {
        Some(DrawDomain::Fixed(domain)) => domain.list_values().iter().flatten().cloned().collect(),
        Some(DrawDomain::OneOf(items)) => {
            items.iter().filter_map(|item| item.resolve_name(task).as_constant().cloned()).collect()
        }
        Some(DrawDomain::Ref { relation, column, .. }) if depth < FARTHEST => {
            list_column_values(task, find_origin(task, (*relation, *column)), depth + 1)
        }
        _ => Vec::new(),
    }
}

/// Finds two texts that are equal after folding.
fn find_folded_pair(values: &[Value], folds: Folds) -> Option<(String, String)> {
    let mut seen: HashMap<String, &str> = HashMap::new();
    values.iter().filter_map(Value::as_text).find_map(|text| {
        let first = *seen.entry(folds.fold_key(text).into_owned()).or_insert(text);
        (first != text).then(|| (first.to_owned(), text.to_owned()))
    })
}

fn build_diagnostic(
    task: &hir::Task,
    place: (RelationId, ColumnId),
    (first, second): (&str, &str),
    style: Span,
    read: Span,
) -> Option<Diagnostic> {
    let (relation, column) = (task.relations.get(place.0)?, task.find_column(place)?);
    let message = format!("{first:?} and {second:?} of `{}.{}` cannot be told apart", relation.name, column.name);
    Some(
        Diagnostic::new(Code::BAD_STYLE, message, style, "may make them the same")
            .label(column.span, "declared here")
            .label(read, "the answer reads it")
            .help("draw values that differ in more, or write the column as it is"),
    )
}
