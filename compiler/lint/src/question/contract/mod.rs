//! The contract of the prompt: its words against what the key computes and compares. All of these lints are heuristics: words can be meant otherwise. So a lint
//! compares only what can be read in one way on both sides, and in prompts whose language is known: `syntax::prompts` has the words.
//!
//! | file | what |
//! | --- | --- |
//! | `tokens` | a wording as words, numbers, and placeholders |
//! | `wording` | a wording in a known language, and how its words are shown |
//! | `mentions` | values in a wording, with the comparison words next to them |
//! | `key`, `path_conditions` | the conditions of the answers |
//! | `answers`, `sql_shape`, `possible_texts` | the expected values, what computes them, and which texts they can be |
//! | `asked_aggregates` | what a wording asks to compute |
//! | `comparison`, `compared_columns` | `other_comparison` |
//! | `condition`, `flag` | `other_condition` |
//! | `precision`, `rounding_way` | `other_precision` |
//! | `amount`, `calls` | `other_count` |
//! | `order`, `file_order`, `unsaid_order`, `sort_column`, `moment` | `other_order` |
//! | `aggregate`, `deviation`, `entity`, `nth_place`, `quantile`, `turned_difference` | `other_aggregate` |
//! | `described_keys`, `described_places` | the words that describe each key of an object, or the value of each place |
//! | `column`, `asked_column`, `glossary`, `key_name`, `other_table` | `other_column` |
//! | `weekday` | `unread_condition` |
//! | `turned_end` | for `gold`: superlatives of measures of which less is more |
//! | `arithmetic` | what multiplies and divides in a value |
//! | `unit`, `measured`, `per_many`, `told_unit`, `written_unit`, `mixed_units` | `other_unit` |
//! | `form`, `done`, `pairs`, `clocks`, `dates`, `json_kinds`, `mismatch` | `other_form` |
//! | `place`, `column_order`, `file_groups` | `other_place` |
//! | `gold`, `gold_column`, `gold_words`, `period` | the questions of a data set against their SQL |
//! | `moved`, `steps`, `goal_words`, `unread_target` | `missing_change`, `other_change` |
//! | `unprotected`, `definition` | `unprotected`, `untold_definition` |
//! | `merged_rows` | `duplicates_dropped` of queries that keep equal rows once, where their rows are summed |
//! | `shown` | the columns of files, and how their cells are written |
//! | `notation`, `file_form` | `other_notation` |
//! | `misspelt`, `misspelt_paths` | `misspelt_in_prompt` |
//! | `clauses`, `marks`, `null_marks` | what the prompt says of marks in files, and `other_mark` |

mod aggregate;
mod amount;
mod answers;
mod arithmetic;
mod asked_aggregates;
mod asked_column;
mod calls;
mod clauses;
mod clocks;
mod column;
mod column_order;
mod compared_columns;
mod comparison;
mod condition;
mod dates;
mod definition;
mod described_keys;
mod described_places;
mod deviation;
mod done;
mod entity;
mod file_form;
mod file_groups;
mod file_order;
mod flag;
mod form;
mod glossary;
mod goal_words;
mod gold;
mod gold_column;
mod gold_words;
mod json_kinds;
mod key;
mod key_name;
mod marks;
mod measured;
mod mentions;
mod merged_rows;
mod mismatch;
mod misspelt;
mod misspelt_paths;
mod mixed_units;
mod moment;
mod moved;
mod notation;
mod nth_place;
mod null_marks;
mod order;
mod other_table;
mod pairs;
mod path_conditions;
mod per_many;
mod period;
mod place;
mod possible_texts;
mod precision;
mod quantile;
mod rounding_way;
mod shown;
mod sort_column;
mod sql_shape;
mod steps;
mod tokens;
mod told_unit;
mod turned_difference;
mod turned_end;
mod unit;
mod unprotected;
mod unread_target;
mod unsaid_order;
mod untouched;
mod weekday;
mod wording;
mod written_unit;

use key::Key;
use wording::Wording;

use super::prompt_content::Way;
use crate::context::TaskCx;
use syntax::diagnostics::Diagnostic;

/// Compares every wording with the answers that it asks for.
pub(super) fn report_broken_contracts<'a>(cx: &TaskCx<'a>, ways: &[Way<'a>], said: &mut Vec<Diagnostic>) {
    for way in ways {
        let leaves = answers::list_leaves(cx.task, &way.asked);
        gold::report_questions(cx, way, said);
        let key = Key::new(cx, &way.asked);
        for (telling, parts) in way.tellings.iter().zip(&way.wordings) {
            let Some(wording) = Wording::new(cx, telling, parts) else { continue };
            let before = said.len();
            let columns = shown::FileColumns::new(cx.task, &way.asked, telling);
            comparison::report_comparisons(&wording, &key, said);
            compared_columns::report_compared_columns(&wording, &key, said);
            condition::report_conditions(&wording, &key, said);
            flag::report_flags(&wording, &way.asked, said);
            amount::report_amounts(&wording, &leaves, said);
            calls::report_calls(&wording, &way.asked, said);
            aggregate::report_aggregates(&wording, &leaves, said);
            nth_place::report_places_from_end(&wording, &leaves, said);
            turned_difference::report_turned_operations(&wording, &leaves, said);
            rounding_way::report_rounding_ways(&wording, &leaves, said);
            weekday::report_weekdays(&wording, &leaves, said);
            other_table::report_other_tables(&wording, &leaves, said);
            quantile::report_quantiles(&wording, &leaves, said);
            deviation::report_deviations(&wording, &leaves, said);
            definition::report_definitions(&wording, &leaves, said);
            merged_rows::report_merged_rows(&wording, &leaves, said);
            order::report_orders(&wording, &leaves, said);
            file_order::report_file_orders(&wording, said);
            unsaid_order::report_unsaid_orders(&wording, &leaves, said);
            sort_column::report_sort_columns(&wording, &leaves, said);
            moment::report_moments(&wording, &leaves, said);
            entity::report_entities(&wording, &leaves, said);
            column::report_columns(&wording, &leaves, said);
            asked_column::report_asked_columns(&wording, &leaves, said);
            key_name::report_key_names(cx, &leaves, wording.language, said);
            unit::report_units(&wording, &leaves, &columns, said);
            mixed_units::report_mixed_units(&wording, &columns, said);
            notation::report_notations(&wording, &columns, said);
            file_form::report_file_forms(&wording, said);
            file_groups::report_file_groups(&wording, said);
            misspelt::report_misspelt_words(&wording, &way.asked, said);
            misspelt_paths::report_misspelt_paths(&wording, said);
            marks::report_marks(&wording, &way.asked, &columns, said);
            null_marks::report_null_marks(&wording, &columns, said);
            form::report_forms(&wording, &leaves, said);
            done::report_done(&wording, &way.asked, said);
            place::report_places(&wording, &way.asked, said);
            moved::report_moved_files(&wording, way, said);
            steps::report_steps(&wording, way, said);
            unread_target::report_unread_targets(&wording, way, said);
            untouched::report_untouched_files(&wording, way, said);
            unprotected::report_unprotected_files(&wording, way, said);
            // If something else is computed, its decimals follow from that.
            if said.len() == before {
                precision::report_precision(&wording, &leaves, said);
            }
        }
    }
}
