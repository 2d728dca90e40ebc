//! `count distinct_count sum avg min max median stdev mode first last list` over columns of relations, and over lists. Nulls are skipped.

use std::cmp::Ordering;

use plan::{Decimal, Value};

use super::args::Args;
use super::queries;
use crate::generate::eval::{Res, no_result, said};
use crate::generate::val::Val;

/// Calls `f` with each value that is not null, from the top.
fn each<'a>(args: Args<'a>, mut f: impl FnMut(Val<'a>) -> Res<()>) -> Res<()> {
    if let Some(rows) = args.rows(0)? {
        if rows.column.is_none() {
            return args.misfit("a column");
        }
        return rows.each(args.eval, |row| match rows.get(row) {
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

/// A sum that stays exact as long as no float comes.
enum Sum {
    Int(i128),
    Decimal(Decimal),
    Float(f64),
}

fn total<'a>(args: Args<'a>) -> Res<(Sum, u64)> {
    let (mut sum, mut count) = (Sum::Int(0), 0u64);
    let too_large = || format!("the sum in `{}` overflows", args.call.function);
    each(args, |value| {
        count += 1;
        sum = match (&sum, value.value()) {
            // No column is so long that 64-bit numbers overflow 128 bits.
            (Sum::Int(sum), Some(Value::Int(value))) => Sum::Int(sum + i128::from(*value)),
            (Sum::Int(sum), Some(Value::Decimal(value))) => {
                match Decimal::new(*sum, 0).and_then(|sum| sum.checked_add(*value)) {
                    Some(sum) => Sum::Decimal(sum),
                    None => return no_result(too_large()),
                }
            }
            (Sum::Decimal(sum), Some(Value::Int(_) | Value::Decimal(_))) => {
                match value.value().and_then(Value::as_decimal).and_then(|value| sum.checked_add(value)) {
                    Some(sum) => Sum::Decimal(sum),
                    None => return no_result(too_large()),
                }
            }
            (sum, Some(other)) => match other.as_f64() {
                Some(value) => Sum::Float(sum.to_f64() + value),
                None => return no_result(format!("`{}` cannot add {}", args.call.function, said(&Val::Ref(other)))),
            },
            (_, None) => return no_result(format!("`{}` cannot add a text", args.call.function)),
        };
        Ok(())
    })?;
    match sum {
        Sum::Float(sum) if !sum.is_finite() => no_result(too_large()),
        sum => Ok((sum, count)),
    }
}

impl Sum {
    fn to_f64(&self) -> f64 {
        match self {
            Sum::Int(sum) => *sum as f64,
            Sum::Decimal(sum) => sum.to_f64(),
            Sum::Float(sum) => *sum,
        }
    }

    /// Divided once: where both sides are exact as doubles, the nearest double to the true mean.
    fn mean(&self, count: u64) -> f64 {
        match self {
            Sum::Decimal(sum) => {
                let by = 10i128.pow(u32::from(sum.places())) * i128::from(count);
                quotient(sum.units(), by.unsigned_abs())
            }
            Sum::Int(sum) => quotient(*sum, u128::from(count)),
            sum => sum.to_f64() / count as f64,
        }
    }
}

/// The double nearest to `a / b`, `b` not 0 and below 10³⁷.
fn quotient(a: i128, b: u128) -> f64 {
    const EXACT: u128 = 1 << 53;
    let magnitude = a.unsigned_abs();
    if magnitude <= EXACT && b <= EXACT {
        return a as f64 / b as f64; // both exact, one rounding
    }
    // Written out in decimal, far beyond where a quotient of such numbers can still lie between two doubles; the parser rounds correctly.
    const DIGITS: usize = 140;
    let mut text = format!("{}{}.", if a < 0 { "-" } else { "" }, magnitude / b);
    let mut rest = magnitude % b;
    for _ in 0..DIGITS {
        if rest == 0 {
            break;
        }
        rest *= 10;
        text.push(char::from(b'0' + (rest / b) as u8));
        rest %= b;
    }
    text.push(if rest == 0 { '0' } else { '1' });
    text.parse().unwrap_or(f64::NAN)
}

/// `count(rel)` rows, `count(rel.col)` values that are not null.
pub(super) fn count(args: Args<'_>) -> Res<Val<'_>> {
    let mut count = 0i64;
    match args.rows(0)? {
        Some(rows) if rows.column.is_none() && rows.filter.is_none() => count = rows.table.rows as i64,
        Some(rows) if rows.column.is_none() => rows.each(args.eval, |_| {
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
    match total(args)? {
        (_, 0) => Ok(Val::NULL),
        (Sum::Int(sum), _) => match i64::try_from(sum) {
            Ok(sum) => Ok(Val::int(sum)),
            Err(_) => no_result(format!("the sum {sum} overflows the 64 bits of an int")),
        },
        (Sum::Decimal(sum), _) => Ok(Val::Own(Value::Decimal(sum))),
        (Sum::Float(sum), _) => Ok(Val::Own(Value::Float(sum))),
    }
}

/// The exact sum, divided once.
pub(super) fn avg(args: Args<'_>) -> Res<Val<'_>> {
    match total(args)? {
        (_, 0) => Ok(Val::NULL),
        (sum, count) => Ok(Val::Own(Value::Float(sum.mean(count)))),
    }
}

fn extreme(args: Args<'_>, wanted: Ordering) -> Res<Val<'_>> {
    let mut best: Option<Val<'_>> = None;
    each(args, |value| {
        if best.as_ref().is_none_or(|best| value.compare(best) == Some(wanted)) {
            best = Some(value);
        }
        Ok(())
    })?;
    Ok(best.unwrap_or(Val::NULL))
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
    let (sum, count) = total(args)?;
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
