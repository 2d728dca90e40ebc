//! The domain algebra: finite, indexed sets of values with a type, a size, a range.
//!
//! A [`Domain`] here is concrete: its bounds are known. Where a suite computes a bound, the plan holds a
//! [`crate::suite::DomainExpr`] and the runtime makes the concrete domain when the bound is known.
//! Every *indexed* domain is a bijection between `0..cardinality()` and its values, in a fixed order that the edition freezes.

use serde::{Deserialize, Serialize};

use crate::distribution::Distribution;
use crate::pattern::Pattern;
use crate::shared_list::SharedList;
use crate::{Date, DateTime, Decimal, Value, ValueType};

/// A set of values to draw from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Domain {
    /// `low`, `low + step`, … up to `high`.
    Int {
        /// The least.
        low: i64,
        /// The most (included if a multiple of `step` reaches it).
        high: i64,
        /// At least 1.
        step: i64,
    },
    /// As `Int`, in units of 10^−`places`.
    Decimal {
        /// The least.
        low: Decimal,
        /// The most.
        high: Decimal,
        /// More than 0.
        step: Decimal,
        /// Digits after the point of every value.
        places: u8,
    },
    /// Days.
    Date {
        /// The first.
        low: Date,
        /// The last.
        high: Date,
        /// In days, at least 1.
        step: i64,
    },
    /// Moments.
    DateTime {
        /// The first.
        low: DateTime,
        /// The last.
        high: DateTime,
        /// In seconds, at least 1.
        step: i64,
    },
    /// True with a probability of `per_million` in a million.
    Bool {
        /// 0 to 1,000,000.
        per_million: u32,
    },
    /// Each item as likely; no item twice; all of one type.
    OneOf {
        /// The items, at least one.
        items: SharedList<Value>,
    },
    /// Items with weights; no item twice; the sum of the weights fits 63 bits and is not 0.
    Weighted {
        /// The items and their weights.
        items: SharedList<(Value, u64)>,
    },
    /// Texts that a regular expression matches.
    Pattern(Pattern),
    /// Texts put together from fixed text and other domains' values, each drawn on its own.
    Template {
        /// In order.
        parts: Vec<TemplatePart>,
    },
    /// 1, 2, 3 …: row r has r. Not drawn.
    Serial,
    /// Blind text of `low..=high` units.
    Lorem {
        /// What is counted.
        unit: LoremUnit,
        /// The least number.
        low: u32,
        /// The most.
        high: u32,
    },
    /// A distribution, truncated to `low..=high` and rounded to a multiple of `step` from 0.
    Distributed {
        /// How likely each value is.
        distribution: Distribution,
        /// The least.
        low: Decimal,
        /// The most.
        high: Decimal,
        /// More than 0; its places are the values'.
        step: Decimal,
    },
    /// 1 to `n`, k with a probability proportional to 1/k.
    Zipf {
        /// At least 1, at most 1,000,000.
        n: u32,
    },
}

/// A part of a [`Domain::Template`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TemplatePart {
    /// Fixed.
    Text(String),
    /// Drawn.
    Domain(Box<Domain>),
}

crate::worded! {
    /// What a [`Domain::Lorem`] counts.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[allow(missing_docs)]
    pub enum LoremUnit {
        Words = "words",
        Sentences = "sentences",
        Paragraphs = "paragraphs",
        Lines = "lines",
    }
}

crate::words_in_json!(LoremUnit);

impl LoremUnit {
    /// Whether texts of such units have this character.
    pub fn has_char(self, char: char) -> bool {
        match self {
            LoremUnit::Words => char.is_ascii_lowercase() || char == ' ',
            LoremUnit::Sentences => char.is_ascii_alphabetic() || matches!(char, ' ' | '.'),
            LoremUnit::Lines | LoremUnit::Paragraphs => char.is_ascii_alphabetic() || matches!(char, ' ' | '.' | '\n'),
        }
    }
}

/// The share of what always happens, in millionths.
const CERTAIN: u32 = 1_000_000;

