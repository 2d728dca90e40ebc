//! What an agent is: something that is given a question and a sandbox, and answers.

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

    /// Whether it needs a sandbox at the same absolute path that the prompts name.
    fn must_keep_prompt_paths(&self) -> bool {
        true
    }

    /// What the user should know before the first question.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }

    /// How its program is kept from everything outside its sandbox; `None` if it has no program.
    fn confinement(&self) -> Option<Confinement> {
        None
    }

    /// How the tools and the number of calls that a task states bind it; `None` if it has no tools.
    fn tool_enforcement(&self) -> Option<LimitEnforcement> {
        None
    }

    /// All that reaches the model or shapes the agent, besides the limits of a question.
    fn parameters(&self) -> Parameters {
        Parameters::default()
    }

    /// What must not be written to a run, should the agent send it back.
    fn secrets(&self) -> Secrets {
        Secrets::default()
    }

    /// Whether it can only read what is in a folder outside of its sandbox that a link in the sandbox leads to.
    fn can_only_read_links(&self) -> bool {
        false
    }

    /// Whether all that it leaves in a sandbox is an answer: then several sandboxes may wait until they are removed.
    fn can_defer_cleanup(&self) -> bool {
        false
    }

    /// How many instances it is asked at once unless the user says.
    fn default_concurrency(&self) -> usize {
        std::thread::available_parallelism().map_or(1, usize::from)
    }
}

/// What an agent is asked, and within which limits.
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
    /// Becomes true when the user wants no more.
    pub stop: &'a AtomicBool,
}

impl Question<'_> {
    /// Whether there is time, and a wish, to go on.
    pub fn state(&self) -> State {
        if self.stop.load(Ordering::Relaxed) {
            State::Stopped
        } else if self.began.elapsed() >= self.timeout {
            State::TimeUp
        } else {
            State::Open
        }
    }

    /// Time that is left.
    pub fn remaining_time(&self) -> Duration {
        self.timeout.saturating_sub(self.began.elapsed())
    }

    /// Milliseconds since it was asked.
    pub fn elapsed_ms(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

/// Whether an agent may go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It may.
    Open,
    /// Its time is up.
    TimeUp,
    /// The user stopped the run.
    Stopped,
}

/// How one attempt went.
#[derive(Debug)]
pub enum Attempt {
    /// It is over, well or not.
    Over(Answer),
    /// It failed in a way that may be temporary. The duration is how long the server asks to wait before a retry. If no
    /// retry is left, this is the answer.
    Again(Answer, Option<Duration>),
    /// The user stopped the run; nothing is recorded.
    Stopped,
    /// The machine is in no state for further questions; nothing is recorded.
    Broken(Error),
}

/// An answer and how it came about.
#[derive(Debug, Default)]
pub struct Answer {
    /// As it will be recorded; the runner fills in `id`, `trial`, `files`, `attempts` and `wall_ms`.
    pub response: Response,
    /// Messages in order: `{"role", "content", …}`.
    pub transcript: Vec<Json>,
}

impl Answer {
    /// The beginning of every transcript.
    pub fn from_prompt(prompt: &str) -> Answer {
        Answer { response: Response::default(), transcript: vec![json!({"role": "user", "content": prompt})] }
    }

    /// The agent's final word.
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

    /// Its time was up.
    pub fn end_by_timeout(self, timeout: Duration) -> Answer {
        self.end_with_status(Status::Timeout, format!("it took more than {} s", timeout.as_secs_f64()))
    }
}
