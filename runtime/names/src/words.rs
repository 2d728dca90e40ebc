//! Splits names into words: `createdAt`, `created_at`, and `CREATED-AT` consist of the same two.

use std::collections::BTreeSet;

/// Returns the words of a name in lower case. It is split at characters that are not letters or digits, at `aB`, at `ABc`, and between letters and digits.
pub fn split_words(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let mut words: Vec<String> = Vec::new();
    let mut open = false;
    for (at, letter) in letters.iter().enumerate() {
        if !letter.is_alphanumeric() {
            open = false;
            continue;
        }
        let before = at.checked_sub(1).and_then(|before| letters.get(before));
        let behind = letters.get(at + 1);
        if !open || before.is_some_and(|before| is_word_boundary(*before, *letter, behind.copied())) {
            words.push(String::new());
        }
        open = true;
        if let Some(word) = words.last_mut() {
            word.extend(letter.to_lowercase());
        }
    }
    words
}

/// Checks whether a word begins between two adjacent letters.
fn is_word_boundary(before: char, letter: char, behind: Option<char>) -> bool {
    before.is_numeric() != letter.is_numeric()
        || before.is_lowercase() && letter.is_uppercase()
        || before.is_uppercase() && letter.is_uppercase() && behind.is_some_and(char::is_lowercase)
}

/// Converts a name to lower case without spaces, underscores, and hyphens: the part that does not depend on layout.
pub fn fold_name(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '_' | ' ' | '-')).flat_map(char::to_lowercase).collect()
}

/// Returns an approximate singular for comparisons: it need not be English, but must be the same for both forms.
pub fn to_singular(word: &str) -> String {
    const IRREGULAR: &[(&str, &str)] = &[
        ("people", "person"),
        ("children", "child"),
        ("men", "man"),
        ("women", "woman"),
        ("indices", "index"),
        ("vertices", "vertex"),
        ("analyses", "analysis"),
        ("statuses", "status"),
    ];
    if let Some((_, one)) = IRREGULAR.iter().find(|(many, _)| *many == word) {
        return (*one).to_owned();
    }
    // Short words, and words such as `status`, `address`, and `analysis`, end in an `s` of their own.
    if word.len() < 4 || ["ss", "us", "is"].iter().any(|end| word.ends_with(end)) {
        return word.to_owned();
    }
    if let Some(stem) = word.strip_suffix("ies").filter(|stem| stem.len() > 1) {
        return format!("{stem}y");
    }
    for end in ["xes", "ches", "shes", "sses", "zes"] {
        if word.ends_with(end) {
            return word.strip_suffix("es").unwrap_or(word).to_owned();
        }
    }
    word.strip_suffix('s').unwrap_or(word).to_owned()
}

/// Checks whether two words have the same singular, as by [`to_singular`].
pub fn have_same_singular(a: &str, b: &str) -> bool {
    // A singular begins as its plural does.
    a == b || a.as_bytes().first() == b.as_bytes().first() && to_singular(a) == to_singular(b)
}

/// Checks whether a word is a number: `1` and `2` are two things, never a misspelling of one.
pub fn is_number(word: &str) -> bool {
    word.chars().all(char::is_numeric)
}

/// Returns the first word of each column, `None` for a column of one word.
pub(super) fn list_first_words(columns: &BTreeSet<&str>) -> Vec<Option<String>> {
    let first = |column: &&str| {
        let words = split_words(column);
        if words.len() > 1 { words.into_iter().next() } else { None }
    };
    columns.iter().map(first).collect()
}

/// Returns the first word that all columns have, of which there must be more than two.
pub(super) fn find_shared_word(firsts: &[Option<String>]) -> Option<String> {
    let first = firsts.first().filter(|_| firsts.len() > 2)?;
    first.clone().filter(|_| firsts.iter().all(|other| other == first))
}

/// Whether `short` is `long` without its vowels: `mngr` for `manager`.
pub(super) fn is_consonant_skeleton(short: &str, long: &str) -> bool {
    let vowel = |c: char| matches!(c, 'a' | 'e' | 'i' | 'o' | 'u');
    let mut letters = long.chars();
    let first = letters.next();
    // A leading vowel stays: `addrss`.
    short.len() >= 3
        && short.len() < long.len()
        && !short.chars().skip(1).any(vowel)
        && first.into_iter().chain(letters.filter(|c| !vowel(*c))).eq(short.chars())
}

/// Checks for the agent and the patient of one verb: `payer` and `payee`.
pub(super) fn is_counterpart(one: &str, another: &str) -> bool {
    let Some(stem) = one.strip_suffix("ee").filter(|stem| stem.len() > 1) else { return false };
    ["er", "or"].iter().any(|end| another.strip_suffix(end) == Some(stem))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split_into_words() {
        for (name, words) in [
            ("created_at", &["created", "at"][..]),
            ("createdAt", &["created", "at"]),
            ("CREATED-AT", &["created", "at"]),
            ("XMLName", &["xml", "name"]),
            ("line2", &["line", "2"]),
            ("REG DT", &["reg", "dt"]),
            ("_BONUS", &["bonus"]),
            ("Straße", &["straße"]),
            ("__", &[]),
        ] {
            assert_eq!(split_words(name), words, "{name}");
        }
    }

    #[test]
    fn singulars() {
        for (many, one) in [
            ("orders", "order"),
            ("cities", "city"),
            ("boxes", "box"),
            ("branches", "branch"),
            ("addresses", "address"),
            ("address", "address"),
            ("status", "status"),
            ("people", "person"),
            ("gas", "gas"),
        ] {
            assert_eq!(to_singular(many), one);
        }
    }
}
