//! Texts: what a comparison ignores, and what occurs at word boundaries.

use std::borrow::Cow;
use std::sync::OnceLock;

use plan::suite::Ignore;
use regex_syntax::hir::{Class, ClassUnicode, HirKind};
use unicode_normalization::{UnicodeNormalization as _, is_nfc, is_nfd};

use crate::rules::Rules;

/// What a comparison of texts overlooks.
#[derive(Clone, Debug)]
pub struct Overlooks {
    ignore: Vec<Ignore>,
    rules: &'static Rules,
}

impl Overlooks {
    /// What the options of a key say, and what the rules overlook always.
    pub fn new(ignore: &[Ignore], rules: &'static Rules) -> Overlooks {
        Overlooks { ignore: ignore.to_vec(), rules }
    }

    /// Case as well.
    pub fn and_case(mut self) -> Overlooks {
        self.ignore.push(Ignore::Case);
        self
    }

    /// Whether it is the same that is overlooked.
    pub fn same(&self, other: &Overlooks) -> bool {
        self.ignore == other.ignore && self.rules == other.rules
    }

    /// The text without what does not count. Case: by Unicode's upper and lower forms, character by character (`ß` is `ss`). Space: all of it.
    /// Punctuation: ASCII's, and Unicode's classes P.
    pub fn fold<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let text = if self.rules.canonical_texts { decomposed(text) } else { Cow::Borrowed(text) };
        let text = if self.rules.lenient_spellings { datetime(text) } else { text };
        match text {
            Cow::Borrowed(text) => without_ignored(text, &self.ignore),
            Cow::Owned(text) => Cow::Owned(without_ignored(&text, &self.ignore).into_owned()),
        }
    }

    /// Whether `needle` occurs in `text` at word boundaries. Blanks at its ends do not count; an empty one never
    /// occurs.
    ///
    /// A boundary is needed where the needle begins or ends with a letter, digit, mark, or `_`: there, the text may not
    /// continue with another one. Scripts that put no space between words (Chinese, Japanese, Thai, Lao, Khmer,
    /// Burmese) have a boundary everywhere. A number is one word: `5` does not occur in `1.5`, `5,000`, or `-5`.
    pub fn contains(&self, text: &str, needle: &str) -> bool {
        let form = |text| if self.rules.canonical_texts { decomposed(text) } else { Cow::Borrowed(text) };
        contains(&form(text), &form(needle), &self.ignore)
    }
}

/// The text with letters and their marks composed (NFC).
pub fn composed(text: &str) -> Cow<'_, str> {
    if is_nfc(text) { Cow::Borrowed(text) } else { Cow::Owned(text.nfc().collect()) }
}

/// The text with letters and their marks apart (NFD). Two texts are the same in NFC where they are in NFD, and here upper and lower forms of a letter
/// with marks have the same marks.
fn decomposed(text: &str) -> Cow<'_, str> {
    if is_nfd(text) { Cow::Borrowed(text) } else { Cow::Owned(text.nfd().collect()) }
}

/// Whether two names are the same by these rules.
pub fn same_name(a: &str, b: &str, rules: &Rules) -> bool {
    a == b || rules.canonical_texts && !(a.is_ascii() && b.is_ascii()) && a.nfc().eq(b.nfc())
}

/// A datetime as `2024-03-01T10:00:00`, also where it has a blank for its `T` or leaves out seconds, which are 00 then; all else as it is.
fn datetime(text: Cow<'_, str>) -> Cow<'_, str> {
    let form = |form: &str| {
        text.len() == form.len()
            && text.bytes().zip(form.bytes()).all(|(byte, form)| match form {
                b'0' => byte.is_ascii_digit(),
                b' ' => matches!(byte, b' ' | b'T'),
                other => byte == other,
            })
    };
    let seconds = match () {
        () if form("0000-00-00 00:00:00") => "",
        () if form("0000-00-00 00:00") => ":00",
        () => return text,
    };
    if seconds.is_empty() && !text.contains(' ') { text } else { Cow::Owned(text.replacen(' ', "T", 1) + seconds) }
}

fn without_ignored<'a>(text: &'a str, ignore: &[Ignore]) -> Cow<'a, str> {
    if ignore.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        fold_char(char, ignore, |char| out.push(char));
    }
    // What is ignored may have kept a blank from the end.
    if ignore.contains(&Ignore::Punctuation) { Cow::Owned(out.trim().to_owned()) } else { Cow::Owned(out) }
}

fn fold_char(char: char, ignore: &[Ignore], mut out: impl FnMut(char)) {
    if ignore.contains(&Ignore::Space) && char.is_whitespace()
        || ignore.contains(&Ignore::Punctuation) && is_punctuation(char)
    {
        return;
    }
    if ignore.contains(&Ignore::Case) {
        char.to_uppercase().flat_map(char::to_lowercase).for_each(out);
    } else {
        out(char);
    }
}

fn is_punctuation(char: char) -> bool {
    if char.is_ascii() {
        return char.is_ascii_punctuation();
    }
    static CLASS: OnceLock<ClassUnicode> = OnceLock::new();
    let class = CLASS.get_or_init(|| match regex_syntax::parse(r"\p{P}").map(|hir| hir.into_kind()) {
        Ok(HirKind::Class(Class::Unicode(class))) => class,
        _ => ClassUnicode::empty(),
    });
    let ranges = class.ranges();
    let at = ranges.partition_point(|range| range.end() < char);
    ranges.get(at).is_some_and(|range| range.start() <= char)
}

