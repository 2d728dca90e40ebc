//! SQLite as the product uses it: the only place that opens a connection. Whatever its author writes, a query here is a
//! function of its text and its database: no clock, no randomness, no other file; and it ends, after a limited number
//! of steps and a limited amount of memory.
//!
//! | module | what |
//! | --- | --- |
//! | `rules` | what a query may do and take, one value for each of those who write SQL |
//! | `database` | databases in memory, from bytes or empty, and queries run within the rules |
//! | `results` | the result of one query that reads, as replies and gold queries are run |
//! | `meter` | what the query of a thread has taken so far |
//! | `budget` | memory that the queries of the process share: who needs much waits |
//! | `functions` | SQLite's functions that take longer than their arguments are long, with their work counted |
//! | `math` | SQLite's functions of real numbers, the same to the bit on every machine |
//! | `statistics` | the library's statistics as functions of an author's SQL |
//! | `ffi` | what rusqlite does not offer; the only unsafe code |
//! | `prepare` | the compiler's way to SQLite: queries prepared and never run |
//! | `schema_description` | what a description of a database tells, and what a query reads |
//! | `stored` | databases that are fixtures, read whole |
//! | `state` | what is in a database: read, changed by statements, brought to another state, and what a log or journal next to it means |

mod budget;
mod database;
mod ffi;
mod functions;
mod math;
mod meter;
mod prepare;
pub mod render;
mod results;
mod rules;
mod schema_description;
pub mod state;
mod statistics;
mod stored;

pub use database::{Database, QueryError, RefusalKind, describe_error, limit_of, read_value};
pub use ffi::init_process;
pub use meter::{ExceededLimit, StepBudget, is_stopped, stop_all};
pub use prepare::PreparedSchemas;
pub use results::{MAX_BYTES, MAX_ROWS, NoResult, Table, run_query, to_suite_value};
pub use rules::{AUTHOR, Bounds, CHANGE, CHECKED, FIXTURE, GIVEN, GOLD, REPLY, Rules, TOOL, Writes};
pub use schema_description::{Read, describe_tables, list_qualified_reads, list_reads};
