//! Functions of days and moments.

use super::Inputs;
use super::record::{Keeps, Made, Record, Results, values};
use crate::val::Val;
use crate::{Date, DateTime, Value};

functions! {
    DATE = Record { keeps: &[Keeps::Rising], ..values("date", |inputs| of_moment(&inputs, |at| Value::Date(at.date()))) };
    DAY = Record { results: Results::Within(1, 31), ..values("day", |inputs| of_day(&inputs, |day| day.parts().2.into())) };
    DAYS_BETWEEN = Record { keeps: &[Keeps::Falling, Keeps::Rising], ..values("days_between", days_between) };
    HOUR = Record {
        results: Results::Within(0, 23),
        ..values("hour", |inputs| of_moment(&inputs, |at| Value::Int(at.time().0.into())))
    };
    MINUTE = Record {
        results: Results::Within(0, 59),
        ..values("minute", |inputs| of_moment(&inputs, |at| Value::Int(at.time().1.into())))
    };
    MONTH = Record {
        results: Results::Within(1, 12),
        ..values("month", |inputs| of_day(&inputs, |day| day.parts().1.into()))
    };
    SECOND = Record {
        results: Results::Within(0, 59),
        ..values("second", |inputs| of_moment(&inputs, |at| Value::Int(at.time().2.into())))
    };
    WEEKDAY = Record {
        results: Results::Within(1, 7),
        ..values("weekday", |inputs| of_day(&inputs, |day| day.weekday().into()))
    };
    YEAR = Record { keeps: &[Keeps::Rising], ..values("year", |inputs| of_day(&inputs, |day| day.parts().0.into())) };
}

fn of_day<'a>(inputs: &Inputs<'a>, part: fn(Date) -> i64) -> Made<'a> {
    match inputs.value(0)?.value() {
        Some(Value::Null) => Ok(Val::NULL),
        Some(Value::Date(day)) => Ok(Val::int(part(*day))),
        Some(Value::DateTime(at)) => Ok(Val::int(part(at.date()))),
        _ => inputs.misfit("a day or moment"),
    }
}

fn of_moment<'a>(inputs: &Inputs<'a>, part: fn(DateTime) -> Value) -> Made<'a> {
    match inputs.value(0)?.value() {
        Some(Value::Null) => Ok(Val::NULL),
        Some(Value::DateTime(at)) => Ok(Val::Own(part(*at))),
        _ => inputs.misfit("a moment"),
    }
}

/// From the first day on to the second.
fn days_between(inputs: Inputs<'_>) -> Made<'_> {
    match (inputs.value(0)?.value(), inputs.value(1)?.value()) {
        (Some(Value::Null), _) | (_, Some(Value::Null)) => Ok(Val::NULL),
        (Some(Value::Date(a)), Some(Value::Date(b))) => Ok(Val::int(i64::from(b.0) - i64::from(a.0))),
        _ => inputs.misfit("two days"),
    }
}
