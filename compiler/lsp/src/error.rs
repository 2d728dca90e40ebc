//! The failures of the server, and of single requests and notifications.

use std::fmt::{self, Display, Formatter};

use gen_lsp_types::Uri;
use lsp_server::ProtocolError;

/// The reason why the server did not start, or ended before the editor shut it down.
#[derive(Debug)]
pub enum ServerError {
    /// The parameters of `initialize` are not understood.
    Initialize(serde_json::Error),
    /// The thread of the worker cannot be started.
    Thread(std::io::Error),
    /// The editor did not start or end the session as the protocol says.
    Protocol(ProtocolError),
    /// The editor's messages ended.
    Receive,
    /// The editor receives no more messages.
    Send,
    /// The worker receives no more messages.
    WorkerEnded,
    /// The worker panicked with this message.
    WorkerPanicked(String),
}

impl From<ProtocolError> for ServerError {
    fn from(error: ProtocolError) -> Self {
        ServerError::Protocol(error)
    }
}

impl Display for ServerError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if !matches!(self, ServerError::Initialize(_) | ServerError::Thread(_)) {
            f.write_str("the connection to the editor broke off: ")?;
        }
        match self {
            ServerError::Initialize(error) => write!(f, "`initialize` is not understood: {error}"),
            ServerError::Thread(error) => write!(f, "a thread cannot be started: {error}"),
            ServerError::Protocol(error) => error.fmt(f),
            ServerError::Receive => f.write_str("receiving on an empty and disconnected channel"),
            ServerError::Send => f.write_str("sending on a disconnected channel"),
            ServerError::WorkerEnded => f.write_str("nothing can be sent any more"),
            ServerError::WorkerPanicked(message) => write!(f, "the server failed: {message}"),
        }
    }
}

impl std::error::Error for ServerError {}

/// The result of a request that can be refused; the error is the reason for a refusal, shown to the author.
pub type Answer<T> = Result<T, String>;

/// The reason why a notification has no effect; its text is a line for the log.
#[derive(Debug)]
pub enum NotificationError {
    /// The parameters are not those of the method.
    Params {
        /// The method.
        method: String,
        /// The first mistake in them.
        error: serde_json::Error,
    },
    /// A text was changed that is not open.
    NotOpen(Uri),
}

impl Display for NotificationError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            NotificationError::Params { method, error } => {
                write!(f, "the parameters of `{method}` are not understood: {error}")
            }
            NotificationError::NotOpen(uri) => write!(f, "`{uri}` was changed, and was never opened"),
        }
    }
}

impl std::error::Error for NotificationError {}
