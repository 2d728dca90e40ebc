//! Which rows a question counts or sums: those of a table that a join repeats, or those that are joined to it.

use super::words::{NEAR, Word, find_cues, is_one_of, iter_near, stem_name};
use syntax::prompts::english::queries::{BACK, COUNTS, EACH, EVER, PASSIVE, RELATIVES, SUMS, VERBS};

/// The largest number of words between a noun and the condition on it: "the customers in Mesa who".
const MAX_PLACE: usize = 6;

/// The tables of a query, one of which is counted or summed.
#[derive(Clone, Debug, PartialEq)]
pub struct Unit {
    /// The table whose rows the join repeats.
    pub repeated: String,
    /// The other tables that are joined.
    pub others: Vec<String>,
    /// Whether rows are counted; otherwise values are summed.
    pub counted: bool,
    /// What the query itself says, for a question that does not name what it counts.
    pub otherwise: Otherwise,
}

/// What a query says of a question that does not name what it counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Otherwise {
    /// The repeated rows are probably meant to count once.
    Report,
    /// Nothing.
    Silence,
}

impl Unit {
    pub(super) fn is_asked(&self, words: &[Word]) -> bool {
        let repeated = stem_name(&self.repeated);
        let others: Vec<String> = self.others.iter().map(|name| stem_name(name)).collect();
        let is_other = |word: &Word| word.stem != repeated && others.contains(&word.stem);
        // `for each order` counts every order.
        let per_other = find_cues(words, &EACH)
            .into_iter()
            .any(|at| words.iter().skip(at).take(2).any(|word| is_other(word) && !word.owner));
        if others.contains(&repeated) || per_other {
            return false;
        }
        let met = if self.counted {
            find_counted(words, |word| word.stem == repeated, is_other)
        } else {
            find_summed(words, |word| word.stem == repeated, is_other)
        };
        met.unwrap_or(self.otherwise == Otherwise::Report)
    }
}

/// Whether the first rows that a question counts are repeated ones; `None` if it does not name them.
fn find_counted(words: &[Word], is_repeated: impl Fn(&Word) -> bool, is_other: impl Fn(&Word) -> bool) -> Option<bool> {
    for from in find_cues(words, &COUNTS) {
        for (at, word) in iter_near(words, from) {
            if is_one_of(word, &VERBS) {
                break;
            }
            let next = words.get(at + 1).filter(|_| !word.ends);
            let is_compound = next.is_some_and(|next| is_repeated(next) || is_other(next));
            if word.owner || is_compound {
                continue;
            }
            // `products were ordered`: each time, or each product once?
            // "How many of the products were ever ordered": each once.
            let is_part = at.checked_sub(2).and_then(|of| words.get(of..at)).is_some_and(|before| {
                matches!(before, [of, the] if is_one_of(of, &["of"]) && is_one_of(the, &["the", "these", "those"]))
            });
            let is_ever = words.get(at + 2).is_some_and(|after| is_one_of(after, &EVER));
            let is_passive = next.is_some_and(|next| is_one_of(next, &PASSIVE))
                && !is_part
                && !is_ever
                && words.get(at + 2).is_none_or(|after| after.stem != "there");
            if is_repeated(word) || is_other(word) {
                return Some(is_repeated(word) && !is_passive);
            }
        }
    }
    None
}

/// Whether a question sums over repeated rows that meet a condition on others: `the customers with an open order`.
fn find_summed(words: &[Word], is_repeated: impl Fn(&Word) -> bool, is_other: impl Fn(&Word) -> bool) -> Option<bool> {
    for from in find_cues(words, &SUMS) {
        let named = iter_near(words, from).find(|(_, word)| is_repeated(word) || is_other(word));
        let Some((at, word)) = named else { continue };
        if is_other(word) {
            return Some(false);
        }
        let relative = iter_near(words, at + 1).take(MAX_PLACE).find(|(_, word)| is_one_of(word, &RELATIVES));
        if let Some((start, _)) = relative.filter(|_| !word.ends)
            && iter_near(words, start).any(|(_, word)| is_other(word))
        {
            return Some(true);
        }
    }
    find_condition_on_others(words, is_repeated, is_other)
}

/// Whether a sentence with a sum is about repeated rows that meet a condition on others: `the fees of all bookings that have a leg, in total`.
fn find_condition_on_others(
    words: &[Word],
    is_repeated: impl Fn(&Word) -> bool,
    is_other: impl Fn(&Word) -> bool,
) -> Option<bool> {
    let mut sentences = words.split_inclusive(|word| word.closes).peekable();
    while let Some(sentence) = sentences.next() {
        // "Take the customers who have an open order. Add up their credit limits."
        let is_continued = sentences.peek().is_some_and(|next| {
            !find_cues(next, &SUMS).is_empty()
                && next.iter().any(|word| is_one_of(word, &BACK))
                && !next.iter().any(&is_other)
        });
        let Some(at) = sentence.iter().position(|word| is_repeated(word) || is_other(word)) else { continue };
        let (named, behind) = (sentence.get(at)?, sentence.get(at + 1..).unwrap_or_default());
        if find_cues(sentence, &SUMS).is_empty() && !is_continued || !is_repeated(named) || named.owner || named.ends {
            continue;
        }
        let relative = behind.iter().take(MAX_PLACE).position(|word| is_one_of(word, &RELATIVES));
        let condition = relative.and_then(|start| behind.get(start + 1..)).unwrap_or_default();
        let reach = condition.iter().take(NEAR).position(|word| word.ends).map_or(NEAR, |end| end + 1);
        if condition.iter().take(reach).any(&is_other) {
            return Some(true);
        }
    }
    None
}
