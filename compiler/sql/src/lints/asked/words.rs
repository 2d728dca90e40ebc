//! A question as words and sentences.

/// How many words after a cue are looked at.
pub(super) const NEAR: usize = 10;

/// A word of a question.
pub(super) struct Word {
    /// Its stem.
    pub stem: String,
    /// Whether it has an apostrophe: `customers'`.
    pub owner: bool,
    /// Whether a sentence or a part of it ends after it.
    pub ends: bool,
    /// Whether a sentence ends after it.
    pub closes: bool,
}

pub(super) fn split_words(question: &str) -> Vec<Word> {
    let is_inner = |c: char| c.is_alphanumeric() || matches!(c, '_' | '\'' | '’');
    let mut words: Vec<Word> = Vec::new();
    let mut rest = question;
    while let Some(start) = rest.find(is_inner) {
        let (gap, from) = rest.split_at(start);
        if let Some(last) = words.last_mut() {
            last.ends = gap.contains(['.', '?', '!', ';', ':', '\n']);
            last.closes = is_closing(gap);
        }
        let end = from.find(|c| !is_inner(c)).unwrap_or(from.len());
        let (word, after) = from.split_at(end);
        let lower = word.to_lowercase().replace('’', "'");
        let owner = lower.ends_with("'s") || lower.ends_with("s'");
        let bare = lower.trim_end_matches("'s").trim_matches('\'');
        words.push(Word { stem: stem_word(bare), owner, ends: false, closes: false });
        rest = after;
    }
    words
}

/// Whether a sentence ends in what is between two words.
pub(super) fn is_closing(gap: &str) -> bool {
    let mut marks = gap.chars().peekable();
    std::iter::from_fn(|| marks.next().map(|mark| (mark, marks.peek().copied())))
        .any(|(mark, next)| matches!(mark, '.' | '?' | '!') && next.is_some_and(char::is_whitespace))
}

/// The sentences of a question.
pub(super) fn split_sentences(question: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    for (at, mark) in question.char_indices() {
        let end = at + mark.len_utf8();
        let next = question.get(end..).and_then(|rest| rest.chars().next());
        if matches!(mark, '.' | '?' | '!') && next.is_none_or(char::is_whitespace) {
            found.extend(question.get(start..end));
            start = end;
        }
    }
    found.extend(question.get(start..));
    found
}

/// The word without its plural.
pub(super) fn stem_word(word: &str) -> String {
    if word == "people" {
        return "person".to_owned();
    }
    if let Some(root) = word.strip_suffix("ies").filter(|root| root.len() > 1) {
        return format!("{root}y");
    }
    let sibilant = ["sses", "xes", "ches", "shes", "zes"].iter().any(|end| word.ends_with(end));
    match word.strip_suffix(if sibilant { "es" } else { "s" }) {
        Some(root) if !root.is_empty() && !root.ends_with(['s', 'u']) => root.to_owned(),
        _ => word.to_owned(),
    }
}

/// The stem of the last word in the name of a table.
pub(super) fn stem_name(name: &str) -> String {
    let lower = name.to_lowercase();
    stem_word(lower.rsplit('_').find(|part| !part.is_empty()).unwrap_or(&lower))
}

pub(super) fn has_any(question: &str, words: &str) -> bool {
    let spaced = |text: &str| {
        let parts = text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '/')));
        parts.filter(|part| !part.is_empty()).map(str::to_lowercase).collect::<Vec<_>>().join(" ")
    };
    let question = format!(" {} ", spaced(question));
    words.split(", ").any(|word| question.contains(&format!(" {} ", spaced(word))))
}

/// The places after each of these cues.
pub(super) fn find_cues(words: &[Word], cues: &[&str]) -> Vec<usize> {
    let is_at = |at: usize, cue: &str| {
        let mut length = 0;
        let met = cue.split(' ').enumerate().all(|(offset, part)| {
            length = offset + 1;
            words.get(at + offset).is_some_and(|word| word.stem == part || word.stem == stem_word(part))
        });
        met.then_some(at + length)
    };
    (0..words.len()).filter_map(|at| cues.iter().find_map(|cue| is_at(at, cue))).collect()
}

/// The words after a place until the end of the sentence.
pub(super) fn iter_near(words: &[Word], from: usize) -> impl Iterator<Item = (usize, &Word)> {
    let mut open = true;
    words.iter().enumerate().skip(from).take(NEAR).take_while(move |(_, word)| {
        let here = open;
        open &= !word.ends;
        here
    })
}

/// Whether a word of a question is one of these.
pub(super) fn is_one_of(word: &Word, words: &[&str]) -> bool {
    words.iter().any(|known| word.stem == stem_word(known))
}
