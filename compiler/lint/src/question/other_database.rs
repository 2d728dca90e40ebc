//! `doubtful_gold`: the query in the reply runs on one database, and the expected rows come from another one.

use model::suite::{FileId, Matcher};

use crate::context::{TaskCx, report_once};
use hir::{Arg, ExprKind, FileContent, Task};
use syntax::diagnostics::{Code, Diagnostic};

pub(super) fn report_other_databases(cx: &TaskCx<'_>, said: &mut Vec<Diagnostic>) {
    let task = cx.task;
    for expect in task.iter_expects().filter(|expect| expect.matcher == Matcher::Sql) {
        let (Some(asked), Some(answer)) = (expect.database, expect.answer_expr()) else { continue };
        let ExprKind::Call(_, args) = &answer.resolve_name(task).kind else { continue };
        let read = args.iter().find_map(|arg| match arg {
            Arg::File(file) => Some(*file),
            Arg::Sql(sql) => sql.database,
            _ => None,
        });
        let Some(read) = read.filter(|read| *read != asked && !is_same_content(task, *read, asked)) else { continue };
        let (Some(read), Some(asked)) = (task.files.get(read), task.files.get(asked)) else { continue };
        let (read, asked) = (&read.name, &asked.name);
        let message = format!("the query in the reply runs on `{asked}`, but the expected rows come from `{read}`");
        let new = Diagnostic::new(Code::DOUBTFUL_GOLD, message, answer.span, format!("reads `{read}`"))
            .help(format!("compute the expected rows from `{asked}`, or write `sql {read}`"));
        report_once(new, said);
    }
}

/// Checks whether two files are copies of one file.
fn is_same_content(task: &Task, one: FileId, other: FileId) -> bool {
    let bytes = |id: FileId| match task.files.get(id).map(|file| &file.content) {
        Some(FileContent::Fixture { bytes, .. }) => Some(bytes),
        _ => None,
    };
    matches!((bytes(one), bytes(other)), (Some(one), Some(other)) if one == other)
}
