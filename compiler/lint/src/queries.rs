//! Lints on the SQL of a task: findings of its analysis are reported if they matter.

use std::collections::BTreeSet;

use model::suite::Scope;

use super::colon;
use super::context::{TaskCx, report_once};
use super::required::Required;
use super::uses::{Answered, ORDERED_ROWS, Use};
use hir::{ColumnSource, Expr};
use sql::{Asked, Finding, InNoOrder, Need, ReportCondition};
use syntax::diagnostics::{Code, Diagnostic};
use syntax::host::Sqlite;

/// A query, and the rows in scope at its place.
pub(super) struct Placed<'a> {
    /// The query.
    pub sql: &'a hir::Sql,
    /// The rows in scope.
    pub scope: Scope,
}

/// Collects every query of a task in source order, including those of views and those that are values.
pub(super) fn collect_queries<'a>(task: &'a hir::Task) -> Vec<Placed<'a>> {
    let mut queries: Vec<Placed<'a>> = Vec::new();
    let mut find = |expr: &'a Expr, scope| {
        expr.visit_with_scope(scope, &mut |expr, scope| {
            queries.extend(expr.find_query().map(|sql| Placed { sql, scope }))
        });
    };
    task.visit_exprs(&mut |_, expr, scope| find(expr, scope));
    queries.extend(task.notes.views.iter().chain(&task.notes.gold).map(|sql| Placed { sql, scope: Scope::default() }));
    // A column of a shared table occurs several times.
    queries.sort_by_key(|query| query.sql.span);
    queries.dedup_by(|later, first| later.sql == first.sql && later.scope == first.scope);
    queries
}

/// Reports the findings about the queries.
pub(super) fn report_query_findings(
    cx: &TaskCx<'_>,
    answers: &[Answered<'_>],
    queries: &[Placed<'_>],
    sqlite: &dyn Sqlite,
    said: &mut Vec<Diagnostic>,
) {
    let required = Required::new(cx.facts());
    let data = Data { cx };
    for Placed { sql, .. } in queries {
        let odd = &sql.analysis.odd;
        let becomes = answers.iter().filter_map(|answer| answer.queries.get(&sql.span)).max();
        let heard = odd.findings.iter().filter(|finding| is_heard(answers, sql, (becomes, &required), finding));
        let mut found: Vec<Diagnostic> = heard
            .filter(|finding| data.has_all(&finding.needs))
            .map(|finding| describe_finding(finding, sql, becomes, sqlite))
            .collect();
        found.extend(odd.confusions.iter().filter_map(|confusion| colon::check_confusion(cx, confusion)));
        if let (Some(rows), Some(Use::Ordered(why))) = (&odd.in_no_order, becomes) {
            found.push(build_unordered_diagnostic(rows, why));
        }
        found.into_iter().for_each(|new| report_once(new, said));
    }
}

/// Describes a finding. Where the rows of an answer are `ordered`, ties are free with `ordered by`; where statements change rows, several states can be
/// accepted.
fn describe_finding(finding: &Finding, sql: &hir::Sql, becomes: Option<&Use>, sqlite: &dyn Sqlite) -> Diagnostic {
    let said = finding.describe(sqlite);
    if said.code == Code::TIED_ANSWER
        && let Some(help) = &said.help
        && !sql::list_changes(&sql.text).0.is_empty()
    {
        let help = format!("{help}; or accept the state after each choice: database any_of [a, b]");
        return said.help(help);
    }
    let is_of_order = matches!(&finding.heard, ReportCondition::Answer { ordered: true, .. });
    match (&said.help, becomes) {
        (Some(help), Some(Use::Ordered(ORDERED_ROWS))) if is_of_order => {
            let help = format!(
                "write `ordered by` with the columns instead of `ordered`: tied rows are then right in any order; or {help}"
            );
            said.help(help)
        }
        _ => said,
    }
}

/// Checks whether a finding about a query matters, given how the result of the query is used (`becomes`).
fn is_heard(
    answers: &[Answered<'_>],
    sql: &hir::Sql,
    (becomes, required): (Option<&Use>, &Required<'_>),
    finding: &Finding,
) -> bool {
    let ReportCondition::Answer { ties, told, ordered } = &finding.heard else {
        return match &finding.heard {
            ReportCondition::Unnamed(names) => !answers.iter().all(|answer| answer.is_join_told(names)),
            ReportCondition::Asked(asked) => is_asked(answers, sql, asked),
            ReportCondition::Place(ties) => {
                let dropped = ties.iter().any(|(relation, column)| required.is_required(*relation, *column));
                !dropped && is_asked(answers, sql, &Asked::Place)
            }
            _ => true,
        };
    };
    // A `require` may exclude samples in which rows tie.
    let dropped = ties.iter().any(|(relation, column)| required.is_required(*relation, *column));
    let of_answer = |answer: &&Answered<'_>| answer.queries.contains_key(&sql.span);
    let untold = told
        .as_ref()
        .is_none_or(|names| answers.iter().filter(of_answer).any(|answer| !answer.is_tie_rule_told(names)));
    let matters = becomes.is_some_and(|becomes| !ordered || matches!(becomes, Use::Ordered(_)));
    matters && !dropped && untold
}

/// Checks whether every question whose answer uses a query reports a finding by its words; without such a question, all questions count.
fn is_asked(answers: &[Answered<'_>], sql: &hir::Sql, asked: &Asked) -> bool {
    let is_met = |answer: &Answered<'_>| !answer.prompt.is_empty() && asked.is_met(&answer.prompt);
    let mut own = answers.iter().filter(|answer| answer.queries.contains_key(&sql.span)).peekable();
    match own.peek() {
        Some(_) => own.all(is_met),
        None => answers.iter().all(is_met),
    }
}

/// The data of a task, as findings ask for it.
struct Data<'l, 'a> {
    cx: &'l TaskCx<'a>,
}

impl Data<'_, '_> {
    /// Checks whether the columns of a task are as a finding needs them.
    fn has_all(&self, needs: &[Need]) -> bool {
        needs.iter().all(|need| self.is_met(need))
    }

    fn is_met(&self, need: &Need) -> bool {
        let (Need::Nullable(relation, column) | Need::Drawn(relation, column) | Need::Repeated(relation, column)) =
            need;
        let Some(known) = self.cx.task.relations.get(*relation).and_then(|relation| relation.columns.get(*column))
        else {
            return true;
        };
        let fact = self.cx.facts().lookup_column(*relation, *column);
        match need {
            Need::Nullable(..) => fact.nullable,
            Need::Drawn(..) => !fact.unique && !matches!(known.source, ColumnSource::Compute(_)),
            Need::Repeated(..) => !fact.unique && !is_unique_as_given(&known.source),
        }
    }
}

/// Checks whether no value occurs twice in the cells of an existing file.
fn is_unique_as_given(source: &ColumnSource) -> bool {
    let ColumnSource::Given(given) = source else { return false };
    let mut seen = BTreeSet::new();
    given.cells.values.iter().filter(|value| !value.is_null()).all(|value| seen.insert(value.render_text()))
}

/// Builds the diagnostic for rows whose order matters, in a query without `ORDER BY`.
fn build_unordered_diagnostic(rows: &InNoOrder, why: &str) -> Diagnostic {
    Diagnostic::new(
        Code::AMBIGUOUS_ORDER,
        format!("the order of these rows matters ({why}), but `ORDER BY` is missing"),
        rows.span,
        "in no fixed order",
    )
    .help(rows.help.clone())
}
