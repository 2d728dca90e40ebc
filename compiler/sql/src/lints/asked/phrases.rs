//! Phrases of a question on which findings depend.

use super::words::{
    Word, find_cues, has_any, is_one_of, iter_near, split_sentences, split_words, stem_name, stem_word,
};
use syntax::prompts::english::marks::MISSING;
use syntax::prompts::english::queries::{
    AS_ZERO, BLANKS, COUNTS, DIFFERENT, EQUALS_RULES, GROUPS, MEAN, NOTHING, PLACES, ZERO_CUES, ZEROS,
};

/// Whether the question asks for each value of a column: `for each NAME`, `by name`.
pub(super) fn is_per(words: &[Word], column: &str) -> bool {
    let column = stem_word(&column.to_lowercase());
    let cues =
        find_cues(words, &["each", "every", "per", "by", "distinct", "different", "unique", "how many", "number of"]);
    cues.into_iter().any(|at| iter_near(words, at).take(3).any(|(_, word)| word.stem == column))
}

/// Whether the question asks for means of groups: in words next to a mean, or with two means in one phrase.
pub(super) fn has_mean_of_groups(question: &str) -> bool {
    let is_about_means = |sentence: &&str| has_any(sentence, "average, averages, averaged, mean, means, avg");
    split_sentences(question)
        .iter()
        .filter(|sentence| is_about_means(sentence))
        .any(|sentence| has_any(sentence, GROUPS))
        || has_mean_of_means(&split_words(question))
}

/// Whether the question names values as alternatives: "high or low".
pub(super) fn has_choice(question: &str, values: &[String]) -> bool {
    let words = |text: &str| -> Vec<String> { split_words(text).into_iter().map(|word| word.stem).collect() };
    let (all, values): (Vec<String>, Vec<Vec<String>>) =
        (words(question), values.iter().map(|value| words(value)).collect());
    let find = |from: usize, value: &[String]| {
        (from..all.len()).find(|at| all.get(*at..at + value.len()).is_some_and(|part| part == value))
    };
    let is_linked = |first: &[String], second: &[String]| {
        let mut from = 0;
        while let Some(at) = find(from, first).filter(|_| !first.is_empty() && !second.is_empty()) {
            let end = at + first.len();
            // At most an article and `or` are between two alternatives.
            let linked = find(end, second).filter(|next| next - end <= 3).and_then(|next| all.get(end..next));
            if linked.is_some_and(|between| between.is_empty() || between.iter().any(|word| word == "or")) {
                return true;
            }
            from = end;
        }
        false
    };
    let (mut low, mut high) = (values.iter(), values.iter().skip(1));
    let mut pairs = std::iter::from_fn(|| low.next().zip(high.next()));
    pairs.all(|(first, second)| is_linked(first, second) || is_linked(second, first))
}

/// Whether the question counts the rows of a table, and no sentence that counts names the column or missing values.
pub(super) fn is_counting_rows(question: &str, table: &str, column: &str) -> bool {
    let stem = stem_name(table);
    let parts: Vec<String> = split_words(&column.replace('_', " ")).into_iter().map(|word| word.stem).collect();
    let is_of_column = |word: &Word| {
        word.stem.len() > 2 && (word.stem == stem_word(&column.to_lowercase()) || parts.contains(&word.stem))
    };
    let mut is_counted = false;
    for sentence in split_sentences(question) {
        let words = split_words(sentence);
        let cues = find_cues(&words, &COUNTS);
        if cues.is_empty() {
            continue;
        }
        if words.iter().any(is_of_column) || has_any(sentence, BLANKS) || has_any(sentence, DIFFERENT) {
            return false;
        }
        let is_first = |at: usize| iter_near(&words, at).take(3).any(|(_, word)| word.stem == stem && !word.owner);
        is_counted |= cues.into_iter().any(is_first);
    }
    is_counted
}

/// Whether the question asks for the second highest value or similar, and does not say whether equal values count once.
pub(super) fn is_asking_for_place(question: &str) -> bool {
    let words = split_words(question);
    let is_extreme = |word: &Word| {
        let is_superlative = word.stem.len() > 4 && word.stem.ends_with("est");
        is_superlative && !["request", "interest", "test", "guest", "forest"].contains(&word.stem.as_str())
            || is_one_of(word, &["most", "least", "best"])
    };
    let is_place = |(_, word): &(usize, &Word)| !word.ends && is_one_of(word, &PLACES);
    let mut places = words.iter().enumerate().filter(is_place);
    places.any(|(at, _)| words.get(at + 1).is_some_and(is_extreme)) && !has_any(question, EQUALS_RULES)
}

