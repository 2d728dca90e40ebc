//! How many words texts have: parts between blanks.

use model::Value;
use model::domain::{Domain, LoremUnit};
use model::suite::Scope;
use syntax::bounds::Bounds;

use super::Facts;
use super::bounds::count_lorem_parts;
use crate::terms::{States, Texts, Work};
use crate::texts::infer_texts;
use crate::types::TyKind;
use crate::{Expr, ExprKind};

/// The most words of a text that are counted one by one.
const MAX_COUNTED: usize = 20;

/// The most characters of a range that are looked at one by one.
const MAX_RANGE: usize = 128;

/// The number of words of an expression that is written into a text.
pub(super) fn count_words<'a>(facts: &Facts<'a>, expr: &'a Expr, scope: Scope) -> Bounds {
    let fact = facts.infer_expr(expr, scope);
    if fact.nullable || expr.ty.nullable {
        return Bounds::ANY;
    }
    if let Some(Domain::Lorem { unit, low, high }) = fact.domain {
        let drawn = Bounds { least: u64::from(*low), most: u64::from(*high) };
        return count_lorem_parts(*unit, drawn, LoremUnit::Words).unwrap_or(Bounds::ANY);
    }
    match (&expr.kind, &expr.ty.kind) {
        (ExprKind::Concat(parts), _) => add_parts(facts, parts, scope),
        (_, TyKind::Int | TyKind::Decimal(_) | TyKind::Float | TyKind::Bool | TyKind::Date) => Bounds::from_count(1),
        (ExprKind::Name(id), _) if facts.task().find_computed(*id).is_some() && fact.closed.is_none() => {
            let known = facts.task().find_computed(*id);
            known.map_or(Bounds::ANY, |value| count_words(facts, value, Scope::default()))
        }
        _ => infer_texts(facts, expr, scope).and_then(|texts| count_in_texts(&texts)).unwrap_or(Bounds::ANY),
    }
}

/// The number of words of several texts that are put together: the last of one can be a part of the first of the next one.
fn add_parts<'a>(facts: &Facts<'a>, parts: &'a [Expr], scope: Scope) -> Bounds {
    let (mut all, mut joints, mut is_apart) = (Bounds::from_count(0), 0u64, true);
    for part in parts {
        let written = part.as_constant().map(Value::render_text);
        let begins = written.as_ref().is_some_and(|text| text.starts_with(char::is_whitespace));
        joints += u64::from(!is_apart && !begins);
        is_apart = written.as_ref().is_some_and(|text| text.ends_with(char::is_whitespace));
        let own = count_words(facts, part, scope);
        all = Bounds { least: all.least.saturating_add(own.least), most: all.most.saturating_add(own.most) };
    }
    Bounds { least: all.least.saturating_sub(joints), ..all }
}

/// The number of words of texts, if it is known.
fn count_in_texts(texts: &Texts<'_>) -> Option<Bounds> {
    // A state is twice the number of words, and one more within a word.
    let enter = |state: usize| if state % 2 == 1 { state } else { (state + 3).min(2 * MAX_COUNTED + 1) };
    let ends = texts.read(&[0].into(), &Work::default(), &|state, low, high| {
        let is_wide = (low..=high).nth(MAX_RANGE).is_some();
        let mut chars = (low..=high).take(MAX_RANGE);
        let blank = is_wide || chars.clone().any(char::is_whitespace);
        let visible = is_wide || chars.any(|c| !c.is_whitespace());
        [blank.then_some(state & !1), visible.then_some(enter(state))].into_iter().flatten().collect::<States>()
    })?;
    let count = |state: &usize| (state / 2) as u64;
    let (least, most) = (ends.iter().map(count).min()?, ends.iter().map(count).max()?);
    Some(Bounds { least, most: if most < MAX_COUNTED as u64 { most } else { u64::MAX } })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_between_blanks() {
        let listed = |texts: &[&str]| Texts::Listed(texts.iter().map(|text| Value::from_text(*text)).collect());
        let count = |texts: &[&str]| count_in_texts(&listed(texts)).map(|bounds| (bounds.least, bounds.most));
        assert_eq!(count(&["a bc  d", " x "]), Some((1, 3)));
        assert_eq!(count(&["", "one"]), Some((0, 1)));
        assert_eq!(count(&["tab\tand\nline"]), Some((3, 3)));
        assert_eq!(count(&["x ".repeat(30).as_str()]), Some((20, u64::MAX)));
    }
}
