//! Removes escapes from texts, and decodes hexadecimal digits and base64. Each result can be mapped back to its place in the text.

use std::ops::Range;

/// Called for each decoded piece: with its bytes, and with a function that maps a range of them back to the text.
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
    /// UTF-16 and UTF-32: NUL bytes between the characters.
    Nul,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 4] = [Kind::Backslash, Kind::Percent, Kind::Entity, Kind::Nul];
}

/// The lengths of the secrets that are searched among decoded bytes.
#[derive(Clone, Copy, Debug)]
pub struct Lengths {
    /// The minimum number of bytes.
    pub least: usize,
    /// The maximum number of bytes.
    pub most: usize,
}

/// The number of digits that are decoded together.
const AT_ONCE: usize = 1 << 16;

/// The escapes that were removed from a text.
pub struct Escapes(Vec<Escape>);

/// An escape: its range in the new text, and its range in the old one.
struct Escape {
    became: Range<usize>,
    was: Range<usize>,
}

impl Escapes {
    /// Removes the escapes of one kind from a text; `None` if it has no such escape.
    pub fn remove_escapes(text: &[u8], kind: Kind) -> Option<(Vec<u8>, Escapes)> {
        let mut escapes = Vec::new();
        let mut out: Vec<u8> = Vec::new();
        let (mut at, mut copied) = (0, 0);
        while let Some(byte) = text.get(at) {
            let rest = text.get(at..).unwrap_or_default();
            let read = match (kind, byte) {
                (Kind::Backslash, b'\\') => decode_backslash(rest),
                (Kind::Percent, b'%') => decode_percent(rest),
                (Kind::Entity, b'&') => decode_entity(rest),
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

    /// Maps a range of the new text back to the old one.
    pub fn map_back(&self, range: &Range<usize>) -> Range<usize> {
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

/// Decodes an escape of JSON, JavaScript, or Python: returns its bytes and its length.
fn decode_backslash(text: &[u8]) -> Option<(Vec<u8>, usize)> {
    let plain = |byte: u8| Some((vec![byte], 2));
    match *text.get(1)? {
        b'u' => {
            let first = parse_digits(text.get(2..6), 16)?;
            let low = || {
                text.get(6..8).filter(|next| *next == b"\\u")?;
                parse_digits(text.get(8..12), 16).filter(|low| (0xdc00..0xe000).contains(low))
            };
            if (0xd800..0xdc00).contains(&first)
                && let Some(low) = low()
            {
                return Some((encode_utf8(0x1_0000 + (first - 0xd800) * 0x400 + (low - 0xdc00))?, 12));
            }
            Some((encode_utf8(first)?, 6))
        }
        b'x' => Some((vec![u8::try_from(parse_digits(text.get(2..4), 16)?).ok()?], 4)),
        b'n' => plain(b'\n'),
        b'r' => plain(b'\r'),
        b't' => plain(b'\t'),
        b'b' => plain(8),
        b'f' => plain(12),
        byte @ (b'"' | b'\'' | b'\\' | b'/') => plain(byte),
        _ => None,
    }
}

/// Decodes a percent escape: returns its byte and its length.
fn decode_percent(text: &[u8]) -> Option<(Vec<u8>, usize)> {
    Some((vec![u8::try_from(parse_digits(text.get(1..3), 16)?).ok()?], 3))
}

/// Decodes a character reference of HTML and XML: returns its bytes and its length.
fn decode_entity(text: &[u8]) -> Option<(Vec<u8>, usize)> {
    let end = text.iter().take(12).position(|byte| *byte == b';')?;
    let name = text.get(1..end)?;
    let code = match name {
        b"amp" => u32::from(b'&'),
        b"lt" => u32::from(b'<'),
        b"gt" => u32::from(b'>'),
        b"quot" => u32::from(b'"'),
        b"apos" => u32::from(b'\''),
        [b'#', b'x' | b'X', ..] => parse_digits(name.get(2..), 16)?,
        [b'#', ..] => parse_digits(name.get(1..), 10)?,
        _ => return None,
    };
    Some((encode_utf8(code)?, end + 1))
}

fn parse_digits(text: Option<&[u8]>, radix: u32) -> Option<u32> {
    let text = std::str::from_utf8(text?).ok()?;
    // A sign is not a digit.
    text.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u32::from_str_radix(text, radix).ok()).flatten()
}

fn encode_utf8(code: u32) -> Option<Vec<u8>> {
    char::from_u32(code).map(|c| c.to_string().into_bytes())
}

/// Decodes bytes in hexadecimal digits, with or without a separator between two bytes. A piece may begin with a digit that is not part of it.
pub fn decode_hexadecimal(text: &[u8], lengths: Lengths, found: &mut Found) {
    const DIGITS: Digits = Digits::new(4, b"0123456789abcdef", b"          ABCDEF", b" :-,");
    DIGITS.find_pieces(text, lengths, [0, 4], found);
}

/// Decodes bytes in base64 of either alphabet, also in several lines. A piece may begin and end with letters that are not part of it.
pub fn decode_base64(text: &[u8], lengths: Lengths, found: &mut Found) {
    const STANDARD: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const URL: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const LETTERS: Digits = Digits::new(6, STANDARD, URL, b"\n\r");
    // A letter has six bits, so the first byte can begin at one of four bits.
    LETTERS.find_pieces(text, lengths, [0, 2, 4, 6], found);
}

/// An alphabet of digits for bytes.
struct Digits {
    /// The bits of a digit.
    bits: usize,
    /// The value of each character, or [`Digits::SEPARATOR`], or [`Digits::OTHER`].
    values: [u8; 256],
}

impl Digits {
    const SEPARATOR: u8 = 254;
    const OTHER: u8 = 255;

    /// Creates an alphabet: its characters in the order of their values, in two forms, and the separators between them. A space in a form has no value.
    const fn new(bits: usize, one: &[u8], other: &[u8], separators: &[u8]) -> Digits {
        let mut values = [Digits::OTHER; 256];
        let mut at = 0;
        while at < one.len() {
            values[other[at] as usize] = at as u8;
            values[one[at] as usize] = at as u8;
            at += 1;
        }
        values[b' ' as usize] = Digits::OTHER;
        let mut at = 0;
        while at < separators.len() {
            values[separators[at] as usize] = Digits::SEPARATOR;
            at += 1;
        }
        Digits { bits, values }
    }

    fn lookup_value(&self, character: u8) -> u8 {
        self.values.get(usize::from(character)).copied().unwrap_or(Digits::OTHER)
    }

    /// Calls `found` with the bytes of each piece that is long enough for a secret, decoded from each bit of `from` on.
    fn find_pieces<const N: usize>(&self, text: &[u8], lengths: Lengths, from: [usize; N], found: &mut Found) {
        let least = (8 * lengths.least).div_ceil(self.bits);
        let mut decoded = Vec::new();
        let mut then = |digits: &[(u8, usize)]| {
            for from in from {
                self.decode_digits(digits, from, &mut decoded);
                found(&decoded, &|range| {
                    let place = |bit: usize| digits.get(bit / self.bits).map_or(0, |(_, place)| *place);
                    place(from + 8 * range.start)..place(from + 8 * range.end - 1) + 1
                });
            }
        };
        let mut at = 0;
        while at < text.len() {
            let (end, count) = self.measure_piece(text, at);
            if count >= least {
                self.split_piece(text, at..end, 2 * lengths.most, &mut then);
            }
            at = end + 1;
        }
    }

    /// Returns the end of the piece that begins at `at`, and its number of digits. Up to two separators between digits do not end it: a carriage return and a
    /// line feed.
    fn measure_piece(&self, text: &[u8], at: usize) -> (usize, usize) {
        let (mut end, mut count, mut gap) = (at, 0, 0);
        for character in text.get(at..).unwrap_or_default() {
            match self.lookup_value(*character) {
                Digits::SEPARATOR if count > 0 && gap < 2 => gap += 1,
                Digits::SEPARATOR | Digits::OTHER => break,
                _ => (count, gap) = (count + 1, 0),
            }
            end += 1;
        }
        (end, count)
    }

    /// Calls `then` with the digits of a piece and their places. A long piece is split into parts that overlap by the longest secret.
    fn split_piece(&self, text: &[u8], piece: Range<usize>, shared: usize, mut then: impl FnMut(&[(u8, usize)])) {
        let mut digits: Vec<(u8, usize)> = Vec::new();
        for (place, character) in text.iter().enumerate().take(piece.end).skip(piece.start) {
            let value = self.lookup_value(*character);
            if value == Digits::SEPARATOR {
                continue;
            }
            digits.push((value, place));
            if digits.len() >= AT_ONCE + 2 * shared {
                then(&digits);
                digits.drain(..AT_ONCE + shared);
            }
        }
        then(&digits);
    }

    /// Decodes digits to bytes, without the first `from` bits.
    fn decode_digits(&self, digits: &[(u8, usize)], from: usize, out: &mut Vec<u8>) {
        out.clear();
        let (mut word, mut bits) = (0_u32, 0);
        for (value, _) in digits {
            word = word << self.bits | u32::from(*value);
            bits += self.bits;
            if bits >= 8 + from {
                out.push((word >> (bits - 8 - from)) as u8);
                bits -= 8;
            }
        }
    }
}
