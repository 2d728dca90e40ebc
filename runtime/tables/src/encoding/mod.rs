//! Encodings. They are strict: a missing character is a fault, never a replacement character.

mod tables;

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use memchr::memrchr2;

/// The character that may precede a text without being part of it.
pub const BYTE_ORDER_MARK: char = '\u{feff}';

/// Maximum number of characters shown before a byte.
const MAX_BEFORE: usize = 20;

model::worded! {
    /// The encoding of a file.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[allow(missing_docs)]
    pub enum Encoding {
        Utf8 = "utf-8",
        Utf16Le = "utf-16le",
        Utf16Be = "utf-16be",
        Windows1252 = "windows-1252",
        Iso8859_1 = "iso-8859-1",
        Iso8859_15 = "iso-8859-15",
    }
}

impl Encoding {
    /// Returns the encoding with this name elsewhere (`latin1`, `cp1252`), and whether the name is unambiguous.
    ///
    /// ```
    /// use tables::Encoding;
    ///
    /// assert_eq!(Encoding::from_alias("Latin-1"), Some((Encoding::Iso8859_1, true)));
    /// assert_eq!(Encoding::from_alias("cp1252"), Some((Encoding::Windows1252, true)));
    /// // A name with two meanings is only a suggestion.
    /// assert_eq!(Encoding::from_alias("ANSI").map(|(_, clear)| clear), Some(false));
    /// assert_eq!(Encoding::from_alias("koi8-r"), None);
    /// ```
    pub fn from_alias(name: &str) -> Option<(Encoding, bool)> {
        let letters = name.chars().filter(|letter| !matches!(letter, '-' | '_' | ' '));
        let name: String = letters.map(|letter| letter.to_ascii_lowercase()).collect();
        Some(match name.as_str() {
            "utf8" | "utf8sig" | "utf8bom" | "ascii" | "usascii" => (Encoding::Utf8, true),
            "utf16le" => (Encoding::Utf16Le, true),
            // The byte order mark of a file may contradict the name.
            "utf16" | "ucs2" | "unicode" => (Encoding::Utf16Le, false),
            "utf16be" => (Encoding::Utf16Be, true),
            "windows1252" | "cp1252" | "win1252" => (Encoding::Windows1252, true),
            // Windows uses this name for the usual encoding of a country.
            "ansi" => (Encoding::Windows1252, false),
            "latin1" | "iso88591" | "88591" | "l1" => (Encoding::Iso8859_1, true),
            "latin9" | "iso885915" | "885915" | "l9" => (Encoding::Iso8859_15, true),
            _ => return None,
        })
    }
}

/// The error for bytes that are not a text in an encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undecodable {
    /// Number of the line, from 1.
    pub line: u32,
    /// The first byte that does not belong to a character.
    pub byte: u8,
    /// The last characters before it on its line.
    pub before: String,
}

