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
    /// It fails unless this is a number from one end to the other one, or null.
    Beyond(Term, f64, f64),
    /// It fails unless this is a number of degrees of freedom; the larger it is, the longer it takes.
    Freedom(Term),
    /// It fails unless this is a format that asks for no long texts, or null.
    Format(Term),
    /// It fails if one of these is `now`, or asks for local time.
    Clock(Vec<Term>),
    /// It fails if two of these are the same, or two values of the only one, a column.
    Repeated(Vec<Term>),
    /// It fails if this number of bytes is too large.
    Size(Term),
    /// It fails unless this is JSON, or null.
    Json(Term),
    /// Not known is only how many rows a table of WITH has that reads itself.
    Growth(Growth),
    /// It never fails, but what it returns can depend on the order of rows. Only statements of `after` must not.
    Order,
}

/// The number of rows of a table of WITH that reads itself.
#[derive(Clone, Debug, PartialEq)]
pub enum Growth {
    /// Rows differ, and each column has only values of these terms: those of tables, or the same for all rows.
    Picked(Vec<Vec<Term>>),
    /// One row after the other, each with a number or a day that is `step` larger than that of the row before, until it reaches the end.
    Counted {
        /// The number or day of the first row.
        start: Term,
        /// How much larger each further one is, in days if it is a day.
        step: i64,
        /// The last number or day, except for the one after it.
        end: Term,
    },
}

impl Risk {
    /// The terms on which it depends.
    pub fn list_terms(&self) -> Vec<&Term> {
        match self {
            Risk::Open | Risk::Order => Vec::new(),
            Risk::Overflow(term)
            | Risk::Beyond(term, ..)
            | Risk::Freedom(term)
            | Risk::Format(term)
            | Risk::Size(term)
            | Risk::Json(term) => vec![term],
            Risk::Numbers(terms) | Risk::Clock(terms) | Risk::Repeated(terms) => terms.iter().collect(),
            Risk::Growth(Growth::Picked(columns)) => columns.iter().flatten().collect(),
            Risk::Growth(Growth::Counted { start, end, .. }) => vec![start, end],
        }
    }
}
