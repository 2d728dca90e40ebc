//! The interface of an agent: it gets a question and a sandbox, and answers.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use records::run::{Confinement, LimitEnforcement};
use records::{Error, Instance, Parameters, Response, Status};
use serde_json::{Value as Json, json};

use crate::sandbox::{Files, Sandbox};
use crate::secrets::Secrets;

/// An agent under test. One value answers from several threads at once.
pub trait Agent: Send + Sync {
    /// Answers one question, once.
    fn answer_question(&self, question: &Question) -> Attempt;

    /// What is known of it before it is asked.
    fn profile(&self) -> &Profile;
}

/// What is known of an agent before it is asked.
#[derive(Clone, Debug)]
pub struct Profile {
    /// Whether it needs a sandbox at the absolute path that the prompts name.
    pub must_keep_prompt_paths: bool,
    /// Notes for the user, shown before the first question.
    pub notes: Vec<String>,
    /// How its program is isolated from everything outside its sandbox; `None` if it has no program.
    pub confinement: Option<Confinement>,
    /// How a task's list of tools and its limit of calls are enforced for this agent; `None` if it has no tools.
    pub tool_enforcement: Option<LimitEnforcement>,
    /// All parameters that reach the model or configure the agent, except the limits of a question.
    pub parameters: Parameters,
    /// The secrets that must not be written to a run if the agent sends them back.
    pub secrets: Secrets,
    /// Whether its access is read-only in a folder outside its sandbox to which a link in the sandbox leads.
    pub can_only_read_links: bool,
    /// Whether everything that it leaves in a sandbox belongs to its answer; then the removal of several sandboxes can be deferred.
    pub can_defer_cleanup: bool,
    /// The default number of instances that it is asked in parallel.
    pub concurrency: usize,
}

impl Default for Profile {
    /// An agent without tools, which may do everything.
    fn default() -> Profile {
        Profile {
            must_keep_prompt_paths: true,
            notes: Vec::new(),
            confinement: None,
            tool_enforcement: None,
            parameters: Parameters::default(),
            secrets: Secrets::default(),
            can_only_read_links: false,
            can_defer_cleanup: false,
            concurrency: std::thread::available_parallelism().map_or(1, usize::from),
        }
    }
}

/// A question to an agent, with its limits.
pub struct Question<'a> {
    /// The instance. An honest agent looks at `id` and `prompt` only.
    pub instance: &'a Instance,
    /// Its sandbox's starting files.
    pub files: &'a Files<'a>,
    /// Its sandbox, filled.
    pub sandbox: &'a Sandbox,
    /// When it was asked.
    pub began: Instant,
    /// How long it may take.
    pub timeout: Duration,
    /// The most rounds of inference.
    pub max_rounds: u32,
    /// Becomes true when the user stops the run.
    pub stop: &'a AtomicBool,
}

impl Question<'_> {
    /// Whether the agent may continue: its time is not up, and the user has not stopped the run.
    pub fn state(&self) -> State {
        if self.stop.load(Ordering::Relaxed) {
            State::Stopped
        } else if self.began.elapsed() >= self.timeout {
            State::TimeUp
        } else {
            State::Open
        }
    }

    /// The remaining time.
    pub fn remaining_time(&self) -> Duration {
        self.timeout.saturating_sub(self.began.elapsed())
    }

    /// Milliseconds since it was asked.
    pub fn elapsed_ms(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

/// Whether an agent may continue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It may continue.
    Open,
    /// Its time is up.
    TimeUp,
    /// The user stopped the run.
    Stopped,
}

/// The outcome of one attempt.
#[derive(Debug)]
pub enum Attempt {
    /// It has ended, successfully or not.
    Over(Answer),
    /// It failed in a way that may be temporary. The duration is the pause before a retry that the server asks for. If no retry is left, this is the answer.
    Again(Answer, Option<Duration>),
    /// The user stopped the run; nothing is recorded.
    Stopped,
    /// No further question can be asked on this machine; nothing is recorded.
    Broken(Error),
}

/// An answer, with its transcript.
#[derive(Debug, Default)]
pub struct Answer {
    /// The response as it will be recorded; the runner fills in `id`, `trial`, `files`, `attempts` and `wall_ms`.
    pub response: Response,
    /// Messages in order: `{"role", "content", …}`.
    pub transcript: Vec<Json>,
}

impl Answer {
    /// An answer whose transcript has only the prompt.
    pub fn from_prompt(prompt: &str) -> Answer {
        Answer { response: Response::default(), transcript: vec![json!({"role": "user", "content": prompt})] }
    }

    /// Sets the agent's final reply.
    pub fn with_reply(mut self, reply: String) -> Answer {
        self.transcript.push(json!({"role": "assistant", "content": reply}));
        self.response.reply = reply;
        self
    }

    /// Sets how the trial ended and why: `why` is a sentence without a period.
    pub fn end_with_status(mut self, status: Status, why: impl Into<String>) -> Answer {
        let why = why.into();
        self.transcript.push(json!({"role": "picardc", "content": why}));
        self.response.status = status;
        self.response.error = Some(why);
        self
    }

    /// Sets the status of an answer whose time was up.
    pub fn end_by_timeout(self, timeout: Duration) -> Answer {
        self.end_with_status(Status::Timeout, format!("it took more than {} s", timeout.as_secs_f64()))
    }
}