fn contains(text: &str, needle: &str, ignore: &[Ignore]) -> bool {
    let needle: Vec<char> = without_ignored(needle.trim(), ignore).chars().collect();
    if needle.is_empty() {
        return false;
    }
    // What is compared, each with the place in the text it comes from.
    let original: Vec<char> = text.chars().collect();
    let mut folded: Vec<(char, usize)> = Vec::with_capacity(original.len());
    for (at, char) in original.iter().enumerate() {
        fold_char(*char, ignore, |char| folded.push((char, at)));
    }
    places(&needle, folded.iter().map(|(char, _)| *char)).any(|at| {
        let ends = folded.get(at).zip(folded.get(at + needle.len() - 1));
        ends.is_some_and(|((_, first), (_, last))| starts_word(&original, *first) && ends_word(&original, *last))
    })
}

/// Where the needle, which is not empty, begins in the text, also where its places overlap: in one pass, however much of it repeats (D. E. Knuth,
/// J. H. Morris, V. R. Pratt, "Fast pattern matching in strings", *SIAM Journal on Computing* 6, 1977).
fn places(needle: &[char], text: impl Iterator<Item = char>) -> impl Iterator<Item = usize> {
    // For each place of the needle: how long its longest beginning is that also ends there.
    let mut again = vec![0; needle.len()];
    for at in 1..needle.len() {
        again[at] = longer(needle, &again, again[at - 1], needle[at]);
    }
    let mut so_far = 0;
    text.enumerate().filter_map(move |(at, char)| {
        if so_far == needle.len() {
            so_far = again[so_far - 1];
        }
        so_far = longer(needle, &again, so_far, char);
        (so_far == needle.len()).then(|| at + 1 - needle.len())
    })
}

/// How much of the needle's beginning is there with one more character, if `so_far` was before.
fn longer(needle: &[char], again: &[usize], mut so_far: usize, char: char) -> usize {
    while so_far > 0 && needle[so_far] != char {
        so_far = again[so_far - 1];
    }
    so_far + usize::from(needle[so_far] == char)
}

fn starts_word(text: &[char], first: usize) -> bool {
    let char = |back: usize| first.checked_sub(back).and_then(|at| text.get(at)).copied();
    let (Some(here), Some(before)) = (char(0), char(1)) else { return true };
    if joined(before, here) {
        return false;
    }
    if !here.is_numeric() {
        return true;
    }
    match before {
        '.' | ',' => !char(2).is_some_and(char::is_numeric),
        // A minus, unless it joins two words (`3-5`).
        '-' | '\u{2212}' => char(2).is_some_and(is_word),
        _ => true,
    }
}

fn ends_word(text: &[char], last: usize) -> bool {
    let char = |on: usize| text.get(last + on).copied();
    let (Some(here), Some(after)) = (char(0), char(1)) else { return true };
    if joined(here, after) {
        return false;
    }
    !(here.is_numeric() && matches!(after, '.' | ',') && char(2).is_some_and(char::is_numeric))
}

/// Whether two adjacent characters belong to one word.
fn joined(a: char, b: char) -> bool {
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

/// Of a script that is written without spaces.
fn is_spaceless(char: char) -> bool {
    matches!(char,
        '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' | '\u{3005}'..='\u{30FF}' | '\u{31F0}'..='\u{31FF}'
        | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{FF66}'..='\u{FF9F}' | '\u{20000}'..='\u{3FFFF}')
}

#[cfg(test)]
mod tests {
    use plan::Scorer;
    use proptest::prelude::*;

    use super::*;

    fn contains(text: &str, needle: &str, ignore: &[Ignore]) -> bool {
        let [one, two] = Scorer::ALL.map(|scorer| Overlooks::new(ignore, Rules::of(scorer)).contains(text, needle));
        assert_eq!(one, two, "{needle} in {text}");
        two
    }

    fn fold(text: &str, ignore: &[Ignore]) -> String {
        let [one, two] = Scorer::ALL.map(|scorer| Overlooks::new(ignore, Rules::of(scorer)).fold(text).into_owned());
        assert_eq!(one, two, "{text}");
        two
    }

    proptest! {
        #[test]
        fn all_places_are_found(needle in "[ab]{1,6}", text in "[ab]{0,40}") {
            let chars: Vec<char> = needle.chars().collect();
            let found: Vec<usize> = places(&chars, text.chars()).collect();
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
        let two = |ignore: &[Ignore]| Overlooks::new(ignore, Rules::of(Scorer::Two));
        for (a, b, ignore) in [
            ("Zürich", "Zu\u{308}rich", &[][..]),
            ("ΐ", "Ϊ\u{301}", &[Ignore::Case]),
            ("ÉCOLE", "e\u{301}cole", &[Ignore::Case]),
            ("한국", "\u{1112}\u{1161}\u{11ab}\u{1100}\u{116e}\u{11a8}", &[]),
            ("2024-03-01 10:00:00", "2024-03-01T10:00:00", &[]),
            ("2024-03-01T10:00", "2024-03-01T10:00:00", &[]),
            ("2024-03-01 10:00", "2024-03-01T10:00:00", &[]),
        ] {
            assert_eq!(two(ignore).fold(a), two(ignore).fold(b), "{a} {b}");
            assert_ne!(Overlooks::new(&[], Rules::of(Scorer::One)).fold(a), b, "{a} {b}");
        }
        assert!(two(&[]).contains("in Zu\u{308}rich.", "Zürich"));
        assert!(!two(&[]).contains("Zu\u{308}rich", "Zu"), "a letter goes on with its mark");
        assert!(
            same_name("é", "e\u{301}", Rules::of(Scorer::Two)) && !same_name("é", "e\u{301}", Rules::of(Scorer::One))
        );
        assert_ne!(two(&[]).fold("2024-03-01 10:00:01"), two(&[]).fold("2024-03-01T10:00"));
        assert_eq!(composed("Zu\u{308}rich"), "Zürich");
    }
}
