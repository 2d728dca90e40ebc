//! Folds texts for comparison: removes the kinds of difference that `ignore` names, and those that are always ignored.
//!
//! The scorer compares folded texts; `check` and the build use them to find two answers that `ignore` makes equal.

use std::borrow::Cow;
use std::sync::OnceLock;

use regex_syntax::hir::{Class, ClassUnicode, HirKind};
use unicode_normalization::{UnicodeNormalization as _, is_nfd};

use crate::calendar::has_form;
use crate::suite::Ignore;
use crate::wrapping::list_unwrapped;

/// The differences that are ignored regardless of `ignore`. They depend on the scorer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Always {
    /// Whether texts are equal if they are canonically equivalent in Unicode (NFC).
    pub canonical: bool,
    /// Whether a datetime may have a space instead of `T`, and no seconds.
    pub datetimes: bool,
    /// Whether a text that `ignore` would leave empty is compared unchanged.
    pub keeps_something: bool,
}

impl Always {
    /// The differences that the newest scorer ignores.
    pub const NEWEST: Always = Always { canonical: true, datetimes: true, keeps_something: true };
}

/// Returns the text without ignored differences. Case: by Unicode's uppercase and lowercase forms, character by character (`ß` is `ss`). Space: all
/// whitespace. Punctuation: ASCII's, and Unicode's classes P.
///
/// ```
/// use model::suite::Ignore;
/// use model::text_folding::{Always, fold_text};
///
/// let same = |a, b, ignore: &[Ignore]| fold_text(a, ignore, Always::NEWEST) == fold_text(b, ignore, Always::NEWEST);
/// assert!(same("New York", "new  york", &[Ignore::Case, Ignore::Space]));
/// assert!(!same("New York", "new york", &[]) && !same("resume", "résumé", &[Ignore::Case]));
/// // Always: one character or a letter and an accent; `T` or a space in a datetime.
/// assert!(same("caf\u{e9}", "cafe\u{301}", &[]) && same("2024-03-01T10:00", "2024-03-01 10:00:00", &[]));
/// // A text of punctuation only keeps it: otherwise `?` and `!` were equal.
/// assert!(!same("?", "!", &[Ignore::Punctuation]));
/// ```
pub fn fold_text<'a>(text: &'a str, ignore: &[Ignore], always: Always) -> Cow<'a, str> {
    let text = if always.canonical { to_nfd(text) } else { Cow::Borrowed(text) };
    let text = if always.datetimes { normalize_datetime(text) } else { text };
    if ignore.is_empty() {
        return text;
    }
    let folded = without_ignored(&text, ignore);
    if folded.is_empty() && always.keeps_something { text } else { Cow::Owned(folded) }
}

/// Returns the first pair of different texts that `ignore` makes equal. Texts that differ only in what is always ignored count as one text.
///
/// ```
/// use model::suite::Ignore;
/// use model::text_folding::find_merged_pair;
///
/// let cities = ["Ulm", "Bonn", "ULM"];
/// assert_eq!(find_merged_pair(cities, &[Ignore::Case]), Some(("Ulm", "ULM")));
/// assert_eq!(find_merged_pair(cities, &[Ignore::Space]), None);
/// ```
pub fn find_merged_pair<'t>(texts: impl IntoIterator<Item = &'t str>, ignore: &[Ignore]) -> Option<(&'t str, &'t str)> {
    let mut known: std::collections::HashMap<String, &'t str> = std::collections::HashMap::new();
    for text in texts {
        match known.entry(fold_text(text, ignore, Always::NEWEST).into_owned()) {
            std::collections::hash_map::Entry::Vacant(place) => drop(place.insert(text)),
            std::collections::hash_map::Entry::Occupied(first) if is_one(first.get(), text) => {}
            std::collections::hash_map::Entry::Occupied(first) => return Some((*first.get(), text)),
        }
    }
    None
}

/// Returns two different texts of which the first is the second in marks that do not belong to an answer (see [`crate::wrapping`]).
///
/// ```
/// use model::text_folding::find_wrapped_pair;
///
/// assert_eq!(find_wrapped_pair(&["Ulm", "Bonn", "Ulm."], &[]), Some(("Ulm.", "Ulm")));
/// assert_eq!(find_wrapped_pair(&["Ulm", "Bonn.", "Kiel!"], &[]), None);
/// ```
pub fn find_wrapped_pair<'t>(texts: &[&'t str], ignore: &[Ignore]) -> Option<(&'t str, &'t str)> {
    let fold = |text: &str| fold_text(text, ignore, Always::NEWEST).into_owned();
    let read = |text: &'t str| list_unwrapped(text).into_iter().map(move |inside| (text, inside));
    let wrapped: Vec<(&str, String)> =
        texts.iter().copied().flat_map(read).map(|(text, inside)| (text, fold(&inside))).collect();
    if wrapped.is_empty() {
        return None;
    }
    let known: std::collections::HashMap<String, &str> = texts.iter().map(|text| (fold(text), *text)).collect();
    wrapped.iter().find_map(|(text, inside)| {
        let other = known.get(inside).filter(|other| !is_one(text, other))?;
        Some((*text, *other))
    })
}

