//! The similarity of two names: the cost of explaining one as a variant of the other.

use std::collections::BTreeSet;

use super::abbreviations;
use super::edits::{self, Slip};
use super::vocabulary;
use super::words::{
    find_shared_word, fold_name, is_counterpart, is_number, list_first_words, split_words, to_singular,
};

/// Singular instead of plural.
const NUMBER: u32 = 1;
/// A short form instead of its word.
const SHORT: u32 = 2;
/// A typing slip.
const SLIP: u32 = 3;
/// A synonym, words in another order, or the table's name as a prefix.
const OTHER_WORD: u32 = 4;
/// Maximum cost of a certain explanation; a higher one is only a guess.
const MAX_COST: u32 = 8;
/// Minimum cost of a guess.
const GUESS: u32 = 20;
/// Minimum cost of names that contain one another.
const PART: u32 = 40;
/// Maximum number of characters; longer names are compared only by layout.
const LONGEST: usize = 80;
/// Maximum number of words that are compared in any order; more are compared only in order.
const MAX_WORDS: usize = 6;

/// The cost of a candidate; a lower cost is nearer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EditCost {
    /// Whether it is a guess, which is never clear.
    pub doubtful: bool,
    /// The cost of the explanation.
    pub cost: u32,
    /// Whether one name only contains the other.
    pub part: bool,
    /// Index from the end of the short word that contains the slip: a name that differs only there may be a sibling.
    pub short: Option<usize>,
}

impl EditCost {
    fn new_sure(cost: u32) -> EditCost {
        EditCost { doubtful: cost > MAX_COST, cost, part: false, short: None }
    }

    fn new_guess(cost: u32) -> EditCost {
        EditCost { doubtful: true, cost: GUESS + cost, part: false, short: None }
    }

    fn add_cost(self, more: u32) -> EditCost {
        EditCost { doubtful: self.doubtful || self.cost + more > MAX_COST, cost: self.cost + more, ..self }
    }
}

/// A name and its words.
pub struct Name {
    fold: String,
    words: Vec<String>,
}

impl Name {
    /// Splits a name into words.
    pub fn new(written: &str) -> Name {
        Name { fold: fold_name(written), words: split_words(written) }
    }

    /// Checks whether all words are equal, except the one with this index from the end.
    pub fn is_same_except(&self, other: &Name, at: usize) -> bool {
        self.words.len() == other.words.len()
            && self.words.len() > 1
            && self
                .words
                .iter()
                .zip(&other.words)
                .rev()
                .enumerate()
                .all(|(index, (a, b))| index == at || is_same_word(a, b))
    }
}

/// The words that can precede a column's name without a change of meaning.
#[derive(Default)]
pub struct Prefix {
    table: Vec<String>,
    /// The first word, if all columns have the same.
    shared: Option<String>,
}

impl Prefix {
    /// Creates the prefixes from a table ("" for none) and its columns.
    pub fn from_table(table: &str, columns: &BTreeSet<&str>) -> Prefix {
        if table.is_empty() {
            return Prefix::default();
        }
        Prefix { table: split_words(table), shared: find_shared_word(&list_first_words(columns)) }
    }

    /// Counts the leading words that come from the table; at least one word remains.
    fn count_prefix_words(&self, words: &[String]) -> Option<usize> {
        let whole = self.table.len();
        let first = words.first()?;
        let all = whole > 0
            && words.len() > whole
            && words.iter().zip(&self.table).all(|(word, of)| is_same_or_short(word, of));
        if all {
            return Some(whole);
        }
        let initials: String = self.table.iter().filter_map(|word| word.chars().next()).collect();
        let initial = |word: &str| word == initials || word.chars().count() == 1 && initials.starts_with(word);
        let one = self.shared.as_ref() == Some(first)
            || self.table.iter().any(|of| is_same_or_short(first, of))
            || !initials.is_empty() && initial(first);
        (one && words.len() > 1).then_some(1)
    }
}

