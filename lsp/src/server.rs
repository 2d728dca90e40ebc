//! The loop: messages in, answers and diagnostics out.
//!
//! One thread. What has arrived is taken in before anything is answered, so that a request that was cancelled meanwhile costs nothing;
//! everything is then done in order. Diagnostics follow when no message waits: at once where compiling is quick, after a short pause where it
//! is not (see [`Pace`]).

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use gen_lsp_types::InitializeParams;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};

use crate::capabilities::{Client, capabilities};
use crate::dispatch::{notify, request};
use crate::features::diagnostics::{self, panic_words};
use crate::state::{Outside, State};

/// Serves one editor until it says goodbye. `Err` when the connection breaks off.
pub fn serve(connection: &Connection, outside: Outside) -> Result<(), String> {
    let broken = |error: &dyn std::fmt::Display| format!("the connection to the editor broke off: {error}");
    let (id, params) = connection.initialize_start().map_err(|error| broken(&error))?;
    let params: InitializeParams = match serde_json::from_value(params) {
        Ok(params) => params,
        Err(error) => {
            let why = format!("`initialize` is not understood: {error}");
            let refused = Response::new_err(id, ErrorCode::InvalidParams as i32, why.clone());
            connection.sender.send(refused.into()).map_err(|error| broken(&error))?;
            return Err(why);
        }
    };
    let client = Client::new(&params);
    let answer = serde_json::json!({
        "capabilities": capabilities(&client, outside.format.is_some()),
        "serverInfo": { "name": "picardc", "version": env!("CARGO_PKG_VERSION") },
    });
    connection.initialize_finish(id, answer).map_err(|error| broken(&error))?;
    let mut server = Server {
        connection,
        state: State::new(client, outside),
        waiting: VecDeque::new(),
        stale: None,
        pace: Pace::default(),
    };
    server.run().map_err(|error| broken(&error))
}

struct Server<'c> {
    connection: &'c Connection,
    state: State,
    /// Arrived, and not done yet.
    waiting: VecDeque<Message>,
    /// Since when diagnostics are out of date.
    stale: Option<Instant>,
    pace: Pace,
}

/// How long to wait for more before diagnostics are made: as long as the last ones took, if that is noticeable.
#[derive(Clone, Copy, Debug, Default)]
struct Pace {
    last: Duration,
}

impl Pace {
    /// Below this no one notices.
    const QUICK: Duration = Duration::from_millis(20);
    /// No one waits longer than this.
    const MOST: Duration = Duration::from_millis(200);

    fn pause(self) -> Duration {
        if self.last <= Pace::QUICK { Duration::ZERO } else { self.last.min(Pace::MOST) }
    }
}

impl Server<'_> {
    fn run(&mut self) -> Result<(), String> {
        loop {
            self.take_in()?;
            let Some(message) = self.waiting.pop_front() else {
                self.publish()?;
                continue;
            };
            match message {
                Message::Request(request) => {
                    // It waits for `exit` itself.
                    if self.connection.handle_shutdown(&request).map_err(|error| error.to_string())? {
                        return Ok(());
                    }
                    self.answer(request)?;
                }
                Message::Notification(notification) if notification.method == "exit" => return Ok(()),
                Message::Notification(notification) => self.hear(&notification),
                // Answers to `client/registerCapability` and the like: nothing depends on them.
                Message::Response(_) => {}
            }
        }
    }

    /// Takes in all that has arrived; waits where there is nothing to do. `shutdown` stops it: what follows is for whoever handles it.
    fn take_in(&mut self) -> Result<(), String> {
        if self.waiting.is_empty() {
            let arrived = match self.stale.map(|since| self.pace.pause().saturating_sub(since.elapsed())) {
                None => Some(self.connection.receiver.recv().map_err(|error| error.to_string())?),
                Some(pause) => self.connection.receiver.recv_timeout(pause).ok(),
            };
            self.waiting.extend(arrived);
        }
        while !matches!(self.waiting.back(), Some(Message::Request(request)) if request.method == "shutdown")
            && let Ok(message) = self.connection.receiver.try_recv()
        {
            self.waiting.push_back(message);
        }
        Ok(())
    }

    fn answer(&mut self, request: Request) -> Result<(), String> {
        let id = request.id.clone();
        let response = if self.is_cancelled(&id) {
            Response::new_err(id, ErrorCode::RequestCanceled as i32, "cancelled".to_owned())
        } else {
            let method = request.method.clone();
            match catch_unwind(AssertUnwindSafe(|| self::request(&mut self.state, request))) {
                Ok(response) => response,
                Err(why) => {
                    // A defect of ours; the editor goes on without this answer.
                    self.log(&format!("{method}: the server failed: {}", panic_words(why.as_ref())));
                    Response::new_err(id, ErrorCode::InternalError as i32, format!("{method} failed"))
                }
            }
        };
        self.send(response.into())
    }

    fn hear(&mut self, notification: &Notification) {
        match catch_unwind(AssertUnwindSafe(|| notify(&mut self.state, notification))) {
            Ok(Ok(true)) => {
                self.stale.get_or_insert_with(Instant::now);
            }
            Ok(Ok(false)) => {}
            Ok(Err(why)) => self.log(&why),
            Err(why) => self.log(&format!("{}: the server failed: {}", notification.method, panic_words(why.as_ref()))),
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

    /// Diagnostics, where they are out of date.
    fn publish(&mut self) -> Result<(), String> {
        let Some(since) = self.stale else { return Ok(()) };
        if since.elapsed() < self.pace.pause() {
            return Ok(());
        }
        self.stale = None;
        let began = Instant::now();
        let published = catch_unwind(AssertUnwindSafe(|| diagnostics::publish(&mut self.state)));
        self.pace.last = began.elapsed();
        match published {
            Ok(notifications) => notifications.into_iter().try_for_each(|notification| self.send(notification.into())),
            Err(why) => {
                let words = panic_words(why.as_ref());
                self.log(&format!("diagnostics are those of an earlier text, for the server failed: {words}"));
                Ok(())
            }
        }
    }

    /// Tells the editor's log of something that is not as it should be.
    fn log(&self, message: &str) {
        // Where even this cannot be sent, the loop ends on its next turn.
        let _ = self.send(diagnostics::log(message).into());
    }

    fn send(&self, message: Message) -> Result<(), String> {
        self.connection.sender.send(message).map_err(|error| error.to_string())
    }
}
