//! Numbers as people write them: in a reply that a scorer reads, or in a cell of a real file. A text is parsed as a whole; numbers inside of text are
//! not searched for.

use crate::Decimal;
use crate::decimal::MAX_PLACES;

/// A number as written, without sign and currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written<'t> {
    /// Whether it has a minus sign.
    pub negative: bool,
    /// The digits before the point, optionally grouped in threes by commas; may be empty.
    pub whole: &'t str,
    /// The digits after the point.
    pub fraction: &'t str,
    /// The power of ten; if it is too large, `i64::MAX` or its negative.
    pub exponent: i64,
    /// Whether it has a point without a digit after it (only before an exponent: NumPy writes `5.e-01`).
    pub bare_point: bool,
}

/// The reason why a number is not a decimal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberError {
    /// It has more digits than a value can store.
    TooLarge,
    /// It has more than [`MAX_PLACES`] digits after the point.
    TooFine,
}

/// Parses a text that is one number: a sign, digits (optionally grouped in threes by commas), a fraction, an exponent of ten, one currency sign
/// before or after, and one period at the end. `None` for other text, including percentages: this function cannot decide whether `12%` is 12 or 0.12.
///
/// ```
/// use model::numeral::parse_plain;
///
/// let read = |text| parse_plain(text).and_then(|number| number.to_decimal().ok()).map(|number| number.to_string());
/// assert_eq!(read("1,234.50").as_deref(), Some("1234.50"));
/// assert_eq!(read("-$12").as_deref(), Some("-12"));
/// assert_eq!(read("€ 3.5").as_deref(), Some("3.5"));
/// assert_eq!(read("1.5e3.").as_deref(), Some("1500"));
/// // Ambiguous forms are not read, and neither are numbers among words.
/// for other in ["12%", "1.234,50", "0,123", "12 apples", "$5 €", "1,23"] {
///     assert_eq!(read(other), None, "{other}");
/// }
/// ```
pub fn parse_plain(text: &str) -> Option<Written<'_>> {
    let text = text.trim();
    parse_number(text.strip_suffix('.').unwrap_or(text), is_currency)
}

/// Parses one number with at most one currency sign (recognized by `is_currency`) before or after it.
pub fn parse_number(text: &str, is_currency: impl Fn(char) -> bool) -> Option<Written<'_>> {
    let (mut negative, mut signed) = (false, false);
    let mut rest = text;
    let mut money = false;
    // The sign may precede or follow the currency.
    while let Some(char) = rest.chars().next() {
        match char {
            '-' | '\u{2212}' | '+' if !signed => {
                signed = true;
                negative = char != '+';
                rest = rest.get(char.len_utf8()..)?;
            }
            _ if is_currency(char) && !money => {
                money = true;
                rest = rest.get(char.len_utf8()..)?.trim_start();
            }
            _ => break,
        }
    }
    if let Some(last) = rest.chars().next_back()
        && is_currency(last)
        && !money
    {
        rest = rest.get(..rest.len() - last.len_utf8())?.trim_end();
    }
    let (mantissa, exponent) = match rest.split_once(['e', 'E']) {
        Some((mantissa, power)) => (mantissa, Some(parse_exponent(power)?)),
        None => (rest, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let bare_point = fraction.is_empty() && mantissa.len() > whole.len();
    if fraction.is_empty() && whole.is_empty()
        || bare_point && exponent.is_none()
        || !is_all_digits(fraction)
        || !(is_all_digits(whole) || is_grouped(whole, ','))
    {
        return None;
    }
    Some(Written { negative, whole, fraction, exponent: exponent.unwrap_or(0), bare_point })
}

/// Parses the exponent after an `e`: a sign and digits. If it is too large, returns `i64::MAX` or its negative.
pub fn parse_exponent(text: &str) -> Option<i64> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    if unsigned.is_empty() || !is_all_digits(unsigned) {
        return None;
    }
    let size = unsigned.parse::<i64>().unwrap_or(i64::MAX);
    Some(if text.starts_with('-') { -size } else { size })
}

