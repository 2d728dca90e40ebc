//! The columns of fixtures: values that exist before any draw, shared by all their readers.

use std::sync::Arc;

use serde::{Serialize, Serializer};

use crate::Value;

/// A fixture's column. Cloning it does not copy any cell.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Given {
    /// The values, one per row.
    #[serde(serialize_with = "serialize_slice")]
    pub values: Arc<[Value]>,
    /// For cells that are text in the file (CSV, TSV): the cells that differ from the rendering of their value, by row (from 0, ascending). An
    /// example is `5`, which renders as `5.00` among decimals with two places.
    #[serde(serialize_with = "serialize_slice")]
    pub written: Arc<[(u32, String)]>,
}

impl Given {
    /// Returns the written form of the cell in a row (from 0), if it differs from the rendering of its value.
    pub fn as_written(&self, row: usize) -> Option<&str> {
        let row = u32::try_from(row).ok()?;
        let at = self.written.binary_search_by_key(&row, |(at, _)| *at).ok()?;
        self.written.get(at).map(|(_, text)| text.as_str())
    }
}

/// Serializes a shared slice as a list.
fn serialize_slice<T: Serialize, S: Serializer>(items: &Arc<[T]>, to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(items.iter())
}

/// Serializes a shared value as the value.
pub(crate) fn serialize_shared<T: Serialize, S: Serializer>(value: &Arc<T>, to: S) -> Result<S::Ok, S::Error> {
    value.as_ref().serialize(to)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_as_written_where_that_differs_from_its_value() {
        let written = Arc::from([(1, "5".to_owned()), (4, "-0".to_owned())]);
        let given = Given { values: Arc::default(), written };
        let found: Vec<_> = (0..6).map(|row| given.as_written(row)).collect();
        assert_eq!(found, [None, Some("5"), None, None, Some("-0"), None]);
    }
}