/// A share of a hundred in millionths; `None` outside of 0 to 100.
pub fn to_per_million(percent: Decimal) -> Option<u32> {
    let millionths = percent.checked_mul(Decimal::from_int(10_000))?.round_to(0)?.to_int()?;
    let within = percent >= Decimal::from_int(0) && percent <= Decimal::from_int(100);
    u32::try_from(millionths).ok().filter(|_| within)
}

impl Domain {
    /// The type of its values.
    pub fn value_type(&self) -> ValueType {
        match self {
            Domain::Int { .. } | Domain::Serial | Domain::Zipf { .. } => ValueType::Int,
            Domain::Decimal { places, .. } => ValueType::Decimal(*places),
            Domain::Date { .. } => ValueType::Date,
            Domain::DateTime { .. } => ValueType::DateTime,
            Domain::Bool { .. } => ValueType::Bool,
            Domain::OneOf { items } => items.first().map_or(ValueType::Text, infer_scalar_type),
            Domain::Weighted { items } => items.first().map_or(ValueType::Text, |(item, _)| infer_scalar_type(item)),
            Domain::Pattern(_) | Domain::Template { .. } | Domain::Lorem { .. } => ValueType::Text,
            Domain::Distributed { step, .. } => match step.places() {
                0 => ValueType::Int,
                places => ValueType::Decimal(places),
            },
        }
    }

    /// How many different values it has: `None` for what is not indexed (lorem, serial). Saturates at `u128::MAX`. 0 for an empty range.
    pub fn cardinality(&self) -> Option<u128> {
        Some(match self {
            Domain::Int { low, high, step } => count_steps(i128::from(*low), i128::from(*high), i128::from(*step)),
            Domain::Decimal { low, high, step, places } => {
                count_steps(to_units(*low, *places)?, to_units(*high, *places)?, to_units(*step, *places)?)
            }
            Domain::Date { low, high, step } => count_steps(low.0.into(), high.0.into(), (*step).into()),
            Domain::DateTime { low, high, step } => count_steps(low.0.into(), high.0.into(), (*step).into()),
            Domain::Bool { per_million } => {
                if matches!(per_million, 0 | 1_000_000) {
                    1
                } else {
                    2
                }
            }
            Domain::OneOf { items } => items.len() as u128,
            Domain::Weighted { items } => items.iter().filter(|(_, weight)| *weight > 0).count() as u128,
            Domain::Pattern(pattern) => pattern.count_texts(),
            Domain::Template { parts } => count_texts(parts)?,
            Domain::Distributed { low, high, step, .. } => {
                let (low, high, step, _) = align_to_step(*low, *high, *step)?;
                count_steps(low, high, step)
            }
            Domain::Zipf { n } => u128::from(*n),
            Domain::Serial | Domain::Lorem { .. } => return None,
        })
    }

    /// Whether every value is as likely as every other and reachable by its index: what `unique` and `distinct` permute.
    /// A template may render two indexes alike (`a` + `bc`, `ab` + `c`); [`Domain::is_injective`] tells.
    pub fn is_uniform(&self) -> bool {
        match self {
            Domain::Int { .. } | Domain::Decimal { .. } | Domain::Date { .. } | Domain::DateTime { .. } => true,
            Domain::OneOf { .. } | Domain::Pattern(_) => true,
            Domain::Template { parts } => parts.iter().all(|part| match part {
                TemplatePart::Text(_) => true,
                TemplatePart::Domain(domain) => domain.is_uniform(),
            }),
            Domain::Bool { per_million } => *per_million == 500_000,
            _ => false,
        }
    }

    /// One over the probability of its likeliest value: how many guesses a right one takes. `None` if that is not known.
    pub fn estimate_odds(&self) -> Option<f64> {
        match self {
            Domain::Weighted { items } => {
                let total: u64 = items.iter().map(|(_, weight)| *weight).sum();
                let likeliest = items.iter().map(|(_, weight)| *weight).max().unwrap_or(total);
                Some(total as f64 / likeliest.max(1) as f64)
            }
            Domain::Bool { per_million } => {
                let likeliest = (*per_million).max(CERTAIN.saturating_sub(*per_million));
                Some(f64::from(CERTAIN) / f64::from(likeliest))
            }
            Domain::Zipf { n } => Some((1..=*n).map(|k| 1.0 / f64::from(k)).sum()),
            _ if self.is_uniform() => self.cardinality().map(|n| n.max(1) as f64),
            _ => None,
        }
    }

