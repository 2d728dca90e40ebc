//! `leaked_answer`: a view of the database that the agent is given, or a summary in a file, has the result that the agent should find in the rows.

use std::collections::BTreeSet;

use model::Span;
use model::suite::{FileId, NameId, RelationId};

use super::dependence::flow::{Flow, Followed};
use super::leaked_by_file::is_looked_up;
use super::leaked_rows::pack_query;
use super::leaked_summary::Summary;
use super::prompt_content::{Way, has_word};
use super::reads::collect_read_files;
use crate::context::{TaskCx, report_once};
use hir::{Arg, ColumnSource, Expr, ExprKind, FileContent, Rows, Sql, Task};
use syntax::diagnostics::{Code, Diagnostic};

pub(super) fn report_leaked_results<'a>(cx: &TaskCx<'a>, ways: &[Way<'a>], said: &mut Vec<Diagnostic>) {
    let given = list_given(cx.task);
    if given.is_empty() {
        return;
    }
    for way in ways.iter().filter(|way| !way.tellings.is_empty()) {
        for (_, leaf) in way.asked.list_found_values() {
            let found = given.iter().find(|given| given.has_answer(cx.task, way, leaf));
            found.into_iter().for_each(|found| report_once(found.build_diagnostic(leaf), said));
        }
    }
}

/// The result of a query that the agent is given.
struct Given<'a> {
    /// The query, if it is the result of one.
    sql: Option<&'a Sql>,
    summary: Option<Summary>,
    /// The name by which a prompt can ask for it.
    name: &'a str,
    /// What shows it.
    shown_by: String,
    /// Where it is shown.
    place: Span,
    /// The table of its rows.
    relation: Option<RelationId>,
    /// The file of its own that has it, which can be meant to be read.
    file: Option<FileId>,
}

/// Lists the results of queries that the agent is given: views, and what files show.
fn list_given(task: &Task) -> Vec<Given<'_>> {
    let views = task.files.iter().flat_map(|file| match &file.content {
        FileContent::Sqlite { views, .. } => views.as_slice(),
        _ => &[],
    });
    let find_relation = |name: &str| task.relations.iter_enumerated().find(|(_, own)| own.table == name);
    let mut found: Vec<Given<'_>> = views
        .zip(&task.notes.views)
        .map(|(view, sql)| Given {
            sql: Some(sql),
            summary: Summary::from_query(sql),
            name: &view.name,
            shown_by: format!("the view `{}`", view.name),
            place: sql.span,
            relation: find_relation(&view.name).map(|(id, _)| id),
            file: None,
        })
        .collect();
    for (id, file) in task.files.iter_enumerated() {
        let mut shown: Vec<(RelationId, Span)> = Vec::new();
        file.content.visit_exprs(file.surrounding_scope(), &mut |_, expr, _| {
            expr.visit_through_names(task, &mut |part| {
                let ExprKind::Call(_, args) = &part.kind else { return };
                shown.extend(args.iter().filter_map(|arg| match arg {
                    Arg::Column { relation, filter: None, .. } | Arg::Each { relation, filter: None, .. } => {
                        Some((*relation, file.span))
                    }
                    _ => None,
                }));
            });
        });
        let written = file.content.relations().iter().filter_map(|id| match &task.relations.get(*id)?.rows {
            Rows::Taken { from, filter: None } => Some((*from, file.span)),
            _ => None,
        });
        shown.extend(written);
        for (relation, place) in shown {
            let Some(Rows::Query(name)) = task.relations.get(relation).map(|own| &own.rows) else { continue };
            let Some(sql) = find_query_of(task, *name) else { continue };
            let shown_by = format!("`{}`", file.name);
            let summary = Summary::from_query(sql);
            let sql = Some(sql);
            found.push(Given {
                sql,
                summary,
                name: &file.name,
                shown_by,
                place,
                relation: Some(relation),
                file: Some(id),
            });
        }
    }
    found.extend(list_summary_columns(task));
    found
}

