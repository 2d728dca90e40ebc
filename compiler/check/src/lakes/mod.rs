//! Files on disk that are read as tables with declared columns: the declaration becomes a [`tables::Shape`], and the content becomes the rows of a
//! relation. All of this happens at check time; later stages only see values.
//!
//! | file | what |
//! | --- | --- |
//! | `listing` | the files of a lake, and the rules that their paths must meet |
//! | `layout` | the options of a path |
//! | `domain` | the domain of a column: the type of its cells, and what is proved of them |
//! | `shape` | the columns |
//! | `styles` | patterns of cells, headers of `unpivot`, and `line`, with their diagnostics |
//! | `sources` | the files that are read as a table, and the origin of each of its rows |
//! | `read` | converts files to values; cached for the process |
//! | `faults` | diagnostics for files |
//! | `fixes` | possible fixes for files that do not match their declaration |
//! | `misfits` | diagnostics for cells |
//! | `misread` | what a file says of itself, and its declaration otherwise |
//! | `computed` | computed columns |
//! | `exposed_files` | the files of a lake that a task gives to the agent |
//! | `keys` | proved keys |
//! | `table` | the declaration of a table that is read from files |
//! | `views` | lakes and their views, in their declaration and in a task |
//! | `undeclared` | tables whose columns are not declared but inferred |

mod computed;
mod domain;
mod exposed_files;
mod faults;
mod fixes;
mod keys;
mod layout;
mod listing;
mod misfits;
mod misread;
pub(crate) mod packed;
mod read;
mod shape;
mod sources;
mod styles;
mod table;
mod undeclared;
mod views;

pub(crate) use styles::{Lined, describe_dropped};
pub(crate) use table::Table;

use crate::context::TaskChecker;

/// The checks of files on disk and of lakes, for one task or for the declarations of the suite.
pub(crate) struct LakeChecker<'t, 'c, 'a> {
    task: &'t mut TaskChecker<'c, 'a>,
}

impl<'t, 'c, 'a> LakeChecker<'t, 'c, 'a> {
    pub fn new(task: &'t mut TaskChecker<'c, 'a>) -> LakeChecker<'t, 'c, 'a> {
        LakeChecker { task }
    }
}
