//! How probable values are: the laws of drawn values, followed through expressions, conditions, and aggregates.
//!
//! A law counts draws as independent, which they are: each cell and each name is drawn on its own. Where values are drawn together, or depend on the same draw,
//! nothing is inferred. Laws of sums and means are approximated. So they are evidence for heuristics; proofs use [`hir::facts`].
//!
//! | file | concept |
//! | --- | --- |
//! | `law` | a law: its construction, moments, and combination |
//! | `accepted` | the reply that is correct most often under a law |
//! | `sources` | the draws on which an expression depends |
//! | `laws` | the laws of expressions |
//! | `rows` | the laws of aggregates over rows |
//! | `totals` | queries that are one aggregate over the rows of a table |
//! | `guessable` | `vacuous_expectation` for tolerances, `likely_answer` |

mod accepted;
mod guessable;
mod law;
mod laws;
mod rows;
mod sources;
mod totals;

pub(super) use accepted::{Tolerance, find_likeliest};
pub(super) use guessable::report_guessable_answers;
pub(super) use law::Law;