/// Returns the cheapest explanation of one name by the other, if any exists.
pub fn compute_edit_cost(word: &Name, candidate: &Name, prefix: &Prefix) -> Option<EditCost> {
    if word.fold == candidate.fold && !word.fold.is_empty() {
        return Some(EditCost::new_sure(0));
    }
    let longest = word.fold.chars().count().max(candidate.fold.chars().count());
    if longest > LONGEST {
        return None;
    }
    let mut nearest = compare_letters(word, candidate, longest);
    let readings = list_readings(&candidate.words, prefix);
    for (extra, words) in self::list_readings(&word.words, prefix) {
        for (more, others) in &readings {
            let kin = align_words(&words, others).map(|kin| kin.add_cost(extra + more));
            nearest = [nearest, kin].into_iter().flatten().min();
        }
    }
    // For columns, `amount` may be `amount_due`; for tables, `order_lines` is not `orders`.
    nearest.or_else(|| compute_part_cost(&word.words, &candidate.words).filter(|_| !prefix.table.is_empty()))
}

/// Lists the possible readings of a name's words, each with its cost.
fn list_readings(words: &[String], prefix: &Prefix) -> Vec<(u32, Vec<String>)> {
    let mut readings = vec![(0, words.to_vec())];
    if words.iter().any(|word| abbreviations::find_phrase(word).is_some()) {
        let spelt_out = |word: &String| match abbreviations::find_phrase(word) {
            Some(words) => words.map(str::to_owned).collect(),
            None => vec![word.clone()],
        };
        readings.push((SHORT, words.iter().flat_map(spelt_out).collect()));
    }
    if words.len() > 2 && words.iter().any(|word| is_filler(word)) {
        readings.push((NUMBER, words.iter().filter(|word| !is_filler(word)).cloned().collect()));
    }
    if let [first, rest @ ..] = words
        && ["is", "has"].contains(&first.as_str())
        && !rest.is_empty()
    {
        readings.push((SLIP, rest.to_vec()));
    }
    let mut shorter: Vec<(u32, Vec<String>)> = Vec::new();
    for (cost, words) in &readings {
        if let Some(rest) = prefix.count_prefix_words(words).and_then(|length| words.get(length..)) {
            shorter.push((cost + OTHER_WORD, rest.to_vec()));
        }
    }
    readings.extend(shorter);
    readings.retain(|(_, words)| !words.is_empty());
    readings
}

fn is_filler(word: &str) -> bool {
    ["of", "the", "and"].contains(&word)
}

/// Compares two equally long sequences of words, first in order and then in any order.
fn align_words(words: &[String], others: &[String]) -> Option<EditCost> {
    if words.len() != others.len() || words.is_empty() {
        return None;
    }
    let mut total = Some(EditCost::new_sure(0));
    for (index, (word, other)) in words.iter().zip(others).enumerate() {
        total = total.zip(compare_words(word, other)).map(|(total, step)| EditCost {
            doubtful: total.doubtful || step.doubtful || total.cost + step.cost > MAX_COST,
            cost: total.cost + step.cost,
            part: false,
            // A slip in one of several words may also be another column.
            short: total.short.or(step.short.map(|_| words.len() - 1 - index)),
        });
    }
    let swapped = (words.len() > 1 && words.len() <= MAX_WORDS)
        .then(|| find_cheapest_pairing(words, others, &mut vec![false; others.len()], 0))
        .flatten()
        .map(|cost| EditCost::new_sure(cost + OTHER_WORD));
    [total, swapped].into_iter().flatten().min()
}

/// Finds the cheapest assignment of words to the others, without guesses.
fn find_cheapest_pairing(words: &[String], others: &[String], taken: &mut Vec<bool>, spent: u32) -> Option<u32> {
    let Some((word, rest)) = words.split_first() else { return Some(spent) };
    let mut best: Option<u32> = None;
    for (index, other) in others.iter().enumerate() {
        let Some(step) = compare_words(word, other).filter(|step| !step.doubtful && spent + step.cost <= MAX_COST)
        else {
            continue;
        };
        if taken.get(index).copied().unwrap_or(true) {
            continue;
        }
        if let Some(slot) = taken.get_mut(index) {
            *slot = true;
        }
        best = [best, find_cheapest_pairing(rest, others, taken, spent + step.cost)].into_iter().flatten().min();
        if let Some(slot) = taken.get_mut(index) {
            *slot = false;
        }
    }
    best
}

