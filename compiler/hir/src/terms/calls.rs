//! Calls of functions on what is known of their arguments: by value if there are few, from the ends of ranges, or from sets of texts.

use model::suite::Op;
use model::{Date, Value};

use super::combine::combine;
use super::compare::compare_known;
use super::known::Known;
use super::texts::{Case, Texts};
use super::{calendar, functions, readers};
use crate::facts::Fact;

/// What is known of the result of a call.
pub fn infer_call<'a>(name: &str, args: &[Known<'a>]) -> Known<'a> {
    if let Some(known) = infer_choice(name, args) {
        return known;
    }
    let all: Vec<&Known<'a>> = args.iter().collect();
    if let Some(fact) = combine(&all, |values| functions::call(name, values)) {
        let days = name == "date" && fact.range.is_some();
        let days = days.then(|| read_days(&fact)).flatten();
        return Known { days, ..Known::from_fact(fact) };
    }
    let nullable = args.iter().any(|arg| arg.fact.nullable);
    let known =
        infer_date_call(name, args).or_else(|| infer_number_call(name, args)).or_else(|| infer_text_call(name, args));
    known.map_or_else(Known::unknown, |known| known.with_null_if(nullable))
}

fn read_days(fact: &Fact<'_>) -> Option<(Date, Date)> {
    match fact.range.as_ref()? {
        (Value::Text(low), Value::Text(high)) => Some((Date::parse_iso(low)?, Date::parse_iso(high)?)),
        _ => None,
    }
}

/// Functions that return one of their arguments.
fn infer_choice<'a>(name: &str, args: &[Known<'a>]) -> Option<Known<'a>> {
    match (name, args) {
        ("coalesce" | "ifnull", [first, rest @ ..]) => {
            let mut all = first.clone();
            for next in rest {
                if !all.fact.nullable {
                    break;
                }
                let before = Known { fact: Fact { nullable: false, ..all.fact.clone() }, ..all };
                all = if before.fact.is_empty() { next.clone() } else { before.join_known(next) };
            }
            Some(all)
        }
        ("nullif", [value, other]) => Some(infer_nullif(value, other)),
        ("likely" | "unlikely", [value]) => Some(value.clone()),
        _ => None,
    }
}

fn infer_nullif<'a>(value: &Known<'a>, other: &Known<'_>) -> Known<'a> {
    let may_be_null = compare_known(Op::Eq, value, other).is_true;
    let kept = match (&value.fact.closed, other.fact.as_single_value()) {
        (Some(values), Some(gone)) => {
            let kept = values.iter().filter(|value| !value.is_same(gone));
            Known { fact: Fact { nullable: value.fact.nullable, ..Fact::from_values(kept) }, ..value.clone() }
        }
        _ => value.clone(),
    };
    kept.with_null_if(may_be_null)
}

/// The value of an argument that is always the same.
fn as_constant<'k>(known: &'k Known<'_>) -> Option<&'k Value> {
    known.fact.as_single_value()
}

fn infer_date_call<'a>(name: &str, args: &[Known<'a>]) -> Option<Known<'a>> {
    let (format, moment, modifiers) = match (name, args) {
        ("strftime", [format, moment, modifiers @ ..]) => (Some(as_constant(format)?.as_text()?), moment, modifiers),
        (_, [moment, modifiers @ ..]) => (None, moment, modifiers),
        _ => return None,
    };
    let modifiers: Vec<Value> = modifiers.iter().map(|known| as_constant(known).cloned()).collect::<Option<_>>()?;
    calendar::call_on_range(name, format, moment, &modifiers)
}

/// Functions of numbers that rise with their first argument, and those whose results are in a range.
fn infer_number_call<'a>(name: &str, args: &[Known<'a>]) -> Option<Known<'a>> {
    let ends = |known: &Known<'_>| known.fact.range.clone().filter(|(low, _)| !matches!(low, Value::Text(_)));
    let fact = match (name, args) {
        ("ceil" | "ceiling" | "floor" | "trunc" | "sign", [value]) => {
            let (low, high) = ends(value)?;
            Fact::from_range(functions::call(name, &[low])?, functions::call(name, &[high])?)
        }
        ("round", [value]) => round_range(ends(value)?, 0)?,
        ("round", [value, places]) => match as_constant(places)? {
            Value::Int(places) => round_range(ends(value)?, *places)?,
            _ => return None,
        },
        ("abs", [value]) => {
            let (low, high) = ends(value)?;
            let (a, b) = (
                functions::call(name, std::slice::from_ref(&low))?,
                functions::call(name, std::slice::from_ref(&high))?,
            );
            let zero = Value::Int(0);
            let around = low.compare_with(&zero)?.is_lt() && high.compare_with(&zero)?.is_gt();
            let made = Fact::from_values([&a, &b]);
            let (low, high) = made.range?;
            Fact::from_range(if around { zero } else { low }, high)
        }
        // For arguments for which it has a result.
        ("chi2_p", [_, _]) => Fact::from_range(Value::Float(0.0), Value::Float(1.0)),
        ("json_array_length" | "octet_length", [_, ..]) => Fact::from_range(Value::Int(0), Value::Int(i64::MAX)),
        ("min" | "max", [first, rest @ ..]) if !rest.is_empty() => rest
            .iter()
            .try_fold(ends(first)?, |(low, high), next| {
                let (other_low, other_high) = ends(next)?;
                let pick = |a, b| functions::call(name, &[a, b]);
                Some((pick(low, other_low)?, pick(high, other_high)?))
            })
            .map(|(low, high)| Fact::from_range(low, high))?,
        _ => return None,
    };
    Some(Known::from_fact(fact))
}

