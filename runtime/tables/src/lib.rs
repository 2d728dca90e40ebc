//! How a table is in a file: pure functions of bytes, which know no language and no disk.
//!
//! ```text
//! bytes ─encoding→ text ─records→ Grid ─region, header→ Records ─read→ TableData ─join→ Table
//! ```
//!
//! | module | what |
//! | --- | --- |
//! | `encoding` | bytes and characters, by frozen tables |
//! | `layout` | what an author says of a file: where in it the table is |
//! | `records`, `raw` | the records of a file before any of its columns has a type |
//! | `workbook`, `tree`, `page` | the cells of workbooks; what JSON, YAML, and XML say; the tables of HTML pages |
//! | `region`, `header` | which of them are the table, and what its columns are called |
//! | `shape` | what an author says of a table: its columns |
//! | `unpivot` | columns that become rows |
//! | `cell` | how the cells of a column are read |
//! | `pattern` | how a value is written in a cell, both ways |
//! | `line` | how cells make a line of text, both ways |
//! | `write` | a table to the bytes of a file, and the reader that follows from how it is written |
//! | `domain_checker` | whether a value is one of a domain |
//! | `guess` | the one guesser of what a column is, and what it leaves open |
//! | `propose` | what an author may have meant by a column whose cells do not fit |
//! | `fault` | what a file has that its shape does not allow: facts, without sentences |
//! | `limits` | how much is read |
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
pub use guess::{ColumnFormat, ColumnNote, Guess, guess};
pub use layout::{Layout, Skip, Until};
pub use line::{Line, LineError, Piece, TooTangled};
pub use pattern::{Dropped, Pattern, PatternError, PatternErrorKind};
pub use propose::{Proposal, Proposed, propose_reading};
pub use raw::{Raw, Record, Records, Shown, UnreadRecords, UnreadRegions};
pub use read::{Misfits, TableData, read_table};
pub use records::{Choice, Entry, choices, entries, records};
pub use shape::{Column, Place, Shape};
pub use unpivot::{Headers, Unpivot, UnpivotError, UnpivotFault, UnpivotRow, Values};
