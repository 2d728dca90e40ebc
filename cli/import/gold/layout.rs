//! The layouts of data sets: their keys and folders.

/// The layout of a data set.
#[derive(Debug)]
pub struct Layout {
    /// The name for people.
    pub name: &'static str,
    /// The tag of its suites.
    pub tag: &'static str,
    /// The folder of the databases, with files `FOLDER/ID/ID.sqlite`.
    pub databases: &'static str,
    /// The key of the gold query.
    pub gold: &'static str,
}

/// The layout of BIRD's published development set.
pub const BIRD: Layout = Layout { name: "BIRD", tag: "bird", databases: "dev_databases", gold: "SQL" };

/// The layout of Spider's published development set.
pub const SPIDER: Layout = Layout { name: "Spider", tag: "spider", databases: "database", gold: "query" };
