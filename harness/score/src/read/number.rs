//! Reads numbers in replies, with or without units. [`model::numeral`] defines how numbers are written.

use std::borrow::Cow;

use model::numeral::{Written, is_currency, list_unit_names};

use crate::exact::Exact;
use crate::rules::Rules;
use crate::text::compose_letters;

/// Reads a text that is exactly one number, as [`model::numeral::parse_plain`] does.
pub fn parse_number(text: &str, rules: &Rules) -> Option<Exact> {
    let text = if rules.written_numbers { write_plainly(text) } else { Cow::Borrowed(text) };
    build_exact(model::numeral::parse_plain(&text)?, rules)
}

/// The maximum number of words of one number: `1 234 567 × 10^3`.
const MAX_WORDS: usize = 5;

/// Lists the numbers in a text between other words, in every form in which [`parse_number`] reads one: `1,000`, `1 000`, `1e3`; also before a unit: `12kg`.
pub fn list_numbers(text: &str, rules: &Rules) -> Vec<Exact> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_edge = |char: char| !(char.is_alphanumeric() || matches!(char, '-' | '\u{2212}' | '+') || is_currency(char));
    let starts = (0..words.len()).filter(|at| words[*at].contains(|char: char| char.is_ascii_digit()));
    let parts = starts.flat_map(|at| (at + 1..=words.len().min(at + MAX_WORDS)).map(move |end| at..end));
    let mut numbers: Vec<Exact> =
        parts.filter_map(|part| parse_number(words[part].join(" ").trim_matches(is_edge), rules)).collect();
    let measures = words.iter().filter_map(|word| cut_unit(word.trim_matches(is_edge)));
    numbers.extend(measures.filter_map(|number| parse_number(number, rules)));
    numbers
}

/// Returns the number at the beginning of a word, before the letters of a unit; `None` for another word. `5th` is a place.
fn cut_unit(word: &str) -> Option<&str> {
    let number = word.trim_end_matches(|char: char| char.is_alphabetic());
    let unit = word.get(number.len()..).filter(|unit| !unit.is_empty())?;
    let is_place = ["st", "nd", "rd", "th"].contains(&unit.to_ascii_lowercase().as_str());
    Some(number).filter(|_| !is_place)
}

/// Signs between groups of three digits, besides commas.
const SEPARATORS: [char; 7] = [' ', '\u{a0}', '\u{2009}', '\u{202f}', '\'', '’', '_'];

/// Writes a number without other signs between its groups of digits than commas, and with `e` before its exponent: `1 234` as `1234`, `1.5 × 10^3` as
/// `1.5e3`. Any other text is unchanged.
fn write_plainly(text: &str) -> Cow<'_, str> {
    let text = join_exponent(text);
    let Some(start) = text.find(|char: char| char.is_ascii_digit()) else { return text };
    let (before, digits) = text.split_at(start);
    let first = digits.trim_start_matches(|char: char| char.is_ascii_digit());
    let Some(sign) = first.chars().next().filter(|sign| SEPARATORS.contains(sign)) else { return text };
    let end = digits.find(|char: char| !char.is_ascii_digit() && char != sign).unwrap_or(digits.len());
    let (whole, rest) = digits.split_at(end);
    // A blank may be before a currency.
    let grouped = whole.trim_end_matches(sign);
    match model::numeral::is_grouped(grouped, sign) {
        true => Cow::Owned([before, &grouped.replace(sign, ""), &whole[grouped.len()..], rest].concat()),
        false => text,
    }
}

/// Signs of a multiplication.
const TIMES: [&str; 8] = ["×", "·", "⋅", "*", "x", "X", r"\times", r"\cdot"];

/// What encloses an exponent after `10`.
const RAISED: [(&str, &str); 5] = [("^{", "}"), ("^(", ")"), ("<sup>", "</sup>"), ("^", ""), ("**", "")];

/// Writes a power of ten after a number (`× 10^3`, `x10³`, `\times 10^{3}`, `· 10<sup>3</sup>`) as its exponent.
fn join_exponent(text: &str) -> Cow<'_, str> {
    let Some((mantissa, power)) = TIMES.iter().find_map(|sign| text.split_once(sign)) else {
        return Cow::Borrowed(text);
    };
    let Some(power) = power.trim_start().strip_prefix("10") else { return Cow::Borrowed(text) };
    let (power, end) = match power.strip_suffix('.') {
        Some(power) => (power, "."),
        None => (power, ""),
    };
    let raised = RAISED.iter().find_map(|(open, close)| power.strip_prefix(open)?.strip_suffix(close));
    let exponent = match raised {
        Some(raised) => raised.to_owned(),
        None => match power.chars().map(read_superscript).collect::<Option<String>>() {
            Some(exponent) => exponent,
            None => return Cow::Borrowed(text),
        },
    };
    Cow::Owned(format!("{}e{}{end}", mantissa.trim_end(), exponent.replace('\u{2212}', "-")))
}

