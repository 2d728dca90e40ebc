//! Words of columns and tables that can replace each other, as data: short forms, forms of a word, synonyms, and words that look alike
//! but mean something else. Each line of a file in `data/` is a group.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::super::edits;
use super::super::index::Index;
use super::super::words::to_singular;

/// A word and its short forms. A short form may belong to several words (`st`: street, state).
const SHORT_FORMS: &str = include_str!("data/short_forms.txt");
/// Forms of a word that have no common stem: `paid`, `payment`.
const FORMS: &str = include_str!("data/forms.txt");
/// Words for the same thing: where the rest of two names agrees, so do they.
const SYNONYMS: &str = include_str!("data/synonyms.txt");
/// Words for similar things, which may both exist: worth a suggestion, but never applied without asking.
const NEAR: &str = include_str!("data/near.txt");
/// Words that look like others and mean something else.
const LOOKALIKES: &str = include_str!("data/lookalikes.txt");
/// Words that lie to the ends: a word that ends like its stem's other forms and is not one of them.
const NOT_STEMS: &[&str] = &[
    "apartment",
    "comment",
    "department",
    "document",
    "element",
    "moment",
    "rating",
    "station",
    "string",
    "thing",
    "king",
    "ring",
    "bed",
    "seed",
    "speed",
    "feed",
    "need",
    "breed",
    "section",
    "version",
    "portion",
    "nation",
    "session",
    "mission",
    "position",
    "condition",
    "person",
    "season",
    "region",
    "union",
    "million",
    "action",
    "option",
    "function",
    "question",
    "production",
    "direction",
    "selection",
    "election",
    "balance",
    "distance",
    "instance",
    "finance",
    "sequence",
    "reference",
    "evidence",
    "surface",
    "device",
    "process",
    "access",
    "address",
    "interval",
    "carnival",
    "festival",
];

/// Words for several words: a word, and those that it is for.
const PHRASES: &str = include_str!("data/phrases.txt");

/// The words of each group: a line.
fn iter_groups(table: &'static str) -> impl Iterator<Item = impl Iterator<Item = &'static str>> {
    table.lines().map(|line| line.split(' '))
}

static SHORT_FORM: LazyLock<Index> = LazyLock::new(|| Index::from_groups(iter_groups(SHORT_FORMS)));
static FORM: LazyLock<Index> = LazyLock::new(|| Index::from_groups(iter_groups(FORMS)));
static SYNONYM: LazyLock<Index> = LazyLock::new(|| Index::from_groups(iter_groups(SYNONYMS)));
static NEARLY: LazyLock<Index> = LazyLock::new(|| Index::from_groups(iter_groups(NEAR)));
static LOOKALIKE: LazyLock<Index> = LazyLock::new(|| Index::from_groups(iter_groups(LOOKALIKES)));

/// Whether one is a short form of the other, or both are of the same word.
pub fn is_short_form(a: &str, b: &str) -> bool {
    let share = |a: &str, b: &str| {
        let groups = SHORT_FORM.find_groups(b);
        // Two short forms that may be of one word are of it; a word that may also be a short form is first of all itself.
        SHORT_FORM.find_groups(a).iter().any(|group| {
            let first = SHORT_FORM.first_word(*group).unwrap_or("");
            groups.contains(group) && (first == a || first == b || !(is_word(a) && is_word(b)))
        })
    };
    share(a, b) || is_consonant_skeleton(a, b) || is_consonant_skeleton(b, a)
}

/// Whether both are forms of one word: `ship`, `shipped`, and `shipment`. A short form counts as its words.
pub fn has_same_lemma(a: &str, b: &str) -> bool {
    list_meanings(a).any(|a| {
        list_meanings(b)
            .any(|b| a == b || FORM.has_both(a, b) || find_stem(a).is_some_and(|one| find_stem(b) == Some(one)))
    })
}

/// Whether both are words for the same thing; short forms count as the words that they abbreviate, and so do other forms.
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

/// Whether forms of both are words for the same thing: `harvest` and `picked`, as `harvested` and `picked` are.
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

/// Whether a word is another, a short form of it, or a word for the same thing: not another form of it, as `payee` is of `payment`.
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

/// Whether both are words for near things.
pub fn is_near_synonym(a: &str, b: &str) -> bool {
    list_meanings(a).any(|a| list_meanings(b).any(|b| NEARLY.has_both(a, b)))
}

/// What a word is for, where that is several words.
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

/// Whether it is a word or a short form of its own, so that another word one stroke away is not it misspelt.
pub fn is_known(word: &str) -> bool {
    is_word(word) || SHORT_FORM.has_word(word) || !find_phrases(word).is_empty()
}

/// Whether it is a whole word, not only a short form of one.
pub fn is_word(word: &str) -> bool {
    SHORT_FORM.find_groups(word).iter().any(|group| SHORT_FORM.first_word(*group) == Some(word))
        || [&FORM, &SYNONYM, &NEARLY, &LOOKALIKE].iter().any(|index| index.has_word(word))
}

/// A word and the words that it is a short form of.
pub fn list_meanings(word: &str) -> impl Iterator<Item = &str> {
    let groups = SHORT_FORM.find_groups(word).iter().filter(|_| !is_word(word));
    let full = groups.filter_map(|group| SHORT_FORM.first_word(*group));
    std::iter::once(word).chain(full)
}

/// The words that a word is a short form of, and not itself.
pub fn expand_short_form(word: &str) -> impl Iterator<Item = &'static str> {
    let groups = SHORT_FORM.find_groups(word).iter();
    groups.filter_map(|group| SHORT_FORM.first_word(*group)).filter(move |first| *first != word)
}

/// What the forms of a word have in common: it need not be a word, only the same for all.
fn find_stem(word: &str) -> Option<String> {
    if NOT_STEMS.contains(&word) || !word.is_ascii() {
        return (word.len() >= 4).then(|| normalize_stem(word));
    }
    // The end, what takes its place, and how many letters are left at least.
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

/// Without a silent `e`, and with one of two equal consonants at its end.
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

/// Whether `short` is `long` without its vowels: `mngr` for `manager`.
fn is_consonant_skeleton(short: &str, long: &str) -> bool {
    let vowel = |c: char| matches!(c, 'a' | 'e' | 'i' | 'o' | 'u');
    let mut letters = long.chars();
    let first = letters.next();
    // A leading vowel stays: `addrss`.
    short.len() >= 3
        && short.len() < long.len()
        && !short.chars().skip(1).any(vowel)
        && first.into_iter().chain(letters.filter(|c| !vowel(*c))).eq(short.chars())
}

/// Whether a part of a word is a word of several that are written together: itself, its beginning, or a short form of it.
pub fn is_abbreviation(part: &str, word: &str) -> bool {
    part == word
        || part.len() > 2 && word.starts_with(part)
        || SHORT_FORM.has_both(part, word)
        || is_consonant_skeleton(part, word)
}

/// Whether the letters of `short` are in `long` in their order, from its first on, as short forms that nobody has listed are made:
/// its beginning, or consonants of it.
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
