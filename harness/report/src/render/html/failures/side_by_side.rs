//! Shows expected and found values side by side: tables as tables, with the differences marked.

use std::fmt::Write as _;

use serde_json::Value as Json;
use similar::{ChangeTag, TextDiff};

use super::super::escape::{escape_cut, escape_html};

/// The maximum length of a text with marked differences, in bytes.
const MARKED: usize = 6_000;
/// The maximum number of rows of a table.
const ROWS: usize = 50;

/// The number of exact decimal digits of a double.
const DIGITS: usize = 15;

type Rows = Vec<Vec<String>>;

/// Writes two texts with their titles; each is cut at `most` characters. Writing to a String cannot fail.
pub fn write_pair(out: &mut String, (left, expected): (&str, &str), (right, found): (&str, &str), most: usize) {
    out.push_str("<div class=\"pair\">");
    match (parse_rows(expected), parse_rows(found)) {
        (Some(expected), Some(found)) => {
            write_table(out, left, &expected, &found, "missed");
            write_table(out, right, &found, &expected, "added");
        }
        (Some(expected), None) => {
            write_table(out, left, &expected, &expected, "missed");
            write_text(out, right, &escape_cut(found, most));
        }
        _ => {
            let expected = normalize_number(expected);
            let (before, after) = mark_differences(&expected, found, most);
            write_text(out, left, &before);
            write_text(out, right, &after);
        }
    }
    out.push_str("</div>");
}

/// Writes a titled text; `text` is HTML.
fn write_text(out: &mut String, title: &str, text: &str) {
    let _ = write!(out, "<div><h5>{title}</h5>");
    let _ = match text {
        "" => write!(out, "<p>It is empty.</p>"),
        text => write!(out, "<pre tabindex=\"0\">{text}</pre>"),
    };
    out.push_str("</div>");
}

/// Returns both texts as HTML, with the words that only one of them has marked.
fn mark_differences(expected: &str, found: &str, most: usize) -> (String, String) {
    if expected.len() > MARKED || found.len() > MARKED || found.chars().count() > most {
        return (escape_cut(expected, most), escape_cut(found, most));
    }
    let (mut before, mut after) = (String::new(), String::new());
    let (old, new) = (split_tokens(expected), split_tokens(found));
    let diff = TextDiff::from_slices(&old, &new);
    for change in diff.iter_all_changes() {
        let text = escape_html(change.value());
        match change.tag() {
            ChangeTag::Equal => {
                before.push_str(&text);
                after.push_str(&text);
            }
            // A difference in white space is invisible, so it is not marked.
            ChangeTag::Delete if text.trim().is_empty() => before.push_str(&text),
            ChangeTag::Insert if text.trim().is_empty() => after.push_str(&text),
            ChangeTag::Delete => {
                let _ = write!(before, "<mark class=\"missed\">{text}</mark>");
            }
            ChangeTag::Insert => {
                let _ = write!(after, "<mark class=\"added\">{text}</mark>");
            }
        }
    }
    (before, after)
}

/// Splits a text into words, numbers with their decimals, runs of white space, and single other characters.
fn split_tokens(text: &str) -> Vec<&str> {
    let kind = |c: char| {
        if c.is_alphanumeric() || c == '.' {
            1
        } else if c.is_whitespace() {
            2
        } else {
            0
        }
    };
    let mut tokens = Vec::new();
    let mut start = 0;
    let mut last = 0;
    for (at, c) in text.char_indices() {
        if at > start && (kind(c) != last || last == 0) {
            tokens.extend(text.get(start..at));
            start = at;
        }
        last = kind(c);
    }
    tokens.extend(text.get(start..).filter(|rest| !rest.is_empty()));
    tokens
}

/// Writes a table; cells that differ from the other table's at the same place are marked.
fn write_table(out: &mut String, title: &str, rows: &Rows, other: &Rows, class: &str) {
    let _ = write!(
        out,
        "<div><h5>{title}</h5><div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"{title}\"><table><caption>{} rows</caption><tbody>",
        rows.len()
    );
    for (at, row) in rows.iter().enumerate().take(ROWS) {
        out.push_str("<tr>");
        for (column, cell) in row.iter().enumerate() {
            let same = other
                .get(at)
                .and_then(|row| row.get(column))
                .is_some_and(|theirs| normalize_number(theirs) == normalize_number(cell));
            let class = if same { String::new() } else { format!(" class=\"{class}\"") };
            let _ = write!(out, "<td{class}>{}</td>", escape_cut(&normalize_number(cell), 200));
        }
        out.push_str("</tr>");
    }
    out.push_str("</tbody></table></div>");
    if rows.len() > ROWS {
        let _ = write!(out, "<p class=\"note\">{} more rows.</p>", rows.len() - ROWS);
    }
    out.push_str("</div>");
}

