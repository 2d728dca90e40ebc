//! HTTP requests: a POST of JSON whose response is read line by line as it arrives. Errors are classified by whether a retry can help.

use std::io::{BufRead as _, BufReader, Read as _};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

use serde_json::Value as Json;
use ureq::http::Response;
use ureq::{Body, Error, Timeout};

use crate::agent::{Answer, Attempt, Question, State};
use crate::secrets::{EDGE, Kind, Secrets, to_send};
use records::Status;

/// The longest line, in bytes.
const LINE_LIMIT: u64 = 16 << 20;

/// The maximum size of one response, in bytes.
const TOTAL_LIMIT: u64 = 64 << 20;

/// The time limit for a connection.
const CONNECT: Duration = Duration::from_secs(20);

/// The number of bytes that are read of an error response.
const REFUSAL_LIMIT: usize = 64 << 10;

/// How often the time limit and the user's stop are checked.
const TICK: Duration = Duration::from_millis(50);

/// Why an exchange did not complete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequestError {
    /// It may be temporary: a busy server, a server error, or a broken connection. The duration is the pause that the server asks for.
    Again(String, Option<Duration>),
    /// A retry cannot help.
    Lasting(String),
    /// The question's time is up.
    TimeUp,
    /// The user stopped the run.
    Stopped,
}

impl RequestError {
    /// The server's stream cannot be understood, as `data` shows.
    pub fn new_broken(why: &str, data: &str, secrets: &Secrets) -> RequestError {
        let said = extract_error_message(data, secrets);
        RequestError::Again(format!("the server's stream is broken: {why}: {said}"), None)
    }
}

/// Ends an answer as the requests for it ended.
pub fn end_answer(mut answer: Answer, ended: Result<Status, RequestError>, question: &Question) -> Attempt {
    Attempt::Over(match ended {
        Ok(status) => {
            answer.response.status = status;
            answer
        }
        Err(RequestError::Again(why, after)) => {
            return Attempt::Again(answer.end_with_status(Status::Failed, why), after);
        }
        Err(RequestError::Lasting(why)) => answer.end_with_status(Status::Failed, why),
        Err(RequestError::TimeUp) => answer.end_by_timeout(question.timeout),
        Err(RequestError::Stopped) => return Attempt::Stopped,
    })
}

/// Returns why no further request is made for a question, if it is over.
pub fn check_open(question: &Question) -> Result<(), RequestError> {
    match question.state() {
        State::Open => Ok(()),
        State::TimeUp => Err(RequestError::TimeUp),
        State::Stopped => Err(RequestError::Stopped),
    }
}

/// An HTTP client that keeps connections open between questions.
#[derive(Debug)]
pub struct Client(ureq::Agent);

impl Client {
    /// Creates a client that follows no redirect: the question and the key would go to another place.
    pub fn new() -> Client {
        let config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_connect(Some(CONNECT))
            .timeout_resolve(Some(CONNECT))
            .user_agent("picardc")
            .build();
        Client(config.new_agent())
    }

    /// Sends a request. `key`, or else the user and password of the address, is sent in the `Authorization` header only. Secrets in the text of an error are
    /// masked.
    pub fn post_json(
        &self,
        url: &str,
        key: Option<&str>,
        body: &Json,
        secrets: &Secrets,
        question: &Question,
    ) -> Lines {
        let (url, basic) = to_send(url);
        let mut request = self.0.post(url).header("content-type", "application/json");
        if let Some(header) = key.map(|key| format!("Bearer {key}")).or(basic) {
            request = request.header("authorization", header);
        }
        let request = request.config().timeout_global(Some(question.remaining_time().max(TICK))).build();
        let (sender, receiver) = sync_channel(64);
        let (body, secrets) = (body.to_string(), secrets.clone());
        let refused = sender.clone();
        // The thread ends when the receiver is dropped, or when the question's time is up.
        let thread = std::thread::Builder::new().spawn(move || {
            let read = match request.send(body) {
                Ok(response) => stream_lines(response, &sender, &secrets),
                Err(error) => Err(classify_error(&error)),
            };
            // The receiver may have given up.
            let _ = sender.send(read.map(|()| None));
        });
        if let Err(error) = thread {
            // The channel has room, and its receiver is returned below.
            let _ = refused.send(Err(RequestError::Again(format!("cannot start a thread: {error}"), None)));
        }
        Lines { receiver }
    }
}

/// The lines of a response.
pub struct Lines {
    receiver: Receiver<Result<Option<String>, RequestError>>,
}

impl Lines {
    /// Returns the next line without its line end; `None` at the end of the response.
    pub fn next(&self, question: &Question) -> Result<Option<String>, RequestError> {
        loop {
            check_open(question)?;
            match self.receiver.recv_timeout(TICK) {
                Ok(next) => return next,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
            }
        }
    }
}

