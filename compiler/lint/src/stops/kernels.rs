//! Proofs that functions of values and aggregates have a result, from what is known of their arguments.

use model::functions::{
    ABS, AVG, CEIL, CHI2_P, FIRST, FLOOR, FunctionId, LAST, MAX, MEDIAN, MIN, MODE, PAD_LEFT, REPLACE, Results, SPLIT,
    TO_DECIMAL, TO_INT,
};
use model::statistics::MAX_FREEDOM;
use model::suite::{Op, RelationId, Scope};
use model::{Val, Value};

use super::safe::is_within;
use hir::facts::{Fact, Facts, sees_row, sum_range};
use hir::text_lengths::measure_longest;
use hir::texts::{has_only, infer_texts, is_never_empty, is_shorter};
use hir::types::TyKind;
use hir::{Arg, Expr, ExprKind};

/// The maximum number of combinations of values that are tried.
const MAX_TRIED: usize = 1000;

/// Numbers up to this one can be rounded to any number of places.
const MAX_ROUNDED: f64 = 1e15;

/// Numbers up to this one can be rounded to whole numbers.
const MAX_WHOLE: f64 = 9e18;

/// Texts with at most this many digits are ints.
const MAX_DIGITS: usize = 18;

/// The most decimal places of a decimal.
const MAX_PLACES: i64 = 18;

/// The most characters that can be put in for others, and the bytes of one of them; and the width to which texts can be filled up.
const MAX_REPLACED: usize = 60_000_000;
const MAX_LETTER: usize = 4;
const MAX_WIDTH: i64 = 10_000_000;

/// The most items and rows whose sum is looked at.
const MAX_ADDED: u64 = 100_000_000;

