//! The functions of the standard library: their computations and properties. Signatures and documentation are in `stdlib/1/functions.pcd`.
//!
//! Each module has one row for each of its functions, a [`Record`], next to the kernel that computes it. The runtime and facts run kernels; no other
//! code identifies a function by its name. A computation that needs files or databases is a [`Reader`], and the runtime does not compile without an
//! implementation of each.
//!
//! | file | concept |
//! | --- | --- |
//! | `record` | properties of a function |
//! | `inputs` | the values passed to a kernel; `error`: the reasons why it has no result |
//! | `numbers`, `texts`, `lists`, `calendar` | functions of values |
//! | `aggregates` | functions of columns and lists; `totals`: exact sums and extremes |
//! | `statistics` | functions of numbers, or of pairs of them, in the rows of a table |
//! | `reading` | functions of files, databases, and queries |

/// Declares a module's functions: a constant for each, and the list of all.
macro_rules! functions {
    ($($(#[$meta:meta])* $id:ident = $record:expr;)*) => {
        $(
            $(#[$meta])*
            pub const $id: $crate::functions::FunctionId = {
                const RECORD: &$crate::functions::Record = &$record;
                $crate::functions::FunctionId(RECORD)
            };
        )*
        pub(super) const FUNCTIONS: &[$crate::functions::FunctionId] = &[$($id),*];
    };
}

mod aggregates;
mod calendar;
mod error;
mod inputs;
mod lists;
mod numbers;
mod reading;
mod record;
mod statistics;
mod texts;
mod totals;

use std::fmt;
use std::ops::Deref;

use serde::{Serialize, Serializer};

pub use aggregates::{AVG, COUNT, FIRST, LIST, MAX, MEDIAN, MIN};
pub use error::FunctionError;
pub use inputs::{Inputs, describe_value};
pub use lists::has_item;
pub use reading::{CHANGED, DESCRIBE};
pub use record::{
    Edit, Family, Fold, Fraction, Keeps, Kernel, Made, Order, Pick, Points, Position, QueryResult, Question, Reader,
    Record, Results, Values,
};
pub use totals::{Extreme, Total};

/// A function of the standard library. It dereferences to its record.
#[derive(Clone, Copy)]
pub struct FunctionId(&'static Record);

const ROOMS: [&[FunctionId]; 7] = [
    numbers::FUNCTIONS,
    texts::FUNCTIONS,
    lists::FUNCTIONS,
    calendar::FUNCTIONS,
    aggregates::FUNCTIONS,
    statistics::FUNCTIONS,
    reading::FUNCTIONS,
];

/// Returns all functions, module by module.
pub fn iter_functions() -> impl Iterator<Item = FunctionId> {
    ROOMS.into_iter().flatten().copied()
}

impl FunctionId {
    /// Returns the function with this name.
    pub fn from_name(name: &str) -> Option<FunctionId> {
        iter_functions().find(|function| function.name == name)
    }

    /// Returns the function for another question about paths into the same files.
    pub fn find_sibling(self, asked: Question) -> Option<FunctionId> {
        let Kernel::Path(own, _) = self.kernel else { return None };
        iter_functions()
            .find(|other| matches!(other.kernel, Kernel::Path(family, question) if family == own && question == asked))
    }
}

impl Deref for FunctionId {
    type Target = Record;

    fn deref(&self) -> &Record {
        self.0
    }
}

impl PartialEq for FunctionId {
    fn eq(&self, other: &FunctionId) -> bool {
        self.name == other.name
    }
}

impl Eq for FunctionId {}

impl fmt::Debug for FunctionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.name)
    }
}

impl fmt::Display for FunctionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Serialize for FunctionId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_is_given_twice() {
        let mut names: Vec<&str> =
            iter_functions().flat_map(|function| function.also.iter().chain([&function.0.name])).copied().collect();
        names.sort_unstable();
        let twice: Vec<_> = names.windows(2).filter(|pair| pair[0] == pair[1]).collect();
        assert!(twice.is_empty(), "{twice:?}");
    }
}
