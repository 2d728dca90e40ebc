//! Hands work from many threads to one writer, in order: chunks are claimed in order and made on any thread, and the writer receives their parts in
//! order. Makers may be ahead of the writer by a limited number of chunks, and a chunk that grows large is passed in parts, so memory does not depend on
//! the number of chunks.

use std::ops::Range;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The chunks that makers can still claim.
pub(super) struct Window<T>(Mutex<Claims<T>>);

struct Claims<T> {
    left: Range<u64>,
    /// Passes the parts of each claimed chunk to the writer; `None` if no more chunks are needed.
    writer: Option<SyncSender<Receiver<T>>>,
}

impl<T> Window<T> {
    /// Creates the window for `chunks` chunks, of which at most `ahead` wait for the writer, and returns the writer's end: the parts of each chunk. A
    /// writer that drops it ends the work of all makers.
    pub fn new(chunks: u64, ahead: usize) -> (Window<T>, Receiver<Receiver<T>>) {
        let (writer, parts) = sync_channel(ahead);
        (Window(Mutex::new(Claims { left: 0..chunks, writer: Some(writer) })), parts)
    }

    fn lock_claims(&self) -> MutexGuard<'_, Claims<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Claims the next chunk to make, and returns it with the way of its parts to the writer; waits for room. Returns `None` if all chunks are claimed or
    /// the rest is not needed.
    pub fn claim_chunk(&self) -> Option<(u64, SyncSender<T>)> {
        let mut claims = self.lock_claims();
        let (sender, parts) = sync_channel(1);
        let chunk =
            claims.left.next().filter(|_| claims.writer.as_ref().is_some_and(|writer| writer.send(parts).is_ok()));
        if chunk.is_none() {
            claims.writer = None;
        }
        chunk.map(|chunk| (chunk, sender))
    }

    /// Returns a guard that each maker holds while it works: if one of them panics, the others claim no more chunks.
    pub fn register_maker(&self) -> Maker<'_, T> {
        Maker(self)
    }
}

/// The guard of [`Window::register_maker`].
pub(super) struct Maker<'w, T>(&'w Window<T>);

impl<T> Drop for Maker<'_, T> {
    fn drop(&mut self) {
        self.0.lock_claims().writer = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(makers: usize, fails: Option<u64>) -> Vec<(u64, u32)> {
        let (window, chunks) = Window::new(100, 4);
        std::thread::scope(|scope| {
            for _ in 0..makers {
                scope.spawn(|| {
                    let _maker = window.register_maker();
                    while let Some((chunk, parts)) = window.claim_chunk() {
                        if Some(chunk) == fails {
                            let _ = parts.send(None);
                            return;
                        }
                        for part in 0..3 {
                            if parts.send(Some((chunk, part))).is_err() {
                                return;
                            }
                        }
                    }
                });
            }
            chunks.into_iter().flatten().map_while(|part| part).collect()
        })
    }

    #[test]
    fn parts_come_in_order() {
        let all: Vec<(u64, u32)> = (0..100).flat_map(|chunk| (0..3).map(move |part| (chunk, part))).collect();
        for makers in [1, 2, 7] {
            assert_eq!(run(makers, None), all);
        }
    }

    #[test]
    fn a_failure_ends_it_behind_all_that_comes_before() {
        for makers in [1, 3] {
            for at in [0, 1, 50, 99] {
                assert_eq!(run(makers, Some(at)).len() as u64, at * 3, "{makers} makers, failing at {at}");
            }
        }
    }

    #[test]
    fn a_panic_ends_it() {
        let (window, chunks) = Window::new(u64::MAX, 4);
        let made = std::thread::scope(|scope| {
            let work = |panics: bool| {
                let _maker = window.register_maker();
                while let Some((chunk, parts)) = window.claim_chunk() {
                    assert!(!panics, "a maker panics");
                    let _ = parts.send(chunk);
                }
            };
            let other = scope.spawn(move || work(true));
            scope.spawn(move || work(false));
            let made = chunks.into_iter().flatten().count();
            assert!(other.join().is_err());
            made
        });
        assert!((made as u64) < u64::MAX);
    }
}
