//! Gzip files (RFC 1952). They are written by an encoder of our own, because the same bytes must come out on every machine and with every version of
//! a library: one member without a name and a time, whose data is one block with the fixed codes of DEFLATE (RFC 1951).

use std::borrow::Cow;
use std::io::Read;

use flate2::Crc;
use flate2::read::MultiGzDecoder;
use model::Format;
use model::format::is_gzip;
use model::value::group_digits;

use crate::Unreadable;

/// The first bytes of a gzip file.
const MAGIC: &[u8] = &[0x1f, 0x8b];

/// Maximum unpacked size in bytes of a file that is read.
pub const MAX_UNPACKED: usize = 256 << 20;

/// Packs bytes as a gzip file.
///
/// ```
/// use tables::gzip::{pack, unpack};
///
/// let text = "A,B\n1,2\n".repeat(1000);
/// let packed = pack(text.as_bytes());
/// assert!(packed.len() < text.len() / 50);
/// assert_eq!(unpack(&packed, 8000).expect("gzip"), text.as_bytes());
/// assert!(unpack(&packed, 7999).is_err() && unpack(b"A,B\n", 100).is_err());
/// ```
pub fn pack(bytes: &[u8]) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    // DEFLATE; no flags, no time, no hint about the effort, an unknown system.
    out.extend_from_slice(&[8, 0, 0, 0, 0, 0, 0, 255]);
    let mut out = deflate(bytes, out);
    let mut crc = Crc::new();
    crc.update(bytes);
    out.extend_from_slice(&crc.sum().to_le_bytes());
    // The size is modulo 2³², as the format has it.
    out.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
    out
}

/// Unpacks a gzip file of one or several members.
///
/// # Errors
/// It is not a whole gzip file, or its content exceeds `most` bytes.
pub fn unpack(bytes: &[u8], most: usize) -> Result<Vec<u8>, Unreadable> {
    let refuse = || Unreadable::new("it is not a whole gzip file", "pack it again, or take `.gz` from its name");
    if !is_packed(bytes) {
        return Err(refuse());
    }
    let mut out = Vec::new();
    MultiGzDecoder::new(bytes).take(most as u64 + 1).read_to_end(&mut out).map_err(|_| refuse())?;
    if out.len() > most {
        let message = format!("it has more than {} bytes when it is unpacked", group_digits(most as u64));
        return Err(Unreadable::new(message, "cut it down, or split it into several files"));
    }
    Ok(out)
}

/// Returns the content of a file that is read as a format: unpacked if its name ends in `.gz` and the format is text.
///
/// # Errors
/// The same as for [`unpack`].
pub fn open_file<'b>(format: Format, path: &str, bytes: &'b [u8]) -> Result<Cow<'b, [u8]>, Unreadable> {
    match format.is_packable() && is_gzip(path) {
        true => unpack(bytes, MAX_UNPACKED).map(Cow::Owned),
        false => Ok(Cow::Borrowed(bytes)),
    }
}

/// Checks whether bytes begin like a gzip file. No text in UTF-8 does.
pub fn is_packed(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// The farthest distance of a repetition, a power of two.
const WINDOW: usize = 1 << 15;

/// The longest repetition.
const LONGEST: usize = 258;

/// The shortest repetition.
const SHORTEST: usize = 3;

/// Number of earlier places with the same hash that are compared.
const MAX_TRIES: usize = 32;

/// The shortest length of each code for lengths, from 257, and the number of further bits.
const LENGTHS: [(u16, u8); 29] = [
    (3, 0),
    (4, 0),
    (5, 0),
    (6, 0),
    (7, 0),
    (8, 0),
    (9, 0),
    (10, 0),
    (11, 1),
    (13, 1),
    (15, 1),
    (17, 1),
    (19, 2),
    (23, 2),
    (27, 2),
    (31, 2),
    (35, 3),
    (43, 3),
    (51, 3),
    (59, 3),
    (67, 4),
    (83, 4),
    (99, 4),
    (115, 4),
    (131, 5),
    (163, 5),
    (195, 5),
    (227, 5),
    (258, 0),
];

/// The shortest distance of each code for distances, and the number of further bits.
const DISTANCES: [(u16, u8); 30] = [
    (1, 0),
    (2, 0),
    (3, 0),
    (4, 0),
    (5, 1),
    (7, 1),
    (9, 2),
    (13, 2),
    (17, 3),
    (25, 3),
    (33, 4),
    (49, 4),
    (65, 5),
    (97, 5),
    (129, 6),
    (193, 6),
    (257, 7),
    (385, 7),
    (513, 8),
    (769, 8),
    (1025, 9),
    (1537, 9),
    (2049, 10),
    (3073, 10),
    (4097, 11),
    (6145, 11),
    (8193, 12),
    (12289, 12),
    (16385, 13),
    (24577, 13),
];

/// Appends the bytes as the only block of a DEFLATE stream.
fn deflate(bytes: &[u8], out: Vec<u8>) -> Vec<u8> {
    let mut bits = Bits { out, held: 0, count: 0 };
    // The last block, with fixed codes.
    bits.push(0b011, 3);
    let mut places = Places { last: vec![0; WINDOW], before: vec![0; WINDOW] };
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let (length, distance) = places.find_repetition(bytes, at);
        let step = if length < SHORTEST {
            bits.push_symbol(u16::from(*byte));
            1
        } else {
            bits.push_repetition(length as u16, distance as u16);
            length
        };
        (at..at + step).for_each(|at| places.record_place(bytes, at));
        at += step;
    }
    const END: u16 = 256;
    bits.push_symbol(END);
    bits.finish()
}

/// The places of what was before. Places are counted from 1; 0 is none.
struct Places {
    /// The last place of each hash.
    last: Vec<usize>,
    /// The place with the same hash before each place of the window.
    before: Vec<usize>,
}

