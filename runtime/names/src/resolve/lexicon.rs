//! Words of columns and tables that can replace each other, as data: short forms, forms of a word, synonyms, and lookalikes with another meaning.
//! Each line of a file in `data/` is a group.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::super::edits;
use super::super::index::Index;
use super::super::words::{is_consonant_skeleton, to_singular};

/// Words and their short forms. A short form may belong to several words (`st`: street, state).
const SHORT_FORMS: &str = include_str!("data/short_forms.txt");
/// Forms of a word without a common stem: `paid`, `payment`.
const FORMS: &str = include_str!("data/forms.txt");
/// Words with the same meaning: two names are equivalent if the rest of them agrees.
const SYNONYMS: &str = include_str!("data/synonyms.txt");
/// Words with similar meanings, both of which may exist: worth a suggestion, but never a fix without asking.
const NEAR: &str = include_str!("data/near.txt");
/// Words that resemble others but have another meaning.
const LOOKALIKES: &str = include_str!("data/lookalikes.txt");
/// Words that end like a form of another word, but are not one.
const NOT_STEMS: &str = include_str!("data/not_stems.txt");

/// Words that represent several words, each with these words.
const PHRASES: &str = include_str!("data/phrases.txt");

static SHORT_FORM: LazyLock<Index> = LazyLock::new(|| Index::from_lines(SHORT_FORMS));
static FORM: LazyLock<Index> = LazyLock::new(|| Index::from_lines(FORMS));
static SYNONYM: LazyLock<Index> = LazyLock::new(|| Index::from_lines(SYNONYMS));
static NEARLY: LazyLock<Index> = LazyLock::new(|| Index::from_lines(NEAR));
static LOOKALIKE: LazyLock<Index> = LazyLock::new(|| Index::from_lines(LOOKALIKES));
static NOT_STEM: LazyLock<Index> = LazyLock::new(|| Index::from_lines(NOT_STEMS));

/// Checks whether one is a short form of the other, or both are short forms of one word.
pub fn is_short_form(a: &str, b: &str) -> bool {
    let share = |a: &str, b: &str| {
        let groups = SHORT_FORM.find_groups(b);
        // Two short forms that may belong to one word do. A word that may also be a short form is primarily itself.
        SHORT_FORM.find_groups(a).iter().any(|group| {
            let first = SHORT_FORM.first_word(*group).unwrap_or("");
            groups.contains(group) && (first == a || first == b || !(is_word(a) && is_word(b)))
        })
    };
    share(a, b) || is_consonant_skeleton(a, b) || is_consonant_skeleton(b, a)
}

/// Checks whether both are forms of one word: `ship`, `shipped`, and `shipment`. A short form counts as its words.
pub fn has_same_lemma(a: &str, b: &str) -> bool {
    list_meanings(a).any(|a| {
        list_meanings(b)
            .any(|b| a == b || FORM.has_both(a, b) || find_stem(a).is_some_and(|one| find_stem(b) == Some(one)))
    })
}

/// Checks whether both have the same meaning; short forms count as the words that they abbreviate, and so do other forms.
pub fn is_synonym(a: &str, b: &str) -> bool {
    let all = |word: &str| -> Vec<String> {
        let mut all: Vec<String> = list_meanings(word).map(str::to_owned).collect();
        for meaning in list_meanings(word) {
            for group in FORM.find_groups(meaning) {
                all.extend(FORMS.lines().nth(*group).into_iter().flat_map(|line| line.split(' ')).map(str::to_owned));
            }
        }
        all
    };
    let (a, b) = (all(a), all(b));
    a.iter().any(|a| b.iter().any(|b| SYNONYM.has_both(a, b) || is_synonym_by_stem(a, b)))
}

/// Checks whether forms of both have the same meaning: `harvest` and `picked`, because `harvested` and `picked` do.
fn is_synonym_by_stem(a: &str, b: &str) -> bool {
    static STEMS: LazyLock<HashMap<String, Vec<usize>>> = LazyLock::new(|| {
        let mut stems: HashMap<String, Vec<usize>> = HashMap::new();
        for (number, line) in SYNONYMS.lines().enumerate() {
            for stem in line.split(' ').filter_map(|word| find_stem(&to_singular(word))) {
                stems.entry(stem).or_default().push(number);
            }
        }
        stems
    });
    let groups = |word: &str| find_stem(&to_singular(word)).and_then(|stem| STEMS.get(&stem));
    match (groups(a), groups(b)) {
        (Some(a), Some(b)) => a.iter().any(|group| b.contains(group)),
        _ => false,
    }
}

