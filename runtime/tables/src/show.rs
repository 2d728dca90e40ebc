//! Cells in messages.

use std::borrow::Cow;

/// Quotes a cell for notes and messages, truncated if it is long.
pub fn quote_cell(text: &str) -> String {
    match text.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{:?}…", text.get(..end).unwrap_or(text)),
        None => format!("{text:?}"),
    }
}

/// Returns the same without quotes.
pub fn truncate_cell(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => Cow::Owned(format!("{}…", text.get(..end).unwrap_or(text))),
        None => Cow::Borrowed(text),
    }
}

/// Maximum number of characters shown of a cell.
const MAX_SHOWN: usize = 40;
