//! The queries of a task, and what they may read, as the analysis of SQL wants it.

use plan::suite::{ColumnId, ConstraintKind, RelationId};
use plan::{Domain, ValueType};

use crate::ast::{Raw, RawKind};
use crate::check::{is_unique, stored_type};
use crate::hir::{self, Arg, ColumnSource, DrawDomain, ExprKind, FileContent};
use crate::sql::{ParamKind, SqlColumn, SqlTable};
use crate::types::TyKind;

/// The tables that a query may read, each with its relation.
pub fn tables<'a>(task: &'a hir::Task, sql: &hir::Sql) -> Vec<(RelationId, SqlTable<'a>)> {
    let all = (0..).map(RelationId).zip(&task.relations);
    let read = all.filter(|(id, relation)| match sql.database {
        Some(file) => relation.file == Some(file),
        None => sql.relations.contains(id),
    });
    read.filter(|(_, relation)| relation.columns.iter().any(|column| !column.helper))
        .map(|(id, relation)| (id, table(task, relation, sql.database.is_none())))
        .collect()
}

/// The columns of a relation that SQL sees, in the order of [`SqlTable::columns`].
pub fn visible(relation: &hir::Relation) -> impl Iterator<Item = (ColumnId, &hir::Column)> {
    (0..).map(ColumnId).zip(&relation.columns).filter(|(_, column)| !hidden(column))
}

fn hidden(column: &hir::Column) -> bool {
    column.helper || matches!(column.ty.kind, TyKind::List(_) | TyKind::Object(_) | TyKind::Rows(_))
}

fn table<'a>(task: &'a hir::Task, relation: &'a hir::Relation, all: bool) -> SqlTable<'a> {
    let file = relation.file.and_then(|file| task.files.get(file.0 as usize));
    let database = file.filter(|_| all && relation.name != relation.table).map(|file| file.name.as_str());
    let sqlite = file.is_some_and(|file| matches!(file.content, FileContent::Sqlite { .. }));
    let declared = relation.constraints.iter().any(|constraint| constraint.kind == ConstraintKind::PrimaryKey);
    let key = |column: &hir::Column| match &column.source {
        ColumnSource::Draw { draw, .. } => {
            draw.domain == DrawDomain::Fixed(Domain::Serial) && draw.blank_per_million == 0 && !declared
        }
        ColumnSource::Given(given) => given.primary_key,
        _ => false,
    };
    let columns = visible(relation).map(|(_, column)| SqlColumn {
        name: &column.name,
        span: column.span,
        value_type: match column.ty.kind {
            TyKind::Decimal(None) => ValueType::Float,
            _ => stored_type(&column.ty),
        },
        nullable: column.ty.nullable,
        primary_key: sqlite && key(column),
        unique: is_unique(&column.source),
        references: None,
        closed: None,
    });
    SqlTable {
        database,
        name: &relation.table,
        span: relation.span,
        columns: columns.collect(),
        hidden: relation.columns.iter().filter(|column| hidden(column)).map(|column| column.name.as_str()).collect(),
        keys: Vec::new(),
        rows: (0, u64::MAX),
    }
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
