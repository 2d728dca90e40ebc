//! Files from which answers are read: rows that are not meant, files that change nothing, and files of which the prompt does not say whether they count.
//!
//! | file | what |
//! | --- | --- |
//! | `equalities` | the rows that answers choose by the value of a column |
//! | `given` | the tables that answers read from existing files |
//! | `totals`, `excluded`, `copies`, `headers`, `titles` | `misread_file` |
//! | `decoys`, `implied` | `idle_file` |
//! | `untold` | `untold_convention` for files that look the same |

mod copies;
mod decoys;
mod equalities;
mod excluded;
mod given;
mod headers;
mod implied;
mod titles;
mod totals;
mod untold;

use super::prompt_content::Way;
use crate::context::TaskCx;
use syntax::diagnostics::Diagnostic;

/// Runs the lints on files, for all ways of asking the task.
pub(super) fn report_files<'a>(cx: &TaskCx<'a>, ways: &[Way<'a>], said: &mut Vec<Diagnostic>) {
    decoys::report_idle_decoys(cx, ways, said);
    untold::report_untold_decoys(cx, ways, said);
    implied::report_implied_conditions(cx, ways, said);
    for way in ways {
        let tables = given::list_given_tables(cx.task, &way.asked);
        if tables.is_empty() {
            continue;
        }
        totals::report_total_rows(&tables, said);
        headers::report_other_headers(&tables, said);
        titles::report_other_units(&tables, said);
        excluded::report_excluded_files(way, &tables, said);
        copies::report_copied_files(way, &tables, said);
    }
}
