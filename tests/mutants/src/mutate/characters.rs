//! Changes of single characters: letters, digits, texts, line ends, and characters that are unexpected in a source.

use super::fragments::{FRAGMENTS, STRANGE};
use super::pieces::pick_token;
use super::{Change, Draw};
use crate::corpus::{Piece, Source};
use crate::scan::Kind;

fn new_change(start: usize, end: usize, text: impl Into<String>) -> Option<Change> {
    Some(Change { start, end, text: text.into() })
}

fn find_boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn pick_of_kind<'s>(draw: &mut Draw, source: &'s Source, kinds: &[Kind]) -> Option<&'s Piece> {
    (0..12).find_map(|_| pick_token(draw, source).filter(|piece| kinds.contains(&piece.kind)))
}

pub(super) fn misspell_word(draw: &mut Draw, source: &Source, _: &[Source]) -> Option<Change> {
    let piece = pick_of_kind(draw, source, &[Kind::Word])?;
    let letters: Vec<char> = source.text_of(*piece).chars().collect();
    let place = draw.draw_below(letters.len());
    let mut word = letters.clone();
    match draw.draw_below(5) {
        0 => {
            word.remove(place);
        }
        1 => word.insert(place, letters[place]),
        2 if place + 1 < letters.len() => word.swap(place, place + 1),
        3 => word[place] = char::from(b'a' + draw.draw_below(26) as u8),
        _ => {
            word[place] = if letters[place].is_lowercase() {
                letters[place].to_ascii_uppercase()
            } else {
                letters[place].to_ascii_lowercase()
            }
        }
    }
    new_change(piece.start, piece.end, word.into_iter().collect::<String>())
}

const NUMBERS: &[&str] = &[
    "0",
    "1",
    "-1",
    "00",
    "1_",
    "1__0",
    "9223372036854775807",
    "9223372036854775808",
    "99999999999999999999",
    "0.0",
    "1.",
    ".5",
    "1.5",
    "0.123456789012345678",
    "1.5e3",
    "1e9",
    "1E-5",
    "1e400",
    "1e",
    "0x1F",
    "1,000",
    "100%",
    "2024-01-31",
    "2024-13-01",
    "2024-01-31T10:00",
    "3 days",
];

pub(super) fn replace_number(draw: &mut Draw, source: &Source, _: &[Source]) -> Option<Change> {
    let piece = pick_of_kind(draw, source, &[Kind::Number])?;
    new_change(piece.start, piece.end, *draw.pick_from(NUMBERS)?)
}

pub(super) fn change_string(draw: &mut Draw, source: &Source, _: &[Source]) -> Option<Change> {
    let piece = pick_of_kind(draw, source, &[Kind::Text])?;
    let inside = piece.start + 1..piece.end.saturating_sub(1).max(piece.start + 1);
    let place = find_boundary(&source.text, inside.start + draw.draw_below(inside.len() + 1));
    match draw.draw_below(5) {
        0 => new_change(piece.start, piece.end, "\"\""),
        1 => new_change(piece.end.saturating_sub(1).max(piece.start), piece.end, ""),
        2 => new_change(place, place, *draw.pick_from(STRANGE)?),
        _ => new_change(
            place,
            place,
            *draw.pick_from(&[
                "<<", ">>", "é>>", "<<n>>", "\\n", "\\q", "\\u{41}", "\\", "\n", "'", "\\<<", "{n}", "<n>",
            ])?,
        ),
    }
}

/// Appends digits and letters directly to a token, mainly to numbers and dates.
pub(super) fn append_to_token(draw: &mut Draw, source: &Source, _: &[Source]) -> Option<Change> {
    let piece = pick_of_kind(draw, source, &[Kind::Number]).or_else(|| pick_token(draw, source))?;
    let glued = *draw.pick_from(&[
        "1",
        "01",
        "a",
        "_",
        "é",
        "2023-01-01",
        "T",
        "T10:00",
        ".5",
        "e5",
        "-01",
        "x1",
        "%",
        "٣",
        "..",
        "-",
        "\u{a0}",
    ])?;
    if draw.is_one_in(4) {
        new_change(piece.start, piece.start, glued)
    } else {
        new_change(piece.end, piece.end, glued)
    }
}

pub(super) fn insert_strange(draw: &mut Draw, source: &Source, _: &[Source]) -> Option<Change> {
    let piece =
        pick_of_kind(draw, source, &[Kind::Sign, Kind::Bracket, Kind::Quote]).or_else(|| pick_token(draw, source))?;
    let place = if draw.is_one_in(2) { piece.start } else { piece.end };
    new_change(place, place, *draw.pick_from(STRANGE)?)
}

pub(super) fn insert_comment(draw: &mut Draw, source: &Source, _: &[Source]) -> Option<Change> {
    let ends: Vec<usize> = source.text.match_indices('\n').map(|(at, _)| at).collect();
    let end = *draw.pick_from(&ends)?;
    let (mark, before) = (*draw.pick_from(&[" #", " # a", "\n## d", "\n###", "\n# own"])?, draw.is_one_in(3));
    let strange = *draw.pick_from(STRANGE)?;
    new_change(end, end, if before { format!("{mark}{strange} b") } else { format!("{mark}{strange}") })
}

pub(super) fn insert_fragment(draw: &mut Draw, source: &Source, _: &[Source]) -> Option<Change> {
    let start = find_boundary(&source.text, draw.draw_below(source.text.len() + 1));
    let end = find_boundary(&source.text, (start + draw.draw_below(6)).min(source.text.len())).max(start);
    new_change(start, end, *draw.pick_from(FRAGMENTS)?)
}

pub(super) fn truncate_source(draw: &mut Draw, source: &Source, _: &[Source]) -> Option<Change> {
    let start = find_boundary(&source.text, draw.draw_below(source.text.len() + 1));
    if draw.is_one_in(4) { new_change(0, start, "") } else { new_change(start, source.text.len(), "") }
}

/// Replaces all or some line ends by those of other systems, and inserts byte order marks.
pub(super) fn change_line_ends(draw: &mut Draw, source: &Source, _: &[Source]) -> Option<Change> {
    let end = *draw.pick_from(&["\r\n", "\r\r\n", "\r", "\n\r", "\r\r\r\n", "\u{2028}", "\u{85}"])?;
    match draw.draw_below(4) {
        0 => new_change(0, 0, *draw.pick_from(&["\u{feff}", "\u{feff}\u{feff}", "\r\n", "\u{fffe}"])?),
        1 => new_change(0, source.text.len(), source.text.replace("\r\n", "\n").replace('\n', end)),
        _ => {
            let ends: Vec<usize> = source.text.match_indices('\n').map(|(at, _)| at).collect();
            let place = *draw.pick_from(&ends)?;
            new_change(place, place + 1, end)
        }
    }
}