/// Whether a function of values always has a result. `facts` are those of its arguments.
pub(super) fn has_result<'a>(
    facts: &Facts<'a>,
    (function, args): (FunctionId, &'a [Arg]),
    known: &[Fact<'a>],
    scope: Scope,
    kernel: impl Fn(Vec<Val<'_>>) -> bool,
) -> bool {
    if has_all_results(known, kernel) || is_safe_rounding(function, known) {
        return true;
    }
    let value = |at: usize| match args.get(at) {
        Some(Arg::Value(value)) => Some(value),
        _ => None,
    };
    let texts = |at: usize| value(at).and_then(|value| infer_texts(facts, value, scope));
    let longest = |at: usize| value(at).and_then(|value| measure_longest(facts, value, scope));
    match function.sought {
        _ if function == ABS => value(0).is_some_and(|value| match value.ty.kind {
            TyKind::Int => known.first().and_then(Fact::as_int_range).is_some_and(|(low, _)| low > i64::MIN),
            _ => known.first().is_some_and(|fact| is_within(fact, f64::MAX)),
        }),
        _ if [CEIL, FLOOR].contains(&function) => value(0).is_some_and(|value| {
            value.ty.kind == TyKind::Int
                || known.first().is_some_and(|fact| is_number(fact) && is_within(fact, MAX_WHOLE))
        }),
        _ if function == CHI2_P => {
            matches!(known, [x, freedom] if is_between(x, 0.0, MAX_ROUNDED) && is_between(freedom, 1.0, MAX_FREEDOM))
        }
        _ if function == TO_INT => texts(0).is_some_and(|texts| {
            has_only(&texts, |c| c.is_ascii_digit()) && is_never_empty(&texts) && is_shorter(&texts, MAX_DIGITS + 1)
        }),
        _ if function == TO_DECIMAL => {
            let places = known.get(1).and_then(Fact::as_int_range).filter(|(_, high)| *high <= MAX_PLACES);
            let number = value(0).and_then(|text| find_written_number(facts, text, scope));
            number.zip(places).is_some_and(|(has, (low, _))| low >= has)
        }
        _ if function == PAD_LEFT => {
            let is_width = known.get(1).and_then(Fact::as_int_range).is_some_and(|(_, high)| high <= MAX_WIDTH);
            let one = |fill: &Value| fill.as_text().is_some_and(|fill| fill.chars().count() == 1);
            let fills = known.get(2).and_then(|fact| fact.closed.as_deref());
            is_width && fills.is_some_and(|fills| fills.iter().all(one))
        }
        Some(at) if function == SPLIT => texts(at).is_some_and(|texts| is_never_empty(&texts)),
        Some(at) if function == REPLACE => {
            let most = longest(0).zip(longest(2)).map(|(text, by)| text.saturating_mul(by).saturating_mul(MAX_LETTER));
            texts(at).is_some_and(|texts| is_never_empty(&texts)) && most.is_some_and(|most| most <= MAX_REPLACED)
        }
        _ => false,
    }
}

/// The most decimal places of the only number that is written in a text, if it is not too large for any number of places.
fn find_written_number<'a>(facts: &Facts<'a>, text: &'a Expr, scope: Scope) -> Option<i64> {
    let text = text.resolve_name(facts.task());
    let [number] = text.as_pieces() else { return None };
    let places = match number.ty.kind {
        TyKind::Int => 0,
        TyKind::Decimal(Some(places)) => i64::from(places),
        _ => return None,
    };
    let fact = facts.infer_expr(number, scope);
    (text.ty.kind == TyKind::Text && !fact.nullable && is_within(&fact, MAX_ROUNDED)).then_some(places)
}

/// Whether all combinations of values have a result. False if they are too many.
fn has_all_results(facts: &[Fact<'_>], has_result: impl Fn(Vec<Val<'_>>) -> bool) -> bool {
    let lists: Option<Vec<Vec<Value>>> = facts.iter().map(list_values).collect();
    let Some(lists) = lists else { return false };
    let all = lists.iter().try_fold(1usize, |all, list| all.checked_mul(list.len())).filter(|all| *all <= MAX_TRIED);
    all.is_some_and(|all| {
        (0..all).all(|mut at| {
            let values = lists.iter().filter_map(|list| {
                let value = list.get(at % list.len().max(1))?;
                at /= list.len().max(1);
                Some(Val::Ref(value))
            });
            has_result(values.collect())
        })
    })
}

/// The values of a fact, if they are few.
fn list_values(fact: &Fact<'_>) -> Option<Vec<Value>> {
    match (&fact.closed, fact.as_int_range()) {
        (Some(values), _) => Some(values.to_vec()),
        (None, Some((low, high))) if high.checked_sub(low)? < MAX_TRIED as i64 => {
            Some((low..=high).map(Value::Int).collect())
        }
        _ => None,
    }
}

/// Whether a number within its limits is rounded to a possible number of places.
fn is_safe_rounding(function: FunctionId, facts: &[Fact<'_>]) -> bool {
    let [number, rest @ ..] = facts else { return false };
    if function.restates != Some(model::functions::Restates::Rounded) {
        return false;
    }
    let places = function.places.is_none_or(|at| {
        facts.get(at).is_none_or(|places| places.as_int_range().is_some_and(|(low, high)| low >= 0 && high <= 18))
    });
    is_number(number) && places && is_within(number, MAX_ROUNDED) && rest.len() <= 1
}

/// Whether it is known to be a number: one in a text is not known by its size.
fn is_number(fact: &Fact<'_>) -> bool {
    !matches!(fact.range, Some((Value::Text(_), _)) | None)
}

/// Whether an aggregate of a list, of a column, or of a value for each row always has a result.
pub(super) fn has_total<'a>(facts: &Facts<'a>, function: FunctionId, args: &'a [Arg], scope: Scope) -> bool {
    let adds = |cells: &Fact<'a>, least: u64, most: u64| {
        let is_exact = cells.range.as_ref().is_some_and(|range| sum_range(range, least, most).is_some());
        is_exact || is_within(cells, MAX_ROUNDED) && is_float(cells) && most <= MAX_ADDED
    };
    match args {
        [Arg::Value(list)] => match &list.resolve_name(facts.task()).kind {
            ExprKind::List(items) => {
                let items: Vec<Fact<'a>> = items.iter().map(|item| facts.infer_expr(item, scope)).collect();
                let all = items.iter().cloned().reduce(|all, item| all.join_fact(&item));
                let most = items.len() as u64;
                all.is_some_and(|all| is_picked(function) && is_number(&all) || adds(&all, 0, most))
            }
            _ => {
                let most = facts.count_list_items(list, scope);
                facts.infer_expr(list, scope).closed.is_some()
                    || facts.infer_items(list, scope).zip(most).is_some_and(|(items, most)| {
                        is_picked(function) && is_number(&items) || adds(&items, 0, most.most)
                    })
            }
        },
        [Arg::Column { relation, column, .. }] => {
            let cells = facts.lookup_column(*relation, *column);
            let most = facts.count_rows(*relation).most;
            match function.results {
                Results::Sum => adds(&cells, 0, most),
                _ => is_within(&cells, MAX_ROUNDED),
            }
        }
        [Arg::Each { relation, value, .. }] => {
            let most = facts.count_rows(*relation).most;
            let fact = infer_quotient(facts, value, scope.enter_filter(*relation));
            is_picked(function) && is_number(&fact) || adds(&fact, 0, most)
        }
        _ => false,
    }
}

