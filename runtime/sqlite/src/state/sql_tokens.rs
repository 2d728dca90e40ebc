//! The tokens of a declaration in SQLite's schema.

/// Lists the tokens of SQL: names and keywords in lowercase, names without their quotes, texts as they are. Blanks and comments are left out. A text
/// that SQLite has accepted always has such tokens.
///
/// ```text
/// CREATE TABLE "T" (a INT /* a */ DEFAULT 'X')  →  create table t ( a int default 'X' )
/// ```
pub fn list_tokens(sql: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = sql;
    while let Some(first) = rest.chars().next() {
        let (length, token) = match first {
            _ if rest.starts_with("--") => (rest.find('\n').unwrap_or(rest.len()), None),
            _ if rest.starts_with("/*") => (rest.find("*/").map_or(rest.len(), |end| end + 2), None),
            _ if first.is_ascii_whitespace() => (first.len_utf8(), None),
            '\'' => {
                let length = measure_quoted(rest, '\'');
                (length, rest.get(..length).map(str::to_owned))
            }
            '"' | '`' => {
                let length = measure_quoted(rest, first);
                let inner = rest.get(1..length.saturating_sub(1)).unwrap_or_default();
                (length, Some(inner.replace(&format!("{first}{first}"), &first.to_string()).to_lowercase()))
            }
            '[' => {
                let length = rest.find(']').map_or(rest.len(), |end| end + 1);
                (length, Some(rest.get(1..length.saturating_sub(1)).unwrap_or_default().to_lowercase()))
            }
            _ if is_of_word(first) => {
                let length = rest.find(|c: char| !is_of_word(c)).unwrap_or(rest.len());
                // A blob is a word that a text follows.
                let text =
                    rest.get(length..).filter(|after| length == 1 && "xX".contains(first) && after.starts_with('\''));
                let length = length + text.map_or(0, |text| measure_quoted(text, '\''));
                (length, rest.get(..length).map(str::to_lowercase))
            }
            _ => (first.len_utf8(), Some(first.to_string())),
        };
        tokens.extend(token);
        rest = rest.get(length.max(1)..).unwrap_or_default();
    }
    tokens
}

/// Whether a character is of a name, a keyword, or a number.
fn is_of_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '$') || !c.is_ascii()
}

/// Returns the length of a quoted text; two quotes are one in it.
fn measure_quoted(text: &str, quote: char) -> usize {
    let mut at = 1;
    while let Some(end) = text.get(at..).and_then(|rest| rest.find(quote)) {
        at += end + 1;
        if !text.get(at..).is_some_and(|rest| rest.starts_with(quote)) {
            return at;
        }
        at += 1;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::list_tokens;

    #[test]
    fn what_does_not_count_in_a_declaration() {
        let same = |a: &str, b: &str| assert_eq!(list_tokens(a), list_tokens(b), "{a}");
        same("CREATE TABLE t (N INTEGER)", "create table \"T\"(n  integer -- a comment\n)");
        same("a.b", "[A] . `B`");
        same("\"a\"\"b\"", "`A\"b`");
        same("x /* y */ z", "x z");
        same("DEFAULT X'0a'", "default x'0A'");
        let other = |a: &str, b: &str| assert_ne!(list_tokens(a), list_tokens(b), "{a}");
        other("DEFAULT 'x'", "DEFAULT 'X'");
        other("DEFAULT 'it''s'", "DEFAULT 'it' 's'");
        other("N INT", "N INTEGER");
        other("ab", "a b");
        assert_eq!(list_tokens("a<=1.5"), ["a", "<", "=", "1", ".", "5"]);
        assert_eq!(list_tokens("'open"), ["'open"]);
        assert_eq!(list_tokens("é日 -- end"), ["é日"]);
        assert_eq!(list_tokens("/* open"), Vec::<String>::new());
    }
}