/// Checks whether two texts are equal without any option.
fn is_one(a: &str, b: &str) -> bool {
    let plain = |text| fold_text(text, &[], Always::NEWEST);
    a == b
        || plain(a.trim_matches(crate::value::is_insignificant_char))
            == plain(b.trim_matches(crate::value::is_insignificant_char))
}

/// Returns the kinds in `ignore` that make the two texts equal: a single one if it is enough, otherwise all.
pub fn find_merging_kinds(a: &str, b: &str, ignore: &[Ignore]) -> Vec<Ignore> {
    let alone = ignore.iter().copied().find(|kind| find_merged_pair([a, b], &[*kind]).is_some());
    alone.map_or_else(|| ignore.to_vec(), |kind| vec![kind])
}

/// Decomposes letters and their marks (NFD). Two texts are equal in NFC if and only if they are equal in NFD; in NFD, the uppercase and lowercase
/// forms of a letter also have the same marks.
pub fn to_nfd(text: &str) -> Cow<'_, str> {
    if is_nfd(text) { Cow::Borrowed(text) } else { Cow::Owned(text.nfd().collect()) }
}

/// Converts a datetime to `2024-03-01T10:00:00`, if it has a space instead of `T` or lacks the seconds (which become 00). Other text is unchanged.
fn normalize_datetime(text: Cow<'_, str>) -> Cow<'_, str> {
    let seconds = match () {
        () if has_form(&text, "0000-00-00T00:00:00") => "",
        () if has_form(&text, "0000-00-00T00:00") => ":00",
        () => return text,
    };
    if seconds.is_empty() && !text.contains(' ') { text } else { Cow::Owned(text.replacen(' ', "T", 1) + seconds) }
}

fn without_ignored(text: &str, ignore: &[Ignore]) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        fold_char(char, ignore, |char| out.push(char));
    }
    // Removed punctuation may have separated a space from the end.
    if ignore.contains(&Ignore::Punctuation) && out.trim().len() < out.len() { out.trim().to_owned() } else { out }
}

/// Writes the folded form of a character: nothing, the character itself, or its lowercase form.
pub fn fold_char(char: char, ignore: &[Ignore], mut out: impl FnMut(char)) {
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ALL: [Ignore; 3] = [Ignore::Case, Ignore::Space, Ignore::Punctuation];

    #[test]
    fn a_pair_is_told_with_what_makes_it_one() {
        let told = |texts: &[&str], ignore: &[Ignore]| {
            let (a, b) = find_merged_pair(texts.iter().copied(), ignore)?;
            let guilty: Vec<&str> = find_merging_kinds(a, b, ignore).iter().map(|kind| kind.word()).collect();
            Some((a.to_owned(), b.to_owned(), guilty.join(", ")))
        };
        let of = |a: &str, b: &str, guilty: &str| Some((a.to_owned(), b.to_owned(), guilty.to_owned()));
        assert_eq!(told(&["Go", "C", "C++"], &ALL), of("C", "C++", "punctuation"));
        assert_eq!(told(&["c", "C"], &ALL), of("c", "C", "case"));
        assert_eq!(told(&["a b", "AB"], &ALL), of("a b", "AB", "case, space, punctuation"));
        assert_eq!(told(&["*", "+", "..."], &ALL), None, "nothing would be left of them");
        assert_eq!(told(&["C", "C"], &ALL), None);
        assert_eq!(told(&["Zürich", "Zu\u{308}rich", "2024-03-01 10:00", "2024-03-01T10:00:00"], &ALL), None);
        assert_eq!(told(&["C", "C++"], &[Ignore::Case]), None);
    }

    proptest! {
        /// One text is never two, and a pair is told exactly where the folded texts are the same.
        #[test]
        fn merged_texts_are_those_that_fold_to_one(
            a in "[aAbBß .*+-]{1,4}", b in "[aAbBß .*+-]{1,4}", kinds in prop::sample::subsequence(ALL.to_vec(), 0..=3),
        ) {
            let (a, b) = (a.trim(), b.trim());
            let same = |ignore: &[Ignore]| fold_text(a, ignore, Always::NEWEST) == fold_text(b, ignore, Always::NEWEST);
            prop_assert_eq!(find_merged_pair([a, b], &kinds).is_some(), same(&kinds) && !same(&[]));
            prop_assert!(a.is_empty() || !fold_text(a, &kinds, Always::NEWEST).is_empty());
        }
    }
}
