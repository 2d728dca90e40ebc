//! Selects the lines of `responses.jsonl` that count: one for each trial of each instance that was asked.

use std::collections::HashMap;

use serde::Serialize;

use crate::Status;

/// Numbers of lines that do not count. A run of picardc never contains them, so readers of a run must be warned about them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Ignored {
    /// Lines for instances that the run does not ask.
    pub unknown: u64,
    /// Additional lines for a trial that already has its response.
    pub repeated: u64,
    /// Lines for trials that the run does not have.
    pub beyond: u64,
}

impl Ignored {
    /// Returns their total number.
    pub fn count_all(self) -> u64 {
        self.unknown + self.repeated + self.beyond
    }

    /// Describes the lines: `3 lines of responses.jsonl do not count: 2 of instances that were not asked, 1 repeated`; `None` if all count.
    pub fn describe_lines(self) -> Option<String> {
        let parts = [
            (self.unknown, "of instances that were not asked"),
            (self.repeated, "of trials that have a response already"),
            (self.beyond, "of trials that the run does not have"),
        ];
        let parts: Vec<String> =
            parts.into_iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")).collect();
        let lines = if self.count_all() == 1 { "line of responses.jsonl does" } else { "lines of responses.jsonl do" };
        (!parts.is_empty()).then(|| format!("{} {lines} not count: {}", self.count_all(), parts.join(", ")))
    }
}

/// Decides for each line, in order, whether it counts.
///
/// The first line of a trial counts, and a later one cannot replace it, unless the first reports that the trial failed: then the trial was repeated,
/// and the next line counts instead.
#[derive(Debug, Default)]
pub struct ResponseFilter {
    trials: u32,
    seen: HashMap<(String, u32), Status>,
    /// Numbers of lines that do not count.
    pub ignored: Ignored,
    /// Number of failed trials that were repeated, whose lines were replaced by later ones.
    pub asked_again: u64,
}

impl ResponseFilter {
    /// Creates the filter for a run with this number of trials of each instance.
    pub fn new(trials: u32) -> ResponseFilter {
        ResponseFilter { trials, ..ResponseFilter::default() }
    }

    /// Registers the next line; returns whether it counts, instead of an earlier one of the same trial if there is one. `asked` says whether the run
    /// asks its instance.
    ///
    /// ```
    /// use records::Status;
    /// use records::responses::ResponseFilter;
    ///
    /// let mut filter = ResponseFilter::new(1);
    /// assert!(filter.register_line(true, "sums-1", 1, Status::Done));
    /// // A second answer to the same question does not count; one after a failure does.
    /// assert!(!filter.register_line(true, "sums-1", 1, Status::Done));
    /// assert!(filter.register_line(true, "sums-2", 1, Status::Failed));
    /// assert!(filter.register_line(true, "sums-2", 1, Status::Done));
    /// assert_eq!((filter.ignored.repeated, filter.asked_again), (1, 1));
    /// // Neither does a trial that was not asked for.
    /// assert!(!filter.register_line(true, "sums-3", 2, Status::Done));
    /// ```
    pub fn register_line(&mut self, asked: bool, id: &str, trial: u32, status: Status) -> bool {
        if !asked {
            self.ignored.unknown += 1;
            return false;
        }
        if trial == 0 || trial > self.trials {
            self.ignored.beyond += 1;
            return false;
        }
        match self.seen.insert((id.to_owned(), trial), status) {
            None => {}
            Some(Status::Failed) => self.asked_again += 1,
            Some(before) => {
                self.ignored.repeated += 1;
                self.seen.insert((id.to_owned(), trial), before);
                return false;
            }
        }
        true
    }

    /// Returns the status of each trial that has a response.
    pub fn trial_statuses(&self) -> &HashMap<(String, u32), Status> {
        &self.seen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_failure_is_replaced() {
        let mut counted = ResponseFilter::new(2);
        assert!(counted.register_line(true, "a", 1, Status::Failed));
        assert!(counted.register_line(true, "a", 1, Status::Failed));
        assert!(counted.register_line(true, "a", 1, Status::Timeout));
        assert!(!counted.register_line(true, "a", 1, Status::Done));
        assert!(counted.register_line(true, "a", 2, Status::Done));
        assert!(
            !counted.register_line(true, "a", 0, Status::Done) && !counted.register_line(true, "a", 3, Status::Done)
        );
        assert!(!counted.register_line(false, "b", 1, Status::Done));
        assert_eq!(counted.ignored, Ignored { unknown: 1, repeated: 1, beyond: 2 });
        assert_eq!((counted.asked_again, counted.trial_statuses().len()), (2, 2));
        assert_eq!(
            counted.ignored.describe_lines().as_deref(),
            Some(
                "4 lines of responses.jsonl do not count: 1 of instances that were not asked, 1 of trials that have a response already, 2 of trials that \
                 the run does not have"
            )
        );
        assert_eq!(Ignored::default().describe_lines(), None);
    }
}
