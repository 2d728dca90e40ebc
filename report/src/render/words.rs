//! Numbers as people read them.

use statistics::Interval;
use statistics::proportion::percent;

use crate::model::share::Share;

/// `85.0`: right ones in per cent, from the integers themselves.
pub fn accuracy(share: &Share) -> String {
    percent(share.correct, share.of)
}

/// `64.0–94.8`, in per cent.
pub fn interval(interval: Interval) -> String {
    format!("{}–{}", points(interval.low), points(interval.high))
}

/// `85.0 (64.0–94.8)`
pub fn both(share: &Share) -> String {
    format!("{} ({})", accuracy(share), interval(share.interval))
}

/// 0 to 1 in per cent or points, to one place. No `-0.0`.
pub fn points(share: f64) -> String {
    let text = format!("{:.1}", share * 100.0);
    if text == "-0.0" { "0.0".to_owned() } else { text }
}

/// `+4.2`
pub fn signed(difference: f64) -> String {
    let text = points(difference);
    if text.starts_with('-') || text == "0.0" { text } else { format!("+{text}") }
}

/// `0.031`, `< 0.001`
pub fn p_value(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { format!("{p:.3}") }
}

/// Money: two digits after the point, and as many more as four digits of it take, to twelve. No `-0.00`.
pub fn money(amount: f64) -> String {
    let lead = if amount == 0.0 { 0.0 } else { amount.abs().log10().floor() };
    let places = (3.0 - lead).clamp(2.0, 12.0) as usize;
    let text = format!("{amount:.places$}");
    // Zeros beyond the second place say nothing.
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let (cents, rest) = fraction.split_at(fraction.len().min(2));
    let text = format!("{whole}.{cents}{}", rest.trim_end_matches('0'));
    if text == "-0.00" { "0.00".to_owned() } else { text }
}

/// A text on one line, without characters that move a terminal's cursor, cut at `most` characters.
pub fn one_line(text: &str, most: usize) -> String {
    let mut line: String = text.chars().take(most + 1).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if line.chars().count() > most {
        line.pop();
        line.pop();
        line.push('…');
    }
    line
}

/// A scorer's reason, for people.
pub fn reason(reason: records::Reason) -> &'static str {
    use records::Reason;
    match reason {
        Reason::Right => "right",
        Reason::Differs => "not as expected",
        Reason::Partial => "partly as expected",
        Reason::NoResponse => "no response",
        Reason::Empty => "empty",
        Reason::NoSlice => "the part of the reply is not there",
        Reason::NoFile => "no such file",
        Reason::WrongKind => "no file, or no folder",
        Reason::TooLarge => "larger than what is kept",
        Reason::NotText => "no UTF-8 text",
        Reason::NotANumber => "not exactly one number",
        Reason::NotJson => "no JSON",
        Reason::NotRows => "no table of rows",
        Reason::NotADatabase => "not a database",
        Reason::WrongSchema => "other tables or columns",
        Reason::SqlError => "SQLite refuses the query, or it would write",
        Reason::SqlLimit => "the query ran too long, or gave too many rows",
        Reason::Present => "there is something where nothing should be",
        Reason::Changed => "it was changed",
        Reason::BadKey => "the answer key itself cannot be used",
    }
}

#[cfg(test)]
mod tests {
    use super::money;

    #[test]
    fn money_has_the_digits_that_tell() {
        for (amount, text) in [
            (0.0, "0.00"),
            (-0.0, "0.00"),
            (0.000_15, "0.00015"),
            (0.001_234_567, "0.001235"),
            (0.25, "0.25"),
            (12.0, "12.00"),
            (123.4567, "123.46"),
            (-0.5, "-0.50"),
            (1e-13, "0.00"),
            (1_000_000.0, "1000000.00"),
        ] {
            assert_eq!(money(amount), text, "{amount}");
        }
    }
}
