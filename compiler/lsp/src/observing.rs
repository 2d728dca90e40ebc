//! The thread that draws samples of suites while nobody edits. What they show is added to the diagnostics that were published before.
//!
//! It begins after a pause, so it never competes with somebody who types, and the next edit ends it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Weak};
use std::time::Duration;

use compiler::observe::list_observations;
use lsp_server::{Message, Notification};
use serde_json::Value;

use crate::analysis::Analysis;
use crate::state::MakeObserver;

/// The pause before samples are drawn.
const PAUSE: Duration = Duration::from_millis(200);

/// The method of the notification that the thread sends to the worker when samples showed something.
pub const OBSERVED: &str = "picardc/observed";

/// Starts and ends the drawing of samples.
pub struct Observing {
    make: Option<MakeObserver>,
    /// The number of edits that arrived.
    arrived: Arc<AtomicU64>,
    /// The queue of the worker; it is closed when the editor shuts the server down.
    queue: Weak<Sender<Message>>,
    /// The number of the last run. A run whose number differs has ended.
    run: Arc<AtomicU64>,
    /// The suites of the last run, and the number of edits before it.
    last: (Vec<Arc<Analysis>>, u64),
}

impl Observing {
    /// Creates it. Without an observer, nothing is drawn.
    pub fn new(make: Option<MakeObserver>, arrived: Arc<AtomicU64>, queue: Weak<Sender<Message>>) -> Observing {
        Observing { make, arrived, queue, run: Arc::default(), last: (Vec::new(), 0) }
    }

    /// Draws samples of the suites of which none were drawn, on a thread of its own, and ends the thread of an earlier call. `taken` is the number of
    /// edits that are in these suites.
    pub fn start_thread(&mut self, suites: impl Iterator<Item = Arc<Analysis>>, taken: u64) {
        let Some(make) = self.make.clone() else { return };
        let is_new = |suite: &Arc<Analysis>| suite.observed.get().is_none() && suite.analysed.compiled.plan.is_some();
        let suites: Vec<Arc<Analysis>> = suites.filter(is_new).collect();
        let is_last = suites.iter().map(Arc::as_ptr).eq(self.last.0.iter().map(Arc::as_ptr)) && self.last.1 == taken;
        if suites.is_empty() || is_last {
            return;
        }
        self.last = (suites.clone(), taken);
        let (arrived, queue, current) = (Arc::clone(&self.arrived), Weak::clone(&self.queue), Arc::clone(&self.run));
        let run = self.run.fetch_add(1, Ordering::Relaxed) + 1;
        let is_obsolete = {
            let queue = Weak::clone(&queue);
            move || {
                arrived.load(Ordering::Relaxed) > taken
                    || current.load(Ordering::Relaxed) != run
                    || queue.strong_count() == 0
            }
        };
        let draw = move || {
            std::thread::sleep(PAUSE);
            let is_told = suites.iter().filter(|suite| observe_suite(suite, &make, &is_obsolete)).count() > 0;
            if let Some(queue) = queue.upgrade().filter(|_| is_told) {
                let done = Notification { method: OBSERVED.to_owned(), params: Value::Null };
                // The worker may have ended.
                let _ = queue.send(done.into());
            }
        };
        // Without a thread, only proofs are published.
        let _ = std::thread::Builder::new().name("observer".to_owned()).spawn(draw);
    }
}

/// Draws samples of a suite, and keeps the diagnostics of what they show. Returns whether there are any.
fn observe_suite(suite: &Analysis, make: &MakeObserver, is_obsolete: &dyn Fn() -> bool) -> bool {
    if is_obsolete() {
        return false;
    }
    let observer = make(&suite.root);
    let Some((_, said)) = list_observations(&suite.analysed.compiled, observer.as_ref(), is_obsolete) else {
        return false;
    };
    let is_told = !said.is_empty();
    suite.observed.set(said).is_ok() && is_told
}
