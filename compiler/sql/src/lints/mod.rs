//! Lints on SQL that SQLite accepts but that is probably not intended.
//!
//! The visitor that infers types (`select`, `infer`) calls the lints where the required information is available: for each operator with the types of its
//! operands, and for each SELECT with its relations and keys. Parts that are not fully understood are not judged.
//!
//! | file | lints |
//! | --- | --- |
//! | `division` | `sql_integer_division` |
//! | `colon` | `sql_name_without_colon` |
//! | `with` | `unused_cte` |
//! | `joins` | `cartesian_join`, `join_on_no_key` |
//! | `order`, `windows` | `ambiguous_order` |
//! | `ties`, `places` | `tied_answer`, `unshared_tiebreak` |
//! | `fan_out`, `entities`, `pairs` | `multiplied_rows` |
//! | `unmatched`, `unmatched_sums` | `unmatched_rows` |
//! | `merged_groups` | `merged_groups` |
//! | `nulls`, `null_aggregates` | `nulls_left_out` |
//! | `duplicates` | `duplicates_dropped` |
//! | `means` | `mean_of_means` |
//! | `precedence` | `unbracketed_or` |
//! | `counted_conditions` | `counted_condition` |
//! | `bare_values` | `impossible_predicate`, `vacuous_predicate` for a value alone |
//! | `idle_comparisons` | comparisons of SQL in data sets that no row decides: `x = NULL`, `strftime(…) = 2023` |
//!
//! `findings` is what they find, `scene` the SELECT that they look at, `calls` its aggregates, `conditions` its conditions, `clauses` where its parts are, `links` how its relations are joined, `asked` what the words of
//! a question tell, `unit_names` which columns are added up for each row on purpose, `witness` finds rows for which two readings of a query differ, and `example` writes values in notes.

pub mod asked;
mod bare_values;
mod calls;
mod clauses;
mod colon;
mod conditions;
mod counted_conditions;
mod division;
mod duplicates;
mod entities;
mod example;
mod fan_out;
pub mod findings;
pub mod idle_comparisons;
mod joins;
mod links;
mod means;
mod merged_groups;
mod null_aggregates;
mod nulls;
mod order;
mod pairs;
mod places;
mod precedence;
pub mod recased;
mod sample;
pub mod scene;
mod ties;
mod unit_names;
mod unmatched;
mod unmatched_sums;
mod windows;
mod with;
mod witness;

use sqlparser::ast::{GroupByExpr, Select, SelectItem, TableFactor, TableWithJoins};

use super::analyser::Analyser;
use super::output::{Limit, Output, Use};
use super::reads::canonicalize_expr;
use asked::Asked;
use findings::{Finding, Odd, ReportCondition};
use scene::Scene;
use syntax::diagnostics::Code;

/// Whether it is `SELECT COUNT(*) FROM (SELECT …)`, for which the content of the rows does not matter.
pub fn is_only_count(select: &Select) -> bool {
    let [SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. }] = select.projection.as_slice() else {
        return false;
    };
    let [TableWithJoins { relation: TableFactor::Derived { .. }, joins }] = select.from.as_slice() else {
        return false;
    };
    let grouped = !matches!(&select.group_by, GroupByExpr::Expressions(groups, _) if groups.is_empty());
    joins.is_empty()
        && select.selection.is_none()
        && select.having.is_none()
        && !grouped
        && canonicalize_expr(expr) == "count(*)"
}

/// Checks a SELECT that has been visited.
pub fn lint_select(analyser: &Analyser<'_>, scene: &Scene<'_, '_, '_>) -> Odd {
    let mut odd = Odd::default();
    joins::check_joins(analyser, scene, &mut odd.findings);
    order::check_order(analyser, scene, &mut odd);
    ties::check_ties(analyser, scene, &mut odd.findings);
    windows::check_unordered_windows(analyser, scene, &mut odd.findings);
    precedence::check_precedence(analyser, scene, &mut odd.findings);
    bare_values::check_bare_values(analyser, scene, &mut odd.findings);
    counted_conditions::check_counted_conditions(analyser, scene, &mut odd.findings);
    nulls::check_nulls(analyser, scene, &mut odd.findings);
    null_aggregates::check_null_aggregates(analyser, scene, &mut odd.findings);
    pairs::check_pairs(analyser, scene, &mut odd.findings);
    // Rows that are joined with every other one are repeated, too.
    if !odd.findings.iter().any(|finding| finding.said.code == Code::CARTESIAN_JOIN) {
        check_aggregates(analyser, scene, &mut odd.findings);
    }
    odd
}

