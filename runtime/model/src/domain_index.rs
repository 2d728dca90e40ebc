//! The index of a domain: the bijection between `0..cardinality()` and the domain's values, in a fixed order that the edition freezes.

use crate::domain::{Domain, TemplatePart, count_texts, iter_drawn};
use crate::{Date, DateTime, Decimal, Value, ValueType};

impl Domain {
    /// The value at `index` (below [`Domain::cardinality`]; a larger one wraps). `None` for a domain that is empty or not indexed.
    ///
    /// ```
    /// use model::{Date, Domain, Value};
    ///
    /// let date = |text| Date::parse_iso(text).unwrap();
    /// let weeks = Domain::Date { low: date("2024-01-01"), high: date("2024-12-31"), step: 7 };
    /// let second = Value::Date(date("2024-01-08"));
    /// assert_eq!(weeks.value_at(1), Some(second.clone()));
    /// assert_eq!(weeks.index_of(&second), Some(1));
    /// assert_eq!(weeks.index_of(&Value::Date(date("2024-01-09"))), None);
    /// ```
    pub fn value_at(&self, index: u128) -> Option<Value> {
        let n = self.cardinality()?;
        if n == 0 {
            return None;
        }
        let index = index % n;
        Some(match self {
            Domain::Bool { per_million } => Value::Bool(if n == 1 { *per_million > 0 } else { index == 1 }),
            Domain::OneOf { items } => items.get(index as usize)?.clone(),
            Domain::Weighted { items } => iter_drawn(items).nth(index as usize)?.clone(),
            Domain::Pattern(pattern) => Value::Text(pattern.text_at(index)?),
            Domain::Template { .. } => {
                let mut out = String::new();
                self.write_at(index, &mut out);
                Value::Text(out)
            }
            Domain::Distributed { step, .. } => {
                build_number(self.to_steps()?.value_at(index)?.as_decimal()?, step.places())?
            }
            Domain::Zipf { .. } => Value::Int(index as i64 + 1),
            _ => self.to_steps()?.value_at(index)?,
        })
    }

    /// Appends the rendering of the value at `index` (below [`Domain::cardinality`]), without making a [`Value`] where possible.
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
    /// more. Where several indexes of a template render alike, the first.
    pub fn index_of(&self, value: &Value) -> Option<u128> {
        let n = self.cardinality()?;
        match (self, value) {
            (Domain::OneOf { items }, value) => items.iter().position(|item| item.is_same(value)).map(|at| at as u128),
            (Domain::Weighted { items }, value) => {
                iter_drawn(items).position(|item| item.is_same(value)).map(|at| at as u128)
            }
            (Domain::Pattern(pattern), Value::Text(text)) => pattern.index_of(text),
            (Domain::Zipf { n }, value) => {
                let at = value.as_decimal()?.to_int()?;
                (1..=i64::from(*n)).contains(&at).then(|| at as u128 - 1)
            }
            (Domain::Template { parts }, Value::Text(text)) => find_template_index(parts, text),
            (Domain::Bool { .. }, value) => {
                (0..n).find(|index| self.value_at(*index).is_some_and(|at| at.is_same(value)))
            }
            _ => self.to_steps()?.index_of(value),
        }
    }

    /// Finds the index of the value that renders as `text`.
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
}

/// Makes an int if `places` is 0, else a decimal with this number of places.
fn build_number(value: Decimal, places: u8) -> Option<Value> {
    if places == 0 { value.to_int().map(Value::Int) } else { value.with_places(places).map(Value::Decimal) }
}

/// Finds the first index whose rendering is `text`, by trying where each part's value could end; saturating.
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
}
