//! Cancellation of work on an outdated text: one thread counts the edits that arrive, the other checks the counter.

use std::any::Any;
use std::cell::Cell;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of edits that have arrived, and the largest number at which the current work is still useful.
#[derive(Debug, Default)]
pub struct Edits {
    arrived: Arc<AtomicU64>,
    /// `None` if the work must be finished regardless of edits.
    most: Cell<Option<u64>>,
}

/// The payload of the unwinding that cancels obsolete work.
struct Superseded;

impl Edits {
    /// Uses a counter that another thread increments.
    pub fn with_counter(arrived: Arc<AtomicU64>) -> Edits {
        Edits { arrived, most: Cell::new(None) }
    }

    /// Cancels the current work once more than `most` edits have arrived; with `None`, the work is always finished.
    pub fn set_limit(&self, most: Option<u64>) {
        self.most.set(most);
    }

    /// Cancels the work silently if it is obsolete.
    pub fn stop_if_superseded(&self) {
        if self.most.get().is_some_and(|most| self.arrived.load(Ordering::Relaxed) > most) {
            // This does not run the panic hook: nothing failed, so nothing is printed.
            resume_unwind(Box::new(Superseded));
        }
    }
}

/// Whether an unwinding is the cancellation of obsolete work.
pub fn is_superseded(why: &(dyn Any + Send)) -> bool {
    why.is::<Superseded>()
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    #[test]
    fn work_ends_when_an_edit_arrives_and_only_if_it_may() {
        let arrived = Arc::new(AtomicU64::new(1));
        let edits = Edits::with_counter(Arc::clone(&arrived));
        edits.stop_if_superseded();
        edits.set_limit(Some(1));
        edits.stop_if_superseded();
        arrived.fetch_add(1, Ordering::Relaxed);
        let ended = catch_unwind(AssertUnwindSafe(|| edits.stop_if_superseded())).expect_err("it ends");
        assert!(is_superseded(ended.as_ref()));
        edits.set_limit(None);
        edits.stop_if_superseded();
    }
}
