//! The content of files that are read: unpacked, and not of another type than they are read as.

use std::sync::Arc;

use model::file_extensions::describe_unreadable;
use model::file_extensions::find_wrong_ending;
use model::format::is_gzip;
use model::{Format, Span};
use tables::gzip::{MAX_UNPACKED, unpack};

use crate::context::Checker;
use syntax::diagnostics::{Code, Diagnostic};

/// Returns what is in a file that is read as a format: unpacked if its name ends in `.gz` and the format is text. Reports a file that cannot be
/// unpacked, or that is of another type by its name and its content, and returns `None`.
pub(crate) fn open_packed(
    cx: &mut Checker<'_>,
    format: Format,
    path: &str,
    bytes: &Arc<[u8]>,
    at: Span,
) -> Option<Arc<[u8]>> {
    if !(format.is_packable() && is_gzip(path)) {
        return is_of_format(cx, format, path, bytes, at).then(|| Arc::clone(bytes));
    }
    match unpack(bytes, MAX_UNPACKED) {
        Ok(content) => Some(content.into()),
        Err(why) => {
            let message = format!("`{path}` cannot be read: {}", why.message);
            cx.report(Diagnostic::new(Code::BAD_FIXTURE, message, at, "read from here").help(why.help));
            None
        }
    }
}

/// Reports a file that is read as text, but is of another type by its name, and is not text.
fn is_of_format(cx: &mut Checker<'_>, format: Format, path: &str, bytes: &[u8], at: Span) -> bool {
    let Some((ending, noun)) = find_wrong_ending(format, path).filter(|_| format.text) else { return true };
    if describe_unreadable(path).is_none() || std::str::from_utf8(bytes).is_ok_and(|text| !text.contains('\0')) {
        return true;
    }
    let message = format!("`{path}` is {noun} by its name and its content, but is read as {}", format.name());
    let said = Diagnostic::new(Code::BAD_CONTENT, message, at, format!("ends in `.{ending}`"));
    let help = match Format::from_path(path) {
        Some(own) => format!("read it as {}: write `{}` in place of `{}`", own.noun, own.word(), format.word()),
        None => format!("save it as {}", format.noun),
    };
    cx.report(said.help(help));
    false
}
