//! Selects the records of a file that are the table, by `skip`, `header`, and `until`, in the same way for all formats.

use model::format::Holds;

use crate::fault::{SizeLimit, Wrong};
use crate::grid::{Entry, Grid};
use crate::header::{join_headers, normalize_header};
use crate::limits::MAX_CELLS;
use crate::raw::Wide;
use crate::{FaultKind, Layout, Raw, Record, Records, Shown, Skip, UnreadRecords, UnreadRegions, Until};

/// Maximum number of omitted records that are shown.
const MAX_SHOWN: usize = 3;
/// Maximum number of characters of each.
const MAX_CHARS: usize = 60;

/// Selects the records of a table with a header, or without one for `header 0`.
pub(crate) fn select_table<'t>(layout: &Layout, grid: Grid<'t>) -> Result<Records<'t>, Wrong> {
    let start = match &layout.skip {
        None => 0,
        Some(Skip::Records(skip)) => find_after(*skip, &grid)?,
        Some(Skip::Cell(cell)) => find_headed(cell, &grid)?,
    };
    // In a header of two rows, a cell in `skip` identifies the lower one, and a number the upper one.
    let (upper, lower) = match (layout.header, &layout.skip) {
        (0, _) => (None, None),
        (1, _) => (None, Some(start)),
        (_, Some(Skip::Cell(_))) => (start.checked_sub(1).filter(|_| is_adjacent(&grid, start)), Some(start)),
        _ => (Some(start), Some(start + 1)),
    };
    let entry = |at: Option<usize>| at.and_then(|at| grid.entries.get(at));
    if lower.is_some() && entry(lower).is_none() {
        return Err((0, if grid.entries.is_empty() { FaultKind::Empty } else { report_short(&grid, layout) }));
    }
    let first = lower.map_or(start, |lower| lower + 1);
    let header = match (entry(upper), entry(lower)) {
        (_, None) => grid.entries.get(first).map_or_else(Vec::new, |entry| vec![String::new(); entry.cells.len()]),
        (None, Some(lower)) => lower.cells.iter().map(normalize_header).collect(),
        (Some(upper), Some(lower)) => {
            // A name that spans both rows occurs once.
            let own = |(at, cell): (usize, &Raw<'t>)| {
                if lower.above.binary_search(&at).is_ok() { Raw::EMPTY } else { cell.clone() }
            };
            join_headers(&upper.cells, &lower.cells.iter().enumerate().map(own).collect::<Vec<_>>())
        }
    };
    let end = find_end(layout.until.as_ref(), &grid, first, layout.header)?;
    let mut records = Records {
        header_line: entry(lower).map_or(0, |entry| entry.line),
        cut: summarize_around(&grid, upper.or(lower).unwrap_or(start), end),
        header,
        rows: Vec::with_capacity(end.saturating_sub(first)),
        wide: None,
    };
    let named = records.header.len();
    if layout.format.holds == Holds::Tables {
        // Each cell of a sheet has a fixed place: one to the right of the header belongs to a column without a name.
        let rows = grid.entries.iter().take(end).skip(first).map(|entry| (entry.line, count_filled(entry)));
        let wide = rows.filter(|(_, cells)| *cells > named);
        let first_wide = wide.clone().next().filter(|_| layout.header > 0);
        records.wide = first_wide.map(|(line, cells)| Wide { line, cells, header: named });
        records.header.resize(wide.map(|(_, cells)| cells).max().unwrap_or(named), String::new());
    }
    let width = records.header.len();
    SizeLimit::Cells.check_size(width.saturating_mul(end.saturating_sub(first)), MAX_CELLS, 0)?;
    let rows = grid.entries.into_iter().zip(1..).take(end).skip(first);
    for (mut entry, number) in rows {
        if entry.cells.get(width..).is_some_and(|beyond| !beyond.iter().all(Raw::is_blank)) {
            return Err((entry.line, FaultKind::TooLong { cells: count_filled(&entry), header: width }));
        }
        // In a line every cell counts: if it has too few, it is unknown which ones are missing.
        if layout.format.is_cells() && entry.cells.len() < width {
            return Err((entry.line, FaultKind::TooFew { cells: entry.cells.len(), header: width }));
        }
        entry.cells.resize(width, Raw::EMPTY);
        records.rows.push(Record { number, line: entry.line, cells: entry.cells });
    }
    Ok(records)
}

/// Counts the cells of a record up to the last non-blank one.
fn count_filled(entry: &Entry<'_>) -> usize {
    entry.cells.iter().rposition(|cell| !cell.is_blank()).map_or(0, |last| last + 1)
}

/// Selects the lines of a text.
pub(crate) fn select_lines<'t>(layout: &Layout, grid: Grid<'t>) -> Result<Records<'t>, Wrong> {
    let begins =
        |entry: &Entry<'_>, start: &str| entry.cells.first().is_some_and(|line| line.render_cell().starts_with(start));
    let start = match &layout.skip {
        None => 0,
        Some(Skip::Records(skip)) => find_after(*skip, &grid)?,
        Some(Skip::Cell(cell)) => match grid.entries.iter().position(|entry| begins(entry, cell)) {
            Some(at) => at + 1,
            None => return Err((0, FaultKind::NoStart { cell: cell.clone(), first: describe_first_records(&grid) })),
        },
    };
    let end = match &layout.until {
        Some(Until::Cell(cell)) => {
            let rest = grid.entries.iter().skip(start).position(|entry| begins(entry, cell));
            start + rest.ok_or_else(|| (0, FaultKind::NoEnd { cell: cell.clone() }))?
        }
        until => find_end(until.as_ref(), &grid, start, 0)?,
    };
    let cut = summarize_around(&grid, start, end);
    let rows = grid.entries.into_iter().take(end).skip(start);
    let rows = rows.map(|entry| Record { number: entry.line, line: entry.line, cells: entry.cells }).collect();
    Ok(Records { header: vec![String::new()], header_line: 0, rows, cut, wide: None })
}

