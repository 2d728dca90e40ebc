//! The comparisons in a JSONPath or XPath, read without or with their ends.

/// Lists the texts of a path in which one comparison is another: (how it is written, how it is read, the text).
pub fn misread_path(text: &str) -> Vec<(&'static str, &'static str, String)> {
    let mut found = Vec::new();
    let mut quote: Option<char> = None;
    for (at, char) in text.char_indices() {
        match quote {
            Some(open) => {
                if char == open {
                    quote = None;
                }
                continue;
            }
            None if matches!(char, '"' | '\'') => {
                quote = Some(char);
                continue;
            }
            None => {}
        }
        let (before, rest) = text.split_at(at);
        let is = |sign: &str| rest.starts_with(sign);
        let (from, to) = match char {
            '<' if is("<=") => ("<=", "<"),
            '<' => ("<", "<="),
            '>' if is(">=") => (">=", ">"),
            '>' => (">", ">="),
            _ => continue,
        };
        found.push((from, to, format!("{before}{to}{}", rest.strip_prefix(from).unwrap_or(rest))));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_outside_quotes() {
        let found = misread_path("$.a[?@.n > 3 && @.m <= 4 && @.s == '>']");
        let texts: Vec<&str> = found.iter().map(|(_, _, text)| text.as_str()).collect();
        assert_eq!(texts, ["$.a[?@.n >= 3 && @.m <= 4 && @.s == '>']", "$.a[?@.n > 3 && @.m < 4 && @.s == '>']"]);
    }
}
