//! Groups of names in a prompt: in a displayed object, in a list with one line per name, or in a row with commas.

/// A group of names in a prompt.
#[derive(Debug, PartialEq, Eq)]
pub struct Group {
    /// The names in text order.
    pub names: Vec<String>,
    /// Whether a word such as `keys` precedes them, so they are certainly keys.
    pub of_keys: bool,
    /// Whether they are the keys of a displayed object.
    pub in_object: bool,
}

/// Words that introduce names of keys, even without quotes.
const KEYS: [&str; 6] = ["key", "keys", "field", "fields", "property", "properties"];
/// Words that continue a sentence after a list of names.
const NO_NAMES: [&str; 10] = ["and", "or", "the", "please", "only", "then", "nothing", "each", "all", "with"];

/// Finds the groups of names in a text.
pub fn find_name_groups(text: &str) -> Vec<Group> {
    let mut out = Vec::new();
    let outside = extract_objects(text, &mut out);
    out.extend(find_line_groups(&outside));
    out.extend(find_row_groups(&outside));
    out
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && text.chars().count() <= 64
        && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'))
}

/// Extracts the keys of each object in the text, such as `{"best": 1, "worst": …}`. Returns the text without these objects.
fn extract_objects(text: &str, out: &mut Vec<Group>) -> String {
    let mut outside = String::new();
    let (mut depth, mut start, mut end) = (0_usize, 0, 0);
    for (at, c) in text.char_indices() {
        match c {
            '{' => {
                if depth == 0 {
                    start = at;
                }
                depth += 1;
            }
            '}' if depth > 0 => {
                depth -= 1;
                if depth == 0 {
                    let names = parse_object_keys(text.get(start + 1..at).unwrap_or_default());
                    out.push(Group { names, of_keys: false, in_object: true });
                    outside.push_str(text.get(end..start).unwrap_or_default());
                    outside.push_str("{}");
                    end = at + 1;
                }
            }
            _ => {}
        }
    }
    outside.push_str(text.get(end..).unwrap_or_default());
    outside
}

/// Returns the names before the colons of an object.
fn parse_object_keys(object: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut pieces = object.split(':').peekable();
    while let Some(piece) = pieces.next() {
        if pieces.peek().is_none() {
            break;
        }
        let piece = piece.trim_end();
        let name = match piece.chars().next_back() {
            Some(mark @ ('"' | '\'' | '`')) => {
                let inner = &piece[..piece.len() - 1];
                inner.rfind(mark).and_then(|from| inner.get(from + 1..)).unwrap_or_default()
            }
            _ => {
                let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
                let from = piece.trim_end_matches(word).len();
                // Only at the position of a key.
                let before = piece[..from].trim_end();
                if before.is_empty() || before.ends_with([',', '{', '[']) { &piece[from..] } else { "" }
            }
        };
        if is_name(name) {
            out.push(name.to_owned());
        }
    }
    out
}

/// Finds lines that begin with a bullet or number and a name, or with a quoted name, followed by a description.
fn find_line_groups(text: &str) -> Vec<Group> {
    let mut out = Vec::new();
    let mut names = Vec::new();
    for line in text.lines().chain([""]) {
        match parse_line_name(line) {
            Some(name) => names.push(name.to_owned()),
            // A single line is not a group.
            None if names.len() < 2 => names.clear(),
            None => out.push(Group { names: std::mem::take(&mut names), of_keys: false, in_object: false }),
        }
    }
    out
}

fn parse_line_name(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let bare = ["- ", "* ", "• ", "+ "]
        .iter()
        .find_map(|bullet| line.strip_prefix(bullet))
        .or_else(|| (number.len() < line.len()).then(|| number.strip_prefix(['.', ')']))?)
        .map(str::trim_start);
    let (name, rest) = match parse_marked_name(bare.unwrap_or(line)) {
        Some(found) => found,
        None => {
            let bare = bare?;
            bare.split_at(bare.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(bare.len()))
        }
    };
    let rest = rest.trim_start();
    let told = rest.starts_with([':', '(', '—', '–', '=']) || rest.starts_with("- ") || rest.starts_with("-> ");
    (is_name(name) && told).then_some(name)
}

/// Parses a quoted name at the beginning of a text. Returns it with the rest of the text.
fn parse_marked_name(text: &str) -> Option<(&str, &str)> {
    let mark = text.chars().next().filter(|mark| matches!(mark, '`' | '"' | '\''))?;
    let (name, rest) = text[1..].split_once(mark)?;
    is_name(name).then_some((name, rest))
}

