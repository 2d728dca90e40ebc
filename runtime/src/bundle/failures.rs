//! The two kinds of failure that bundles add to those of generation: I/O (which includes interruption) and usage.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::failure::{Failure, FailureKind};

/// Builds an I/O failure. `what` is the action that failed ("write instances.jsonl"); it never names the folder in which a bundle is built.
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

/// Builds the failure for an impossible request of the caller.
pub(super) fn new_usage(message: impl Into<String>) -> Failure {
    Failure::new(FailureKind::Usage, message)
}

/// Fails if the user or the system has interrupted the work.
pub(super) fn check_cancelled(cancel: &AtomicBool) -> Result<(), Failure> {
    if cancel.load(Ordering::Relaxed) {
        return Err(Failure::new(FailureKind::Io, "interrupted").help("the incomplete output was removed"));
    }
    Ok(())
}
