//! Text comparison: ignored differences, and occurrences at word boundaries.

use std::borrow::Cow;
use std::collections::VecDeque;

use model::suite::Ignore;
use model::text_folding::{self, fold_char, to_nfd};
use unicode_normalization::{UnicodeNormalization as _, is_nfc};

use crate::rules::Rules;

/// The differences that a comparison of texts ignores.
#[derive(Clone, Debug)]
pub struct Overlooks {
    ignore: Vec<Ignore>,
    rules: &'static Rules,
}

impl Overlooks {
    /// Combines the options of a key with the differences that the rules always ignore.
    pub fn new(ignore: &[Ignore], rules: &'static Rules) -> Overlooks {
        Overlooks { ignore: ignore.to_vec(), rules }
    }

    /// Adds letter case.
    pub fn with_case(mut self) -> Overlooks {
        self.ignore.push(Ignore::Case);
        self
    }

    /// Whether both ignore the same differences.
    pub fn is_same(&self, other: &Overlooks) -> bool {
        self.ignore == other.ignore && self.rules == other.rules
    }

    /// Removes the ignored differences from a text, as [`model::text_folding::fold_text`] does.
    pub fn fold_text<'a>(&self, text: &'a str) -> Cow<'a, str> {
        text_folding::fold_text(text, &self.ignore, self.rules.to_always())
    }

    /// Whether `needle` occurs in `text` at word boundaries. White space at its ends does not count; an empty one never occurs.
    ///
    /// A boundary is needed where the needle begins or ends with a letter, digit, mark, or `_`: there, the text may not
    /// continue with another one. Scripts that put no space between words (Chinese, Japanese, Thai, Lao, Khmer,
    /// Burmese) have a boundary everywhere. A number is one word: `5` does not occur in `1.5`, `5,000`, or `-5`.
    pub fn has_occurrence(&self, text: &str, needle: &str) -> bool {
        let (needle, ignore) = self.fold_needle(needle);
        !needle.is_empty() && FoldedText::new(&self.compose_form(text), ignore).find_match(&needle, |_| true).is_some()
    }

    /// Returns the places of `values` whose values occur in `text`, as [`Overlooks::has_occurrence`] finds them, outside of an occurrence of a longer one:
    /// `York` is not in `New York` if both are values.
    pub fn list_uncovered(&self, text: &str, values: &[String]) -> Vec<usize> {
        let text = self.compose_form(text);
        let mut found: Vec<(usize, usize, usize)> = Vec::new();
        // The text is folded once for all values; one of which nothing would be left is compared as it is.
        let folded = FoldedText::new(&text, &self.ignore);
        let plain = self.rules.keeps_something.then(|| FoldedText::new(&text, &[]));
        for (at, value) in values.iter().enumerate() {
            let (needle, ignore) = self.fold_needle(value);
            let text = if ignore.is_empty() { plain.as_ref().unwrap_or(&folded) } else { &folded };
            if !needle.is_empty() {
                text.find_match(&needle, |(first, last)| {
                    found.push((first, last, at));
                    false
                });
            }
        }
        // An occurrence is covered if another one begins no later, ends no earlier, and is not the same.
        found.sort_unstable_by_key(|(first, last, at)| (*first, std::cmp::Reverse(*last), *at));
        let (mut longest, mut uncovered): (Option<(usize, usize)>, Vec<usize>) = (None, Vec::new());
        for (first, last, at) in found {
            match longest {
                Some(known) if last <= known.1 && known != (first, last) => continue,
                _ => longest = Some((first, last)),
            }
            uncovered.push(at);
        }
        uncovered.sort_unstable();
        uncovered.dedup();
        uncovered
    }

    /// Returns a text in the form in which occurrences are found.
    fn compose_form<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.rules.canonical_texts { to_nfd(text) } else { Cow::Borrowed(text) }
    }

    /// Returns a text to look for without the ignored differences, and those that are ignored in the text around it.
    fn fold_needle(&self, needle: &str) -> (Vec<char>, &[Ignore]) {
        let needle = self.compose_form(needle);
        let sought = |ignore: &[Ignore]| -> Vec<char> {
            let blank = |char: char| char.is_whitespace() && ignore.contains(&Ignore::Punctuation);
            let mut sought = Vec::new();
            needle.trim().chars().for_each(|char| fold_char(char, ignore, |char| sought.push(char)));
            // If punctuation is ignored, white space may now be at an end.
            let end = sought.iter().rposition(|char| !blank(*char)).map_or(0, |last| last + 1);
            sought.truncate(end);
            let start = sought.iter().position(|char| !blank(*char)).unwrap_or(end);
            sought.split_off(start)
        };
        let folded = sought(&self.ignore);
        match folded.is_empty() && self.rules.keeps_something {
            true => (sought(&[]), &[][..]),
            false => (folded, &*self.ignore),
        }
    }
}

/// Composes letters and their marks (NFC).
pub fn compose_letters(text: &str) -> Cow<'_, str> {
    if is_nfc(text) { Cow::Borrowed(text) } else { Cow::Owned(text.nfc().collect()) }
}

