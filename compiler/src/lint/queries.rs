//! Lints on the SQL of a task: every query is looked at once, with the tables it may read.

use plan::suite::RelationId;

use super::TaskCx;
use super::readable::{self, is_scalar, visible};
use super::roots::{each, roots};
use super::uses::{Answered, required};
use crate::diagnostics::Diagnostic;
use crate::facts::Scope;
use crate::hir::{self, Expr};
use crate::sql::SqlRequest;
use crate::sql::lints::{self, Finding, Heard, Use};
use crate::sql::predicates::Predicates;

/// A query that has been looked at.
pub(super) struct Looked<'a> {
    /// It.
    pub sql: &'a hir::Sql,
    /// The rows at hand where it stands.
    pub scope: Scope,
    /// The relations that it may read, as its tables are counted.
    pub relations: Vec<RelationId>,
    /// What it compares.
    pub predicates: Predicates,
    /// What becomes of its rows, where an answer comes of it.
    becomes: Option<Use>,
    found: Vec<Finding>,
}

/// Looks at every query of a task, in the order of the source.
pub(super) fn look<'a>(cx: &TaskCx<'a>, answers: &[Answered<'a>]) -> Vec<Looked<'a>> {
    let mut queries: Vec<(&'a hir::Sql, Scope)> = Vec::new();
    let mut find = |expr: &'a Expr, scope| {
        each(expr, scope, &mut |expr, scope| queries.extend(readable::of(expr).map(|sql| (sql, scope))));
    };
    roots(cx.task, &mut |_, expr, scope| find(expr, scope));
    cx.task.requires.iter().for_each(|condition| find(condition, Scope::default()));
    // A column of a reusable table stands in several places.
    queries.sort_by_key(|(sql, _)| sql.span);
    queries.dedup_by(|(later, at), (first, before)| later == first && at == before);
    let becomes = |sql: &hir::Sql| answers.iter().filter_map(|answer| answer.queries.get(&sql.span)).max().cloned();
    queries.into_iter().map(|(sql, scope)| one(cx, sql, scope, becomes(sql))).collect()
}

fn one<'a>(cx: &TaskCx<'a>, sql: &'a hir::Sql, scope: Scope, becomes: Option<Use>) -> Looked<'a> {
    let task = cx.task;
    let (relations, tables): (Vec<RelationId>, Vec<_>) = readable::tables(task, sql).into_iter().unzip();
    let raw = readable::raw(sql);
    let task_names: Vec<String> = task
        .names
        .iter()
        .filter(|name| !matches!(name.source, hir::NameSource::Variant(_)) && is_scalar(&name.ty))
        .map(|name| name.name.clone())
        .collect();
    let scope_name = sql.database.and_then(|file| task.files.get(file.0 as usize)).map(|file| file.name.as_str());
    let param = |name: &str| readable::param(sql, name);
    let request = SqlRequest {
        raw: &raw,
        scope_name,
        tables: &tables,
        non_sql_relations: &[],
        param: &param,
        task_names: &task_names,
    };
    let (found, predicates) = lints::look(&request, becomes.clone().unwrap_or_default(), cx.sqlite);
    Looked { sql, scope, relations, predicates, becomes, found }
}

/// Says what is to be said of the queries.
pub(super) fn check(cx: &TaskCx<'_>, answers: &[Answered<'_>], queries: &mut [Looked<'_>], said: &mut Vec<Diagnostic>) {
    let required = required(cx.task);
    for Looked { sql, relations, becomes, found, .. } in queries {
        for finding in std::mem::take(found) {
            if let Heard::Answer { ties, told } = &finding.heard {
                let is_required = |(table, column): &(usize, Option<usize>)| {
                    let relation = relations.get(*table).and_then(|id| cx.task.relations.get(id.0 as usize));
                    let Some(relation) = relation else { return false };
                    let column = column.and_then(|column| visible(relation).nth(column));
                    let name = column.map_or(&relation.table, |(_, column)| &column.name);
                    required.contains(&name.to_lowercase())
                };
                // Samples in which rows tie may be what `require` drops.
                let dropped = ties.iter().any(is_required);
                let of_answer = |answer: &&Answered<'_>| answer.queries.contains_key(&sql.span);
                let untold = told
                    .as_ref()
                    .is_none_or(|names| answers.iter().filter(of_answer).any(|answer| !answer.tells_ties(names)));
                if becomes.is_none() || dropped || !untold {
                    continue;
                }
            }
            let told =
                |other: &Diagnostic| other.code == finding.said.code && other.primary.span == finding.said.primary.span;
            if !said.iter().any(told) {
                said.push(finding.said);
            }
        }
    }
}
