//! Lints that follow from the possible values of expressions (see [`hir::facts`]).
//!
//! | file | lints |
//! | --- | --- |
//! | `predicates` | `impossible_predicate`, `vacuous_predicate`, `out_of_range_draw` in expressions |
//! | `bool_calls` | the same for calls that are conditions by themselves |
//! | `null_tests` | the same for comparisons with null |
//! | `guards` | a `require` of them that guards against words of a list |
//! | `wholes` | the same for a whole condition whose parts are open |
//! | `pairs` | the same for two comparisons of one value |
//! | `sql` | the same in queries |
//! | `paths` | the same for comparisons with texts in filters of JSONPath and XPath |
//! | `filters/` | the same for all other parts of predicates there |
//! | `terms` | the same for computed values in queries |
//! | `forms`, `moments`, `padding`, `versions` | `like_without_wildcard`, `digits_as_text`, `date_form` |
//! | `underscore` | `like_underscore` |
//! | `together` | the same for two comparisons in a query |
//! | `operands` | facts about the sides of a comparison in SQL |
//! | `constant` | `constant_answer` |
//! | `constant_cells` | the same for one cell of an axis |
//! | `zero` | `zero_division` |
//! | `zero_sums` | for `zero`: sums of values that can all be 0 |
//! | `sql_zero` | the same in queries |
//! | `null` | `null_answer` |
//! | `percent` | `impossible_predicate`, `vacuous_predicate` for columns of percentages |
//! | `edits` | `idle_goal` for `edit` |
//! | `replaced` | `idle_goal` for replacements in texts |
//! | `draws` | `constant_draw`, `odd_weights`, `seldom_drawn` |
//! | `conditions` | the conditions of a task |
//! | `words` | wording of facts |

mod bool_calls;
mod cells;
mod conditions;
mod constant;
mod constant_cells;
mod draws;
mod edits;
mod filters;
mod forms;
mod guards;
mod moments;
mod null;
mod null_tests;
mod operands;
mod padding;
mod pairs;
mod paths;
mod percent;
mod predicates;
mod replaced;
mod slips;
mod sql;
mod sql_zero;
mod terms;
mod together;
mod underscore;
mod versions;
mod wholes;
mod words;
mod zero;
mod zero_sums;

pub(crate) use conditions::{collect_parts, split_at};
pub(crate) use filters::is_met_by_row;
pub(crate) use zero::{estimate_match_share, estimate_no_match};

use super::queries::Placed;
use crate::chance;
use crate::context::TaskCx;
use syntax::diagnostics::{Code, Diagnostic};

pub(super) fn report_domain_lints<'a>(cx: &TaskCx<'a>, queries: &[Placed<'a>], said: &mut Vec<Diagnostic>) {
    let before = said.len();
    // If a condition is decided, that is reported at the condition and not again at the answer.
    let mut decided = predicates::report_predicates(cx, said);
    decided.extend(sql::report_sql_predicates(cx, queries, said));
    let texts = paths::report_path_predicates(cx, said);
    decided.extend(filters::report_filter_conditions(cx, &texts, said));
    decided.extend(texts);
    let percent = percent::report_percent_comparisons(cx, queries, said);
    constant::report_constant_answers(cx, &decided, said);
    constant_cells::report_constant_cells(cx, &decided, said);
    zero::report_zero_divisions(cx, said);
    null::report_null_answers(cx, said);
    edits::report_idle_edits(cx, said);
    replaced::report_idle_replacements(cx, said);
    draws::report_odd_draws(cx, said);
    chance::report_guessable_answers(cx, said);
    if cx.task.notes.is_static {
        // A static task has one sample, so a value that is always the same is not remarkable, except for a number that is read as a percentage.
        let of_samples = [Code::CONSTANT_ANSWER, Code::VACUOUS_PREDICATE];
        let own = said.split_off(before);
        let is_news = |own: &Diagnostic| !of_samples.contains(&own.code) || percent.contains(&own.primary.span);
        said.extend(own.into_iter().filter(is_news));
    }
}
