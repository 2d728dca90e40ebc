//! What a wording says of marks in files: "a dash means that nothing was measured", "leave out readings with a star".

use super::super::prompt_content::{has_any_word, has_word};
use syntax::prompts::english::marks::{
    COUNTS_AS_ZERO, LEAVE_OUT, MARK_NAMES, MARKED, MEANS, MISSING, ZERO, ZERO_COUNTS,
};

/// The most words of a mark: "and a dash".
const MAX_MARK_WORDS: usize = 3;

/// A sentence about a mark.
pub(super) struct Clause {
    /// The sentence, in lower case.
    pub text: String,
    /// The marks that it names.
    pub marks: Vec<String>,
    /// What it says of them.
    pub meaning: Meaning,
}

/// What a mark means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// The value is not known.
    Missing,
    /// The value is 0.
    Zero,
    /// Nothing of this kind occurred.
    NoneOf(String),
    /// The value does not count.
    LeftOut,
}

/// Reads the sentences of a wording about marks.
pub(super) fn read_clauses(prompt: &str) -> Vec<Clause> {
    let text = prompt.to_lowercase().replace('\n', " ");
    let clauses = split_clauses(&text);
    let before = std::iter::once("").chain(clauses.iter().copied());
    let read = |(before, clause): (&str, &str)| read_clause(clause).or_else(|| read_elliptic(before, clause));
    before.zip(clauses.iter().copied()).filter_map(read).collect()
}

/// Reads a clause without its verb, which is that of the clause before it: "a dash means that …, and 0 that nothing was used".
fn read_elliptic(before: &str, clause: &str) -> Option<Clause> {
    MEANS.iter().find(|verb| before.contains(&format!(" {verb} that ")))?;
    let (mark, meaning) = clause.split_once(" that ")?;
    let is_short = mark.split_whitespace().count() <= MAX_MARK_WORDS;
    is_short.then(|| read_meaning(clause, mark, meaning))?
}

/// Splits a text where a sentence or a part of one ends.
pub(super) fn split_clauses(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, mark) in text.match_indices(['.', ';', '!', '?', ':', ',']) {
        let rest = text.get(at + mark.len()..).unwrap_or_default();
        // A comma ends a part only before another one: "…, and a star means …".
        let ends = match mark {
            "," => [" and ", " but ", " which "].iter().any(|word| rest.starts_with(word)),
            _ => rest.is_empty() || rest.starts_with(' '),
        };
        if ends {
            parts.extend(text.get(start..at));
            start = at + mark.len();
        }
    }
    parts.extend(text.get(start..));
    parts
}

fn read_clause(text: &str) -> Option<Clause> {
    let mut verbs: Vec<(usize, &str)> = MEANS
        .iter()
        .filter(|verb| text.contains(**verb))
        .filter_map(|verb| Some((text.find(&format!(" {verb} "))?, *verb)))
        .collect();
    verbs.sort_unstable();
    // "What is the mean PAY, where - means 0" has two.
    verbs.into_iter().find_map(|(at, verb)| {
        let (before, after) = (text.get(..at)?, text.get(at + verb.len() + 2..)?);
        read_meaning(text, before, after)
    })
}

/// Reads what is between a mark and the end of its sentence.
fn read_meaning(text: &str, before: &str, after: &str) -> Option<Clause> {
    let marks = list_marks(before);
    let meaning = if has_any_word(after, MISSING) {
        Meaning::Missing
    } else if after.split(' ').take(3).any(|word| ZERO.split(", ").any(|zero| zero == word.trim_matches(['`', '"']))) {
        Meaning::Zero
    } else if !marks.is_empty() && marks.iter().all(|mark| mark == "0") {
        // A 0 is a number, unless it marks a missing value.
        Meaning::Zero
    } else {
        let words: Vec<&str> = after.split(' ').collect();
        let no = words.iter().position(|word| *word == "no")?;
        Meaning::NoneOf(words.iter().skip(no + 1).take(2).copied().collect::<Vec<_>>().join(" "))
    };
    (!marks.is_empty()).then(|| Clause { text: text.trim().to_owned(), marks, meaning })
}

/// Reads the sentences by which a wording leaves out values with a mark, or counts them as 0.
pub(super) fn read_rules(prompt: &str) -> Vec<Clause> {
    let text = prompt.to_lowercase().replace('\n', " ");
    let mut found = Vec::new();
    // Few prompts have such a sentence.
    let is_of_zero = text.contains('0') || text.contains("zero");
    let counts_zeros = is_of_zero && [COUNTS_AS_ZERO, ZERO_COUNTS].iter().any(|words| has_any_word(&text, words));
    let leaves_out = || has_any_word(&text, LEAVE_OUT) && has_any_word(&text, MARKED);
    if !(counts_zeros || leaves_out()) {
        return found;
    }
    for sentence in text.split_inclusive(['.', ';', '!', '?']) {
        let sentence = sentence.trim();
        if has_any_word(sentence, ZERO_COUNTS) {
            found.push(Clause { text: sentence.to_owned(), marks: vec!["0".to_owned()], meaning: Meaning::Zero });
        }
        let marks = list_named_marks(sentence);
        if marks.is_empty() {
            continue;
        }
        if has_any_word(sentence, COUNTS_AS_ZERO) {
            found.push(Clause { text: sentence.to_owned(), marks: marks.clone(), meaning: Meaning::Zero });
        }
        if has_any_word(sentence, LEAVE_OUT) && has_any_word(sentence, MARKED) {
            found.push(Clause { text: sentence.to_owned(), marks, meaning: Meaning::LeftOut });
        }
    }
    found
}

/// Lists the marks at the end of a text: "-9999", "`-` and `n/a` both", "a dash", "a star after a number".
fn list_marks(before: &str) -> Vec<String> {
    let mut marks = Vec::new();
    let is_filler = |word: &str| matches!(word, "and" | "or" | "both" | "each" | "all" | "also" | "a" | "the");
    for word in before.split_whitespace().rev() {
        let bare = strip_quotes(word);
        if is_filler(bare) || bare.is_empty() {
            continue;
        }
        // "9999 or a hyphen means".
        if let Some((_, mark)) = MARK_NAMES.iter().find(|(name, _)| *name == bare) {
            marks.push((*mark).to_owned());
            continue;
        }
        let is_mark =
            bare == "n/a" || bare.parse::<f64>().is_ok() || !bare.chars().any(char::is_alphanumeric) || bare != word;
        if !is_mark {
            // "`none` and ? mean", but also "none and ? mean".
            if marks.is_empty() || !before.contains(&format!("{bare} and ")) {
                break;
            }
        }
        marks.push(bare.to_owned());
    }
    if marks.is_empty() {
        marks = list_named_marks(before);
    }
    marks
}

/// Lists the marks that a text names: "a star".
fn list_named_marks(text: &str) -> Vec<String> {
    let named = MARK_NAMES.iter().filter(|(name, _)| has_word(text, name)).map(|(_, mark)| (*mark).to_owned());
    let quoted = text.split('`').skip(1).step_by(2).filter(|mark| (1..=8).contains(&mark.len())).map(str::to_owned);
    named.chain(quoted).collect()
}

fn strip_quotes(word: &str) -> &str {
    word.trim_matches(['`', '"', '\'', '“', '”', '(', ')', ','])
}
