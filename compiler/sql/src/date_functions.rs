//! The types of SQLite's date and time functions, and the calls that never return null.

use model::ValueType;
use sqlparser::ast::Expr;

use super::expressions::as_text_literal;
use super::scope::ExprType;

/// The letters that `strftime` accepts after `%`; any other makes the result null.
const LETTERS: &str = "deFfGgHIjJklmMpPRsSTuUVwWY%";

/// The type of a call; `None` if it is not a call of one of these functions.
pub fn infer_date_call(name: &str, written: &[&Expr], args: &[ExprType]) -> Option<ExprType> {
    use ValueType::{Float, Int, Text};
    let ty = match name {
        "date" | "time" | "datetime" | "strftime" | "timediff" => Some(Text),
        "julianday" => Some(Float),
        // With `subsec`, the result is a float.
        "unixepoch" => (args.len() < 2).then_some(Int),
        _ => return None,
    };
    let moments = match (name, args) {
        ("timediff", [_, _]) => args,
        ("strftime", [_, moment]) if written.first().is_some_and(|format| is_format(format)) => {
            std::slice::from_ref(moment)
        }
        ("strftime" | "timediff", _) => &[],
        // A modifier may move a date out of SQLite's range of years.
        (_, [moment]) => std::slice::from_ref(moment),
        (_, [moment, ..]) if written.iter().skip(1).all(|step| is_year_preserving(step)) => {
            std::slice::from_ref(moment)
        }
        _ => &[],
    };
    let certain = !moments.is_empty() && moments.iter().all(is_moment);
    let nullable = !certain || moments.iter().any(|moment| moment.nullable);
    let empty = certain && nullable && moments.iter().all(|moment| moment.empty || !moment.nullable);
    Some(ExprType { ty, nullable, empty, ..ExprType::default() })
}

/// Whether its values are existing dates or datetimes in the format of this language.
fn is_moment(value: &ExprType) -> bool {
    matches!(value.ty, Some(ValueType::Date | ValueType::DateTime))
}

fn as_text(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Nested(inner) => as_text(inner),
        _ => as_text_literal(expr),
    }
}

/// Whether it is a format with which `strftime` never returns null.
fn is_format(expr: &Expr) -> bool {
    let Some(format) = as_text(expr) else { return false };
    let mut letters = format.chars();
    while let Some(letter) = letters.next() {
        if letter == '%' && !letters.next().is_some_and(|letter| LETTERS.contains(letter)) {
            return false;
        }
    }
    true
}

/// Whether it is a modifier that does not change the year.
fn is_year_preserving(expr: &Expr) -> bool {
    as_text(expr).is_some_and(|step| {
        ["start of day", "start of month", "start of year"].iter().any(|known| step.eq_ignore_ascii_case(known))
    })
}
