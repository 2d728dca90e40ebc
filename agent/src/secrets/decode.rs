//! Texts without their escapes, and the bytes in hexadecimal digits and base64, each with the way back to where they were.

use std::ops::Range;

/// Called for each decoded piece: with its bytes, and with a function that returns where a range of them was before.
pub type Found<'f> = dyn FnMut(&[u8], &dyn Fn(&Range<usize>) -> Range<usize>) + 'f;

/// How characters are escaped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// JSON, JavaScript, Python: `\u0041`, `\"`.
    Backslash,
    /// Addresses: `%41`.
    Percent,
    /// HTML and XML: `&#65;`.
    Entity,
    /// Texts of two or four bytes a character.
    Nul,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 4] = [Kind::Backslash, Kind::Percent, Kind::Entity, Kind::Nul];
}

/// What is looked for among decoded bytes.
#[derive(Clone, Copy, Debug)]
pub struct Lengths {
    /// The fewest bytes.
    pub least: usize,
    /// The most bytes.
    pub most: usize,
}

/// The number of digits that are decoded at once.
const AT_ONCE: usize = 1 << 16;

/// The escapes that were removed from a text.
pub struct Escapes(Vec<Escape>);

/// One of them: what it became, and where it was.
struct Escape {
    became: Range<usize>,
    was: Range<usize>,
}

impl Escapes {
    /// The text without its escapes of a kind; `None` if it has none.
    pub fn removed(text: &[u8], kind: Kind) -> Option<(Vec<u8>, Escapes)> {
        let mut escapes = Vec::new();
        let mut out: Vec<u8> = Vec::new();
        let (mut at, mut copied) = (0, 0);
        while let Some(byte) = text.get(at) {
            let rest = text.get(at..).unwrap_or_default();
            let read = match (kind, byte) {
                (Kind::Backslash, b'\\') => backslash(rest),
                (Kind::Percent, b'%') => percent(rest),
                (Kind::Entity, b'&') => entity(rest),
                (Kind::Nul, 0) => Some((Vec::new(), 1)),
                _ => None,
            };
            let Some((bytes, length)) = read else {
                at += 1;
                continue;
            };
            out.extend_from_slice(text.get(copied..at).unwrap_or_default());
            let start = out.len();
            out.extend(bytes);
            escapes.push(Escape { became: start..out.len(), was: at..at + length });
            at += length;
            copied = at;
        }
        out.extend_from_slice(text.get(copied..).unwrap_or_default());
        (!escapes.is_empty()).then_some((out, Escapes(escapes)))
    }

    /// Where a range was before.
    pub fn before(&self, range: &Range<usize>) -> Range<usize> {
        let last = |at: usize| {
            let next = self.0.partition_point(|escape| escape.became.start <= at);
            next.checked_sub(1).and_then(|last| self.0.get(last))
        };
        let start = match last(range.start) {
            Some(escape) if range.start < escape.became.end => escape.was.start,
            Some(escape) => escape.was.end + (range.start - escape.became.end),
            None => range.start,
        };
        let end = range.end.saturating_sub(1);
        let end = match last(end) {
            Some(escape) if end < escape.became.end => escape.was.end,
            Some(escape) => escape.was.end + (end - escape.became.end) + 1,
            None => range.end,
        };
        start..end
    }
}

/// An escape of JSON, JavaScript, or Python: its bytes, and how long it is.
fn backslash(text: &[u8]) -> Option<(Vec<u8>, usize)> {
    let plain = |byte: u8| Some((vec![byte], 2));
    match *text.get(1)? {
        b'u' => {
            let first = digits(text.get(2..6), 16)?;
            let low = || {
                text.get(6..8).filter(|next| *next == b"\\u")?;
                digits(text.get(8..12), 16).filter(|low| (0xdc00..0xe000).contains(low))
            };
            if (0xd800..0xdc00).contains(&first)
                && let Some(low) = low()
            {
                return Some((utf8(0x1_0000 + (first - 0xd800) * 0x400 + (low - 0xdc00))?, 12));
            }
            Some((utf8(first)?, 6))
        }
        b'x' => Some((vec![u8::try_from(digits(text.get(2..4), 16)?).ok()?], 4)),
        b'n' => plain(b'\n'),
        b'r' => plain(b'\r'),
        b't' => plain(b'\t'),
        b'b' => plain(8),
        b'f' => plain(12),
        byte @ (b'"' | b'\'' | b'\\' | b'/') => plain(byte),
        _ => None,
    }
}

/// A byte of an address.
fn percent(text: &[u8]) -> Option<(Vec<u8>, usize)> {
    Some((vec![u8::try_from(digits(text.get(1..3), 16)?).ok()?], 3))
}