/// `round(x, places)`, whose result may be rounded by half of the last place.
fn round_range<'a>((low, high): (Value, Value), places: i64) -> Option<Fact<'a>> {
    if let (Value::Int(low), Value::Int(high)) = (&low, &high) {
        return Some(Fact::from_range(Value::Float(*low as f64), Value::Float(*high as f64)));
    }
    let half = 0.500_000_1 / 10_u64.pow(u32::try_from(places.clamp(0, 15)).ok()?) as f64;
    Some(Fact::from_range(Value::Float(low.as_f64()? - half), Value::Float(high.as_f64()? + half)))
}

/// Functions of texts.
fn infer_text_call<'a>(name: &str, args: &[Known<'a>]) -> Option<Known<'a>> {
    let text = |texts: Texts<'a>| Known { texts: Some(texts), ..Known::from_fact(Fact::not_null()) };
    match (name, args) {
        ("upper", [value]) => Some(text(Texts::Cased(Box::new(value.to_texts()?), Case::Upper))),
        ("lower", [value]) => Some(text(Texts::Cased(Box::new(value.to_texts()?), Case::Lower))),
        ("trim" | "ltrim" | "rtrim", [value]) => keep_without(value, name, " "),
        ("trim" | "ltrim" | "rtrim", [value, removed]) => keep_without(value, name, as_constant(removed)?.as_text()?),
        ("substr", [value, from, rest @ ..]) => {
            let texts = value.to_texts()?;
            let Value::Int(from) = as_constant(from)? else { return None };
            let count = match rest {
                [] => None,
                [count, ..] => Some(as_constant(count)?),
            };
            let (from, end) = find_part(&texts, *from, count)?;
            Some(text(texts.take_part(from, end)?))
        }
        ("length", [value]) => Some(Known::from_fact(measure_text(value))),
        ("unicode", [value]) => infer_first_code(value),
        ("instr", [value, part]) => infer_position(value, part),
        _ => None,
    }
}

/// The lengths of texts, in characters.
pub fn measure_text<'a>(value: &Known<'_>) -> Fact<'a> {
    match value.to_texts().and_then(|texts| readers::measure_lengths(&texts)) {
        Some(lengths) => Fact::from_values(lengths.into_iter().map(|length| Value::Int(length as i64))),
        None => Fact::from_range(Value::Int(0), Value::Int(i64::MAX)),
    }
}

/// The indexes of the characters that `substr(x, from, count)` takes, if they are the same for all texts.
fn find_part(texts: &Texts<'_>, from: i64, count: Option<&Value>) -> Option<(usize, usize)> {
    let lengths = || readers::measure_lengths(texts);
    let from = match from {
        1.. => usize::try_from(from - 1).ok()?,
        // The place before the first character counts as one.
        0 => {
            let end = match count {
                None => lengths()?.into_iter().max()?,
                Some(Value::Int(count @ 0..)) => usize::try_from(count.saturating_sub(1).max(0)).ok()?,
                Some(_) => return None,
            };
            return Some((0, end));
        }
        // From the end, where all texts have one length.
        _ => match lengths()?.as_slice() {
            [length] => length.checked_sub(usize::try_from(from.unsigned_abs()).ok()?)?,
            _ => return None,
        },
    };
    let end = match count {
        None => lengths()?.into_iter().max()?,
        Some(Value::Int(count @ 0..)) => from.checked_add(usize::try_from(*count).ok()?)?,
        Some(_) => return None,
    };
    Some((from, end))
}

/// `trim(x, 'characters')`, and the same on one side, of texts that have none of these characters there.
fn keep_without<'a>(value: &Known<'a>, name: &str, removed: &str) -> Option<Known<'a>> {
    let texts = value.to_texts()?;
    let has = |pattern: &str| Some(readers::match_pattern(&texts, pattern, sql::terms::MatchKind::Glob)?.0);
    for c in removed.chars().map(|c| readers::quote_for_glob(&c.to_string())) {
        if name != "rtrim" && has(&format!("{c}*"))? || name != "ltrim" && has(&format!("*{c}"))? {
            return None;
        }
    }
    Some(value.clone())
}

/// `unicode(x)`: the code of the first character; null for an empty text.
fn infer_first_code<'a>(value: &Known<'a>) -> Option<Known<'a>> {
    let (low, high, may_be_empty) = readers::bound_first_character(&value.to_texts()?)?;
    let code = |c: char| Value::Int(i64::from(u32::from(c)));
    Some(Known::from_fact(Fact::from_range(code(low), code(high))).with_null_if(may_be_empty))
}

/// `instr(x, 'part')`: 0 if the text does not contain the part.
fn infer_position<'a>(value: &Known<'a>, part: &Known<'_>) -> Option<Known<'a>> {
    let known = value.to_texts().zip(as_constant(part).and_then(Value::as_text)).and_then(|(texts, part)| {
        let escaped = readers::quote_for_glob(part);
        readers::match_pattern(&texts, &format!("*{escaped}*"), sql::terms::MatchKind::Glob)
    });
    let (may_have, may_lack) = known.unwrap_or((true, true));
    let (low, high) = (i64::from(!may_lack), if may_have { i64::MAX } else { 0 });
    Some(Known::from_fact(Fact::from_range(Value::Int(low), Value::Int(high))))
}
