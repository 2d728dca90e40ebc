//! `upper lower contains starts_with ends_with`.

use plan::Value;

use super::args::Args;
use crate::generate::eval::{self, Res};
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