/// Whether a statistic of points always has a result.
pub(super) fn has_points<'a>(
    facts: &Facts<'a>,
    (function, columns): (FunctionId, usize),
    args: &'a [Arg],
    scope: Scope,
) -> bool {
    let is_measured = |arg: &'a Arg| match arg {
        Arg::Column { relation, column, .. } => is_within(&facts.lookup_column(*relation, *column), MAX_ROUNDED),
        Arg::Each { relation, value, .. } => {
            is_within(&facts.infer_expr(value, scope.enter_filter(*relation)), MAX_ROUNDED)
        }
        Arg::Value(list) => match &list.resolve_name(facts.task()).kind {
            ExprKind::List(items) => items.iter().all(|item| is_within(&facts.infer_expr(item, scope), MAX_ROUNDED)),
            ExprKind::Const(Value::List(items)) => is_within(&Fact::from_values(items.iter()), MAX_ROUNDED),
            _ => false,
        },
        _ => false,
    };
    let is_share = |arg: &'a Arg| match arg {
        Arg::Value(share) => is_between(&facts.infer_expr(share, scope), 0.0, 1.0),
        _ => false,
    };
    // Each x of a line has one y.
    let is_key = |arg: &'a Arg| match arg {
        Arg::Column { relation, column, .. } => facts.lookup_column(*relation, *column).unique,
        Arg::Each { relation, value, .. } => is_unique_value(facts, *relation, value, scope.enter_filter(*relation)),
        _ => false,
    };
    let (points, rest) = args.split_at(columns.min(args.len()));
    points.iter().all(is_measured)
        && match function.share {
            Some(at) => args.get(at).is_some_and(is_share),
            None if rest.is_empty() => true,
            None => {
                points.first().is_some_and(is_key)
                    && rest.iter().all(|arg| match arg {
                        Arg::Value(at) => is_within(&facts.infer_expr(at, scope), MAX_ROUNDED),
                        _ => false,
                    })
            }
        }
}

/// Whether a value that is computed for each row differs in all of them: an int of a unique column, times one that is not 0, or with one added.
fn is_unique_value<'a>(facts: &Facts<'a>, relation: RelationId, value: &'a Expr, scope: Scope) -> bool {
    let is_other = |other: &'a Expr| other.ty.kind == TyKind::Int && !sees_row(other);
    match &value.kind {
        ExprKind::Column(column) => facts.lookup_column(relation, *column).unique,
        ExprKind::Binary(op @ (Op::Mul | Op::Add | Op::Sub), sides) if value.ty.kind == TyKind::Int => {
            let may_be_zero = |other: &'a Expr| facts.infer_expr(other, scope).can_be(&Value::Int(0));
            [(&sides.0, &sides.1), (&sides.1, &sides.0)].into_iter().any(|(own, other)| {
                is_other(other)
                    && (*op != Op::Mul || !may_be_zero(other))
                    && is_unique_value(facts, relation, own, scope)
            })
        }
        _ => false,
    }
}

