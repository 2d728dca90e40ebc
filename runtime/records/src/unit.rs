//! What hangs together in statistics: a sample, a row of a data set, or the cluster of such a row.

use serde::{Deserialize, Serialize};

/// A row of a data set that an instance asks.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct AskedRow {
    /// What the task calls a row.
    pub name: String,
    /// What the row is called in ids.
    pub key: String,
    /// Its cluster, such as the database that it is about.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub by: Option<String>,
}

/// What the responses of a task hang together by: each is one observation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unit {
    /// All cells, variants, and trials of a sample share its draws.
    Sample(u32),
    /// The same of a row of a data set, with all its samples.
    Row(String),
    /// All rows of a cluster are alike.
    Cluster(String),
}

impl Unit {
    /// Of a response to a sample, and to a row where there is one.
    pub fn new(sample: u32, row: Option<&AskedRow>) -> Unit {
        match row {
            None => Unit::Sample(sample),
            Some(AskedRow { by: Some(cluster), .. }) => Unit::Cluster(cluster.clone()),
            Some(row) => Unit::Row(row.key.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_one_cluster_are_one_unit_and_a_row_without_is_its_own() {
        let row = |key: &str, by: Option<&str>| {
            let row = AskedRow { name: "q".to_owned(), key: key.to_owned(), by: by.map(str::to_owned) };
            Unit::new(1, Some(&row))
        };
        assert_eq!(row("1", Some("shop")), row("2", Some("shop")));
        assert_ne!(row("1", None), row("2", None));
        // A row is never taken for a cluster of the same name.
        assert_ne!(row("shop", None), row("1", Some("shop")));
        assert_ne!(Unit::new(1, None), Unit::new(2, None));
    }
}
