//! The facts of calls on values: from the function's kernel applied to the possible arguments, or else from the declared results of the function. Otherwise the
//! result can be any value of its type.

use std::cmp::Ordering;

use model::functions::{self, Fold, FunctionId, Inputs, Keeps, Kernel, MAX, MAX_COUNT, MIN, QueryResult, Results};
use model::suite::Scope;
use model::{SharedList, Val, Value, ValueType, ops};

use super::fact::MAX_LISTED;
use super::lengths::Length;
use super::{Fact, Facts};
use crate::terms::{Known, measure_text};
use crate::texts::infer_texts;
use crate::types::Ty;
use crate::{Arg, ExprKind};

/// The maximum number of texts of a domain for which a function is computed one by one.
const MAX_DRAWN: usize = 10_000;

impl<'a> Facts<'a> {
    /// The fact of a call whose type `check` has determined.
    pub(super) fn infer_call(&self, function: FunctionId, args: &'a [Arg], ty: &Ty, scope: Scope) -> Fact<'a> {
        let known = match args {
            [Arg::Relation { relation, filter }, ..] => {
                self.infer_aggregate(function, (*relation, None, filter.as_ref()), ty, scope)
            }
            [Arg::Column { relation, column, filter }, ..] => {
                self.infer_aggregate(function, (*relation, Some(*column), filter.as_ref()), ty, scope)
            }
            [Arg::Each { relation, value, .. }] if function.results == Results::Sum => {
                self.infer_each_sum((*relation, value), ty, scope)
            }
            [.., Arg::Sql(sql)] if function.query == Some(QueryResult::Value) => {
                let whole = sql.analysis.whole;
                let whole = whole.and_then(|whole| {
                    self.infer_aggregate(whole.function, (whole.relation, whole.column, None), ty, scope)
                });
                whole.or_else(|| self.infer_query_value(sql, scope))
            }
            _ => return self.infer_value_call(function, args, ty, scope),
        };
        known.unwrap_or_else(|| Fact::not_null().with_null_if(ty.nullable || ty.is_unknown()))
    }

    /// The fact of a call without relations and queries. If an argument is a file, only the results that hold for every call are known.
    fn infer_value_call(&self, function: FunctionId, args: &'a [Arg], ty: &Ty, scope: Scope) -> Fact<'a> {
        let value = |arg: &'a Arg| match arg {
            Arg::Value(value) => Some(self.infer_expr(value, scope)),
            _ => None,
        };
        if function == functions::LEN
            && let [Arg::Value(list)] = args
            && let Some(Length { bounds, .. }) = self.infer_length(list, scope)
        {
            let int = |count: u64| Value::Int(i64::try_from(count).unwrap_or(i64::MAX));
            return Fact::from_range(int(bounds.least), int(bounds.most));
        }
        let facts: Vec<Fact<'a>> = args.iter().map(value).collect::<Option<_>>().unwrap_or_default();
        let nullable = ty.nullable || ty.is_unknown() || facts.iter().any(|fact| fact.nullable);
        let known = match function.kernel {
            Kernel::Reads(_) | Kernel::Path(..) => self
                .infer_counted(function, args)
                .or_else(|| self.infer_path_value(function, args, ty).filter(|_| self.is_learning())),
            Kernel::FirstKnown => infer_first_known(&facts),
            Kernel::Values(_) if function.name == functions::LEN.name && has_listless_texts(&facts) => {
                infer_length(&facts)
            }
            Kernel::Values(kernel) if (function.folded || are_small(&facts)) && !facts.is_empty() => {
                let kernel =
                    |values: Vec<Val<'_>>| kernel(Inputs { function: function.name, values }).ok().map(Val::into_value);
                evaluate_combinations(&facts, kernel).or_else(|| {
                    let (low, high) = match args {
                        [Arg::Value(text)] if function == functions::TO_INT => {
                            let (low, high) = infer_texts(self, text, scope)?.find_number_range()?;
                            (Value::Int(low), Value::Int(high))
                        }
                        _ => evaluate_range_ends(function.keeps, &facts, kernel)?,
                    };
                    Some(Fact::from_range(low, high).with_null_if(nullable))
                })
            }
            Kernel::Fold(kernel) => {
                let of_items = || match args {
                    [Arg::Value(list)] => self.infer_list_aggregate(function, list, scope),
                    _ => None,
                };
                infer_list_fold(function, kernel, &facts)
                    .or_else(|| self.infer_end_of_items(function, args, scope))
                    .or_else(of_items)
            }
            _ => None,
        };
        let known = known.or_else(|| self.infer_text_call(function, args, scope));
        known.unwrap_or_else(|| match function.results {
            Results::Within(low, high) => Fact::from_range(Value::Int(low), Value::Int(high)).with_null_if(nullable),
            Results::Count | Results::Distinct => Fact::from_range(Value::Int(0), Value::Int(MAX_COUNT)),
            Results::Rest => find_max_remainder(function, &facts)
                .map_or_else(Fact::not_null, |most| Fact::from_range(Value::Int(0), Value::Int(most)))
                .with_null_if(nullable),
            _ => Fact::not_null().with_null_if(nullable),
        })
    }

    /// The largest or the smallest item of a list that is written out.
    fn infer_end_of_items(&self, function: FunctionId, args: &'a [Arg], scope: Scope) -> Option<Fact<'a>> {
        let [Arg::Value(list)] = args else { return None };
        let ExprKind::List(items) = &list.kind else { return None };
        let wanted = match function.name {
            name if name == MAX.name => Ordering::Greater,
            name if name == MIN.name => Ordering::Less,
            _ => return None,
        };
        let pick = |a: Value, b: Value| Some(if b.compare_with(&a)? == wanted { b } else { a });
        let mut all: Option<(Value, Value)> = None;
        for item in items {
            let fact = self.infer_expr(item, scope);
            let (low, high) = fact.range.filter(|_| !fact.nullable)?;
            all = Some(match all {
                None => (low, high),
                Some((least, most)) => (pick(least, low)?, pick(most, high)?),
            });
        }
        all.map(|(low, high)| Fact::from_range(low, high))
    }
}

/// Whether the arguments are short texts and small ints: no result is large, or shows how a number was written.
fn are_small(facts: &[Fact<'_>]) -> bool {
    const MAX_SIZE: usize = 100;
    let small = |value: &Value| match value {
        Value::Text(text) => text.len() <= MAX_SIZE,
        Value::Int(int) => usize::try_from(*int).is_ok_and(|int| int <= MAX_SIZE),
        _ => false,
    };
    facts
        .iter()
        .all(|fact| fact.closed.as_ref().is_some_and(|values| values.len() <= MAX_SIZE && values.iter().all(small)))
}

/// Whether the only argument is a text of a domain with too many values to list.
fn has_listless_texts(facts: &[Fact<'_>]) -> bool {
    matches!(facts, [Fact { closed: None, domain: Some(domain), .. }] if domain.value_type() == ValueType::Text)
}

/// The length of such a text.
fn infer_length<'a>(facts: &[Fact<'a>]) -> Option<Fact<'a>> {
    let [fact] = facts else { return None };
    let known = Known::from_stored(fact, ValueType::Text)?;
    Some(measure_text(&known).with_null_if(fact.nullable))
}

/// The fact of the first non-null argument.
fn infer_first_known<'a>(facts: &[Fact<'a>]) -> Option<Fact<'a>> {
    let mut all: Option<Fact<'a>> = None;
    for fact in facts {
        all = Some(match all {
            None => fact.clone(),
            Some(before) => Fact { nullable: fact.nullable, ..before.join_fact(fact) },
        });
        if !fact.nullable {
            break;
        }
    }
    all
}