/// Whether an aggregate is never larger than another one of the same values: no mean is below the least of them, or above the largest.
pub(super) fn are_ordered_aggregates(facts: &Facts<'_>, low: &Expr, high: &Expr) -> bool {
    /// Where the result is among the values: at the lower end, between the ends, or at the upper one.
    fn find_rank<'e>(
        facts: &'e Facts<'_>,
        expr: &'e Expr,
        rounds: Option<FunctionId>,
    ) -> Option<(u8, FunctionId, &'e [Arg])> {
        let expr = expr.resolve_name(facts.task());
        let ExprKind::Call(function, args) = &expr.kind else { return None };
        match args.as_slice() {
            [Arg::Value(inner)] if rounds == Some(*function) => find_rank(facts, inner, None),
            // No whole number is between a mean of whole numbers and the next one.
            [Arg::Value(inner)] if [FLOOR, CEIL].contains(function) => {
                let inner = find_rank(facts, inner, None).filter(|(_, _, args)| is_of_ints(facts, args));
                // Rounded, it is no longer the same value as without.
                inner.map(|(rank, _, args)| (rank, *function, args))
            }
            args @ [Arg::Column { .. }] => {
                let rank = match *function {
                    least if least == MIN => 0,
                    most if most == MAX => 2,
                    between if [AVG, MEDIAN, MODE, FIRST, LAST].contains(&between) => 1,
                    _ => return None,
                };
                Some((rank, *function, args))
            }
            _ => None,
        }
    }
    let (Some((low_rank, low_name, a)), Some((high_rank, high_name, b))) =
        (find_rank(facts, low, Some(FLOOR)), find_rank(facts, high, Some(CEIL)))
    else {
        return false;
    };
    let is_same = match (a, b) {
        (
            [Arg::Column { relation, column, filter: None }],
            [Arg::Column { relation: other, column: own, filter: None }],
        ) => relation == other && column == own,
        _ => false,
    };
    is_same && (low_rank < high_rank || low_name == high_name)
}

/// Whether an aggregate is one of a column of ints that doubles hold exactly.
fn is_of_ints(facts: &Facts<'_>, args: &[Arg]) -> bool {
    let [Arg::Column { relation, column, .. }] = args else { return false };
    let cells = facts.lookup_column(*relation, *column);
    cells.as_int_range().is_some() && is_within(&cells, MAX_ROUNDED)
}

/// Whether a number is between these ends.
fn is_between(fact: &Fact<'_>, least: f64, most: f64) -> bool {
    let ends = fact.range.as_ref().and_then(|(low, high)| low.as_f64().zip(high.as_f64()));
    ends.is_some_and(|(low, high)| low >= least && high <= most) && is_number(fact)
}

/// Whether the result is one of the values, which all have an order.
fn is_picked(function: FunctionId) -> bool {
    function.picks.is_some()
}

fn is_float(fact: &Fact<'_>) -> bool {
    matches!(fact.range, Some((Value::Float(_), Value::Float(_))))
}

/// The fact of a value; of a quotient of an int by another one that is never 0, at least how large it can be.
fn infer_quotient<'a>(facts: &Facts<'a>, value: &'a Expr, scope: Scope) -> Fact<'a> {
    let fact = facts.infer_expr(value, scope);
    if fact.range.is_some() {
        return fact;
    }
    match &value.kind {
        ExprKind::Binary(model::suite::Op::Div, sides) if sides.1.ty.kind == TyKind::Int => {
            let ends = facts.infer_expr(&sides.0, scope).range;
            let ends = ends.and_then(|(low, high)| Some((low.as_f64()?, high.as_f64()?)));
            ends.map_or(fact, |(low, high)| {
                let most = low.abs().max(high.abs());
                Fact::from_range(Value::Float(-most), Value::Float(most))
            })
        }
        _ => fact,
    }
}
