//! The thread that compiles: it handles in order everything that the server does not answer at once.
//!
//! All messages that have arrived are received before any is answered, so a request that was cancelled meanwhile costs nothing. Diagnostics are computed when
//! no message is waiting: at once if compiling is fast, after a short pause if it is not (see [`Worker::compute_pause`]). An edit that arrives during this work cancels it, but
//! only once in a row: the next time it is finished regardless, so diagnostics also appear while somebody types without a pause.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicU64;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};

use crate::dispatch::{NotificationKind, answer_request, handle_notification};
use crate::edits::{Edits, is_superseded};
use crate::error::ServerError;
use crate::features::diagnostics::{build_log_message, collect_diagnostic_notifications, describe_panic};
use crate::observing::{OBSERVED, Observing};
use crate::state::State;
use crate::watch::Watch;
use crate::workspace::WorkspaceSnapshot;

/// Sends a message to the editor.
pub type Editor = Box<dyn Fn(Message) -> Result<(), ServerError> + Send>;

/// The worker's state and its queue.
pub struct Worker {
    state: State,
    editor: Editor,
    work: Receiver<Message>,
    /// The results, for the thread that answers at once.
    known: Arc<Mutex<WorkspaceSnapshot>>,
    /// Messages that arrived but were not yet handled.
    waiting: VecDeque<Message>,
    /// Whether more messages may arrive.
    open: bool,
    /// The number of edits that were handled.
    taken: u64,
    /// The time since which diagnostics are outdated.
    stale: Option<Instant>,
    /// Whether the last diagnostics were cancelled by an edit.
    given_up: bool,
    /// The time that the last diagnostics took.
    last_took: Duration,
    watch: Watch,
    observing: Observing,
}

/// The longest compilation that nobody notices.
const QUICK: Duration = Duration::from_millis(20);

/// The time within which edits that belong together arrive.
const BURST: Duration = Duration::from_millis(10);

impl Worker {
    /// Creates a worker. `arrived` counts the edits that are or were in `work`, and `queue` sends to it.
    pub fn new(
        mut state: State,
        editor: Editor,
        work: Receiver<Message>,
        known: Arc<Mutex<WorkspaceSnapshot>>,
        arrived: Arc<AtomicU64>,
        queue: Weak<Sender<Message>>,
    ) -> Worker {
        let observing = Observing::new(state.observe.clone(), Arc::clone(&arrived), queue);
        state.workspace.edits = Edits::with_counter(arrived);
        state.workspace.disk.allow_reads();
        Worker {
            state,
            editor,
            work,
            known,
            waiting: VecDeque::new(),
            open: true,
            taken: 0,
            stale: None,
            given_up: false,
            last_took: Duration::ZERO,
            watch: Watch::default(),
            observing,
        }
    }

    /// Runs until no more messages can arrive. Fails if a message cannot be sent.
    pub fn run_loop(mut self) -> Result<(), ServerError> {
        loop {
            self.take_in();
            match self.waiting.pop_front() {
                Some(Message::Request(request)) => self.answer_request(request)?,
                Some(Message::Notification(notification)) => self.handle_notification(&notification),
                Some(Message::Response(_)) => {}
                None if self.open => self.send_diagnostics()?,
                None => return Ok(()),
            }
        }
    }

    /// The pause before diagnostics are computed: edits that an editor makes together arrive within a few milliseconds. There is a pause only for these: an edit
    /// by somebody who types cancels the work.
    fn compute_pause(&self) -> Duration {
        if self.last_took <= QUICK { Duration::ZERO } else { BURST }
    }

    /// Receives all messages that have arrived; waits if there is nothing to do.
    fn take_in(&mut self) {
        if self.waiting.is_empty() && self.open {
            let arrived = match self.stale.map(|since| self.compute_pause().saturating_sub(since.elapsed())) {
                None => self.work.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(pause) => self.work.recv_timeout(pause),
            };
            self.open = !matches!(arrived, Err(RecvTimeoutError::Disconnected));
            self.waiting.extend(arrived);
        }
        self.waiting.extend(self.work.try_iter());
    }

    /// Publishes the current results for the other thread.
    fn store_snapshot(&self) {
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = self.state.workspace.take_snapshot();
    }

