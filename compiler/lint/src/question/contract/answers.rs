//! The values that one way of asking expects, and what computes each of them.

use model::functions::{FunctionId, Order, Pick};
use model::suite::matchers::Takes;
use model::suite::{ColumnId, Op, RelationId};
use model::{Span, Value};

use syntax::prompts::{Aggregate, End};
use super::sql_shape::SqlShape;
use crate::context::{Asked, TaskCx};
use hir::{Arg, Expr, ExprKind, Sql};
use sql::lex::Token;

/// A single value of an answer.
pub(super) struct Leaf<'a> {
    /// The value.
    pub value: &'a Expr,
    /// Its place in the answer.
    pub pointer: String,
    /// Its expectation.
    pub expect: &'a hir::Expect,
}

/// An aggregate, or an extreme, that is a whole answer.
pub(super) struct Computed {
    /// What is computed.
    pub aggregate: Aggregate,
    /// The relation of its rows, if it is one table.
    pub relation: Option<RelationId>,
    /// Its column.
    pub column: Option<(RelationId, ColumnId)>,
    /// Its span.
    pub span: Span,
    /// What to show of it: `avg`, `ORDER BY PAY DESC`.
    pub shown: String,
    /// Whether the end of an order is taken, rather than an aggregate.
    pub of_order: bool,
}

/// Lists the values of all answers.
pub(super) fn list_leaves<'a>(task: &'a hir::Task, asked: &Asked<'a>) -> Vec<Leaf<'a>> {
    let mut leaves = Vec::new();
    for expect in &asked.expects {
        let Some(value) = expect.answer_expr() else { continue };
        let value =
            if matches!(value.resolve_name(task).kind, ExprKind::Object(_)) { value.resolve_name(task) } else { value };
        if expect.matcher.record().takes == Takes::Json {
            let parts = value.list_leaves().into_iter();
            leaves.extend(parts.map(|(value, pointer)| Leaf { value, pointer, expect }));
        } else {
            leaves.push(Leaf { value, pointer: String::new(), expect });
        }
    }
    leaves
}

/// The only value that is expected; `None` if there are several, or if several are accepted.
pub(super) fn find_sole_leaf<'l, 'a>(leaves: &'l [Leaf<'a>]) -> Option<&'l Leaf<'a>> {
    match leaves {
        [leaf] if !leaf.expect.is_any_of() => Some(leaf),
        _ => None,
    }
}

/// Finds the aggregate or the extreme that a value is, below functions that only round it or replace null. `None` if others contribute to it.
pub(super) fn find_computed(cx: &TaskCx<'_>, value: &Expr) -> Option<Computed> {
    let mut aggregates = 0;
    value.visit_through_names(cx.task, &mut |part| {
        if let ExprKind::Call(function, args) = &part.kind {
            let picks = function.order == Order::Picked;
            aggregates += usize::from(picks || function.aggregate.is_some());
            let queries = args.iter().filter_map(|arg| if let Arg::Sql(sql) = arg { Some(sql) } else { None });
            aggregates += queries
                .map(|sql| SqlShape::new(&sql.text).map_or(2, |shape| shape.aggregates + shape.limits))
                .sum::<usize>();
        }
    });
    let computed = find_aggregate_of(cx, value, 0)?;
    let most = if computed.of_order { 2 } else { 1 };
    (aggregates <= most).then_some(computed)
}

fn find_aggregate_of(cx: &TaskCx<'_>, value: &Expr, depth: u32) -> Option<Computed> {
    let value = value.resolve_name(cx.task);
    match &value.kind {
        _ if depth > 16 => None,
        ExprKind::Binary(Op::Mul | Op::Div, sides) if is_number(cx.task, &sides.1) => {
            find_aggregate_of(cx, &sides.0, depth + 1)
        }
        ExprKind::Binary(Op::Mul, sides) if is_number(cx.task, &sides.0) => find_aggregate_of(cx, &sides.1, depth + 1),
        ExprKind::Call(function, args) => match (function.aggregate, args.as_slice()) {
            (Some(aggregate), [first, ..]) => read_aggregate(cx, value, (*function, aggregate), first),
            (None, [Arg::Value(inner), ..]) if function.can_restate() => find_aggregate_of(cx, inner, depth + 1),
            (None, [Arg::Column { relation, filter: Some(filter), .. }])
                if matches!(function.picks, Some(Pick::First | Pick::Last)) =>
            {
                find_looked_up_extreme(cx, *relation, filter, value.span)
            }
            (None, [.., Arg::Sql(sql)]) => read_query(cx, sql),
            _ => None,
        },
        _ => None,
    }
}

fn is_number(task: &hir::Task, value: &Expr) -> bool {
    matches!(value.resolve_name(task).as_constant(), Some(Value::Int(_) | Value::Decimal(_) | Value::Float(_)))
}

