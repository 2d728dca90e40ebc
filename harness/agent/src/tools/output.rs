//! The length of what a tool returns.

/// The maximum length of a result, in characters.
pub const OUTPUT: usize = 32_000;

/// Cuts a result at the maximum length, and adds a note about the rest.
pub fn shorten_output(text: &str) -> String {
    match text.char_indices().nth(OUTPUT) {
        None => text.to_owned(),
        Some((end, _)) => {
            let kept = text.get(..end).unwrap_or_default();
            format!("{kept}\n[cut: {} characters more]", text.chars().count() - OUTPUT)
        }
    }
}
