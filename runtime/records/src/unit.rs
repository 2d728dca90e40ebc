//! Units of statistics: a sample, a row of a data set, or the cluster of such a row.

use model::asked::AskedRow;

/// The unit to which responses of a task belong: each unit is one observation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unit {
    /// All cells, variants, and trials of a sample share its draws.
    Sample(u32),
    /// The same for a row of a data set, with all its samples.
    Row(String),
    /// All rows of a cluster are similar.
    Cluster(String),
}

impl Unit {
    /// Returns the unit of a response to a sample and, if it has one, a row.
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
