//! Suggestions from a closed list of words (keywords), by their letters only.

use super::edits;
use super::words::fold_name;

/// Returns the keyword nearest to a misspelled word, and whether it is the only one at this distance.
///
/// The maximum Damerau-Levenshtein distance (ignoring case) is a third of the longer word, or 0 for words of fewer than three letters: one slip in
/// three letters is a typing error, more is another word. Words that differ only in case, spaces, or underscores have the distance 0.
///
/// ```
/// use names::suggest_keyword;
///
/// let keywords = ["task", "table", "suite"];
/// assert_eq!(suggest_keyword("taks", keywords), Some(("task".to_owned(), true)));
/// assert_eq!(suggest_keyword("name", keywords), None);
/// // Two words at one distance: a suggestion, but not a fix.
/// assert_eq!(suggest_keyword("colum", ["column", "colums"]).map(|(_, only)| only), Some(false));
/// ```
pub fn suggest_keyword<'a>(word: &str, keywords: impl IntoIterator<Item = &'a str>) -> Option<(String, bool)> {
    let plain = fold_name(word);
    let letters = plain.chars().count();
    let mut found: Vec<(usize, &str)> = keywords
        .into_iter()
        .filter(|keyword| *keyword != word)
        .filter_map(|keyword| {
            let other = fold_name(keyword);
            let longest = letters.max(other.chars().count());
            let limit = if longest < 3 { 0 } else { (longest / 3).max(1) };
            let distance = if plain == other { 0 } else { edits::measure_distance(&plain, &other) };
            (distance <= limit).then_some((distance, keyword))
        })
        .collect();
    found.sort();
    found.dedup();
    let (nearest, keyword) = *found.first()?;
    let clear = found.get(1).is_none_or(|(second, _)| *second > nearest);
    Some((keyword.to_owned(), clear))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords() {
        let keywords = ["task", "table", "suite", "domain", "use"];
        assert_eq!(suggest_keyword("taks", keywords), Some(("task".into(), true)));
        assert_eq!(suggest_keyword("Tabel", keywords), Some(("table".into(), true)));
        assert_eq!(suggest_keyword("name", keywords), None);
        assert_eq!(suggest_keyword("x", ["y"]), None);
        assert_eq!(suggest_keyword("creatd", ["create", "creates"]).map(|(_, clear)| clear), Some(true));
        assert_eq!(suggest_keyword("created", ["create1", "create2"]).map(|(_, clear)| clear), Some(false));
    }
}
