//! What each lint catches, and what comes near and is right: tables of small tasks.

mod axes;
mod blind_forms;
mod blind_goals;
mod blind_slips;
mod blind_words;
mod cells;
mod changes;
mod contract;
mod contract_words;
mod data_sets;
mod declared_files;
mod dependence;
mod dependence_rows;
mod determined;
mod domains;
mod errors;
mod excluded;
mod expected;
mod facts;
mod files;
mod joins;
mod leaks;
mod letters;
mod misspelt;
mod moments;
mod other_trades;
mod path_predicates;
mod path_values;
mod prompt_slips;
mod proved_sql;
mod queries;
mod question;
mod rare_rows;
mod silence;
mod sound;
mod sql_forms;
mod sql_places;
mod sql_questions;
mod sql_rows;
mod sql_values;
mod stated;
mod stops;
mod sums;
mod sure_builds;
mod sure_values;
mod terms;
mod unusual;
mod vacuous;
mod witnesses;
mod written_files;

use compiler::Compiled;
use compiler::diagnostics::{Diagnostic, Severity};

/// The lints on what the agent is told.
const QUESTION: [&str; 24] = [
    "unmentioned_file",
    "unmentioned_output",
    "unmentioned_key",
    "unexpected_key",
    "leaked_answer",
    "ambiguous_precision",
    "unshared_rounding",
    "punctuated_word",
    "nothing_expected",
    "may_collide",
    "letter_case_decides",
    "other_comparison",
    "other_condition",
    "other_precision",
    "other_count",
    "other_order",
    "other_aggregate",
    "other_column",
    "other_unit",
    "other_form",
    "other_place",
    "other_notation",
    "other_mark",
    "idle_file",
];

/// A suite of one task with this body.
fn compile(body: &str) -> Compiled {
    testing::compile_text(&testing::build_suite_source("", body))
}

/// The names of what this lint and those on the question say of a task with this body, and the messages.
fn said_by(lint: &str, body: &str) -> Vec<(&'static str, String)> {
    // Other families of lints have tables of their own; errors have none.
    let own = |said: &&Diagnostic| {
        said.severity() == Severity::Error || said.code.name == lint || QUESTION.contains(&said.code.name)
    };
    compile(body).diagnostics.iter().filter(own).map(|said| (said.code.name, said.message.clone())).collect()
}

/// What the lints on the question say.
fn said(body: &str) -> Vec<(&'static str, String)> {
    said_by("", body)
}

/// Every body of `caught` gives this lint once and no other diagnostic; no body of `right` gives it, or an error.
fn hold(lint: &str, caught: &[&str], right: &[&str]) {
    assert!(caught.len() >= 6 && right.len() >= 6, "{lint}: too few examples");
    hold_also(lint, caught, right);
}

/// The same for forms of a lint that has a longer table elsewhere.
fn hold_also(lint: &str, caught: &[&str], right: &[&str]) {
    let mut wrong = Vec::new();
    for body in caught {
        let said = said_by(lint, body);
        if said.iter().map(|(name, _)| *name).collect::<Vec<_>>() != [lint] {
            wrong.push(format!("not caught, or more than that: {said:#?}\n{body}"));
        }
    }
    for body in right {
        let said = said_by(lint, body);
        if !said.is_empty() {
            wrong.push(format!("a false alarm: {said:#?}\n{body}"));
        }
    }
    assert!(wrong.is_empty(), "{lint}\n{}", wrong.join("\n\n"));
}

/// The names of all lints that a suite of one task with this body gets, and the words they point at.
fn lints(body: &str) -> Vec<(&'static str, String)> {
    let compiled = compile(body);
    let point = |said: &Diagnostic| compiled.sources.text(said.primary.span).to_owned();
    compiled.diagnostics.iter().map(|said| (said.code.name, point(said))).collect()
}

/// The errors and the diagnostics with these codes that a suite of one task with this body gets, with the words they point at.
fn list_told(body: &str, codes: &[&str]) -> Vec<(String, String)> {
    let compiled = compile(body);
    let is_own = |said: &&Diagnostic| said.severity() == Severity::Error || codes.contains(&said.code.id);
    let point = |said: &Diagnostic| (said.code.id.to_owned(), compiled.sources.text(said.primary.span).to_owned());
    compiled.diagnostics.iter().filter(is_own).map(point).collect()
}