/// A character reference of HTML and XML.
fn entity(text: &[u8]) -> Option<(Vec<u8>, usize)> {
    let end = text.iter().take(12).position(|byte| *byte == b';')?;
    let name = text.get(1..end)?;
    let code = match name {
        b"amp" => u32::from(b'&'),
        b"lt" => u32::from(b'<'),
        b"gt" => u32::from(b'>'),
        b"quot" => u32::from(b'"'),
        b"apos" => u32::from(b'\''),
        [b'#', b'x' | b'X', ..] => digits(name.get(2..), 16)?,
        [b'#', ..] => digits(name.get(1..), 10)?,
        _ => return None,
    };
    Some((utf8(code)?, end + 1))
}

fn digits(text: Option<&[u8]>, radix: u32) -> Option<u32> {
    let text = std::str::from_utf8(text?).ok()?;
    // A sign is not a digit.
    text.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u32::from_str_radix(text, radix).ok()).flatten()
}

fn utf8(code: u32) -> Option<Vec<u8>> {
    char::from_u32(code).map(|c| c.to_string().into_bytes())
}

/// Bytes in hexadecimal digits, with or without one separator between two bytes. A piece may begin with a digit that is not part of it.
pub fn hexadecimal(text: &[u8], lengths: Lengths, found: &mut Found) {
    let value = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let separator = |byte: u8| matches!(byte, b' ' | b':' | b'-' | b',');
    pieces(text, (2 * lengths.least, 2 * lengths.most), value, separator, |digits| {
        for from in 0..2 {
            let of = digits.get(from..).unwrap_or_default();
            let bytes: Vec<u8> =
                of.chunks_exact(2).map(|two| two.iter().fold(0, |sum, (digit, _)| sum << 4 | digit)).collect();
            found(&bytes, &|range| between(of, 2 * range.start, 2 * range.end - 1));
        }
    });
}

/// Bytes in base64 of either alphabet, also in several lines. A piece may begin and end with letters that are not part of it.
pub fn base64(text: &[u8], lengths: Lengths, found: &mut Found) {
    let value = |byte: u8| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    };
    let separator = |byte: u8| matches!(byte, b'\n' | b'\r');
    pieces(text, ((8 * lengths.least).div_ceil(6), 2 * lengths.most), value, separator, |letters| {
        // Letters have six bits: bytes begin at one of four places of the first byte.
        for from in [0_usize, 2, 4, 6] {
            let count = (6 * letters.len()).saturating_sub(from) / 8;
            let bits = |letter: usize| letters.get(letter).map_or(0, |(bits, _)| u32::from(*bits));
            let byte = |number: usize| {
                let bit = from + 8 * number;
                let word = bits(bit / 6) << 12 | bits(bit / 6 + 1) << 6 | bits(bit / 6 + 2);
                // Eighteen bits, of which those before the byte and after it go.
                (word >> (10 - bit % 6)) as u8
            };
            let bytes: Vec<u8> = (0..count).map(byte).collect();
            found(&bytes, &|range| between(letters, (from + 8 * range.start) / 6, (from + 8 * range.end - 1) / 6));
        }
    });
}

/// Where the digits of these numbers are, first and last.
fn between(digits: &[(u8, usize)], first: usize, last: usize) -> Range<usize> {
    let place = |number: usize| digits.get(number).map_or(0, |(_, place)| *place);
    place(first)..place(last) + 1
}

/// Calls `then` for each piece of a text that has at least `least` digits: their values, and where they are. Separators between digits do not end a piece. A
/// long piece comes in parts, which share as many digits as what is looked for can have.
fn pieces(
    text: &[u8],
    (least, most): (usize, usize),
    value: impl Fn(u8) -> Option<u8>,
    separator: impl Fn(u8) -> bool,
    mut then: impl FnMut(&[(u8, usize)]),
) {
    let mut digits: Vec<(u8, usize)> = Vec::new();
    let mut gap = 0;
    for (place, byte) in text.iter().enumerate() {
        match value(*byte) {
            Some(value) => {
                digits.push((value, place));
                gap = 0;
                if digits.len() >= AT_ONCE + 2 * most {
                    then(&digits);
                    digits.drain(..AT_ONCE + most - 4);
                }
            }
            // Two: a carriage return and a line feed.
            None if !digits.is_empty() && gap < 2 && separator(*byte) => gap += 1,
            None => {
                if digits.len() >= least {
                    then(&digits);
                }
                digits.clear();
                gap = 0;
            }
        }
    }
    if digits.len() >= least {
        then(&digits);
    }
}
