//! Lints on the SQL of a task: every query is looked at once, with the tables it may read.

use plan::suite::RelationId;

use super::TaskCx;
use super::readable::{self, is_scalar, visible};
use super::roots::roots;
use super::uses::{Answered, required};
use crate::diagnostics::Diagnostic;
use crate::hir::{self, Arg, Expr, ExprKind};
use crate::sql::lints::{self, Heard, Use};
use crate::sql::{SqlRequest, SqlTable};

pub(super) fn check(cx: &TaskCx<'_>, said: &mut Vec<Diagnostic>) {
    let mut queries: Vec<&hir::Sql> = Vec::new();
    roots(cx.task, &mut |_, expr, _| each_query(expr, &mut queries));
    cx.task.requires.iter().for_each(|condition| each_query(condition, &mut queries));
    // A column of a reusable table stands in several places.
    queries.sort_by_key(|sql| sql.span);
    queries.dedup_by_key(|sql| sql.span);
    let answers: Vec<Answered<'_>> = cx.asked().iter().map(|asked| Answered::of(cx, asked)).collect();
    let required = required(cx.task);
    for sql in queries {
        let becomes = answers.iter().filter_map(|answer| answer.queries.get(&sql.span)).max().cloned();
        let (tables, found) = look(cx, sql, becomes.clone().unwrap_or_default());
        for finding in found {
            if let Heard::Answer { ties, told } = &finding.heard {
                let is_required = |(table, column): &(usize, Option<usize>)| {
                    let Some(relation) = tables.get(*table) else { return false };
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

/// The relations that a query may read, and what is to be said of it.
fn look<'a>(cx: &TaskCx<'a>, sql: &hir::Sql, becomes: Use) -> (Vec<&'a hir::Relation>, Vec<lints::Finding>) {
    let task = cx.task;
    let (ids, tables): (Vec<RelationId>, Vec<SqlTable<'_>>) = readable::tables(task, sql).into_iter().unzip();
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
    let found = lints::lint(&request, becomes, cx.sqlite);
    (ids.iter().filter_map(|id| task.relations.get(id.0 as usize)).collect(), found)
}

fn each_query<'a>(expr: &'a Expr, found: &mut Vec<&'a hir::Sql>) {
    found.extend(readable::of(expr));
    children(expr).into_iter().for_each(|child| each_query(child, found));
}

/// The expressions right inside an expression.
pub(super) fn children(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Neg(inner) | ExprKind::Not(inner) => vec![inner],
        ExprKind::Binary(_, sides) => vec![&sides.0, &sides.1],
        ExprKind::If(parts) => vec![&parts.0, &parts.1, &parts.2],
        ExprKind::List(items) | ExprKind::Concat(items) => items.iter().collect(),
        ExprKind::Object(fields) => fields.iter().map(|(_, value)| value).collect(),
        ExprKind::Call(_, args) => args
            .iter()
            .flat_map(|arg| match arg {
                Arg::Value(value) => vec![value],
                Arg::Relation { filter, .. } | Arg::Column { filter, .. } => filter.iter().collect(),
                Arg::Sql(sql) => sql.params.iter().map(|(_, value)| value).collect(),
                Arg::File(_) | Arg::Path(_) => Vec::new(),
            })
            .collect(),
        _ => Vec::new(),
    }
}
