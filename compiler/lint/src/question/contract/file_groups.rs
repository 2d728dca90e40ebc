//! `other_place`: the prompt says that there is a file for each value of a column, and the paths are made from another column.

use std::collections::BTreeSet;

use super::notation::is_about_files;
use super::wording::Wording;
use crate::context::{TaskCx, report_once};
use hir::{ColumnSource, File, Relation, Rows, Task};
use model::suite::ColumnId;
use names::words::{split_words, to_singular};
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::english::files::GROUP_PHRASES;

/// Compares "a file for each team" with the columns of which the paths of files are made.
pub(super) fn report_file_groups(wording: &Wording<'_, '_>, said: &mut Vec<Diagnostic>) {
    let cx = wording.cx;
    let groups: Vec<&File> = cx.task.files.iter().filter(|file| file.split).collect();
    let Some(first) = groups.first() else { return };
    for start in 0..wording.text.tokens.len() {
        let Some(found) = wording.text.match_longest(start, GROUP_PHRASES) else { continue };
        let Some(word) = wording.text.tokens.get(found.end).filter(|_| is_about_files(wording, start)) else {
            continue;
        };
        let told = to_singular(&word.lower);
        let is_column = groups.iter().any(|file| list_columns(cx.task, file).contains(&told));
        let is_in_path = groups.iter().any(|file| list_path_words(cx, file).contains(&told));
        // "A file for each month of a year" tells of several.
        let is_end = wording
            .text
            .tokens
            .get(found.end + 1)
            .is_none_or(|next| matches!(next.text.as_str(), "." | "," | ";" | ":" | "?"));
        if !is_column || is_in_path || !is_end {
            continue;
        }
        let words = wording.quote(found.start, found.end + 1);
        let message =
            format!("the prompt says `{words}`, but the path of `{}` is made from another column", first.name);
        let new = Diagnostic::new(Code::OTHER_PLACE, message, wording.locate(found.start, found.end + 1), "said here")
            .label(first.path.span, "the paths")
            .help("say for what there is a file, or make the path from that column");
        report_once(new, said);
        return;
    }
}

/// The names of the columns of a file and of its table, as single words.
fn list_columns(task: &Task, file: &File) -> BTreeSet<String> {
    let of =
        |own: &Relation| own.columns.iter().map(|column| to_singular(&column.name.to_lowercase())).collect::<Vec<_>>();
    let mut found = BTreeSet::new();
    for own in file.content.relations().iter().filter_map(|id| task.relations.get(*id)) {
        found.extend(of(own));
        if let Rows::Taken { from, .. } = &own.rows {
            found.extend(task.relations.get(*from).map(of).into_iter().flatten());
        }
    }
    found
}

/// The words of the names of the columns from which a path is made, and of the path itself.
fn list_path_words(cx: &TaskCx<'_>, file: &File) -> BTreeSet<String> {
    let mut words = split_words(&cx.sources.text(file.path.span).to_lowercase());
    let Some(own) = file.content.relations().first().and_then(|id| cx.task.relations.get(*id)) else {
        return BTreeSet::new();
    };
    let mut open: Vec<ColumnId> = Vec::new();
    file.path.visit_exprs(&mut |part| open.extend(part.as_column_id()));
    let mut seen = BTreeSet::new();
    while let Some(column) = open.pop().filter(|_| seen.len() < 64) {
        let Some(declared) = own.columns.get(column).filter(|_| seen.insert(column)) else { continue };
        words.extend(split_words(&declared.name));
        match &declared.source {
            ColumnSource::Compute(value) => value.visit_exprs(&mut |part| open.extend(part.as_column_id())),
            ColumnSource::Taken(of) => {
                let Rows::Taken { from, .. } = &own.rows else { continue };
                let origin = cx.task.find_column((*from, *of));
                words.extend(origin.iter().flat_map(|column| split_words(&column.name)));
                if let Some(ColumnSource::Compute(value)) = origin.map(|column| &column.source) {
                    let from = cx.task.relations.get(*from);
                    value.visit_exprs(&mut |part| {
                        let inner = part.as_column_id().and_then(|id| from?.columns.get(id));
                        words.extend(inner.iter().flat_map(|column| split_words(&column.name)));
                    });
                }
            }
            _ => {}
        }
    }
    words.iter().map(|word| to_singular(&word.to_lowercase())).collect()
}
