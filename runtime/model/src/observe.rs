//! What a check sees in drawn samples. The compiler proves; an observer, which the crate `api` implements, draws samples and looks at them.

use crate::answer_key::Wanted;
use crate::failure::{At, Failure};
use crate::{Plan, Span};

/// Draws samples of a suite and lets two agents answer them: one that knows the answer key, and one that does nothing.
pub trait Observer: Sync {
    /// Draws as many samples as its budget of work allows. What is drawn and seen depends only on the plan and the observer. Asks `stop` before each
    /// sample; returns `None` if it says that the result is not needed any more.
    fn observe_suite(&self, plan: &Plan, stop: &dyn Fn() -> bool) -> Option<Observations>;

    /// Judges the author's examples in the first sample of each variant and stage of a task, in source order. Left out are those that need other samples, and those of samples
    /// that cannot be made within the budget.
    fn judge_examples(&self, plan: &Plan, task: u32, seed: &str) -> Vec<JudgedExample>;
}

/// An example, and what an expectation says of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgedExample {
    /// Whether it must be correct.
    pub verdict: Wanted,
    /// The answer, for people.
    pub text: String,
    /// Why it is judged in another way; `None` if it is judged as it must be.
    pub failure: Option<String>,
    /// Its place in the source.
    pub span: Span,
}

/// The result of drawing samples.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Observations {
    /// What is wrong, once for each kind and place, in the order of the first sample that shows it.
    pub seen: Vec<Observation>,
    /// What was drawn.
    pub drawn: Drawn,
}

/// Something wrong in drawn samples.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    /// What is wrong.
    pub what: Observed,
    /// The first sample that shows it.
    pub at: At,
    /// The number of drawn samples of the task that show it.
    pub count: u64,
    /// The number of drawn samples of the task.
    pub of: u64,
}

/// The kinds of observations.
#[derive(Clone, Debug, PartialEq)]
pub enum Observed {
    /// The sample cannot be made: a build that draws it stops there.
    Stops(Failure),
    /// The answer that is made from the key is not accepted.
    Unmet {
        /// The place of the `expect` that does not accept it.
        span: Span,
        /// The `expect`, such as `reply number`.
        expect: String,
        /// What it expects and what was tried; empty if that is not known.
        why: String,
    },
    /// An example is judged in another way than its author says.
    Example {
        /// Its place.
        span: Span,
        /// Whether it must be correct.
        verdict: Wanted,
        /// The answer, for people.
        text: String,
        /// Why it is judged so.
        why: String,
    },
    /// An agent that does nothing is right.
    Idle {
        /// The place of the name of the task, variant, or stage.
        span: Span,
    },
}

/// The number of drawn samples, and what was not drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drawn {
    /// The number of samples.
    pub samples: u64,
    /// The number of tasks with at least one of them.
    pub tasks: u64,
    /// The tasks with cells that were not drawn, in source order.
    pub left_out: Vec<LeftOut>,
    /// The attempts at the samples of each task, in source order.
    pub attempts: Vec<Attempts>,
}

/// How many samples of a task were made, and how often its `require`s held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempts {
    /// The name of the task.
    pub task: String,
    /// The number of samples that were made.
    pub samples: u32,
    /// The number of attempts at them, each with other draws.
    pub attempts: u32,
    /// Whether the chance of an attempt is the same for all samples: not where each is about another row.
    pub is_alike: bool,
    /// Whether nothing is drawn, so all samples are the same.
    pub is_static: bool,
}

/// Cells of a task without a sample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The name of the task.
    pub task: String,
    /// The number of its cells without a sample.
    pub cells: u64,
    /// The number of its cells.
    pub of: u64,
    /// Why the first of them was not drawn, such as `1,000,000 rows`.
    pub why: String,
}

impl Observation {
    /// Returns the place in the source, if there is one.
    pub fn span(&self) -> Option<Span> {
        match &self.what {
            Observed::Stops(failure) => failure.span,
            Observed::Unmet { span, .. } | Observed::Example { span, .. } | Observed::Idle { span } => Some(*span),
        }
    }
}

impl Drawn {
    /// Says what was drawn and what was not; `None` if nothing was left out.
    ///
    /// ```
    /// use model::observe::{Drawn, LeftOut};
    ///
    /// let left_out = |cells| LeftOut { task: "big".to_owned(), cells, of: 3, why: "1,000,000 rows".to_owned() };
    /// let drawn = |left_out| Drawn { samples: 31, tasks: 12, left_out, attempts: Vec::new() };
    /// let text = drawn(vec![left_out(3)]).describe_left_out();
    /// assert_eq!(text.as_deref(), Some("drawn: 31 samples of 12 tasks; not drawn: `big` (1,000,000 rows)"));
    /// let text = drawn(vec![left_out(1)]).describe_left_out();
    /// assert_eq!(text.as_deref(), Some("drawn: 31 samples of 12 tasks; not drawn: 1 of 3 cells of `big` (1,000,000 rows)"));
    /// assert_eq!(drawn(Vec::new()).describe_left_out(), None);
    /// ```
    pub fn describe_left_out(&self) -> Option<String> {
        /// The maximum number of tasks that are named.
        const NAMED: usize = 5;
        if self.left_out.is_empty() {
            return None;
        }
        let describe = |LeftOut { task, cells, of, why }: &LeftOut| {
            let part = if cells == of { String::new() } else { format!("{cells} of {of} cells of ") };
            format!("{part}`{task}` ({why})")
        };
        let named: Vec<String> = self.left_out.iter().take(NAMED).map(describe).collect();
        let more = self.left_out.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(", and {more} more") } else { String::new() };
        let count = |number: u64, word: &str| format!("{number} {word}{}", if number == 1 { "" } else { "s" });
        let drawn = format!("{} of {}", count(self.samples, "sample"), count(self.tasks, "task"));
        Some(format!("drawn: {drawn}; not drawn: {}{more}", named.join(", ")))
    }

    /// Adds what was drawn of another suite.
    pub fn add_suite(&mut self, other: Drawn) {
        self.samples += other.samples;
        self.tasks += other.tasks;
        self.left_out.extend(other.left_out);
        self.attempts.extend(other.attempts);
    }
}
