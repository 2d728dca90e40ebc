//! Texts of Python, which may have halves of surrogate pairs in them: models reply with such, and names of files that are not UTF-8 are read so.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// The text with U+FFFD for each half of a surrogate pair, and whether it has any. Two halves next to each other are the character that they are in UTF-16.
pub fn decode_text(text: &Bound<'_, PyString>) -> PyResult<(String, bool)> {
    if let Ok(text) = text.to_str() {
        return Ok((text.to_owned(), false));
    }
    let encoded = text.call_method1("encode", ("utf-16-le", "surrogatepass"))?;
    let bytes = encoded.cast::<PyBytes>()?.as_bytes();
    let units: Vec<u16> = bytes.as_chunks().0.iter().copied().map(u16::from_le_bytes).collect();
    Ok((String::from_utf16_lossy(&units), true))
}