impl Encoding {
    /// Decodes bytes to a text, without a byte order mark.
    ///
    /// ```
    /// use tables::{Encoding, Undecodable};
    ///
    /// let latin = b"name;town\nJos\xe9;K\xf6ln";
    /// assert_eq!(Encoding::Windows1252.decode(latin).as_deref(), Ok("name;town\nJosé;Köln"));
    /// // No character is replaced: the error has the line, the byte, and what is before it.
    /// let error = Undecodable { line: 2, byte: 0xe9, before: "Jos".to_owned() };
    /// assert_eq!(Encoding::Utf8.decode(latin), Err(error));
    /// // A byte order mark is not a part of the text.
    /// assert_eq!(Encoding::Utf8.decode(b"\xef\xbb\xbfa").as_deref(), Ok("a"));
    /// ```
    ///
    /// # Errors
    /// Some bytes do not belong to a character.
    pub fn decode(self, bytes: &[u8]) -> Result<Cow<'_, str>, Undecodable> {
        match self {
            Encoding::Utf8 => match std::str::from_utf8(bytes) {
                Ok(text) => Ok(Cow::Borrowed(text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text))),
                Err(error) => {
                    let good = bytes.get(..error.valid_up_to()).unwrap_or_default();
                    let byte = bytes.get(error.valid_up_to()).copied().unwrap_or_default();
                    Err(Undecodable::new(std::str::from_utf8(good).unwrap_or_default(), byte))
                }
            },
            Encoding::Utf16Le => self.decode_utf16(bytes, u16::from_le_bytes),
            Encoding::Utf16Be => self.decode_utf16(bytes, u16::from_be_bytes),
            Encoding::Windows1252 | Encoding::Iso8859_1 | Encoding::Iso8859_15 => self.decode_single_byte(bytes),
        }
    }

    fn decode_utf16(self, bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<Cow<'_, str>, Undecodable> {
        let (pairs, rest) = bytes.as_chunks::<2>();
        let mut text = String::with_capacity(pairs.len());
        let mut at = 0;
        for read in char::decode_utf16(pairs.iter().map(|pair| unit(*pair))) {
            match read {
                Ok(BYTE_ORDER_MARK) if at == 0 => at = 1,
                Ok(char) => {
                    at += char.len_utf16();
                    text.push(char);
                }
                Err(_) => {
                    let byte = pairs.get(at).map_or(0, |pair| pair[0]);
                    return Err(Undecodable::new(&text, byte));
                }
            }
        }
        match rest.first() {
            Some(byte) => Err(Undecodable::new(&text, *byte)),
            None => Ok(Cow::Owned(text)),
        }
    }

    fn decode_single_byte(self, bytes: &[u8]) -> Result<Cow<'_, str>, Undecodable> {
        if let Ok(text) = std::str::from_utf8(bytes)
            && bytes.is_ascii()
        {
            return Ok(Cow::Borrowed(text));
        }
        let mut text = String::with_capacity(bytes.len() + bytes.len() / 8);
        // ASCII characters are encoded as themselves, and most characters are ASCII.
        let mut rest = bytes;
        loop {
            let (run, others) = rest.split_at(count_ascii(rest));
            text.push_str(std::str::from_utf8(run).unwrap_or_default());
            let Some((byte, after)) = others.split_first() else { return Ok(Cow::Owned(text)) };
            match self.decode_byte(*byte) {
                Some(char) => text.push(char),
                None => return Err(Undecodable::new(&text, *byte)),
            }
            rest = after;
        }
    }

    /// Returns the character for a byte, in a single-byte encoding.
    fn decode_byte(self, byte: u8) -> Option<char> {
        match (self, byte) {
            (Encoding::Windows1252, 0x80..=0x9f) => {
                let code = tables::WINDOWS_1252.get(usize::from(byte - 0x80)).copied().filter(|code| *code != 0)?;
                char::from_u32(u32::from(code))
            }
            (Encoding::Iso8859_15, _) => {
                let other = tables::ISO_8859_15.iter().find(|(at, _)| *at == byte);
                other.map_or(Some(char::from(byte)), |(_, code)| char::from_u32(u32::from(*code)))
            }
            _ => Some(char::from(byte)),
        }
    }

    /// Returns the byte for a character, in a single-byte encoding.
    fn encode_char(self, char: char) -> Option<u8> {
        if char.is_ascii() {
            return u8::try_from(char).ok();
        }
        // The tables reassign a few characters; all others equal their code point.
        if matches!((self, char), (Encoding::Windows1252 | Encoding::Iso8859_1, '\u{a0}'..='\u{ff}')) {
            return u8::try_from(u32::from(char)).ok();
        }
        let own = u8::try_from(u32::from(char)).ok().filter(|byte| self.decode_byte(*byte) == Some(char));
        own.or_else(|| (0x80..=0xff).find(|byte| self.decode_byte(*byte) == Some(char)))
    }

    /// Returns a character of the text that the encoding lacks.
    pub fn find_unencodable(self, text: &str) -> Option<char> {
        match self {
            Encoding::Utf8 | Encoding::Utf16Le | Encoding::Utf16Be => None,
            _ => split_ascii_runs(text).find_map(|(_, char)| char.filter(|char| self.encode_char(*char).is_none())),
        }
    }

    /// Encodes a text, without a byte order mark.
    ///
    /// ```
    /// use tables::Encoding;
    ///
    /// assert_eq!(Encoding::Windows1252.encode("3 €").as_deref(), Ok(&b"3 \x80"[..]));
    /// assert_eq!(Encoding::Iso8859_15.encode("3 €").as_deref(), Ok(&b"3 \xa4"[..]));
    /// assert_eq!(Encoding::Iso8859_1.encode("3 €"), Err('€'));
    /// ```
    ///
    /// # Errors
    /// The encoding lacks this character.
    pub fn encode(self, text: &str) -> Result<Cow<'_, [u8]>, char> {
        Ok(match self {
            Encoding::Utf8 => Cow::Borrowed(text.as_bytes()),
            Encoding::Utf16Le => Cow::Owned(text.encode_utf16().flat_map(u16::to_le_bytes).collect()),
            Encoding::Utf16Be => Cow::Owned(text.encode_utf16().flat_map(u16::to_be_bytes).collect()),
            _ if text.is_ascii() => Cow::Borrowed(text.as_bytes()),
            _ => {
                let mut bytes = Vec::with_capacity(text.len());
                for (run, char) in split_ascii_runs(text) {
                    bytes.extend_from_slice(run.as_bytes());
                    if let Some(char) = char {
                        bytes.push(self.encode_char(char).ok_or(char)?);
                    }
                }
                Cow::Owned(bytes)
            }
        })
    }

    /// Lists the encodings in which all of the bytes can be decoded, most likely first. They are for help texts, so encodings that result in NULs,
    /// control characters, or noncharacters are excluded.
    pub fn list_fitting(bytes: &[u8]) -> Vec<Encoding> {
        let marked = |mark: [u8; 2]| bytes.starts_with(&mark);
        // A byte order mark decides.
        let order: &[Encoding] = match () {
            () if marked([0xff, 0xfe]) => &[Encoding::Utf16Le],
            () if marked([0xfe, 0xff]) => &[Encoding::Utf16Be],
            () => Encoding::ALL,
        };
        let order = order.iter().copied().filter(|encoding| match encoding {
            // Almost all bytes can be decoded as UTF-16, but real UTF-16 texts contain many zero bytes.
            Encoding::Utf16Le => order.len() == 1 || has_many_zeros(bytes, 1),
            Encoding::Utf16Be => order.len() == 1 || has_many_zeros(bytes, 0),
            _ => true,
        });
        let text = |text: Cow<'_, str>| {
            !text.chars().any(|char| char.is_control() && !matches!(char, '\t' | '\n' | '\r' | '\u{c}'))
        };
        order.filter(|encoding| encoding.decode(bytes).is_ok_and(text)).collect()
    }
}

