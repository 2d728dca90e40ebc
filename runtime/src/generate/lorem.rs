//! Filler text: Latin words, each drawn independently. The list is frozen with edition 1.

use std::sync::LazyLock;

use model::domain::LoremUnit;

use super::streams::{self, Words};

/// The words, in the order of their indexes.
static WORDS: LazyLock<Vec<&'static str>> = LazyLock::new(|| include_str!("lorem.txt").split_whitespace().collect());

/// Words per sentence: the minimum, and the number of possible lengths (8 to 15).
pub(crate) const SENTENCE: (u64, u128) = (8, 8);
/// Sentences per paragraph (4 to 8).
pub(crate) const PARAGRAPH: (u64, u128) = (4, 5);

/// Draws one lorem word.
pub(crate) fn draw_word(words: &mut Words) -> &'static str {
    let at = streams::to_index(streams::next(words), WORDS.len() as u128);
    WORDS.get(at as usize).copied().unwrap_or("lorem")
}

/// Appends `count` units: words and sentences separated by a space, lines (a sentence each) by a newline, paragraphs by an empty line. The text does
/// not end with a newline.
pub(crate) fn write_text(unit: LoremUnit, count: u64, words: &mut Words, out: &mut String) {
    let separator = match unit {
        LoremUnit::Words | LoremUnit::Sentences => " ",
        LoremUnit::Lines => "\n",
        LoremUnit::Paragraphs => "\n\n",
    };
    write_joined(count, separator, words, out, |words, out| match unit {
        LoremUnit::Words => out.push_str(draw_word(words)),
        LoremUnit::Sentences | LoremUnit::Lines => write_sentence(words, out),
        LoremUnit::Paragraphs => {
            let sentences = draw_between(PARAGRAPH, words);
            write_joined(sentences, " ", words, out, write_sentence);
        }
    });
}

/// Appends `count` parts with a separator between them.
fn write_joined(
    count: u64,
    separator: &str,
    words: &mut Words,
    out: &mut String,
    write: impl Fn(&mut Words, &mut String),
) {
    for at in 0..count {
        if at > 0 {
            out.push_str(separator);
        }
        write(words, out);
    }
}

/// Computes two sizes of filler texts with `low..=high` units: log10 of the number of different texts, and -log10 of the probability of the most
/// likely one. Different draws always produce different texts, because words, sentences, and paragraphs can be recognized in them.
pub fn compute_lorem_size(unit: LoremUnit, low: u32, high: u32) -> (f64, f64) {
    let word = libm::log10(WORDS.len() as f64);
    let several = |(least, choices): (u64, u128), (count, likeliest): (f64, f64)| {
        (sum_powers(count, least, least + choices as u64 - 1), libm::log10(choices as f64) + least as f64 * likeliest)
    };
    let sentence = several(SENTENCE, (word, word));
    let unit = match unit {
        LoremUnit::Words => (word, word),
        LoremUnit::Sentences | LoremUnit::Lines => sentence,
        LoremUnit::Paragraphs => several(PARAGRAPH, sentence),
    };
    several((low.into(), u128::from(high.saturating_sub(low)) + 1), unit)
}

/// Computes log10 of the sum of `10^(each · count)` for all counts from `low` to `high`.
fn sum_powers(each: f64, low: u64, high: u64) -> f64 {
    let most = each * high as f64;
    // Terms so far below the largest do not change any digit of the sum.
    let rest = (low..=high).rev().take_while(|count| each * (high - count) as f64 <= 20.0);
    most + libm::log10(rest.map(|count| libm::pow(10.0, each * count as f64 - most)).sum())
}

fn write_sentence(words: &mut Words, out: &mut String) {
    let start = out.len();
    let length = draw_between(SENTENCE, words);
    write_joined(length, " ", words, out, |words, out| out.push_str(draw_word(words)));
    // The words are ASCII.
    if let Some(first) = out.get_mut(start..start + 1) {
        first.make_ascii_uppercase();
    }
    out.push('.');
}

fn draw_between((least, choices): (u64, u128), words: &mut Words) -> u64 {
    least + streams::to_index(streams::next(words), choices)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::streams::Keys;

    #[test]
    fn the_words_are_plain_and_different() {
        let distinct: std::collections::BTreeSet<_> = WORDS.iter().collect();
        assert_eq!(distinct.len(), WORDS.len());
        assert!(WORDS.iter().all(|word| word.bytes().all(|byte| byte.is_ascii_lowercase())));
    }

    #[test]
    fn sizes_are_sums_of_powers() {
        let near = |(a, b): (f64, f64), (c, d): (f64, f64)| (a - c).abs() < 1e-9 && (b - d).abs() < 1e-9;
        let v = WORDS.len() as f64;
        let words = compute_lorem_size(LoremUnit::Words, 1, 3);
        assert!(near(words, ((v + v * v + v * v * v).log10(), (3.0 * v).log10())), "{words:?}");
        let sentence: f64 = (8..=15).map(|length| v.powi(length)).sum();
        let likeliest = 8.0 * v.powi(8);
        let lines = compute_lorem_size(LoremUnit::Lines, 2, 2);
        assert!(near(lines, (2.0 * sentence.log10(), 2.0 * likeliest.log10())), "{lines:?}");
        assert_eq!(compute_lorem_size(LoremUnit::Words, 0, 0), (0.0, 0.0));
    }

    #[test]
    fn lines_are_sentences() {
        let mut out = String::new();
        write_text(LoremUnit::Lines, 100, Keys::new(1, "lines").derive_stream(&["x"]).derive_child(3), &mut out);
        assert_eq!(out.lines().count(), 100);
        assert!(!out.ends_with('\n'));
        for line in out.lines() {
            assert!((8..=15).contains(&line.split(' ').count()) && line.ends_with('.'), "{line}");
            assert!(line.starts_with(|first: char| first.is_ascii_uppercase()));
        }
    }
}