    /// Whether different indexes surely give different values. A template does if its parts do, and if each drawn part
    /// but the last is followed by a text whose first character does not occur in any value of that part.
    pub fn is_injective(&self) -> bool {
        let Domain::Template { parts } = self else { return true };
        let drawn = |part: &TemplatePart| matches!(part, TemplatePart::Domain(_));
        let last = parts.iter().rposition(drawn);
        parts.iter().enumerate().all(|(at, part)| match part {
            TemplatePart::Text(_) => true,
            TemplatePart::Domain(domain) => {
                let apart = match parts.get(at + 1) {
                    Some(TemplatePart::Text(text)) => {
                        text.chars().next().is_some_and(|first| !domain.may_contain(first))
                    }
                    _ => false,
                };
                domain.is_injective() && (Some(at) == last || apart)
            }
        })
    }

    /// The value at `index` (below [`Domain::cardinality`]; a larger one wraps). `None` for what is not indexed, or empty.
    pub fn value_at(&self, index: u128) -> Option<Value> {
        let n = self.cardinality()?;
        if n == 0 {
            return None;
        }
        let index = index % n;
        Some(match self {
            Domain::Int { low, step, .. } => {
                Value::Int(i64::try_from(compute_nth((*low).into(), index, (*step).into())?).ok()?)
            }
            Domain::Decimal { low, step, places, .. } => {
                let at = compute_nth(to_units(*low, *places)?, index, to_units(*step, *places)?)?;
                Value::Decimal(Decimal::new(at, *places)?)
            }
            Domain::Date { low, step, .. } => Value::Date(Date((i64::from(low.0) + index as i64 * step) as i32)),
            Domain::DateTime { low, step, .. } => Value::DateTime(DateTime(low.0 + index as i64 * step)),
            Domain::Bool { per_million } => Value::Bool(if n == 1 { *per_million > 0 } else { index == 1 }),
            Domain::OneOf { items } => items.get(index as usize)?.clone(),
            Domain::Weighted { items } => items.iter().filter(|(_, weight)| *weight > 0).nth(index as usize)?.0.clone(),
            Domain::Pattern(pattern) => Value::Text(pattern.text_at(index)?),
            Domain::Template { .. } => {
                let mut out = String::new();
                self.write_at(index, &mut out);
                Value::Text(out)
            }
            Domain::Distributed { low, high, step, .. } => {
                let (first, _, by, places) = align_to_step(*low, *high, *step)?;
                build_number(Decimal::new(compute_nth(first, index, by)?, places)?, step.places())?
            }
            Domain::Zipf { .. } => Value::Int(index as i64 + 1),
            Domain::Serial | Domain::Lorem { .. } => return None,
        })
    }

    /// Appends the rendering of the value at `index` (below [`Domain::cardinality`]), without making a [`Value`] where that can be helped.
    pub fn write_at(&self, index: u128, out: &mut String) {
        match self {
            Domain::OneOf { items } => {
                if let Some(item) = items.get(index as usize) {
                    item.render_into(out);
                }
            }
            // Mixed radix, the last part fastest. If the product of the later parts saturates, no index reaches a
            // second value of this part: the first is right.
            Domain::Template { parts } => {
                let mut index = index;
                for (at, part) in parts.iter().enumerate() {
                    match part {
                        TemplatePart::Text(text) => out.push_str(text),
                        TemplatePart::Domain(domain) => {
                            let radix = parts.get(at + 1..).and_then(count_texts).unwrap_or(1).max(1);
                            domain.write_at(index / radix, out);
                            index %= radix;
                        }
                    }
                }
            }
            other => {
                if let Some(value) = other.value_at(index) {
                    value.render_into(out);
                }
            }
        }
    }

