//! Rejected command lines: their error messages repeat no secret.

use ::agent::secrets::hide_secrets;
use clap::error::{ContextKind, ContextValue};

/// Returns the error with possible secrets hidden in the words that it repeats.
pub fn without_secrets(mut error: clap::Error) -> clap::Error {
    for kind in [ContextKind::InvalidValue, ContextKind::InvalidArg, ContextKind::InvalidSubcommand] {
        if let Some(ContextValue::String(text)) = error.get(kind) {
            let text = hide_secrets(text);
            error.insert(kind, ContextValue::String(text));
        }
    }
    error
}
