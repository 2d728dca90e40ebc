//! Expressions with the same value: a name and its definition, a count of rows and of a column without blanks, the same condition in another order, the same query with another layout.

use model::functions::{COUNT, QueryResult};
use model::suite::{Op, Scope};

use super::flag_count::find_flag_count;
use hir::types::Ty;
use hir::{Arg, Expr, ExprKind, Rows, Task};
use sql::lex;

/// The number of parts after which an expression is not rewritten further, because names composed of names can double each time.
const MAX_PARTS: usize = 5000;

/// Rewrites an expression: expressions with the same value are then equal more often. Equal results always have the same value.
pub fn number_value(task: &Task, expr: &Expr) -> Expr {
    let mut left = MAX_PARTS;
    rewrite(task, expr, &mut left)
}

fn rewrite(task: &Task, expr: &Expr, left: &mut usize) -> Expr {
    *left = left.saturating_sub(1);
    if *left == 0 {
        return expr.without_spans();
    }
    let source = expr.resolve_name(task);
    if let Some(rows) = find_flag_count(task, source) {
        return rewrite(task, rows, left);
    }
    let mut own = find_table_aggregate(source).unwrap_or_else(|| source.clone());
    own.visit_children_mut(&mut |child| *child = rewrite(task, child, left));
    own = own.without_spans();
    own.ty = Ty::UNKNOWN;
    match &own.kind {
        ExprKind::Concat(pieces) if let [only] = pieces.as_slice() => return only.clone(),
        ExprKind::Binary(op, sides) => return order_sides(*op, &sides.0, &sides.1, &own),
        _ => {}
    }
    rewrite_call(task, own, left)
}

/// Returns the call of the language that a query of one aggregate over a whole table is.
fn find_table_aggregate(expr: &Expr) -> Option<Expr> {
    let ExprKind::Call(function, _) = &expr.kind else { return None };
    let whole = expr.find_query()?.analysis.whole.filter(|_| function.query == Some(QueryResult::Value))?;
    let arg = match whole.column {
        Some(column) => Arg::Column { relation: whole.relation, column, filter: None },
        None => Arg::Relation { relation: whole.relation, filter: None },
    };
    Some(Expr { kind: ExprKind::Call(whole.function, vec![arg]), ..expr.clone() })
}

/// Puts the sides of an operator into one order.
fn order_sides(op: Op, left: &Expr, right: &Expr, own: &Expr) -> Expr {
    let is_later = format!("{left:?}") > format!("{right:?}");
    let is_turned = match op {
        Op::Add | Op::Mul | Op::Eq | Op::Ne | Op::And | Op::Or => is_later,
        Op::Gt | Op::Ge => true,
        _ => false,
    };
    if !is_turned {
        return own.clone();
    }
    Expr { kind: ExprKind::Binary(op.swap_sides(), Box::new((right.clone(), left.clone()))), ..own.clone() }
}

/// Rewrites calls of functions that have another form.
fn rewrite_call(task: &Task, mut own: Expr, left: &mut usize) -> Expr {
    let ExprKind::Call(function, args) = &mut own.kind else { return own };
    if let Some(general) = function.general {
        *function = general;
    }
    if let [Arg::Sql(sql)] = args.as_mut_slice() {
        sql.text = unify_query(&sql.text);
        // A database has the tables that a query of the whole task names as `db.table`.
        return own;
    }
    if *function != COUNT {
        return own;
    }
    if let [Arg::Column { relation, column, filter }] = args.as_slice()
        && task.find_column((*relation, *column)).is_some_and(|column| !column.ty.nullable && !column.ty.is_unknown())
    {
        *args = vec![Arg::Relation { relation: *relation, filter: filter.clone() }];
    }
    if let [Arg::Relation { relation, filter: None }] = args.as_slice()
        && let Some(Rows::Count(low, high)) = task.relations.get(*relation).map(|own| &own.rows)
        && low.without_spans() == high.without_spans()
    {
        return rewrite(task, &low.without_spans(), left);
    }
    own
}

/// Writes a query without aliases of its only table, and with keywords in one letter case.
fn unify_query(text: &str) -> String {
    let tokens = lex::tokenize_sql(text);
    let tokens: Vec<&lex::Token<'_>> =
        tokens.iter().filter(|token| !matches!(token.kind, lex::Kind::Blank | lex::Kind::Comment)).collect();
    let is_alone = tokens.iter().filter(|token| token.is_any("FROM JOIN SELECT")).count() == 2
        && !tokens.iter().any(|token| token.is_punct(","));
    let mut out: Vec<String> = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let next = tokens.get(at + 1);
        let qualifies = is_alone && token.is_name() && next.is_some_and(|next| next.is_punct("."));
        let after_from = at.checked_sub(2).and_then(|at| tokens.get(at)).is_some_and(|token| token.is_keyword("FROM"));
        let ends = "WHERE GROUP ORDER LIMIT HAVING UNION EXCEPT INTERSECT";
        if qualifies && !tokens.get(at.wrapping_sub(1)).is_some_and(|before| before.is_keyword("FROM")) {
            at += 2;
            continue;
        }
        // `CAST(x AS INTEGER)` has no alias.
        let is_type = tokens.get(at + 2).is_some_and(|after| after.is_punct(")") || after.is_punct("("));
        if token.is_keyword("AS") && next.is_some_and(|next| next.is_name()) && !is_type {
            at += 2;
            continue;
        }
        let is_alias = is_alone && after_from && token.is_name() && !token.is_any(ends);
        if !is_alias {
            out.push(match token.kind {
                lex::Kind::Text => token.text.to_owned(),
                _ => token.text.to_uppercase(),
            });
        }
        at += 1;
    }
    while out.last().is_some_and(|last| last == ";") {
        out.pop();
    }
    out.join(" ")
}

/// Returns what a value is written from: without rounding to decimal places, which adds nothing to find.
pub fn strip_layout(expr: &Expr) -> &Expr {
    let mut at = expr;
    while let ExprKind::Call(function, args) = &at.kind
        && function.places.is_some()
        && let [Arg::Value(value), ..] = args.as_slice()
    {
        at = value;
    }
    at
}

/// Checks whether a value does not depend on a row.
pub fn is_of_task(expr: &Expr) -> bool {
    let mut free = true;
    expr.visit_with_scope(Scope::default(), &mut |part, scope| {
        let is_cell = matches!(part.kind, ExprKind::Column(_) | ExprKind::OuterColumn(_));
        free &= !is_cell || part.find_cell(scope).is_some();
    });
    free
}
