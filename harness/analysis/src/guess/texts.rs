//! Texts that may be accepted without work.

use std::collections::{BTreeMap, BTreeSet};

use model::answer_key::Expected;
use model::suite::Matcher;
use model::suite::matchers::Takes;

use super::leaves::build_from_leaves;

/// The texts that are tried for every answer.
const FIXED: [&str; 9] = ["", "yes", "no", "true", "false", "0", "1", "a", "none"];
/// The same for JSON and lists.
const FIXED_JSON: [&str; 3] = ["{}", "[]", "null"];
/// The number of commonest texts that are tried.
const COMMONEST: usize = 4;
/// Maximum number of different texts that one reply lists.
const MAX_JOINED: usize = 100;

/// Lists texts that may be accepted for many of these expectations, the likeliest first.
pub fn list_candidates(expects: &[&Expected]) -> Vec<String> {
    let Some(first) = expects.first() else { return Vec::new() };
    let takes = first.matcher.record().takes;
    let mut found = list_commonest(expects);
    if matches!(takes, Takes::Json | Takes::List) {
        let built = build_from_leaves(expects);
        found.extend(built.map(|value| value.to_json().to_string()));
        found.extend(FIXED_JSON.map(str::to_owned));
    } else {
        found.extend(FIXED.map(str::to_owned));
    }
    if first.matcher == Matcher::Contains {
        found.extend(join_everything(expects));
    }
    let mut known = BTreeSet::new();
    found.retain(|text| known.insert(text.clone()));
    found
}

/// Lists the texts that the most expectations name.
fn list_commonest(expects: &[&Expected]) -> Vec<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for expect in expects {
        let texts: BTreeSet<String> = score::list_accepted_texts(expect).into_iter().collect();
        texts.into_iter().for_each(|text| *counts.entry(text).or_default() += 1);
    }
    let mut counts: Vec<(String, usize)> = counts.into_iter().collect();
    counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    counts.into_iter().take(COMMONEST).map(|(text, _)| text).collect()
}

/// Joins all texts of every second expectation, if they are few. The others show whether they are all.
fn join_everything(expects: &[&Expected]) -> Option<String> {
    let texts: BTreeSet<String> =
        expects.iter().step_by(2).flat_map(|expect| score::list_accepted_texts(expect)).collect();
    (texts.len() <= MAX_JOINED).then(|| texts.into_iter().collect::<Vec<_>>().join(", "))
}
