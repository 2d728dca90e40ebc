//! Forms of times of the day: "HH:MM", "HH:MM:SS".

use hir::types::TyKind;
use model::Value;
use model::functions::SLICE;

use super::answers::Leaf;
use super::mismatch::Mismatch;
use super::sql_shape::{SqlShape, split_call};
use super::tokens::Found;
use super::wording::Wording;
use crate::context::TaskCx;
use hir::{Arg, Expr, ExprKind};
use sql::lex::{Kind, Token};

/// A datetime as it is written, of which texts take a part.
const DATETIME: &str = "yyyy-mm-ddThh:mm:ss";
/// The forms of times that are compared.
const MINUTES: &str = "hh:mm";
const SECONDS: &str = "hh:mm:ss";

/// Compares "in the form h:mm" with a number, and "HH:MM" with a text that has seconds, too.
pub(super) fn check_clock<'a>(wording: &Wording<'_, 'a>, leaf: &Leaf<'a>) -> Option<Mismatch> {
    let asked = wording.text.find_any(wording.language.clock).filter(|asked| wording.is_about_reply(asked.start))?;
    if leaf.value.ty.is_number() && !leaf.value.ty.is_unknown() {
        return Some(Mismatch {
            asked,
            what: "the key is a number".to_owned(),
            label: "a number".to_owned(),
            help: "expect a text of this form, or ask for the number and its unit".to_owned(),
        });
    }
    let own = find_own_form(wording.cx, leaf)?;
    let told = wording.text.quote(asked.start, asked.end).to_lowercase().replace(' ', "");
    let is_other = matches!((told.as_str(), own), (MINUTES, SECONDS) | (SECONDS, MINUTES));
    is_other.then(|| Mismatch {
        asked: Found { means: (), ..asked },
        what: format!("the key has times as `{}`", own.to_uppercase()),
        label: if own == SECONDS { "has seconds, too".to_owned() } else { "has no seconds".to_owned() },
        help: "use the same form in both".to_owned(),
    })
}

/// The form of an expected text that is a part of a datetime.
fn find_own_form(cx: &TaskCx<'_>, leaf: &Leaf<'_>) -> Option<&'static str> {
    let ExprKind::Call(function, args) = &leaf.value.resolve_name(cx.task).kind else { return None };
    match args.as_slice() {
        [Arg::Value(text), Arg::Value(first), Arg::Value(last)] if *function == SLICE && is_datetime(cx, text) => {
            let read = |side: &Expr| match side.resolve_name(cx.task).as_constant()? {
                Value::Int(place) => usize::try_from(*place).ok(),
                _ => None,
            };
            take_form(read(first)?, read(last)?)
        }
        [.., Arg::Sql(sql)] => {
            let shape = SqlShape::new(&sql.text)?;
            let [item] = shape.items.as_slice() else { return None };
            let (name, arguments) = split_call(item)?;
            read_call(&name, &arguments)
        }
        _ => None,
    }
}

/// Whether a text is a datetime as it is written.
fn is_datetime(cx: &TaskCx<'_>, text: &Expr) -> bool {
    let is_moment = |expr: &Expr| expr.resolve_name(cx.task).ty.kind == TyKind::DateTime;
    match &text.resolve_name(cx.task).kind {
        ExprKind::Concat(pieces) => matches!(pieces.as_slice(), [only] if is_moment(only)),
        _ => is_moment(text),
    }
}

/// The form of the characters of a datetime from one place to another, counted from 1.
fn take_form(first: usize, last: usize) -> Option<&'static str> {
    let form = DATETIME.get(first.checked_sub(1)?..last.min(DATETIME.len()))?;
    [MINUTES, SECONDS].into_iter().find(|known| *known == form)
}

/// The form of `strftime('%H:%M', …)` and `time(…)`.
fn read_call(name: &Token<'_>, arguments: &[Vec<Token<'_>>]) -> Option<&'static str> {
    match arguments {
        [_] if name.is_keyword("TIME") => Some(SECONDS),
        [format, ..] if name.is_keyword("STRFTIME") => {
            let [format] = format.as_slice() else { return None };
            let form = (format.kind == Kind::Text).then(|| format.to_unquoted())?;
            match form.as_str() {
                "%H:%M" | "%R" => Some(MINUTES),
                "%H:%M:%S" | "%T" => Some(SECONDS),
                _ => None,
            }
        }
        _ => None,
    }
}
