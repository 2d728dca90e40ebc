//! Memory that all queries of the process share: one that needs much waits until there is room, and then takes as long as it takes. What it is allowed is up
//! to its own bounds, so that no query ends otherwise because of others.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

const MIB: u64 = 1 << 20;

/// Bytes for queries that need much. One that needs more than all of it runs while no other such query does.
const SHARED: u64 = 256 * MIB;

/// Bytes that queries which need little may hold together, and each of them at most and at least, before it asks for a share.
const LITTLE: u64 = 64 * MIB;
const MAX_FREE: u64 = 8 * MIB;
const MIN_FREE: u64 = MIB / 16;

/// How often one that waits looks whether it shall go on waiting.
const PAUSE: Duration = Duration::from_millis(20);

/// Bytes that are lent.
static LENT: Mutex<u64> = Mutex::new(0);
static ROOM: Condvar = Condvar::new();

/// Queries that run.
static RUNNING: AtomicU64 = AtomicU64::new(0);

/// Notes that a query begins; how many bytes it may hold before it asks for a share.
pub fn begin_query() -> u64 {
    let running = RUNNING.fetch_add(1, Ordering::Relaxed) + 1;
    (LITTLE / running).clamp(MIN_FREE, MAX_FREE)
}

/// Notes that a query ended, and takes back what it was lent.
pub fn end_query(lent: u64) {
    RUNNING.fetch_sub(1, Ordering::Relaxed);
    if lent > 0 {
        let mut all = LENT.lock().unwrap_or_else(PoisonError::into_inner);
        *all = all.saturating_sub(lent);
        ROOM.notify_all();
    }
}

/// Lends this number of bytes as soon as there is room; `false`: `gives_up` returned true before that. A query asks
/// once, for all that it may take, so that a query that has its share never waits for another.
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
