//! Did you mean: the declared name nearest to a misspelt one.

/// The candidate nearest to `word`, if one is near enough to be worth saying.
pub fn closest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    best(word, candidates).map(|(candidate, _)| candidate)
}

/// The nearest candidate, and whether it is clearly meant (no other is as near): then a fix may be applied unasked.
///
/// Near is a Damerau-Levenshtein distance (case aside) of at most a third of the longer word, at least 1: one slip in
/// three letters is a slip, more is another word. Words that differ in case, blanks or underscores only are at distance 0.
pub fn best<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<(String, bool)> {
    let plain = fold(word);
    let mut found: Vec<(usize, &str)> = candidates
        .into_iter()
        .filter(|candidate| *candidate != word)
        .filter_map(|candidate| {
            let other = fold(candidate);
            let distance = if plain == other { 0 } else { strsim::damerau_levenshtein(&plain, &other) };
            let longest = plain.chars().count().max(other.chars().count());
            let limit = if longest < 3 { 0 } else { (longest / 3).max(1) };
            (distance <= limit).then_some((distance, candidate))
        })
        .collect();
    found.sort();
    found.dedup();
    let (nearest, candidate) = *found.first()?;
    let clear = found.get(1).is_none_or(|(second, _)| *second > nearest);
    Some((candidate.to_owned(), clear))
}

/// Lower case, without blanks, underscores and hyphens.
fn fold(word: &str) -> String {
    word.chars().filter(|c| !matches!(c, '_' | ' ' | '-')).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_found_and_far_ones_are_not() {
        let columns = ["AGE_YRS", "C_NAME", "LOC_CD"];
        assert_eq!(best("AGE_YSR", columns), Some(("AGE_YRS".into(), true)));
        assert_eq!(best("age_yrs", columns), Some(("AGE_YRS".into(), true)));
        assert_eq!(best("SALARY", columns), None);
        assert_eq!(best("x", ["y"]), None);
    }

    #[test]
    fn two_as_near_are_not_clear() {
        assert_eq!(best("created", ["created1", "created2"]).map(|(_, clear)| clear), Some(false));
    }
}