    fn answer_request(&mut self, request: Request) -> Result<(), ServerError> {
        let id = request.id.clone();
        let pulled = request.method == "textDocument/diagnostic";
        let (response, log) = if self.is_cancelled(&id) {
            (Response::new_err(id, ErrorCode::RequestCanceled as i32, "cancelled".to_owned()), None)
        } else {
            self::answer_request(&mut self.state, request)
        };
        log.map_or(Ok(()), |log| self.send_message(log.into()))?;
        self.store_snapshot();
        self.send_message(response.into())?;
        if !pulled {
            return Ok(());
        }
        self.update_watches()?;
        self.start_observing();
        Ok(())
    }

    /// Draws samples of the current suites on another thread.
    fn start_observing(&mut self) {
        self.observing.start_thread(self.state.workspace.iter_suites().cloned(), self.taken);
    }

    /// Makes an editor that requests diagnostics request them again.
    fn request_refresh(&mut self) {
        if self.state.client.pulls && self.state.client.refreshes {
            let again = self.watch.build_refresh_request();
            // If it cannot be sent, the loop ends on its next turn.
            let _ = self.send_message(again.into());
        }
    }

    /// Makes the editor watch the inputs of the current suites.
    fn update_watches(&mut self) -> Result<(), ServerError> {
        let client = &self.state.client;
        if !client.watches {
            return Ok(());
        }
        let requests = self.watch.build_watch_requests(self.state.workspace.iter_suites(), client);
        requests.into_iter().try_for_each(|request| self.send_message(request.into()))
    }

    fn handle_notification(&mut self, notification: &Notification) {
        if notification.method == OBSERVED {
            self.stale.get_or_insert_with(Instant::now);
            return self.request_refresh();
        }
        match catch_unwind(AssertUnwindSafe(|| handle_notification(&mut self.state, notification))) {
            Ok(Ok(heard)) => {
                self.taken += u64::from(heard == NotificationKind::Edit);
                if heard != NotificationKind::Other {
                    self.stale.get_or_insert_with(Instant::now);
                }
                if heard == NotificationKind::Disk {
                    self.request_refresh();
                }
            }
            Ok(Err(why)) => self.send_log(&why.to_string()),
            Err(why) => {
                self.send_log(&format!("{}: the server failed: {}", notification.method, describe_panic(why.as_ref())))
            }
        }
    }

    /// Whether a cancellation of the request has already arrived.
    fn is_cancelled(&self, id: &RequestId) -> bool {
        self.waiting.iter().any(|message| {
            matches!(message, Message::Notification(notification)
                if notification.method == "$/cancelRequest"
                    && notification.params.get("id").and_then(|id| serde_json::from_value(id.clone()).ok()).as_ref() == Some(id))
        })
    }

    /// Computes and sends the diagnostics, if they are outdated.
    fn send_diagnostics(&mut self) -> Result<(), ServerError> {
        let Some(since) = self.stale else { return Ok(()) };
        if since.elapsed() < self.compute_pause() {
            return Ok(());
        }
        let began = Instant::now();
        self.state.workspace.edits.set_limit((!self.given_up).then_some(self.taken));
        let published = catch_unwind(AssertUnwindSafe(|| collect_diagnostic_notifications(&mut self.state)));
        self.state.workspace.edits.set_limit(None);
        self.given_up = matches!(&published, Err(why) if is_superseded(why.as_ref()));
        if self.given_up {
            // They are still outdated.
            return Ok(());
        }
        self.stale = None;
        self.last_took = began.elapsed();
        self.store_snapshot();
        match published {
            Ok(notifications) => {
                notifications.into_iter().try_for_each(|notification| self.send_message(notification.into()))?;
                self.update_watches()?;
                self.start_observing();
                Ok(())
            }
            Err(why) => {
                let words = describe_panic(why.as_ref());
                self.send_log(&format!("diagnostics are those of an earlier text, for the server failed: {words}"));
                Ok(())
            }
        }
    }

    /// Writes a problem to the editor's log.
    fn send_log(&self, message: &str) {
        // If even this cannot be sent, the loop ends on its next turn.
        let _ = self.send_message(build_log_message(message).into());
    }

    fn send_message(&self, message: Message) -> Result<(), ServerError> {
        (self.editor)(message)
    }
}