/// Checks whether a word is the same, a short form, or a synonym of another one, but not another form of it, such as `payee` for `payment`.
pub fn is_same_or_like(word: &str, of: &str) -> bool {
    let (one, another) = (to_singular(word), to_singular(of));
    one == another
        || is_short_form(&one, &another)
        || list_meanings(&one).any(|one| list_meanings(&another).any(|another| SYNONYM.has_both(one, another)))
        || word.len() > 1 && is_abbreviation(word, of)
        || another.len() > 3 && one.len() > another.len() + 3 && one.starts_with(&another)
        || is_letter_abbreviation(word, &another)
        || !is_known(&one) && word.len() > 5 && edits::detect_slip(&one, &another).is_some()
}

/// Checks whether both words have similar meanings.
pub fn is_near_synonym(a: &str, b: &str) -> bool {
    list_meanings(a).any(|a| list_meanings(b).any(|b| NEARLY.has_both(a, b)))
}

/// Returns the words that a word represents, if these are several.
pub fn find_phrases(word: &str) -> &'static [Vec<&'static str>] {
    static ALL: LazyLock<HashMap<&'static str, Vec<Vec<&'static str>>>> = LazyLock::new(|| {
        let mut all: HashMap<&'static str, Vec<Vec<&'static str>>> = HashMap::new();
        for line in PHRASES.lines() {
            if let Some((word, words)) = line.split_once(' ') {
                all.entry(word).or_default().push(words.split(' ').collect());
            }
        }
        all
    });
    ALL.get(word).map_or(&[], Vec::as_slice)
}

/// Checks whether it is a word or a short form of its own; then a word that is one keystroke away is not a misspelling of it.
pub fn is_known(word: &str) -> bool {
    is_word(word) || SHORT_FORM.has_word(word) || !find_phrases(word).is_empty()
}

/// Checks whether it is a whole word, not only a short form.
pub fn is_word(word: &str) -> bool {
    SHORT_FORM.find_groups(word).iter().any(|group| SHORT_FORM.first_word(*group) == Some(word))
        || [&FORM, &SYNONYM, &NEARLY, &LOOKALIKE].iter().any(|index| index.has_word(word))
}

/// Returns a word and the words that it abbreviates.
pub fn list_meanings(word: &str) -> impl Iterator<Item = &str> {
    let groups = SHORT_FORM.find_groups(word).iter().filter(|_| !is_word(word));
    let full = groups.filter_map(|group| SHORT_FORM.first_word(*group));
    std::iter::once(word).chain(full)
}

/// Returns the words that a word abbreviates, without the word itself.
pub fn expand_short_form(word: &str) -> impl Iterator<Item = &'static str> {
    let groups = SHORT_FORM.find_groups(word).iter();
    groups.filter_map(|group| SHORT_FORM.first_word(*group)).filter(move |first| *first != word)
}

/// Returns the common part of a word's forms. It need not be a word, but must be the same for all forms.
fn find_stem(word: &str) -> Option<String> {
    if NOT_STEM.has_word(word) || !word.is_ascii() {
        return (word.len() >= 4).then(|| normalize_stem(word));
    }
    // A suffix, its replacement, and the minimum number of remaining letters.
    const ENDS: &[(&str, &str, usize)] = &[
        ("isation", "is", 4),
        ("ization", "iz", 4),
        ("ication", "y", 4),
        ("ation", "", 5),
        ("ition", "", 4),
        ("ction", "ct", 4),
        ("ments", "", 4),
        ("ment", "", 4),
        ("tion", "t", 5),
        ("sion", "d", 5),
        ("ings", "", 4),
        ("ance", "", 5),
        ("ence", "", 5),
        ("eries", "er", 3),
        ("ery", "er", 3),
        ("ing", "", 3),
        ("ied", "y", 3),
        ("ed", "", 3),
        ("ly", "", 4),
        ("val", "v", 4),
        ("es", "", 4),
        ("s", "", 4),
    ];
    for (end, instead, least) in ENDS {
        if let Some(rest) = word.strip_suffix(end).filter(|rest| rest.len() >= *least) {
            return Some(normalize_stem(&format!("{rest}{instead}")));
        }
    }
    (word.len() >= 4).then(|| normalize_stem(word))
}

