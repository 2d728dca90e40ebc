//! Files that are on the disk and are read as tables whose columns are declared: how the author says a file is read becomes a
//! [`tables::Shape`], and what it reads becomes the rows of a relation. All of it is done at check; what goes on from here are values.
//!
//! | file | what |
//! | --- | --- |
//! | `listing` | the files of a lake, and the rules that their paths must meet |
//! | `layout` | the options of a path |
//! | `domain` | the domain of a column, as what its cells are and what is proved of them |
//! | `shape` | the columns |
//! | `styles` | patterns of cells, headers of `unpivot`, and `line`, with what is wrong with them in words |
//! | `read` | files, to values; kept for the process |
//! | `faults` | what is wrong with a file, in words |
//! | `fixes` | edits that may be meant where a file is not as declared |
//! | `misfits` | what is wrong with its cells, in words |
//! | `computed` | computed columns |
//! | `exposed_files` | which files of a lake a task hands out |
//! | `keys` | proved keys |
//! | `views` | lakes and their views, as declared and in a task |
//! | `undeclared` | tables whose columns are those of their files |

mod computed;
mod domain;
mod exposed_files;
mod faults;
mod fixes;
mod keys;
mod layout;
mod listing;
mod misfits;
mod read;
mod shape;
mod styles;
mod undeclared;
mod views;

pub(in crate::check) use domain::is_type;
pub(in crate::check) use styles::Lined;
pub(in crate::check) use views::Table;
