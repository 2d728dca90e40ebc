//! Checks whether values belong to a domain. The same check is made for every cell of a column, so it is prepared once.

use std::collections::HashSet;

use model::domain::iter_drawn;
use model::{Domain, Value};

/// The reason why a value does not belong to a domain.
#[derive(Clone, Debug, PartialEq)]
pub enum DomainViolation {
    /// It is less than this minimum.
    Below(Value),
    /// It is greater than this maximum.
    Above(Value),
    /// It is between two steps.
    Step,
    /// It is not in the list.
    List,
    /// It does not match the pattern or the template.
    Pattern,
}

/// Checks values against a domain.
#[derive(Debug)]
pub struct DomainChecker<'d> {
    domain: &'d Domain,
    /// The texts of a closed list.
    texts: Option<HashSet<&'d str>>,
    range: Option<(Value, Value)>,
}

impl<'d> DomainChecker<'d> {
    /// Prepares the check of a domain.
    pub fn new(domain: &'d Domain) -> DomainChecker<'d> {
        let texts = match domain {
            Domain::OneOf { items } => items.iter().map(Value::as_text).collect(),
            Domain::Weighted { items } => iter_drawn(items).map(Value::as_text).collect(),
            _ => None,
        };
        let range = match domain {
            Domain::OneOf { .. } | Domain::Weighted { .. } => None,
            _ => domain.find_range(),
        };
        DomainChecker { domain, texts, range }
    }

    /// Checks whether a value belongs to the domain. Null does not belong to any domain; the column's `missing` decides about it.
    ///
    /// ```
    /// use model::{Domain, Value};
    /// use tables::{DomainChecker, DomainViolation};
    ///
    /// let quantity = Domain::Int { low: 10, high: 100, step: 10 };
    /// let checker = DomainChecker::new(&quantity);
    /// assert_eq!(checker.check_value(&Value::Int(20)), Ok(()));
    /// assert_eq!(checker.check_value(&Value::Int(25)), Err(DomainViolation::Step));
    /// assert_eq!(checker.check_value(&Value::Int(110)), Err(DomainViolation::Above(Value::Int(100))));
    /// let status = Domain::OneOf { items: vec![Value::from_text("open"), Value::from_text("paid")].into() };
    /// assert_eq!(DomainChecker::new(&status).check_value(&Value::from_text("Open")), Err(DomainViolation::List));
    /// ```
    pub fn check_value(&self, value: &Value) -> Result<(), DomainViolation> {
        match (&self.texts, value) {
            (Some(texts), Value::Text(text)) => {
                return if texts.contains(text.as_str()) { Ok(()) } else { Err(DomainViolation::List) };
            }
            _ if self.domain.has_value(value) => return Ok(()),
            _ => {}
        }
        Err(match (&self.range, self.domain) {
            (Some((low, _)), _) if value.compare_with(low).is_some_and(|order| order.is_lt()) => {
                DomainViolation::Below(low.clone())
            }
            (Some((_, high)), _) if value.compare_with(high).is_some_and(|order| order.is_gt()) => {
                DomainViolation::Above(high.clone())
            }
            (_, Domain::OneOf { .. } | Domain::Weighted { .. } | Domain::Bool { .. }) => DomainViolation::List,
            (_, Domain::Pattern(_) | Domain::Template { .. }) => DomainViolation::Pattern,
            _ => DomainViolation::Step,
        })
    }
}

#[cfg(test)]
mod tests {
    use model::pattern::Pattern;

    use super::*;

    #[test]
    fn a_value_is_outside_for_a_reason() {
        let decimal = |text: &str| Value::Decimal(text.parse().expect("a decimal"));
        let years = Domain::Int { low: 1900, high: 2025, step: 5 };
        let words = Domain::OneOf { items: ["a", "b"].into_iter().map(Value::from_text).collect() };
        let codes = Domain::Pattern(Pattern::new("[A-Z]{2}").expect("a pattern"));
        let shares = Domain::Decimal {
            low: "0.0".parse().expect("a decimal"),
            high: "1.0".parse().expect("a decimal"),
            step: "0.1".parse().expect("a decimal"),
            places: 1,
        };
        for (domain, value, outside) in [
            (&years, Value::Int(1900), Ok(())),
            (&years, Value::Int(2025), Ok(())),
            (&years, Value::Int(1899), Err(DomainViolation::Below(Value::Int(1900)))),
            (&years, Value::Int(2030), Err(DomainViolation::Above(Value::Int(2025)))),
            (&years, Value::Int(1901), Err(DomainViolation::Step)),
            (&words, Value::from_text("b"), Ok(())),
            (&words, Value::from_text("B"), Err(DomainViolation::List)),
            (&codes, Value::from_text("XY"), Ok(())),
            (&codes, Value::from_text("XYZ"), Err(DomainViolation::Pattern)),
            (&shares, decimal("0.50"), Ok(())),
            (&shares, decimal("0.55"), Err(DomainViolation::Step)),
            (&shares, decimal("1.01"), Err(DomainViolation::Above(decimal("1.0")))),
            (&Domain::Serial, Value::Int(1), Ok(())),
            (&Domain::Serial, Value::Int(0), Err(DomainViolation::Below(Value::Int(1)))),
        ] {
            assert_eq!(DomainChecker::new(domain).check_value(&value), outside, "{value:?}");
        }
    }
}