    /// The index of `value`, if it is one of the domain's (and the domain is indexed); `u128::MAX` for every value whose index is that or
    /// more. Of a template's indexes that render alike, the first.
    pub fn index_of(&self, value: &Value) -> Option<u128> {
        let n = self.cardinality()?;
        match (self, value) {
            (Domain::Int { low, step, .. }, value) => {
                find_index(value.as_decimal()?.to_int()?.into(), (*low).into(), (*step).into(), n)
            }
            (Domain::Decimal { low, step, places, .. }, value) => {
                let at = to_units(value.as_decimal()?, *places)?;
                find_index(at, to_units(*low, *places)?, to_units(*step, *places)?, n)
            }
            (Domain::Date { low, step, .. }, Value::Date(date)) => {
                find_index(date.0.into(), low.0.into(), (*step).into(), n)
            }
            (Domain::DateTime { low, step, .. }, Value::DateTime(at)) => {
                find_index(at.0.into(), low.0.into(), (*step).into(), n)
            }
            (Domain::OneOf { items }, value) => items.iter().position(|item| item.is_same(value)).map(|at| at as u128),
            (Domain::Weighted { items }, value) => items
                .iter()
                .filter(|(_, weight)| *weight > 0)
                .position(|(item, _)| item.is_same(value))
                .map(|at| at as u128),
            (Domain::Pattern(pattern), Value::Text(text)) => pattern.index_of(text),
            (Domain::Zipf { n }, value) => {
                let at = value.as_decimal()?.to_int()?;
                (1..=i64::from(*n)).contains(&at).then(|| at as u128 - 1)
            }
            (Domain::Template { parts }, Value::Text(text)) => find_template_index(parts, text),
            (Domain::Distributed { low, high, step, .. }, value) => {
                let (first, _, by, places) = align_to_step(*low, *high, *step)?;
                find_index(to_units(value.as_decimal()?, places)?, first, by, n)
            }
            (Domain::Bool { .. }, value) => {
                (0..n).find(|index| self.value_at(*index).is_some_and(|at| at.is_same(value)))
            }
            _ => None,
        }
    }

    /// Whether a value is one of the domain's. Of blind texts (lorem), all are that have their characters alone; the empty one only where they can
    /// be empty.
    pub fn has_value(&self, value: &Value) -> bool {
        match (self, value) {
            (Domain::Serial, value) => value.as_decimal().and_then(Decimal::to_int).is_some_and(|number| number >= 1),
            (Domain::Lorem { low, .. }, Value::Text(text)) if text.is_empty() => *low == 0,
            (Domain::Lorem { unit, .. }, Value::Text(text)) => text.chars().all(|char| unit.has_char(char)),
            _ => self.index_of(value).is_some(),
        }
    }

    /// The index of the value that renders as `text`.
    fn index_of_text(&self, text: &str) -> Option<u128> {
        let value = match self.value_type() {
            ValueType::Int => Value::Int(text.parse().ok()?),
            ValueType::Decimal(_) => Value::Decimal(text.parse().ok()?),
            ValueType::Date => Value::Date(Date::parse_iso(text)?),
            ValueType::DateTime => Value::DateTime(DateTime::parse_iso(text)?),
            ValueType::Text => return self.index_of(&Value::from_text(text)),
            // Few enough to be tried.
            ValueType::Bool | ValueType::Float | ValueType::Duration => {
                return self.list_values()?.iter().position(|value| value.render_text() == text).map(|at| at as u128);
            }
        };
        // `007` reads as 7 but is not how 7 is written.
        let index = self.index_of(&value)?;
        (self.value_at(index)?.render_text() == text).then_some(index)
    }

