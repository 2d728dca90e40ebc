//! Mutants: sources of this repository with random changes that suit the language, checked with `check`, `fmt`, and the fixes.
//!
//! The properties that each must have are in [`judge`]. A mutant is a pure function of the corpus, a seed and its index
//! ([`mutate::generate_mutant`]): one line of a report is enough to make it again.

pub mod corpus;
pub mod judge;
pub mod mutate;
pub mod scan;
pub mod tally;
