//! Text as promptfoo reads it back: it renders variables as Nunjucks templates, with searches of its own before that.

/// A template that renders to this text, whatever is in it.
///
/// It is a string of Nunjucks in which no two characters open a tag (`{` is cut off from what comes after it) and which has no line end (promptfoo looks for tags
/// that are not closed on their line, and takes such a text as it is). The empty `raw` block keeps promptfoo from that search altogether, which other line ends
/// of Unicode could bring about.
pub(super) fn literal(text: &str) -> String {
    let mut out = String::from("{% raw %}{% endraw %}{{ (\"");
    for c in text.chars() {
        match c {
            '\\' => out.push_str(r"\\"),
            '"' => out.push_str("\\\""),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '{' => out.push_str("{\" ~ \""),
            c => out.push(c),
        }
    }
    out.push_str("\") | safe }}");
    out
}

/// Whether providers would read a prompt as messages instead of text.
pub(super) fn is_like_a_chat(prompt: &str) -> bool {
    let text = prompt.trim_start();
    text.starts_with(['{', '[']) || text.starts_with("- role:")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_opens_a_tag() {
        assert_eq!(literal("a"), r#"{% raw %}{% endraw %}{{ ("a") | safe }}"#);
        for text in ["{{x}}", "{% endraw %}", "{# c #}", "{{{{", "\"}}{{x}}", "\\\"{{", "a\nb\r\nc", "file://x"] {
            let made = literal(text);
            let inner =
                made.strip_prefix("{% raw %}{% endraw %}{{ (").and_then(|rest| rest.strip_suffix(") | safe }}"));
            let inner = inner.expect("the frame");
            assert!(!["{{", "{%", "{#", "\n", "\r"].iter().any(|tag| inner.contains(tag)), "{made}");
        }
    }

    #[test]
    fn messages_are_found() {
        assert!(is_like_a_chat(" [1]") && is_like_a_chat("{\"a\": 1}") && is_like_a_chat("- role: user"));
        assert!(!is_like_a_chat("Say {x} [y]") && !is_like_a_chat("- roles"));
    }
}
