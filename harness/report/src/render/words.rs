//! Formats numbers for people.

use records::Status;
use statistics::Interval;
use statistics::proportion;

use crate::model::share::Share;

/// Formats the accuracy in percent without its sign, from the integers themselves: `85.0`.
pub fn format_accuracy(share: &Share) -> String {
    proportion::render_percent(share.correct, share.of)
}

/// Formats the accuracy in percent, from the integers themselves: `85.0%`, or `-` without responses.
pub fn format_accuracy_percent(share: &Share) -> String {
    if share.of == 0 { format_accuracy(share) } else { format!("{}%", format_accuracy(share)) }
}

/// Formats a share from 0 to 1: `85.0%`.
pub fn format_percent(share: f64) -> String {
    format!("{}%", format_points(share))
}

/// Formats an interval in percent: `64.0–94.8`.
pub fn format_interval(interval: Interval) -> String {
    format!("{}–{}", format_points(interval.low), format_points(interval.high))
}

/// Formats an accuracy with its interval: `85.0% (64.0–94.8)`.
pub fn format_with_interval(share: &Share) -> String {
    format!("{} ({})", format_accuracy_percent(share), format_interval(share.interval))
}

/// Formats the interval of a difference in points: `-11.9 to 23.6`.
pub fn from_to(interval: Interval) -> String {
    format!("{} to {}", format_points(interval.low), format_points(interval.high))
}

/// Formats a share from 0 to 1 in percent or points, to one decimal place. Never `-0.0`.
pub fn format_points(share: f64) -> String {
    let text = format!("{:.1}", share * 100.0);
    if text == "-0.0" { "0.0".to_owned() } else { text }
}

/// Formats a difference in points with its sign: `+4.2`.
pub fn format_signed(difference: f64) -> String {
    let text = format_points(difference);
    if text.starts_with('-') || text == "0.0" { text } else { format!("+{text}") }
}

/// Formats a p value: `0.031`, `< 0.001`.
pub fn format_p_value(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { format!("{p:.3}") }
}

/// Formats money: two decimal places, or as many as four significant digits need, up to twelve. Never `-0.00`.
pub fn format_money(amount: f64) -> String {
    let lead = if amount == 0.0 { 0.0 } else { libm::log10(amount.abs()).floor() };
    let places = (3.0 - lead).clamp(2.0, 12.0) as usize;
    let text = format!("{amount:.places$}");
    // Trailing zeros after the second place have no information.
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let (cents, rest) = fraction.split_at(fraction.len().min(2));
    let text = format!("{whole}.{cents}{}", rest.trim_end_matches('0'));
    if text == "-0.00" { "0.00".to_owned() } else { text }
}

/// Formats milliseconds: `850 ms`, `1.2 s`, `2 min 5 s`.
pub fn format_duration(ms: f64) -> String {
    if ms < 1_000.0 {
        return format!("{ms:.0} ms");
    }
    if ms < 59_950.0 {
        return format!("{:.1} s", ms / 1_000.0);
    }
    let seconds = (ms / 1_000.0).round();
    format!("{:.0} min {:.0} s", (seconds / 60.0).floor(), seconds % 60.0)
}

/// Makes the first letter of a sentence a capital.
pub fn capitalize_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// Formats a number with its noun: `1 trial`, `2 trials`.
pub fn format_count(number: u64, one: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {one}s") }
}

/// Formats a list: `a`, `a and b`, `a, b, and c`. At most six items are shown, then "and 9 more".
pub fn format_list(items: &[impl ToString]) -> String {
    const MAX_ITEMS: usize = 6;
    let mut parts: Vec<String> = items.iter().take(MAX_ITEMS).map(ToString::to_string).collect();
    if items.len() > MAX_ITEMS {
        parts.push(format!("{} more", items.len() - MAX_ITEMS));
    }
    match parts.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [one, two] => format!("{one} and {two}"),
        [rest @ .., last] => format!("{}, and {last}", rest.join(", ")),
    }
}

/// Formats a list of items in backticks.
pub fn format_code_list(items: &[&str]) -> String {
    format_list(&items.iter().map(|item| format!("`{item}`")).collect::<Vec<_>>())
}

/// Returns the words for a status.
pub fn describe_status(status: Status) -> &'static str {
    match status {
        Status::Done => "completed",
        Status::MaxRounds => "round limit",
        Status::Timeout => "timed out",
        Status::Failed => "failed",
        Status::Missing => "missing",
    }
}

/// Formats a text as one line without terminal control characters, cut at `most` characters.
pub fn fit_one_line(text: &str, most: usize) -> String {
    let mut line: String = text.chars().take(most + 1).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if line.chars().count() > most {
        line.pop();
        line.pop();
        line.push('…');
    }
    line
}

/// Returns the words for a scorer's reason.
pub fn describe_reason(reason: records::Reason) -> &'static str {
    use records::Reason;
    match reason {
        Reason::Right => "right",
        Reason::Differs => "not as expected",
        Reason::Partial => "partly as expected",
        Reason::Trapped => "what a known mistake gives",
        Reason::NoResponse => "no response",
        Reason::Empty => "empty",
        Reason::NoSlice => "the part that is asked for is not there",
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

/// Renders the evidence for a mistake in a verdict, as a sentence with the name of the trap in backticks; `None` without evidence.
pub fn describe_evidence(verdict: &records::Verdict) -> Option<String> {
    let trap = verdict.trap.as_ref()?;
    let said = model::mistake::describe_dirt(trap).map_or_else(String::new, |said| format!(" ({said})"));
    Some(format!(
        "The answer is equal to the value of trap `{trap}`{said}, which is evidence of that mistake, not proof."
    ))
}

#[cfg(test)]
mod tests {
    use super::{format_code_list, format_list, format_money};

    #[test]
    fn durations_have_one_unit_or_two() {
        assert_eq!(
            [0.0, 999.0, 1_250.0, 59_960.0, 125_000.0].map(super::format_duration),
            ["0 ms", "999 ms", "1.2 s", "1 min 0 s", "2 min 5 s"]
        );
    }

    #[test]
    fn lists_have_a_serial_comma_and_an_end() {
        assert_eq!(format_code_list(&["a"]), "`a`");
        assert_eq!(format_list(&["a", "b"]), "a and b");
        assert_eq!(format_code_list(&["a", "b", "c"]), "`a`, `b`, and `c`");
        assert_eq!(format_list(&["a"; 9]), "a, a, a, a, a, a, and 3 more");
    }

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
            assert_eq!(format_money(amount), text, "{amount}");
        }
    }
}
