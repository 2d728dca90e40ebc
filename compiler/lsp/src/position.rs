//! Positions as editors count them: lines and code units from 0, in the negotiated encoding.

use compiler::ast::Span;
use gen_lsp_types::{Position, PositionEncodingKind, Range};

/// The unit of [`Position::character`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// Bytes.
    Utf8,
    /// UTF-16 code units, which every editor supports.
    #[default]
    Utf16,
    /// Characters.
    Utf32,
}

impl Encoding {
    /// The best of the encodings that the editor offers: UTF-8 if possible, because bytes need no conversion.
    pub fn choose_from_offered(offered: &[PositionEncodingKind]) -> Encoding {
        if offered.contains(&PositionEncodingKind::UTF8) {
            Encoding::Utf8
        } else if offered.contains(&PositionEncodingKind::UTF16) || !offered.contains(&PositionEncodingKind::UTF32) {
            Encoding::Utf16
        } else {
            Encoding::Utf32
        }
    }

    /// The encoding's name in the protocol.
    pub fn to_protocol_kind(self) -> PositionEncodingKind {
        match self {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
            Encoding::Utf32 => PositionEncodingKind::UTF32,
        }
    }

    fn count_char_units(self, c: char) -> u32 {
        match self {
            Encoding::Utf8 => c.len_utf8() as u32,
            Encoding::Utf16 => c.len_utf16() as u32,
            Encoding::Utf32 => 1,
        }
    }
}

/// The byte at which each line of a text begins.
#[derive(Clone, Debug)]
pub struct Lines {
    starts: Vec<usize>,
    encoding: Encoding,
}

impl Lines {
    /// Indexes the lines of `text`; `\n`, `\r\n`, and `\r` end a line.
    pub fn new(text: &str, encoding: Encoding) -> Lines {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for (at, byte) in bytes.iter().enumerate() {
            if *byte == b'\n' || (*byte == b'\r' && bytes.get(at + 1) != Some(&b'\n')) {
                starts.push(at + 1);
            }
        }
        Lines { starts, encoding }
    }

    /// The start of a line, and its text without the line ending.
    pub fn find_line<'t>(&self, text: &'t str, line: usize) -> (usize, &'t str) {
        let start = self.starts.get(line).copied().unwrap_or(text.len());
        let end = self.starts.get(line + 1).copied().unwrap_or(text.len());
        (start, text.get(start..end).unwrap_or("").trim_end_matches(['\r', '\n']))
    }

    /// The byte at a position. A position after the end of a line is clamped to that end, one after the last line to the end of the text. Inside a character of
    /// several units, it is the character's first byte.
    pub fn find_offset(&self, text: &str, position: Position) -> usize {
        if position.line as usize >= self.starts.len() {
            return text.len();
        }
        let (start, line) = self.find_line(text, position.line as usize);
        let mut units = 0;
        for (at, c) in line.char_indices() {
            units += self.encoding.count_char_units(c);
            if units > position.character {
                return start + at;
            }
        }
        start + line.len()
    }

    /// The bytes at which a range begins and ends.
    pub fn find_offsets(&self, text: &str, range: Range) -> (usize, usize) {
        (self.find_offset(text, range.start), self.find_offset(text, range.end))
    }

    /// The position of a byte. Inside a character, it is the position of the character; after the text, the position of its end.
    pub fn find_position(&self, text: &str, offset: usize) -> Position {
        let mut offset = offset.min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.starts.partition_point(|start| *start <= offset).saturating_sub(1);
        let start = self.starts.get(line).copied().unwrap_or(0);
        let before = text.get(start..offset).unwrap_or("");
        let character = before.chars().map(|c| self.encoding.count_char_units(c)).sum();
        Position { line: line as u32, character }
    }

    /// The range of a span.
    pub fn find_range(&self, text: &str, span: Span) -> Range {
        self.find_byte_range(text, span.start as usize, span.end as usize)
    }

    /// The range of a half-open byte range.
    pub fn find_byte_range(&self, text: &str, start: usize, end: usize) -> Range {
        Range { start: self.find_position(text, start), end: self.find_position(text, end) }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_encoding_is_the_best_that_is_offered() {
        use PositionEncodingKind as K;
        assert_eq!(Encoding::choose_from_offered(&[]), Encoding::Utf16);
        assert_eq!(Encoding::choose_from_offered(&[K::UTF16, K::UTF8]), Encoding::Utf8);
        assert_eq!(Encoding::choose_from_offered(&[K::UTF32]), Encoding::Utf32);
        assert_eq!(Encoding::choose_from_offered(&[K::UTF32, K::UTF16]), Encoding::Utf16);
    }

    #[test]
    fn characters_outside_the_basic_plane_take_two_units() {
        let text = "a😀b\r\nä";
        let lines = Lines::new(text, Encoding::Utf16);
        assert_eq!(lines.find_position(text, 5), Position { line: 0, character: 3 });
        assert_eq!(lines.find_offset(text, Position { line: 0, character: 2 }), 1, "inside the pair");
        assert_eq!(lines.find_offset(text, Position { line: 0, character: 99 }), 6, "before the line's end");
        assert_eq!(lines.find_offset(text, Position { line: 1, character: 1 }), text.len());
        assert_eq!(lines.find_offset(text, Position { line: 9, character: 0 }), text.len());
    }

    fn texts() -> impl Strategy<Value = String> {
        proptest::collection::vec(
            proptest::sample::select(vec!["a", "é", "€", "😀", "\n", "\r\n", "\r", "\t", " ", "<<"]),
            0..40,
        )
        .prop_map(|parts| parts.concat())
    }

    proptest! {
        /// There and back again, for every character of every text in every encoding.
        #[test]
        fn positions_and_offsets_agree(text in texts()) {
            for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
                let lines = Lines::new(&text, encoding);
                let mut last = None;
                for offset in (0..=text.len()).filter(|at| text.is_char_boundary(*at)) {
                    // Between `\r` and `\n` there is not a position of its own.
                    if text.as_bytes().get(offset) == Some(&b'\n') && offset > 0 && text.as_bytes()[offset - 1] == b'\r' {
                        continue;
                    }
                    let position = lines.find_position(&text, offset);
                    prop_assert_eq!(lines.find_offset(&text, position), offset, "{:?} {:?}", encoding, position);
                    prop_assert!(last < Some(position));
                    last = Some(position);
                }
            }
        }

        /// No position leads outside the text or into a character.
        #[test]
        fn every_position_has_an_offset(text in texts(), line in 0u32..20, character in 0u32..40) {
            for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
                let offset = Lines::new(&text, encoding).find_offset(&text, Position { line, character });
                prop_assert!(text.is_char_boundary(offset));
            }
        }
    }
}
