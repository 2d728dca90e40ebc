//! Text that promptfoo renders unchanged: it renders variables as Nunjucks templates, and searches them itself before.

/// Builds a template that renders to this text; `None` only if the text opens a tag and contains every character of Unicode's first private use area.
///
/// The template is a Nunjucks string without line ends in which no two characters open a tag: promptfoo searches for tags that are not closed on their line,
/// and would treat such a text as literal. The empty `raw` block prevents that search altogether, because other Unicode line ends could trigger it. A `{` that
/// would open a tag is written as a character that the text does not contain, and restored with `replace`.
pub(super) fn build_literal_template(text: &str) -> Option<String> {
    let mut out = String::from("{% raw %}{% endraw %}{{ (\"");
    let mark = match has_tag(text) {
        true => Some(('\u{e000}'..='\u{f8ff}').find(|mark| !text.contains(*mark))?),
        false => None,
    };
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, mark) {
            ('\\', _) => out.push_str(r"\\"),
            ('"', _) => out.push_str("\\\""),
            ('\n', _) => out.push_str("\\n"),
            ('\r', _) => out.push_str("\\r"),
            ('\t', _) => out.push_str("\\t"),
            ('{', Some(mark)) if chars.peek().is_some_and(|next| TAGS.contains(next)) => out.push(mark),
            (c, _) => out.push(c),
        }
    }
    out.push('"');
    if let Some(mark) = mark {
        out.push_str(&format!(" | replace(\"{mark}\", \"{{\")"));
    }
    out.push_str(") | safe }}");
    Some(out)
}

/// The characters that open a tag after `{`.
const TAGS: [char; 3] = ['{', '%', '#'];

/// Whether a text opens a tag.
fn has_tag(text: &str) -> bool {
    TAGS.iter().any(|tag| text.contains(['{', *tag].iter().collect::<String>().as_str()))
}

/// Whether providers would parse a prompt as messages instead of text.
pub(super) fn is_like_a_chat(prompt: &str) -> bool {
    let text = prompt.trim_start();
    text.starts_with(['{', '[']) || text.starts_with("- role:")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_opens_a_tag() {
        assert_eq!(build_literal_template("a").as_deref(), Some(r#"{% raw %}{% endraw %}{{ ("a") | safe }}"#));
        for text in ["{{x}}", "{% endraw %}", "{# c #}", "{{{{", "\"}}{{x}}", "\\\"{{", "a\nb\r\nc", "file://x"] {
            let made = build_literal_template(text).expect("a mark is left");
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
