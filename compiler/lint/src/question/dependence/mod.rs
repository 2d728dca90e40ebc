//! What answers depend on, and what the agent is told: one graph from draws, axes, columns, and literals to expectations, and from these to the wordings and files.
//!
//! | file | what |
//! | --- | --- |
//! | `flow` | the inputs of a value |
//! | `value_number` | expressions with the same value |
//! | `flag_count` | for it: how many rows meet a condition, where a column says so |
//! | `template` | a wording as text and values, and what is before a value |
//! | `hints` | whether a text tells a value, and what else it says |
//! | `conditions`, `factors` | the constants by which an answer chooses or computes |
//! | `same_row`, `private`, `rounded_helper` | names that are drawn from one row, tables that no agent gets, and columns that are only shown rounded |
//! | `sibling` | columns whose names differ in one word |
//! | `documents` | texts besides the prompt that can explain the data |
//! | `untold_input`, `unseen_rows`, `unread_condition`, `unread_column`, `untold_literal` (with `untold_code`, `untold_rows`, and `untold_term`), `untold_evidence` | a lint each |

mod conditions;
mod documents;
mod factors;
mod flag_count;
pub(super) mod flow;
pub(super) mod hints;
mod private;
mod rounded_helper;
mod same_row;
pub(super) mod sibling;
mod template;
mod unread_column;
mod unread_condition;
mod unseen_rows;
mod untold_code;
mod untold_evidence;
mod untold_input;
mod untold_literal;
mod untold_rows;
mod untold_term;
pub(super) mod value_number;

use super::prompt_content::Way;
use crate::context::TaskCx;
use syntax::diagnostics::Diagnostic;

/// Reports answers that depend on something that the agent is not told, and prompts that tell something on which no answer depends.
pub(super) fn report_dependence<'a>(cx: &TaskCx<'a>, ways: &[Way<'a>], said: &mut Vec<Diagnostic>) {
    untold_input::report_untold_inputs(cx, ways, said);
    unseen_rows::report_unseen_rows(cx, ways, said);
    unread_condition::report_unread_conditions(cx, ways, said);
    unread_column::report_unread_columns(cx, ways, said);
    untold_literal::report_untold_literals(cx, ways, said);
    untold_rows::report_untold_rows(cx, ways, said);
    untold_evidence::report_untold_evidence(cx, ways, said);
}
