//! `idle_file`: a file that looks like the one that is asked for changes no answer, also of an agent that reads it: it has the same rows, or none that the question chooses.

use model::suite::{ColumnId, FileId, RelationId, Scope};

use super::equalities::{Chosen, Equality, collect_equalities};
use syntax::prompts::english::files::COPIES;
use crate::context::{TaskCx, report_once};
use crate::question::prompt_content::{Way, has_any_word};
use hir::facts::Fact;
use hir::{ColumnSource, File, Relation, Rows, Task};
use model::Span;
use syntax::diagnostics::{Code, Diagnostic};

/// A file that is written like another one, and that one.
pub(super) struct Decoy<'a> {
    /// The file.
    pub file: &'a File,
    /// Its rows.
    pub own: &'a Relation,
    /// The other file.
    pub like: &'a File,
    /// Its rows.
    pub model: &'a Relation,
}

/// Lists the files that are written like others.
pub(super) fn list_decoys(task: &Task) -> Vec<Decoy<'_>> {
    let find = |file: &'_ File| match file.content.relations() {
        [relation] => Some(*relation),
        _ => None,
    };
    let of = |file| {
        let file: &File = file;
        let like: FileId = file.like?;
        let like = task.files.get(like)?;
        let (own, model) = (task.relations.get(find(file)?)?, task.relations.get(find(like)?)?);
        Some(Decoy { file, own, like, model })
    };
    task.files.iter().filter_map(of).collect()
}

pub(super) fn report_idle_decoys<'a>(cx: &TaskCx<'a>, ways: &[Way<'a>], said: &mut Vec<Diagnostic>) {
    let decoys = list_decoys(cx.task);
    for decoy in &decoys {
        let (Rows::Taken { from, filter }, Rows::Taken { from: other, filter: others }) =
            (&decoy.own.rows, &decoy.model.rows)
        else {
            continue;
        };
        let bare = |filter: &Option<hir::Expr>| filter.as_ref().map(hir::Expr::without_spans);
        let (name, like) = (&decoy.file.name, &decoy.like.name);
        if from == other && bare(filter) == bare(others) {
            let speaks = |way: &Way<'_>| {
                way.tellings
                    .iter()
                    .any(|telling| telling.opaque || has_any_word(&telling.prompt.to_lowercase(), COPIES))
            };
            if !ways.iter().any(speaks) {
                let table = cx.task.relations.get(*from).map_or("", |own| own.name.as_str());
                let message = format!("`{name}` has the same rows as `{like}`, so reading it instead is right, too");
                let new = Diagnostic::new(Code::IDLE_FILE, message, decoy.file.span, format!("written from `{table}`"))
                    .label(decoy.like.span, format!("also written from `{table}`"))
                    .help("write it from another table, or say in the prompt that it is a copy");
                report_once(new, said);
            }
        } else if let Some((found, twin)) = find_apart(cx, ways, decoy, (*from, *other)) {
            let columns = cx.task.relations.get(found.relation);
            let column =
                columns.and_then(|own| own.columns.get(found.column)).map_or("", |column| column.name.as_str());
            let message =
                format!("no row of `{name}` has a `{column}` that is asked for, so reading it, too, changes no answer");
            let new = Diagnostic::new(Code::IDLE_FILE, message, twin, "has only other values")
                .label(decoy.file.span, "written here")
                .label(found.span, "chosen here")
                .help(format!("draw the `{column}` of both tables from the same values"));
            report_once(new, said);
        }
    }
}

/// Finds a condition that no row of a decoy can meet, if all answers have one, with the column of the decoy's table.
fn find_apart<'a>(
    cx: &TaskCx<'a>,
    ways: &[Way<'a>],
    decoy: &Decoy<'a>,
    (from, base): (RelationId, RelationId),
) -> Option<(Equality<'a>, Span)> {
    let mut first = None;
    for way in ways {
        let equalities = collect_equalities(cx.task, &way.asked);
        let apart = equalities.into_iter().filter(|found| found.relation == base).find_map(|found| {
            let column = find_twin(decoy, found.column)?;
            let is_apart = are_apart(&find_fact(cx, &found.value), &cx.facts().lookup_column(from, column));
            let twin = cx.task.find_column((from, column)).filter(|_| is_apart)?;
            Some((found, twin.span))
        })?;
        first.get_or_insert(apart);
    }
    first
}

/// Finds the column of the decoy's table that is written where the other file has a column of its table.
fn find_twin(decoy: &Decoy<'_>, column: ColumnId) -> Option<ColumnId> {
    let (_, written) =
        decoy.model.iter_written_columns().find(|(_, own)| find_taken(decoy.model, own) == Some(column))?;
    let (_, twin) = decoy.own.iter_written_columns().find(|(_, own)| own.name == written.name)?;
    find_taken(decoy.own, twin)
}

/// Returns the column of the table that a column of a file is.
fn find_taken(own: &Relation, column: &hir::Column) -> Option<ColumnId> {
    let ColumnSource::Compute(value) = &column.source else { return None };
    match own.columns.get(value.as_column_id()?)?.source {
        ColumnSource::Taken(of) => Some(of),
        _ => None,
    }
}

fn find_fact<'a>(cx: &TaskCx<'a>, value: &Chosen<'a>) -> Fact<'a> {
    match value {
        Chosen::Expr(expr) => cx.facts().infer_expr(expr, Scope::default()),
        Chosen::Literal(value) => Fact::from_value(value),
    }
}

/// Checks whether two values are listed and never equal, also without letter case.
fn are_apart(chosen: &Fact<'_>, rows: &Fact<'_>) -> bool {
    let (Some(chosen), Some(rows)) = (&chosen.closed, &rows.closed) else { return false };
    let fold = |value: &model::Value| value.as_text().map(str::to_lowercase);
    let texts: Option<Vec<String>> = rows.iter().map(fold).collect();
    let Some(texts) = texts.filter(|texts| !texts.is_empty()) else { return false };
    !chosen.is_empty() && chosen.iter().all(|value| fold(value).is_some_and(|text| !texts.contains(&text)))
}
