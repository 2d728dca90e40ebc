//! Reads and writes tables in files: pure functions of bytes, independent of the language and the disk.
//!
//! ```text
//! bytes ─encoding→ text ─records→ Grid ─region, header→ Records ─read→ TableData ─join→ Table
//! ```
//!
//! | module | what |
//! | --- | --- |
//! | `encoding` | bytes and characters, by frozen tables |
//! | `gzip` | packs files, and unpacks them |
//! | `layout` | the position of the table in a file, as declared |
//! | `raw`, `grid`, `records` | cells and records of a file before its columns have types |
//! | `workbook`, `tree`, `page` | the cells of workbooks; the content of JSON, JSON Lines, YAML, and XML; the tables of HTML pages |
//! | `region`, `header` | the records that are the table, and the names of its columns |
//! | `shape` | the columns of a table, as declared |
//! | `unpivot` | columns that become rows |
//! | `cell_type`, `misfit` | the types of cells, and the reasons why a cell is not a value of its type |
//! | `plain`, `cell` | texts in the usual form of a type; reading the cells of a column |
//! | `pattern` | the form of a value in a cell, for reading and writing |
//! | `affixes` | the text around a number, and its possible meaning |
//! | `line` | cells in a line of text, for reading and writing |
//! | `write` | writing a table to the bytes of a file, and the reader for that form |
//! | `domain_checker` | checks whether a value belongs to a domain |
//! | `guess` | guesses the type of a column, and reports what remains open |
//! | `propose` | proposals for a column whose cells do not fit |
//! | `fault` | differences between a file and its shape: facts, without sentences |
//! | `unreadable` | the reason why a file cannot be read, in the words of its reader |
//! | `limits` | limits of sizes |
//! | `show` | cells in messages |

pub mod affixes;
pub mod cell;
pub mod cell_type;
pub mod domain_checker;
pub mod encoding;
pub mod fault;
mod grid;
pub mod guess;
pub mod gzip;
pub mod header;
pub mod layout;
pub mod limits;
pub mod line;
pub mod misfit;
mod page;
pub mod pattern;
mod plain;
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
pub mod unreadable;
pub mod workbook;
pub mod write;

pub use cell::Reading;
pub use cell_type::CellType;
pub use domain_checker::{DomainChecker, DomainViolation};
pub use encoding::{Encoding, Undecodable};
pub use fault::{Fault, FaultKind, UnpivotFault};
pub use grid::Entry;
pub use guess::{ColumnFormat, ColumnNote, Guess, TwoPatterns, guess_column};
pub use layout::{Layout, Skip, Until};
pub use line::{Line, LineError, Piece, TooTangled};
pub use misfit::{Misfit, Misfits};
pub use pattern::{Dropped, Pattern, PatternError, PatternErrorKind};
pub use propose::{Proposal, Proposed, propose_reading};
pub use raw::{Raw, Record, Records, Shown, UnreadRecords, UnreadRegions};
pub use read::{TableData, read_table};
pub use records::{Choice, list_choices, read_entries, read_records};
pub use shape::{Column, Place, Shape};
pub use unpivot::{Headers, Unpivot, UnpivotError, UnpivotRow, Values};
pub use unreadable::Unreadable;