/// Checks for `1,234,567`, with this separator between the groups. `0,123` is not a grouping, and may be a fraction in another locale.
///
/// ```
/// use model::numeral::is_grouped;
///
/// assert!(is_grouped("1,234,567", ',') && is_grouped("1'234", '\'') && is_grouped("12", ','));
/// assert!(!is_grouped("1,23", ',') && !is_grouped("1234,567", ',') && !is_grouped("0,123", ','));
/// ```
pub fn is_grouped(whole: &str, sign: char) -> bool {
    let mut groups = whole.split(sign);
    let first = groups.next().unwrap_or_default();
    (1..=3).contains(&first.len())
        && is_all_digits(first)
        && !first.starts_with('0')
        && groups.all(|group| group.len() == 3 && is_all_digits(group))
}

/// Checks whether a text consists of ASCII digits only; true for an empty text.
pub fn is_all_digits(part: &str) -> bool {
    part.bytes().all(|byte| byte.is_ascii_digit())
}

/// Names of one unit.
const UNIT_NAMES: &[&[&str]] = &[
    &["%", "percent", "per cent", "pct"],
    &["US$", "$", "USD", "dollars", "dollar"],
    &["€", "EUR", "euros", "euro", "Euro"],
    &["£", "GBP", "pounds", "pound"],
    &["¥", "JPY", "yen"],
    &["₹", "INR", "rupees", "rupee"],
    &["CHF", "Fr.", "francs", "Franken"],
];

/// Returns all names of a unit that has several: percent and common currencies.
///
/// ```
/// use model::numeral::list_unit_names;
///
/// assert!(list_unit_names("$").is_some_and(|names| names.contains(&"USD")));
/// assert_eq!(list_unit_names("kg"), None);
/// ```
pub fn list_unit_names(unit: &str) -> Option<&'static [&'static str]> {
    UNIT_NAMES.iter().copied().find(|names| names.contains(&unit))
}

/// Checks for a character of Unicode's class Sc.
pub fn is_currency(char: char) -> bool {
    matches!(char, '$' | '¢'..='¥' | '֏' | '؋' | '৲' | '৳' | '৻' | '૱' | '௹' | '฿' | '៛' | '\u{20A0}'..='\u{20CF}' | '﷼' | '﹩' | '＄' | '￠' | '￡' | '￥' | '￦')
}

