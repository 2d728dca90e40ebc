//! The facts of calls that look at values. What no rule covers can be anything of its type.

use plan::suite::Op;
use plan::{DateTime, Decimal, Value};

use super::fact::Keeps;
use super::{Fact, Facts, Scope, interval};
use crate::hir::{Arg, Expr};
use crate::types::Ty;

impl<'a> Facts<'a> {
    /// The fact of a call, whose type `check` has found.
    pub(super) fn call(&self, function: &str, args: &'a [Arg], ty: &Ty, scope: Scope) -> Fact<'a> {
        let fact = self.known_call(function, args, ty, scope);
        fact.unwrap_or_else(|| Fact::any(ty.nullable || ty.is_unknown()))
    }

    fn known_call(&self, function: &str, args: &'a [Arg], ty: &Ty, scope: Scope) -> Option<Fact<'a>> {
        match args {
            [Arg::Relation { relation, filter }, ..] => {
                return self.of_rows(function, (*relation, None, filter.as_ref()), ty, scope);
            }
            [Arg::Column { relation, column, filter }, ..] => {
                return self.of_rows(function, (*relation, Some(*column), filter.as_ref()), ty, scope);
            }
            [.., Arg::Sql(sql)] if matches!(function, "value" | "sqlite_query") => {
                let whole = sql.analysis.whole?;
                return self.of_rows(whole.function, (whole.relation, whole.column, None), ty, scope);
            }
            _ => {}
        }
        let arg = |at: usize| match args.get(at) {
            Some(Arg::Value(value)) => Some(self.of(value, scope)),
            _ => None,
        };
        let first = arg(0);
        Some(match function {
            "round" => {
                let places = places(args.get(1))?;
                first?.map(Keeps::Rising, |value| rounded(value, places))
            }
            "floor" => first?.map(Keeps::Rising, |value| whole(value, false)),
            "ceil" => first?.map(Keeps::Rising, |value| whole(value, true)),
            "abs" => absolute(&first?),
            "mod" => modulo(&first?, &arg(1)?),
            "least" | "greatest" => extreme(function == "least", &first?, &arg(1)?),
            "coalesce" => self.first_known(args, scope)?,
            "len" => {
                let fact = first?;
                let len = |value: &Value| match value {
                    Value::Text(text) => i64::try_from(text.chars().count()).ok().map(Value::Int),
                    Value::List(items) => i64::try_from(items.len()).ok().map(Value::Int),
                    _ => None,
                };
                match &fact.closed {
                    Some(closed) if closed.iter().all(|value| len(value).is_some()) => fact.map(Keeps::Nothing, len),
                    _ => Fact::between(Value::Int(0), Value::Int(i64::MAX), fact.nullable),
                }
            }
            "year" => first?.map(Keeps::Rising, |value| part(value, |at| at.date().parts().0.into())),
            "month" => first?.within(1, 12, |value| part(value, |at| at.date().parts().1.into())),
            "day" => first?.within(1, 31, |value| part(value, |at| at.date().parts().2.into())),
            "weekday" => first?.within(1, 7, |value| part(value, |at| at.date().weekday().into())),
            "hour" => first?.within(0, 23, |value| part(value, |at| at.time().0.into())),
            "minute" => first?.within(0, 59, |value| part(value, |at| at.time().1.into())),
            "second" => first?.within(0, 59, |value| part(value, |at| at.time().2.into())),
            "date" => first?.map(Keeps::Rising, |value| match value {
                Value::DateTime(at) => Some(Value::Date(at.date())),
                _ => None,
            }),
            "days_between" => interval::arithmetic(Op::Sub, &arg(1)?, &first?),
            "contains" | "starts_with" | "ends_with" => {
                let (whole, part) = (first?, arg(1)?);
                let nullable = whole.nullable || part.nullable || ty.nullable;
                let Some(Value::Text(part)) = part.single() else { return Some(Fact::any(nullable)) };
                let known = whole.map(Keeps::Nothing, |value| match (value, function) {
                    (Value::Text(text), "contains") => Some(Value::Bool(text.contains(part.as_str()))),
                    (Value::Text(text), "starts_with") => Some(Value::Bool(text.starts_with(part.as_str()))),
                    (Value::Text(text), _) => Some(Value::Bool(text.ends_with(part.as_str()))),
                    _ => None,
                });
                known.or_null(nullable)
            }
            "count" | "distinct_count" | "file_line_count" | "file_word_count" | "json_count" | "json_count_where"
            | "yaml_count" | "yaml_count_where" | "xpath_count" => {
                Fact::between(Value::Int(0), Value::Int(i64::MAX), false)
            }
            _ => return None,
        })
    }

    /// `coalesce(x, y, …)`
    fn first_known(&self, args: &'a [Arg], scope: Scope) -> Option<Fact<'a>> {
        let mut all: Option<Fact<'a>> = None;
        for arg in args {
            let Arg::Value(value) = arg else { return None };
            let fact = self.of(value, scope);
            let last = !fact.nullable;
            all = Some(match all {
                None => fact,
                Some(before) => {
                    let nullable = fact.nullable;
                    Fact { nullable, ..before.or(&fact) }
                }
            });
            if last {
                break;
            }
        }
        all
    }
}

impl<'a> Fact<'a> {
    /// What a function makes of it whose results lie from `low` to `high`.
    fn within(&self, low: i64, high: i64, f: impl Fn(&Value) -> Option<Value>) -> Fact<'a> {
        match &self.closed {
            Some(_) => self.map(Keeps::Nothing, f),
            None => Fact::between(Value::Int(low), Value::Int(high), self.nullable),
        }
    }
}

/// The number of places, where it is written out.
fn places(arg: Option<&Arg>) -> Option<u8> {
    match arg {
        Some(Arg::Value(Expr { kind: crate::hir::ExprKind::Const(Value::Int(places)), .. })) => {
            u8::try_from(*places).ok()
        }
        _ => None,
    }
}

fn rounded(value: &Value, places: u8) -> Option<Value> {
    let result = match value {
        Value::Float(value) => Decimal::from_f64(*value, places),
        other => other.as_decimal()?.round(places),
    };
    result.map(Value::Decimal)
}

/// The int next below (`up`: above).
fn whole(value: &Value, up: bool) -> Option<Value> {
    let value = match value {
        Value::Int(value) => Some(*value),
        Value::Decimal(value) => {
            let below = value.units().div_euclid(10i128.checked_pow(u32::from(value.places()))?);
            i64::try_from(if up && !value.is_whole() { below.checked_add(1)? } else { below }).ok()
        }
        Value::Float(value) => {
            let whole = if up { value.ceil() } else { value.floor() };
            (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&whole).then_some(whole as i64)
        }
        _ => None,
    };
    value.map(Value::Int)
}

fn absolute<'a>(fact: &Fact<'a>) -> Fact<'a> {
    let positive = |value: &Value| {
        let below = value.compare(&Value::Int(0))?.is_lt();
        if below { plan::ops::negate(value).ok() } else { Some(value.clone()) }
    };
    let side = |value: &Value| value.compare(&Value::Int(0));
    match (&fact.closed, &fact.range) {
        (None, Some((low, high))) => match (side(low), side(high)) {
            (Some(at), _) if at.is_ge() => fact.map(Keeps::Rising, positive),
            (_, Some(at)) if at.is_le() => fact.map(Keeps::Falling, positive),
            // Both signs: from 0 to the end that is farther off.
            _ => match (positive(low), positive(high)) {
                (Some(a), Some(b)) => {
                    let far = if a.compare(&b).is_some_and(std::cmp::Ordering::is_gt) { a } else { b };
                    Fact::between(Value::Int(0), far, fact.nullable)
                }
                _ => Fact::any(fact.nullable),
            },
        },
        _ => fact.map(Keeps::Nothing, positive),
    }
}

