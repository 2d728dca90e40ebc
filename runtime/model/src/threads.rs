//! Distributes work over several threads.

use std::convert::Infallible;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Runs `work` on this number of threads at once, including the current one; if no other thread can be started, the current one does all of it.
fn run_on_threads(threads: usize, work: impl Fn() + Copy + Send) {
    if threads < 2 {
        return work();
    }
    std::thread::scope(|scope| {
        let mut others = 1..threads;
        while others.next().is_some() && std::thread::Builder::new().spawn_scoped(scope, work).is_ok() {}
        work();
    });
}

/// Computes the results of `work` for the indexes below `count`, in their order, on at most this number of threads.
///
/// ```
/// let squares = model::threads::map_on_threads(2, 5, |number| number * number);
/// assert_eq!(squares, [0, 1, 4, 9, 16]);
/// ```
pub fn map_on_threads<T: Send>(threads: usize, count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let Ok(made) = try_map_on_threads(threads, count, |at| Ok::<T, Infallible>(work(at)));
    made
}

/// Computes the results of `work` for the indexes below `count` on at most this number of threads, each of which takes the next index in order. After a
/// failure, no further index is begun, so the returned failure is the first one in the order of indexes, regardless of the number of threads.
pub fn try_map_on_threads<T: Send, E: Send>(
    threads: usize,
    count: usize,
    work: impl Fn(usize) -> Result<T, E> + Sync,
) -> Result<Vec<T>, E> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, Result<T, E>)>> = Mutex::new(Vec::with_capacity(count));
    run_on_threads(threads.min(count), || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            if at >= count {
                return;
            }
            let made = work(at);
            if made.is_err() {
                next.fetch_max(count, Ordering::Relaxed);
            }
            done.lock().unwrap_or_else(PoisonError::into_inner).push((at, made));
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_unstable_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, made)| made).collect()
}
