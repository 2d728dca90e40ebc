//! Functions of values, computed for all combinations of the values of their arguments.

use model::Value;

use super::known::Known;
use crate::facts::Fact;

/// The maximum number of combinations of values that are computed one by one.
const MAX_COMBINATIONS: usize = 1001;

/// The fact of a function of values, computed for all combinations of them. `None` if there are too many, or if one has no result.
pub fn combine<'a>(args: &[&Known<'_>], call: impl Fn(&[Value]) -> Option<Value>) -> Option<Fact<'a>> {
    combine_few(args, MAX_COMBINATIONS, call)
}

/// Like [`combine`], for at most `most` combinations.
pub fn combine_few<'a>(args: &[&Known<'_>], most: usize, call: impl Fn(&[Value]) -> Option<Value>) -> Option<Fact<'a>> {
    let calls = args.iter().try_fold(1_usize, |calls, arg| {
        let values = arg.fact.closed.as_ref()?.len() + usize::from(arg.fact.nullable);
        calls.checked_mul(values).filter(|calls| *calls <= most)
    })?;
    let choices = args.iter().map(|arg| {
        let null = arg.fact.nullable.then_some(Value::Null);
        Some(arg.fact.closed.as_deref()?.iter().cloned().chain(null).collect())
    });
    let choices: Vec<Vec<Value>> = choices.collect::<Option<_>>()?;
    let results = (0..calls).map(|mut number| {
        let pick = |values: &Vec<Value>| {
            let at = number.checked_rem(values.len())?;
            number = number.checked_div(values.len())?;
            values.get(at).cloned()
        };
        call(&choices.iter().map(pick).collect::<Option<Vec<Value>>>()?)
    });
    let results: Vec<Value> = results.collect::<Option<_>>()?;
    Some(Fact::from_values(&results))
}
