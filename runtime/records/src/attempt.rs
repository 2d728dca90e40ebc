//! What the SQL that an agent ran on the way came to.

use serde::{Deserialize, Serialize};

model::worded! {
    /// What one statement of SQL came to, as the scorer ran it. A stable word.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Class {
        /// SQLite cannot read it.
        Syntax = "syntax",
        /// It names a database that does not exist.
        NoDatabase = "no_database",
        /// It names a table that is not there.
        UnknownTable = "unknown_table",
        /// It names a column that is not there.
        UnknownColumn = "unknown_column",
        /// It is not run: it writes, reads the clock, or has another mistake.
        Refused = "refused",
        /// It ran too long, or gave too many rows.
        Limit = "limit",
        /// It gives no rows, and the expected result has some.
        Empty = "empty",
        /// It gives other rows.
        Differs = "differs",
        /// It gives the expected rows.
        Right = "right",
        /// It ran on another database, after a change of this one, or after too many others.
        Unscored = "unscored",
    }
}

model::words_in_json!(Class);

impl Class {
    /// Whether SQLite gave an error instead of rows.
    pub fn is_failed(self) -> bool {
        matches!(
            self,
            Class::Syntax
                | Class::NoDatabase
                | Class::UnknownTable
                | Class::UnknownColumn
                | Class::Refused
                | Class::Limit
        )
    }
}

/// One call of `run_sql`, scored after the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    /// The number of the call among all calls of tools, from 1; of a program that lists its SQL, the number in its list.
    pub call: u32,
    /// What it came to.
    pub class: Class,
}

/// The number of the first right one among those that were scored, from 1.
pub fn find_first_right(attempts: &[Attempt]) -> Option<u32> {
    let at = iter_scored(attempts).position(|attempt| attempt.class == Class::Right)?;
    u32::try_from(at + 1).ok()
}

/// Those that were scored.
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
