//! The results of the SQL that an agent ran before its answer.

use serde::{Deserialize, Serialize};

model::worded! {
    /// The result of one SQL statement in the scorer's run. A stable word.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Class {
        /// SQLite cannot parse it.
        Syntax = "syntax",
        /// It names a database that does not exist.
        NoDatabase = "no_database",
        /// It names a table that does not exist.
        UnknownTable = "unknown_table",
        /// It names a column that does not exist.
        UnknownColumn = "unknown_column",
        /// It is not run, because it writes, reads the clock, or has another mistake.
        Refused = "refused",
        /// It ran too long, or returned too many rows.
        Limit = "limit",
        /// It returns no rows, but the expected result has some.
        Empty = "empty",
        /// It returns other rows.
        Differs = "differs",
        /// It returns the expected rows.
        Right = "right",
        /// It ran on another database, after a change of this one, or after too many other statements.
        Unscored = "unscored",
    }
}

model::words_in_json!(Class);

impl Class {
    /// Checks whether SQLite returned an error instead of rows.
    pub fn is_failed(self) -> bool {
        !matches!(self, Class::Empty | Class::Differs | Class::Right | Class::Unscored)
    }
}

/// One call of `run_sql`, scored after the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    /// The number of the call among all tool calls, from 1; for a program that lists its SQL, the number in its list.
    pub call: u32,
    /// Its result.
    pub class: Class,
}

/// Returns the number of the first correct attempt among the scored ones, from 1.
///
/// ```
/// use records::attempt::{Attempt, Class, find_first_right};
///
/// let attempts = |classes: &[Class]| classes.iter().zip(1..).map(|(class, call)| Attempt { call, class: *class }).collect::<Vec<_>>();
/// assert_eq!(find_first_right(&attempts(&[Class::Syntax, Class::Differs, Class::Right])), Some(3));
/// // A call that was not scored does not count.
/// assert_eq!(find_first_right(&attempts(&[Class::Unscored, Class::Right])), Some(1));
/// assert_eq!(find_first_right(&attempts(&[Class::Empty])), None);
/// ```
pub fn find_first_right(attempts: &[Attempt]) -> Option<u32> {
    let at = iter_scored(attempts).position(|attempt| attempt.class == Class::Right)?;
    u32::try_from(at + 1).ok()
}

/// Returns the scored attempts.
pub fn iter_scored(attempts: &[Attempt]) -> impl Iterator<Item = &Attempt> {
    attempts.iter().filter(|attempt| attempt.class != Class::Unscored)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_scored_is_no_attempt() {
        let attempts = |classes: &[Class]| -> Vec<Attempt> {
            (1..).zip(classes).map(|(call, class)| Attempt { call, class: *class }).collect()
        };
        assert_eq!(find_first_right(&attempts(&[Class::Unscored, Class::Syntax, Class::Right, Class::Right])), Some(2));
        assert_eq!(find_first_right(&attempts(&[Class::Empty, Class::Unscored])), None);
        assert_eq!(
            serde_json::to_string(&attempts(&[Class::UnknownColumn])).ok().as_deref(),
            Some(r#"[{"call":1,"class":"unknown_column"}]"#)
        );
    }
}
