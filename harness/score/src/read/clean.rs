//! Removes the text that a model writes around its reply.

use std::borrow::Cow;

use model::thoughts::{PERHAPS_THOUGHTS, THOUGHTS};

use crate::rules::Rules;

/// Normalizes a text: line ends are `\n`; white space, byte order marks, and zero-width characters at both ends are removed.
pub fn normalize_text(text: &str) -> Cow<'_, str> {
    let trimmed = text.trim_matches(model::value::is_insignificant_char);
    if trimmed.contains('\r') {
        return Cow::Owned(trimmed.replace("\r\n", "\n").replace('\r', "\n"));
    }
    Cow::Borrowed(trimmed)
}

/// Returns the reply without the model's thoughts.
///
/// In the Harmony form (`<|channel|>…<|message|>…`), it is the last message on the channel `final`, without the tokens after it; empty without such a message.
/// Then blocks of thoughts are removed (see [`model::thoughts`]; any letter case, without attributes), then everything up to the last closing tag of the first
/// list that has no opening tag. A text that begins with an opening tag of the first list and never closes it was cut off in its thoughts: it is empty.
pub fn clean_reply<'a>(text: &'a str, rules: &Rules) -> Cow<'a, str> {
    let text = normalize_text(text);
    // Most replies have no tag at all.
    if !text.contains('<') {
        return text;
    }
    match extract_harmony_final(&text) {
        None => without_thoughts(text),
        Some(said) if rules.cleans_harmony => Cow::Owned(without_thoughts(normalize_text(said)).into_owned()),
        Some(said) => Cow::Owned(normalize_text(said).into_owned()),
    }
}

fn without_thoughts(text: Cow<'_, str>) -> Cow<'_, str> {
    let lower = text.to_ascii_lowercase();
    if !THOUGHTS.iter().chain(&PERHAPS_THOUGHTS).any(|tag| lower.contains(&format!("{tag}>"))) {
        return text;
    }
    let mut rest = text.clone().into_owned();
    for tag in THOUGHTS {
        rest = without_blocks(&rest, tag);
    }
    for tag in THOUGHTS {
        let lower = rest.to_ascii_lowercase();
        let close = format!("</{tag}>");
        if let Some(at) = lower.rfind(&close) {
            rest.drain(..at + close.len());
        }
    }
    rest = normalize_text(&rest).into_owned();
    let lower = rest.to_ascii_lowercase();
    if THOUGHTS.iter().any(|tag| lower.starts_with(&format!("<{tag}>"))) {
        return Cow::Borrowed("");
    }
    let start = skip_first_blocks(&rest, &lower);
    rest.drain(..start);
    Cow::Owned(rest)
}

/// Returns the byte after the blocks of [`PERHAPS_THOUGHTS`] at the start, except a last block that nothing follows. `lower` is the text in
/// lowercase.
fn skip_first_blocks(text: &str, lower: &str) -> usize {
    let mut at = 0;
    loop {
        let rest = &lower[at..];
        let end = PERHAPS_THOUGHTS.iter().find_map(|tag| {
            let close = format!("</{tag}>");
            let end = rest.starts_with(&format!("<{tag}>")).then(|| rest.find(&close)).flatten()?;
            Some(at + end + close.len())
        });
        let Some(end) = end else { return at };
        let following = text[end..].trim_start_matches(model::value::is_insignificant_char);
        if following.is_empty() {
            return at;
        }
        at = text.len() - following.len();
    }
}

/// Returns the last message on the channel `final`; `None` if the text is not in the Harmony form.
fn extract_harmony_final(text: &str) -> Option<&str> {
    const CHANNEL: &str = "<|channel|>";
    const MESSAGE: &str = "<|message|>";
    if !text.contains(CHANNEL) || !text.contains(MESSAGE) {
        return None;
    }
    let mut said = "";
    let mut any = false;
    for part in text.split(CHANNEL).skip(1) {
        let Some((head, body)) = part.split_once(MESSAGE) else { continue };
        any = true;
        if head.trim_start().starts_with("final") {
            said = ["<|return|>", "<|end|>", "<|call|>", "<|start|>"]
                .iter()
                .filter_map(|token| body.find(token))
                .min()
                .map_or(body, |end| &body[..end]);
        }
    }
    any.then_some(said)
}

/// Removes every `<tag>…</tag>`, each up to the first closing tag.
fn without_blocks(text: &str, tag: &str) -> String {
    let lower = text.to_ascii_lowercase();
    let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(start) = lower[at..].find(&open).map(|start| at + start) {
        let Some(end) = lower[start..].find(&close).map(|end| start + end + close.len()) else { break };
        out.push_str(&text[at..start]);
        at = end;
    }
    out.push_str(&text[at..]);
    out
}

#[cfg(test)]
mod tests {
    use model::Scorer;

    use super::*;

    #[test]
    fn thoughts_are_taken_away_and_answers_stay() {
        for (raw, read) in [
            ("  42\r\n", "42"),
            ("\u{FEFF}\u{200B}42\u{200B}", "42"),
            ("<think>6*7</think>42", "42"),
            ("<Think>\n6*7\n</THINK>\n\n42", "42"),
            ("Well <thinking>hm</thinking>42", "Well 42"),
            ("<think>a<think>b</think>c</think>42", "42"),
            ("thoughts </think> more </think>42", "42"),
            ("<think>cut off", ""),
            ("<analysis>x</analysis>42", "42"),
            ("<analysis>5</analysis>", "<analysis>5</analysis>"),
            ("<reflection>a</reflection><internal>b</internal>42", "42"),
            ("<report><analysis>x</analysis></report>", "<report><analysis>x</analysis></report>"),
            ("<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>42<|return|>", "42"),
            ("<|channel|>final<|message|>42<|end|><|start|>assistant<|channel|>commentary<|message|>done", "42"),
            ("<|channel|>analysis<|message|>42<|end|>", ""),
            ("<|channel|>final <|constrain|>json<|message|>{}<|return|>", "{}"),
            ("a < b", "a < b"),
        ] {
            for scorer in Scorer::ALL {
                assert_eq!(clean_reply(raw, Rules::from_scorer(scorer)), read, "{raw}");
            }
        }
        let thinking = "<|channel|>final<|message|>a</reasoning><think>b</think>42<|return|>";
        assert_eq!(clean_reply(thinking, Rules::from_scorer(Scorer::One)), "a</reasoning><think>b</think>42");
        assert_eq!(clean_reply(thinking, Rules::from_scorer(Scorer::Two)), "42");
    }
}
