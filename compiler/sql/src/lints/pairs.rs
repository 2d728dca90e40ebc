//! `multiplied_rows`: pairs of rows of one table, each of which is met twice, as (a, b) and as (b, a).

use syntax::prompts::english::queries::ORDERED_PAIRS;

use sqlparser::ast::{BinaryOperator, Expr};

use super::asked::Asked;
use super::example;
use super::findings::{Finding, ReportCondition};
use super::scene::Scene;
use super::witness::Reading;
use crate::analyser::Analyser;
use crate::expressions::split_conjuncts;
use crate::functions::is_count_star;
use crate::parse::find_expr_bytes;
use crate::request::is_same_name;
use crate::scope::{ROW_ID, resolve_place};
use crate::visitor::change_exprs;
use syntax::diagnostics::{Applicability, Code, Diagnostic};

/// Reports `a.ID <> b.ID` between two rows of one table, if nothing else tells the two apart.
pub fn check_pairs(analyser: &Analyser<'_>, scene: &Scene<'_, '_, '_>, found: &mut Vec<Finding>) {
    let Some([first, second]) = analyser.frames.last().map(|frame| frame.relations.as_slice()) else { return };
    if first.table.is_none() || first.table != second.table || !scene.groups.is_empty() || scene.joins.reversed {
        return;
    }
    if !scene.joins.outer.is_empty() {
        return;
    }
    let ons = scene.joins.constraints.iter().map(|on| on.on);
    let all: Vec<&Expr> = ons.chain(&scene.select.selection).flat_map(split_conjuncts).collect();
    let is_unequal = |expr: &&&Expr| match expr {
        Expr::BinaryOp { left, op: BinaryOperator::NotEq, right } => {
            let places = (resolve_place(&analyser.frames, left), resolve_place(&analyser.frames, right));
            matches!(places, (Some((0, a)), Some((1, b))) | (Some((1, a)), Some((0, b)))
                if a == b && (a == ROW_ID || first.keys.contains(&vec![a])))
        }
        _ => false,
    };
    let Some(unequal) = all.iter().find(is_unequal) else { return };
    let mut swapped: Vec<String> = all.iter().map(|expr| swap_aliases(expr, [&first.alias, &second.alias])).collect();
    let mut written: Vec<String> = all.iter().map(|expr| order_sides(expr)).collect();
    swapped.sort();
    written.sort();
    if swapped != written || !is_pair_wanted(scene) {
        return;
    }
    let Some(bytes) = find_expr_bytes(analyser.query.tokens, unequal) else { return };
    let Expr::BinaryOp { left, right, .. } = unequal else { return };
    let side = |expr: &Expr| {
        find_expr_bytes(analyser.query.tokens, expr).map(|bytes| analyser.query.slice_text(bytes).to_owned())
    };
    let (Some(left), Some(right)) = (side(left), side(right)) else { return };
    let text = analyser.query.slice_text(bytes);
    let name = example::name_relation(analyser, first);
    let once = format!("{left} < {right}");
    let said = Diagnostic::new(
        Code::MULTIPLIED_ROWS,
        format!("`{text}` joins each pair of rows of `{name}` twice"),
        analyser.query.to_span(bytes),
        "true in both orders",
    )
    .note(format!("2 matching rows of `{name}`, 1 and 2, are joined as (1, 2) and as (2, 1)"))
    .help(format!("let each pair have one order: `{once}`"))
    .replace(Applicability::Unsafe, analyser.query.to_span(bytes), once.clone());
    let asked =
        if scene.whole { Asked::Without(ORDERED_PAIRS) } else { Asked::With("pair, pairs, combination, combinations") };
    found.push(Finding::new_if(ReportCondition::Asked(asked), said).with_reading(Reading::new_shown(bytes, once)));
}

/// Whether the pairs themselves are counted, or listed with a column of each.
fn is_pair_wanted(scene: &Scene<'_, '_, '_>) -> bool {
    let outputs = scene.collect_outputs().unwrap_or_default();
    match outputs.as_slice() {
        [Expr::Function(function)] if scene.whole => is_count_star(function),
        [_, _, ..] => !scene.whole && scene.select.distinct.is_none(),
        _ => false,
    }
}

/// A condition with its sides in the order of their texts: `=` and `<>` are the same both ways.
fn order_sides(expr: &Expr) -> String {
    match expr {
        Expr::BinaryOp { left, op: op @ (BinaryOperator::Eq | BinaryOperator::NotEq), right } => {
            let (a, b) = (left.to_string().to_lowercase(), right.to_string().to_lowercase());
            if a < b { format!("{a} {op} {b}") } else { format!("{b} {op} {a}") }
        }
        other => other.to_string().to_lowercase(),
    }
}

/// A condition in which two relations have changed their names.
fn swap_aliases(expr: &Expr, aliases: [&str; 2]) -> String {
    let [first, second] = aliases;
    let mut swapped = expr.clone();
    change_exprs(&mut swapped, &mut |expr| {
        if let Expr::CompoundIdentifier(parts) = expr
            && let [table, _] = parts.as_mut_slice()
        {
            if is_same_name(&table.value, first) {
                second.clone_into(&mut table.value);
            } else if is_same_name(&table.value, second) {
                first.clone_into(&mut table.value);
            }
        }
    });
    order_sides(&swapped)
}