/// Writes a number whose signs between digits have one meaning as `parse_number` reads it: a comma is the decimal point if it cannot be between groups of
/// three digits (`12,46`, `0,125`, `1.234,50`), and points or commas of groups are left out (`1.234.567`, `12,34,567`). `None` for any other text: `1.234`
/// and `1,234` have their usual meaning.
pub fn read_separators(text: &str) -> Option<String> {
    let is_part = |char: char| char.is_ascii_digit() || matches!(char, '.' | ',') || SEPARATORS.contains(&char);
    let start = text.find(|char: char| char.is_ascii_digit())?;
    let (before, rest) = text.split_at(start);
    let run = rest.get(..rest.find(|char| !is_part(char)).unwrap_or(rest.len()))?;
    let run = run.trim_end_matches(|char: char| !char.is_ascii_digit());
    let after = rest.get(run.len()..)?;
    let plain = match (run.matches(',').count(), run.matches('.').count()) {
        (1, _) => {
            let (whole, fraction) = run.split_once(',')?;
            let sign = whole.chars().find(|char| !char.is_ascii_digit());
            let is_whole = sign.is_none_or(|sign| model::numeral::is_grouped(whole, sign));
            // Three digits after a comma without another sign are a group.
            let is_fraction = fraction.len() != 3 || sign.is_some() || whole == "0";
            let digits = |part: &str| part.chars().filter(char::is_ascii_digit).collect::<String>();
            let is_plain = model::numeral::is_all_digits(fraction) && !fraction.is_empty() && !whole.is_empty();
            (is_whole && is_fraction && is_plain).then(|| format!("{}.{fraction}", digits(whole)))?
        }
        (0, 2..) if model::numeral::is_grouped(run, '.') => run.replace('.', ""),
        (2.., 0 | 1) => {
            let (whole, fraction) = run.split_once('.').unwrap_or((run, ""));
            let (groups, last) = whole.rsplit_once(',')?;
            let mut pairs = groups.split(',');
            let first = pairs.next()?;
            let is_digits = |part: &str, most: usize| part.len() == most && model::numeral::is_all_digits(part);
            let is_first = (1..=2).contains(&first.len()) && is_digits(first, first.len()) && !first.starts_with('0');
            let is_indian = is_first && pairs.all(|pair| is_digits(pair, 2)) && is_digits(last, 3);
            let point = if fraction.is_empty() { "" } else { "." };
            is_indian.then(|| format!("{}{point}{fraction}", whole.replace(',', "")))?
        }
        _ => return None,
    };
    Some(format!("{before}{plain}{after}"))
}

/// Reads a raised digit or sign.
fn read_superscript(char: char) -> Option<char> {
    const SUPERSCRIPTS: [(char, char); 12] = [
        ('⁰', '0'),
        ('¹', '1'),
        ('²', '2'),
        ('³', '3'),
        ('⁴', '4'),
        ('⁵', '5'),
        ('⁶', '6'),
        ('⁷', '7'),
        ('⁸', '8'),
        ('⁹', '9'),
        ('⁻', '-'),
        ('⁺', '+'),
    ];
    SUPERSCRIPTS.iter().find(|(raised, _)| *raised == char).map(|(_, plain)| *plain)
}

/// Reads one number with a unit: after it, or, if the unit is a currency (a sign such as `€`, or three uppercase letters such as `EUR`), before it. Spaces may
/// be between; a sign may be before or after a currency. One period at the end is allowed. No other unit or currency is read. A currency and `%` may have
/// another name: `$5` is `5 USD`.
pub fn with_unit(text: &str, unit: &str, rules: &Rules) -> Option<Exact> {
    match list_unit_names(unit).filter(|_| rules.written_numbers) {
        Some(names) => names.iter().find_map(|name| with_exact_unit(text, name, rules)),
        None => with_exact_unit(text, unit, rules),
    }
}

