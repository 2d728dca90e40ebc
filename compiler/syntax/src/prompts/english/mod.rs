//! The words of English prompts. No list is here twice; a list that resembles another one has other words because another lint asks it.
//!
//! | file | its lists |
//! | --- | --- |
//! | `questions` | [`ENGLISH`]: all words by which prompts are compared with what their answers compute; the next six have its longest lists |
//! | `comparisons` | "more than", before and after a value |
//! | `aggregates` | sums, counts, and means; extremes; orders |
//! | `changes` | verbs for changes of files and rows |
//! | `rows` | the order of rows in time, the columns that sort, and the limits of the agent |
//! | `turned` | superlatives of measures of which less is more |
//! | `units` | units of measurement, also as files write them |
//! | `marks` | how files write dates and numbers, and what marks in them mean |
//! | `files` | copies of files, files that count, and opposite names of columns |
//! | `data` | what a prompt says of the data: limits, conditions, synonyms, numbers, months, and the words that say nothing of it |
//! | `queries` | what a question says of its rows: pairs, repeated rows, missing values, groups, and places |
//! | `lints` | lists that a single lint asks |

pub mod aggregates;
pub mod changes;
pub mod comparisons;
pub mod data;
pub mod files;
pub mod lints;
pub mod marks;
pub mod queries;
mod questions;
pub mod rows;
pub mod turned;
pub mod units;

pub use questions::ENGLISH;
