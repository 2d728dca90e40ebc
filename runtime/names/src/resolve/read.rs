//! The possible readings of a name: its words; with a word that represents several spelled out; and with words that are written together (`CLTNM`) separated.

use std::ops::Range;

use super::super::words::{split_words, to_singular};
use super::{classes, lexicon};

/// Maximum number of readings that are tried.
const MAX_READINGS: usize = 24;
/// Maximum number of letters of a word that is split.
const LONGEST: usize = 24;

/// A reading of a name, with its distance from the written form: less is better.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// Its words.
    pub words: Vec<String>,
    /// The amount subtracted from the score.
    pub doubt: f64,
    /// Whether a word that represents several is spelled out.
    pub spelt: bool,
}

/// Lists all readings of a name; `others` are the words of the name that it is compared with, which help to split it.
pub fn list_readings(written: &str, others: &[String]) -> Vec<Reading> {
    let mut all = vec![Reading { words: split_words(written), doubt: 0.0, spelt: false }];
    // Words that are written together, split.
    for at in (0..all.first().map_or(0, |first| first.words.len())).rev() {
        let Some(word) = all.first().and_then(|first| first.words.get(at)).cloned() else { break };
        let ways = split_word(&word, others);
        let mut more = Vec::new();
        for reading in &all {
            for (parts, doubt) in &ways {
                more.push(replace_words(reading, at..at + 1, parts, *doubt));
            }
        }
        all.extend(more);
        all.truncate(MAX_READINGS);
    }
    // Words that represent several words, spelled out.
    let mut more = Vec::new();
    for reading in &all {
        for (at, word) in reading.words.iter().enumerate() {
            for phrase in lexicon::find_phrases(word) {
                let phrase: Vec<String> = phrase.iter().map(|word| (*word).to_owned()).collect();
                more.push(Reading { spelt: true, ..replace_words(reading, at..at + 1, &phrase, 0.02) });
            }
            if let Some(done) = expand_doer(word) {
                more.push(Reading { spelt: true, ..replace_words(reading, at..at + 1, &done, 0.03) });
            }
            if let Some(spelt) =
                expand_initials(word, others).filter(|spelt| !spelt.iter().any(|one| reading.words.contains(one)))
            {
                more.push(replace_words(reading, at..at + 1, &spelt, 0.04));
            }
        }
        more.extend(read_as_count(reading));
        more.extend(join_adjacent(reading, others));
    }
    all.extend(more);
    all.truncate(MAX_READINGS * 2);
    all.retain(|reading| !reading.words.is_empty());
    all
}

/// Replaces some words of a reading.
fn replace_words(reading: &Reading, replaced: Range<usize>, with: &[String], doubt: f64) -> Reading {
    let mut words = reading.words.clone();
    words.splice(replaced, with.iter().cloned());
    Reading { words, doubt: reading.doubt + doubt, spelt: reading.spelt }
}

/// Reads `number_of_beds` and `num_beds` as a count, like `bed_count`.
fn read_as_count(reading: &Reading) -> Option<Reading> {
    let (first, rest) = reading.words.split_first()?;
    if !["number", "no", "num", "nr", "nbr", "n", "total", "how"].contains(&first.as_str()) {
        return None;
    }
    let rest =
        if rest.first().is_some_and(|word| ["of", "many"].contains(&word.as_str())) { rest.get(1..)? } else { rest };
    let several = rest.first().is_some_and(|word| to_singular(word) != *word || first == "how");
    several.then(|| Reading {
        words: rest.iter().cloned().chain(["count".to_owned()]).collect(),
        doubt: reading.doubt,
        spelt: reading.spelt,
    })
}

/// Expands a doer: `observer` to `observed by`.
fn expand_doer(word: &str) -> Option<[String; 2]> {
    let stem = word.strip_suffix("er").or_else(|| word.strip_suffix("or")).filter(|stem| stem.len() > 4)?;
    Some([format!("{stem}ed"), "by".to_owned()])
}

/// Joins two words that are one: `e_mail`.
fn join_adjacent(reading: &Reading, others: &[String]) -> Option<Reading> {
    reading.words.windows(2).enumerate().find_map(|(at, pair)| {
        let one = pair.concat();
        let is_word = others.contains(&one) || lexicon::is_word(&one);
        is_word.then(|| replace_words(reading, at..at + 2, &[one], 0.01))
    })
}

