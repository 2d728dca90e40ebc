//! Text that is read as itself in HTML, in elements and in quoted attributes.

/// Escapes; characters of control become U+FFFD, and those that turn the direction of writing are shown by their number.
pub fn escape(text: &str) -> String {
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
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => out.push_str(&format!("[U+{:04X}]", u32::from(c))),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// The same of at most `most` characters, with a note of how many were cut.
pub fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => escape(text),
        Some((at, _)) => {
            let more = text.chars().count() - most;
            format!("{}<span class=\"cut\">… {more} more characters</span>", escape(text.get(..at).unwrap_or(text)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_hostile_gets_through() {
        assert_eq!(escape("</script><a b='c\"&\u{0}"), "&lt;/script&gt;&lt;a b=&#39;c&quot;&amp;\u{fffd}");
        assert_eq!(escape("a\u{202e}b"), "a[U+202E]b");
        assert_eq!(cut("ä<b", 2), "ä&lt;<span class=\"cut\">… 1 more characters</span>");
    }
}
