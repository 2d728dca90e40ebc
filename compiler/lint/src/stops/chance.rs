//! How the draws of an imagined sample are chosen: by numbers that follow from a seed, so every check of a suite imagines the same samples.

use model::domain::TemplatePart;
use model::{Decimal, Domain, Value};

/// Mixes numbers into one that looks random (SplitMix64).
pub(super) fn mix(parts: &[u64]) -> u64 {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    for part in parts {
        state = (state ^ part).wrapping_add(0x9e37_79b9_7f4a_7c15);
        state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        state ^= state >> 31;
    }
    state
}

/// Whether an event with this chance in a million happens for a number of [`mix`].
pub(super) fn happens(word: u64, per_million: u32) -> bool {
    word % 1_000_000 < u64::from(per_million)
}

/// A number below `n` for a number of [`mix`].
pub(super) fn choose_below(word: u64, n: u128) -> u128 {
    if n == 0 { 0 } else { u128::from(mix(&[word])) % n }
}

/// How a draw chooses among its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pick {
    /// The first value, which is the lowest of a range.
    First,
    /// The last value.
    Last,
    /// One of the values that the source compares with, if the domain has any of them.
    Hint(u64),
    /// As a build does.
    Drawn(u64),
}

impl Pick {
    /// Chooses ends and hints often, because builds stop there.
    pub(super) fn from_word(word: u64) -> Pick {
        match word % 8 {
            0 | 1 => Pick::First,
            2 | 3 => Pick::Last,
            4 | 5 => Pick::Hint(word >> 8),
            _ => Pick::Drawn(word >> 8),
        }
    }
}

/// A value of a domain. `None` for one whose values only a build makes, and for an empty one.
pub(super) fn pick_value(domain: &Domain, pick: Pick, hints: &[Value]) -> Option<Value> {
    let n = domain.cardinality()?;
    match pick {
        Pick::First => draw_by_place(domain, 0.0).or_else(|| domain.value_at(0)),
        Pick::Last => draw_by_place(domain, 1.0).or_else(|| domain.value_at(n.checked_sub(1)?)),
        Pick::Hint(word) if !hints.is_empty() => hints.get(choose_below(word, hints.len() as u128) as usize).cloned(),
        Pick::Hint(word) | Pick::Drawn(word) => draw_value(domain, word),
    }
}

/// A value of a domain, each about as likely as in a build.
pub(super) fn draw_value(domain: &Domain, word: u64) -> Option<Value> {
    match domain {
        Domain::Bool { per_million } => Some(Value::Bool(happens(mix(&[word]), *per_million))),
        Domain::Weighted { items } => {
            let all: u64 = items.iter().map(|(_, weight)| *weight).sum();
            let mut left = choose_below(word, u128::from(all)) as u64;
            let mut found = items.iter().filter(|(_, weight)| match left.checked_sub(*weight) {
                Some(rest) => {
                    left = rest;
                    false
                }
                None => true,
            });
            found.next().map(|(value, _)| value.clone())
        }
        Domain::Template { parts } => {
            let mut text = String::new();
            for (at, part) in parts.iter().enumerate() {
                match part {
                    TemplatePart::Text(fixed) => text.push_str(fixed),
                    TemplatePart::Domain(domain) => {
                        draw_value(domain, mix(&[word, at as u64]))?.render_into(&mut text);
                    }
                }
            }
            Some(Value::Text(text))
        }
        _ => {
            let place = (mix(&[word]) % 10_001) as f64 / 10_000.0;
            draw_by_place(domain, place).or_else(|| domain.value_at(choose_below(word, domain.cardinality()?)))
        }
    }
}

/// A value of a domain whose ends are hardly ever drawn, at a place between 0 and 1 among those that are. `None` for other domains.
fn draw_by_place(domain: &Domain, place: f64) -> Option<Value> {
    match domain {
        Domain::Distributed { distribution, low, high, step } => {
            let wanted = distribution.to_value(place * 5.0 - 2.5).clamp(low.to_f64(), high.to_f64());
            let steps = (wanted / step.to_f64()).round();
            let nearest = Decimal::from_f64(steps * step.to_f64(), step.places())?;
            let index = domain.index_of(&Value::Decimal(nearest))?;
            domain.value_at(index)
        }
        Domain::Zipf { n } => Some(Value::Int(libm::floor(libm::pow(f64::from(*n), place)) as i64)),
        _ => None,
    }
}

/// Whether a value of a domain is one that builds draw: the ends of a curve hardly ever are.
pub(super) fn is_ever_drawn(domain: &Domain, value: &Value) -> bool {
    match domain {
        Domain::Distributed { distribution, .. } => {
            value.as_f64().is_some_and(|value| distribution.to_z_score(value).abs() <= 3.0)
        }
        _ => true,
    }
}

/// The chance of a value of a domain to be drawn, at least about.
pub(super) fn estimate_chance(domain: &Domain, value: &Value) -> f64 {
    match domain {
        Domain::Bool { per_million } => {
            let share = f64::from(*per_million) / 1_000_000.0;
            if *value == Value::Bool(true) { share } else { 1.0 - share }
        }
        Domain::Weighted { items } => {
            let all: u64 = items.iter().map(|(_, weight)| *weight).sum();
            let own = items.iter().find(|(item, _)| item.is_same(value)).map_or(0, |(_, weight)| *weight);
            own as f64 / all.max(1) as f64
        }
        _ => domain.cardinality().map_or(0.0, |n| 1.0 / n.max(1) as f64),
    }
}
