//! `impossible_predicate`, `vacuous_predicate` in HAVING: the number of rows of a group against a number.

use sqlparser::ast::{BinaryOperator, Expr};

use super::findings::Finding;
use super::scene::Scene;
use crate::analyser::Analyser;
use crate::expressions::{as_number_literal, split_conjuncts};
use crate::functions::is_count_star;
use crate::parse::find_expr_bytes;
use syntax::diagnostics::{Code, Diagnostic};

/// Reports comparisons of `COUNT(*)` that no group meets, or every group.
pub fn check_group_counts(analyser: &Analyser<'_>, scene: &Scene<'_, '_, '_>, found: &mut Vec<Finding>) {
    let conditions = scene.select.having.iter().flat_map(split_conjuncts);
    let least = if scene.groups.is_empty() { 0 } else { 1 };
    found.extend(conditions.filter_map(|condition| check_condition(analyser, (least, scene.most), condition)));
}

fn check_condition(analyser: &Analyser<'_>, (least, most): (i64, Option<u64>), condition: &Expr) -> Option<Finding> {
    use BinaryOperator::{Eq, Gt, GtEq, Lt, LtEq, NotEq};
    let Expr::BinaryOp { left, op, right } = condition else { return None };
    let count = |expr: &Expr| matches!(expr, Expr::Function(function) if is_count_star(function));
    let (op, number) = match (count(left), count(right)) {
        (true, false) => (op.clone(), as_number_literal::<i64>(right)?),
        (false, true) => (swap_sides(op), as_number_literal::<i64>(left)?),
        _ => return None,
    };
    let most = most.and_then(|most| i64::try_from(most).ok()).unwrap_or(i64::MAX);
    let (below, above) = (most < number, least > number);
    let (equal_only, inside) = (least == most && least == number, (least..=most).contains(&number));
    let (never, always) = match op {
        Eq => (!inside, equal_only),
        NotEq => (equal_only, !inside),
        Gt => (most <= number, above),
        GtEq => (below, least >= number),
        Lt => (least >= number, below),
        LtEq => (above, most <= number),
        _ => return None,
    };
    let (code, who, label) = match (never, always) {
        (true, _) => (Code::IMPOSSIBLE_PREDICATE, "no group meets", "never"),
        (_, true) => (Code::VACUOUS_PREDICATE, "every group meets", "always"),
        _ => return None,
    };
    let bytes = find_expr_bytes(analyser.query.tokens, condition)?;
    let rows = match most {
        i64::MAX => format!("at least {least}"),
        _ => format!("between {least} and {most}"),
    };
    let said = Diagnostic::new(
        code,
        format!("{who} `{}`: a group has {rows} rows", analyser.query.slice_text(bytes)),
        analyser.query.to_span(bytes),
        label,
    )
    .help("compare with a number of rows that only some groups have");
    Some(Finding::new_unconditional(said))
}

fn swap_sides(op: &BinaryOperator) -> BinaryOperator {
    use BinaryOperator::{Gt, GtEq, Lt, LtEq};
    match op {
        Gt => Lt,
        GtEq => LtEq,
        Lt => Gt,
        LtEq => GtEq,
        other => other.clone(),
    }
}
