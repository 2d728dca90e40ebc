//! Indexes from the end in filters: `?@.tags[-1] == 'x'`. serde_json_path selects nothing for them if a path must return one value (in a comparison
//! or as a function's argument). They are therefore rewritten as slices, `value(@.tags[-1:])`, with the same meaning in RFC 9535.

/// Rewrites a path to an equivalent one without indexes from the end where one value is needed.
pub(super) fn rewrite_negative_indexes(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    // The open functions and brackets.
    let mut open: Vec<&str> = Vec::new();
    let mut at = 0;
    while let Some(rest) = path.get(at..)
        && let Some(next) = rest.chars().next()
    {
        let mut end = at + next.len_utf8();
        match next {
            '\'' | '"' => end = at + measure_quoted(rest),
            '(' => open.push(name_before(path.get(..at).unwrap_or_default())),
            '[' => open.push("["),
            ')' | ']' => {
                open.pop();
            }
            '@' | '$' if at > 0 => {
                if let Some((query, length)) = parse_negative_path(rest) {
                    let after = path.get(at + length..).unwrap_or_default();
                    match infer_wanted(&out, after, open.last().copied().unwrap_or_default()) {
                        Wanted::Value => out.push_str(&format!("value({query})")),
                        Wanted::Nodes => out.push_str(&query),
                    }
                    at += length;
                    continue;
                }
            }
            _ => {}
        }
        out.push_str(path.get(at..end).unwrap_or_default());
        at = end;
    }
    out
}

/// The result that a filter needs of a path.
enum Wanted {
    /// Its only value.
    Value,
    /// Its nodes: their existence or number.
    Nodes,
}

fn infer_wanted(before: &str, after: &str, function: &str) -> Wanted {
    let (before, after) = (before.trim_end(), after.trim_start());
    let compared = before.ends_with(['=', '<', '>']) || after.starts_with(['=', '<', '>']) || after.starts_with("!=");
    let argument = before.ends_with(['(', ',']) && matches!(function, "length" | "match" | "search");
    if compared || argument { Wanted::Value } else { Wanted::Nodes }
}

/// Returns the name directly before an opening parenthesis at the end of `text`.
fn name_before(text: &str) -> &str {
    let start = text.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '_').len();
    text.get(start..).unwrap_or_default()
}

/// Returns the length in bytes, including quotes, of the quoted text at the start of `text`.
fn measure_quoted(text: &str) -> usize {
    let mut chars = text.char_indices();
    let quote = chars.next().map(|(_, quote)| quote);
    while let Some((at, c)) = chars.next() {
        if c == '\\' {
            chars.next();
        } else if Some(c) == quote {
            return at + c.len_utf8();
        }
    }
    text.len()
}

/// Parses the path of names and indexes at the start of `text`; returns it with slices for its indexes from the end, and its length. `None` for any
/// other path, and for a path without such an index.
fn parse_negative_path(text: &str) -> Option<(String, usize)> {
    let (mut out, mut at, mut found) = (text.get(..1)?.to_owned(), 1, false);
    loop {
        let rest = text.get(at..)?;
        let blanks = rest.len() - rest.trim_start().len();
        let segment = rest.trim_start();
        let length = if segment.starts_with("..") {
            return None;
        } else if let Some(name) = segment.strip_prefix('.') {
            let blanks = name.len() - name.trim_start().len();
            let name = name.trim_start();
            let length = name.find(|c: char| c.is_ascii() && !c.is_ascii_alphanumeric() && c != '_');
            let length = length.unwrap_or(name.len());
            if length == 0 {
                return None;
            }
            1 + blanks + length
        } else if let Some(selector) = segment.strip_prefix('[') {
            let inside = selector.trim_start();
            let length = if inside.starts_with(['\'', '"']) { measure_quoted(inside) } else { inside.find(']')? };
            let end = inside.get(length..)?;
            if !end.trim_start().starts_with(']') {
                return None;
            }
            let length = segment.len() - end.trim_start().len() + 1;
            let inside = inside.get(..inside.len() - end.len())?.trim();
            if !inside.starts_with(['\'', '"']) {
                let index: i64 = inside.parse().ok()?;
                if index < 0 {
                    let end = if index == -1 { String::new() } else { (index + 1).to_string() };
                    out.push_str(&format!("[{index}:{end}]"));
                    at += blanks + length;
                    found = true;
                    continue;
                }
            }
            length
        } else {
            return found.then_some((out, at));
        };
        out.push_str(rest.get(..blanks + length)?);
        at += blanks + length;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_value_from_the_end_is_asked_as_a_slice() {
        for (path, other) in [
            ("$.a[?@.t[-1] == 'x']", "$.a[?value(@.t[-1:]) == 'x']"),
            ("$.a[?'x'!=@ .t [ -2 ]['n']&&@.b]", "$.a[?'x'!=value(@ .t[-2:-1]['n'])&&@.b]"),
            ("$[?@.n == $[-1].n]", "$[?@.n == value($[-1:].n)]"),
            ("$[?(@[-1] < 3 || !(@[0] > 1))]", "$[?(value(@[-1:]) < 3 || !(@[0] > 1))]"),
            ("$[?length(@[-1]) > 2]", "$[?length(value(@[-1:])) > 2]"),
            ("$[?match(@.a, @.b[-1])]", "$[?match(@.a, value(@.b[-1:]))]"),
            ("$[?count(@.a[-1]) == 1]", "$[?count(@.a[-1:]) == 1]"),
            ("$[?value(@.a[-1]) == 1]", "$[?value(@.a[-1:]) == 1]"),
            ("$[?@.a[-1]]", "$[?@.a[-1:]]"),
            ("$[?@.a[?@.b[-1] == 1]]", "$[?@.a[?value(@.b[-1:]) == 1]]"),
            ("$[?@['it\\'s [-1]'][-1] == 1]", "$[?value(@['it\\'s [-1]'][-1:]) == 1]"),
        ] {
            assert_eq!(rewrite_negative_indexes(path), other);
        }
    }

    #[test]
    fn other_paths_stay_as_they_are() {
        for path in
            ["$", "$[-1].a", "$.a[-1][?@.b == '@.c[-1] == 1']", "$..a[?@.b > -1]", "$[?@.a[-2:] ]", "$[?@.a[0] == -1]"]
        {
            assert_eq!(rewrite_negative_indexes(path), path);
        }
    }
}
