//! `count distinct_count sum avg min max median stdev mode first last list` over columns of relations, and over lists. Nulls are skipped.

use std::cmp::Ordering;

use plan::Value;

use super::args::Args;
use super::queries;
use super::totals::{Extreme, Sum, Total};
use crate::generate::eval::{Res, no_result};
use crate::generate::val::Val;

/// Calls `f` with each value that is not null, from the top.
fn each<'a>(args: Args<'a>, mut f: impl FnMut(Val<'a>) -> Res<()>) -> Res<()> {
    if let Some(rows) = args.rows(0)? {
        if !rows.has_values() {
            return args.misfit("a column");
        }
        return rows.each(args.eval, |row| match rows.value(args.eval, row)? {
            value if value.is_null() => Ok(()),
            value => f(value),
        });
    }
    match args.value(0)?.into_value() {
        Value::List(items) => items.into_iter().filter(|item| !item.is_null()).try_for_each(|item| f(Val::Own(item))),
        Value::Rows(set) => {
            set.rows.into_iter().flatten().filter(|item| !item.is_null()).try_for_each(|item| f(Val::Own(item)))
        }
        _ => args.misfit("a column or list"),
    }
}

fn values<'a>(args: Args<'a>) -> Res<Vec<Val<'a>>> {
    let mut all = Vec::new();
    each(args, |value| {
        all.push(value);
        Ok(())
    })?;
    Ok(all)
}

fn total<'a>(args: Args<'a>) -> Res<Total<'a>> {
    let mut total = Total::new(&args.call.function);
    each(args, |value| total.add(&value))?;
    Ok(total)
}

/// `count(rel)` rows, `count(rel.col)` values that are not null.
pub(super) fn count(args: Args<'_>) -> Res<Val<'_>> {
    let mut count = 0i64;
    match args.rows(0)? {
        Some(rows) if !rows.has_values() && rows.filter.is_none() => count = rows.table.rows as i64,
        Some(rows) if !rows.has_values() => rows.each(args.eval, |_| {
            count += 1;
            Ok(())
        })?,
        Some(_) => each(args, |_| {
            count += 1;
            Ok(())
        })?,
        None => match args.value(0)?.value() {
            Some(Value::Rows(set)) => count = set.rows.len() as i64,
            Some(Value::List(items)) => count = items.iter().filter(|item| !item.is_null()).count() as i64,
            _ => return args.misfit("a relation, column or list"),
        },
    }
    Ok(Val::int(count))
}

/// Ints stay ints, decimals exact; floats are added from the top.
pub(super) fn sum(args: Args<'_>) -> Res<Val<'_>> {
    total(args)?.sum()
}

/// The exact sum, divided once.
pub(super) fn avg(args: Args<'_>) -> Res<Val<'_>> {
    total(args)?.mean()
}

fn extreme(args: Args<'_>, wanted: Ordering) -> Res<Val<'_>> {
    let mut extreme = Extreme::new(wanted);
    each(args, |value| {
        extreme.add(value);
        Ok(())
    })?;
    Ok(extreme.value())
}

/// The least.
pub(super) fn min(args: Args<'_>) -> Res<Val<'_>> {
    extreme(args, Ordering::Less)
}

/// The greatest.
pub(super) fn max(args: Args<'_>) -> Res<Val<'_>> {
    extreme(args, Ordering::Greater)
}

fn sorted<'a>(args: Args<'a>) -> Res<Vec<Val<'a>>> {
    let mut all = values(args)?;
    all.sort_by(Val::order);
    Ok(all)
}

/// Always a float, whether one value is in the middle or two.
pub(super) fn median(args: Args<'_>) -> Res<Val<'_>> {
    let all = sorted(args)?;
    if all.is_empty() {
        return Ok(Val::NULL);
    }
    let middle = (&all[(all.len() - 1) / 2], &all[all.len() / 2]);
    let both = (middle.0.value(), middle.1.value());
    let sum = match both {
        (Some(Value::Int(a)), Some(Value::Int(b))) => Some(Sum::Int(i128::from(*a) + i128::from(*b))),
        (Some(a), Some(b)) => match (a.as_decimal(), b.as_decimal()) {
            (Some(a), Some(b)) => a.checked_add(b).map(Sum::Decimal),
            // Halves first: the sum of two doubles may be infinite.
            _ => a.as_f64().zip(b.as_f64()).map(|(a, b)| Sum::Float(if a == b { a * 2.0 } else { a + b })),
        },
        _ => None,
    };
    match sum.map(|sum| sum.mean(2)) {
        Some(mean) if mean.is_finite() => Ok(Val::Own(Value::Float(mean))),
        _ => no_result("`median` has no result for these values"),
    }
}

/// Of a sample (n − 1), in two passes over doubles.
pub(super) fn stdev(args: Args<'_>) -> Res<Val<'_>> {
    let (sum, count) = total(args)?.finite()?;
    if count < 2 {
        return Ok(Val::NULL);
    }
    let mean = sum.mean(count);
    let mut squares = 0.0;
    each(args, |value| {
        let off = value.value().and_then(Value::as_f64).unwrap_or(mean) - mean;
        squares += off * off;
        Ok(())
    })?;
    let result = libm::sqrt(squares / (count - 1) as f64);
    if result.is_finite() { Ok(Val::Own(Value::Float(result))) } else { no_result("`stdev` overflows") }
}

/// The commonest; of several as common, the least.
pub(super) fn mode(args: Args<'_>) -> Res<Val<'_>> {
    let all = sorted(args)?;
    let mut best: Option<(usize, usize)> = None;
    let mut start = 0;
    for at in 0..all.len() {
        if !all[at].same(&all[start]) {
            start = at;
        }
        let length = at - start + 1;
        if best.is_none_or(|(most, _)| length > most) {
            best = Some((length, start));
        }
    }
    Ok(best.and_then(|(_, at)| all.into_iter().nth(at)).unwrap_or(Val::NULL))
}

/// The first from the top that is not null.
pub(super) fn first(args: Args<'_>) -> Res<Val<'_>> {
    let mut found = Val::NULL;
    each(args, |value| {
        if found.is_null() {
            found = value;
        }
        Ok(())
    })?;
    Ok(found)
}

/// The first from the bottom that is not null.
pub(super) fn last(args: Args<'_>) -> Res<Val<'_>> {
    let mut found = Val::NULL;
    each(args, |value| {
        found = value;
        Ok(())
    })?;
    Ok(found)
}

/// How many different values there are; 2 and 2.0 are one.
pub(super) fn distinct_count(args: Args<'_>) -> Res<Val<'_>> {
    let all = sorted(args)?;
    let mut count = i64::from(!all.is_empty());
    for pair in all.windows(2) {
        count += i64::from(!pair[1].same(&pair[0]));
    }
    Ok(Val::int(count))
}

/// All that are not null; of a query, its one column.
pub(super) fn list(args: Args<'_>) -> Res<Val<'_>> {
    if args.sql().is_some() {
        return queries::list(args);
    }
    let mut items = Vec::new();
    each(args, |value| {
        items.push(value.into_value());
        Ok(())
    })?;
    Ok(Val::Own(Value::List(items)))
}
