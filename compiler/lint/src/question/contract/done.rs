//! `other_form`: the prompt asks for a reply with the number only, and the key expects the reply to be a word such as `done`, or the other way round.

use model::Value;
use model::answer_key::Subject;
use model::suite::Matcher;
use syntax::prompts::english::lints::{BEFORE_THING, CASES, CONFIRMATIONS, OF_FILES, SOLE, STEPS, WHOLE_REPLY, WORD};

use super::tokens::{Found, Kind, Token};
use super::wording::Wording;
use crate::context::{Asked, report_once};
use syntax::diagnostics::{Code, Diagnostic};

/// Compares "reply with the number only" with a reply that is always the same word, and "reply with the word done" with a number.
pub(super) fn report_done<'a>(wording: &Wording<'_, 'a>, asked: &Asked<'a>, said: &mut Vec<Diagnostic>) {
    for expect in asked.expects.iter().filter(|expect| matches!(expect.subject, Subject::Reply(None))) {
        let Some(value) = expect.answer_expr().filter(|_| !expect.is_any_of()) else { continue };
        let constant = value.resolve_name(wording.cx.task).as_constant();
        let (found, is, label) = match (expect.matcher, constant) {
            (Matcher::Text, Some(Value::Text(word))) if is_plain(word) => {
                let found = find_number_only(wording).or_else(|| find_other_reply(wording, word));
                (found, format!("`{word}`"), "another reply")
            }
            (Matcher::Number, None) if expect.at.is_none() => {
                (find_asked_word(wording), "a number".to_owned(), "a number")
            }
            _ => continue,
        };
        let Some(found) = found else { continue };
        let but = format!("the expected reply is {is}");
        let new = wording.contradict(Code::OTHER_FORM, &found, &but, (value.span, label));
        let help = "ask for the form of the reply in each variant, and not in the prompt of the task";
        report_once(new.help(help), said);
    }
}

/// Whether a text consists of words.
fn is_plain(text: &str) -> bool {
    text.chars().all(|c| c.is_alphabetic() || matches!(c, ' ' | '.' | '!'))
}

/// Finds "the number only" in a sentence about the reply, and not about a file.
fn find_number_only(wording: &Wording<'_, '_>) -> Option<Found<()>> {
    let found = wording.text.find_any(wording.language.number_only)?;
    let sentence = wording.text.tokens.get(found.start)?.sentence;
    let sentence = Sentence::new(wording, sentence)?;
    (sentence.has(WHOLE_REPLY) && !sentence.is_about_file()).then_some(found)
}

/// Finds "reply with the name and nothing else" next to a sentence that asks for the word.
fn find_other_reply(wording: &Wording<'_, '_>, word: &str) -> Option<Found<()>> {
    let word = word.trim_end_matches(['.', '!']).to_lowercase();
    let names_word = |sentence: &Sentence<'_, '_>| word.split(' ').all(|part| sentence.has(&[part]));
    let sentences = list_reply_sentences(wording);
    sentences.iter().find(|sentence| names_word(sentence))?;
    let is_other = |sentence: &&Sentence<'_, '_>| {
        sentence.asks_for_thing()
            && sentence.has_phrase(wording, SOLE)
            && !names_word(sentence)
            && !sentence.has(CONFIRMATIONS)
            && !sentence.is_conditional
            && !sentence.is_about_file()
    };
    sentences.iter().find(is_other).map(Sentence::to_found)
}

/// Finds "reply with the word done", in every case.
fn find_asked_word(wording: &Wording<'_, '_>) -> Option<Found<()>> {
    let is_word = |sentence: &&Sentence<'_, '_>| sentence.has_phrase(wording, WORD) && !sentence.is_conditional;
    list_reply_sentences(wording).iter().find(is_word).map(Sentence::to_found)
}

/// The sentences, or parts of sentences, that ask for the reply.
fn list_reply_sentences<'t, 'a>(wording: &'t Wording<'_, 'a>) -> Vec<Sentence<'t, 'a>> {
    let last = wording.text.tokens.last().map_or(0, |token| token.sentence);
    let sentences = (0..=last).filter_map(|sentence| Sentence::new(wording, sentence));
    sentences.filter_map(Sentence::skip_to_reply).collect()
}

/// The tokens of a sentence, or its last ones.
struct Sentence<'t, 'a> {
    start: usize,
    tokens: &'t [Token<'a>],
    /// Whether the whole sentence is about some cases only.
    is_conditional: bool,
}

impl<'t, 'a> Sentence<'t, 'a> {
    fn new(wording: &'t Wording<'_, 'a>, sentence: usize) -> Option<Sentence<'t, 'a>> {
        let tokens = &wording.text.tokens;
        let start = tokens.iter().position(|token| token.sentence == sentence)?;
        let end = tokens.iter().rposition(|token| token.sentence == sentence)?;
        let tokens = tokens.get(start..=end)?;
        Some(Sentence { start, tokens, is_conditional: tokens.iter().any(|token| token.is_any(CASES)) })
    }

    /// Leaves out what is before "reply", which begins the sentence or a part of it: "…, and reply with".
    fn skip_to_reply(self) -> Option<Sentence<'t, 'a>> {
        let is_start = |at: usize| {
            let before = at.checked_sub(1).and_then(|before| self.tokens.get(before));
            before.is_none_or(|before| before.is_any(STEPS))
        };
        let at = self.tokens.iter().enumerate().position(|(at, token)| token.is_any(WHOLE_REPLY) && is_start(at))?;
        Some(Sentence { start: self.start + at, tokens: self.tokens.get(at..)?, ..self })
    }

    fn has(&self, words: &[&str]) -> bool {
        self.tokens.iter().any(|token| token.is_any(words))
    }

    fn has_phrase(&self, wording: &Wording<'_, '_>, phrases: &[&str]) -> bool {
        let begins = |at: usize| phrases.iter().any(|phrase| wording.text.match_phrase(at, phrase).is_some());
        (self.start..self.start + self.tokens.len()).any(begins)
    }

    fn is_about_file(&self) -> bool {
        let is_path =
            |kind: &Kind<'_>| matches!(kind, Kind::Placeholder(expr) if matches!(expr.kind, hir::ExprKind::Sandbox));
        self.tokens.iter().any(|token| token.is_any(OF_FILES) || is_path(&token.kind))
    }

    /// Whether it asks for something: "reply with the name", "answer with just its number".
    fn asks_for_thing(&self) -> bool {
        let pairs = self.tokens.iter().zip(self.tokens.iter().skip(1));
        pairs.take(3).any(|(with, next)| with.is_word("with") && next.is_any(BEFORE_THING))
    }

    fn to_found(&self) -> Found<()> {
        let is_end = self.tokens.last().is_some_and(|token| matches!(token.kind, Kind::Mark));
        let end = self.start + self.tokens.len() - usize::from(is_end);
        Found { start: self.start, end, means: () }
    }
}
