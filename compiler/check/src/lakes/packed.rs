//! Files that are read from gzip files.

use std::sync::Arc;

use model::format::is_gzip;
use model::{Format, Span};
use tables::gzip::{MAX_UNPACKED, unpack};

use crate::context::Checker;
use syntax::diagnostics::{Code, Diagnostic};

/// Returns what is in a file that is read as a format: unpacked if its name ends in `.gz` and the format is text. Reports a file that cannot be
/// unpacked, and returns `None`.
pub(crate) fn open_packed(
    cx: &mut Checker<'_>,
    format: Format,
    path: &str,
    bytes: &Arc<[u8]>,
    at: Span,
) -> Option<Arc<[u8]>> {
    if !(format.is_packable() && is_gzip(path)) {
        return Some(Arc::clone(bytes));
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