impl Encoding {
    /// Lists the encodings that fit and decode to different texts; among those with the same text, the most likely one.
    ///
    /// ```
    /// use tables::Encoding;
    ///
    /// // Valid UTF-8 is nearly always UTF-8, but these bytes are letters elsewhere too.
    /// assert_eq!(Encoding::list_distinct_fitting("é".as_bytes()).first(), Some(&Encoding::Utf8));
    /// // ASCII is the same text in all of them.
    /// assert_eq!(Encoding::list_distinct_fitting(b"a,b"), [Encoding::Utf8]);
    /// assert!(!Encoding::list_distinct_fitting(b"Jos\xe9").contains(&Encoding::Utf8));
    /// ```
    pub fn list_distinct_fitting(bytes: &[u8]) -> Vec<Encoding> {
        let mut texts: Vec<(Encoding, Cow<'_, str>)> = Vec::new();
        for encoding in Encoding::list_fitting(bytes) {
            if let Ok(text) = encoding.decode(bytes)
                && !texts.iter().any(|(_, known)| *known == text)
            {
                texts.push((encoding, text));
            }
        }
        texts.into_iter().map(|(encoding, _)| encoding).collect()
    }
}

/// Counts the ASCII bytes at the start.
fn count_ascii(bytes: &[u8]) -> usize {
    /// Number of bytes that are checked at once.
    const MANY: usize = 32;
    let whole: usize = bytes.chunks(MANY).take_while(|chunk| chunk.is_ascii()).map(<[u8]>::len).sum();
    whole + bytes.iter().skip(whole).take_while(|byte| byte.is_ascii()).count()
}

/// Splits a text into runs of ASCII, each with the non-ASCII character after it. The last run has none.
fn split_ascii_runs(text: &str) -> impl Iterator<Item = (&str, Option<char>)> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let (run, others) = rest.and_then(|text| text.split_at_checked(count_ascii(text.as_bytes())))?;
        let mut others = others.chars();
        let char = others.next();
        rest = char.map(|_| others.as_str());
        Some((run, char))
    })
}

/// Checks whether at least a quarter of the bytes at odd or at even positions are zero.
fn has_many_zeros(bytes: &[u8], first: usize) -> bool {
    let zeros = bytes.iter().skip(first).step_by(2).filter(|byte| **byte == 0).count();
    zeros > 0 && zeros * 8 >= bytes.len()
}

impl Undecodable {
    /// Builds the error for a byte after this text.
    fn new(text: &str, byte: u8) -> Undecodable {
        let last = memrchr2(b'\n', b'\r', text.as_bytes()).map_or(0, |end| end + 1);
        let line = text.get(last..).unwrap_or_default();
        let start = line.char_indices().rev().nth(MAX_BEFORE - 1).map_or(0, |(at, _)| at);
        let before = line.get(start..).unwrap_or_default().trim_start_matches(BYTE_ORDER_MARK).to_owned();
        Undecodable { line: find_line_after(text), byte, before }
    }
}

/// Returns the number of the line, from 1, in which something after the text begins.
pub(crate) fn find_line_after(text: impl AsRef<[u8]>) -> u32 {
    let bytes = text.as_ref();
    let ends = memchr::memchr2_iter(b'\n', b'\r', bytes)
        .filter(|at| bytes.get(*at) == Some(&b'\n') || bytes.get(at + 1) != Some(&b'\n'))
        .count();
    u32::try_from(ends).unwrap_or(u32::MAX).saturating_add(1)
}
