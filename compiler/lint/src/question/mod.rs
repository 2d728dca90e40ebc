//! Lints on the question: whether the prompt contains what the agent must know, and does not contain what it should find.
//!
//! | file | what |
//! | --- | --- |
//! | `prompt_content` | the content of a wording of the prompt |
//! | `reads` | the files from which an answer is read |
//! | `paths` | paths as templates with drawn names |
//! | `dependence` | what answers depend on, and what the agent is told: `untold_input`, `unread_condition`, `unread_column`, `untold_literal` |
//! | `files` | files from which answers are read: `misread_file`, `idle_file` |
//! | `contract` | the words of the prompt against the answers: the lints `other_…` |
//! | `described_files`, `unread_data`, `choices` | `vacuous_expectation` where any content of a file, nothing of the data, or every choice of the prompt is accepted |
//! | `unmentioned_file`, `unmentioned_output`, `unmentioned_key`, `untold_convention`, `unexpected_key`, `leaked` (with `leaked_bounds`, `leaked_by_file`, `leaked_code`, `leaked_flag`, `leaked_folder`, `leaked_order`, `leaked_parts`, `leaked_results`, `leaked_rows`, `leaked_split`, `leaked_stages`, `leaked_summary`), `precision`, `rounding`, `punctuated`, `nothing`, `collide`, `vacuous`, `equal_ways` | a lint each |
//! | `unnamed_column` | `unmentioned_key` of columns |
//! | `contradicting` | `contradicting_expectations`, `repeated_expectation` |
//! | `unasked_change`, `left_rows`, `listed_rows`, `spared_rows`, `stated_flags` | `unasked_change`, `missing_change`, and `untold_value` of rows |
//! | `unasked_edit` (with `edited_places`, `replaced_numbers`), `chosen_items`, `other_key` | `unasked_change`, `missing_change`, and `other_change` of files |
//! | `idle_trap`, `other_database` | `idle_trap`, and `doubtful_gold` for a query on another database |
//! | `places` | the places that expectations compare |
//! | `asked_place` | for labels: where a prompt speaks of something |

mod asked_place;
mod choices;
mod chosen_items;
mod collide;
mod contract;
mod contradicting;
mod dependence;
mod described_files;
mod edited_places;
mod equal_ways;
mod files;
mod idle_trap;
mod leaked;
mod leaked_bounds;
mod leaked_by_file;
mod leaked_code;
mod leaked_flag;
mod leaked_folder;
mod leaked_order;
mod leaked_parts;
mod leaked_results;
mod leaked_rows;
mod leaked_split;
mod leaked_stages;
mod leaked_summary;
mod left_rows;
mod listed_rows;
mod nothing;
mod other_database;
mod other_key;
mod paths;
mod places;
mod precision;
mod prompt_content;
mod punctuated;
mod reads;
mod replaced_numbers;
mod rounding;
mod spared_rows;
mod stated_flags;
mod unasked_change;
mod unasked_edit;
mod unexpected_key;
mod unmentioned_file;
mod unmentioned_key;
mod unmentioned_output;
mod unnamed_column;
mod unread_data;
mod untold_convention;
mod vacuous;

pub(super) use dependence::flow::{Flow, Followed};
pub(super) use precision::iter_options_around;
pub(super) use prompt_content::has_word;

use crate::context::TaskCx;
use syntax::diagnostics::Diagnostic;

/// Runs every lint on the question, for all ways of asking the task.
pub(super) fn report_question_lints<'a>(cx: &TaskCx<'a>, said: &mut Vec<Diagnostic>) {
    let ways = prompt_content::collect_ways(cx);
    unmentioned_file::report_unmentioned_files(cx, &ways, said);
    unmentioned_output::report_unmentioned_outputs(cx, &ways, said);
    unmentioned_key::report_unmentioned_keys(cx, &ways, said);
    unnamed_column::report_unnamed_columns(cx, &ways, said);
    unexpected_key::report_unexpected_keys(cx, &ways, said);
    untold_convention::report_untold_conventions(cx, &ways, said);
    leaked::report_leaked_answers(cx, &ways, said);
    leaked_bounds::report_leaked_bounds(cx, &ways, said);
    leaked_code::report_leaks_by_code(cx, &ways, said);
    leaked_by_file::report_leaks_by_file(cx, &ways, said);
    leaked_rows::report_leaked_rows(cx, &ways, said);
    leaked_flag::report_leaks_by_flag(cx, &ways, said);
    leaked_folder::report_leaks_by_folder(cx, &ways, said);
    leaked_split::report_leaks_by_split_files(cx, &ways, said);
    leaked_results::report_leaked_results(cx, &ways, said);
    leaked_order::report_leaks_by_order(cx, &ways, said);
    leaked_stages::report_leaks_by_stage(cx, &ways, said);
    precision::report_ambiguous_precision(cx, &ways, said);
    rounding::report_unshared_rounding(cx, &ways, said);
    punctuated::report_punctuated_words(cx, &ways, said);
    nothing::report_nothing_expected(cx, &ways, said);
    collide::report_path_collisions(cx, said);
    vacuous::report_vacuous_expectations(cx, &ways, said);
    described_files::report_described_files(cx, &ways, said);
    unread_data::report_unread_data(cx, &ways, said);
    choices::report_free_choices(cx, &ways, said);
    contradicting::report_contradictions(cx, &ways, said);
    equal_ways::report_equal_ways(cx, said);
    unasked_change::report_unasked_changes(cx, &ways, said);
    unasked_edit::report_unasked_edits(cx, &ways, said);
    dependence::report_dependence(cx, &ways, said);
    files::report_files(cx, &ways, said);
    idle_trap::report_idle_traps(cx, said);
    other_database::report_other_databases(cx, said);
    contract::report_broken_contracts(cx, &ways, said);
}
