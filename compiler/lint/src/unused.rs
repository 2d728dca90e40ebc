//! `unused_name`: a drawn, computed, or generated declaration that is never used.

use model::Span;
use model::Value;
use model::suite::{FileId, NameId, RelationId};

use super::context::TaskCx;
use super::question::has_word;
use hir::types::TyKind;
use hir::{Entity, Expr, ExprKind, Subject};
use syntax::diagnostics::{Applicability, Code, Diagnostic};

pub(super) fn report_unused_names(cx: &TaskCx<'_>, said: &mut Vec<Diagnostic>) {
    let task = cx.task;
    // The name `_NAME` marks a declaration as intentionally unused.
    let is_unused = |entity, name: &str| !task.notes.used.contains(&entity) && !name.starts_with('_');
    for (_, name) in task.names.iter_enumerated().filter(|(id, name)| is_unused(Entity::Name(*id), &name.name)) {
        let what = match name.source {
            hir::NameSource::Draw { .. } => "drawn",
            hir::NameSource::Axis => "an axis",
            hir::NameSource::Row => "a column",
            hir::NameSource::Compute(_) => "computed",
        };
        let new = build_diagnostic(&name.name, name.span, what);
        said.push(match name.source {
            hir::NameSource::Axis => suggest_rows(task, name, new),
            _ => new,
        });
    }
    // The rows of an existing file can be drawn from in another table.
    let is_drawn_from = |file: FileId| {
        let mut own = task.relations.iter_enumerated().filter(|(_, relation)| relation.file == Some(file));
        own.any(|(id, relation)| {
            matches!(relation.rows, hir::Rows::Given(_)) && task.notes.used.contains(&Entity::Relation(id))
        })
    };
    // An agent that changes any file of the sandbox is wrong.
    let expects = task.iter_ways().flat_map(|way| &way.expects).chain(&task.expects);
    let is_protected = expects.into_iter().any(|expect| matches!(expect.subject, Subject::Unchanged(_)));
    let unused_file = |(id, file): &(FileId, &hir::File)| {
        !is_protected
            && is_unused(Entity::File(*id), &file.name)
            && !is_in_named_folder(task, file)
            && !is_drawn_from(*id)
    };
    for (_, file) in task.files.iter_enumerated().filter(unused_file) {
        said.push(build_diagnostic(&file.name, file.span, "generated"));
    }
    let own = |relation: &hir::Relation| relation.file.is_none() && !matches!(relation.rows, hir::Rows::Query(_));
    let unused_relation = |(id, relation): &(RelationId, &hir::Relation)| {
        own(relation) && is_unused(Entity::Relation(*id), &relation.name)
    };
    for (_, relation) in task.relations.iter_enumerated().filter(unused_relation) {
        let what = if matches!(relation.rows, hir::Rows::Given(_)) { "read" } else { "generated" };
        said.push(build_diagnostic(&relation.name, relation.span, what));
    }
}

/// Removes unused names that another diagnostic points to: an answer that is in a file, or that no expectation compares, is one mistake.
pub(super) fn drop_explained_names(said: &mut Vec<Diagnostic>) {
    let explains = |known: &&Diagnostic| known.code == Code::VACUOUS_EXPECTATION || known.code == Code::LEAKED_ANSWER;
    let labels = said.iter().filter(explains).flat_map(|known| &known.secondary);
    let explained: Vec<Span> = labels.map(|label| label.span).collect();
    said.retain(|known| known.code != Code::UNUSED_NAME || !explained.contains(&known.primary.span));
}

fn build_diagnostic(name: &str, span: Span, what: &str) -> Diagnostic {
    Diagnostic::new(Code::UNUSED_NAME, format!("`{name}` is {what} but never used"), span, "never used")
        .help("mention it in the prompt or the answer, or remove it")
}

/// Suggests an unused axis of ints as the number of rows of a table whose number is fixed.
fn suggest_rows(task: &hir::Task, axis: &hir::Name, said: Diagnostic) -> Diagnostic {
    let fixed = task.relations.iter().find_map(|relation| match &relation.rows {
        hir::Rows::Count(low, high) if low.span == high.span && low.as_constant().is_some() => {
            Some((relation, low.span))
        }
        _ => None,
    });
    let Some((relation, rows)) = fixed.filter(|_| axis.ty.kind == TyKind::Int) else { return said };
    Diagnostic { help: None, ..said }
        .label(rows, format!("`{}` has a fixed number of rows", relation.name))
        .help(format!("use it as the number of rows: `rows {}`", axis.name))
        .fix(format!("write `rows {}`", axis.name), Applicability::Unsafe, rows, axis.name.clone())
}

/// Checks whether a file is written from another table, and a prompt names a folder that contains it.
fn is_in_named_folder(task: &hir::Task, file: &hir::File) -> bool {
    let relation = file.content.relations().first().and_then(|relation| task.relations.get(*relation));
    if !matches!(relation.map(|relation| &relation.rows), Some(hir::Rows::Taken { .. })) {
        return false;
    }
    let first = file.path.as_pieces().first().and_then(Expr::as_constant).and_then(Value::as_text);
    let Some((folders, _)) = first.and_then(|first| first.rsplit_once('/')) else { return false };
    let mut told = String::new();
    let mut seen = Vec::new();
    let prompts = std::iter::once(&task.prompt).chain(task.iter_ways().map(|way| &way.prompt));
    for wording in prompts.flat_map(|prompt| &prompt.wordings) {
        add_fixed_words(task, wording, &mut told, &mut seen);
    }
    let told = told.to_lowercase();
    folders.split('/').any(|folder| has_word(&told, &folder.to_lowercase()))
}

/// Adds the constant text of a prompt, including that of names.
pub(super) fn add_fixed_words(task: &hir::Task, expr: &Expr, told: &mut String, seen: &mut Vec<NameId>) {
    let mut names = Vec::new();
    expr.visit_exprs(&mut |part| match &part.kind {
        ExprKind::Const(Value::Text(text)) => {
            told.push_str(text);
            told.push('\n');
        }
        ExprKind::Name(id) => names.push(*id),
        _ => {}
    });
    for id in names {
        if !seen.contains(&id) {
            seen.push(id);
            task.find_computed(id).into_iter().for_each(|value| add_fixed_words(task, value, told, seen));
        }
    }
}