/// Finds rows of names with commas or `and` between them: quoted names, or unquoted ones after `keys`. A remark in parentheses can follow each name.
fn find_row_groups(text: &str) -> Vec<Group> {
    let mut out = Vec::new();
    let mut rest = text;
    let mut before: Option<char> = None;
    let mut of_keys = false;
    while let Some(c) = rest.chars().next() {
        // A quote mark inside a word does not start a name: `agent's`.
        let at_word = !before.is_some_and(|c| c.is_alphanumeric() || c == '_');
        if at_word && let Some((names, behind)) = parse_row(rest, if of_keys { parse_name } else { parse_quoted_name })
        {
            out.push(Group { names, of_keys, in_object: false });
            before = rest[..rest.len() - behind.len()].chars().next_back();
            (rest, of_keys) = (behind, false);
            continue;
        }
        if at_word && c.is_alphabetic() {
            let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
            of_keys = KEYS.contains(&rest[..end].to_lowercase().as_str());
            before = rest[..end].chars().next_back();
            rest = &rest[end..];
            continue;
        }
        of_keys &= c.is_whitespace() || c == ':';
        before = Some(c);
        rest = &rest[c.len_utf8()..];
    }
    out
}

/// Parses a row of names at the beginning of a text. Returns it with the rest of the text.
fn parse_row(text: &str, parse_one: fn(&str) -> Option<(&str, &str)>) -> Option<(Vec<String>, &str)> {
    let (first, mut rest) = parse_one(text)?;
    let mut names = vec![first.to_owned()];
    // "The key `seats`, oldest first" has one name.
    let parse_next = if parse_quoted_name(text).is_some() { parse_quoted_name } else { parse_one };
    loop {
        let behind = skip_remark(rest);
        let Some((next, after)) = next(behind).and_then(parse_next) else { break };
        names.push(next.to_owned());
        rest = after;
    }
    Some((names, rest))
}

/// Parses one quoted name.
fn parse_quoted_name(text: &str) -> Option<(&str, &str)> {
    parse_marked_name(text).filter(|(_, rest)| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
}

/// Parses one name: quoted, or unquoted if the sentence does not continue with another word.
fn parse_name(text: &str) -> Option<(&str, &str)> {
    if let Some(quoted) = parse_quoted_name(text) {
        return Some(quoted);
    }
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let behind = rest.strip_prefix('-').unwrap_or_else(|| rest.trim_start_matches(' '));
    let goes_on = behind.starts_with(char::is_alphanumeric) && next(rest).is_none();
    (is_name(name) && !goes_on && !NO_NAMES.contains(&name.to_lowercase().as_str())).then_some((name, rest))
}

/// Skips a remark in parentheses at the beginning of a text.
fn skip_remark(text: &str) -> &str {
    let inside = text.trim_start();
    if !inside.starts_with('(') {
        return text;
    }
    let mut depth = 0_usize;
    for (at, c) in inside.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &inside[at + 1..];
        }
    }
    text
}

/// Skips a comma, an `and`, or both, and an article. Returns the rest of the text, or `None` if it starts with none of them.
fn next(text: &str) -> Option<&str> {
    let mut rest = text.trim_start();
    let mut any = false;
    while let Some(behind) = rest.strip_prefix([',', ';', '&']) {
        (rest, any) = (behind.trim_start(), true);
    }
    for word in ["and", "the", "an", "a"] {
        if let Some(behind) = rest.strip_prefix(word)
            && behind.starts_with(char::is_whitespace)
            && (word == "and" || any)
        {
            (rest, any) = (behind.trim_start(), true);
        }
    }
    any.then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        find_name_groups(text).into_iter().map(|group| group.names.join(" ")).collect()
    }

    #[test]
    fn names_that_stand_together() {
        for (text, wanted) in [
            ("with `a`, `b` and `c`.", &["a b c"][..]),
            ("`a` (the sum, (or so)), 'b_2'; and the \"c\" of it", &["a b_2 c"]),
            ("using 'num_big_orders' as key", &["num_big_orders"]),
            ("the keys best, rows_seen and worst.", &["best rows_seen worst"]),
            ("keys: best and worst of PAY", &["best"]),
            ("the keys and values", &[]),
            ("keys a, b, please", &["a b"]),
            ("the key `seats`, oldest first", &["seats"]),
            ("the key `seats`, the longest-serving in first place", &["seats"]),
            ("keys a, b, well-known ones", &["a b"]),
            ("like {\"a\": 1, \"b\": {\"c\": [2]}} here", &["a b c"]),
            ("like {a: 1, b: \"x: y\"}", &["a b"]),
            ("like {\"a\": \"x\", \"b\": 1}, `c`", &["a b", "c"]),
            ("these:\n- a: one\n- `b` (two)\n* c - three\n\n1. d: four", &["a b c", "b"]),
            ("the agent's `a`, not the user's", &["a"]),
            ("`a` or `b`", &["a", "b"]),
            ("a, b and c", &[]),
            ("{", &[]),
            ("`", &[]),
            ("", &[]),
        ] {
            assert_eq!(found(text), wanted, "{text}");
        }
    }

    #[test]
    fn no_text_is_too_odd() {
        for text in [
            "{:}",
            "{\"\":}",
            "''':",
            "`é`, `ß`",
            "({[`a`(",
            "keys",
            "keys ",
            "1.",
            "- ",
            "- `",
            "`a`(",
            "{{}",
            "}}{",
            "é: {é: 1}",
        ] {
            let _ = find_name_groups(text);
        }
    }
}
