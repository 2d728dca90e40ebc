//! SQLite's functions on values. What is not modelled exactly has no result here.

use model::Value;
use sql::terms::Affinity;

use super::{moments, strftime};

/// Calls a function, by its name in lower case. `None` if its result is not modelled.
///
/// ```
/// use hir::terms::functions::call;
/// use model::Value;
///
/// let text = |text: &str| Value::from_text(text);
/// assert_eq!(call("substr", &[text("Berlin"), Value::Int(-3), Value::Int(2)]), Some(text("li")));
/// assert_eq!(call("strftime", &[text("%m"), text("2024-03-05")]), Some(text("03")));
/// assert_eq!(call("length", &[Value::Null]), Some(Value::Null));
/// // Whether it is a function of SQLite is not asked here.
/// assert_eq!(call("reverse", &[text("abc")]), None);
/// ```
pub fn call(name: &str, args: &[Value]) -> Option<Value> {
    match (name, args) {
        ("coalesce" | "ifnull", args) => Some(args.iter().find(|arg| !arg.is_null()).cloned().unwrap_or(Value::Null)),
        ("nullif", [a, b]) => Some(if is_equal(a, b)? { Value::Null } else { a.clone() }),
        ("iif" | "if", [condition, yes, no]) => Some(if is_true(condition)? { yes.clone() } else { no.clone() }),
        ("typeof", [value]) => Some(Value::from_text(name_class(value)?)),
        ("likely" | "unlikely", [value]) => Some(value.clone()),
        ("printf" | "format", [Value::Text(format), rest @ ..]) => format_values(format, rest),
        ("concat", args) => {
            let texts = args.iter().filter(|arg| !arg.is_null()).map(render_as_text);
            Some(Value::Text(texts.collect::<Option<String>>()?))
        }
        (_, args) if args.iter().any(Value::is_null) => call_strict_on_null(name),
        _ => call_on_known(name, args),
    }
}

/// Functions that return null if an argument is null.
fn call_strict_on_null(name: &str) -> Option<Value> {
    const STRICT: &str = "abs ceil ceiling floor trunc sign round length upper lower trim ltrim rtrim substr replace \
        instr unicode date time datetime julianday unixepoch strftime min max";
    STRICT.split_ascii_whitespace().any(|known| known == name).then_some(Value::Null)
}

fn call_on_known(name: &str, args: &[Value]) -> Option<Value> {
    match (name, args) {
        ("abs", [Value::Int(int)]) => int.checked_abs().map(Value::Int),
        ("abs", [Value::Float(double)]) => Some(Value::Float(double.abs())),
        ("ceil" | "ceiling" | "floor" | "trunc" | "sign", [value]) => round_to_whole(name, value),
        ("round", [value]) => round(value, 0),
        ("round", [value, Value::Int(places)]) => round(value, *places),
        ("min", [_, _, ..]) => pick(args, std::cmp::Ordering::Less),
        ("max", [_, _, ..]) => pick(args, std::cmp::Ordering::Greater),
        ("length", [value]) => {
            let text = render_as_text(value)?;
            Some(Value::Int(i64::try_from(text.chars().count()).ok()?))
        }
        ("unicode", [value]) => {
            Some(render_as_text(value)?.chars().next().map_or(Value::Null, |c| Value::Int(i64::from(u32::from(c)))))
        }
        ("char", codes) => {
            let chars = codes.iter().map(|code| match code {
                Value::Int(code @ 1..) => char::from_u32(u32::try_from(*code).ok()?),
                _ => None,
            });
            chars.collect::<Option<String>>().map(Value::Text)
        }
        ("upper", [value]) => Some(Value::Text(render_as_text(value)?.to_ascii_uppercase())),
        ("lower", [value]) => Some(Value::Text(render_as_text(value)?.to_ascii_lowercase())),
        ("trim" | "ltrim" | "rtrim", [value]) => Some(Value::Text(trim(name, &render_as_text(value)?, " "))),
        ("trim" | "ltrim" | "rtrim", [value, chars]) => {
            Some(Value::Text(trim(name, &render_as_text(value)?, &render_as_text(chars)?)))
        }
        ("substr", [value, Value::Int(from)]) => substr(&render_as_text(value)?, *from, None),
        ("substr", [value, Value::Int(from), Value::Int(count)]) => {
            substr(&render_as_text(value)?, *from, Some(*count))
        }
        ("replace", [value, what, by]) => {
            let (value, what, by) = (render_as_text(value)?, render_as_text(what)?, render_as_text(by)?);
            Some(Value::Text(if what.is_empty() { value } else { value.replace(&what, &by) }))
        }
        ("instr", [value, part]) => {
            let (value, part) = (render_as_text(value)?, render_as_text(part)?);
            let before = value.find(&part).map(|at| value.get(..at).unwrap_or_default().chars().count() + 1);
            Some(Value::Int(i64::try_from(before.unwrap_or(0)).ok()?))
        }
        ("strftime", [Value::Text(format), moment, modifiers @ ..]) => {
            strftime::format_moment(format, moments::read_moment(moment, modifiers)?)
        }
        ("date", [moment, modifiers @ ..]) => {
            strftime::format_moment("%Y-%m-%d", moments::read_moment(moment, modifiers)?)
        }
        ("time", [moment, modifiers @ ..]) => {
            strftime::format_moment("%H:%M:%S", moments::read_moment(moment, modifiers)?)
        }
        ("datetime", [moment, modifiers @ ..]) => {
            strftime::format_moment("%Y-%m-%d %H:%M:%S", moments::read_moment(moment, modifiers)?)
        }
        ("julianday", [moment, modifiers @ ..]) => moments::read_moment(moment, modifiers).map(moments::to_julian_day),
        ("unixepoch", [moment, modifiers @ ..]) => {
            moments::read_moment(moment, modifiers).map(|moment| Value::Int(moment.0))
        }
        _ => None,
    }
}

