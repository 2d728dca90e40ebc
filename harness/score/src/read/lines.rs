//! JSON Lines: a value on each line of a file, read as one array.

use model::Format;
use model::format::strip_gzip;
use records::Reason;

use super::json::{Keep, parse_json_within};
use super::limit::Limit;
use crate::finding::Finding;

/// Checks whether a file has a value on each line, by its path.
pub fn is_json_lines(path: &str) -> bool {
    Format::from_path(strip_gzip(path)) == Some(Format::Jsonl)
}

/// Joins the values on the lines of a text to an array. Lines keep their numbers, and blank ones are not values.
pub fn join_lines(text: &str) -> Result<String, Finding> {
    let mut joined = String::with_capacity(text.len() + 2);
    joined.push('[');
    let mut first = true;
    for (line, at) in text.lines().zip(1..) {
        if !line.trim().is_empty() {
            if let Err(why) = parse_json_within(line, &Limit::without_bound(), Keep::Nothing) {
                let got = format!("line {at} is not: {why}");
                return Err(Finding::wrong(Reason::NotJson, "a JSON value on each line", got));
            }
            if !std::mem::take(&mut first) {
                joined.push(',');
            }
            joined.push_str(line);
        }
        joined.push('\n');
    }
    joined.push(']');
    Ok(joined)
}

/// Splits the text of a JSON array into lines, one for each value; `None` if it is not an array. The text must be JSON.
pub fn split_lines(array: &str) -> Option<String> {
    let inner = array.trim().strip_prefix('[')?.strip_suffix(']')?;
    let mut lines = String::with_capacity(inner.len() + 1);
    let (mut depth, mut in_text, mut is_escaped) = (0_usize, false, false);
    for char in inner.chars() {
        match char {
            _ if is_escaped => is_escaped = false,
            '\\' if in_text => is_escaped = true,
            '"' => in_text = !in_text,
            '[' | '{' if !in_text => depth += 1,
            ']' | '}' if !in_text => depth = depth.saturating_sub(1),
            ',' if !in_text && depth == 0 => {
                lines.push('\n');
                continue;
            }
            // Outside of texts, line ends are only blanks.
            '\n' | '\r' => continue,
            _ => {}
        }
        lines.push(char);
    }
    if !lines.trim().is_empty() {
        lines.push('\n');
    }
    Some(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_split_is_joined_again() {
        for array in ["[]", "[ ]", "[1]", "[1, [2,\n3], {\"a\": \"x,]\\\"}\\\\\", \"b\": []}, \"\\n\", null]"] {
            let lines = split_lines(array).expect("an array");
            let plain = |text: &str| text.replace(['\n', ' '], "");
            assert_eq!(plain(&join_lines(&lines).expect("lines")), plain(array), "{lines}");
        }
        assert_eq!(split_lines("[1, {\"a\":\n2}]").as_deref(), Some("1\n {\"a\":2}\n"));
        assert_eq!(split_lines("{\"a\": [1]}"), None);
    }

    #[test]
    fn each_line_is_a_value_of_its_own() {
        assert_eq!(join_lines("{\"a\": 1}\r\n\n7\n").ok().as_deref(), Some("[{\"a\": 1}\n\n,7\n]"));
        assert_eq!(join_lines("").ok().as_deref(), Some("[]"));
        for text in ["1, 2", "1],[2", "{\"a\":\n1}", "NaN", "1 2", "True"] {
            assert_eq!(join_lines(text).expect_err("refused").reason, Reason::NotJson, "{text}");
        }
    }
}
