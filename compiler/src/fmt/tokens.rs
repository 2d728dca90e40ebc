//! The text as tokens and comments, with the line breaks in front of each.

use super::marks::{Marks, Text};
use crate::ast::Span;

/// A token or comment.
#[derive(Clone, Copy)]
pub(super) struct Token<'a> {
    /// As it is written.
    pub text: &'a str,
    /// Its first byte.
    pub start: u32,
    /// What it is.
    pub kind: Kind<'a>,
    /// Line breaks between the token before and this one; 2 for any more.
    pub breaks: u8,
}

/// What a token is.
#[derive(Clone, Copy)]
pub(super) enum Kind<'a> {
    /// A name, with or without backticks, or a keyword.
    Word,
    /// A number, date or moment.
    Number,
    /// A bracket, an operator, a comma.
    Sign,
    /// A string or raw text.
    Text(Text<'a>),
    /// `#`, `##`, `###`
    Comment,
}

/// Signs of more than one character, the longest first.
const SIGNS: &[&str] = &["...", "..", "->", "<<", ">>", "==", "!=", "<=", ">="];

/// Forms of a date and a moment, the longest first.
const DATES: &[&str] = &["0000-00-00T00:00:00", "0000-00-00T00:00", "0000-00-00"];

/// Every token and comment of a text that was read without a mistake.
pub(super) fn tokens<'a>(source: &'a str, marks: &Marks<'a>, comments: &[Span]) -> Vec<Token<'a>> {
    let texts = marks.texts.iter().map(|(span, text)| (*span, Kind::Text(*text)));
    let mut known: Vec<(Span, Kind<'a>)> = texts.chain(comments.iter().map(|span| (*span, Kind::Comment))).collect();
    known.sort_by_key(|(span, _)| span.start);
    let mut known = known.into_iter().peekable();
    let mut tokens: Vec<Token<'a>> = Vec::new();
    let (mut at, mut breaks) = (0, 0u8);
    while let Some(next) = source.get(at..).and_then(|rest| rest.chars().next()) {
        // What lies inside of a string was passed over with it.
        while known.next_if(|(span, _)| (span.start as usize) < at).is_some() {}
        let known = known.next_if(|(span, _)| span.start as usize == at && span.end > span.start);
        if known.is_none() && matches!(next, ' ' | '\t' | '\r' | '\n') {
            breaks = if next == '\n' { (breaks + 1).min(2) } else { breaks };
            at += 1;
            continue;
        }
        let (length, kind) = match known {
            Some((span, Kind::Text(Text::Key))) if next != '"' => (span.end - span.start, Kind::Word),
            Some((span, kind)) => (span.end - span.start, kind),
            None => {
                let (length, kind) = plain(source.get(at..).unwrap_or(""));
                (length as u32, kind)
            }
        };
        let end = at + length as usize;
        tokens.push(Token { text: source.get(at..end).unwrap_or(""), start: at as u32, kind, breaks });
        (at, breaks) = (end, 0);
    }
    tokens
}

/// The token at the start of a text: how long it is.
fn plain<'a>(text: &str) -> (usize, Kind<'a>) {
    let first = text.chars().next().unwrap_or(' ');
    let word = |text: &str| text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    if first == '`' {
        let length = text.get(1..).and_then(|rest| rest.find('`')).map_or(text.len(), |length| length + 2);
        return (length, Kind::Word);
    }
    if first.is_ascii_digit() {
        if let Some(date) = DATES.iter().find(|form| is_date(text, form)) {
            return (date.len(), Kind::Number);
        }
        let whole = word(text);
        let fraction = text.get(whole..).and_then(|rest| rest.strip_prefix('.')).unwrap_or("");
        let decimal = fraction.starts_with(|c: char| c.is_ascii_digit());
        let length = if decimal { whole + 1 + word(fraction) } else { whole };
        return (length + signed_exponent(text, length), Kind::Number);
    }
    if first.is_ascii_alphabetic() || first == '_' {
        return (word(text), Kind::Word);
    }
    let sign = SIGNS.iter().find(|sign| text.starts_with(**sign));
    (sign.map_or(first.len_utf8(), |sign| sign.len()), Kind::Sign)
}

/// How much of a number stands behind its `e`, where that has a sign: `-6` of `1e-6`.
fn signed_exponent(text: &str, length: usize) -> usize {
    let (number, rest) = (text.get(..length).unwrap_or(""), text.get(length..).unwrap_or(""));
    let digits = |rest: &str| rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let plain = |number: &str| number.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'_' | b'.'));
    match (number.strip_suffix(['e', 'E']), rest.strip_prefix(['+', '-']).map(digits)) {
        (Some(before), Some(digits @ 1..)) if plain(before) => digits + 1,
        _ => 0,
    }
}

fn is_date(text: &str, form: &str) -> bool {
    let digit = |wanted: u8, byte: u8| if wanted == b'0' { byte.is_ascii_digit() } else { byte == wanted };
    text.len() >= form.len() && form.bytes().zip(text.bytes()).all(|(wanted, byte)| digit(wanted, byte))
}
