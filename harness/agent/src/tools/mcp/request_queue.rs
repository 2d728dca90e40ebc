//! Queues requests for the thread that processes them. Another thread reads, so a ping can be answered and a request cancelled meanwhile.

use std::collections::VecDeque;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use serde_json::{Map, Value as Json};

/// The maximum size of the waiting requests, in bytes. If it is reached, nothing is read until one of them is processed.
const MAX_WAITING: usize = 64 << 20;

/// Whether the client has cancelled a request. Long work checks it.
#[derive(Clone, Debug, Default)]
pub struct Cancelled(Arc<AtomicBool>);

impl Cancelled {
    /// Whether the result is not needed any more.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A request that needs an answer.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) id: Json,
    pub(super) method: String,
    pub(super) params: Map<String, Json>,
    pub(super) cancelled: Cancelled,
    /// The length of its line, in bytes.
    pub(super) size: usize,
}

/// The queue between the two threads.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    requests: VecDeque<Request>,
    bytes: usize,
    /// The request that is being processed.
    at_work: Option<(Json, Cancelled)>,
    /// How the input ended; `None` if it has not.
    ended: Option<io::Result<()>>,
    /// Whether no further request will be processed.
    is_closed: bool,
}

impl Waiting {
    fn lock_state(&self) -> MutexGuard<'_, State> {
        // The state is always consistent: no code can panic while it is locked.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a request when there is room for it. Returns whether it will be processed.
    pub(super) fn add_request(&self, request: Request) -> bool {
        let is_full = |state: &mut State| {
            !state.is_closed && !state.requests.is_empty() && state.bytes + request.size > MAX_WAITING
        };
        let mut state = self.changed.wait_while(self.lock_state(), is_full).unwrap_or_else(PoisonError::into_inner);
        if state.is_closed {
            return false;
        }
        state.bytes += request.size;
        state.requests.push_back(request);
        self.changed.notify_all();
        true
    }

    /// Waits for the next request that is not cancelled; `None` when the input has ended and no request is left.
    ///
    /// # Errors
    /// The input cannot be read.
    pub(super) fn next(&self) -> io::Result<Option<Request>> {
        let mut state = self.lock_state();
        state.at_work = None;
        loop {
            while let Some(request) = state.requests.pop_front() {
                state.bytes -= request.size;
                self.changed.notify_all();
                if !request.cancelled.is_set() {
                    state.at_work = Some((request.id.clone(), request.cancelled.clone()));
                    return Ok(Some(request));
                }
            }
            if let Some(ended) = state.ended.take() {
                return ended.map(|()| None);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Marks the requests with this id as cancelled: the one that is being processed, and those that wait.
    pub(super) fn cancel_request(&self, id: &Json) {
        let state = self.lock_state();
        let waiting = state.requests.iter().map(|request| (&request.id, &request.cancelled));
        let at_work = state.at_work.iter().map(|(id, cancelled)| (id, cancelled));
        for (_, Cancelled(mark)) in waiting.chain(at_work).filter(|(known, _)| *known == id) {
            mark.store(true, Ordering::Relaxed);
        }
    }

    /// Ends the input: no further request will be added.
    pub(super) fn end_input(&self, how: io::Result<()>) {
        self.lock_state().ended = Some(how);
        self.changed.notify_all();
    }

    /// Closes the queue: no further request will be processed.
    pub(super) fn close_queue(&self) {
        self.lock_state().is_closed = true;
        self.changed.notify_all();
    }
}
