//! `unmentioned_key` of columns: `open` finds columns by their names, `ordered by` sorts by one, and the prompt does not name it.

use model::suite::Options;
use model::suite::matchers::Takes;

use super::prompt_content::{Way, has_word};
use super::unmentioned_file::describe_prompt;
use crate::context::{TaskCx, report_once};
use hir::types::TyKind;
use hir::{Expect, Task};
use syntax::diagnostics::{Code, Diagnostic};

/// A column whose name the agent must know, and why.
struct Named<'e> {
    name: &'e str,
    why: &'static str,
}

pub(super) fn report_unnamed_columns<'a>(cx: &TaskCx<'a>, ways: &[Way<'a>], said: &mut Vec<Diagnostic>) {
    for way in ways {
        for expect in &way.asked.expects {
            let Some(answer) = expect.answer_expr().filter(|_| expect.matcher.record().takes == Takes::Rows) else {
                continue;
            };
            let named = list_named_columns(expect);
            for telling in way.tellings.iter().filter(|telling| !telling.opaque) {
                let text = telling.text.to_lowercase();
                let is_missing = |column: &&Named<'_>| {
                    !has_word(&text, &column.name.to_lowercase()) && !is_column_of_task(cx.task, column.name)
                };
                let Some(first) = named.iter().find(is_missing) else { continue };
                let message = format!("{} does not name the column `{}`", describe_prompt(way), first.name);
                let new = Diagnostic::new(Code::UNMENTIONED_KEY, message, answer.span, first.why)
                    .label(telling.span, "not named here")
                    .help(format!("add it to the prompt, in backticks: `{}`", first.name));
                report_once(new, said);
                break;
            }
        }
    }
}

/// Lists the columns that are found by their names, or by which the rows are ordered. If several results are accepted, they may have any names.
fn list_named_columns(expect: &Expect) -> Vec<Named<'_>> {
    let whole: Option<&Options> = expect.options.iter().find(|(at, _)| at.is_empty()).map(|(_, options)| options);
    let (Some(whole), false) = (whole, expect.is_any_of()) else { return Vec::new() };
    let columns = match expect.answer_expr().map(|answer| &answer.ty.kind) {
        Some(TyKind::Rows(columns)) if whole.open => columns.as_slice(),
        _ => &[],
    };
    let sorted = whole.sorted_by.iter().map(|key| Named { name: &key.column, why: "ordered by it" });
    sorted.chain(columns.iter().map(|(name, _)| Named { name, why: "found by its name" })).collect()
}

/// Whether a table of the task has such a column: its name is a likely one for the same values.
fn is_column_of_task(task: &Task, name: &str) -> bool {
    task.relations.iter().flat_map(|own| &own.columns).any(|column| column.name.eq_ignore_ascii_case(name))
}
