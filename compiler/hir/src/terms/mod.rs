//! The possible values of the terms of a query, as SQLite stores and computes them: numbers are ints and doubles, dates are texts, and booleans are 1 and 0.
//!
//! As for [`facts`](crate::facts), what is inferred may be imprecise but is never wrong. Short lists of values are computed value by value.
//!
//! | file | concept |
//! | --- | --- |
//! | `known` | what is known of a value, and its conversion from a fact |
//! | `infer` | the possible values of a term |
//! | `combine` | functions computed for all combinations of values |
//! | `compare` | the possible results of comparisons |
//! | `arithmetic` | operators on numbers |
//! | `functions` | SQLite's functions on values |
//! | `moments` | dates, datetimes, and their modifiers |
//! | `strftime` | the formats of `strftime` |
//! | `calendar` | date functions on ranges of days and moments |
//! | `calls` | calls on what is known of their arguments |
//! | `gathered` | aggregates and functions of windows |
//! | `texts` | sets of texts too large to list, read character by character |
//! | `fillers` | filler texts |
//! | `readers` | questions about texts: comparisons, patterns, lengths |
//! | `regexes` | regular expressions of texts |
//! | `same` | terms that have the same value wherever neither is null |
//! | `truth` | whether a condition can be true, false, or null |

mod arithmetic;
mod calendar;
mod calls;
mod combine;
mod compare;
mod fillers;
pub mod functions;
mod gathered;
mod infer;
mod known;
mod moments;
mod readers;
mod regexes;
mod same;
mod strftime;
mod texts;
mod truth;

pub use calls::{infer_call as call_function, measure_text};
pub use compare::{Outcomes, compare_known};
pub use fillers::build_filler;
pub use infer::{TermFacts, find_cell_slot, find_result_slot, is_stored_otherwise};
pub use known::{Known, convert_to_stored};
pub use readers::{count_marks, match_pattern as match_texts, measure_lengths, quote_for_glob};
pub use regexes::{Extent, match_regex};
pub use texts::{Case, States, Texts, Work};
