//! `year month day weekday hour minute second date days_between` of days and moments.

use plan::{Date, DateTime, Value};

use super::args::Args;
use crate::generate::eval::Res;
use crate::generate::val::Val;

fn of_day(args: Args<'_>, part: fn(Date) -> i64) -> Res<Val<'_>> {
    let value = args.value(0)?;
    match value.value() {
        Some(Value::Null) => Ok(Val::NULL),
        Some(Value::Date(day)) => Ok(Val::int(part(*day))),
        Some(Value::DateTime(at)) => Ok(Val::int(part(at.date()))),
        _ => args.misfit("a day or moment"),
    }
}

/// `year(day)`
pub(super) fn year(args: Args<'_>) -> Res<Val<'_>> {
    of_day(args, |day| day.parts().0.into())
}

/// `month(day)`: 1 to 12.
pub(super) fn month(args: Args<'_>) -> Res<Val<'_>> {
    of_day(args, |day| day.parts().1.into())
}

/// `weekday(day)`: Monday 1 to Sunday 7.
pub(super) fn weekday(args: Args<'_>) -> Res<Val<'_>> {
    of_day(args, |day| day.weekday().into())
}

/// `day(day)`: of the month, 1 to 31.
pub(super) fn day(args: Args<'_>) -> Res<Val<'_>> {
    of_day(args, |day| day.parts().2.into())
}

fn of_moment(args: Args<'_>, part: fn(DateTime) -> Value) -> Res<Val<'_>> {
    match args.value(0)?.value() {
        Some(Value::Null) => Ok(Val::NULL),
        Some(Value::DateTime(at)) => Ok(Val::Own(part(*at))),
        _ => args.misfit("a moment"),
    }
}

/// `hour(moment)`: 0 to 23.
pub(super) fn hour(args: Args<'_>) -> Res<Val<'_>> {
    of_moment(args, |at| Value::Int(at.time().0.into()))
}

/// `minute(moment)`: 0 to 59.
pub(super) fn minute(args: Args<'_>) -> Res<Val<'_>> {
    of_moment(args, |at| Value::Int(at.time().1.into()))
}

/// `second(moment)`: 0 to 59.
pub(super) fn second(args: Args<'_>) -> Res<Val<'_>> {
    of_moment(args, |at| Value::Int(at.time().2.into()))
}

/// `date(moment)`: its day.
pub(super) fn date(args: Args<'_>) -> Res<Val<'_>> {
    of_moment(args, |at| Value::Date(at.date()))
}

/// `days_between(a, b)`: from `a` on to `b`.
pub(super) fn days_between(args: Args<'_>) -> Res<Val<'_>> {
    match (args.value(0)?.value(), args.value(1)?.value()) {
        (Some(Value::Null), _) | (_, Some(Value::Null)) => Ok(Val::NULL),
        (Some(Value::Date(a)), Some(Value::Date(b))) => Ok(Val::int(i64::from(b.0) - i64::from(a.0))),
        _ => args.misfit("two days"),
    }
}