/// Removes a silent `e`, and one of two equal consonants, from the end.
fn normalize_stem(stem: &str) -> String {
    let stem = stem.strip_suffix("ate").filter(|rest| rest.len() >= 5).or(stem.strip_suffix('e')).unwrap_or(stem);
    let mut letters = stem.chars().rev();
    match (letters.next(), letters.next()) {
        (Some(last), Some(before)) if last == before && !"aeiousl".contains(last) => {
            stem[..stem.len() - last.len_utf8()].to_owned()
        }
        _ => stem.to_owned(),
    }
}

/// Checks whether a part of a compound is one of its words: the word itself, its beginning, or a short form of it.
pub fn is_abbreviation(part: &str, word: &str) -> bool {
    part == word
        || part.len() > 2 && word.starts_with(part)
        || SHORT_FORM.has_both(part, word)
        || is_consonant_skeleton(part, word)
}

/// Checks whether `short` begins with the first letter of `long` and its letters occur in `long` in order, as in an unlisted short form: the
/// beginning of the word, or its consonants.
pub fn is_letter_abbreviation(short: &str, long: &str) -> bool {
    let (few, many) = (short.chars().count(), long.chars().count());
    if few < 2
        || many < few + 2
        || short.chars().next() != long.chars().next()
        || is_word(short) && !(SHORT_FORM.has_word(short) && few > 2 && long.starts_with(short))
    {
        return false;
    }
    if long.starts_with(short) {
        return few > 2;
    }
    let mut letters = long.chars();
    let in_order = short.chars().all(|letter| letters.by_ref().any(|other| other == letter));
    let consonants = !short.chars().skip(1).any(|c| matches!(c, 'a' | 'e' | 'i' | 'o' | 'u'));
    in_order && consonants && many <= few * 4 && (few > 2 || !SHORT_FORM.has_word(short))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_as_large_as_they_say_and_have_no_word_twice_in_a_group() {
        let lines = |table: &'static str| table.lines().count();
        assert!(lines(SHORT_FORMS) >= 1000 && lines(SYNONYMS) >= 400, "{} {}", lines(SHORT_FORMS), lines(SYNONYMS));
        for group in [SHORT_FORMS, FORMS, SYNONYMS, NEAR].iter().flat_map(|table| table.lines()) {
            let words: Vec<&str> = group.split(' ').collect();
            assert!(words.len() > 1, "{group:?}");
            for (index, word) in words.iter().enumerate() {
                assert!(!words[..index].contains(word), "{group:?}");
                assert!(word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit()), "{word}");
            }
        }
    }

    #[test]
    fn short_forms_of_one_word() {
        for (a, b) in [("qty", "quantity"), ("dept", "dpt"), ("no", "number"), ("mngr", "manager"), ("st", "street")] {
            assert!(is_short_form(a, b) && is_short_form(b, a), "{a} {b}");
        }
        for (a, b) in [("count", "country"), ("state", "street"), ("min", "max"), ("nm", "number")] {
            assert!(!is_short_form(a, b) && !is_short_form(b, a), "{a} {b}");
        }
        assert!(is_synonym("sal", "pay") && !is_synonym("cost", "price") && is_near_synonym("cost", "price"));
    }

    #[test]
    fn forms_of_one_word() {
        for (a, b) in [
            ("created", "creation"),
            ("shipped", "shipment"),
            ("delivery", "delivered"),
            ("paid", "payment"),
            ("admitted", "admission"),
            ("month", "monthly"),
            ("registration", "registered"),
            ("attendance", "attended"),
        ] {
            assert!(has_same_lemma(a, b) && has_same_lemma(b, a), "{a} {b}: {:?} {:?}", find_stem(a), find_stem(b));
        }
        for (a, b) in [
            ("department", "departure"),
            ("payer", "payee"),
            ("station", "state"),
            ("rating", "rate"),
            ("product", "production"),
        ] {
            assert!(!has_same_lemma(a, b) && !has_same_lemma(b, a), "{a} {b}: {:?} {:?}", find_stem(a), find_stem(b));
        }
    }
}
