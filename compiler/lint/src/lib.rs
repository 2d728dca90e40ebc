//! Lints: suites that can be built but are probably not what their author wants.
//!
//! Lints run over the tasks of a checked suite that have no errors. A lint reports only what the source proves; problems that only drawn samples show
//! are left to `analyze`. Each lint checks one task at a time and is silenced by an `allow NAME "reason"` around it (see `allow`).
//!
//! | file | lints |
//! | --- | --- |
//! | `unused` | `unused_name` |
//! | `question` | lints on the prompt and what it asks for: the table in its `mod.rs` |
//! | `domains` | lints that follow from domains: `impossible_predicate`, `constant_answer`, and others |
//! | `chance` | `vacuous_expectation` for tolerances, `likely_answer` |
//! | `reach` | answers that cannot be found in the files, as errors and as warnings: the table in its `mod.rs` |
//! | `merged` | errors: possible answers that `ignore` makes equal |
//! | `tied` | `tied_answer` outside of SQL |
//! | `mode_chance` | for it: ties of the most common value that never happen |
//! | `taken_rows` | for it: the cells of which one is taken |
//! | `lookups` | for it: a row that is looked up by columns whose values repeat |
//! | `sorted_places` | for it: a value by its place in a sorted list |
//! | `skipped_blanks` | `nulls_left_out` outside of SQL |
//! | `idle` | `idle_goal` |
//! | `covered` | `idle_goal` for states of which nothing that changes is compared |
//! | `idle_statements`, `redone` | `idle_statement` |
//! | `idle_samples` | `idle_samples` |
//! | `idle_styles` | `idle_style` |
//! | `axes` | `repeated_cells`, `idle_axis` |
//! | `stages` | `idle_stage` |
//! | `tools` | `missing_tool` |
//! | `blanks` | `outer_blanks` |
//! | `stops` | `may_be_empty`, `may_fail`, `may_exhaust`, `may_be_unsafe`, `zero_division` with a sample |
//! | `queries` | findings of the analysis of SQL, if they matter |
//! | `colon` | `sql_name_without_colon` |
//! | `context` | for all: the task, the ways of asking it, and reporting once |
//! | `goals` | for these: the statements of an expected state |
//! | `linear_sets` | for `covered`: set values as linear functions of the old ones |
//! | `uses` | for these: how the result of a query is used |
//! | `required` | for these: the columns that the `require`s of a task check |
//! | `allow` | `unused_allow`, and silencing by `allow` |

mod allow;
mod axes;
mod blanks;
mod chance;
mod colon;
mod context;
mod covered;
mod domains;
mod goals;
mod idle;
mod idle_samples;
mod idle_statements;
mod idle_styles;
mod linear_sets;
mod lookups;
mod merged;
mod mode_chance;
mod queries;
mod question;
mod reach;
mod redone;
mod required;
mod skipped_blanks;
mod sorted_places;
mod stages;
mod stops;
mod taken_rows;
mod tied;
mod tools;
mod unused;
mod uses;

pub use allow::{is_allowed, turn_panels_off};

use context::{TaskCx, report_once};
use model::threads::map_on_threads;
pub use stops::{OpenPlace, TaskTotality, Totality, Why};
use uses::Answered;

use syntax::diagnostics::{Diagnostic, Severity};
use syntax::host::{Host, Sqlite};
use syntax::sources::Sources;

/// Runs the lints on all tasks without errors, each on one of the host's threads, adds their diagnostics to `said`, and removes the warnings that the author
/// allows. Returns what is known of whether a build can stop.
pub fn lint_suite(suite: &hir::Suite, sources: &Sources, host: &dyn Host, said: &mut Vec<Diagnostic>) -> Totality {
    let tasks = without_errors(suite, said);
    let sqlite = host.sqlite();
    let known: &[Diagnostic] = said;
    let threads = if tasks.len() > 1 { host.max_threads() } else { 1 };
    let linted = map_on_threads(threads, tasks.len(), |at| {
        let cx = TaskCx::new(suite, tasks.get(at)?, sources);
        let mut said: Vec<Diagnostic> = known.iter().filter(|known| is_within(cx.task, known)).cloned().collect();
        let totality = lint_task(&cx, sqlite, &mut said);
        Some((said, totality))
    });
    said.retain(|known| !tasks.iter().any(|task| is_within(task, known)));
    let (own, judged): (Vec<_>, Vec<_>) = linted.into_iter().flatten().unzip();
    if judged.len() == suite.tasks.len() && judged.iter().all(Option::is_some) {
        idle_samples::report_idle_suite_samples(suite, said);
    }
    for (task, own) in tasks.iter().zip(own) {
        for new in own {
            // Several tasks can show the same mistake in what they share.
            if is_within(task, &new) { said.push(new) } else { report_once(new, said) }
        }
    }
    unused::drop_explained_names(said);
    allow::apply_allows(suite, said);
    Totality { tasks: judged.into_iter().flatten().collect() }
}

/// Runs the lints on one task. `said` has the diagnostics of the task until now. If answers cannot be found, nothing else is examined: `None`.
fn lint_task(cx: &TaskCx<'_>, sqlite: &dyn Sqlite, said: &mut Vec<Diagnostic>) -> Option<TaskTotality> {
    let before = said.len();
    reach::report_unreachable_answers(cx, said);
    merged::report_merged_answers(cx, said);
    if said.iter().skip(before).any(|said| said.severity() == Severity::Error) {
        return None;
    }
    unused::report_unused_names(cx, said);
    question::report_question_lints(cx, said);
    let answers: Vec<Answered<'_>> = cx.list_questions().iter().map(|asked| Answered::new(cx, asked)).collect();
    let queries = queries::collect_queries(cx.task);
    queries::report_query_findings(cx, &answers, &queries, sqlite, said);
    tied::report_tied_answers(cx, &answers, said);
    skipped_blanks::report_skipped_blanks(cx, &answers, said);
    idle::report_idle_goals(cx, said);
    covered::report_covered_goals(cx, said);
    idle_statements::report_idle_statements(cx, said);
    idle_samples::report_idle_samples(cx, said);
    idle_styles::report_idle_styles(cx, said);
    axes::report_axes(cx, said);
    stages::report_idle_stages(cx, said);
    tools::report_missing_tools(cx, said);
    blanks::report_outer_blanks(cx, said);
    domains::report_domain_lints(cx, &queries, said);
    Some(stops::report_stops(cx, cx.facts(), said))
}

/// Whether a diagnostic is at a place within this task.
fn is_within(task: &hir::Task, said: &Diagnostic) -> bool {
    task.notes.whole.is_enclosing(said.primary.span)
}

/// Returns the tasks without errors. Returns none if an error is outside of tasks, because it can affect all of them, or if it is a syntax error, which
/// can hide others.
fn without_errors<'a>(suite: &'a hir::Suite, said: &[Diagnostic]) -> Vec<&'a hir::Task> {
    let errors: Vec<&Diagnostic> = said.iter().filter(|said| said.severity() == Severity::Error).collect();
    let is_of_a_task = |error: &&Diagnostic| {
        !error.code.id.starts_with("E01") && suite.tasks.iter().any(|task| is_within(task, error))
    };
    if !errors.iter().all(is_of_a_task) {
        return Vec::new();
    }
    suite.tasks.iter().filter(|task| !errors.iter().any(|error| is_within(task, error))).collect()
}
