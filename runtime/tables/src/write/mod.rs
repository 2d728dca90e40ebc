//! Writes a table to the bytes of a file in its declared form, and derives the reader for that form.
//!
//! ```text
//! values ─style→ cells ─quote, line→ text ─encoding→ bytes ─build_shape, read→ values ─folds→ the same
//! ```
//!
//! | file | what |
//! | --- | --- |
//! | `table_layout` | the form of a file, and the shape that reads it |
//! | `writer` | rows to text and bytes |
//! | `objects` | the lines of JSON Lines |
//! | `parquet` | Parquet files, from values instead of cells |
//! | `quote` | the separators of cells: the only code that quotes cells |
//! | `header` | the rows of a header |
//! | `style` | a value to its cell: letter case, spaces, pattern, mark |
//! | `fold` | texts that a style makes equal |
//! | `readback` | bytes, read again and compared with the values |

mod fold;
mod header;
mod objects;
mod parquet;
mod quote;
mod readback;
mod style;
mod table_layout;
#[cfg(test)]
mod tests;
mod writer;

pub use fold::Folds;
pub use objects::ObjectLine;
pub use parquet::{ParquetRefusal, write_parquet};
pub use quote::Quoting;
pub use readback::{Checked, LossReason, ReadbackLoss, check_back};
pub use style::{Style, build_reading, list_cases, list_letter_forms, vary_case, vary_space, vary_text};
pub use table_layout::{Refusal, TableLayout, Unwritable, build_shape};
pub use writer::{CellKind, Writer};