fn read_aggregate(
    cx: &TaskCx<'_>,
    call: &Expr,
    (function, aggregate): (FunctionId, Aggregate),
    first: &Arg,
) -> Option<Computed> {
    let (relation, column) = match first {
        Arg::Column { relation, column, .. } => (Some(*relation), Some((*relation, *column))),
        Arg::Relation { relation, .. } => (Some(*relation), None),
        Arg::Value(list) => match &list.resolve_name(cx.task).kind {
            ExprKind::Call(_, args) => match args.as_slice() {
                [Arg::Column { relation, column, .. }] => (Some(*relation), Some((*relation, *column))),
                _ => return None,
            },
            _ => return None,
        },
        Arg::File(_) => (None, None),
        _ => return None,
    };
    Some(Computed { aggregate, relation, column, span: call.span, shown: function.name.to_owned(), of_order: false })
}

/// The row with the extreme of a column: `first(t.NAME where PAY == max(t.PAY))`.
fn find_looked_up_extreme(cx: &TaskCx<'_>, relation: RelationId, filter: &Expr, span: Span) -> Option<Computed> {
    let mut found = Vec::new();
    filter.visit_exprs(&mut |part| {
        let ExprKind::Binary(Op::Eq, sides) = &part.kind else { return };
        for (cell, value) in [(&sides.0, &sides.1), (&sides.1, &sides.0)] {
            let (Some(column), ExprKind::Call(function, args)) = (cell.as_column_id(), &value.resolve_name(cx.task).kind) else {
                continue;
            };
            let is_same = matches!(args.first(), Some(Arg::Column { relation: of, column: at, .. }) if (*of, *at) == (relation, column));
            let aggregate = function.aggregate.filter(|end| matches!(end, Aggregate::High | Aggregate::Low));
            found.extend(aggregate.filter(|_| is_same).map(|aggregate| (aggregate, column, function.name)));
        }
    });
    let [(aggregate, column, name)] = found.as_slice() else { return None };
    let column = Some((relation, *column));
    Some(Computed {
        aggregate: *aggregate,
        relation: Some(relation),
        column,
        span,
        shown: (*name).to_owned(),
        of_order: true,
    })
}

fn read_query(cx: &TaskCx<'_>, sql: &Sql) -> Option<Computed> {
    let shape = SqlShape::new(&sql.text)?;
    let relation = match sql.analysis.tables.as_slice() {
        [only] => Some(*only),
        _ => None,
    };
    if let Some(found) = shape.find_aggregate() {
        if shape.grouped || has_condition(&found.argument) {
            return None;
        }
        // The counted rows may be those of a table, or different values of no column that is known.
        let counts_groups = found.aggregate == Aggregate::Count && shape.distinct;
        let aggregate = if counts_groups { Aggregate::Distinct } else { found.aggregate };
        let column = resolve_column(cx, sql, &found.argument).filter(|_| !counts_groups);
        return Some(Computed {
            aggregate,
            relation,
            column,
            span: sql.span,
            shown: found.name.to_owned(),
            of_order: false,
        });
    }
    let (term, end) = shape.find_taken_end().filter(|_| shape.limits == 1)?;
    let aggregate = if end == End::High { Aggregate::High } else { Aggregate::Low };
    let column = resolve_column(cx, sql, &term.tokens);
    let words: Vec<&str> = term.tokens.iter().map(|token| token.text).collect();
    let direction = if end == End::High { " DESC" } else { "" };
    let shown = format!("ORDER BY {}{direction}", words.concat());
    Some(Computed { aggregate, relation, column, span: sql.span, shown, of_order: true })
}

/// Whether an argument of an aggregate compares something, so the aggregate counts.
fn has_condition(argument: &[Token<'_>]) -> bool {
    argument.iter().any(|token| {
        token.is_any("CASE IIF IN LIKE BETWEEN IS")
            || ["=", "<", ">", "<=", ">=", "<>", "!=", "=="].iter().any(|sign| token.is_punct(sign))
    }) || matches!(argument, [token] if !token.is_name() && !token.is_punct("*"))
}

/// The column that the tokens name, if they are nothing else.
pub(super) fn resolve_column(cx: &TaskCx<'_>, sql: &Sql, tokens: &[Token<'_>]) -> Option<(RelationId, ColumnId)> {
    let name = match tokens {
        [name] => name,
        [_, dot, name] if dot.is_punct(".") => name,
        _ => return None,
    };
    if !name.is_name() {
        return None;
    }
    let named = |(_, relation, column): &&(Span, RelationId, ColumnId)| {
        let column = cx.task.relations.get(*relation).and_then(|relation| relation.columns.get(*column));
        column.is_some_and(|column| name.is_named(&column.name))
    };
    let mut places: Vec<(RelationId, ColumnId)> =
        sql.analysis.places.iter().filter(named).map(|(_, relation, column)| (*relation, *column)).collect();
    places.dedup();
    match places.as_slice() {
        [first, rest @ ..] if rest.iter().all(|other| other == first) => Some(*first),
        _ => None,
    }
}