impl Written<'_> {
    /// Returns the exact value with the written number of places (an exponent moves the point).
    ///
    /// ```
    /// use model::numeral::{NumberError, parse_plain};
    ///
    /// let read = |text| parse_plain(text).expect("a number").to_decimal();
    /// assert_eq!(read("2.50e1").map(|number| number.to_string()).as_deref(), Ok("25.0"));
    /// assert_eq!(read("1e40"), Err(NumberError::TooLarge));
    /// assert_eq!(read("1e-19"), Err(NumberError::TooFine));
    /// // A number that a decimal cannot store can still be a double.
    /// assert_eq!(parse_plain("1e40").and_then(|number| number.to_float()), Some(1e40));
    /// ```
    pub fn to_decimal(&self) -> Result<Decimal, NumberError> {
        let digits = [self.whole, self.fraction].into_iter().flat_map(str::bytes).filter(u8::is_ascii_digit);
        // A number with few digits and no exponent needs no further checks, and most numbers are such.
        if self.exponent == 0 && self.whole.len() + self.fraction.len() <= usize::from(MAX_PLACES) {
            let value = digits.fold(0i64, |value, byte| value * 10 + i64::from(byte - b'0'));
            let value = i128::from(if self.negative { -value } else { value });
            let places = u8::try_from(self.fraction.len()).unwrap_or(MAX_PLACES);
            return Decimal::new(value, places).ok_or(NumberError::TooFine);
        }
        let units = digits.map(|byte| i128::from(byte - b'0'));
        let places = i64::try_from(self.fraction.len()).unwrap_or(i64::MAX).saturating_sub(self.exponent);
        // Zeros at the end are the only digits that may be dropped, so they are added only when another digit follows.
        let (mut value, mut zeros) = (0i128, 0u32);
        for unit in units {
            if unit == 0 {
                zeros += u32::from(value != 0);
                continue;
            }
            let by = 10i128.checked_pow(zeros + 1).ok_or(NumberError::TooLarge)?;
            value = value.checked_mul(by).and_then(|value| value.checked_add(unit)).ok_or(NumberError::TooLarge)?;
            zeros = 0;
        }
        if value == 0 {
            let places = u8::try_from(places.clamp(0, i64::from(MAX_PLACES))).unwrap_or(0);
            return Decimal::new(0, places).ok_or(NumberError::TooFine);
        }
        // The value is `value` × 10^`zeros` units of 10^−`places`; as many of the zeros are kept as fit into the places.
        let most = i64::from(MAX_PLACES);
        let kept = places.clamp(0, most);
        let power = i64::from(zeros).saturating_sub(places).saturating_add(kept);
        if power < 0 {
            return Err(NumberError::TooFine);
        }
        let by = u32::try_from(power).map_err(|_| NumberError::TooLarge)?;
        let by = 10i128.checked_pow(by).ok_or(NumberError::TooLarge)?;
        let value = value.checked_mul(by).ok_or(NumberError::TooLarge)?;
        let value = if self.negative { -value } else { value };
        Decimal::new(value, u8::try_from(kept).unwrap_or(MAX_PLACES)).ok_or(NumberError::TooFine)
    }

    /// Returns the nearest double; `None` if it is not finite.
    pub fn to_float(&self) -> Option<f64> {
        use std::fmt::Write as _;
        let mut text = String::with_capacity(self.whole.len() + self.fraction.len() + 8);
        if self.negative {
            text.push('-');
        }
        text.extend(self.whole.chars().filter(char::is_ascii_digit));
        text.push('.');
        text.push_str(self.fraction);
        if self.exponent != 0 {
            // Writing to a String never fails.
            let _ = write!(text, "e{}", self.exponent);
        }
        text.parse().ok().filter(|value: &f64| value.is_finite())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn decimal(text: &str) -> Result<String, NumberError> {
        parse_plain(text).expect("a number").to_decimal().map(|value| value.to_string())
    }

    #[test]
    fn a_decimal_has_the_places_that_are_written() {
        for (text, value) in [
            ("42", "42"),
            ("42.", "42"),
            ("-1,234.50", "-1234.50"),
            ("$5", "5"),
            ("+.5", "0.5"),
            ("1.5e3", "1500"),
            ("1.50e1", "15.0"),
            ("25e-3", "0.025"),
            ("0e99999999999999999999", "0"),
            ("0.000", "0.000"),
            ("1.00000000000000000000000000", "1.000000000000000000"),
            ("0e-30", "0.000000000000000000"),
            ("00000000000000000000000000000000000000000000007", "7"),
        ] {
            assert_eq!(decimal(text).as_deref(), Ok(value), "{text}");
        }
        assert_eq!(decimal("1e99999999999999999999"), Err(NumberError::TooLarge));
        assert_eq!(decimal("1e-99999999999999999999"), Err(NumberError::TooFine));
        assert_eq!(decimal("0.1234567890123456789"), Err(NumberError::TooFine));
        assert_eq!(decimal("9999999999999999999999999999999999999999"), Err(NumberError::TooLarge));
    }

    #[test]
    fn a_float_is_the_nearest_double() {
        for (text, value) in [("1,234.5", Some(1234.5)), ("-1e-3", Some(-0.001)), (".5", Some(0.5)), ("1e999", None)] {
            assert_eq!(parse_plain(text).and_then(|written| written.to_float()), value, "{text}");
        }
    }

    proptest! {
        #[test]
        fn decimals_read_back(units in any::<i64>(), places in 0u8..=18) {
            let value = Decimal::new(i128::from(units), places).expect("few places");
            let read = parse_plain(&value.to_string()).expect("a number").to_decimal().expect("it fits");
            prop_assert_eq!((read, read.places()), (value, places));
        }
    }
}