/// Returns the index of the record after a number of others, including empty lines.
fn find_after(skip: u32, grid: &Grid<'_>) -> Result<usize, Wrong> {
    let mut passed = 0_u32;
    for (at, entry) in grid.entries.iter().enumerate() {
        passed = passed.saturating_add(entry.gap);
        if passed >= skip {
            return Ok(at);
        }
        passed = passed.saturating_add(1);
    }
    let records = passed.saturating_add(grid.gap);
    if records >= skip { Ok(grid.entries.len()) } else { Err((0, FaultKind::TooShort { skip, records })) }
}

/// Reports a file that ends in its header.
fn report_short(grid: &Grid<'_>, layout: &Layout) -> FaultKind {
    let all = grid.entries.iter().map(|entry| entry.gap.saturating_add(1)).fold(grid.gap, u32::saturating_add);
    let skip = match layout.skip {
        Some(Skip::Records(skip)) => skip,
        _ => 0,
    };
    FaultKind::TooShort { skip, records: all }
}

/// Returns the index of the first record with this cell.
fn find_headed(cell: &str, grid: &Grid<'_>) -> Result<usize, Wrong> {
    let wanted = crate::header::normalize_blanks(cell);
    let has = |entry: &Entry<'_>| entry.cells.iter().any(|cell| normalize_header(cell) == wanted);
    let found = grid.entries.iter().position(has);
    found.ok_or_else(|| match grid.entries.is_empty() {
        true => (0, FaultKind::Empty),
        false => (0, FaultKind::NoStart { cell: cell.to_owned(), first: describe_first_records(grid) }),
    })
}

/// Checks whether a record directly follows the previous one, without an empty line.
fn is_adjacent(grid: &Grid<'_>, at: usize) -> bool {
    grid.entries.get(at).is_some_and(|entry| entry.gap == 0)
}

/// Returns the index of the record before which the rows end. `first` is the first row, after this number of header rows; an empty line directly after
/// a header ends the rows too.
fn find_end(until: Option<&Until>, grid: &Grid<'_>, first: usize, header: u8) -> Result<usize, Wrong> {
    let mut rows = grid.entries.iter().enumerate().skip(first);
    let all = grid.entries.len().max(first);
    Ok(match until {
        None => all,
        Some(Until::Blank) => {
            // An empty line before a table without a header does not end it.
            let gap = |at: usize, entry: &Entry<'_>| entry.gap > 0 && !(header == 0 && at == first);
            let found = rows.find(|(at, entry)| gap(*at, entry) || entry.cells.iter().all(Raw::is_blank));
            found.map_or(all, |(at, _)| at)
        }
        Some(Until::Cell(cell)) => {
            let begins = |entry: &Entry<'_>| {
                let start = entry.cells.iter().find(|cell| !cell.is_blank());
                start.is_some_and(|start| start.render_cell().trim_start().starts_with(cell.trim()))
            };
            let found = rows.find(|(_, entry)| begins(entry));
            found.ok_or_else(|| (0, FaultKind::NoEnd { cell: cell.clone() }))?.0
        }
    })
}

/// Summarizes the records outside of the region between two indexes.
fn summarize_around(grid: &Grid<'_>, start: usize, end: usize) -> UnreadRegions {
    UnreadRegions {
        above: summarize_left(grid.entries.get(..start).unwrap_or_default()),
        below: summarize_left(grid.entries.get(end..).unwrap_or_default()),
        between: UnreadRecords::default(),
    }
}

/// Counts the records with content, and returns the first of them.
fn summarize_left(entries: &[Entry<'_>]) -> UnreadRecords {
    let filled = || entries.iter().filter(|entry| !entry.cells.iter().all(Raw::is_blank));
    let shown = |entry: &Entry<'_>| Shown { line: entry.line, text: describe_entry(entry) };
    UnreadRecords {
        records: u32::try_from(filled().count()).unwrap_or(u32::MAX),
        cells: filled().flat_map(|entry| &entry.cells).filter(|cell| !cell.is_blank()).count(),
        shown: filled().take(MAX_SHOWN).map(shown).collect(),
    }
}

/// Returns the non-blank cells, truncated.
fn describe_entry(entry: &Entry<'_>) -> String {
    let mut text = String::new();
    for cell in entry.cells.iter().filter(|cell| !cell.is_blank()) {
        if !text.is_empty() {
            text.push_str(", ");
        }
        let shown = cell.render_cell();
        let shown = shown.trim();
        // This is not quadratic, because the loop ends soon.
        text.extend(shown.chars().take(MAX_CHARS + 1));
        if text.chars().count() > MAX_CHARS {
            let end = text.char_indices().nth(MAX_CHARS).map_or(text.len(), |(end, _)| end);
            text.truncate(end);
            text.push('…');
            break;
        }
    }
    text
}

/// Describes the first records of a file by their first cells.
fn describe_first_records(grid: &Grid<'_>) -> Vec<String> {
    grid.entries.iter().take(MAX_SHOWN).map(describe_entry).collect()
}
