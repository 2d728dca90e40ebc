//! `impossible_predicate` and `vacuous_predicate` for a value alone as a condition: `SITE = 'Graz' OR 'Lyon'`.

use sqlparser::ast::{BinaryOperator, Expr};

use super::conditions::collect_counting_conditions;
use super::findings::Finding;
use super::scene::Scene;
use super::witness::Reading;
use crate::analyser::Analyser;
use crate::expressions::{as_number_literal, as_text_literal};
use crate::parse::find_expr_bytes;
use syntax::diagnostics::{Code, Diagnostic};

/// Reports texts and numbers next to AND and OR.
pub fn check_bare_values(analyser: &Analyser<'_>, scene: &Scene<'_, '_, '_>, found: &mut Vec<Finding>) {
    let ons = scene.joins.constraints.iter().map(|on| on.on);
    let counted = collect_counting_conditions(scene);
    for condition in scene.select.selection.iter().chain(&scene.select.having).chain(ons).chain(&counted) {
        let mut open: Vec<(&Expr, Option<&Expr>)> = vec![(condition, None)];
        while let Some((expr, beside)) = open.pop() {
            match expr {
                Expr::Nested(inner) => open.push((inner, beside)),
                Expr::BinaryOp { left, op: BinaryOperator::And | BinaryOperator::Or, right } => {
                    let (left, right) = (left.as_ref(), right.as_ref());
                    open.extend([(left, Some(right)), (right, Some(left))]);
                }
                _ => found.extend(beside.and_then(|beside| check_value(analyser, expr, beside))),
            }
        }
    }
}

fn check_value(analyser: &Analyser<'_>, expr: &Expr, beside: &Expr) -> Option<Finding> {
    let number = match as_text_literal(expr) {
        // SQLite takes the number with which a text begins.
        Some(text) if text.trim_start().starts_with(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+')) => {
            return None;
        }
        Some(_) => 0.0,
        // `WHERE 1 AND …` is a habit.
        None => as_number_literal::<f64>(expr).filter(|number| *number != 1.0)?,
    };
    let query = analyser.query;
    let bytes = find_expr_bytes(query.tokens, expr)?;
    let text = query.slice_text(bytes);
    let (code, holds) = match number == 0.0 {
        true => (Code::IMPOSSIBLE_PREDICATE, "false"),
        false => (Code::VACUOUS_PREDICATE, "true"),
    };
    let said = Diagnostic::new(
        code,
        format!("`{text}` alone is not a comparison: it is {holds} for every row"),
        query.to_span(bytes),
        format!("always {holds}"),
    );
    let column = find_compared(beside).and_then(|column| find_expr_bytes(query.tokens, column));
    let compared = column.map(|bytes| query.slice_text(bytes));
    let said = match compared {
        Some(column) => {
            said.help(format!("repeat the column: `{column} = {text}`, or list the values: `{column} IN (…, {text})`"))
        }
        None => said.help("compare it with a column"),
    };
    let reading = compared.map(|column| Reading::new_shown(bytes, format!("{column} = {text}")));
    Some(Finding::new_unconditional(said).with_reading(reading))
}

/// The left side of the last comparison of a condition.
fn find_compared(expr: &Expr) -> Option<&Expr> {
    match expr {
        Expr::Nested(inner) => find_compared(inner),
        Expr::BinaryOp { right, op: BinaryOperator::And | BinaryOperator::Or, .. } => find_compared(right),
        Expr::BinaryOp { left, .. } => Some(left),
        _ => None,
    }
}
