//! The reasons why a request has no result.

use std::fmt;

use base64::DecodeError;
use compiler::fmt::Refusal;

/// The reason why a request has no result. The message is a sentence for the user of the page.
#[derive(Debug)]
pub enum RequestError {
    /// The request is not one.
    Request(serde_json::Error),
    /// A message to the language server is not one.
    Message(serde_json::Error),
    /// The content of the file at this path is not base64.
    NotBase64(String, DecodeError),
    /// The file at this path has no content, or two.
    Content(String),
    /// The language server was not initialized.
    NoSession,
    /// The language server rejects a message.
    Editor(String),
    /// No diagnostic has this code or name.
    UnknownCode(String),
    /// No task has this name.
    NoTask(String),
    /// The suite has this number of errors.
    Errors(usize),
    /// The selected instance cannot be built. The message includes the remedy.
    Instance(api::Error),
    /// The suite or one of its instances cannot be shown.
    Suite(api::Error),
    /// An instance has no file at a path: its ID, and the path.
    NoFile(String, String),
    /// No correct solution was found.
    NoSolution(String),
    /// A score cannot be encoded.
    Score(serde_json::Error),
    /// The source cannot be formatted.
    Format(Refusal),
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RequestError::Request(error) => write!(f, "the request is not understood: {error}"),
            RequestError::Message(error) => write!(f, "the message is not understood: {error}"),
            RequestError::NotBase64(path, error) => write!(f, "`{path}` is not base64: {error}"),
            RequestError::Content(path) => write!(f, "`{path}` needs either `text` or `base64`"),
            RequestError::NoSession => f.write_str("the session has not begun: send `initialize` first"),
            RequestError::UnknownCode(code) => write!(f, "unknown code `{code}`"),
            RequestError::NoTask(name) => write!(f, "the suite has no task `{name}`"),
            RequestError::Errors(1) => f.write_str("the suite has an error, so nothing can be built"),
            RequestError::Errors(count) => write!(f, "the suite has {count} errors, so nothing can be built"),
            RequestError::Instance(api::Error::Failed(failure)) => match &failure.help {
                Some(help) => write!(f, "{}\n{help}", failure.message),
                None => f.write_str(&failure.message),
            },
            RequestError::Instance(error) | RequestError::Suite(error) => error.fmt(f),
            RequestError::NoFile(instance, file) => write!(f, "`{instance}` has no file `{file}`"),
            RequestError::Editor(why) | RequestError::NoSolution(why) => f.write_str(why),
            RequestError::Score(error) => error.fmt(f),
            RequestError::Format(refusal) => refusal.fmt(f),
        }
    }
}

impl std::error::Error for RequestError {}