/// Whether two names are the same by these rules.
pub fn is_same_name(a: &str, b: &str, rules: &Rules) -> bool {
    a == b || rules.canonical_texts && !(a.is_ascii() && b.is_ascii()) && a.nfc().eq(b.nfc())
}

/// A text without the ignored differences: its characters, each with the byte at which it begins.
struct FoldedText<'t> {
    text: &'t str,
    chars: Vec<(char, usize)>,
}

impl<'t> FoldedText<'t> {
    fn new(text: &'t str, ignore: &[Ignore]) -> FoldedText<'t> {
        let mut chars = Vec::with_capacity(text.len());
        text.char_indices().for_each(|(at, char)| fold_char(char, ignore, |char| chars.push((char, at))));
        FoldedText { text, chars }
    }

    /// Finds the first occurrence at word boundaries for which `is_enough`: the bytes at which its first and its last character begin.
    fn find_match(&self, needle: &[char], mut is_enough: impl FnMut((usize, usize)) -> bool) -> Option<(usize, usize)> {
        let mut finder = Finder::new(needle);
        let is_word = |(first, last): (usize, usize)| is_word_start(self.text, first) && is_word_end(self.text, last);
        let mut found = self.chars.iter().filter_map(|(char, at)| finder.push_char(*char, *at));
        found.find(|found| is_word(*found) && is_enough(*found))
    }
}

/// Finds all occurrences of a nonempty needle in a text, including overlapping ones, in linear time (D. E. Knuth, J. H. Morris, V. R. Pratt,
/// "Fast pattern matching in strings", *SIAM Journal on Computing* 6, 1977).
struct Finder<'n> {
    needle: &'n [char],
    /// For each place of the needle: the length of its longest proper prefix that also ends there.
    again: Vec<usize>,
    so_far: usize,
    /// The origins of the last characters, as many as the needle has.
    from: VecDeque<usize>,
}

