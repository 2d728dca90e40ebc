//! SQLite as used by the product: the only code that opens a connection. Regardless of its author, a query depends only on its text and its database,
//! not on a clock, random numbers, or another file. It ends after a limited number of steps and with a limited amount of memory.
//!
//! | module | what |
//! | --- | --- |
//! | `rules` | the permissions and limits of a query, one value for each origin of SQL |
//! | `database` | in-memory databases, from bytes or empty, and queries within the rules |
//! | `results` | the result of one reading query, for replies and gold queries |
//! | `meter` | the resources that the query of a thread has used |
//! | `budget` | memory shared by the queries of the process: a query that needs much waits |
//! | `functions` | SQLite's functions whose time exceeds the length of their arguments, with counted work |
//! | `math` | SQLite's functions of real numbers, equal to the bit on every machine |
//! | `statistics` | the library's statistics as functions of an author's SQL |
//! | `ffi` | the parts of SQLite's interface that rusqlite lacks; the only unsafe code |
//! | `prepare` | the compiler's interface to SQLite: queries are prepared, and run only on the rows of examples |
//! | `examples` | queries on a few rows, for examples in messages |
//! | `schema_description` | the content of a database's description, and the tables and columns that a query reads |
//! | `stored` | databases that are fixtures, read whole |
//! | `state` | the content of a database: read, changed by statements, converted to another state, and recovered with the log or journal next to it |

mod budget;
mod database;
mod examples;
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

pub use database::{Database, QueryError, describe_error, limit_of, read_value};
pub use ffi::init_process;
pub use meter::{ExceededLimit, StepBudget, is_stopped, stop_all};
pub use prepare::PreparedSchemas;
pub use results::{MAX_BYTES, MAX_ROWS, NoResult, Table, run_query, to_suite_value};
pub use rules::{AUTHOR, Bounds, CHANGE, CHECKED, FIXTURE, GIVEN, GOLD, REPLY, RefusalKind, Rules, TOOL, Writes};
pub use schema_description::{Read, describe_tables, list_qualified_reads, list_reads};
