//! Lints on the SQL of a task: every query is looked at once, with the tables it may read.

use super::TaskCx;
use super::readable::{hidden, is_scalar, table};
use super::uses::{Answered, required};
use crate::ast::{Raw, RawKind};
use crate::diagnostics::Diagnostic;
use crate::hir::{self, Arg, ColumnSource, DrawDomain, Expr, ExprKind, FileContent};
use crate::sql::lints::{self, Heard, Use};
use crate::sql::{ParamKind, SqlRequest, SqlTable};

pub(super) fn check(cx: &TaskCx<'_>, said: &mut Vec<Diagnostic>) {
    let mut queries: Vec<&hir::Sql> = Vec::new();
    each_expr(cx.task, &mut |expr| each_query(expr, &mut queries));
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
                    let visible = relation.columns.iter().filter(|column| !hidden(column));
                    let column = column.and_then(|column| visible.into_iter().nth(column));
                    let name = column.map_or(&relation.table, |column| &column.name);
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
    let all = sql.database.is_none();
    let mut readable: Vec<&hir::Relation> = match sql.database {
        Some(file) => task.relations.iter().filter(|relation| relation.file == Some(file)).collect(),
        None => sql.relations.iter().filter_map(|id| task.relations.get(id.0 as usize)).collect(),
    };
    readable.retain(|relation| relation.columns.iter().any(|column| !column.helper));
    let tables: Vec<SqlTable<'_>> = readable.iter().map(|relation| table(task, relation, all)).collect();
    let raw = Raw { kind: RawKind::Sql, text: sql.text.clone(), span: sql.span };
    let task_names: Vec<String> = task
        .names
        .iter()
        .filter(|name| !matches!(name.source, hir::NameSource::Variant(_)) && is_scalar(&name.ty))
        .map(|name| name.name.clone())
        .collect();
    let scope_name = sql.database.and_then(|file| task.files.get(file.0 as usize)).map(|file| file.name.as_str());
    let param = |name: &str| match sql.params.iter().find(|(known, _)| known == name) {
        Some((_, value)) => ParamKind::Value { value_type: value.ty.value_type(), nullable: value.ty.nullable },
        None => ParamKind::Unknown { suggestion: None },
    };
    let request = SqlRequest {
        raw: &raw,
        scope_name,
        tables: &tables,
        non_sql_relations: &[],
        param: &param,
        task_names: &task_names,
    };
    let found = lints::lint(&request, becomes, cx.sqlite);
    drop(tables);
    (readable, found)
}

fn each_query<'a>(expr: &'a Expr, found: &mut Vec<&'a hir::Sql>) {
    if let ExprKind::Call(_, args) = &expr.kind {
        for arg in args {
            if let Arg::Sql(sql) = arg {
                found.push(sql);
            }
        }
    }
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

/// Calls `found` for every outermost expression of a task.
fn each_expr<'a>(task: &'a hir::Task, found: &mut dyn FnMut(&'a Expr)) {
    for name in &task.names {
        match &name.source {
            hir::NameSource::Draw { draw, .. } => of_draw(draw, found),
            hir::NameSource::Compute(value) | hir::NameSource::Variant(value) => found(value),
            hir::NameSource::Axis => {}
        }
    }
    task.axes.iter().flat_map(|axis| &axis.cells).for_each(|(_, value)| found(value));
    for relation in &task.relations {
        match &relation.rows {
            hir::Rows::Count(low, high) | hir::Rows::PerRow { low, high, .. } => {
                found(low);
                found(high);
            }
            _ => {}
        }
        for column in &relation.columns {
            match &column.source {
                ColumnSource::Draw { draw, .. } => of_draw(draw, found),
                ColumnSource::Compute(value) => found(value),
                ColumnSource::Given(_) | ColumnSource::Result(_) => {}
            }
        }
    }
    for file in &task.files {
        found(&file.path);
        match &file.content {
            FileContent::DrawnText(draw) => of_draw(draw, found),
            FileContent::ComputedText(value)
            | FileContent::TextLines { line: value, .. }
            | FileContent::ComputedTree { value, .. } => found(value),
            _ => {}
        }
    }
    task.requires.iter().chain(&task.folders).chain(&task.prompt).for_each(&mut *found);
    for (count, within) in &task.clutter {
        std::iter::once(count).chain(within).for_each(&mut *found);
    }
    let prompts = task.variants.iter().flat_map(|variant| &variant.prompt);
    prompts.for_each(&mut *found);
    for expect in task.expects.iter().chain(task.variants.iter().flat_map(|variant| &variant.expects)) {
        match &expect.subject {
            hir::Subject::Reply(Some(hir::Slice::After(value)))
            | hir::Subject::File(value)
            | hir::Subject::Files(value)
            | hir::Subject::Tree(value) => found(value),
            hir::Subject::Reply(_) => {}
        }
        expect.value.iter().for_each(&mut *found);
    }
}

fn of_draw<'a>(draw: &'a hir::Draw, found: &mut dyn FnMut(&'a Expr)) {
    draw.except.iter().for_each(&mut *found);
    match &draw.domain {
        DrawDomain::Range { low, high, step, .. } => {
            [Some(low), Some(high), step.as_ref()].into_iter().flatten().for_each(&mut *found);
        }
        DrawDomain::Lorem { low, high, .. } => [low, high].into_iter().for_each(&mut *found),
        DrawDomain::OneOf(items) => items.iter().for_each(&mut *found),
        DrawDomain::Ref { filter, .. } => filter.iter().for_each(|filter| found(filter)),
        DrawDomain::Unknown | DrawDomain::Fixed(_) => {}
    }
}
