//! What SQL of several rows has in common, and whether known rows confirm it.

use model::compute::GoldResult;

use sql::Probe;
use syntax::diagnostics::Code;

/// Whether the rows of a database show what a probe looks for.
pub(super) fn is_probe_met(probe: &Probe, ask: &dyn Fn(&str) -> GoldResult) -> bool {
    match probe {
        Probe::Returns(sql) => ask(sql).is_ok_and(|found| !found.rows.rows.is_empty()),
        Probe::Differ(one, other) => match (ask(one), ask(other)) {
            (Ok(one), Ok(other)) => one.rows.rows != other.rows.rows,
            _ => false,
        },
    }
}

/// Describes what several queries have in common.
pub(super) fn describe_slip(code: &'static Code) -> &'static str {
    match code {
        _ if code == Code::CARTESIAN_JOIN => "two tables have no join condition: every pair of rows is joined",
        _ if code == Code::JOIN_ON_NO_KEY => "tables are joined on columns that do not reference each other",
        _ if code == Code::SQL_INTEGER_DIVISION => "integer division drops the fraction: 7 / 2 is 3",
        _ if code == Code::UNUSED_CTE => "a table of `WITH` is never used",
        _ if code == Code::SQL_NAME_WITHOUT_COLON => "a column is compared with itself",
        _ if code == Code::MULTIPLIED_ROWS => "a join repeats the rows that are counted or added",
        _ if code == Code::UNMATCHED_ROWS => "rows without a match are lost, or counted as a match",
        _ if code == Code::MERGED_GROUPS => "rows with the same name are one group",
        _ if code == Code::NULLS_LEFT_OUT => "a condition is never true for null",
        _ if code == Code::DUPLICATES_DROPPED => "equal rows or values count once",
        _ if code == Code::MEAN_OF_MEANS => "the mean of means is not the mean of all rows",
        _ if code == Code::UNBRACKETED_OR => "`OR` is next to `AND` without brackets",
        _ if code == Code::IMPOSSIBLE_PREDICATE => "a condition is never true",
        _ if code == Code::VACUOUS_PREDICATE => "a condition is always true",
        _ if code == Code::AMBIGUOUS_ORDER => "the result depends on the order of rows, which is not defined",
        _ => "the result depends on the order of rows that tie",
    }
}
