//! The main loop of the server: receives messages and sends answers.
//!
//! There are two threads, and a third one that draws samples while nobody edits (see `observing`). This one reads the editor's messages, forwards them, and answers the requests that occur during typing (completion, hover, signature
//! help) from the last compiled suite. It never compiles a suite or reads a file of a lake, so it never keeps an editor waiting. The other thread does
//! everything else in order (see `worker`). Both send messages to the editor directly.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use gen_lsp_types::InitializeParams;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response};

use crate::capabilities::build_initialize_result;
use crate::client::Client;
use crate::dispatch::{answer_request, apply_edit};
use crate::error::ServerError;
use crate::features::diagnostics::describe_panic;
use crate::front::is_at_once;
use crate::state::{ServerHooks, State};
use crate::worker::{Editor, Worker};
use crate::workspace::WorkspaceSnapshot;

/// Serves one editor until it shuts the server down. Fails if the connection breaks.
pub fn serve_editor(connection: &Connection, outside: ServerHooks) -> Result<(), ServerError> {
    let (id, params) = connection.initialize_start()?;
    let params: InitializeParams = match serde_json::from_value(params) {
        Ok(params) => params,
        Err(error) => {
            let why = ServerError::Initialize(error);
            let refused = Response::new_err(id, ErrorCode::InvalidParams as i32, why.to_string());
            connection.sender.send(refused.into()).map_err(|_| ServerError::Send)?;
            return Err(why);
        }
    };
    let client = Client::new(&params);
    connection.initialize_finish(id, build_initialize_result(&client, &outside))?;

    let state = State::new(client.clone(), outside.clone());
    let (known, arrived) = (Arc::new(Mutex::new(WorkspaceSnapshot::default())), Arc::new(AtomicU64::new(0)));
    let (hand_on, work) = channel();
    let hand_on = Arc::new(hand_on);
    let worker = {
        let (sender, known, arrived) = (connection.sender.clone(), Arc::clone(&known), Arc::clone(&arrived));
        let queue = Arc::downgrade(&hand_on);
        let editor: Editor = Box::new(move |message| sender.send(message).map_err(|_| ServerError::Send));
        // The state is created in the new thread, because hosts of the compiler are not shared between threads.
        let serve = move || Worker::new(State::new(client, outside), editor, work, known, arrived, queue).run_loop();
        let started = std::thread::Builder::new().name("worker".to_owned()).spawn(serve);
        started.map_err(ServerError::Thread)?
    };
    let mut server = Server { connection, state, hand_on: Some(hand_on), known, arrived };
    server.run_loop(|hand_on| {
        // Closing the channel lets the worker finish its messages and end.
        drop(hand_on);
        worker.join().unwrap_or_else(|why| Err(ServerError::WorkerPanicked(describe_panic(why.as_ref()).to_owned())))
    })
}

struct Server<'c> {
    connection: &'c Connection,
    /// The current buffers, and the suites as last compiled.
    state: State,
    /// The channel to the worker; `None` once the worker was asked to end.
    hand_on: Option<Arc<Sender<Message>>>,
    /// The latest results of the worker.
    known: Arc<Mutex<WorkspaceSnapshot>>,
    /// The number of edits that were forwarded.
    arrived: Arc<AtomicU64>,
}

impl Server<'_> {
    /// Runs until the editor shuts the server down. `end` ends the worker.
    fn run_loop(
        &mut self,
        end: impl FnOnce(Option<Arc<Sender<Message>>>) -> Result<(), ServerError>,
    ) -> Result<(), ServerError> {
        loop {
            let message = self.connection.receiver.recv().map_err(|_| ServerError::Receive)?;
            match message {
                Message::Request(request) if request.method == "shutdown" => {
                    // Earlier requests are answered first.
                    end(self.hand_on.take())?;
                    // This call waits for `exit`.
                    self.connection.handle_shutdown(&request)?;
                    return Ok(());
                }
                Message::Notification(notification) if notification.method == "exit" => return Ok(()),
                Message::Request(request) if self.is_for_here(&request) => self.answer_request(request)?,
                Message::Notification(notification) => {
                    self.apply_notification(&notification);
                    self.forward_message(notification.into())?;
                }
                Message::Request(request) => self.forward_message(request.into())?,
                // Answers to `client/registerCapability` and the like are ignored.
                Message::Response(_) => {}
            }
        }
    }

    /// Fails if the worker has ended, which happens only when it cannot send any more.
    fn forward_message(&self, message: Message) -> Result<(), ServerError> {
        let sent = self.hand_on.as_ref().map(|worker| worker.send(message));
        sent.and_then(Result::ok).ok_or(ServerError::WorkerEnded)
    }

    fn is_for_here(&mut self, request: &Request) -> bool {
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner).clone();
        is_at_once(&mut self.state, request, known)
    }

    fn answer_request(&mut self, request: Request) -> Result<(), ServerError> {
        let (response, log) = self::answer_request(&mut self.state, request.clone());
        log.map_or(Ok(()), |log| self.send_message(log.into()))?;
        // The other thread reads the files; from then on, their contents are cached here too.
        if self.state.workspace.disk.take_missing() {
            return self.forward_message(request.into());
        }
        self.send_message(response.into())
    }

    /// Applies a notification about open buffers. Errors are reported by the worker.
    fn apply_notification(&mut self, notification: &Notification) {
        let workspace = &mut self.state.workspace;
        let changed =
            catch_unwind(AssertUnwindSafe(|| apply_edit(&mut workspace.documents, workspace.encoding, notification)));
        if matches!(changed, Ok(Ok(Some(_)))) {
            self.arrived.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn send_message(&self, message: Message) -> Result<(), ServerError> {
        self.connection.sender.send(message).map_err(|_| ServerError::Send)
    }
}
