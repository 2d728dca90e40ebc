//! Selects the lines of `responses.jsonl` that count: one for each trial of each instance that was asked.

use serde::Serialize;

use crate::Status;
use crate::id_table::IdTable;

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
#[derive(Debug)]
pub struct ResponseFilter<'a> {
    asked: &'a IdTable,
    trials: u32,
    /// The status of each trial of each instance that is asked, in their order.
    seen: Vec<Option<Status>>,
    /// Numbers of lines that do not count.
    pub ignored: Ignored,
    /// Number of failed trials that were repeated, whose lines were replaced by later ones.
    pub asked_again: u64,
}

impl<'a> ResponseFilter<'a> {
    /// Creates the filter for a run that asks these instances, each in this number of trials.
    pub fn new(asked: &'a IdTable, trials: u32) -> ResponseFilter<'a> {
        let seen = vec![None; asked.len() * trials as usize];
        ResponseFilter { asked, trials, seen, ignored: Ignored::default(), asked_again: 0 }
    }

    /// Registers the next line. Returns the number of its trial if it counts, instead of an earlier one of the same trial if there is one.
    ///
    /// ```
    /// use records::Status;
    /// use records::id_table::IdTable;
    /// use records::responses::ResponseFilter;
    ///
    /// let asked: IdTable = ["sums-1", "sums-2"].into_iter().collect();
    /// let mut filter = ResponseFilter::new(&asked, 1);
    /// assert_eq!(filter.register_line("sums-1", 1, Status::Done), Some(0));
    /// // A second answer to the same question does not count; one after a failure does.
    /// assert_eq!(filter.register_line("sums-1", 1, Status::Done), None);
    /// assert_eq!(filter.register_line("sums-2", 1, Status::Failed), Some(1));
    /// assert_eq!(filter.register_line("sums-2", 1, Status::Done), Some(1));
    /// assert_eq!((filter.ignored.repeated, filter.asked_again), (1, 1));
    /// // Neither does a trial that was not asked for.
    /// assert_eq!(filter.register_line("sums-2", 2, Status::Done), None);
    /// assert_eq!(filter.find_status("sums-2", 1), Some(Status::Done));
    /// ```
    pub fn register_line(&mut self, id: &str, trial: u32, status: Status) -> Option<usize> {
        let Some(number) = self.asked.find_number(id) else {
            self.ignored.unknown += 1;
            return None;
        };
        let Some(trial) = number_trial(number, trial, self.trials) else {
            self.ignored.beyond += 1;
            return None;
        };
        let seen = self.seen.get_mut(trial)?;
        match seen {
            None => {}
            Some(Status::Failed) => self.asked_again += 1,
            Some(_) => {
                self.ignored.repeated += 1;
                return None;
            }
        }
        *seen = Some(status);
        Some(trial)
    }

    /// Returns the status of a trial; `None` if it has no response.
    pub fn find_status(&self, id: &str, trial: u32) -> Option<Status> {
        let trial = number_trial(self.asked.find_number(id)?, trial, self.trials)?;
        self.seen.get(trial).copied().flatten()
    }
}

/// Returns the number, from 0, of a trial (from 1) of the instance with this number (from 0) among all trials of a run; `None` if the run has no such trial.
pub fn number_trial(instance: usize, trial: u32, trials: u32) -> Option<usize> {
    let within = trial.checked_sub(1).filter(|_| trial <= trials)?;
    Some(instance * trials as usize + within as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_failure_is_replaced() {
        let asked: IdTable = ["a"].into_iter().collect();
        let mut counted = ResponseFilter::new(&asked, 2);
        assert_eq!(counted.register_line("a", 1, Status::Failed), Some(0));
        assert_eq!(counted.register_line("a", 1, Status::Failed), Some(0));
        assert_eq!(counted.register_line("a", 1, Status::Timeout), Some(0));
        assert_eq!(counted.register_line("a", 1, Status::Done), None);
        assert_eq!(counted.register_line("a", 2, Status::Done), Some(1));
        assert_eq!([0, 3].map(|trial| counted.register_line("a", trial, Status::Done)), [None; 2]);
        assert_eq!(counted.register_line("b", 1, Status::Done), None);
        assert_eq!(counted.ignored, Ignored { unknown: 1, repeated: 1, beyond: 2 });
        let statuses = [1, 2, 3].map(|trial| counted.find_status("a", trial));
        assert_eq!((counted.asked_again, statuses), (2, [Some(Status::Timeout), Some(Status::Done), None]));
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
