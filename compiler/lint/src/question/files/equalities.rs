//! The rows that answers choose by the value of a column: `TOWN == town`, and `WHERE TOWN = :town`.

use model::suite::{ColumnId, Op, RelationId};
use model::{Span, Value};

use crate::context::Asked;
use hir::{Arg, Expr, ExprKind, Sql, Task};
use sql::predicates::{Atom, Operand, Side, Test};

/// A condition that a column has a value.
pub(super) struct Equality<'a> {
    /// The table.
    pub relation: RelationId,
    /// Its column.
    pub column: ColumnId,
    /// The value.
    pub value: Chosen<'a>,
    /// The span of the condition.
    pub span: Span,
}

/// The value of which the rows are chosen.
pub(super) enum Chosen<'a> {
    /// An expression, such as a name.
    Expr(&'a Expr),
    /// A literal.
    Literal(Value),
}

/// Lists the filters by which answers choose rows of a table.
pub(super) fn list_filters<'a>(task: &'a Task, asked: &Asked<'a>, of: RelationId) -> Vec<&'a Expr> {
    let mut found = Vec::new();
    for answer in asked.iter_answers() {
        answer.visit_through_names(task, &mut |part| {
            let ExprKind::Call(_, args) = &part.kind else { return };
            found.extend(args.iter().filter_map(|arg| match arg {
                Arg::Relation { relation, filter }
                | Arg::Column { relation, filter, .. }
                | Arg::Each { relation, filter, .. } => filter.as_ref().filter(|_| *relation == of),
                _ => None,
            }));
        });
    }
    found
}

/// Collects the conditions of answers that hold for all rows that they read: those that are joined by `and`.
pub(super) fn collect_equalities<'a>(task: &'a Task, asked: &Asked<'a>) -> Vec<Equality<'a>> {
    let mut found = Vec::new();
    for answer in asked.iter_answers() {
        answer.visit_through_names(task, &mut |part| {
            let ExprKind::Call(_, args) = &part.kind else { return };
            for arg in args {
                match arg {
                    Arg::Relation { relation, filter: Some(filter) }
                    | Arg::Column { relation, filter: Some(filter), .. }
                    | Arg::Each { relation, filter: Some(filter), .. } => add_filter(*relation, filter, &mut found),
                    Arg::Sql(sql) => add_query(sql, &mut found),
                    _ => {}
                }
            }
        });
    }
    found
}

fn add_filter<'a>(relation: RelationId, filter: &'a Expr, found: &mut Vec<Equality<'a>>) {
    for part in filter.list_conjuncts() {
        let ExprKind::Binary(Op::Eq, sides) = &part.kind else { continue };
        for (column, value) in [(&sides.0, &sides.1), (&sides.1, &sides.0)] {
            if let Some(column) = column.as_column_id()
                && matches!(value.kind, ExprKind::Name(_) | ExprKind::Const(_))
            {
                found.push(Equality { relation, column, value: Chosen::Expr(value), span: part.span });
            }
        }
    }
}

fn add_query<'a>(sql: &'a Sql, found: &mut Vec<Equality<'a>>) {
    // With OR, a condition need not hold.
    if sql::lex::tokenize_sql(&sql.text).iter().any(|token| token.is_any("OR NOT UNION EXCEPT CASE IIF")) {
        return;
    }
    for Atom { test, negated, span, .. } in &sql.analysis.predicates.atoms {
        let Test::Compare(Op::Eq, left, right) = test else { continue };
        for (column, value) in [(left, right), (right, left)] {
            if let Side::Column { relation, column, .. } = column.value
                && let Some(value) = read_value(sql, value).filter(|_| !*negated)
            {
                found.push(Equality { relation, column, value, span: *span });
            }
        }
    }
}

fn read_value<'a>(sql: &'a Sql, operand: &Operand) -> Option<Chosen<'a>> {
    match &operand.value {
        Side::Param(name) => sql.find_param(name).map(Chosen::Expr),
        Side::Literal(value) => Some(Chosen::Literal(value.clone())),
        Side::Column { .. } | Side::Computed(_) | Side::Other => None,
    }
}