/// Checks which rows the aggregates of a SELECT see.
fn check_aggregates(analyser: &Analyser<'_>, scene: &Scene<'_, '_, '_>, found: &mut Vec<Finding>) {
    let (mut new, mut unmatched) = (Vec::new(), Vec::new());
    fan_out::check_fan_out(analyser, scene, &mut new);
    unmatched::check_unmatched(analyser, scene, &mut unmatched);
    // `COUNT(*)` is told once: as a slip that does not depend on the prompt, if it is one.
    let is_sure = |finding: &Finding| !matches!(finding.heard, ReportCondition::Asked(Asked::Unit(_)));
    let has_place = |all: &[Finding], one: &Finding| {
        all.iter().any(|other| is_sure(other) && other.said.primary.span == one.said.primary.span)
    };
    new.retain(|finding| is_sure(finding) || !has_place(&unmatched, finding));
    unmatched.retain(|finding| !has_place(&new, finding));
    new.extend(unmatched);
    entities::check_entities(analyser, scene, &mut new);
    merged_groups::check_merged_groups(analyser, scene, &mut new);
    duplicates::check_duplicates(analyser, scene, &mut new);
    means::check_means(analyser, scene, &mut new);
    found.extend(new);
}

/// Checks a set operation such as UNION that has been visited and has no ORDER BY.
pub fn lint_set_operation(analyser: &Analyser<'_>, limit: Option<Limit<'_>>, becomes: Use, most: Option<u64>) -> Odd {
    let mut odd = Odd::default();
    match (limit, becomes) {
        (_, Use::Counted) => {}
        (Some(limit), _) if limit.most.is_some_and(|taken| most.is_some_and(|most| most <= taken)) => {}
        (Some(limit), _) => odd.findings.extend(order::check_unordered_limit(analyser, limit.expr)),
        (None, Use::Given) if most.is_none_or(|most| most > 1) => {
            odd.in_no_order = order::describe_unordered_rows(analyser)
        }
        (None, _) => {}
    }
    odd
}

/// Checks a subquery in an expression that has been visited.
pub fn lint_inner_query(analyser: &mut Analyser<'_>, output: &Output) {
    if analyser.lints.as_ref().is_some_and(|lints| lints.changes_rows) {
        ties::check_numbered_subquery(analyser, output).into_iter().for_each(|finding| analyser.note_finding(finding));
    }
}

/// Finishes the lints of a whole query that has been visited and returns `output`. Returns all findings.
pub fn finish_lints(analyser: &mut Analyser<'_>, tree: &sqlparser::ast::Query, output: &Output) -> Odd {
    if analyser.lints.is_none() {
        return Odd::default();
    }
    let changes_rows = analyser.lints.as_ref().is_some_and(|lints| lints.changes_rows);
    let numbered = if changes_rows {
        ties::check_numbered_subquery(analyser, output)
    } else {
        ties::check_numbered_rows(analyser, output)
    };
    numbered.into_iter().for_each(|finding| analyser.note_finding(finding));
    let complete = analyser.meaning.complete;
    let mut odd = analyser.lints.take().filter(|_| complete).map(|lints| lints.odd).unwrap_or_default();
    with::check_unused_ctes(analyser.query, tree, &mut odd.findings);
    witness::collect::set_tables(
        analyser,
        odd.findings.iter_mut().filter_map(|finding| finding.witness.as_mut()).collect(),
    );
    odd.findings.sort_by_key(|finding| (finding.said.primary.span, finding.said.code.id));
    odd
}
