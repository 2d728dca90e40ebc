//! The reasons why a request has no result.

use std::fmt;

/// The reason why a request has no result: a sentence for the user of the page.
#[derive(Debug)]
pub struct RequestError(String);

impl RequestError {
    /// Creates the error with this sentence.
    pub fn new(message: impl fmt::Display) -> RequestError {
        RequestError(message.to_string())
    }

    /// Creates the error for an instance that cannot be built, with the remedy.
    pub fn from_instance(error: &api::Error) -> RequestError {
        match error {
            api::Error::Failed(api::Failure { message, help: Some(help), .. }) => {
                RequestError(format!("{message}\n{help}"))
            }
            other => RequestError::new(other),
        }
    }
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for RequestError {}