    /// Whether `char` can occur in the rendering of a value (a false "yes" does no harm).
    pub fn may_contain(&self, char: char) -> bool {
        match self {
            Domain::OneOf { items } => items.iter().any(|item| item.render_text().contains(char)),
            Domain::Weighted { items } => items.iter().any(|(item, _)| item.render_text().contains(char)),
            Domain::Pattern(pattern) => pattern.may_contain(char),
            Domain::Template { parts } => parts.iter().any(|part| match part {
                TemplatePart::Text(text) => text.contains(char),
                TemplatePart::Domain(domain) => domain.may_contain(char),
            }),
            Domain::Lorem { unit, .. } => unit.has_char(char),
            Domain::Bool { .. } => "truefalse".contains(char),
            Domain::DateTime { .. } => char.is_ascii_digit() || "-T:".contains(char),
            // Numbers and days.
            _ => char.is_ascii_digit() || "-.".contains(char),
        }
    }

    /// The least and the greatest value, where values have an order that the domain knows (numbers, days, moments, closed lists of them).
    /// `None` when it is empty or unordered.
    pub fn find_range(&self) -> Option<(Value, Value)> {
        let n = self.cardinality();
        match self {
            Domain::OneOf { .. } | Domain::Weighted { .. } => {
                let values = self.list_values()?;
                let (first, rest) = values.split_first()?;
                let ends = rest.iter().try_fold((first, first), |(low, high), value| {
                    let (below, above) = (value.compare_with(low)?.is_lt(), value.compare_with(high)?.is_gt());
                    Some((if below { value } else { low }, if above { value } else { high }))
                });
                ends.map(|(low, high)| (low.clone(), high.clone()))
            }
            Domain::Pattern(_) | Domain::Template { .. } | Domain::Lorem { .. } => None,
            Domain::Serial => Some((Value::Int(1), Value::Int(i64::MAX))),
            _ => {
                let n = n?;
                Some((self.value_at(0)?, self.value_at(n.checked_sub(1)?)?))
            }
        }
    }

    /// All values in index order, if it is a closed list or has at most 4,096 values.
    pub fn list_values(&self) -> Option<SharedList<Value>> {
        const MAX_VALUES: u128 = 4096;
        match self {
            Domain::OneOf { items } => return Some(items.clone()),
            Domain::Weighted { items } => {
                return Some(items.iter().filter(|(_, weight)| *weight > 0).map(|(item, _)| item.clone()).collect());
            }
            _ => {}
        }
        let n = self.cardinality().filter(|n| *n <= MAX_VALUES)?;
        (0..n).map(|index| self.value_at(index)).collect()
    }
}

/// The type of a closed list's item (lists and objects count as text: `check` refuses them).
fn infer_scalar_type(value: &Value) -> ValueType {
    match value {
        Value::Int(_) => ValueType::Int,
        Value::Decimal(value) => ValueType::Decimal(value.places()),
        Value::Float(_) => ValueType::Float,
        Value::Bool(_) => ValueType::Bool,
        Value::Date(_) => ValueType::Date,
        Value::DateTime(_) => ValueType::DateTime,
        Value::Duration(_) => ValueType::Duration,
        _ => ValueType::Text,
    }
}

/// An int if `places` is 0, else a decimal with this number of places.
fn build_number(value: Decimal, places: u8) -> Option<Value> {
    if places == 0 { value.to_int().map(Value::Int) } else { value.with_places(places).map(Value::Decimal) }
}

fn to_units(value: Decimal, places: u8) -> Option<i128> {
    Some(value.with_places(places)?.units())
}

/// How many of `low`, `low + step`, … are at most `high`; saturating.
fn count_steps(low: i128, high: i128, step: i128) -> u128 {
    if high < low || step < 1 { 0 } else { (high.abs_diff(low) / step.unsigned_abs()).saturating_add(1) }
}

/// `low + index · step`, where that is at most some `high` that is an `i128`.
fn compute_nth(low: i128, index: u128, step: i128) -> Option<i128> {
    low.checked_add_unsigned(index.checked_mul(step.unsigned_abs())?)
}

/// The index of `at` among the `n` values `low`, `low + step`, …
fn find_index(at: i128, low: i128, step: i128, n: u128) -> Option<u128> {
    if at < low || step < 1 {
        return None;
    }
    let (offset, step) = (at.abs_diff(low), step.unsigned_abs());
    (offset % step == 0 && offset / step < n).then(|| offset / step)
}

