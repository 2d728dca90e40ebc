//! Lints on the question: whether the agent is told what it must know, and not told what it must find.
//!
//! | file | what |
//! | --- | --- |
//! | `told` | what a wording of the prompt tells |
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
mod punctuated;
mod reads;
mod rounding;
mod told;
mod unexpected_key;
mod unmentioned_file;
mod unmentioned_key;
mod unmentioned_output;
mod untold_convention;

pub(super) use precision::json_leaves;
pub(super) use told::has_word;

use super::TaskCx;
use crate::diagnostics::Diagnostic;

/// Every lint on the question, over all ways in which the task is asked.
pub(super) fn check(cx: &TaskCx<'_>, said: &mut Vec<Diagnostic>) {
    let ways = told::ways(cx);
    unmentioned_file::check(cx, &ways, said);
    unmentioned_output::check(cx, &ways, said);
    unmentioned_key::check(cx, &ways, said);
    unexpected_key::check(cx, &ways, said);
    untold_convention::check(cx, &ways, said);
    leaked::check(cx, &ways, said);
    precision::check(cx, &ways, said);
    rounding::check(cx, &ways, said);
    punctuated::check(cx, &ways, said);
    nothing::check(cx, &ways, said);
    collide::check(cx, said);
}
