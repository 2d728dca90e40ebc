//! Amounts of money: the cost of an answer, and the price of tokens. The user knows the currency.

use std::fmt;
use std::str::FromStr;

use model::decimal::Decimal;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value as Json;

use crate::Error;

/// An amount from 0 to 1,000,000, exact to 12 digits after the point; serialized as decimal text (`"0.000125"`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Money(u64);

impl Money {
    /// The amount 0.
    pub const NOTHING: Money = Money(0);

    /// Maximum number of digits after the point.
    pub const PLACES: u8 = 12;

    /// Number of units, of 10⁻¹² each, in an amount of 1.
    pub const UNITS: u64 = 1_000_000_000_000;

    /// Maximum cost of a single answer.
    const MAX_UNITS: u64 = 1_000_000 * Money::UNITS;

    /// Returns the amount in units: see [`Money::UNITS`].
    pub fn units(self) -> u64 {
        self.0
    }

    /// Converts JSON: a number, or a decimal as text. Digits beyond the twelfth after the point are rounded, with halves rounded up. `None` for other
    /// JSON, and for numbers less than 0 or greater than 1,000,000.
    ///
    /// ```
    /// use records::Money;
    /// use serde_json::json;
    ///
    /// let read = |json| Money::from_json(&json).map(|money| money.to_string());
    /// assert_eq!(read(json!("0.000125")).as_deref(), Some("0.000125"));
    /// // A double is read by its shortest form, so nothing is added to it.
    /// assert_eq!(read(json!(0.1)).as_deref(), Some("0.1"));
    /// for other in [json!(-1), json!(2_000_000), json!("1e3"), json!(null)] {
    ///     assert_eq!(Money::from_json(&other), None, "{other}");
    /// }
    /// ```
    pub fn from_json(json: &Json) -> Option<Money> {
        match json {
            Json::Number(number) => Money::from_decimal(Decimal::from_f64(number.as_f64()?, Money::PLACES)?),
            Json::String(text) => Money::from_decimal(text.parse().ok()?),
            _ => None,
        }
    }

    /// Adds; `None` if the sum exceeds the maximum.
    pub fn checked_add(self, other: Money) -> Option<Money> {
        Money::from_units(u128::from(self.0) + u128::from(other.0))
    }

    fn from_decimal(decimal: Decimal) -> Option<Money> {
        Money::from_units(u128::try_from(decimal.round_to(Money::PLACES)?.units()).ok()?)
    }

    fn from_units(units: u128) -> Option<Money> {
        u64::try_from(units).ok().filter(|units| *units <= Money::MAX_UNITS).map(Money)
    }
}

/// Renders `0.25`, without trailing zeros.
impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The number of places never exceeds that of a decimal.
        Decimal::new(i128::from(self.0), Money::PLACES).unwrap_or_default().without_trailing_zeros().fmt(f)
    }
}

impl Serialize for Money {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Money {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Money, D::Error> {
        let decimal = Decimal::deserialize(deserializer)?;
        Money::from_decimal(decimal).ok_or_else(|| serde::de::Error::custom("not an amount of 0 to 1000000"))
    }
}

/// The price of a million tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Price {
    /// For tokens in the prompt.
    prompt: Decimal,
    /// For tokens in the completion.
    completion: Decimal,
}

impl Price {
    /// Computes the cost of these numbers of tokens; `None` if it exceeds the maximum amount.
    ///
    /// ```
    /// use records::Price;
    ///
    /// // For each million tokens: 0.15 for those read, 0.60 for those written.
    /// let price: Price = "0.15/0.6".parse().expect("a price");
    /// let cost = price.compute_cost(1_200, 350).expect("an amount");
    /// assert_eq!(cost.to_string(), "0.00039");
    /// for other in ["0.15", "0.15/", "-1/1", "0.0000001/1"] {
    ///     assert!(other.parse::<Price>().is_err(), "{other}");
    /// }
    /// ```
    pub fn compute_cost(self, prompt: u64, completion: u64) -> Option<Money> {
        let part = |price: Decimal, tokens: u64| Some(price.with_places(6)?.units() as u128 * u128::from(tokens));
        // Millionths for each of a million tokens are units of an amount.
        Money::from_units(part(self.prompt, prompt)?.checked_add(part(self.completion, completion)?)?)
    }
}

/// Renders `IN/OUT`, as in the option.
impl fmt::Display for Price {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.prompt, self.completion)
    }
}

impl FromStr for Price {
    type Err = Error;

    /// Parses `0.15/0.6`: two decimals from 0 to 1,000,000 with at most six digits after the point.
    fn from_str(text: &str) -> Result<Price, Error> {
        let (prompt, completion) = text.split_once('/').ok_or_else(|| {
            let form =
                "it must be IN/OUT: what a million tokens read and a million tokens written cost, such as 0.15/0.6";
            Error::new_usage(form)
        })?;
        let one = |text: &str| {
            text.parse::<Decimal>()
                .ok()
                .filter(|price| price.places() <= 6 && !text.starts_with('-') && *price <= Decimal::from_int(1_000_000))
                .ok_or_else(|| {
                    Error::new_usage(format!(
                        "`{text}` is not a price: write a decimal of 0 to 1000000 with at most 6 digits after the point"
                    ))
                })
        };
        Ok(Price { prompt: one(prompt)?, completion: one(completion)? })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn amounts() {
        let told = |json: Json| Money::from_json(&json).map(|money| money.to_string());
        for (json, text) in [
            (json!(0.000095), "0.000095"),
            (json!(9.5e-5), "0.000095"),
            (json!(0), "0"),
            (json!(3), "3"),
            (json!("0.25"), "0.25"),
            (json!(0.000_000_000_000_5), "0.000000000001"),
            (json!(1_000_000), "1000000"),
        ] {
            assert_eq!(told(json).as_deref(), Some(text));
        }
        for json in [json!(null), json!(-0.1), json!(1e300), json!("much"), json!(1_000_000.5), json!([1]), json!("-1")]
        {
            assert_eq!(told(json.clone()), None, "{json}");
        }
    }

    #[test]
    fn amounts_are_written_as_text_and_read_again() {
        for units in [0, 1, 250_000_000_000, 10, Money::MAX_UNITS] {
            let text = serde_json::to_string(&Money(units)).expect("JSON");
            assert!(text.starts_with('"'), "{text}");
            assert_eq!(serde_json::from_str::<Money>(&text).ok(), Some(Money(units)));
        }
        assert!(serde_json::from_str::<Money>("\"-1\"").is_err());
        assert_eq!(Money(Money::MAX_UNITS).checked_add(Money(1)), None);
    }

    #[test]
    fn prices() {
        let price = |text: &str| text.parse::<Price>();
        let told = price("0.15/0.6").expect("a price");
        assert_eq!(told.compute_cost(1_000, 100).map(|money| money.to_string()).as_deref(), Some("0.00021"));
        assert_eq!(told.compute_cost(1, 0).map(|money| money.to_string()).as_deref(), Some("0.00000015"));
        assert_eq!(told.compute_cost(0, 0), Some(Money::NOTHING));
        assert_eq!(told.compute_cost(u64::MAX, u64::MAX), None);
        assert_eq!(price("0.000001/1000000").map(|price| price.to_string()).as_deref(), Ok("0.000001/1000000"));
        for bad in
            ["", "1", "1/", "/1", "-1/1", "1/-0", "1/2/3", "1e3/1", "0.0000001/1", "1000001/1", "$1/$2", "1, 2", " 1/2"]
        {
            assert!(price(bad).is_err(), "{bad}");
        }
    }
}
