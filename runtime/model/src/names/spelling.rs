//! Words of a closed list (keywords): only the letters count.

use super::edits;
use super::words::fold_name;

/// The keyword that is misspelt, and whether no other is as near.
///
/// Near is a Damerau-Levenshtein distance (case aside) of at most a third of the longer word, at least 1: one slip in
/// three letters is a slip, more is another word. Words that differ in case, blanks or underscores only are at distance 0.
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
