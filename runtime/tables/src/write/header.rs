//! Builds header rows from the names of columns.

use super::table_layout::{Refusal, Unwritable};
use crate::header::JOINT;

/// Builds the rows of a header with 0, 1, or 2 rows. In the upper one of two, a name occurs once, above the first of the columns that share it.
pub(super) fn build_header_rows(header: u8, columns: &[String]) -> Result<Vec<Vec<Option<&str>>>, Unwritable> {
    match header {
        0 => return Ok(Vec::new()),
        1 => return Ok(vec![columns.iter().map(|name| Some(name.as_str())).collect()]),
        _ => {}
    }
    let mut group = None;
    let (mut upper, mut lower) = (Vec::with_capacity(columns.len()), Vec::with_capacity(columns.len()));
    for (at, name) in columns.iter().enumerate() {
        match name.split_once(JOINT) {
            Some((over, under)) => {
                upper.push(Some(over).filter(|over| group != Some(*over)));
                lower.push(Some(under));
                group = Some(over);
            }
            None if group.is_some() => {
                return Err(Unwritable { row: None, column: Some(at), why: Refusal::Joins });
            }
            None => {
                upper.push(None);
                lower.push(Some(name.as_str()));
            }
        }
    }
    Ok(vec![upper, lower])
}
