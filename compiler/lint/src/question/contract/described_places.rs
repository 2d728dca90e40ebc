//! Values that a wording describes next to their places: "write the number of singers to n.txt, and reply with the longest SOLO".

use std::ops::Range;

use super::answers::Leaf;
use super::tokens::{Text, Token};
use super::wording::Wording;
use crate::context::TaskCx;
use hir::Subject;
use syntax::prompts::english::lints::OF_FILES;

/// The fewest words of a description.
const MIN_WORDS: usize = 2;

/// Lists the values of whole files and of the reply with the words that describe them. None where a place is named twice, or is not named.
pub(super) fn list_described_places<'l, 'a>(
    wording: &Wording<'_, 'a>,
    leaves: &'l [Leaf<'a>],
) -> Vec<(&'l Leaf<'a>, Range<usize>)> {
    let paths: Vec<Range<usize>> =
        leaves.iter().filter_map(|leaf| find_path(&wording.text, &read_path(wording.cx, leaf)?)).collect();
    let describe = |leaf: &'l Leaf<'a>| {
        let is_whole = leaf.pointer.is_empty() && leaf.expect.at.is_none() && !leaf.expect.is_any_of();
        let words = match &leaf.expect.subject {
            Subject::File(_) => find_words_of_file(wording, &read_path(wording.cx, leaf)?, &paths),
            Subject::Reply(None) => find_words_of_reply(wording),
            _ => None,
        };
        words.filter(|words| is_whole && words.len() >= MIN_WORDS).map(|words| (leaf, words))
    };
    let found: Option<Vec<(&'l Leaf<'a>, Range<usize>)>> = leaves.iter().map(describe).collect();
    let is_apart = |found: &Vec<(&'l Leaf<'a>, Range<usize>)>| {
        let is_alone = |(at, (_, words)): (usize, &(&'l Leaf<'a>, Range<usize>))| {
            let others = found.iter().enumerate().filter(|(other, _)| *other != at);
            others.into_iter().all(|(_, (_, other))| words.end <= other.start || other.end <= words.start)
        };
        found.iter().enumerate().all(is_alone)
    };
    found.filter(is_apart).unwrap_or_default()
}

/// The path of the file of a value, if it is always the same.
fn read_path(cx: &TaskCx<'_>, leaf: &Leaf<'_>) -> Option<String> {
    let Subject::File(path) = &leaf.expect.subject else { return None };
    Some(path.resolve_name(cx.task).as_constant()?.as_text()?.to_owned())
}

/// The words from a verb such as "write", or from the path of another file after it, to the path of a file.
fn find_words_of_file(wording: &Wording<'_, '_>, path: &str, paths: &[Range<usize>]) -> Option<Range<usize>> {
    let text = &wording.text;
    let end = find_path(text, path)?.start;
    let sentence = text.tokens.get(end)?.sentence;
    let is_verb =
        |token: &Token<'_>| token.is_any(wording.language.replying) || token.is_any(OF_FILES) && !token.is_word("file");
    let before = text.tokens.get(..end)?;
    let verb = before.iter().rposition(|token| token.sentence == sentence && is_verb(token))?;
    let start = paths.iter().map(|path| path.end).filter(|start| *start <= end).fold(verb + 1, usize::max);
    Some(start..end)
}

/// The tokens of a path, if the text has it once.
fn find_path(text: &Text<'_>, path: &str) -> Option<Range<usize>> {
    let mut places = (0..text.tokens.len()).filter_map(|start| Some(start..match_path(text, start, path)?));
    places.next().filter(|_| places.next().is_none())
}

/// The index after the tokens from one on, if they are a path.
fn match_path(text: &Text<'_>, start: usize, path: &str) -> Option<usize> {
    // Hyphens are no tokens.
    let path = path.replace('-', "");
    let mut read = String::new();
    let mut at = start;
    while read.len() < path.len() {
        let token = text.tokens.get(at).filter(|token| !token.text.is_empty())?;
        read.push_str(&token.text);
        at += 1;
    }
    (at > start && read == path).then_some(at)
}

/// The words from "reply with" to the end of its sentence.
fn find_words_of_reply(wording: &Wording<'_, '_>) -> Option<Range<usize>> {
    let text = &wording.text;
    let verbs = ["reply with", "answer with", "respond with"];
    let mut places =
        (0..text.tokens.len()).filter_map(|at| verbs.iter().find_map(|verb| Some((at, text.match_phrase(at, verb)?))));
    let (at, start) = places.next().filter(|_| places.next().is_none())?;
    let sentence = text.tokens.get(at)?.sentence;
    let is_outside = |token: &Token<'_>| token.sentence != sentence || token.text == ";";
    let length = text.tokens.iter().skip(start).position(is_outside);
    Some(start..length.map_or(text.tokens.len(), |length| start + length))
}