fn stream_lines(
    mut response: Response<Body>,
    lines: &SyncSender<Result<Option<String>, RequestError>>,
    secrets: &Secrets,
) -> Result<(), RequestError> {
    let status = response.status().as_u16();
    if !(200..300).contains(&status) {
        return Err(read_refusal(status, &mut response, secrets));
    }
    let mut reader = BufReader::new(response.body_mut().with_config().limit(TOTAL_LIMIT).reader());
    loop {
        let mut line = Vec::new();
        let read = (&mut reader).take(LINE_LIMIT).read_until(b'\n', &mut line);
        match read {
            Err(error) => return Err(classify_read_error(error)),
            Ok(0) => return Ok(()),
            Ok(size) if size as u64 == LINE_LIMIT && line.last() != Some(&b'\n') => {
                return Err(RequestError::Lasting(format!("the server sent a line of more than {LINE_LIMIT} bytes")));
            }
            Ok(_) => {}
        }
        let text = match String::from_utf8(line) {
            Ok(text) => text.trim_end_matches(['\r', '\n']).to_owned(),
            Err(_) => return Err(RequestError::Again("the server sent invalid UTF-8".to_owned(), None)),
        };
        if lines.send(Ok(Some(text))).is_err() {
            return Ok(());
        }
    }
}

fn classify_read_error(error: std::io::Error) -> RequestError {
    match error.get_ref().and_then(|inner| inner.downcast_ref::<Error>()) {
        Some(inner) => classify_error(inner),
        None => RequestError::Again(format!("the answer broke off: {error}"), None),
    }
}

/// Classifies a connection error.
fn classify_error(error: &Error) -> RequestError {
    match error {
        Error::Timeout(Timeout::Connect | Timeout::Resolve) => {
            RequestError::Again("the server cannot be reached: connecting took too long".to_owned(), None)
        }
        Error::Timeout(_) => RequestError::TimeUp,
        Error::Io(_) | Error::ConnectionFailed | Error::Protocol(_) | Error::BodyStalled => {
            RequestError::Again(format!("the connection failed: {error}"), None)
        }
        other => RequestError::Lasting(format!("the server cannot be asked: {other}")),
    }
}

/// Returns the error for an HTTP status outside 200–299, with the server's message.
fn read_refusal(status: u16, response: &mut Response<Body>, secrets: &Secrets) -> RequestError {
    let after = response.headers().get("retry-after").and_then(|value| value.to_str().ok()).and_then(parse_retry_after);
    // The body may be cut off: only the status decides.
    let mut body = Vec::new();
    let _ = response.body_mut().as_reader().take((REFUSAL_LIMIT + EDGE) as u64).read_to_end(&mut body);
    let said = extract_error_message(&String::from_utf8_lossy(&body), secrets);
    let said = if said.is_empty() { said } else { format!(": {said}") };
    let why = format!("the server answered with status {status}{said}");
    if matches!(status, 408 | 409 | 425 | 429 | 500..=599) {
        RequestError::Again(why, after)
    } else {
        RequestError::Lasting(why)
    }
}

fn parse_retry_after(text: &str) -> Option<Duration> {
    let seconds: f64 = text.trim().parse().ok()?;
    // A value that is too large for a duration becomes the largest duration.
    (seconds >= 0.0).then(|| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
}

/// Extracts a server's error message: that of its JSON, or else the text. Secrets are masked before it is shortened to 500 characters.
pub fn extract_error_message(body: &str, secrets: &Secrets) -> String {
    let json: Option<Json> = serde_json::from_str(body).ok();
    let message = json.as_ref().and_then(|json| {
        let error = json.get("error").unwrap_or(json);
        error.get("message").unwrap_or(error).as_str()
    });
    let text = message.unwrap_or(body).trim();
    let (masked, _) = secrets.mask_within(text, 0..text.len().min(REFUSAL_LIMIT), Kind::Error);
    let mut short: String = masked.chars().take(500).collect();
    if short.len() < masked.len() || text.len() > REFUSAL_LIMIT {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_servers_say() {
        let words = |body: &str| extract_error_message(body, &Secrets::default());
        assert_eq!(words(r#"{"error": {"message": "No such model", "code": 3}}"#), "No such model");
        assert_eq!(words(r#"{"error": "Not found"}"#), "Not found");
        assert_eq!(words("  <html> "), "<html>");
        assert_eq!(words(&"x".repeat(600)).chars().count(), 501);
    }

    #[test]
    fn retry_after() {
        assert_eq!(parse_retry_after(" 7 "), Some(Duration::from_secs(7)));
        assert_eq!(parse_retry_after("99999999999"), Some(Duration::from_secs(99_999_999_999)));
        assert_eq!([parse_retry_after("1e300"), parse_retry_after("inf")], [Some(Duration::MAX); 2]);
        assert_eq!([parse_retry_after("-1"), parse_retry_after("nan")], [None; 2]);
        assert_eq!(parse_retry_after("Wed, 21 Oct 2026 07:28:00 GMT"), None);
    }
}
