//! Generates texts that match a regular expression.

use model::pattern::Pattern;
use regex_syntax::hir::{Class, Hir, HirKind};

use crate::full_match::is_full_match;

/// The maximum length of an example; longer ones are not generated.
const MAX_STEPS: usize = 100_000;

/// Generates texts that fully match the expression, the simplest first; empty if none was found.
pub fn generate_examples(source: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut keep = |text: String| {
        if !text.trim().is_empty() && !found.contains(&text) && is_full_match(source, &text) == Ok(true) {
            found.push(text);
        }
    };
    if let Ok(hir) = regex_syntax::parse(source) {
        for more in [0, 1, 2] {
            for way in 0..4 {
                let mut out = String::new();
                if write_match(&hir, more, way, &mut out) {
                    keep(out);
                }
            }
        }
    }
    if let Ok(pattern) = Pattern::new(source) {
        let last = pattern.count_texts().saturating_sub(1);
        [0, 1, last / 2, last].into_iter().filter_map(|at| pattern.text_at(at)).for_each(&mut keep);
    }
    found
}

/// Writes a match of the expression: each repetition `more` times above its minimum, and the `way`-th of alternatives. Returns `false` if it is too long.
fn write_match(hir: &Hir, more: u32, way: usize, out: &mut String) -> bool {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => true,
        HirKind::Literal(literal) => {
            out.push_str(&String::from_utf8_lossy(&literal.0));
            true
        }
        HirKind::Class(class) => {
            out.extend(choose_character(class));
            true
        }
        HirKind::Repetition(repetition) => {
            let times = repetition.max.map_or(u32::MAX, |max| max).min(repetition.min.saturating_add(more));
            (0..times).all(|_| write_match(&repetition.sub, more, way, out) && out.len() <= MAX_STEPS)
        }
        HirKind::Capture(capture) => write_match(&capture.sub, more, way, out),
        HirKind::Concat(parts) => parts.iter().all(|part| write_match(part, more, way, out)),
        HirKind::Alternation(ways) => {
            ways.get(way % ways.len().max(1)).is_none_or(|part| write_match(part, more, way, out))
        }
    }
}

/// Chooses a character of the class, preferably a letter or digit.
fn choose_character(class: &Class) -> Option<char> {
    let ranges: Vec<(char, char)> = match class {
        Class::Unicode(class) => class.iter().map(|range| (range.start(), range.end())).collect(),
        Class::Bytes(class) => class.iter().map(|range| (char::from(range.start()), char::from(range.end()))).collect(),
    };
    let plain = ('a'..='z').chain('A'..='Z').chain('0'..='9').chain('!'..='~');
    let has = |char: &char| ranges.iter().any(|(low, high)| low <= char && char <= high);
    plain.into_iter().find(has).or_else(|| ranges.first().map(|(low, _)| *low))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_fit() {
        for source in [
            "[A-Z]{3}-\\d{2}",
            "^a+b*$",
            "(yes|no)",
            "\\w+@\\w+\\.(com|org)",
            "(?i)x",
            "\\bword\\b",
            ".*",
            "[^a-z]{4}",
            "é?|b",
            "x{2,}",
        ] {
            let found = generate_examples(source);
            assert!(!found.is_empty(), "{source}");
            assert!(found.iter().all(|text| is_full_match(source, text) == Ok(true)), "{source}: {found:?}");
        }
        assert!(generate_examples("a^b").is_empty());
        assert!(generate_examples("(").is_empty());
    }
}
