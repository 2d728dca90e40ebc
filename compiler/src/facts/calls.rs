//! The facts of calls that look at values: the function's kernel on what its arguments can be, and what its record says of its results.
//! What neither covers can be anything of its type.

use model::functions::{Fold, FunctionId, Inputs, Keeps, Kernel, QueryResult, Results};
use model::suite::Scope;
use model::{Val, Value, ops};

use super::fact::MAX_LISTED;
use super::{Fact, Facts};
use crate::hir::Arg;
use crate::types::Ty;

impl<'a> Facts<'a> {
    /// The fact of a call, whose type `check` has found.
    pub(super) fn infer_call(&self, function: FunctionId, args: &'a [Arg], ty: &Ty, scope: Scope) -> Fact<'a> {
        let known = match args {
            [Arg::Relation { relation, filter }, ..] => {
                self.infer_aggregate(function, (*relation, None, filter.as_ref()), ty, scope)
            }
            [Arg::Column { relation, column, filter }, ..] => {
                self.infer_aggregate(function, (*relation, Some(*column), filter.as_ref()), ty, scope)
            }
            [.., Arg::Sql(sql)] if function.query == Some(QueryResult::Value) => {
                let whole = sql.analysis.whole;
                whole.and_then(|whole| {
                    self.infer_aggregate(whole.function, (whole.relation, whole.column, None), ty, scope)
                })
            }
            _ => return self.infer_value_call(function, args, ty, scope),
        };
        known.unwrap_or_else(|| Fact::any(ty.nullable || ty.is_unknown()))
    }

    /// The fact of a call with values alone; with a file among them, only what holds for each call of the function.
    fn infer_value_call(&self, function: FunctionId, args: &'a [Arg], ty: &Ty, scope: Scope) -> Fact<'a> {
        let value = |arg: &'a Arg| match arg {
            Arg::Value(value) => Some(self.infer_expr(value, scope)),
            _ => None,
        };
        let facts: Vec<Fact<'a>> = args.iter().map(value).collect::<Option<_>>().unwrap_or_default();
        let nullable = ty.nullable || ty.is_unknown() || facts.iter().any(|fact| fact.nullable);
        let known = match function.kernel {
            Kernel::FirstKnown => infer_first_known(&facts),
            Kernel::Values(kernel) if function.folded && !facts.is_empty() => {
                let kernel = |values: Vec<Val<'_>>| kernel(Inputs { function, values }).ok().map(Val::into_value);
                evaluate_combinations(&facts, kernel).or_else(|| {
                    let (low, high) = evaluate_range_ends(function.keeps, &facts, kernel)?;
                    Some(Fact::from_range(low, high, nullable))
                })
            }
            Kernel::Fold(kernel) => infer_list_fold(function, kernel, &facts),
            _ => None,
        };
        known.unwrap_or_else(|| match function.results {
            Results::Within(low, high) => Fact::from_range(Value::Int(low), Value::Int(high), nullable),
            Results::Count | Results::Distinct => Fact::from_range(Value::Int(0), Value::Int(i64::MAX), false),
            Results::Rest => find_max_remainder(function, &facts).map_or_else(
                || Fact::any(nullable),
                |most| Fact::from_range(Value::Int(0), Value::Int(most), nullable),
            ),
            _ => Fact::any(nullable),
        })
    }
}

/// The first argument that is not null.
fn infer_first_known<'a>(facts: &[Fact<'a>]) -> Option<Fact<'a>> {
    let mut all: Option<Fact<'a>> = None;
    for fact in facts {
        all = Some(match all {
            None => fact.clone(),
            Some(before) => Fact { nullable: fact.nullable, ..before.join(fact) },
        });
        if !fact.nullable {
            break;
        }
    }
    all
}