fn with_exact_unit(text: &str, unit: &str, rules: &Rules) -> Option<Exact> {
    let (text, unit) =
        if rules.canonical_texts { (compose_letters(text), compose_letters(unit)) } else { (text.into(), unit.into()) };
    let (text, unit) = (text.trim(), &*unit);
    // The unit itself may end in a period.
    [Some(text), text.strip_suffix('.').map(str::trim_end)].into_iter().flatten().find_map(|text| {
        if let Some(number) = text.strip_suffix(unit) {
            return parse_bare_number(number.trim_end(), rules);
        }
        let mut letters = unit.chars();
        let is_money = match (letters.next(), letters.next(), letters.next(), letters.next()) {
            (Some(sign), None, ..) => is_currency(sign),
            (Some(a), Some(b), Some(c), None) => {
                [a, b, c].iter().all(|char| char.is_ascii_uppercase() || is_currency(*char))
            }
            _ => false,
        };
        if !is_money {
            return None;
        }
        let is_sign = |char: &char| matches!(char, '-' | '\u{2212}' | '+');
        let sign = text.chars().next().filter(is_sign).map_or(0, char::len_utf8);
        let number = text[sign..].trim_start().strip_prefix(unit)?.trim_start();
        // Only one sign, before or after the currency.
        if sign > 0 && number.starts_with(|char| is_sign(&char)) {
            return None;
        }
        parse_bare_number(&format!("{}{number}", &text[..sign]), rules)
    })
}

/// Reads one number with or without one of these units.
pub fn parse_with_optional_unit(text: &str, units: &[String], rules: &Rules) -> Option<Exact> {
    let text = text.trim();
    let with_units = || units.iter().find_map(|unit| with_unit(text, unit, rules));
    parse_bare_number(text.strip_suffix('.').unwrap_or(text), rules).or_else(with_units)
}

/// Reads one number without a currency sign.
fn parse_bare_number(text: &str, rules: &Rules) -> Option<Exact> {
    let text = if rules.written_numbers { write_plainly(text) } else { Cow::Borrowed(text) };
    build_exact(model::numeral::parse_number(&text, |_| false)?, rules)
}

fn build_exact(number: Written<'_>, rules: &Rules) -> Option<Exact> {
    if number.bare_point && !rules.lenient_spellings {
        return None;
    }
    Some(Exact::from_parts(number.negative, number.whole, number.fraction, number.exponent))
}

#[cfg(test)]
mod tests {
    use model::Scorer;

    use super::*;
    use crate::rules::assert_same_for_all;

    fn number(text: &str) -> Option<Exact> {
        assert_same_for_all(|rules| super::parse_number(text, rules))
    }

    #[test]
    fn a_point_may_be_bare_before_an_exponent() {
        let half = Exact::from_int(5).shift_exponent(-1);
        for (text, read) in
            [("5.e-01", Some(&half)), ("+5.E-1", Some(&half)), ("5.e", None), (".e1", None), ("5..e1", None)]
        {
            assert_eq!(super::parse_number(text, Rules::from_scorer(Scorer::One)), None, "{text}");
            assert_eq!(super::parse_number(text, Rules::from_scorer(Scorer::Two)).as_ref(), read, "{text}");
        }
    }

    #[test]
    fn digits_are_grouped_and_powers_of_ten_are_written_out() {
        let exact = |units: i64, exponent| Some(Exact::from_int(units).shift_exponent(exponent));
        for (text, read) in [
            ("1 234", exact(1234, 0)),
            ("1\u{a0}234\u{a0}567.5", exact(12_345_675, -1)),
            ("-1\u{202f}234", exact(-1234, 0)),
            ("1'234.50", exact(12_345, -1)),
            ("12’345", exact(12_345, 0)),
            ("1_000", exact(1000, 0)),
            ("$1 234", exact(1234, 0)),
            ("1 234 €.", exact(1234, 0)),
            ("1.5 × 10^3", exact(15, 2)),
            ("1.5×10³", exact(15, 2)),
            (r"-1.5 \times 10^{-3}.", exact(-15, -4)),
            ("2 × 10⁻¹²", exact(2, -12)),
            ("1 2", None),
            ("1 23", None),
            ("12 34", None),
            ("1 2345", None),
            ("0 123", None),
            ("1 234,567", None),
            ("1'234 567", None),
            ("1  234", None),
            ("1_0", None),
            ("_123", None),
            ("3 × 4", None),
            ("1.5 × 10", None),
            ("1.5 × 10^", None),
            ("1e3 × 10^2", None),
            ("5 × 100", None),
            ("6.02 x 10^23", exact(602, 21)),
            ("6.02*10^23", exact(602, 21)),
            ("6.02·10²³", exact(602, 21)),
            (r"1.2 \cdot 10^{-4}", exact(12, -5)),
            ("1.2 × 10^(−4)", exact(12, -5)),
            ("6.02 × 10<sup>23</sup>", exact(602, 21)),
            ("6.02*10**23", exact(602, 21)),
            ("0x10", None),
            ("2*3", None),
        ] {
            assert_eq!(super::parse_number(text, Rules::from_scorer(Scorer::Three)), read, "{text}");
            assert_eq!(super::parse_number(text, Rules::from_scorer(Scorer::Two)), None, "{text}");
        }
        assert_eq!(with_unit("1 234 kg", "kg", Rules::from_scorer(Scorer::Three)), exact(1234, 0));
    }

