//! Proofs on the rows of a SELECT: at most how many, their keys, and the values that are never null.

use sqlparser::ast::{Expr, Select, SelectItem, Value, ValueWithSpan};

use super::analyser::Analyser;
use super::expressions::{as_number_literal, as_output_expr, find_output, is_comparison, split_conjuncts};
use super::functional_dependencies::{Facts, Fixed};
use super::joins::Joins;
use super::output::Projected;
use super::scope::{ExprText, Frame, Place, resolve_place};

/// More relations than any question joins: their keys are not looked for.
const MAX_RELATIONS: usize = 64;

/// Whether a condition is written out as one that never holds.
pub fn is_never_true(condition: &Expr) -> bool {
    split_conjuncts(condition).into_iter().any(|expr| match expr {
        Expr::Value(value) => {
            matches!(value.value, Value::Null | Value::Boolean(false)) || as_number_literal::<i64>(expr) == Some(0)
        }
        _ => false,
    })
}

/// Computes the most rows that FROM can return, if known.
pub fn compute_max_rows(frame: &Frame, joins: &Joins<'_>) -> Option<u64> {
    if joins.reversed {
        return None;
    }
    frame.relations.iter().try_fold(1_u64, |most, relation| most.checked_mul(relation.most?.max(1)))
}

/// Collects the columns of the innermost SELECT whose nulls do not pass WHERE and the joins.
pub fn collect_not_null_columns(analyser: &Analyser<'_>, joins: &Joins<'_>, condition: Option<&Expr>) -> Vec<Place> {
    // A merged column of a RIGHT or FULL join may be either side's.
    if joins.reversed {
        return Vec::new();
    }
    let operands = collect_joined_not_null(joins, condition).into_iter();
    let mut out: Vec<Place> = operands.filter_map(|operand| resolve_place(&analyser.frames, operand)).collect();
    for (left, right, within) in &joins.equal {
        if within.is_none() {
            out.extend([*left, *right]);
        }
    }
    out
}

/// Collects the expressions other than columns whose nulls do not pass WHERE and the joins. A name of the output counts as its expression.
pub fn collect_not_null_exprs(
    analyser: &Analyser<'_>,
    joins: &Joins<'_>,
    condition: Option<&Expr>,
    items: &[SelectItem],
) -> Vec<ExprText> {
    let operands =
        if joins.reversed { collect_not_null_operands(condition) } else { collect_joined_not_null(joins, condition) };
    let others = operands.into_iter().filter(|operand| resolve_place(&analyser.frames, operand).is_none());
    others.map(|operand| ExprText::from_expr(resolve_alias(operand, items))).collect()
}

/// Collects the expressions whose nulls do not pass HAVING.
pub fn collect_having_not_null(having: Option<&Expr>, items: &[SelectItem]) -> Vec<ExprText> {
    collect_not_null_operands(having)
        .into_iter()
        .map(|operand| ExprText::from_expr(resolve_alias(operand, items)))
        .collect()
}

/// The expression that a name of the output denotes; other operands are returned as they are.
fn resolve_alias<'e>(operand: &'e Expr, items: &'e [SelectItem]) -> &'e Expr {
    let Expr::Identifier(name) = operand else { return operand };
    find_output(items, name).map_or(operand, |(_, expr)| expr)
}

/// Whether WHERE may remove every row: it has a condition other than `IS NOT NULL`.
pub fn may_filter_rows(condition: Option<&Expr>) -> bool {
    condition.into_iter().flat_map(split_conjuncts).any(|expr| !matches!(expr, Expr::IsNotNull(_)))
}

/// Collects the expressions that are not null in every row that passes WHERE and the inner joins.
fn collect_joined_not_null<'e>(joins: &Joins<'e>, condition: Option<&'e Expr>) -> Vec<&'e Expr> {
    let inner = joins.constraints.iter().filter(|on| !on.left).map(|on| on.on);
    condition.into_iter().chain(inner).flat_map(|condition| collect_not_null_operands(Some(condition))).collect()
}

/// Collects the expressions that are not null where a condition holds.
fn collect_not_null_operands(condition: Option<&Expr>) -> Vec<&Expr> {
    let all = condition.into_iter().flat_map(split_conjuncts).flat_map(|expr| -> Vec<&Expr> {
        match expr {
            Expr::IsNotNull(inner) | Expr::Between { expr: inner, .. } | Expr::Like { expr: inner, any: false, .. } => {
                vec![inner]
            }
            Expr::InList { expr: inner, list, .. } if !list.is_empty() => vec![inner],
            Expr::BinaryOp { left, op, right } if is_comparison(op) => vec![left, right],
            _ => Vec::new(),
        }
    });
    all.collect()
}

