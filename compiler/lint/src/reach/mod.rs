//! Whether the answer can be found in the agent's files, if they are written from tables that are not given to anyone.
//!
//! The answer key of such a task is computed from the tables, but the agent only has the files. Without luck, a correct answer is impossible if a column
//! is in no file, if files cannot be joined, or if no file has the exact letters of a text.
//!
//! | file | what |
//! | --- | --- |
//! | `needed` | the columns that an expression reads, by table, and the ones that it reads together |
//! | `files` | the files that are written from a table, and the columns that they contain |
//! | `context` | what these checks share |
//! | `unwritten` | `unwritten_column`: a column that is in no file |
//! | `joined` | `bad_style`: columns in different files that cannot be joined |
//! | `letters` | the columns from which the letters of a value can come |
//! | `folded` | `bad_style`: values that differ only in what `case` or `space` changes |
//! | `letter_case` | `letter_case_decides`: texts are sorted or searched by letters that no file has exactly |
//! | `unknowable` | `unknowable_text`: a text that is only written in other letter case or with extra spaces |

mod context;
pub(crate) mod files;
mod folded;
mod joined;
mod letter_case;
pub(crate) mod letters;
pub(crate) mod needed;
mod unknowable;
mod unwritten;

use std::collections::BTreeSet;

use model::suite::{NameId, RelationId};

use self::context::Reach;
use self::files::KnownColumns;
use crate::context::{Asked, TaskCx};
use hir::{Expr, ExprKind};
use syntax::diagnostics::Diagnostic;

/// Reports answers that cannot be found in the files: errors and warnings.
pub(super) fn report_unreachable_answers(cx: &TaskCx<'_>, said: &mut Vec<Diagnostic>) {
    let renderings = files::collect_renderings(cx.task);
    if renderings.is_empty() && !unknowable::is_dirty(cx.task) {
        return;
    }
    let written: BTreeSet<RelationId> = renderings.iter().map(|file| file.from).collect();
    let known = KnownColumns::from_task(cx.task);
    let first = said.len();
    for asked in cx.list_questions() {
        let told = collect_told_names(cx.task, &asked);
        let answers: Vec<&Expr> = asked.iter_answers().collect();
        let readings = needed::collect_answer_readings(cx.task, &answers, &told, written.clone());
        let reach = Reach { cx, asked: &asked, readings, renderings: renderings.clone(), known: known.clone(), told };
        unwritten::report_unwritten_columns(&reach, said);
        joined::report_unjoined_files(&reach, said);
        folded::report_folded_values(&reach, said);
        unknowable::report_unknowable_texts(&reach, said);
        letter_case::report_letter_case(&reach, said);
    }
    // Variants can have the same answers.
    let mut own = said.split_off(first);
    own.sort_by_key(|said| (said.primary.span, said.code.id));
    own.dedup_by(|a, b| a.primary.span == b.primary.span && a.code == b.code && a.message == b.message);
    said.extend(own);
}

/// Collects names whose values a wording of the prompt contains: the values from which they are computed need not be found.
fn collect_told_names(task: &hir::Task, asked: &Asked<'_>) -> BTreeSet<NameId> {
    let mut told = BTreeSet::new();
    let mut open: Vec<&Expr> = asked.prompts.clone();
    while let Some(expr) = open.pop() {
        match &expr.kind {
            ExprKind::Concat(pieces) => open.extend(pieces),
            ExprKind::Name(id) if told.insert(*id) => {
                open.extend(task.find_computed(*id).filter(|value| matches!(value.kind, ExprKind::Concat(_))));
            }
            _ => {}
        }
    }
    told
}
