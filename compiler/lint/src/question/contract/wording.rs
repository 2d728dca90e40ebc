//! A wording of a prompt that is compared with the key, and how its words are shown.

use model::Span;

use super::super::prompt_content::Telling;
use super::tokens::{Found, Kind, Text, Token};
use crate::context::TaskCx;
use hir::{Expr, ExprKind};
use names::prose::DRAWN;
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::Language;
use syntax::prompts::english::ENGLISH;

/// A wording in a language that is known.
pub(super) struct Wording<'w, 'a> {
    /// Its task.
    pub cx: &'w TaskCx<'a>,
    /// Its tokens.
    pub text: Text<'a>,
    /// Its language.
    pub language: &'static Language,
    /// Its content.
    pub telling: &'w Telling,
    /// The expressions of its texts.
    parts: &'w [&'a Expr],
    varies: bool,
}

impl<'w, 'a> Wording<'w, 'a> {
    /// Reads a wording. `None` in an unknown language.
    pub fn new(cx: &'w TaskCx<'a>, telling: &'w Telling, parts: &'w [&'a Expr]) -> Option<Wording<'w, 'a>> {
        let text = Text::new(cx.task, parts);
        let language = find_language(&text)?;
        let varies = text.can_vary(language);
        Some(Wording { cx, text, language, telling, parts, varies })
    }

    /// Whether a placeholder can contain words that matter.
    pub fn can_vary(&self) -> bool {
        self.varies
    }

    /// Whether a token is in a sentence about the reply.
    pub fn is_about_reply(&self, at: usize) -> bool {
        let Some(token) = self.text.tokens.get(at) else { return false };
        let mut sentence = self.text.tokens.iter().filter(|other| other.sentence == token.sentence);
        let begins = sentence
            .next()
            .is_some_and(|first| first.is_any(self.language.imperatives) || first.is_any(self.language.replying));
        begins || sentence.any(|other| other.is_any(self.language.replying))
    }

    /// Whether a token is in a sentence about the reply, or in a question.
    pub fn is_in_request(&self, at: usize) -> bool {
        let Some(token) = self.text.tokens.get(at) else { return false };
        let asks = |other: &Token<'_>| other.sentence == token.sentence && other.text == "?";
        self.is_about_reply(at) || self.text.tokens.iter().any(asks)
    }

    /// Whether a phrase about a line is about the reply, and not about a line of something else.
    pub fn is_line_of_reply(&self, end: usize) -> bool {
        let mut behind = self.text.tokens.iter().skip(end).take(3);
        let of = behind.next().is_some_and(|token| token.is_any(&["of", "in"]));
        !of || behind.any(|token| token.is_any(self.language.replying) || token.is_word("response"))
    }

    /// The words from one token to another as they are in the source, with their placeholders.
    pub fn quote(&self, start: usize, end: usize) -> String {
        let mut out = String::new();
        for token in self.text.tokens.iter().skip(start).take(end.saturating_sub(start)) {
            let is_time = out.ends_with(':') && token.is_any(&["mm", "ss"]);
            let glued = matches!(token.text.as_str(), "." | "," | "%" | ")" | "?" | ":" | "/")
                || is_time
                || out.ends_with(['$', '€', '£', '(', '/']);
            if !out.is_empty() && !glued {
                out.push(' ');
            }
            match token.kind {
                Kind::Placeholder(expr) => out.push_str(&format!("<<{}>>", quote_placeholder(self.cx, expr))),
                _ => out.push_str(&token.text),
            }
        }
        out
    }

    /// Builds a diagnostic about something that does not do what the wording says.
    pub fn contradict<M>(
        &self,
        code: &'static Code,
        said: &Found<M>,
        but: &str,
        (span, label): (Span, impl Into<String>),
    ) -> Diagnostic {
        let message = format!("the prompt says `{}`, but {but}", self.quote(said.start, said.end));
        Diagnostic::new(code, message, span, label).label(self.locate(said.start, said.end), "asked here")
    }

    /// The span of the words from one token to another in the source; that of the wording, if they are not found.
    pub fn locate(&self, start: usize, end: usize) -> Span {
        let quoted = self.quote(start, end);
        let found = self.parts.iter().find_map(|part| find_in_source(self.cx, part.span, &quoted));
        let words = || {
            let text = self.text.quote(start, end);
            self.parts.iter().find_map(|part| find_in_source(self.cx, part.span, text.trim()))
        };
        found.or_else(words).unwrap_or(self.telling.span)
    }
}

impl Wording<'_, '_> {
    /// The span of a part of the prompt, which is found by its first words; that of the wording, if they are not found.
    pub fn locate_text(&self, text: &str) -> Span {
        const WORDS: usize = 4;
        let words: Vec<&str> = text.split_whitespace().take_while(|word| !word.contains(DRAWN)).take(WORDS).collect();
        let found = (2..=words.len()).rev().find_map(|many| {
            let first = words.get(..many)?.join(" ");
            self.parts.iter().find_map(|part| find_in_source(self.cx, part.span, &first))
        });
        found.unwrap_or(self.telling.span)
    }
}

/// A placeholder as it is written.
fn quote_placeholder(cx: &TaskCx<'_>, expr: &Expr) -> String {
    match expr.kind {
        ExprKind::Name(id) => cx.task.names.get(id).map(|name| name.name.clone()).unwrap_or_default(),
        _ => cx.sources.quote(expr.span),
    }
}

/// Finds words in the source of a text, ignoring letter case.
fn find_in_source(cx: &TaskCx<'_>, span: Span, words: &str) -> Option<Span> {
    if words.is_empty() {
        return None;
    }
    let text = cx.sources.text(span).to_ascii_lowercase();
    let words = words.to_ascii_lowercase();
    let inner = |c: char| c.is_alphanumeric() || c == '_';
    let (at, _) = text.match_indices(&words).find(|(at, _)| {
        let before = text.get(..*at).is_some_and(|text| text.ends_with(inner));
        let after = text.get(at + words.len()..).is_some_and(|text| text.starts_with(inner));
        !before && !after
    })?;
    let start = span.start + at as u32;
    Some(Span::new(span.file, start, start + words.len() as u32))
}

/// Finds the language of a prompt.
pub(super) fn find_language(text: &Text<'_>) -> Option<&'static Language> {
    [&ENGLISH].into_iter().find(|language| text.tokens.iter().any(|token| token.is_any(language.common)))
}