/// Whether a value counts as true; null does not.
pub fn is_true(value: &Value) -> Option<bool> {
    match value {
        Value::Null => Some(false),
        Value::Int(int) => Some(*int != 0),
        Value::Float(double) => Some(*double != 0.0),
        Value::Text(text) => read_leading_number(text).map(|number| number != 0.0),
        _ => None,
    }
}

/// The number with which a text begins, or 0. `None` for a form that is not modelled.
fn read_leading_number(text: &str) -> Option<f64> {
    let text = text.trim_start_matches([' ', '\t', '\n', '\r', '\u{b}', '\u{c}']);
    let end = text.find(|c: char| !c.is_ascii_digit() && !"+-.".contains(c)).unwrap_or(text.len());
    let number = text.get(..end)?;
    if number.is_empty() || !number.contains(|c: char| c.is_ascii_digit()) {
        return Some(0.0);
    }
    number.parse().ok()
}

/// Whether `a = b` is true.
fn is_equal(a: &Value, b: &Value) -> Option<bool> {
    if a.is_null() || b.is_null() {
        return Some(false);
    }
    a.compare_with(b).map(std::cmp::Ordering::is_eq)
}

fn name_class(value: &Value) -> Option<&'static str> {
    Some(match value {
        Value::Null => "null",
        Value::Int(_) => "integer",
        Value::Float(_) => "real",
        Value::Text(_) => "text",
        _ => return None,
    })
}

/// The smallest or the largest of several values of one class.
fn pick(args: &[Value], wanted: std::cmp::Ordering) -> Option<Value> {
    let (first, rest) = args.split_first()?;
    rest.iter().try_fold(first.clone(), |best, next| {
        Some(if next.compare_with(&best)? == wanted { next.clone() } else { best })
    })
}

fn round_to_whole(name: &str, value: &Value) -> Option<Value> {
    Some(match (name, value) {
        ("sign", Value::Int(int)) => Value::Int(int.signum()),
        ("sign", Value::Float(double)) => Value::Int(i64::from(*double > 0.0) - i64::from(*double < 0.0)),
        (_, Value::Int(int)) => Value::Int(*int),
        ("ceil" | "ceiling", Value::Float(double)) => Value::Float(double.ceil()),
        ("floor", Value::Float(double)) => Value::Float(double.floor()),
        ("trunc", Value::Float(double)) => Value::Float(double.trunc()),
        _ => return None,
    })
}

/// `round(value, places)`: how SQLite rounds doubles to decimal places is modelled only where nothing is rounded.
fn round(value: &Value, places: i64) -> Option<Value> {
    const EXACT: f64 = 4_503_599_627_370_496.0;
    match value {
        Value::Int(int) if int.unsigned_abs() < EXACT as u64 => Some(Value::Float(*int as f64)),
        Value::Float(double) if double.abs() < EXACT && double.fract() == 0.0 => Some(Value::Float(*double)),
        Value::Float(double) if double.abs() < EXACT && places <= 0 => {
            Some(Value::Float((double + if *double < 0.0 { -0.5 } else { 0.5 }).trunc()))
        }
        _ => None,
    }
}

