//! Halves of surrogate pairs in JSON. They are not characters, but languages whose texts are UTF-16 write them, and models reply with them.

/// JSON in which each escape of half a surrogate pair is one of U+FFFD; `None` if there is none. What is not JSON stays what it is.
pub fn replaced(json: &[u8]) -> Option<Vec<u8>> {
    let mut mended: Option<Vec<u8>> = None;
    let mut at = 0;
    while let Some(found) = json.get(at..).and_then(|rest| rest.iter().position(|byte| *byte == b'\\')) {
        let start = at + found;
        at = start + 2;
        match escaped(json, start) {
            Some(0xD800..=0xDBFF) if matches!(escaped(json, start + 6), Some(0xDC00..=0xDFFF)) => at = start + 12,
            Some(0xD800..=0xDFFF) => {
                at = start + 6;
                let digits = mended.get_or_insert_with(|| json.to_vec()).get_mut(start + 2..at);
                digits.into_iter().for_each(|digits| digits.copy_from_slice(b"fffd"));
            }
            _ => {}
        }
    }
    mended
}

/// The number of the escape `\uXXXX` at a place.
fn escaped(json: &[u8], at: usize) -> Option<u32> {
    let digits = json.get(at..at + 6)?.strip_prefix(b"\\u")?;
    let digits =
        std::str::from_utf8(digits).ok().filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))?;
    u32::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// UTF-16 as JSON escapes and as Rust reads it, with a replacement for each half.
        #[test]
        fn halves_are_replaced_and_pairs_are_not(units in proptest::collection::vec(prop_oneof![Just(0x5C_u16), Just(0x22), 0x20..0x7F_u16, 0xD7F0..0xE010_u16, any::<u16>()], 0..40)) {
            let json: String = units.iter().map(|unit| match u8::try_from(*unit) {
                Ok(b'\\') => "\\\\".to_owned(),
                Ok(byte @ (b' '..=b'!' | b'#'..=b'~')) => char::from(byte).to_string(),
                _ => format!("\\u{unit:04X}"),
            }).collect();
            let json = format!("\"{json}\"");
            let mended = replaced(json.as_bytes());
            prop_assert_eq!(mended.is_none(), serde_json::from_str::<String>(&json).is_ok());
            let read: String = serde_json::from_slice(&mended.unwrap_or(json.into_bytes())).expect("JSON");
            prop_assert_eq!(read, String::from_utf16_lossy(&units));
        }

        #[test]
        fn nothing_else_is_touched(json in proptest::collection::vec(prop_oneof![Just(b'\\'), Just(b'u'), Just(b'd'), Just(b'8'), any::<u8>()], 0..60)) {
            if let Some(mended) = replaced(&json) {
                prop_assert_eq!(mended.len(), json.len());
                prop_assert_eq!(replaced(&mended), None);
            }
        }
    }
}