/// Verbs of a sentence that gives a missing value another meaning.
const TAKING: [&str; 12] = [
    "count", "counts", "counted", "counting", "treat", "treated", "take", "taken", "regard", "regarded", "assume",
    "consider",
];
/// Words between such a verb and the number.
const MAX_BETWEEN: usize = 9;

/// Whether a sentence says that a missing value counts as 0, and the sentence is about the column.
pub(super) fn is_blank_zero(question: &str, column: &str) -> bool {
    let column = column.to_lowercase();
    let parts: Vec<&str> = column.split('_').filter(|part| part.len() > 2).collect();
    let is_about_it = |sentence: &str| {
        has_any(sentence, &column) || parts.first().is_some_and(|part| part.len() > 3 && has_any(sentence, part))
    };
    let is_blank = |sentence: &str| {
        has_any(sentence, BLANKS) || has_any(sentence, "without a, without any, with no, has no, have no")
    };
    let is_told = |sentence: &&str| {
        (has_any(sentence, AS_ZERO) || takes_for_zero(&split_words(sentence)))
            && is_blank(sentence)
            && is_about_it(sentence)
    };
    split_sentences(question).iter().any(is_told)
}

/// Whether a question asks for a mean, and says of nothing that it is 0.
pub(super) fn is_mean_without_zero(question: &str) -> bool {
    let is_none = has_any(question, NOTHING) && !has_any(question, MISSING);
    has_any(question, MEAN) && !has_any(question, ZEROS) && !is_none
}

/// Whether words say that something counts as zero: "counts as a tip of 0".
fn takes_for_zero(words: &[Word]) -> bool {
    let is_zero = |word: &Word| is_one_of(word, &["0", "zero"]);
    let ends = |at: usize| {
        let after = words.iter().skip(at + 1).take(MAX_BETWEEN);
        let mut after = after.skip_while(|word| !is_one_of(word, &["as", "for", "to"])).skip(1);
        after.any(is_zero)
    };
    let negated = words.iter().any(|word| is_one_of(word, &["not", "never"]));
    !negated && words.iter().enumerate().any(|(at, word)| is_one_of(word, &TAKING) && ends(at))
}

/// Whether a question has two means in one phrase: `the mean of the ships' mean HOURS`.
pub(super) fn has_mean_of_means(words: &[Word]) -> bool {
    let is_mean = |word: &Word| is_one_of(word, &["average", "mean", "avg"]);
    words
        .iter()
        .enumerate()
        .filter(|(_, word)| is_mean(word) && !word.ends)
        .any(|(at, _)| iter_near(words, at + 1).take(7).any(|(_, word)| is_mean(word)))
}

/// Whether the question asks for rows without a match: `including customers without orders`.
pub(super) fn is_asking_for_none(words: &[Word]) -> bool {
    let none = ["without", "no", "zero", "0", "none", "never"];
    let include = find_cues(words, &["include", "including", "included", "even", "also list", "also show"]);
    is_asking_for_zero(words)
        || include.into_iter().any(|at| {
            let from = at.saturating_sub(8);
            let near = iter_near(words, at).any(|(_, word)| none.contains(&word.stem.as_str()));
            let ahead = words.iter().take(at).skip(from);
            near || ahead.into_iter().any(|word| none.contains(&word.stem.as_str()))
        })
}

/// Whether the question says where 0 is expected: `0 for a customer without orders`.
pub(super) fn is_asking_for_zero(words: &[Word]) -> bool {
    !find_cues(words, &ZERO_CUES).is_empty()
}

/// Whether the question speaks of things without rows of a table: `a department without costs`.
pub(super) fn is_about_none_of(words: &[Word], table: &str) -> bool {
    let table = stem_name(table);
    find_cues(words, &["without", "no"])
        .into_iter()
        .any(|at| iter_near(words, at).take(2).any(|(_, word)| word.stem == table))
}