/// Of a rounded domain: the least multiple of `step` from `low` on, the highest value allowed, the step, all in units of 10^−places, and
/// the places.
fn align_to_step(low: Decimal, high: Decimal, step: Decimal) -> Option<(i128, i128, i128, u8)> {
    let places = low.places().max(high.places()).max(step.places());
    let (low, high, step) = (to_units(low, places)?, to_units(high, places)?, to_units(step, places)?);
    if step < 1 {
        return None;
    }
    let up = i128::from(low.rem_euclid(step) != 0);
    Some((low.div_euclid(step).checked_add(up)?.checked_mul(step)?, high, step, places))
}

/// How many texts these parts have together; saturating. `None` where one of them is not indexed.
fn count_texts(parts: &[TemplatePart]) -> Option<u128> {
    parts.iter().try_fold(1u128, |product, part| match part {
        TemplatePart::Text(_) => Some(product),
        TemplatePart::Domain(domain) => Some(product.saturating_mul(domain.cardinality()?)),
    })
}

/// The first index whose rendering is `text`, by trying where each part's value could end; saturating.
fn find_template_index(parts: &[TemplatePart], text: &str) -> Option<u128> {
    let Some((first, rest)) = parts.split_first() else { return text.is_empty().then_some(0) };
    match first {
        TemplatePart::Text(fixed) => find_template_index(rest, text.strip_prefix(fixed.as_str())?),
        TemplatePart::Domain(domain) => {
            let radix = count_texts(rest)?;
            (0..=text.len())
                .filter_map(|at| {
                    let (head, tail) = text.split_at_checked(at)?;
                    Some(
                        domain
                            .index_of_text(head)?
                            .saturating_mul(radix)
                            .saturating_add(find_template_index(rest, tail)?),
                    )
                })
                .min()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn int_counts_from_its_low_end() {
        let domain = Domain::Int { low: 30_000, high: 80_500, step: 1000 };
        assert_eq!(domain.cardinality(), Some(51));
        assert_eq!(domain.value_at(50), Some(Value::Int(80_000)));
        assert_eq!(domain.index_of(&Value::Int(31_000)), Some(1));
        assert_eq!(domain.index_of(&Value::Int(31_500)), None);
    }

    #[test]
    fn the_widest_int_range_is_counted() {
        let domain = Domain::Int { low: i64::MIN, high: i64::MAX, step: 1 };
        assert_eq!(domain.cardinality(), Some(1 << 64));
        assert_eq!(domain.value_at((1 << 64) - 1), Some(Value::Int(i64::MAX)));
    }

    #[test]
    fn templates_are_mixed_radix() {
        let words =
            |items: &[&str]| Domain::OneOf { items: items.iter().map(|item| Value::from_text(*item)).collect() };
        let domain = Domain::Template {
            parts: vec![
                TemplatePart::Domain(Box::new(words(&["Ann", "Bob", "Cy"]))),
                TemplatePart::Text(" ".into()),
                TemplatePart::Domain(Box::new(words(&["Lee", "Ray"]))),
            ],
        };
        assert_eq!(domain.cardinality(), Some(6));
        for index in 0..6 {
            let value = domain.value_at(index).unwrap();
            assert_eq!(domain.index_of(&value), Some(index), "{value:?}");
        }
        assert!(domain.is_injective());
    }

    #[test]
    fn normal_keeps_to_multiples_within_its_bounds() {
        let d = |text: &str| text.parse().unwrap();
        let distribution = Distribution::Normal { mean: 0.0, sd: 1.0 };
        let domain = Domain::Distributed { distribution, low: d("-0.3"), high: d("1"), step: d("0.25") };
        let values: Vec<_> =
            domain.list_values().unwrap().iter().map(|value| value.render_text().into_owned()).collect();
        assert_eq!(values, ["-0.25", "0.00", "0.25", "0.50", "0.75", "1.00"]);
    }
}