/// Returns the words of the other name whose initials the word consists of: `ffn`, `po`.
fn expand_initials(word: &str, others: &[String]) -> Option<Vec<String>> {
    let count = word.chars().count();
    if !(2..=5).contains(&count) || lexicon::is_word(word) || classes::find_role(word).is_some() {
        return None;
    }
    let telling: Vec<&String> = others.iter().filter(|word| !classes::is_joining(word)).collect();
    let all: Vec<&String> = others.iter().collect();
    [telling, all].iter().find_map(|words| {
        let block =
            words.windows(count).find(|block| block.iter().filter_map(|word| word.chars().next()).eq(word.chars()))?;
        Some(block.iter().map(|word| (*word).clone()).collect())
    })
}

/// Checks whether a word consists of several words that are written together.
pub fn is_several(word: &str) -> bool {
    !lexicon::is_known(&to_singular(word)) && !split_word(word, &[]).is_empty()
}

/// Returns the ways to split words that are written together.
fn split_word(word: &str, others: &[String]) -> Vec<(Vec<String>, f64)> {
    if word.len() < 4 || word.len() > LONGEST || !word.is_ascii() || word.bytes().any(|byte| byte.is_ascii_digit()) {
        return Vec::new();
    }
    // A word of the language is split only into words of the other name.
    let whole = lexicon::is_known(word) || lexicon::is_known(&to_singular(word));
    // A word of the other name helps only if it does not itself consist of several words.
    let known: Vec<String> =
        others.iter().filter(|other| others.len() > 1 || lexicon::is_known(&to_singular(other))).cloned().collect();
    let others = known.as_slice();
    let mut ways = Vec::new();
    collect_splits(word, others, whole, &mut Vec::new(), 0.0, &mut ways);
    ways.sort_by(|(_, a), (_, b)| a.total_cmp(b));
    let fewest = ways.iter().map(|(parts, _)| parts.len()).min().unwrap_or(0);
    ways.retain(|(parts, _)| parts.len() == fewest);
    ways.truncate(4);
    ways
}

fn collect_splits(
    rest: &str,
    others: &[String],
    whole: bool,
    so_far: &mut Vec<String>,
    doubt: f64,
    ways: &mut Vec<(Vec<String>, f64)>,
) {
    if rest.is_empty() {
        if so_far.len() > 1 {
            ways.push((so_far.clone(), doubt));
        }
        return;
    }
    if so_far.len() > 3 || ways.len() > 64 {
        return;
    }
    for end in (1..=rest.len()).rev() {
        let (Some(first), Some(behind)) = (rest.get(..end), rest.get(end..)) else { continue };
        let mut options: Vec<(String, f64)> = Vec::new();
        // A word of the language is split only into whole words.
        let is_of = |other: &&String| {
            let short =
                lexicon::is_abbreviation(first, other) || end > 2 && lexicon::is_letter_abbreviation(first, other);
            !classes::is_joining(other) && (first == other.as_str() || !whole && short && other.len() > end + 1)
        };
        if end > 1 {
            if let Some(other) = others.iter().find(is_of) {
                options.push((other.clone(), if first == other { 0.0 } else { 0.01 }));
            }
            let listed = lexicon::is_known(first) || classes::find_role(first).is_some();
            let short = end == 2
                && !["id", "no", "nm", "cd", "dt", "ts", "nr", "tp"].contains(&first)
                && !(behind.is_empty() && ["by", "at"].contains(&first));
            if !whole && listed && !classes::is_joining(first) {
                options.push((first.to_owned(), if short { 0.12 } else { 0.015 }));
            }
        } else if so_far.is_empty() && !whole && others.iter().any(|other| other == behind) {
            // `pname`, if the other name has both words.
            let initial = others.iter().find(|other| other.starts_with(first) && other.len() > 3);
            options.extend(initial.map(|other| (other.clone(), 0.05)));
        }
        for (meant, more) in options {
            so_far.push(meant);
            collect_splits(behind, others, whole, so_far, doubt + more, ways);
            so_far.pop();
        }
    }
}
