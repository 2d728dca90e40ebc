//! Cells in messages.

use std::borrow::Cow;

/// A cell as notes and messages quote it, long ones cut short.
pub fn quote_cell(text: &str) -> String {
    match text.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{:?}…", text.get(..end).unwrap_or(text)),
        None => format!("{text:?}"),
    }
}

/// The same without quotes.
pub fn truncate_cell(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => Cow::Owned(format!("{}…", text.get(..end).unwrap_or(text))),
        None => Cow::Borrowed(text),
    }
}

/// At most this many characters of a cell are shown.
const MAX_SHOWN: usize = 40;