    #[test]
    fn separators_with_one_meaning_are_read() {
        for (text, read) in [
            ("12,46", "12.46"),
            ("-4,5 °C", "-4.5 °C"),
            ("0,125", "0.125"),
            ("1.234,50 €", "1234.50 €"),
            ("1.234,567", "1234.567"),
            ("15 230,50", "15230.50"),
            ("1.234.567", "1234567"),
            ("12,34,567.5 kg", "1234567.5 kg"),
            ("37,5.", "37.5."),
        ] {
            assert_eq!(read_separators(text).as_deref(), Some(read), "{text}");
        }
        for text in [
            "1,234",
            "1.234",
            "82.000",
            "1,234.50",
            "1,2,3",
            "1,2,345",
            "1.23.456",
            "12.34,5",
            "1,23 or 4",
            "1,23,45",
            ",5",
            "",
            "1,2 3",
            "06,436",
        ] {
            assert_eq!(read_separators(text).and_then(|plain| number(&plain)), None, "{text}");
        }
    }

    #[test]
    fn a_unit_may_have_another_name() {
        let rules = Rules::from_scorer(Scorer::Three);
        for (text, unit) in [
            ("5 percent", "%"),
            ("5 per cent.", "%"),
            ("USD 5", "$"),
            ("US$5", "$"),
            ("5 dollars", "$"),
            ("$5", "USD"),
            ("5 Euro", "€"),
            ("5 EUR", "€"),
        ] {
            assert_eq!(with_unit(text, unit, rules), Some(Exact::from_int(5)), "{text}");
            assert_eq!(with_unit(text, unit, Rules::from_scorer(Scorer::Two)), None, "{text}");
        }
        for (text, unit) in [("€5", "$"), ("5 EUR", "$"), ("dollars 5", "$"), ("5 percents", "%"), ("5 kgs", "kg")] {
            assert_eq!(with_unit(text, unit, rules), None, "{text}");
        }
    }

    #[test]
    fn numbers_are_found_between_words() {
        let rules = Rules::from_scorer(Scorer::Three);
        let has = |text: &str, number: i64| super::list_numbers(text, rules).contains(&Exact::from_int(number));
        for text in ["(1,000)", "is 1 000 now", "it is 1e3.", "**1000.0**!", "$1000", "1 × 10^3 kg", "a=2 1_000"] {
            assert!(has(text, 1000), "{text}");
        }
        for text in ["1000th", "1,0001", "100 0", "-1000", "x1000", "1000.5", ""] {
            assert!(!has(text, 1000), "{text}");
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
            assert_eq!(number(text), Some(Exact::from_int(units).shift_exponent(exponent)), "{text}");
        }
    }

    #[test]
    fn a_unit_stands_behind_and_a_currency_in_front_too() {
        let exact = |units: i64, exponent| Some(Exact::from_int(units).shift_exponent(exponent));
        for (text, unit, number) in [
            ("40%", "%", exact(40, 0)),
            ("40.0 %.", "%", exact(40, 0)),
            ("3 approx.", "approx.", exact(3, 0)),
            ("1,234.5 kg", "kg", exact(12_345, -1)),
            ("€5", "€", exact(5, 0)),
            ("-€ 5", "€", exact(-5, 0)),
            ("€-5", "€", exact(-5, 0)),
            ("EUR 5", "EUR", exact(5, 0)),
            ("5EUR", "EUR", exact(5, 0)),
            ("%40", "%", None),
            ("kg 40", "kg", None),
            ("-€-5", "€", None),
            ("€5€", "€", None),
            ("$5 €", "€", None),
            ("40", "%", None),
            ("40%%", "%", None),
            ("40. %", "%", None),
            ("%", "%", None),
            ("40 KG", "kg", None),
        ] {
            assert_eq!(with_unit(text, unit, Rules::from_scorer(Scorer::Two)), number, "{text} {unit}");
        }
        assert_eq!(parse_with_optional_unit("40.", &["%".to_owned()], Rules::from_scorer(Scorer::Two)), exact(40, 0));
        assert_eq!(parse_with_optional_unit("$40", &["%".to_owned()], Rules::from_scorer(Scorer::Two)), None);
        // The sign of the unit of Ångström has two code points.
        assert_eq!(with_unit("5 Å", "\u{212b}", Rules::from_scorer(Scorer::Two)), exact(5, 0));
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
