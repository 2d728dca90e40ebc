//! Where a prompt speaks of something, for labels: the word that names it, or else the question.

use std::ops::Range;

use model::Span;

use super::dependence::hints::Hints;
use crate::context::TaskCx;
use names::words::split_words;

/// The shortest word of a name that is looked for.
const MIN_WORD: usize = 3;

/// Finds the first place in these texts that has a word of a name, or a form of it; else the question. `None` if no text has either.
pub(super) fn locate_term(cx: &TaskCx<'_>, texts: &[Span], name: &str) -> Option<Span> {
    let words: Vec<String> = split_words(name).into_iter().filter(|word| word.chars().count() >= MIN_WORD).collect();
    let has_form = |text: &str| words.iter().any(|word| Hints::from_text(text).has_form(word));
    let find = |at: &Span| {
        let source = cx.sources.text(*at);
        let word = list_prose_words(source).into_iter().find(|word| source.get(word.clone()).is_some_and(has_form))?;
        Some(narrow(*at, word))
    };
    texts.iter().find_map(find).or_else(|| locate_question(cx, texts))
}

/// Finds the last line of the first question in these texts.
pub(super) fn locate_question(cx: &TaskCx<'_>, texts: &[Span]) -> Option<Span> {
    texts.iter().find_map(|at| {
        let source = cx.sources.text(*at);
        let end = find_outside_placeholders(source, '?')?;
        let before = source.get(..end)?;
        let ends_sentence = |at: &usize| before.get(*at..).is_some_and(|rest| rest.starts_with(char::is_whitespace));
        let sentence = before.match_indices(['.', '!']).map(|(at, _)| at + 1).filter(ends_sentence);
        let line = before.rfind('\n').map(|at| at + 1);
        let start = sentence.chain(line).max().unwrap_or(0);
        let blank = before.get(start..)?.chars().take_while(|c| c.is_whitespace() || *c == '"');
        let start = start + blank.map(char::len_utf8).sum::<usize>();
        Some(narrow(*at, start..end + 1))
    })
}

/// The span of a part of a text.
fn narrow(text: Span, part: Range<usize>) -> Span {
    let offset = |at: usize| text.start + u32::try_from(at).unwrap_or_default();
    Span::new(text.file, offset(part.start), offset(part.end))
}

/// Finds a character that is not in a placeholder.
fn find_outside_placeholders(source: &str, sought: char) -> Option<usize> {
    let mut depth = 0u32;
    let mut before = ' ';
    for (at, c) in source.char_indices() {
        match (before, c) {
            ('<', '<') => depth += 1,
            ('>', '>') => depth = depth.saturating_sub(1),
            _ if depth == 0 && c == sought => return Some(at),
            _ => {}
        }
        before = c;
    }
    None
}

/// Lists the words of a text that are not in placeholders.
fn list_prose_words(source: &str) -> Vec<Range<usize>> {
    let (mut found, mut start, mut depth, mut before) = (Vec::new(), None, 0u32, ' ');
    for (at, c) in source.char_indices() {
        match (before, c) {
            ('<', '<') => depth += 1,
            ('>', '>') => depth = depth.saturating_sub(1),
            _ => {}
        }
        before = c;
        match (c.is_alphanumeric() && depth == 0, start) {
            (true, None) => start = Some(at),
            (false, Some(first)) => {
                found.push(first..at);
                start = None;
            }
            _ => {}
        }
    }
    found.extend(start.map(|first| first..source.len()));
    found
}