impl Places {
    /// Notes the bytes at a place.
    fn record_place(&mut self, bytes: &[u8], at: usize) {
        let Some(hash) = hash_bytes(bytes, at) else { return };
        let Some(last) = self.last.get_mut(hash) else { return };
        if let Some(before) = self.before.get_mut(at % WINDOW) {
            *before = *last;
        }
        *last = at + 1;
    }

    /// Returns the length and the distance of the longest repetition at a place, of equal ones the nearest. A length of 0 is none.
    fn find_repetition(&self, bytes: &[u8], at: usize) -> (usize, usize) {
        let (mut length, mut distance) = (0, 0);
        let Some(hash) = hash_bytes(bytes, at) else { return (length, distance) };
        let ahead = bytes.get(at..).unwrap_or_default();
        let mut place = self.last.get(hash).copied().unwrap_or_default();
        for _ in 0..MAX_TRIES {
            let Some(start) = place.checked_sub(1).filter(|start| at - start <= WINDOW) else { break };
            let behind = bytes.get(start..).unwrap_or_default();
            let same = ahead.iter().zip(behind).take(LONGEST).take_while(|(a, b)| a == b).count();
            if same > length {
                (length, distance) = (same, at - start);
            }
            let earlier = self.before.get(start % WINDOW).copied().unwrap_or_default();
            // An entry that a later place has replaced.
            if same == LONGEST || earlier >= place {
                break;
            }
            place = earlier;
        }
        (length, distance)
    }
}

/// Hashes the three bytes at a place.
fn hash_bytes(bytes: &[u8], at: usize) -> Option<usize> {
    let [a, b, c] = *bytes.get(at..at + SHORTEST)?.first_chunk::<SHORTEST>()?;
    let word = u32::from(a) | u32::from(b) << 8 | u32::from(c) << 16;
    Some((word.wrapping_mul(0x9E37_79B1) >> 17) as usize % WINDOW)
}

/// Writes bits, the lowest first.
struct Bits {
    out: Vec<u8>,
    held: u64,
    count: u32,
}

impl Bits {
    fn push(&mut self, bits: u64, count: u32) {
        self.held |= bits << self.count;
        self.count += count;
        while self.count >= 8 {
            self.out.push(self.held as u8);
            self.held >>= 8;
            self.count -= 8;
        }
    }

    /// Writes a code, whose highest bit comes first.
    fn push_code(&mut self, code: u16, count: u32) {
        self.push(u64::from(code.reverse_bits() >> (16 - count)), count);
    }

    /// Writes a literal, the end, or the code of a length.
    fn push_symbol(&mut self, symbol: u16) {
        match symbol {
            0..=143 => self.push_code(0x30 + symbol, 8),
            144..=255 => self.push_code(0x190 + (symbol - 144), 9),
            256..=279 => self.push_code(symbol - 256, 7),
            _ => self.push_code(0xC0 + (symbol - 280), 8),
        }
    }

    fn push_repetition(&mut self, length: u16, distance: u16) {
        let (code, more, count) = split_number(&LENGTHS, length);
        self.push_symbol(257 + code);
        self.push(more, count);
        let (code, more, count) = split_number(&DISTANCES, distance);
        self.push_code(code, 5);
        self.push(more, count);
    }

    /// Ends with a whole byte.
    fn finish(mut self) -> Vec<u8> {
        if self.count > 0 {
            self.push(0, 8 - self.count);
        }
        self.out
    }
}

/// Returns the code of a number, and its further bits with their number.
fn split_number(codes: &[(u16, u8)], number: u16) -> (u16, u64, u32) {
    let code = codes.iter().rposition(|(least, _)| *least <= number).unwrap_or_default();
    let (least, count) = codes.get(code).copied().unwrap_or((number, 0));
    (code as u16, u64::from(number - least), u32::from(count))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// flate2 reads what is written; Python does in `tests/json_lines.rs`.
        #[test]
        fn what_is_packed_is_unpacked(
            parts in proptest::collection::vec((proptest::collection::vec(any::<u8>(), 0..40), 0..2000_usize), 0..20),
        ) {
            let bytes: Vec<u8> = parts.iter().flat_map(|(part, times)| part.repeat(*times)).collect();
            let packed = pack(&bytes);
            prop_assert_eq!(&unpack(&packed, bytes.len()).expect("gzip"), &bytes);
            prop_assert_eq!(pack(&bytes), packed);
        }
    }

    #[test]
    fn the_bytes_are_frozen() {
        let packed = pack(b"abcabcabc\n");
        assert_eq!(packed.first_chunk::<10>(), Some(&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]));
        assert_eq!(packed[10..packed.len() - 8], [0x4b, 0x4c, 0x4a, 0x86, 0x20, 0x2e, 0x00]);
        let far: Vec<u8> = (0..200_000_u32).flat_map(|n| (n.wrapping_mul(2_654_435_761) >> 7).to_le_bytes()).collect();
        assert_eq!(unpack(&pack(&far), far.len()).expect("gzip"), far);
        assert_eq!(unpack(&pack(b""), 0).expect("gzip"), b"");
    }

    #[test]
    fn what_is_not_whole_is_refused() {
        let packed = pack(b"A,B\n1,2\n");
        for broken in [&packed[..packed.len() - 1], b"", b"\x1f\x8b", &[&packed[..], b"x"].concat()] {
            assert_eq!(unpack(broken, 100).expect_err("broken").message, "it is not a whole gzip file");
        }
        // Several members are one file.
        assert_eq!(unpack(&[packed.clone(), packed].concat(), 100).expect("gzip"), b"A,B\n1,2\nA,B\n1,2\n");
    }
}
