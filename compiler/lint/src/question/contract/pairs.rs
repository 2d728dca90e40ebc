//! Questions that are answered with one of two words: "yes or no", "true or false".

use hir::types::TyKind;
use model::suite::{Ignore, Matcher};

use super::answers::Leaf;
use super::mismatch::Mismatch;
use super::possible_texts::{describe_texts, list_texts};
use super::tokens::{Found, Text};
use super::wording::Wording;

/// Compares the two words that a wording offers with the expected value.
pub(super) fn check_pair<'a>(wording: &Wording<'_, 'a>, leaf: &Leaf<'a>) -> Option<Mismatch> {
    let cx = wording.cx;
    let offered: Vec<_> =
        wording.language.pairs.iter().filter_map(|pair| Some((*pair, find_pair(&wording.text, pair)?))).collect();
    let [(pair, asked)] = offered.as_slice() else { return None };
    let is_lead = wording.text.tokens.get(asked.end).is_some_and(|token| token.text == ":");
    if !is_lead && !wording.is_in_request(asked.start) {
        return None;
    }
    let (asked, is_bool_pair) = (*asked, pair.0 == "true");
    let mismatch =
        |what: String, label: &str, help: String| Some(Mismatch { asked, what, label: label.to_owned(), help });
    let words = format!("`{}` or `{}`", pair.0, pair.1);
    if leaf.value.ty.kind == TyKind::Bool {
        let help = "expect `bool`, which reads yes and no, or ask for true or false".to_owned();
        return (!is_bool_pair && leaf.expect.matcher != Matcher::Bool)
            .then(|| mismatch("the key is true or false".to_owned(), "a bool", help))?;
    }
    if leaf.expect.matcher == Matcher::Number {
        return mismatch(
            "the key is a number".to_owned(),
            "a number",
            format!("expect {words}, or ask for the number"),
        );
    }
    if leaf.value.ty.kind != TyKind::Text || leaf.expect.matcher != Matcher::Text {
        return None;
    }
    let texts = list_texts(cx, leaf.value)?;
    let is_word = |text: &String| [pair.0, pair.1].contains(&text.to_lowercase().as_str());
    if !texts.iter().any(is_word) {
        let what = format!("the key is {}", describe_texts(cx, leaf.value));
        return mismatch(what, "other words", format!("expect {words}, or name the words of the key in the prompt"));
    }
    let ignores = leaf.expect.options.iter().any(|(_, options)| options.ignore.contains(&Ignore::Case));
    let recased = texts.iter().filter(|text| is_word(text)).any(|text| is_recased(&wording.text, asked, text));
    let what = format!("the key is {} in other letters", describe_texts(cx, leaf.value));
    (recased && !ignores).then(|| {
        mismatch(
            what,
            "another letter case",
            "write `ignore case` after the value, or use the same letters in both".to_owned(),
        )
    })?
}

/// The place where a wording offers both words.
fn find_pair(text: &Text<'_>, pair: &(&str, &str)) -> Option<Found<()>> {
    (0..text.tokens.len()).find_map(|start| {
        let [first, middle, second] = text.tokens.get(start..start + 3)? else { return None };
        let joins = middle.is_word("or") || middle.text == "/" || middle.is_word("and") && first.quoted;
        let is_pair = |one: &str, other: &str| first.is_word(one) && second.is_word(other);
        (joins && (is_pair(pair.0, pair.1) || is_pair(pair.1, pair.0))).then_some(Found {
            start,
            end: start + 3,
            means: (),
        })
    })
}

/// Whether the wording offers a word in other letters. At the beginning of a sentence it can be capitalized.
fn is_recased(text: &Text<'_>, asked: Found<()>, word: &str) -> bool {
    let offered = (asked.start..asked.end).filter_map(|at| Some((at, text.tokens.get(at)?)));
    let lower = word.to_lowercase();
    offered.filter(|(_, token)| token.is_word(&lower)).any(|(at, token)| {
        let before = at.checked_sub(1).and_then(|at| text.tokens.get(at));
        let begins = before.is_none_or(|before| before.sentence != token.sentence);
        token.text != word && !begins
    })
}
