//! The functions of SQLite that a query may call, and whether each is deterministic. Functions that are not in these tables are forbidden.

use crate::functions::FunctionId;

/// Whether a function always returns the same result for the same arguments and tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Determinism {
    /// It is deterministic. This includes date and time functions, which read the clock only for `'now'`; the clock accounts for that.
    Steady,
    /// It reads the clock.
    Clock,
    /// It depends on random numbers.
    Chance,
    /// It depends on the build of SQLite.
    Build,
    /// It depends on earlier statements of the connection.
    Session,
}

impl Determinism {
    /// Describes the dependency for a sentence; empty for [`Determinism::Steady`].
    pub fn describe_dependency(self) -> &'static str {
        match self {
            Determinism::Steady => "",
            Determinism::Clock => "the clock",
            Determinism::Chance => "chance",
            Determinism::Build => "the build of SQLite",
            Determinism::Session => "earlier statements",
        }
    }
}

/// Deterministic functions that take one step of limited duration. `json_patch` is excluded, because its time grows with the square of the text length.
const STEADY: &str = include_str!("steady.txt");

/// Functions of the library that an author's SQL provides too (`sqlite::Rules::statistics`). They are deterministic.
const STATISTICS: &[&str] = &["chi2_p", "corr", "intercept", "interpolate", "pstdev", "quantile", "slope", "stdev"];

/// Returns the library function that an author's SQL calls by this name, in any letter case.
pub fn find_statistic(name: &str) -> Option<FunctionId> {
    STATISTICS.iter().find(|known| known.eq_ignore_ascii_case(name)).and_then(|known| FunctionId::from_name(known))
}

/// Functions that are not deterministic, with their dependency.
const FICKLE: &[(&str, Determinism)] = &[
    ("changes", Determinism::Session),
    ("current_date", Determinism::Clock),
    ("current_time", Determinism::Clock),
    ("current_timestamp", Determinism::Clock),
    ("last_insert_rowid", Determinism::Session),
    ("random", Determinism::Chance),
    ("randomblob", Determinism::Chance),
    ("sqlite_compileoption_get", Determinism::Build),
    ("sqlite_compileoption_used", Determinism::Build),
    ("sqlite_offset", Determinism::Build),
    ("sqlite_source_id", Determinism::Build),
    ("sqlite_version", Determinism::Build),
    ("total_changes", Determinism::Session),
];

/// Returns whether a function is deterministic, in any letter case; `None` if it does not exist or is forbidden.
///
/// ```
/// use model::sqlite::functions::{Determinism, find_nature};
///
/// assert_eq!(find_nature("SUM"), Some(Determinism::Steady));
/// assert_eq!(find_nature("random"), Some(Determinism::Chance));
/// // A function that is not in the tables is forbidden.
/// assert_eq!(find_nature("load_extension"), None);
/// ```
pub fn find_nature(name: &str) -> Option<Determinism> {
    let fickle = FICKLE.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, nature)| *nature);
    fickle.or_else(|| list_steady().any(|known| known.eq_ignore_ascii_case(name)).then_some(Determinism::Steady))
}

fn list_steady() -> impl Iterator<Item = &'static str> {
    STEADY.lines().chain(STATISTICS.iter().copied())
}

/// Returns the names for suggestions: those of functions with call syntax.
pub fn list_names() -> impl Iterator<Item = &'static str> {
    list_steady().filter(|name| name.starts_with(|first: char| first.is_ascii_alphabetic()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_has_one_nature() {
        let mut all: Vec<&str> = list_steady().chain(FICKLE.iter().map(|(name, _)| *name)).collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count, "a name is in the table twice");
        assert!(all.iter().all(|name| *name == name.to_ascii_lowercase()));
        assert!(STATISTICS.iter().all(|name| find_statistic(&name.to_uppercase()).is_some()));
        assert_eq!(find_nature("SUM"), Some(Determinism::Steady));
        assert_eq!(find_nature("Random"), Some(Determinism::Chance));
        assert_eq!([find_nature("load_extension"), find_nature("json_patch"), find_nature("nope")], [None; 3]);
    }
}
