//! `unbracketed_or`: `OR` next to `AND` without brackets, where `AND` comes first.

use sqlparser::ast::{BinaryOperator, Expr};

use super::conditions::collect_counting_conditions;
use super::findings::Finding;
use super::scene::Scene;
use crate::analyser::Analyser;
use crate::parse::find_expr_bytes;
use syntax::diagnostics::{Applicability, Code, Diagnostic};

/// Reports `a AND b OR c` in WHERE, HAVING, ON, CASE, and FILTER.
pub fn check_precedence(analyser: &Analyser<'_>, scene: &Scene<'_, '_, '_>, found: &mut Vec<Finding>) {
    let ons = scene.joins.constraints.iter().map(|on| on.on);
    let counted = collect_counting_conditions(scene);
    for condition in scene.select.selection.iter().chain(&scene.select.having).chain(ons).chain(&counted) {
        let mut open = vec![condition];
        while let Some(expr) = open.pop() {
            match expr {
                Expr::Nested(inner) => open.push(inner),
                Expr::BinaryOp { left, op: BinaryOperator::And, right } => open.extend([left.as_ref(), right]),
                Expr::BinaryOp { op: BinaryOperator::Or, .. } => {
                    let parts = split_alternatives(expr);
                    found.extend(check_alternatives(analyser, &parts));
                    open.extend(parts);
                }
                _ => {}
            }
        }
    }
}

/// The parts of a chain of OR, in order.
fn split_alternatives(expr: &Expr) -> Vec<&Expr> {
    let mut parts = Vec::new();
    let mut first = expr;
    while let Expr::BinaryOp { left, op: BinaryOperator::Or, right } = first {
        parts.push(right.as_ref());
        first = left;
    }
    parts.push(first);
    parts.reverse();
    parts
}

fn is_conjunction(expr: &Expr) -> bool {
    matches!(expr, Expr::BinaryOp { op: BinaryOperator::And, .. })
}

fn check_alternatives(analyser: &Analyser<'_>, parts: &[&Expr]) -> Option<Finding> {
    // Where each part has several conditions, the text shows that they belong together.
    let together: Vec<&&Expr> = parts.iter().filter(|part| is_conjunction(part)).collect();
    let ([whole], true) = (together.as_slice(), parts.len() > together.len()) else { return None };
    let tokens = analyser.query.tokens;
    let at = parts.iter().position(|part| std::ptr::eq(*part, **whole))?;
    let Expr::BinaryOp { left, right, .. } = **whole else { return None };
    // The condition of AND next to an OR: the last one if the OR comes after it.
    let alone = if at == 0 { right } else { find_first(left) };
    let around = (find_expr_bytes(tokens, parts.first()?)?.0, find_expr_bytes(tokens, parts.last()?)?.1);
    let near = find_expr_bytes(tokens, alone)?;
    let (own, own_span) = (find_expr_bytes(tokens, whole)?, analyser.query.to_span(find_expr_bytes(tokens, whole)?));
    let meant = if at == 0 { (near.0, around.1) } else { (around.0, near.1) };
    if meant.0 >= meant.1 {
        return None;
    }
    let text = |bytes| analyser.query.slice_text(bytes);
    let said = Diagnostic::new(
        Code::UNBRACKETED_OR,
        format!("`AND` comes before `OR`: `{}` is one condition", shorten(text(own))),
        own_span,
        "read as if in brackets",
    )
    .note(format!(
        "SQL reads `({}) OR …`, so a row that meets only the other side of `OR` is kept, whatever the rest is",
        shorten(text(own))
    ))
    .help(format!("write the brackets that you mean: `({})`, or `({})`", shorten(text(meant)), shorten(text(own))))
    .fix(
        "put the alternatives of `OR` in brackets",
        Applicability::Unsafe,
        analyser.query.to_span(meant),
        format!("({})", text(meant)),
    );
    Some(Finding::new_unconditional(said))
}

/// The first condition of a chain of AND.
fn find_first(expr: &Expr) -> &Expr {
    match expr {
        Expr::BinaryOp { left, op: BinaryOperator::And, .. } => find_first(left),
        other => other,
    }
}

fn shorten(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(70) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}
