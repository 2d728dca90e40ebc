//! Lints on the question: whether the agent is told what it must know, and not told what it must find.
//!
//! | file | what |
//! | --- | --- |
//! | `prompt_content` | what a wording of the prompt tells |
//! | `reads` | which files an answer is read from |
//! | `paths` | paths as templates over drawn names |
//! | `mentions` | paths as a text writes them |
//! | `names` | names that a prompt puts together |
//! | `unmentioned_file`, `unmentioned_output`, `unmentioned_key`, `untold_convention`, `unexpected_key`, `leaked`, `precision`, `rounding`, `punctuated`, `nothing`, `collide` | a lint each |

mod collide;
mod leaked;
mod mentions;
mod names;
mod nothing;
mod paths;
mod precision;
mod prompt_content;
mod punctuated;
mod reads;
mod rounding;
mod unexpected_key;
mod unmentioned_file;
mod unmentioned_key;
mod unmentioned_output;
mod untold_convention;

pub(super) use precision::collect_json_leaves;
pub(super) use prompt_content::has_word;

use super::TaskCx;
use crate::diagnostics::Diagnostic;

/// Every lint on the question, over all ways in which the task is asked.
pub(super) fn report_question_lints(cx: &TaskCx<'_>, said: &mut Vec<Diagnostic>) {
    let ways = prompt_content::collect_ways(cx);
    unmentioned_file::report_unmentioned_files(cx, &ways, said);
    unmentioned_output::report_unmentioned_outputs(cx, &ways, said);
    unmentioned_key::report_unmentioned_keys(cx, &ways, said);
    unexpected_key::report_unexpected_keys(cx, &ways, said);
    untold_convention::report_untold_conventions(cx, &ways, said);
    leaked::report_leaked_answers(cx, &ways, said);
    precision::report_ambiguous_precision(cx, &ways, said);
    rounding::report_unshared_rounding(cx, &ways, said);
    punctuated::report_punctuated_words(cx, &ways, said);
    nothing::report_nothing_expected(cx, &ways, said);
    collide::report_path_collisions(cx, said);
}