/// Compares two words.
fn compare_words(word: &str, other: &str) -> Option<EditCost> {
    if word == other {
        return Some(EditCost::new_sure(0));
    }
    if is_same_word(word, other) {
        return Some(EditCost::new_sure(NUMBER));
    }
    if is_number(word) || is_number(other) {
        return None;
    }
    if is_same_or_short(word, other) {
        return Some(EditCost::new_sure(SHORT));
    }
    let (one, another) = (to_singular(word), to_singular(other));
    if vocabulary::is_synonym(&one, &another) || vocabulary::is_synonym(word, other) {
        return Some(EditCost::new_sure(OTHER_WORD));
    }
    if let Some(kin) = compute_slip_cost(word, other) {
        return Some(kin);
    }
    let (short, long) = if word.len() < other.len() { (word, other) } else { (other, word) };
    let begins = short.len() >= 3 && long.len() >= short.len() + 2 && long.starts_with(short);
    (vocabulary::is_near_synonym(&one, &another) || begins).then(|| EditCost::new_guess(OTHER_WORD))
}

/// Returns the cost of a typing slip in one word. Two words that both exist are never slips of each other; shorter words may differ in fewer letters.
fn compute_slip_cost(word: &str, other: &str) -> Option<EditCost> {
    let known = vocabulary::is_known(&to_singular(word)) || vocabulary::is_known(word);
    if known && (vocabulary::is_known(&to_singular(other)) || vocabulary::is_known(other)) {
        return None;
    }
    if is_counterpart(word, other) || is_counterpart(other, word) {
        return None;
    }
    let longest = word.chars().count().max(other.chars().count());
    let Some(slip) = edits::detect_slip(word, other) else {
        let distance = edits::measure_distance(word, other);
        return (distance * 4 <= longest).then(|| EditCost::new_sure(SLIP * distance as u32));
    };
    let sure = match slip {
        Slip::Swapped => true,
        Slip::Dropped => longest > 2,
        Slip::NextKey => longest > 3,
        Slip::OtherKey => longest > 4,
    };
    let kin = if sure { EditCost::new_sure(SLIP) } else { return None };
    Some(EditCost { short: (longest < 4 && slip != Slip::Swapped).then_some(0), ..kin })
}

/// Compares names that are split into words differently, and guesses by the number of different letters.
fn compare_letters(word: &Name, candidate: &Name, longest: usize) -> Option<EditCost> {
    let distance = edits::measure_distance(&word.fold, &candidate.fold);
    let few = longest >= 3 && distance <= (longest / 3).max(1);
    // `pay` does not resemble `day`.
    let known = |name: &Name| vocabulary::is_known(&name.fold);
    if !few || longest < 5 && known(word) && known(candidate) {
        return None;
    }
    let numbers = |name: &Name| name.words.iter().filter(|word| is_number(word)).cloned().collect::<Vec<_>>();
    let parted = word.words.len() != candidate.words.len()
        && numbers(word) == numbers(candidate)
        && !is_word_subset(&word.words, &candidate.words)
        && !is_word_subset(&candidate.words, &word.words);
    let sure = parted && longest > 4 && (distance == 1 || distance * 4 <= longest);
    Some(if sure { EditCost::new_sure(SLIP * distance as u32 + 1) } else { EditCost::new_guess(distance as u32) })
}

/// Returns the cost if one name is part of the other and has at least half of its words.
fn compute_part_cost(words: &[String], others: &[String]) -> Option<EditCost> {
    let (few, many) = if words.len() < others.len() { (words, others) } else { (others, words) };
    let telling = few.iter().any(|word| word.chars().count() > 2 && !is_number(word));
    (telling && is_word_subset(few, many) && few.len() * 2 >= many.len()).then(|| {
        let missing = (many.len() - few.len()) as u32;
        EditCost { doubtful: true, cost: PART + missing, part: true, short: None }
    })
}

/// Checks whether all words are among the others.
fn is_word_subset(words: &[String], others: &[String]) -> bool {
    words.iter().all(|word| others.iter().any(|other| is_same_word(word, other)))
}

fn is_same_word(word: &str, other: &str) -> bool {
    // Words that already end in `s` take `es`: `bonuses`, `gases`.
    let plural = |one: &str, many: &str| one.ends_with('s') && many.strip_suffix("es") == Some(one);
    to_singular(word) == to_singular(other) || plural(word, other) || plural(other, word)
}

/// Checks whether both are the same word, or one is a short form of the other.
fn is_same_or_short(word: &str, other: &str) -> bool {
    is_same_word(word, other)
        || abbreviations::is_short_form(word, other)
        || abbreviations::is_short_form(&to_singular(word), &to_singular(other))
}