/// The results of a kernel for all combinations of the arguments' values, if there are few enough (at most
/// [`MAX_LISTED`] + 1). Calls without a result fail the build, so they contribute nothing.
fn evaluate_combinations<'a>(facts: &[Fact<'_>], kernel: impl Fn(Vec<Val<'_>>) -> Option<Value>) -> Option<Fact<'a>> {
    let choices = facts.iter().map(|fact| {
        let null = fact.nullable.then_some(&Value::Null);
        Some(fact.closed.as_deref()?.iter().chain(null).collect())
    });
    let choices: Vec<Vec<&Value>> = choices.collect::<Option<_>>()?;
    let calls = choices.iter().try_fold(1usize, |calls, values| calls.checked_mul(values.len()))?;
    // All that is listed of one argument, and null.
    if calls > MAX_LISTED + 1 {
        return None;
    }
    let results = (0..calls).filter_map(|mut call| {
        let value = |values: &Vec<&'_ Value>| {
            let at = call % values.len();
            call /= values.len();
            values.get(at).map(|value| (*value).clone())
        };
        let values: Option<Vec<Value>> = choices.iter().map(value).collect();
        kernel(values?.into_iter().map(Val::Own).collect())
    });
    Some(Fact::from_values(results))
}

/// The least and the greatest result of a kernel, where each argument is one value or keeps an order.
fn evaluate_range_ends(
    keeps: &[Keeps],
    facts: &[Fact<'_>],
    kernel: impl Fn(Vec<Val<'_>>) -> Option<Value>,
) -> Option<(Value, Value)> {
    let (mut low, mut high) = (Vec::new(), Vec::new());
    for (at, fact) in facts.iter().enumerate() {
        let (least, greatest) = match (keeps.get(at), &fact.range, fact.closed.as_deref()) {
            (Some(Keeps::Rising), Some((low, high)), _) => (low.clone(), high.clone()),
            (Some(Keeps::Falling), Some((low, high)), _) => (high.clone(), low.clone()),
            (Some(Keeps::Distance), Some(range), _) => find_nearest_and_farthest(range)?,
            (_, _, Some([only])) => (only.clone(), only.clone()),
            _ => return None,
        };
        low.push(Val::Own(least));
        high.push(Val::Own(greatest));
    }
    let (low, high) = (kernel(low)?, kernel(high)?);
    (!low.is_null() && !high.is_null()).then_some((low, high))
}

/// The number of a range that is nearest to 0, and the one that is farthest from it.
fn find_nearest_and_farthest((low, high): &(Value, Value)) -> Option<(Value, Value)> {
    let zero = Value::Int(0);
    if low.compare_with(&zero)?.is_ge() {
        return Some((low.clone(), high.clone()));
    }
    if high.compare_with(&zero)?.is_le() {
        return Some((high.clone(), low.clone()));
    }
    let below = ops::apply_neg(low).ok()?.compare_with(high)?.is_gt();
    Some((zero, if below { low.clone() } else { high.clone() }))
}

/// What an aggregate gives for the lists that its argument can be.
fn infer_list_fold<'a>(function: FunctionId, kernel: Fold, facts: &[Fact<'_>]) -> Option<Fact<'a>> {
    let [Fact { closed: Some(lists), .. }] = facts else { return None };
    let items = lists.iter().map(|list| match list {
        Value::List(items) => Some(items.as_slice()),
        _ => None,
    });
    let items: Vec<&[Value]> = items.collect::<Option<_>>()?;
    Some(Fact::from_values(items.into_iter().filter_map(|items| fold_values(function, kernel, items))))
}

/// What an aggregate gives for these values; `None`: it has no result.
pub(super) fn fold_values(function: FunctionId, kernel: Fold, values: &[Value]) -> Option<Value> {
    let mut known = values.iter().filter(|value| !value.is_null()).map(Val::Ref);
    kernel(function, &mut known).ok().map(Val::into_value)
}

/// The greatest rest that a divisor above 0 leaves.
fn find_max_remainder(function: FunctionId, facts: &[Fact<'_>]) -> Option<i64> {
    match &facts.get(function.divisor?)?.range {
        Some((Value::Int(1..), Value::Int(high))) => Some(high - 1),
        _ => None,
    }
}