/// The results of a kernel for all combinations of the argument values, if there are at most [`MAX_LISTED`] + 1 of them. Calls without a result fail the build,
/// so they contribute nothing.
fn evaluate_combinations<'a>(facts: &[Fact<'_>], kernel: impl Fn(Vec<Val<'_>>) -> Option<Value>) -> Option<Fact<'a>> {
    let listed: Vec<SharedList<Value>> = facts.iter().map(list_choices).collect::<Option<_>>()?;
    let choices = listed.iter().zip(facts).map(|(values, fact)| {
        let null = fact.nullable.then_some(&Value::Null);
        values.iter().chain(null).collect()
    });
    let choices: Vec<Vec<&Value>> = choices.collect();
    let calls = choices.iter().try_fold(1usize, |calls, values| calls.checked_mul(values.len()))?;
    // Enough for all listed values of one argument, and null.
    let most = if facts.iter().any(|fact| fact.closed.is_none()) { MAX_DRAWN } else { MAX_LISTED };
    if calls > most + 1 {
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

/// The values of an argument: those that are listed, or else all texts of a domain.
fn list_choices(fact: &Fact<'_>) -> Option<SharedList<Value>> {
    fact.closed.clone().or_else(|| {
        let domain = fact.domain.filter(|domain| domain.value_type() == ValueType::Text)?;
        domain.list_values().filter(|_| domain.cardinality().is_some_and(|size| size <= MAX_DRAWN as u128))
    })
}

/// The smallest and the largest result of a kernel, if each argument has a single value or the kernel is monotonic in it.
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
            (Some(Keeps::RisingWithin(period)), Some((low, high)), _) if period.has_both(low, high) => {
                (low.clone(), high.clone())
            }
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

/// The numbers of a range that are nearest to 0 and farthest from 0.
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

/// The fact of an aggregate over the possible lists of its argument.
fn infer_list_fold<'a>(function: FunctionId, kernel: Fold, facts: &[Fact<'_>]) -> Option<Fact<'a>> {
    let [Fact { closed: Some(lists), .. }] = facts else { return None };
    let items: Vec<&[Value]> = lists.iter().map(Value::as_list).collect::<Option<_>>()?;
    Some(Fact::from_values(items.into_iter().filter_map(|items| fold_values(function, kernel, items))))
}

/// The result of an aggregate over these values without nulls; `None` if it has no result.
pub(super) fn fold_values(function: FunctionId, kernel: Fold, values: &[Value]) -> Option<Value> {
    let mut known = values.iter().filter(|value| !value.is_null()).map(Val::Ref);
    kernel(function.name, &mut known).ok().map(Val::into_value)
}

/// The largest remainder for a divisor above 0.
fn find_max_remainder(function: FunctionId, facts: &[Fact<'_>]) -> Option<i64> {
    match &facts.get(function.divisor?)?.range {
        Some((Value::Int(1..), Value::Int(high))) => Some(high - 1),
        _ => None,
    }
}