/// Parses a text as a table: a JSON array of arrays or of objects, a Markdown table, or CSV with at least two columns.
fn parse_rows(text: &str) -> Option<Rows> {
    let text = text.trim();
    if let Ok(Json::Array(items)) = serde_json::from_str::<Json>(text) {
        let arrays = || {
            items.iter().map(|item| Some(item.as_array()?.iter().map(format_value).collect())).collect::<Option<Rows>>()
        };
        return convert_objects(&items).or_else(arrays).filter(is_table);
    }
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    if lines.len() > 1 && lines.iter().all(|line| line.starts_with('|') && line.ends_with('|') && line.len() > 1) {
        let rule = |line: &&&str| line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '));
        let cells = |line: &&str| line[1..line.len() - 1].split('|').map(|cell| cell.trim().to_owned()).collect();
        return Some(lines.iter().filter(|line| !rule(line)).map(cells).collect()).filter(is_table);
    }
    // Cells in quotes may contain commas.
    let plain = lines.len() > 1 && lines.iter().all(|line| line.contains(',') && !line.contains(['"', '{', '`']));
    let cells = |line: &&str| line.split(',').map(|cell| cell.trim().to_owned()).collect();
    Some(lines.iter().map(cells).collect()).filter(|_| plain).filter(is_table)
}

/// Converts objects with the same keys: a row of keys, then one row for each object.
fn convert_objects(items: &[Json]) -> Option<Rows> {
    let keys: Vec<String> = items.first()?.as_object()?.keys().cloned().collect();
    let row = |item: &Json| -> Option<Vec<String>> {
        let object = item.as_object().filter(|object| object.len() == keys.len())?;
        keys.iter().map(|key| object.get(key).map(format_value)).collect()
    };
    let rows: Vec<Vec<String>> = items.iter().map(row).collect::<Option<_>>()?;
    Some(std::iter::once(keys.clone()).chain(rows).collect())
}

fn is_table(rows: &Rows) -> bool {
    let width = rows.first().map_or(0, Vec::len);
    width > 1 && rows.iter().all(|row| row.len() == width)
}

fn format_value(json: &Json) -> String {
    match json {
        Json::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Returns a number in its shortest decimal form, also before ` ± …`: `61541.60` is `61541.6`, and the double `19262.399999999998` is `19262.4`. Any other
/// text is unchanged.
pub fn normalize_number(text: &str) -> String {
    if let Some((number, rest)) = text.split_once(" ± ") {
        return format!("{} ± {rest}", normalize_number(number));
    }
    let digits = text.strip_prefix('-').unwrap_or(text);
    let Some((whole, fraction)) = digits.split_once('.') else { return text.to_owned() };
    let number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !number(whole) || !number(fraction) {
        return text.to_owned();
    }
    // Digits of a double after the fifteenth are noise.
    let places = DIGITS.saturating_sub(whole.len());
    let rounded = match text.parse::<f64>() {
        Ok(value) if whole.len() + fraction.len() > DIGITS && places > 0 => format!("{value:.places$}"),
        _ => text.to_owned(),
    };
    rounded.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn html(expected: &str, found: &str) -> String {
        let mut out = String::new();
        write_pair(&mut out, ("Expected", expected), ("Reply", found), 4_000);
        out
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(
            ["61541.60", "-1.00", "100", "1.5e3", "v1.10", "19262.399999999998 ± 0.01"].map(normalize_number),
            ["61541.6", "-1", "100", "1.5e3", "v1.10", "19262.4 ± 0.01"]
        );
    }

    #[test]
    fn words_that_differ_are_marked() {
        let html = html("a total of 12", "a total of <b>");
        assert!(
            html.contains("a total of <mark class=\"missed\">12</mark>")
                && html.contains("<mark class=\"added\">b</mark>"),
            "{html}"
        );
    }

    #[test]
    fn tables_are_tables_and_their_cells_are_marked() {
        let html = html("[[\"a\",1.50],[\"b\",2]]", "a,1.5\nb,<3>");
        assert!(html.contains("<td>a</td><td>1.5</td></tr><tr><td>b</td><td class=\"missed\">2</td>"), "{html}");
        assert!(html.contains("<td>b</td><td class=\"added\">&lt;3&gt;</td>"), "{html}");
        assert_eq!(
            parse_rows("| a | b |\n|---|---|\n| 1 | 2 |"),
            Some(vec![vec!["a".into(), "b".into()], vec!["1".into(), "2".into()]])
        );
        assert_eq!(parse_rows("Well, this\nis, a, sentence"), None);
    }
}
