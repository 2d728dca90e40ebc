//! Draws the value of a name, and the single values of which columns consist.

use model::suite::Draw;
use model::{Val, Value};

use super::cell::InstanceDraft;
use super::choice::{self, Choice};
use super::context::Eval;
use super::failures::{OrSpan, Res, fail};
use super::permutation::Permutation;
use super::sampler::{Counting, Sampler};
use super::streams::{self, Stream, Words};
use crate::failure::FailureKind;

/// How often a value is thrown back before the domain counts as exhausted.
const TRIES: u32 = 10_000;
/// Up to this size, a domain is gone through before it counts as exhausted.
const LISTED: u128 = 1 << 20;

/// Draws a name. `group`: the first name of its statement where it is `distinct` from others.
pub(crate) fn draw_name<'a>(
    cell: &'a InstanceDraft<'a>,
    name: &str,
    draw: &'a Draw,
    distinct: Option<(&str, u32)>,
) -> Res<Value> {
    if Blanks::try_new(cell, draw, &[name])?.is_some_and(|mut blanks| blanks.draw_next()) {
        return Ok(Value::Null);
    }
    let counting = distinct.map_or(Counting::Rows, |_| Counting::Values);
    let choice = Choice::new(Eval::new(cell), draw, counting)?;
    let mut stream = cell.keys.derive_stream(&[distinct.map_or(name, |(group, _)| group)]);
    let word = stream.next();
    let drawn = match distinct {
        None => draw_value(&choice, &mut stream, word, 0),
        Some((_, place)) => draw_distinct_value(&choice, stream.derive_child(word), place),
    };
    drawn.or_span(draw.span)
}

/// The words that decide which values of a draw are null.
pub(super) struct Blanks {
    stream: Stream,
    /// The chance of null, in millionths.
    per_million: u32,
}

impl Blanks {
    /// Creates it for the draw at a path; `None` if no value is null.
    pub(super) fn try_new<'a>(cell: &'a InstanceDraft<'a>, draw: &'a Draw, path: &[&str]) -> Res<Option<Blanks>> {
        let per_million = match &draw.blank {
            None => draw.blank_per_million,
            Some(share) => choice::evaluate_share(Eval::new(cell), share).or_span(draw.span)?,
        };
        Ok((per_million > 0).then(|| Blanks { stream: cell.keys.derive_blank_stream(path), per_million }))
    }

    /// Draws whether the next value is null. Called once for each value.
    pub(super) fn draw_next(&mut self) -> bool {
        streams::to_index(self.stream.next(), 1_000_000) < u64::from(self.per_million)
    }
}

/// Draws the value of row `row` from its word.
pub(crate) fn draw_value(choice: &Choice<'_>, stream: &mut Stream, word: u64, row: u64) -> Res<Value> {
    if let Some(n) = choice.n {
        return Ok(choice.sampler.value_at(choice.map_index(streams::to_index(word, n))));
    }
    if choice.sampler.is_multi_word() {
        return new_value(choice, stream.derive_child(word), row, |_| true);
    }
    let value = choice.sampler.draw_from_word(word, row);
    if choice.is_banned(&Val::Ref(&value)) {
        return new_value(choice, stream.derive_child(word), row, |_| true);
    }
    Ok(value)
}

/// Draws until a value is new and allowed by `except`; fails when the domain is exhausted.
pub(super) fn new_value(
    choice: &Choice<'_>,
    words: &mut Words,
    row: u64,
    is_new: impl Fn(&Value) -> bool,
) -> Res<Value> {
    let fits = |value: &Value| !choice.is_banned(&Val::Ref(value)) && is_new(value);
    for _ in 0..TRIES {
        let value = match choice.n {
            Some(n) => choice.sampler.value_at(choice.map_index(streams::to_index(streams::next(words), n))),
            None => choice.sampler.draw_from_words(words, row),
        };
        if fits(&value) {
            return Ok(value);
        }
    }
    // Unlucky or exhausted: a small domain is gone through in a drawn order.
    if let Sampler::Weighted { items, .. } = &*choice.sampler {
        if let Some((value, _)) = items.iter().find(|(value, weight)| *weight > 0 && fits(value)) {
            return Ok(value.clone());
        }
    } else if let Some(n) = choice.count_values().filter(|n| *n <= LISTED) {
        let order = Permutation::new(words, n, n as u64);
        if let Some(value) = (0..n as u64).filter_map(|at| choice.value_at(order.map_position(at))).find(fits) {
            return Ok(value);
        }
    }
    fail(FailureKind::ExhaustedDomain, "the domain has no value left that is allowed here")
}

/// Draws the value at a place of a group whose values all differ.
pub(super) fn draw_distinct_value(choice: &Choice<'_>, words: &mut Words, place: u32) -> Res<Value> {
    match choice.n {
        Some(n) if choice.sampler.is_injective_for(Counting::Values) => {
            if u128::from(place) >= n {
                let message = format!("`distinct` needs more than the {n} values that the domain has");
                return fail(FailureKind::ExhaustedDomain, message);
            }
            let permutation = Permutation::new(words, n, u64::from(place) + 1);
            Ok(choice.sampler.value_at(choice.map_index(permutation.map_position(place.into()))))
        }
        _ => {
            // Each place in turn, those in front first: a later place moves no earlier one.
            let mut values: Vec<Value> = Vec::new();
            for _ in 0..=place {
                let next = new_value(choice, words, 0, |value| !values.iter().any(|other| other.is_same(value)))?;
                values.push(next);
            }
            values.pop().map_or_else(|| fail(FailureKind::ExhaustedDomain, "the domain has no value"), Ok)
        }
    }
}
