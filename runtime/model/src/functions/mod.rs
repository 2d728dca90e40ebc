//! The functions of the standard library: their computations and properties. Signatures and documentation are in `stdlib/1/functions.pcd`.
//!
//! Each module has one row for each of its functions, a [`Record`], next to the kernel that computes it. The runtime and facts run kernels; no other
//! code identifies a function by its name. A computation that needs files or databases is a [`Reader`], and the runtime does not compile without an
//! implementation of each.
//!
//! | file | concept |
//! | --- | --- |
//! | `record` | a function and its kernel |
//! | `properties` | what a record says of results and arguments |
//! | `inputs` | the values passed to a kernel; `error`: the reasons why it has no result |
//! | `numbers`, `texts`, `lists`, `calendar` | functions of values |
//! | `aggregates` | functions of columns and lists; `totals`: exact sums and extremes |
//! | `statistics` | functions of numbers, or of pairs of them, in the rows of a table |
//! | `reading` | functions of files, databases, and queries |

mod aggregates;
mod calendar;
mod error;
mod inputs;
mod lists;
mod numbers;
mod properties;
mod reading;
mod record;
mod statistics;
mod texts;
mod totals;

pub use aggregates::{AVG, COUNT, DISTINCT_COUNT, FIRST, LAST, LIST, MAX, MEDIAN, MIN, MODE, PSTDEV, STDEV, SUM};
pub use calendar::{DAY, DAYS_BETWEEN, MONTH, WEEKDAY, YEAR};
pub use error::{FunctionError, Made};
pub use inputs::{Inputs, describe_value, read_number};
pub use lists::{JOIN, LEN, NTH, has_item};
pub use numbers::{ABS, CEIL, FLOOR, GREATEST, LEAST, MOD, TO_DECIMAL, TO_INT};
pub use reading::{CHANGED, DESCRIBE};
pub use record::{
    Aggregate, Arranges, Edit, Family, Fold, Fraction, FunctionId, Keeps, Kernel, MAX_COUNT, Order, Period, Pick,
    Points, Position, QueryResult, Question, Reader, Record, Restates, Results, Values,
};
pub use statistics::{CHI2_P, QUANTILE};
pub use texts::{CONTAINS, ENDS_WITH, LOWER, PAD_LEFT, REPLACE, SLICE, SPLIT, STARTS_WITH, UPPER};
pub use totals::{Extreme, Total};

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_is_given_twice() {
        let mut names: Vec<&str> =
            iter_functions().flat_map(|function| function.also.iter().copied().chain([function.name])).collect();
        names.sort_unstable();
        let twice: Vec<_> = names.windows(2).filter(|pair| pair[0] == pair[1]).collect();
        assert!(twice.is_empty(), "{twice:?}");
    }
}
