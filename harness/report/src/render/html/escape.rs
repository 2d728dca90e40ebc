//! Escapes text for HTML elements and quoted attributes.

use std::fmt::Write as _;

/// Escapes a text; control characters become U+FFFD, and those that change the text direction are shown as their number.
pub fn escape_html(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            '\r' => {}
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                let _ = write!(out, "[U+{:04X}]", u32::from(c));
            }
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// Escapes at most `most` characters of a text, with a note of how many were cut.
pub fn escape_cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => escape_html(text),
        Some((at, _)) => {
            let more = text.chars().count() - most;
            format!(
                "{}<span class=\"cut\">… {more} more characters</span>",
                escape_html(text.get(..at).unwrap_or(text))
            )
        }
    }
}

/// Formats a sentence with code in backticks as HTML. A backtick without a partner is unchanged.
pub fn format_prose(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('`') {
        let Some((code, next)) = after.split_once('`') else { break };
        let _ = write!(out, "{}<code>{}</code>", escape_html(before), escape_html(code));
        rest = next;
    }
    out.push_str(&escape_html(rest));
    out
}

/// Encodes a text as part of an `id` that no other text has: letters, digits, `-`, and `_` stay; any other character becomes its number between `~`.
pub fn encode_anchor(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii_alphanumeric() || matches!(c, '-' | '_') {
            out.push(c);
        } else {
            let _ = write!(out, "~{:x}~", u32::from(c));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_hostile_gets_through() {
        assert_eq!(escape_html("</script><a b='c\"&\u{0}"), "&lt;/script&gt;&lt;a b=&#39;c&quot;&amp;\u{fffd}");
        assert_eq!(escape_html("a\u{202e}b"), "a[U+202E]b");
        assert_eq!(escape_cut("ä<b", 2), "ä&lt;<span class=\"cut\">… 1 more characters</span>");
    }

    #[test]
    fn code_is_typeset_and_escaped() {
        assert_eq!(format_prose("run `a <b>` or ` it"), "run <code>a &lt;b&gt;</code> or ` it");
    }

    #[test]
    fn anchors_differ_as_texts_do() {
        assert_eq!(encode_anchor("a_b-1"), "a_b-1");
        assert_eq!(encode_anchor("a b\">日"), "a~20~b~22~~3e~~65e5~");
        assert_ne!(encode_anchor("a~20~b"), encode_anchor("a b"));
    }
}
