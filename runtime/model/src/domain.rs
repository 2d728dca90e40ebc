//! The domain algebra: finite, indexed sets of values with a type, a size, a range.
//!
//! A [`Domain`] here is concrete: its bounds are known. Where a suite computes a bound, the plan holds a
//! [`crate::suite::DomainExpr`] and the runtime makes the concrete domain when the bound is known.
//! Every *indexed* domain is a bijection between `0..cardinality()` and its values ([`Domain::value_at`], [`Domain::index_of`]).

use serde::{Deserialize, Serialize};

use crate::distribution::Distribution;
use crate::pattern::Pattern;
use crate::shared_list::SharedList;
use crate::steps::Steps;
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

/// The share of a certain event, in millionths.
const CERTAIN: u32 = 1_000_000;

/// Converts a percentage to millionths; `None` outside of 0 to 100.
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
            Domain::OneOf { items } => items.first().and_then(Value::value_type).unwrap_or(ValueType::Text),
            Domain::Weighted { items } => {
                items.first().and_then(|(item, _)| item.value_type()).unwrap_or(ValueType::Text)
            }
            Domain::Pattern(_) | Domain::Template { .. } | Domain::Lorem { .. } => ValueType::Text,
            Domain::Distributed { step, .. } => match step.places() {
                0 => ValueType::Int,
                places => ValueType::Decimal(places),
            },
        }
    }

    /// How many different values it has: `None` for a domain that is not indexed (lorem, serial). Saturates at `u128::MAX`. 0 for an empty range.
    ///
    /// ```
    /// use model::{Domain, Value};
    ///
    /// // 1, 4, 7, 10: no multiple of the step reaches 12.
    /// let domain = Domain::Int { low: 1, high: 12, step: 3 };
    /// assert_eq!(domain.cardinality(), Some(4));
    /// assert_eq!(domain.find_range(), Some((Value::Int(1), Value::Int(10))));
    /// assert!(domain.has_value(&Value::Int(7)) && !domain.has_value(&Value::Int(12)));
    /// // An empty range has no value; a serial number has no end.
    /// assert_eq!(Domain::Int { low: 5, high: 4, step: 1 }.cardinality(), Some(0));
    /// assert_eq!(Domain::Serial.cardinality(), None);
    /// ```
    pub fn cardinality(&self) -> Option<u128> {
        Some(match self {
            Domain::Bool { per_million } => {
                if matches!(per_million, 0 | 1_000_000) {
                    1
                } else {
                    2
                }
            }
            Domain::OneOf { items } => items.len() as u128,
            Domain::Weighted { items } => iter_drawn(items).count() as u128,
            Domain::Pattern(pattern) => pattern.count_texts(),
            Domain::Template { parts } => count_texts(parts)?,
            Domain::Zipf { n } => u128::from(*n),
            Domain::Serial | Domain::Lorem { .. } => return None,
            _ => self.to_steps()?.n,
        })
    }

    /// Its values as steps, if they are numbers, days or moments between bounds. Those of a distribution are decimals here.
    pub fn to_steps(&self) -> Option<Steps> {
        match self {
            Domain::Int { low, high, step } => Some(Steps::new(ValueType::Int, *low, *high, *step)),
            Domain::Decimal { low, high, step, places } => Steps::new_decimal(*places, *low, *high, *step),
            Domain::Date { low, high, step } => Some(Steps::new(ValueType::Date, low.0, high.0, *step)),
            Domain::DateTime { low, high, step } => Some(Steps::new(ValueType::DateTime, low.0, high.0, *step)),
            Domain::Distributed { low, high, step, .. } => Steps::new_multiples(*low, *high, *step),
            _ => None,
        }
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
    ///
    /// ```
    /// use model::{Domain, Value};
    ///
    /// let dice = Domain::Int { low: 1, high: 6, step: 1 };
    /// assert_eq!(dice.estimate_odds(), Some(6.0));
    /// let skewed = vec![(Value::from_text("open"), 9), (Value::from_text("paid"), 1)];
    /// let odds = Domain::Weighted { items: skewed.into() }.estimate_odds().expect("known");
    /// assert!((odds - 10.0 / 9.0).abs() < 1e-12, "who always says `open` is right nine times out of ten");
    /// ```
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
    ///
    /// ```
    /// use model::Domain;
    /// use model::domain::TemplatePart;
    ///
    /// let number = || TemplatePart::Domain(Box::new(Domain::Int { low: 1, high: 99, step: 1 }));
    /// let text = |text: &str| TemplatePart::Text(text.to_owned());
    /// // `1` and `23` together are `123`, and so are `12` and `3`.
    /// assert!(!Domain::Template { parts: vec![number(), number()] }.is_injective());
    /// assert!(Domain::Template { parts: vec![number(), text("/"), number()] }.is_injective());
    /// // A minus may be part of a number.
    /// assert!(!Domain::Template { parts: vec![number(), text("-"), number()] }.is_injective());
    /// ```
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

    /// Whether a value is one of the domain's. Blind text (lorem) has every text that consists of its characters; the empty one only where its
    /// texts can be empty.
    pub fn has_value(&self, value: &Value) -> bool {
        match (self, value) {
            (Domain::Serial, value) => value.as_decimal().and_then(Decimal::to_int).is_some_and(|number| number >= 1),
            (Domain::Lorem { low, .. }, Value::Text(text)) if text.is_empty() => *low == 0,
            (Domain::Lorem { unit, .. }, Value::Text(text)) => text.chars().all(|char| unit.has_char(char)),
            _ => self.index_of(value).is_some(),
        }
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
            Domain::Weighted { items } => return Some(iter_drawn(items).cloned().collect()),
            _ => {}
        }
        let n = self.cardinality().filter(|n| *n <= MAX_VALUES)?;
        // The most frequent numbers, without the arithmetic of all steps. The sum fits; the product alone may not.
        if let Domain::Int { low, step, .. } = self {
            let value_at = |index: i64| low.wrapping_add(index.wrapping_mul(*step));
            return Some((0..n as i64).map(|index| Value::Int(value_at(index))).collect());
        }
        match self.to_steps() {
            Some(steps) if !matches!(self, Domain::Distributed { .. }) => {
                (0..n).map(|index| steps.value_at(index)).collect()
            }
            _ => (0..n).map(|index| self.value_at(index)).collect(),
        }
    }
}

/// Iterates over the items that are drawn at all: those with a weight.
pub fn iter_drawn(items: &[(Value, u64)]) -> impl Iterator<Item = &Value> {
    items.iter().filter(|(_, weight)| *weight > 0).map(|(item, _)| item)
}

/// Counts the texts that these parts have together; saturating. `None` where a part is not indexed.
pub(crate) fn count_texts(parts: &[TemplatePart]) -> Option<u128> {
    parts.iter().try_fold(1u128, |product, part| match part {
        TemplatePart::Text(_) => Some(product),
        TemplatePart::Domain(domain) => Some(product.saturating_mul(domain.cardinality()?)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

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
