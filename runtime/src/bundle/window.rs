//! Hands work from many threads to one writer, in order: chunks are claimed in order, made on any thread, and passed to the writer in order. A maker
//! may be ahead of the writer by a limited number of chunks, and a chunk that grows large is passed in parts, so memory does not depend on the number
//! of chunks.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The ordered queue between the makers and the writer.
pub(super) struct Window<T> {
    chunks: u64,
    ahead: u64,
    state: Mutex<State<T>>,
    changed: Condvar,
}

/// The place of a part in its chunk.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Other parts follow.
    Inner,
    /// It ends its chunk.
    Last,
}

struct State<T> {
    /// The next chunk for a maker to claim.
    claim: u64,
    /// The next chunk to write.
    next: u64,
    /// The chunk that failed; the chunks after it are not written.
    stop: u64,
    /// Parts that are not written yet, by chunk.
    waiting: BTreeMap<u64, (T, Place)>,
    makers: usize,
    abandoned: bool,
}

impl<T> Window<T> {
    /// Creates the window for `chunks` chunks and `makers` makers, which may be at most `ahead` chunks ahead of the writer.
    pub fn new(chunks: u64, makers: usize, ahead: u64) -> Window<T> {
        let state = State { claim: 0, next: 0, stop: u64::MAX, waiting: BTreeMap::new(), makers, abandoned: false };
        Window { chunks, ahead, state: Mutex::new(state), changed: Condvar::new() }
    }

    fn lock_state(&self) -> MutexGuard<'_, State<T>> {
        // The state is consistent between any two statements, so a panic elsewhere does not invalidate it.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait_for_change<'a>(&self, state: MutexGuard<'a, State<T>>) -> MutexGuard<'a, State<T>> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    /// Claims the next chunk to make; returns `None` if all chunks are claimed or the rest is not needed.
    pub fn claim_chunk(&self) -> Option<u64> {
        let mut state = self.lock_state();
        let chunk = state.claim;
        if chunk >= self.chunks || chunk > state.stop || state.abandoned {
            return None;
        }
        state.claim += 1;
        Some(chunk)
    }

    /// Passes a part of a chunk to the writer, waiting for room. Returns `false` if the part is not needed any more.
    pub fn submit_part(&self, chunk: u64, part: T, place: Place) -> bool {
        let mut state = self.lock_state();
        loop {
            if chunk > state.stop || state.abandoned {
                return false;
            }
            if chunk < state.next + self.ahead && !state.waiting.contains_key(&chunk) {
                state.waiting.insert(chunk, (part, place));
                self.changed.notify_all();
                return true;
            }
            state = self.wait_for_change(state);
        }
    }

    /// Reports that a chunk failed: the chunks before it are still made, those after it are not.
    pub fn stop_after(&self, chunk: u64) {
        let mut state = self.lock_state();
        state.stop = state.stop.min(chunk);
        self.changed.notify_all();
    }

    /// Stops all makers, because the writer has ended.
    pub fn stop_all(&self) {
        let mut state = self.lock_state();
        state.abandoned = true;
        self.changed.notify_all();
    }

    /// Returns the next part in order; `None` if all parts are written or no maker is left to make it.
    pub fn take_part(&self) -> Option<T> {
        let mut state = self.lock_state();
        loop {
            let next = state.next;
            if let Some((part, place)) = state.waiting.remove(&next) {
                state.next += u64::from(place == Place::Last);
                self.changed.notify_all();
                return Some(part);
            }
            if next >= self.chunks || state.makers == 0 {
                return None;
            }
            state = self.wait_for_change(state);
        }
    }

    /// Returns a guard that each maker holds while it works; without it, the writer would wait for a maker that has ended or panicked.
    pub fn register_maker(&self) -> Maker<'_, T> {
        Maker(self)
    }
}

/// The guard of [`Window::register_maker`].
pub(super) struct Maker<'w, T>(&'w Window<T>);

impl<T> Drop for Maker<'_, T> {
    fn drop(&mut self) {
        let mut state = self.0.lock_state();
        state.makers = state.makers.saturating_sub(1);
        if std::thread::panicking() {
            state.abandoned = true;
        }
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(makers: usize, fails: Option<u64>) -> Vec<(u64, u32)> {
        let window = Window::new(100, makers, 4);
        let mut seen = Vec::new();
        std::thread::scope(|scope| {
            for _ in 0..makers {
                scope.spawn(|| {
                    let _maker = window.register_maker();
                    while let Some(chunk) = window.claim_chunk() {
                        if Some(chunk) == fails {
                            window.stop_after(chunk);
                            return;
                        }
                        for part in 0..3 {
                            if !window.submit_part(
                                chunk,
                                (chunk, part),
                                if part == 2 { Place::Last } else { Place::Inner },
                            ) {
                                return;
                            }
                        }
                    }
                });
            }
            while let Some(part) = window.take_part() {
                seen.push(part);
            }
        });
        seen
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
}
