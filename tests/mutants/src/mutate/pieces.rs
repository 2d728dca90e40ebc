//! Changes of tokens, of what brackets hold, and of lines.

use super::{Change, Draw};
use crate::corpus::{Piece, Source};
use crate::scan::Kind;

/// A random token.
pub(super) fn token<'s>(draw: &mut Draw, source: &'s Source) -> Option<&'s Piece> {
    draw.pick(&source.tokens)
}

/// A token of some file, preferably of the same kind.
fn other<'c>(draw: &mut Draw, corpus: &'c [Source], kind: Kind) -> Option<&'c str> {
    for _ in 0..6 {
        let source = draw.pick(corpus)?;
        let Some(piece) = token(draw, source) else { continue };
        if piece.kind == kind || draw.one_in(5) {
            return Some(source.text_of(*piece));
        }
    }
    None
}

fn change(start: usize, end: usize, text: impl Into<String>) -> Option<Change> {
    Some(Change { start, end, text: text.into() })
}

pub(super) fn delete(draw: &mut Draw, source: &Source, _: &[Source]) -> Option<Change> {
    let piece = token(draw, source)?;
    change(piece.start, piece.end, "")
}

pub(super) fn duplicate(draw: &mut Draw, source: &Source, _: &[Source]) -> Option<Change> {
    let piece = token(draw, source)?;
    let blank = if draw.one_in(3) { "" } else { " " };
    change(piece.end, piece.end, format!("{blank}{}", source.text_of(*piece)))
}

pub(super) fn swap(draw: &mut Draw, source: &Source, _: &[Source]) -> Option<Change> {
    let first = draw.below(source.tokens.len());
    let far = if draw.one_in(3) { 1 + draw.below(8) } else { 1 };
    let (a, b) = (source.tokens.get(first)?, source.tokens.get(first + far)?);
    let between = &source.text[a.end..b.start];
    change(a.start, b.end, format!("{}{between}{}", source.text_of(*b), source.text_of(*a)))
}

pub(super) fn replace(draw: &mut Draw, source: &Source, corpus: &[Source]) -> Option<Change> {
    let piece = token(draw, source)?;
    // Often by a token of the same file: names that exist.
    let text = if draw.one_in(2) {
        let same = token(draw, source).filter(|same| same.kind == piece.kind)?;
        source.text_of(*same)
    } else {
        other(draw, corpus, piece.kind)?
    };
    change(piece.start, piece.end, text)
}

pub(super) fn insert(draw: &mut Draw, source: &Source, corpus: &[Source]) -> Option<Change> {
    let piece = token(draw, source)?;
    let text = if draw.one_in(2) { source.text_of(*token(draw, source)?) } else { other(draw, corpus, piece.kind)? };
    change(piece.start, piece.start, if draw.one_in(4) { text.to_owned() } else { format!("{text} ") })
}

/// Replaces a bracketed group by one of the same file or of another, brackets included.
pub(super) fn splice(draw: &mut Draw, source: &Source, corpus: &[Source]) -> Option<Change> {
    let (open, close) = *draw.pick(&source.groups)?;
    let (open, close) = (source.tokens.get(open)?, source.tokens.get(close)?);
    for _ in 0..8 {
        let from = if draw.one_in(3) { source } else { draw.pick(corpus)? };
        let Some((first, last)) = draw.pick(&from.groups).copied() else { continue };
        let (first, last) = (from.tokens.get(first)?, from.tokens.get(last)?);
        if from.text_of(*first) == source.text_of(*open) || draw.one_in(10) {
            return change(open.start, close.end, &from.text[first.start..last.end]);
        }
    }
    None
}

pub(super) fn unwrap(draw: &mut Draw, source: &Source, _: &[Source]) -> Option<Change> {
    let (open, close) = *draw.pick(&source.groups)?;
    let (open, close) = (source.tokens.get(open)?, source.tokens.get(close)?);
    change(open.start, close.end, &source.text[open.end..close.start])
}

const BRACKETS: [&str; 12] = ["(", ")", "[", "]", "{", "}", "<<", ">>", "\"", "\"\"\"", "'", "`"];

pub(super) fn bracket(draw: &mut Draw, source: &Source, _: &[Source]) -> Option<Change> {
    let piece = token(draw, source)?;
    let text = *draw.pick(&BRACKETS)?;
    match piece.kind {
        Kind::Bracket | Kind::Quote => change(piece.start, piece.end, text),
        _ if draw.one_in(2) => change(piece.start, piece.start, text),
        _ => change(piece.end, piece.end, text),
    }
}

/// The first bytes of some lines next to each other, and the byte where the last ends.
fn lines(draw: &mut Draw, source: &Source) -> Option<(usize, usize)> {
    let starts: Vec<usize> = std::iter::once(0)
        .chain(source.text.match_indices('\n').map(|(at, _)| at + 1))
        .filter(|start| *start < source.text.len())
        .collect();
    let first = draw.below(starts.len());
    let many = 1 + draw.below(4);
    Some((*starts.get(first)?, starts.get(first + many).copied().unwrap_or(source.text.len())))
}

pub(super) fn delete_lines(draw: &mut Draw, source: &Source, _: &[Source]) -> Option<Change> {
    let (start, end) = lines(draw, source)?;
    change(start, end, "")
}

pub(super) fn move_lines(draw: &mut Draw, source: &Source, _: &[Source]) -> Option<Change> {
    let ((a, a_end), (b, b_end)) = (lines(draw, source)?, lines(draw, source)?);
    let text = &source.text;
    if a_end <= b {
        // Behind the other, or in its place.
        let moved = if draw.one_in(2) { &text[b..b_end] } else { "" };
        return change(a, b_end, format!("{moved}{}{}", &text[a_end..b], &text[a..a_end]));
    }
    if b_end <= a { change(b, a_end, format!("{}{}", &text[a..a_end], &text[b..a])) } else { None }
}

pub(super) fn take_lines(draw: &mut Draw, source: &Source, corpus: &[Source]) -> Option<Change> {
    let from = draw.pick(corpus)?;
    let (first, last) = lines(draw, from)?;
    let (start, end) = lines(draw, source)?;
    change(start, if draw.one_in(3) { end } else { start }, &from.text[first..last])
}
