//! Changes of tokens, of the contents of brackets, and of lines.

use super::{Change, Draw};
use crate::corpus::{Piece, Source};
use crate::scan::Kind;

/// Returns a random token.
pub(super) fn pick_token<'s>(draw: &mut Draw, source: &'s Source) -> Option<&'s Piece> {
    draw.pick_from(&source.tokens)
}

/// Returns a token of some file, preferably one of the same kind.
fn pick_other_token<'c>(draw: &mut Draw, corpus: &'c [Source], kind: Kind) -> Option<&'c str> {
    for _ in 0..6 {
        let source = draw.pick_from(corpus)?;
        let Some(piece) = pick_token(draw, source) else { continue };
        if piece.kind == kind || draw.is_one_in(5) {
            return Some(source.text_of(*piece));
        }
    }
    None
}

fn new_change(start: usize, end: usize, text: impl Into<String>) -> Option<Change> {
    Some(Change { start, end, text: text.into() })
}

pub(super) fn remove_token(draw: &mut Draw, source: &Source, _: &[Source]) -> Option<Change> {
    let piece = pick_token(draw, source)?;
    new_change(piece.start, piece.end, "")
}

pub(super) fn copy_token(draw: &mut Draw, source: &Source, _: &[Source]) -> Option<Change> {
    let piece = pick_token(draw, source)?;
    let blank = if draw.is_one_in(3) { "" } else { " " };
    new_change(piece.end, piece.end, format!("{blank}{}", source.text_of(*piece)))
}

pub(super) fn swap_tokens(draw: &mut Draw, source: &Source, _: &[Source]) -> Option<Change> {
    let first = draw.draw_below(source.tokens.len());
    let far = if draw.is_one_in(3) { 1 + draw.draw_below(8) } else { 1 };
    let (a, b) = (source.tokens.get(first)?, source.tokens.get(first + far)?);
    let between = &source.text[a.end..b.start];
    new_change(a.start, b.end, format!("{}{between}{}", source.text_of(*b), source.text_of(*a)))
}

pub(super) fn replace_token(draw: &mut Draw, source: &Source, corpus: &[Source]) -> Option<Change> {
    let piece = pick_token(draw, source)?;
    // Often uses a token of the same file, so that names exist.
    let text = if draw.is_one_in(2) {
        let same = pick_token(draw, source).filter(|same| same.kind == piece.kind)?;
        source.text_of(*same)
    } else {
        pick_other_token(draw, corpus, piece.kind)?
    };
    new_change(piece.start, piece.end, text)
}

pub(super) fn insert_token(draw: &mut Draw, source: &Source, corpus: &[Source]) -> Option<Change> {
    let piece = pick_token(draw, source)?;
    let text = if draw.is_one_in(2) {
        source.text_of(*pick_token(draw, source)?)
    } else {
        pick_other_token(draw, corpus, piece.kind)?
    };
    new_change(piece.start, piece.start, if draw.is_one_in(4) { text.to_owned() } else { format!("{text} ") })
}

/// Replaces a group in brackets by another one from the same file or another file, including the brackets.
pub(super) fn splice_group(draw: &mut Draw, source: &Source, corpus: &[Source]) -> Option<Change> {
    let (open, close) = *draw.pick_from(&source.groups)?;
    let (open, close) = (source.tokens.get(open)?, source.tokens.get(close)?);
    for _ in 0..8 {
        let from = if draw.is_one_in(3) { source } else { draw.pick_from(corpus)? };
        let Some((first, last)) = draw.pick_from(&from.groups).copied() else { continue };
        let (first, last) = (from.tokens.get(first)?, from.tokens.get(last)?);
        if from.text_of(*first) == source.text_of(*open) || draw.is_one_in(10) {
            return new_change(open.start, close.end, &from.text[first.start..last.end]);
        }
    }
    None
}

pub(super) fn unwrap_group(draw: &mut Draw, source: &Source, _: &[Source]) -> Option<Change> {
    let (open, close) = *draw.pick_from(&source.groups)?;
    let (open, close) = (source.tokens.get(open)?, source.tokens.get(close)?);
    new_change(open.start, close.end, &source.text[open.end..close.start])
}

const BRACKETS: [&str; 12] = ["(", ")", "[", "]", "{", "}", "<<", ">>", "\"", "\"\"\"", "'", "`"];

pub(super) fn insert_bracket(draw: &mut Draw, source: &Source, _: &[Source]) -> Option<Change> {
    let piece = pick_token(draw, source)?;
    let text = *draw.pick_from(&BRACKETS)?;
    match piece.kind {
        Kind::Bracket | Kind::Quote => new_change(piece.start, piece.end, text),
        _ if draw.is_one_in(2) => new_change(piece.start, piece.start, text),
        _ => new_change(piece.end, piece.end, text),
    }
}

/// Returns the start of a few consecutive lines, and their end, as byte offsets.
fn pick_lines(draw: &mut Draw, source: &Source) -> Option<(usize, usize)> {
    let starts: Vec<usize> = std::iter::once(0)
        .chain(source.text.match_indices('\n').map(|(at, _)| at + 1))
        .filter(|start| *start < source.text.len())
        .collect();
    let first = draw.draw_below(starts.len());
    let many = 1 + draw.draw_below(4);
    Some((*starts.get(first)?, starts.get(first + many).copied().unwrap_or(source.text.len())))
}

pub(super) fn remove_lines(draw: &mut Draw, source: &Source, _: &[Source]) -> Option<Change> {
    let (start, end) = pick_lines(draw, source)?;
    new_change(start, end, "")
}

pub(super) fn move_lines(draw: &mut Draw, source: &Source, _: &[Source]) -> Option<Change> {
    let ((a, a_end), (b, b_end)) = (pick_lines(draw, source)?, pick_lines(draw, source)?);
    let text = &source.text;
    if a_end <= b {
        // Moved after the other lines, or in their place.
        let moved = if draw.is_one_in(2) { &text[b..b_end] } else { "" };
        return new_change(a, b_end, format!("{moved}{}{}", &text[a_end..b], &text[a..a_end]));
    }
    if b_end <= a { new_change(b, a_end, format!("{}{}", &text[a..a_end], &text[b..a])) } else { None }
}

pub(super) fn take_lines(draw: &mut Draw, source: &Source, corpus: &[Source]) -> Option<Change> {
    let from = draw.pick_from(corpus)?;
    let (first, last) = pick_lines(draw, from)?;
    let (start, end) = pick_lines(draw, source)?;
    new_change(start, if draw.is_one_in(3) { end } else { start }, &from.text[first..last])
}
