//! Reads and writes tables in files: pure functions of bytes, independent of the language and the disk.
//!
//! ```text
//! bytes ─encoding→ text ─records→ Grid ─region, header→ Records ─read→ TableData ─join→ Table
//! ```
//!
//! | module | what |
//! | --- | --- |
//! | `encoding` | bytes and characters, by frozen tables |
//! | `layout` | the position of the table in a file, as declared |
//! | `records`, `raw` | the records of a file before its columns have types |
//! | `workbook`, `tree`, `page` | the cells of workbooks; the content of JSON, YAML, and XML; the tables of HTML pages |
//! | `region`, `header` | the records that are the table, and the names of its columns |
//! | `shape` | the columns of a table, as declared |
//! | `unpivot` | columns that become rows |
//! | `cell` | reading the cells of a column |
//! | `pattern` | the form of a value in a cell, for reading and writing |
//! | `line` | cells in a line of text, for reading and writing |
//! | `write` | writing a table to the bytes of a file, and the reader for that form |
//! | `domain_checker` | checks whether a value belongs to a domain |
//! | `guess` | guesses the type of a column, and reports what remains open |
//! | `propose` | proposals for a column whose cells do not fit |
//! | `fault` | differences between a file and its shape: facts, without sentences |
//! | `limits` | limits of sizes |
//! | `show` | cells in messages |

pub mod cell;
pub mod domain_checker;
pub mod encoding;
pub mod fault;
pub mod guess;
pub mod header;
pub mod layout;
pub mod limits;
pub mod line;
mod page;
pub mod pattern;
pub mod propose;
#[cfg(test)]
mod python;
pub mod raw;
pub mod read;
pub mod records;
mod region;
pub mod shape;
pub mod show;
pub mod tree;
pub mod unpivot;
pub mod workbook;
pub mod write;

pub use cell::{CellType, Misfit, Reading};
pub use domain_checker::{DomainChecker, DomainViolation};
pub use encoding::{Encoding, Undecodable};
pub use fault::{Fault, FaultKind, Unreadable};
pub use guess::{ColumnFormat, ColumnNote, Guess, guess_column};
pub use layout::{Layout, Skip, Until};
pub use line::{Line, LineError, Piece, TooTangled};
pub use pattern::{Dropped, Pattern, PatternError, PatternErrorKind};
pub use propose::{Proposal, Proposed, propose_reading};
pub use raw::{Raw, Record, Records, Shown, UnreadRecords, UnreadRegions};
pub use read::{Misfits, TableData, read_table};
pub use records::{Choice, Entry, list_choices, read_entries, read_records};
pub use shape::{Column, Place, Shape};
pub use unpivot::{Headers, Unpivot, UnpivotError, UnpivotFault, UnpivotRow, Values};
