//! The lengths of words, numbers, and dates.

/// The forms of a datetime and a date, the longest first; `0` is any digit.
const DATES: [&[u8]; 3] = [b"0000-00-00T00:00:00", b"0000-00-00T00:00", b"0000-00-00"];

/// Operators of more than one character, the longest first. Those of other languages are included, so diagnostics name them as a whole.
const OPERATORS: [&[u8]; 12] = [b"===", b"!==", b"...", b"==", b"!=", b"<=", b">=", b"<>", b"..", b"&&", b"||", b"->"];

/// The number of bytes of the word or digits at the start of a text.
pub(super) fn measure_word(text: &[u8]) -> usize {
    text.iter().position(|byte| !is_word(*byte)).unwrap_or(text.len())
}

/// Whether a byte can be part of a word.
pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The number of bytes of the blanks at the start of a text.
pub(super) fn measure_blanks(text: &[u8]) -> usize {
    text.iter().position(|byte| !matches!(byte, b' ' | b'\t' | b'\r' | b'\n')).unwrap_or(text.len())
}

/// The number of bytes of a token that begins with a digit, at the start of a text: a number, a date, or a datetime, including letters directly after it.
pub(super) fn measure_number(text: &[u8]) -> usize {
    let mut length = measure_word(text);
    if length == 4 {
        let is = |form: &&&[u8]| {
            let fits =
                |(wanted, byte): (&u8, &u8)| if *wanted == b'0' { byte.is_ascii_digit() } else { byte == wanted };
            text.len() >= form.len() && form.iter().zip(text).all(fits)
        };
        length = DATES.iter().find(is).map_or(length, |form| form.len());
    }
    if let Some([b'.', first, ..]) = text.get(length..)
        && first.is_ascii_digit()
    {
        length += 1 + measure_word(&text[length + 1..]);
    }
    length + measure_signed_exponent(text, length)
}

/// The number of bytes of an exponent with a sign: 2 for `-6` in `1e-6`.
fn measure_signed_exponent(text: &[u8], length: usize) -> usize {
    let (number, rest) = text.split_at(length);
    let before = number.strip_suffix(b"e").or(number.strip_suffix(b"E"));
    let plain = |number: &[u8]| number.iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b'_' | b'.'));
    match (before, rest) {
        (Some(before), [b'+' | b'-', digits @ ..]) if plain(before) => {
            let digits = digits.iter().take_while(|byte| byte.is_ascii_digit()).count();
            if digits > 0 { digits + 1 } else { 0 }
        }
        _ => 0,
    }
}

/// The number of bytes of the operator at the start of a text, if it has more than one character.
pub(super) fn measure_operator(text: &[u8]) -> Option<usize> {
    OPERATORS.iter().find(|operator| text.starts_with(operator)).map(|operator| operator.len())
}

/// The number of bytes up to the end of the line.
pub(super) fn measure_line(text: &[u8]) -> usize {
    text.iter().position(|byte| *byte == b'\n').unwrap_or(text.len())
}

/// The number of bytes of the quoted text at the start of a text, including the quotes; `None` if it does not close on its line.
pub(super) fn measure_quoted(text: &[u8]) -> Option<usize> {
    let (quote, rest) = text.split_first()?;
    let end = rest.iter().position(|byte| byte == quote || *byte == b'\n')?;
    (rest[end] == *quote).then_some(end + 2)
}