/// The rest has the sign of the divisor and is less than it.
fn modulo<'a>(a: &Fact<'_>, b: &Fact<'_>) -> Fact<'a> {
    let nullable = a.nullable || b.nullable;
    if let (Some(values), Some(Value::Int(by))) = (&a.closed, b.closed.as_deref().and_then(|by| by.first()))
        && b.closed.as_ref().is_some_and(|by| by.len() == 1)
        && *by != 0
    {
        let rests = values.iter().filter_map(|value| match value {
            Value::Int(value) => {
                let rest = value.checked_rem(*by).unwrap_or(0);
                Some(Value::Int(if rest != 0 && (rest < 0) != (*by < 0) { rest + by } else { rest }))
            }
            _ => None,
        });
        return Fact::of_values(rests).or_null(nullable);
    }
    match &b.range {
        Some((Value::Int(low), Value::Int(high))) if *low > 0 => {
            Fact::between(Value::Int(0), Value::Int(high - 1), nullable)
        }
        _ => Fact::any(nullable),
    }
}

/// `least(a, b)`, `greatest(a, b)`
fn extreme<'a>(least: bool, a: &Fact<'_>, b: &Fact<'_>) -> Fact<'a> {
    let nullable = a.nullable || b.nullable;
    let (Some((a_low, a_high)), Some((b_low, b_high))) = (&a.range, &b.range) else { return Fact::any(nullable) };
    let pick = |x: &Value, y: &Value| {
        let below = x.compare(y)?.is_lt();
        Some(if below == least { x.clone() } else { y.clone() })
    };
    match (pick(a_low, b_low), pick(a_high, b_high)) {
        (Some(low), Some(high)) => Fact::between(low, high, nullable),
        _ => Fact::any(nullable),
    }
}

/// A part of a day or moment.
fn part(value: &Value, of: fn(DateTime) -> i64) -> Option<Value> {
    match value {
        Value::Date(day) => DateTime::new(*day, 0, 0, 0).map(|at| Value::Int(of(at))),
        Value::DateTime(at) => Some(Value::Int(of(*at))),
        _ => None,
    }
}