impl<'n> Finder<'n> {
    fn new(needle: &'n [char]) -> Finder<'n> {
        let mut again = vec![0; needle.len()];
        for at in 1..needle.len() {
            again[at] = extend_match(needle, &again, again[at - 1], needle[at]);
        }
        Finder { needle, again, so_far: 0, from: VecDeque::with_capacity(needle.len()) }
    }

    /// Adds the next character, which comes from `at`. If the needle ends here, returns the origins of its first and last character.
    fn push_char(&mut self, char: char, at: usize) -> Option<(usize, usize)> {
        if self.from.len() == self.needle.len() {
            self.from.pop_front();
        }
        self.from.push_back(at);
        if self.so_far == self.needle.len() {
            self.so_far = self.again[self.so_far - 1];
        }
        self.so_far = extend_match(self.needle, &self.again, self.so_far, char);
        let first = self.from.front().filter(|_| self.so_far == self.needle.len())?;
        Some((*first, at))
    }
}

/// Returns the length of the matched prefix of the needle after one more character; `so_far` is the length before.
fn extend_match(needle: &[char], again: &[usize], mut so_far: usize, char: char) -> usize {
    while so_far > 0 && needle[so_far] != char {
        so_far = again[so_far - 1];
    }
    so_far + usize::from(needle[so_far] == char)
}

/// Whether a word begins at the character at this byte.
fn is_word_start(text: &str, first: usize) -> bool {
    let (before, rest) = text.split_at_checked(first).unwrap_or_default();
    let mut back = before.chars().rev();
    let (Some(here), Some(before)) = (rest.chars().next(), back.next()) else { return true };
    if is_same_word(before, here) {
        return false;
    }
    if !here.is_numeric() {
        return true;
    }
    match before {
        '.' | ',' => !back.next().is_some_and(char::is_numeric),
        // A minus sign, unless it joins two words (`3-5`).
        '-' | '\u{2212}' => back.next().is_some_and(is_word),
        _ => true,
    }
}

/// Whether a word ends with the character at this byte.
fn is_word_end(text: &str, last: usize) -> bool {
    let mut on = text.get(last..).unwrap_or_default().chars();
    let (Some(here), Some(after)) = (on.next(), on.next()) else { return true };
    if is_same_word(here, after) {
        return false;
    }
    !(here.is_numeric() && matches!(after, '.' | ',') && on.next().is_some_and(char::is_numeric))
}

/// Whether two adjacent characters belong to one word.
fn is_same_word(a: char, b: char) -> bool {
    is_word(a) && is_word(b) && (is_mark(b) || !is_spaceless(a) && !is_spaceless(b))
}

fn is_word(char: char) -> bool {
    if char.is_ascii() {
        return char.is_ascii_alphanumeric() || char == '_';
    }
    regex_syntax::try_is_word_character(char).unwrap_or_else(|_| char.is_alphanumeric())
}

fn is_mark(char: char) -> bool {
    is_word(char) && !char.is_alphanumeric() && char != '_'
}

/// Whether the character's script is written without spaces.
fn is_spaceless(char: char) -> bool {
    matches!(char,
        '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' | '\u{3005}'..='\u{30FF}' | '\u{31F0}'..='\u{31FF}'
        | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{FF66}'..='\u{FF9F}' | '\u{20000}'..='\u{3FFFF}')
}

#[cfg(test)]
mod tests {
    use model::Scorer;
    use proptest::prelude::*;

    use super::*;
    use crate::rules::assert_same_for_all;

    fn contains(text: &str, needle: &str, ignore: &[Ignore]) -> bool {
        assert_same_for_all(|rules| Overlooks::new(ignore, rules).has_occurrence(text, needle))
    }

    fn fold(text: &str, ignore: &[Ignore]) -> String {
        assert_same_for_all(|rules| Overlooks::new(ignore, rules).fold_text(text).into_owned())
    }

    proptest! {
        #[test]
        fn all_places_are_found(needle in "[ab]{1,6}", text in "[ab]{0,40}") {
            let chars: Vec<char> = needle.chars().collect();
            let mut finder = Finder::new(&chars);
            let found: Vec<usize> = text.char_indices().filter_map(|(at, char)| Some(finder.push_char(char, at)?.0)).collect();
            let expected: Vec<usize> = (0..text.len()).filter(|at| text[*at..].starts_with(&needle)).collect();
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn a_text_that_repeats_itself_takes_no_time() {
        let began = std::time::Instant::now();
        assert!(!contains(&"a".repeat(2_000_000), &format!("{}b", "a".repeat(2_000)), &[]));
        assert!(began.elapsed().as_secs() < 5, "{:?}", began.elapsed());
    }

    #[test]
    fn words_are_found_and_parts_of_words_are_not() {
        for (text, needle, there) in [
            ("the answer is Boston.", "Boston", true),
            ("Bostonian", "Boston", false),
            ("foo_bar", "foo", false),
            ("(yes)", "yes", true),
            ("C++ is it", "C++", true),
            ("write .env here", ".env", true),
            ("it costs 5.", "5", true),
            ("1.5", "5", false),
            ("1.5", "1", false),
            ("5,000", "5", false),
            ("5, 6", "5", true),
            ("-5", "5", false),
            ("3-5", "5", true),
            ("it is -5", "-5", true),
            ("我住在东京都", "东京", true),
            ("กรุงเทพมหานคร", "มหานคร", true),
            ("Москва́", "Москва", false),
            ("Город Москва.", "Москва", true),
            ("cafe\u{301}", "cafe", false),
            ("", "a", false),
            ("a", " ", false),
        ] {
            assert_eq!(contains(text, needle, &[]), there, "{needle} in {text}");
        }
        assert!(contains("NEW  york city", "New York", &[Ignore::Case, Ignore::Space]));
        assert!(!contains("NEW  yorkers", "New York", &[Ignore::Case, Ignore::Space]));
        assert!(contains("STRASSE 5", "straße", &[Ignore::Case]));
        assert!(contains("the U.S.A. today", "USA", &[Ignore::Punctuation]));
    }

    #[test]
    fn what_is_ignored_does_not_count() {
        assert_eq!(fold("«Ab, c!»", &[Ignore::Punctuation]), "Ab c");
        assert_eq!(fold("A b\tC", &[Ignore::Space, Ignore::Case]), "abc");
        assert_eq!(fold(" a ", &[]), " a ");
    }

    #[test]
    fn one_text_in_two_forms_of_unicode_is_one_text() {
        let two = |ignore: &[Ignore]| Overlooks::new(ignore, Rules::from_scorer(Scorer::Two));
        for (a, b, ignore) in [
            ("Zürich", "Zu\u{308}rich", &[][..]),
            ("ΐ", "Ϊ\u{301}", &[Ignore::Case]),
            ("ÉCOLE", "e\u{301}cole", &[Ignore::Case]),
            ("한국", "\u{1112}\u{1161}\u{11ab}\u{1100}\u{116e}\u{11a8}", &[]),
            ("2024-03-01 10:00:00", "2024-03-01T10:00:00", &[]),
            ("2024-03-01T10:00", "2024-03-01T10:00:00", &[]),
            ("2024-03-01 10:00", "2024-03-01T10:00:00", &[]),
        ] {
            assert_eq!(two(ignore).fold_text(a), two(ignore).fold_text(b), "{a} {b}");
            assert_ne!(Overlooks::new(&[], Rules::from_scorer(Scorer::One)).fold_text(a), b, "{a} {b}");
        }
        assert!(two(&[]).has_occurrence("in Zu\u{308}rich.", "Zürich"));
        assert!(!two(&[]).has_occurrence("Zu\u{308}rich", "Zu"), "a letter goes on with its mark");
        assert!(
            is_same_name("é", "e\u{301}", Rules::from_scorer(Scorer::Two))
                && !is_same_name("é", "e\u{301}", Rules::from_scorer(Scorer::One))
        );
        assert_ne!(two(&[]).fold_text("2024-03-01 10:00:01"), two(&[]).fold_text("2024-03-01T10:00"));
        assert_eq!(compose_letters("Zu\u{308}rich"), "Zürich");
    }
}
