//! `year month weekday` of days and moments.

use plan::{Date, Value};

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