/// Lists the columns of files that have an aggregate of another table for each row: `TOTAL = sum(parcels.KILOS where DEPOT == NAME)`.
fn list_summary_columns(task: &Task) -> Vec<Given<'_>> {
    let mut found = Vec::new();
    for own in task.relations.iter().filter(|own| own.file.is_some()) {
        for (_, column) in own.iter_written_columns() {
            let ColumnSource::Compute(value) = &column.source else { continue };
            let summary = Summary::from_call(task, strip_form(task, value)).filter(Summary::is_grouped);
            if summary.is_some() {
                let shown_by = format!("the column `{}.{}`", own.name, column.name);
                let (name, place) = (column.name.as_str(), column.span);
                found.push(Given { sql: None, summary, name, shown_by, place, relation: None, file: None });
            }
        }
    }
    found
}

/// Finds the query of a result set.
fn find_query_of(task: &Task, name: NameId) -> Option<&Sql> {
    task.find_computed(name)?.resolve_name(task).find_query()
}

impl Given<'_> {
    /// Checks whether the result has an answer that is asked without speaking of the result.
    fn has_answer(&self, task: &Task, way: &Way<'_>, leaf: &Expr) -> bool {
        // The rows that are read must be asked about, and not the result alone.
        let read = collect_read_files(task, leaf, &BTreeSet::new());
        let is_other = |file: &FileId| read.contains(file) && self.file != Some(*file);
        if !way.tellings.iter().all(|telling| telling.files.iter().any(is_other)) {
            return false;
        }
        let is_asked = match self.file {
            Some(_) => is_looked_up(way),
            None => way.tellings.iter().any(|telling| telling.opaque || has_word(&telling.prompt, self.name)),
        };
        let answer = strip_form(task, leaf);
        let query = answer.find_query();
        let is_read = self.relation.is_some_and(|relation| match query {
            Some(query) => query.analysis.tables.contains(&relation),
            None => {
                let mut flow = Flow::new(task, Followed::All);
                flow.add_expr(leaf);
                flow.relations.contains(&relation)
            }
        });
        // The rows of a query that is also the whole answer are meant to be in the file.
        let is_source = is_read
            && (self.file.is_none() || query.is_none_or(|query| self.sql.is_some_and(|own| own.span != query.span)));
        if is_asked || is_source {
            return false;
        }
        if let (Some(query), Some(own)) = (query, self.sql)
            && pack_query(task, &query.text) == pack_query(task, &own.text)
        {
            return true;
        }
        if self.sql.is_some_and(|own| is_first_row_of_answer(task, own, leaf)) {
            return true;
        }
        let wanted = match query {
            Some(query) => Summary::from_query(query),
            None => Summary::from_call(task, answer),
        };
        self.summary.as_ref().zip(wanted).is_some_and(|(summary, wanted)| summary.has(&wanted))
    }

    fn build_diagnostic(&self, leaf: &Expr) -> Diagnostic {
        let message = format!("{} has the expected value", self.shown_by);
        Diagnostic::new(Code::LEAKED_ANSWER, message, leaf.span, "expected here")
            .label(self.place, "computed for the agent")
            .help("remove it, or ask for something that the agent must find in the rows")
    }
}

/// Checks whether a query returns only the first row of a result from which the answer takes an extreme: `… GROUP BY ID ORDER BY TOTAL DESC LIMIT 1`.
fn is_first_row_of_answer(task: &Task, own: &Sql, answer: &Expr) -> bool {
    let packed = pack_query(task, &own.text);
    let Some((rows, order)) = packed.rsplit_once("orderby") else { return false };
    if !order.ends_with("limit1") {
        return false;
    }
    let mut flow = Flow::new(task, Followed::All);
    flow.add_expr(answer);
    let results = flow.relations.iter().filter_map(|id| match task.relations.get(*id)?.rows {
        Rows::Query(name) => find_query_of(task, name),
        _ => None,
    });
    results.into_iter().any(|query| {
        let packed = pack_query(task, &query.text);
        packed.split_once("orderby").map_or(packed.as_str(), |(rows, _)| rows) == rows
    })
}

/// Returns what a value is computed by, without rounding and what replaces null.
fn strip_form<'e>(task: &'e Task, value: &'e Expr) -> &'e Expr {
    let mut at = value.resolve_name(task);
    while let ExprKind::Call(function, args) = &at.kind
        && function.can_restate()
        && let Some(Arg::Value(inner)) = args.first()
    {
        at = inner.resolve_name(task);
    }
    at
}
