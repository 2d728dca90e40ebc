//! The lines of a text, each of which is a record with one cell that keeps its spaces.

use std::borrow::Cow;

use crate::Raw;
use crate::fault::{SizeLimit, Wrong};
use crate::grid::{Entry, Grid};
use crate::limits::MAX_CELLS;

/// Reads all lines.
pub(super) fn read_grid(text: &str) -> Result<Grid<'_>, Wrong> {
    let mut entries = Vec::new();
    for (line, at) in model::lines::split_lines(text).zip(1..) {
        SizeLimit::Cells.check_size(entries.len() + 1, MAX_CELLS, at)?;
        entries.push(Entry { gap: 0, line: at, cells: vec![Raw::Text(Cow::Borrowed(line))], above: Vec::new() });
    }
    Ok(Grid { entries, gap: 0 })
}
