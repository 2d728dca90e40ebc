//! A table to the bytes of a file, as its author's form says, and the reader that follows from the form.
//!
//! ```text
//! values ─style→ cells ─quote, line→ text ─encoding→ bytes ─shape_of, read→ values ─folds→ the same
//! ```
//!
//! | file | what |
//! | --- | --- |
//! | `dress` | how a file is written, and the shape that reads it |
//! | `writer` | rows to text and bytes |
//! | `quote` | what is between the cells of a record: the one place that puts cells in quotes |
//! | `header` | the rows of a header |
//! | `style` | a value to its cell: letter case, blanks, pattern, mark |
//! | `fold` | what a style makes equal |
//! | `back` | bytes, read again and compared with the values |

mod back;
mod dress;
mod fold;
mod header;
mod quote;
mod style;
#[cfg(test)]
mod tests;
mod writer;

pub use back::{Checked, Lost, Why, check_back};
pub use dress::{Dress, Refusal, Unwritable, shape_of};
pub use fold::Folds;
pub use quote::Quoting;
pub use style::{Style, cases, reading, vary_case, vary_space};
pub use writer::Writer;
