//! The two kinds of failure that bundles add to those of generation.

use std::io;

use crate::failure::{Failure, FailureKind};

/// The outside failed: `what` was being done ("write instances.jsonl"). Never names the folder that a bundle is built in.
pub(super) fn new_io(what: impl AsRef<str>, error: &io::Error) -> Failure {
    let what = what.as_ref();
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            Failure::new(FailureKind::Io, format!("cannot {what}: the disk is full"))
                .help("the incomplete output was removed; free some space, or choose another place for the output")
        }
        _ => Failure::new(FailureKind::Io, format!("cannot {what}: {error}")),
    }
}

/// The caller asked for something that cannot be done.
pub(super) fn new_usage(message: impl Into<String>) -> Failure {
    Failure::new(FailureKind::Usage, message)
}

/// The user, or the system, asked the process to end.
pub(super) fn new_interrupted() -> Failure {
    Failure::new(FailureKind::Io, "interrupted").help("the incomplete output was removed")
}
