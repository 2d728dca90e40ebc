//! The parts of a query for which SQLite has no result with some values: then the query fails, and with it the build.
//!
//! Only what is known to fail never is left out. So a query without risks never fails, except for too much work, and for outputs that the language has no
//! values for.

use super::terms::Term;

/// A part of a query that has no result for some values.
#[derive(Clone, Debug, PartialEq)]
pub enum Risk {
    /// It is not known when it fails.
    Open,
    /// It fails if this number does not fit into an int: a sum, or the argument of `abs`.
    Overflow(Term),
    /// It fails unless these are numbers, or null, and not too large.
    Numbers(Vec<Term>),
    /// It fails unless this is a share from 0 to 1.
    Share(Term),
    /// It fails if one of these is `now`, or asks for local time.
    Clock(Vec<Term>),
}
