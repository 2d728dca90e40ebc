//! The queries of a task, and what they may read, as the analysis of SQL wants it.

use plan::suite::{ColumnId, FixtureKind, RelationId};
use plan::{Domain, Value, ValueType};

use crate::ast::{Raw, RawKind};
use crate::hir::{self, Arg, ColumnSource, DrawDomain, Expr, ExprKind, FileContent};
use crate::sql::{ParamKind, SqlColumn, SqlTable};
use crate::types::{Ty, TyKind};

/// The tables that a query may read, each with its relation.
pub fn tables<'a>(task: &'a hir::Task, sql: &hir::Sql) -> Vec<(RelationId, SqlTable<'a>)> {
    let all = (0..).map(RelationId).zip(&task.relations);
    let read = all.filter(|(id, relation)| match sql.database {
        Some(file) => relation.file == Some(file),
        None => sql.relations.contains(id),
    });
    read.filter(|(_, relation)| visible(relation).next().is_some())
        .map(|(id, relation)| (id, table(task, relation, sql.database.is_none())))
        .collect()
}

/// The columns of a relation that SQL sees, in the order of [`SqlTable::columns`].
pub fn visible(relation: &hir::Relation) -> impl Iterator<Item = (ColumnId, &hir::Column)> {
    (0..).map(ColumnId).zip(&relation.columns).filter(|(_, column)| !hidden(column))
}

/// A relation as SQL sees it.
fn table<'a>(task: &'a hir::Task, relation: &'a hir::Relation, all: bool) -> SqlTable<'a> {
    let file = relation.file.and_then(|file| task.files.get(file.0 as usize));
    let sqlite = file.is_some_and(|file| match &file.content {
        FileContent::Sqlite { .. } => true,
        FileContent::Fixture { kind, .. } => matches!(kind, FixtureKind::Sqlite),
        _ => false,
    });
    let database = file.filter(|_| all && relation.name != relation.table).map(|file| file.name.as_str());
    let columns = visible(relation).map(|(id, column)| SqlColumn {
        name: &column.name,
        span: column.span,
        value_type: match column.ty.kind {
            TyKind::Decimal(None) => Some(ValueType::Float),
            TyKind::Unknown => None,
            _ => Some(column.ty.stored()),
        },
        nullable: column.ty.nullable,
        primary_key: sqlite && relation.is_primary_key(id),
        unique: column.source.is_unique(),
        references: column.references.and_then(|(to, column)| {
            let to = task.relations.get(to.0 as usize)?;
            Some((to.table.as_str(), to.columns.get(column.0 as usize)?.name.as_str()))
        }),
        closed: match &column.source {
            ColumnSource::Draw { draw, .. } => match &draw.domain {
                DrawDomain::Fixed(domain @ (Domain::OneOf { .. } | Domain::Weighted { .. })) => domain.closed(),
                _ => None,
            },
            _ => None,
        },
    });
    let place = |id: &ColumnId| visible(relation).position(|(seen, _)| seen == *id);
    let keys = relation.constraints.iter().filter(|constraint| constraint.is_unique());
    SqlTable {
        database,
        name: &relation.table,
        span: relation.span,
        columns: columns.collect(),
        hidden: relation.columns.iter().filter(|column| hidden(column)).map(|column| column.name.as_str()).collect(),
        keys: keys.filter_map(|key| key.columns.iter().map(place).collect()).collect(),
        rows: rows(relation),
    }
}

/// The least and the most rows, where they stand in the source as numbers.
fn rows(relation: &hir::Relation) -> (u64, u64) {
    let number = |expr: &Expr| match expr.value() {
        Some(Value::Int(n)) => u64::try_from(*n).ok(),
        _ => None,
    };
    match &relation.rows {
        hir::Rows::Count(low, high) => (number(low).unwrap_or(0), number(high).unwrap_or(u64::MAX)),
        hir::Rows::Given(rows) => (u64::from(*rows), u64::from(*rows)),
        hir::Rows::PerRow { .. } | hir::Rows::Query(_) | hir::Rows::Lines(_) => (0, u64::MAX),
    }
}

/// Whether SQL does not see a column.
fn hidden(column: &hir::Column) -> bool {
    column.helper || !is_scalar(&column.ty)
}

pub fn is_scalar(ty: &Ty) -> bool {
    !matches!(ty.kind, TyKind::List(_) | TyKind::Object(_) | TyKind::Rows(_))
}

/// The query as it was read.
pub fn raw(sql: &hir::Sql) -> Raw {
    Raw { kind: RawKind::Sql, text: sql.text.clone(), span: sql.span }
}

/// What `:name` stands for in it.
pub fn param(sql: &hir::Sql, name: &str) -> ParamKind {
    match sql.params.iter().find(|(known, _)| known == name) {
        Some((_, value)) => ParamKind::Value { value_type: value.ty.value_type(), nullable: value.ty.nullable },
        None => ParamKind::Unknown { suggestion: None },
    }
}

/// The query of a call.
pub fn of(expr: &hir::Expr) -> Option<&hir::Sql> {
    let ExprKind::Call(_, args) = &expr.kind else { return None };
    args.iter().find_map(|arg| match arg {
        Arg::Sql(sql) => Some(sql),
        _ => None,
    })
}
