//! `upper lower title trim replace slice pad_left split contains starts_with ends_with`.

use plan::Value;

use super::args::Args;
use crate::generate::eval::{self, Res, no_result};
use crate::generate::val::Val;

fn mapped(args: Args<'_>, map: fn(&str) -> String) -> Res<Val<'_>> {
    let text = args.text(0)?;
    Ok(text.as_ref().and_then(Val::as_text).map_or(Val::NULL, |text| Val::text(map(text))))
}

/// `upper(x)`
pub(super) fn upper(args: Args<'_>) -> Res<Val<'_>> {
    mapped(args, str::to_uppercase)
}

/// `lower(x)`
pub(super) fn lower(args: Args<'_>) -> Res<Val<'_>> {
    mapped(args, str::to_lowercase)
}

/// `title(x)`: the first character of each word in capitals, the others as they are.
pub(super) fn title(args: Args<'_>) -> Res<Val<'_>> {
    mapped(args, |text| {
        let mut out = String::with_capacity(text.len());
        let mut begins = true;
        for char in text.chars() {
            match begins {
                true => out.extend(char.to_uppercase()),
                false => out.push(char),
            }
            begins = char.is_whitespace();
        }
        out
    })
}

/// `trim(x)`: without white space (Unicode's) on both sides.
pub(super) fn trim(args: Args<'_>) -> Res<Val<'_>> {
    mapped(args, |text| text.trim().to_owned())
}

/// A part to look for, which must not be empty; `None` for null.
fn part<'a>(args: Args<'a>, index: usize) -> Res<Option<Val<'a>>> {
    let part = args.text(index)?;
    match part.as_ref().and_then(Val::as_text) {
        Some("") => no_result(format!("`{}` cannot look for an empty text", args.call.function)),
        _ => Ok(part),
    }
}

/// `split(x, by)`: the texts between; of an empty text, one that is empty.
pub(super) fn split(args: Args<'_>) -> Res<Val<'_>> {
    let (text, by) = (args.text(0)?, part(args, 1)?);
    let both = text.as_ref().and_then(Val::as_text).zip(by.as_ref().and_then(Val::as_text));
    Ok(both.map_or(Val::NULL, |(text, by)| Val::Own(Value::List(text.split(by).map(Value::text).collect()))))
}

/// `replace(x, part, by)`: every one from the left, none within what was put in.
pub(super) fn replace(args: Args<'_>) -> Res<Val<'_>> {
    let (text, part, by) = (args.text(0)?, part(args, 1)?, args.text(2)?);
    let given = [&text, &part, &by].map(|text| text.as_ref().and_then(Val::as_text));
    let [Some(text), Some(part), Some(by)] = given else { return Ok(Val::NULL) };
    let added = text.matches(part).count().saturating_mul(by.len());
    if added > MOST_BYTES {
        return no_result(TOO_LARGE);
    }
    Ok(Val::text(text.replace(part, by)))
}

/// `slice(x, first, last)`: characters by position, both ends included; what is beyond the text is left out.
pub(super) fn slice(args: Args<'_>) -> Res<Val<'_>> {
    let Some(text) = args.text(0)? else { return Ok(Val::NULL) };
    let (first, last) = (args.int(1)?.max(1), args.int(2)?.max(0));
    let before = usize::try_from(first.saturating_sub(1)).unwrap_or(usize::MAX);
    let count = usize::try_from(last.saturating_sub(first).saturating_add(1)).unwrap_or(0);
    let kept: String = text.as_text().unwrap_or_default().chars().skip(before).take(count).collect();
    Ok(Val::text(kept))
}

/// `pad_left(x, width, fill)`: filled up from the left with one character.
pub(super) fn pad_left(args: Args<'_>) -> Res<Val<'_>> {
    let (text, width, fill) = (args.text(0)?, args.int(1)?, args.text(2)?);
    let (Some(text), Some(fill)) = (text, fill) else { return Ok(Val::NULL) };
    let (text, fill) = (text.as_text().unwrap_or_default(), fill.as_text().unwrap_or_default());
    let mut chars = fill.chars();
    let (Some(one), None) = (chars.next(), chars.next()) else {
        return no_result(format!("`pad_left` fills with one character, not with \"{fill}\""));
    };
    let missing = usize::try_from(width).unwrap_or(0).saturating_sub(text.chars().count());
    if missing > MOST_BYTES / 4 {
        return no_result(TOO_LARGE);
    }
    let mut out = String::with_capacity(missing * one.len_utf8() + text.len());
    out.extend(std::iter::repeat_n(one, missing));
    out.push_str(text);
    Ok(Val::text(out))
}

/// As in [`eval`]: a larger text is a slip.
const MOST_BYTES: usize = 64 << 20;
const TOO_LARGE: &str = "this text is too large: more than 64 MB";

/// A question about two texts; false where one is null, as comparisons are.
fn holds(args: Args<'_>, test: fn(&str, &str) -> bool) -> Res<Val<'_>> {
    let (text, part) = (args.text(0)?, args.text(1)?);
    let both = text.as_ref().and_then(Val::as_text).zip(part.as_ref().and_then(Val::as_text));
    Ok(Val::Own(Value::Bool(both.is_some_and(|(text, part)| test(text, part)))))
}

/// `contains(x, part)`, of a text or a list.
pub(super) fn contains(args: Args<'_>) -> Res<Val<'_>> {
    let whole = args.value(0)?;
    if let Some(Value::List(_)) = whole.value() {
        return Ok(Val::Own(Value::Bool(eval::contains(&whole, &args.value(1)?)?)));
    }
    holds(args, |text, part| text.contains(part))
}

/// `starts_with(x, part)`
pub(super) fn starts_with(args: Args<'_>) -> Res<Val<'_>> {
    holds(args, |text, part| text.starts_with(part))
}

/// `ends_with(x, part)`
pub(super) fn ends_with(args: Args<'_>) -> Res<Val<'_>> {
    holds(args, |text, part| text.ends_with(part))
}