impl Facts<'_, '_> {
    /// Whether there is at most one row, and else the keys of the output.
    pub fn prove_keys(
        &self,
        select: &Select,
        groups: &[Expr],
        projected: Option<&[Projected]>,
    ) -> (bool, Vec<Vec<usize>>) {
        let Some(frame) = self.frame().filter(|frame| frame.relations.len() <= MAX_RELATIONS) else {
            return (false, Vec::new());
        };
        let fixed = self.compute_fixed(&[]);
        if fixed.is_all_fixed() {
            return (true, Vec::new());
        }
        let place_of = |place: Place| projected?.iter().position(|(_, plain)| *plain == Some(place));
        let mut keys = Vec::new();
        if !groups.is_empty() {
            let having: Vec<Place> =
                select.having.iter().flat_map(|having| self.find_fixed_by_having(having, &fixed)).collect();
            let mut key = Some(Vec::new());
            for group in groups {
                let Some((expr, place)) = self.resolve_output_term(group, select) else {
                    key = None;
                    continue;
                };
                let column = resolve_place(&self.analyser.frames, expr);
                if self.is_value_fixed(&fixed, expr) || column.is_some_and(|column| having.contains(&column)) {
                    continue;
                }
                let place = place.or_else(|| place_of(column?));
                key = key.zip(place).map(|(mut key, place)| {
                    key.push(place);
                    key
                });
            }
            match key {
                Some(key) if key.is_empty() => return (true, Vec::new()),
                key => keys.extend(key.filter(|_| !self.reversed)),
            }
        } else if let Some(projected) = projected.filter(|_| !self.reversed) {
            let candidates = frame.relations.iter().enumerate().flat_map(|(index, relation)| {
                relation.keys.iter().map(move |key| key.iter().map(|place| (index, *place)).collect::<Vec<Place>>())
            });
            let whole: Vec<Place> = projected.iter().filter_map(|(_, plain)| *plain).collect();
            for candidate in candidates.chain([whole]) {
                let places: Option<Vec<usize>> = candidate.iter().map(|place| place_of(*place)).collect();
                let Some(places) = places.filter(|places| !places.is_empty() && keys.len() < 16) else { continue };
                if self.compute_fixed(&candidate).is_all_fixed() {
                    keys.push(places);
                }
            }
        }
        if select.distinct.is_some() {
            if self.is_output_fixed(select, &fixed) {
                return (true, Vec::new());
            }
            keys.extend(projected.map(|projected| (0..projected.len()).collect()));
        }
        (false, keys)
    }

    /// The expression that a term of GROUP BY denotes, and its position in the output if the term refers to it: by
    /// number, or by a name of the output that is not a column. `None` if unknown.
    pub fn resolve_output_term<'t>(&self, term: &'t Expr, select: &'t Select) -> Option<(&'t Expr, Option<usize>)> {
        let place = match (parse_output_position(term), term) {
            (Some(place), _) => Some(place?),
            (None, Expr::Identifier(name)) if resolve_place(&self.analyser.frames, term).is_none() => {
                find_output(&select.projection, name).map(|(place, _)| place)
            }
            _ => None,
        };
        let Some(place) = place else { return Some((term, None)) };
        // If the output contains a `*`, its items are not its columns.
        let all = select.projection.iter().all(|item| as_output_expr(item).is_some());
        let expr = as_output_expr(select.projection.get(place).filter(|_| all)?)?;
        Some((expr, Some(place)))
    }

    fn is_output_fixed(&self, select: &Select, fixed: &Fixed) -> bool {
        let is_fixed = |expr: &Expr| self.is_value_fixed(fixed, expr);
        select.projection.iter().all(|item| as_output_expr(item).is_some_and(is_fixed))
    }
}

/// The place in the output that a term of GROUP BY counts (from 0), if it is a number.
fn parse_output_position(term: &Expr) -> Option<Option<usize>> {
    match term {
        Expr::Value(ValueWithSpan { value: Value::Number(digits, _), .. }) => {
            Some(digits.parse::<usize>().ok().and_then(|n| n.checked_sub(1)))
        }
        Expr::Nested(inner) | Expr::UnaryOp { expr: inner, .. } => parse_output_position(inner),
        _ => None,
    }
}