fn trim(name: &str, text: &str, chars: &str) -> String {
    let is_trimmed = |c: char| chars.contains(c);
    match name {
        "ltrim" => text.trim_start_matches(is_trimmed),
        "rtrim" => text.trim_end_matches(is_trimmed),
        _ => text.trim_matches(is_trimmed),
    }
    .to_owned()
}

/// `substr(text, from, count)`, where `from` counts from 1, or from the end if it is negative.
fn substr(text: &str, from: i64, count: Option<i64>) -> Option<Value> {
    let length = i64::try_from(text.chars().count()).ok()?;
    let mut count = count.unwrap_or(i64::from(i32::MAX));
    if count < 0 {
        return None;
    }
    let mut start = from;
    if start < 0 {
        start = start.checked_add(length)?;
        if start < 0 {
            count = count.checked_add(start)?.max(0);
            start = 0;
        }
    } else if start > 0 {
        start -= 1;
    } else if count > 0 {
        count -= 1;
    }
    let (skip, take) = (usize::try_from(start).ok()?, usize::try_from(count.max(0)).ok()?);
    Some(Value::Text(text.chars().skip(skip).take(take).collect()))
}

/// The text to which SQLite converts a value.
pub fn render_as_text(value: &Value) -> Option<String> {
    match value {
        Value::Text(text) if !text.contains('\0') => Some(text.clone()),
        Value::Int(int) => Some(int.to_string()),
        // SQLite writes 15 digits; these need no more.
        Value::Float(double) if double.fract() == 0.0 && double.abs() < 1e15 => Some(format!("{double:.1}")),
        _ => None,
    }
}

/// The number that SQLite computes with: a text counts as the number that it is.
pub fn to_number(value: &Value) -> Option<Value> {
    match value {
        Value::Int(_) | Value::Float(_) => Some(value.clone()),
        Value::Text(text) => {
            let digits = text.strip_prefix('-').unwrap_or(text);
            let plain = !digits.is_empty() && digits.len() <= 15 && digits.bytes().all(|byte| byte.is_ascii_digit());
            plain.then(|| text.parse().ok().map(Value::Int)).flatten()
        }
        _ => None,
    }
}

/// `CAST(value AS …)`
pub fn cast(affinity: Affinity, value: &Value) -> Option<Value> {
    if value.is_null() {
        return Some(Value::Null);
    }
    match (affinity, value) {
        (Affinity::Text, value) => render_as_text(value).map(Value::Text),
        (Affinity::Integer, Value::Int(_)) | (Affinity::Real, Value::Float(_)) => Some(value.clone()),
        (Affinity::Integer, Value::Float(double)) if double.abs() < 9e18 => Some(Value::Int(double.trunc() as i64)),
        (Affinity::Real, Value::Int(int)) => Some(Value::Float(*int as f64)),
        (Affinity::Integer, Value::Text(text)) => read_leading_int(text).map(Value::Int),
        (Affinity::Real, Value::Text(_)) => match to_number(value)? {
            Value::Int(int) => Some(Value::Float(int as f64)),
            _ => None,
        },
        _ => None,
    }
}

/// The int with which a text begins, or 0.
fn read_leading_int(text: &str) -> Option<i64> {
    let text = text.trim_start_matches([' ', '\t', '\n', '\r', '\u{b}', '\u{c}']);
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    if end > 18 {
        return None;
    }
    Some(sign * digits.get(..end)?.parse::<i64>().unwrap_or(0))
}

/// `printf(format, …)` with `%d`, `%02d`, and `%s`.
fn format_values(format: &str, values: &[Value]) -> Option<Value> {
    let (mut out, mut rest, mut values) = (String::new(), format, values.iter());
    while let Some(at) = rest.find('%') {
        out.push_str(rest.get(..at)?);
        let after = rest.get(at + 1..)?;
        let end = after.find(|c: char| !c.is_ascii_digit())?;
        let (width, kind) = (after.get(..end)?, after.get(end..)?.chars().next()?);
        match (kind, values.next()?) {
            ('d', Value::Int(int)) if width.is_empty() => out.push_str(&int.to_string()),
            ('d', Value::Int(int)) if *int >= 0 && width.starts_with('0') => {
                let width: usize = width.parse().ok().filter(|width| *width < 100)?;
                out.push_str(&format!("{int:0>width$}"));
            }
            ('s', value) if width.is_empty() && !value.is_null() => out.push_str(&render_as_text(value)?),
            _ => return None,
        }
        rest = after.get(end + 1..)?;
    }
    out.push_str(rest);
    Some(Value::Text(out))
}
