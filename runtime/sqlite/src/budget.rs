//! Memory shared by all queries of the process: a query that needs much waits until enough is free, and then runs to its end. The amount depends only
//! on the query's own limits, so its result never depends on other queries.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

const MIB: u64 = 1 << 20;

/// Number of bytes for queries that need much. A query that needs more than all of it runs while no other such query does.
const SHARED: u64 = 256 * MIB;

/// Number of bytes for all queries that need little together, and the maximum and minimum of each, before it requests a share.
const LITTLE: u64 = 64 * MIB;
const MAX_FREE: u64 = 8 * MIB;
const MIN_FREE: u64 = MIB / 16;

/// Interval at which a waiting query checks whether it should continue to wait.
const PAUSE: Duration = Duration::from_millis(20);

/// Number of bytes that are lent.
static LENT: Mutex<u64> = Mutex::new(0);
static ROOM: Condvar = Condvar::new();

/// Number of running queries.
static RUNNING: AtomicU64 = AtomicU64::new(0);

/// Records the start of a query; returns the number of bytes that it may use before it requests a share.
pub fn begin_query() -> u64 {
    let running = RUNNING.fetch_add(1, Ordering::Relaxed) + 1;
    (LITTLE / running).clamp(MIN_FREE, MAX_FREE)
}

/// Records the end of a query, and returns its share.
pub fn end_query(lent: u64) {
    RUNNING.fetch_sub(1, Ordering::Relaxed);
    if lent > 0 {
        let mut all = LENT.lock().unwrap_or_else(PoisonError::into_inner);
        *all = all.saturating_sub(lent);
        ROOM.notify_all();
    }
}

/// Lends this number of bytes as soon as they are free. Returns `false` if `gives_up` returns true before that. A query makes a single request for
/// its maximum, so a query with a share never waits for another one.
pub fn lend_memory(bytes: u64, gives_up: impl Fn() -> bool) -> bool {
    let mut all = LENT.lock().unwrap_or_else(PoisonError::into_inner);
    while *all > 0 && all.saturating_add(bytes) > SHARED {
        if gives_up() {
            return false;
        }
        all = ROOM.wait_timeout(all, PAUSE).unwrap_or_else(PoisonError::into_inner).0;
    }
    *all = all.saturating_add(bytes);
    true
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;

    #[test]
    fn who_needs_more_than_there_is_waits_and_may_give_up() {
        // The only test of this crate's own that lends; queries of other tests may.
        assert!(lend_memory(SHARED / 2, || false));
        assert!(!lend_memory(SHARED, || true));
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                assert!(lend_memory(2 * SHARED, || false));
                assert!(done.load(Ordering::SeqCst), "room was missing before");
                RUNNING.fetch_add(1, Ordering::Relaxed);
                end_query(2 * SHARED);
            });
            std::thread::sleep(Duration::from_millis(60));
            done.store(true, Ordering::SeqCst);
            RUNNING.fetch_add(1, Ordering::Relaxed);
            end_query(SHARED / 2);
        });
    }
}
