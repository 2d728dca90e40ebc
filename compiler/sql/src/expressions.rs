//! What a part of `sqlparser`'s tree plainly is: a name, a literal, an output, an argument.

use std::ops::{ControlFlow, Neg};
use std::str::FromStr;

use sqlparser::ast::{
    BinaryOperator, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, ObjectName, Query,
    SelectItem, UnaryOperator, Value, ValueWithSpan, Visit,
};

use super::request::is_same_name;
use super::visitor::{Visitor, visit_nodes};

/// The last part of a name: `t` of `shop.t`.
pub fn find_last_name(name: &ObjectName) -> Option<&Ident> {
    name.0.last()?.as_ident()
}

/// The arguments of a call; empty for a subquery.
pub fn list_arguments(function: &Function) -> &[FunctionArg] {
    match &function.args {
        FunctionArguments::List(list) => &list.args,
        FunctionArguments::None | FunctionArguments::Subquery(_) => &[],
    }
}

/// The expression of an argument without a name.
pub fn as_plain_argument(arg: &FunctionArg) -> Option<&Expr> {
    match arg {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(expr),
        _ => None,
    }
}

/// The expression of a call's argument.
pub fn find_argument(function: &Function, index: usize) -> Option<&Expr> {
    list_arguments(function).get(index).and_then(as_plain_argument)
}

/// The expression of an output; `None` for `*`.
pub fn as_output_expr(item: &SelectItem) -> Option<&Expr> {
    match item {
        SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => Some(expr),
        _ => None,
    }
}

/// The first output with this name after AS: its index and expression.
pub fn find_output<'e>(items: &'e [SelectItem], name: &Ident) -> Option<(usize, &'e Expr)> {
    items.iter().enumerate().find_map(|(index, item)| match item {
        SelectItem::ExprWithAlias { expr, alias } if is_same_name(&alias.value, &name.value) => Some((index, expr)),
        _ => None,
    })
}

/// A text written out.
pub fn as_text_literal(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Value(ValueWithSpan { value: Value::SingleQuotedString(text), .. }) => Some(text),
        _ => None,
    }
}

/// A number written out.
pub fn as_number_literal<N: FromStr + Neg<Output = N>>(expr: &Expr) -> Option<N> {
    match expr {
        Expr::Value(ValueWithSpan { value: Value::Number(digits, _), .. }) => digits.parse().ok(),
        Expr::Nested(inner) => as_number_literal(inner),
        Expr::UnaryOp { op: UnaryOperator::Minus, expr } => as_number_literal::<N>(expr).map(Neg::neg),
        _ => None,
    }
}

/// The conditions that must all hold.
pub fn split_conjuncts(expr: &Expr) -> Vec<&Expr> {
    let (mut out, mut open) = (Vec::new(), vec![expr]);
    while let Some(expr) = open.pop() {
        match expr {
            Expr::BinaryOp { left, op: BinaryOperator::And, right } => open.extend([left.as_ref(), right.as_ref()]),
            Expr::Nested(inner) => open.push(inner),
            _ => out.push(expr),
        }
    }
    out
}

/// Whether an operator compares by order or equality.
pub fn is_comparison(op: &BinaryOperator) -> bool {
    use BinaryOperator::{Eq, Gt, GtEq, Lt, LtEq, NotEq};
    matches!(op, Eq | NotEq | Lt | LtEq | Gt | GtEq)
}

/// Calls `visit` for each call in a part of a query, without its subqueries, until `visit` breaks.
pub fn visit_calls<B>(part: &impl Visit, visit: impl FnMut(&Function) -> ControlFlow<B>) -> ControlFlow<B> {
    struct Calls<B, F> {
        queries: usize,
        visit: F,
        /// The value of the break.
        found: ControlFlow<B>,
    }
    impl<B, F: FnMut(&Function) -> ControlFlow<B>> Visitor for Calls<B, F> {
        fn pre_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
            self.queries += 1;
            ControlFlow::Continue(())
        }
        fn post_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
            self.queries = self.queries.saturating_sub(1);
            ControlFlow::Continue(())
        }
        fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
            if let Expr::Function(function) = expr
                && self.queries == 0
            {
                self.found = (self.visit)(function);
            }
            if self.found.is_break() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
    }
    let mut calls = Calls { queries: 0, visit, found: ControlFlow::Continue(()) };
    let _ = visit_nodes(part, &mut calls);
    calls.found
}
