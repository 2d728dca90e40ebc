//! Numbers as people write them. It is read whole or not at all: nothing is searched for.

use crate::exact::Exact;
use crate::rules::Rules;

/// One number and nothing else: a sign, digits (in groups of three by commas, or not), a fraction, an exponent of ten; one currency sign in front
/// or behind; one full stop at the end. `None` for all else, percentages too: whether `12%` is 12 or 0.12 is not ours to say.
pub fn number(text: &str, rules: &Rules) -> Option<Exact> {
    let text = text.trim();
    let text = text.strip_suffix('.').unwrap_or(text);
    let (mut negative, mut signed) = (false, false);
    let mut rest = text;
    let mut money = false;
    // The sign may stand before or behind the currency.
    while let Some(char) = rest.chars().next() {
        match char {
            '-' | '\u{2212}' | '+' if !signed => {
                signed = true;
                negative = char != '+';
                rest = &rest[char.len_utf8()..];
            }
            _ if is_currency(char) && !money => {
                money = true;
                rest = rest[char.len_utf8()..].trim_start();
            }
            _ => break,
        }
    }
    if let Some(last) = rest.chars().next_back()
        && is_currency(last)
        && !money
    {
        rest = rest[..rest.len() - last.len_utf8()].trim_end();
    }
    let (mantissa, exponent) = match rest.find(['e', 'E']) {
        Some(at) => (&rest[..at], exponent(&rest[at + 1..])?),
        None => (rest, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    // NumPy writes `5.e-01`.
    let bare_point = rules.lenient_spellings && mantissa.len() < rest.len();
    if fraction.is_empty() && (whole.is_empty() || mantissa.contains('.') && !bare_point)
        || !digits(fraction)
        || !(digits(whole) || grouped(whole))
    {
        return None;
    }
    Some(Exact::from_parts(negative, &whole.replace(',', ""), fraction, exponent))
}

/// What stands behind an `e`: a sign and digits. Beyond any size, the largest.
pub fn exponent(text: &str) -> Option<i64> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    if unsigned.is_empty() || !unsigned.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let size = unsigned.parse::<i64>().unwrap_or(i64::MAX);
    Some(if text.starts_with('-') { -size } else { size })
}

/// `1,234,567`. Not `0,123`: that is no grouping, and may be a fraction of another country.
fn grouped(whole: &str) -> bool {
    let mut groups = whole.split(',');
    let first = groups.next().unwrap_or_default();
    let digits = |group: &str| group.bytes().all(|byte| byte.is_ascii_digit());
    (1..=3).contains(&first.len())
        && digits(first)
        && !first.starts_with('0')
        && groups.all(|group| group.len() == 3 && digits(group))
}

/// The characters of Unicode's class Sc.
fn is_currency(char: char) -> bool {
    matches!(char, '$' | '¢'..='¥' | '֏' | '؋' | '৲' | '৳' | '৻' | '૱' | '௹' | '฿' | '៛' | '\u{20A0}'..='\u{20CF}' | '﷼' | '﹩' | '＄' | '￠' | '￡' | '￥' | '￦')
}

#[cfg(test)]
mod tests {
    use plan::Scorer;

    use super::*;

    fn number(text: &str) -> Option<Exact> {
        let [one, two] = Scorer::ALL.map(|scorer| super::number(text, Rules::of(scorer)));
        assert_eq!(one, two, "{text}");
        two
    }

    #[test]
    fn a_point_may_be_bare_before_an_exponent() {
        let half = Exact::from_int(5).shift(-1);
        for (text, read) in
            [("5.e-01", Some(&half)), ("+5.E-1", Some(&half)), ("5.e", None), (".e1", None), ("5..e1", None)]
        {
            assert_eq!(super::number(text, Rules::of(Scorer::One)), None, "{text}");
            assert_eq!(super::number(text, Rules::of(Scorer::Two)).as_ref(), read, "{text}");
        }
    }

    #[test]
    fn one_number_and_nothing_else_is_read() {
        for (text, units, exponent) in [
            ("42", 42, 0),
            (" 42.\n", 42, 0),
            ("42.0", 42, 0),
            ("+1,234,567.89", 123_456_789, -2),
            ("-$5", -5, 0),
            ("$-5.50", -55, -1),
            ("$ 5", 5, 0),
            ("1,000 €", 1000, 0),
            ("\u{2212}7", -7, 0),
            (".5", 5, -1),
            ("1e3", 1000, 0),
            ("2.5E-3", 25, -4),
            ("007", 7, 0),
            ("0", 0, 0),
            ("-0.0", 0, 0),
        ] {
            assert_eq!(number(text), Some(Exact::from_int(units).shift(exponent)), "{text}");
        }
    }

    #[test]
    fn all_else_is_no_number() {
        for text in [
            "",
            ".",
            "-",
            "$",
            "1 2",
            "42 rows",
            "about 42",
            "12%",
            "1,23",
            "0,123",
            "12,34,567",
            "1,2345",
            "$5$",
            "--5",
            "1e",
            "1e+",
            "1.2.3",
            "0x1F",
            "1_000",
            "NaN",
            "inf",
            "٤٢",
            "(5)",
            "**42**",
            "1,234.5,6",
            ",123",
            "5..",
        ] {
            assert_eq!(number(text), None, "{text}");
        }
    }
}
