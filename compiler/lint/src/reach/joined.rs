//! The answer reads columns of a table together that are in different files: both files must contain a key of the table.

use std::collections::BTreeSet;

use model::suite::{ColumnId, FileId};

use super::context::Reach;
use super::files::Rendering;
use super::needed::{Reading, collect_input_columns};
use syntax::diagnostics::wording::join_with_and;
use syntax::diagnostics::{Code, Diagnostic};

/// Files that show the same columns of a table: together they are one table.
struct Group<'a> {
    columns: BTreeSet<ColumnId>,
    file: &'a Rendering,
}

pub(super) fn report_unjoined_files(reach: &Reach<'_, '_>, said: &mut Vec<Diagnostic>) {
    for (reading, relation) in reach.iter_hidden_readings() {
        // If a query reads the table more than once, the columns that it needs together are not known.
        if reading.sql.is_some_and(|sql| !sql.analysis.understood || sql.analysis.again.contains(&reading.relation)) {
            continue;
        }
        let mut groups: Vec<Group<'_>> = Vec::new();
        for file in reach.iter_renderings(reading.relation) {
            let columns: BTreeSet<ColumnId> = file.columns.keys().copied().collect();
            if groups.iter().all(|group| group.columns != columns) {
                groups.push(Group { columns, file });
            }
        }
        let needed = collect_needed_columns(reach, reading, relation, &groups);
        let keys: Vec<BTreeSet<ColumnId>> = hir::find_keys(&reach.cx.task.relations, reading.relation, |_| Vec::new())
            .into_iter()
            .map(BTreeSet::from_iter)
            .collect();
        let best = (0..groups.len())
            .map(|first| collect_joinable_columns(&groups, &keys, first))
            .max_by_key(|reached| (reached.intersection(&needed).count(), std::cmp::Reverse(reached.len())));
        let Some(best) = best else { continue };
        let apart = groups.iter().find(|group| {
            !group.columns.is_subset(&best) && group.columns.iter().any(|c| needed.contains(c) && !best.contains(c))
        });
        let base = groups
            .iter()
            .find(|group| group.columns.is_subset(&best) && group.columns.iter().any(|column| needed.contains(column)));
        if let (Some(apart), Some(base)) = (apart, base) {
            said.extend(build_diagnostic(reach, reading, relation, &keys, [base.file.file, apart.file.file]));
        }
    }
}

/// Collects the columns that must be found in files. A computed column that no file has is replaced by the columns from which it is computed.
fn collect_needed_columns(
    reach: &Reach<'_, '_>,
    reading: &Reading<'_>,
    relation: &hir::Relation,
    groups: &[Group<'_>],
) -> BTreeSet<ColumnId> {
    let mut needed = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut open: Vec<ColumnId> = reading.columns.iter().copied().collect();
    while let Some(column) = open.pop() {
        if !seen.insert(column) || reach.known.has_column(reading.relation, column) {
            continue;
        }
        if groups.iter().any(|group| group.columns.contains(&column)) {
            needed.insert(column);
        } else if let Some(own) = relation.columns.get(column) {
            open.extend(collect_input_columns(reading.relation, &own.source));
        }
    }
    needed
}

/// Collects all columns that can be joined with this group, from file to file.
fn collect_joinable_columns(groups: &[Group<'_>], keys: &[BTreeSet<ColumnId>], first: usize) -> BTreeSet<ColumnId> {
    let mut inside = vec![first];
    let mut reached = BTreeSet::new();
    while let Some(group) = inside.pop().and_then(|at| groups.get(at)) {
        reached.extend(group.columns.iter().copied());
        for (at, other) in groups.iter().enumerate() {
            let joins = |key: &BTreeSet<ColumnId>| key.is_subset(&group.columns) && key.is_subset(&other.columns);
            if !other.columns.is_subset(&reached) && keys.iter().any(joins) {
                inside.push(at);
            }
        }
    }
    reached
}

fn build_diagnostic(
    reach: &Reach<'_, '_>,
    reading: &Reading<'_>,
    relation: &hir::Relation,
    keys: &[BTreeSet<ColumnId>],
    files: [FileId; 2],
) -> Option<Diagnostic> {
    let [one, other] = files.map(|file| reach.cx.task.files.get(file));
    let (first, second) = if one?.span < other?.span { (one?, other?) } else { (other?, one?) };
    let help = match keys.iter().min_by_key(|key| key.len()) {
        Some(key) => {
            let names = key.iter().filter_map(|column| relation.columns.get(*column)).map(|own| own.name.as_str());
            format!("write a key of `{}` in both: {}", relation.name, join_with_and(names))
        }
        None => format!("give `{}` a key, such as `ID : serial`, and write it in both", relation.name),
    };
    Some(
        Diagnostic::new(
            Code::BAD_STYLE,
            format!("nothing joins `{}` and `{}`", first.name, second.name),
            reading.span,
            "reads columns of both",
        )
        .label(first.span, "written here")
        .label(second.span, "and here")
        .help(help),
    )
}
