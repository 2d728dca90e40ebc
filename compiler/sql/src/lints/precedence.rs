//! `unbracketed_or`: `OR` next to `AND` without brackets, where `AND` comes first.

use std::collections::BTreeSet;

use sqlparser::ast::{BinaryOperator, Expr};

use super::asked::Asked;
use super::conditions::collect_counting_conditions;
use super::findings::{Finding, ReportCondition};
use super::scene::Scene;
use super::witness::Reading;
use crate::analyser::Analyser;
use crate::expressions::{as_text_literal, split_conjuncts};
use crate::parse::find_expr_bytes;
use crate::reads::collect_all_reads;
use crate::scope::{Place, resolve_place};
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
    let together: Vec<&&Expr> = parts.iter().filter(|part| is_conjunction(part)).collect();
    match together.as_slice() {
        [whole] if parts.len() > 1 => check_one_conjunction(analyser, parts, whole),
        // Where each part has several conditions, the text shows that they belong together.
        [_, _] => check_choice(analyser, parts),
        _ => None,
    }
}

/// Reports `a AND b OR c`.
fn check_one_conjunction(analyser: &Analyser<'_>, parts: &[&Expr], whole: &Expr) -> Option<Finding> {
    let tokens = analyser.query.tokens;
    let at = parts.iter().position(|part| std::ptr::eq(*part, whole))?;
    let Expr::BinaryOp { left, right, .. } = whole else { return None };
    // The condition of AND next to an OR: the last one if the OR comes after it.
    let alone = if at == 0 { right } else { find_first(left) };
    let around = (find_expr_bytes(tokens, parts.first()?)?.0, find_expr_bytes(tokens, parts.last()?)?.1);
    let near = find_expr_bytes(tokens, alone)?;
    let meant = if at == 0 { (near.0, around.1) } else { (around.0, near.1) };
    let said = build_diagnostic(analyser, find_expr_bytes(tokens, whole)?, meant)?;
    Some(Finding::new_unconditional(said).with_reading(build_reading(analyser, meant)))
}

/// Reports `SITE = 'x' AND LEVEL = 'high' OR LEVEL = 'low' AND OPEN = 1`, where the prompt asks for "high or low".
fn check_choice(analyser: &Analyser<'_>, parts: &[&Expr]) -> Option<Finding> {
    let (first, last) = (parts.first()?, parts.last()?);
    let Expr::BinaryOp { left, op: BinaryOperator::And, right } = first else { return None };
    if !is_conjunction(last) {
        return None;
    }
    let (low, high) = (right.as_ref(), find_first(last));
    let between = parts.get(1..parts.len().checked_sub(1)?)?;
    let choices: Vec<&Expr> = [low].into_iter().chain(between.iter().copied()).chain([high]).collect();
    let equalities: Vec<(Place, String)> =
        choices.into_iter().map(|choice| read_equality(analyser, choice)).collect::<Option<_>>()?;
    let (place, _) = equalities.first()?;
    // The other conditions of both sides are about other columns, so none of them belongs to one choice alone.
    let before = collect_places(analyser, split_conjuncts(left));
    let rest = split_conjuncts(last).into_iter().filter(|part| !std::ptr::eq(*part, high)).collect();
    let behind = collect_places(analyser, rest);
    let is_apart = before.is_disjoint(&behind) && !before.contains(place) && !behind.contains(place);
    if !is_apart || equalities.iter().any(|(other, _)| other != place) {
        return None;
    }
    let tokens = analyser.query.tokens;
    let meant = (find_expr_bytes(tokens, low)?.0, find_expr_bytes(tokens, high)?.1);
    let said = build_diagnostic(analyser, find_expr_bytes(tokens, first)?, meant)?;
    let choices = equalities.into_iter().map(|(_, value)| value).collect();
    let heard = ReportCondition::Asked(Asked::Choice(choices));
    Some(Finding::new_if(heard, said).with_reading(build_reading(analyser, meant)))
}

/// The column and the text of `column = 'text'`.
fn read_equality(analyser: &Analyser<'_>, expr: &Expr) -> Option<(Place, String)> {
    let Expr::BinaryOp { left, op: BinaryOperator::Eq, right } = expr else { return None };
    [(left, right), (right, left)].into_iter().find_map(|(column, value)| {
        Some((resolve_place(&analyser.frames, column)?, as_text_literal(value)?.to_owned()))
    })
}

/// The columns that conditions read.
fn collect_places(analyser: &Analyser<'_>, conditions: Vec<&Expr>) -> BTreeSet<Place> {
    conditions.into_iter().flat_map(|condition| collect_all_reads(analyser, condition).places.into_keys()).collect()
}

/// The query with brackets around `meant`.
fn build_reading(analyser: &Analyser<'_>, meant: (usize, usize)) -> Reading {
    let text = analyser.query.slice_text(meant);
    Reading::new(format!("`({})`", shorten(text)), [(meant, format!("({text})"))])
}

/// The diagnostic for AND in `own`, where the brackets around `meant` are probably missing.
fn build_diagnostic(analyser: &Analyser<'_>, own: (usize, usize), meant: (usize, usize)) -> Option<Diagnostic> {
    if meant.0 >= meant.1 {
        return None;
    }
    let text = |bytes| analyser.query.slice_text(bytes);
    let said = Diagnostic::new(
        Code::UNBRACKETED_OR,
        format!("`AND` comes before `OR`: `{}` is one condition", shorten(text(own))),
        analyser.query.to_span(own),
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
    Some(said)
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
