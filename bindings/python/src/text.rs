//! Texts of Python, which may contain unpaired surrogates: replies of models have them, and names of files that are not UTF-8 are decoded to them.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// Decodes a text, with U+FFFD for each unpaired surrogate. Two halves next to each other form a character, as in UTF-16. Also returns whether the text
/// contained surrogates.
pub fn decode_text(text: &Bound<'_, PyString>) -> PyResult<(String, bool)> {
    if let Ok(text) = text.to_str() {
        return Ok((text.to_owned(), false));
    }
    let encoded = text.call_method1("encode", ("utf-16-le", "surrogatepass"))?;
    let bytes = encoded.cast::<PyBytes>()?.as_bytes();
    let units: Vec<u16> = bytes.as_chunks().0.iter().copied().map(u16::from_le_bytes).collect();
    Ok((String::from_utf16_lossy(&units), true))
}
