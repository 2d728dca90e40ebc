//! How much of a file is read: a few bytes can expand to many, and memory is bounded whatever a file says.

use model::Format;
use model::format::Holds;

/// The most bytes of a file with tables or a tree in it.
pub const MAX_BYTES: usize = 64 << 20;

/// The most bytes of a CSV or TSV file that is read as declared.
pub const MAX_DELIMITED: usize = 256 << 20;

/// The most bytes of a file of a format that is read as declared.
pub fn find_max_bytes(format: Format) -> usize {
    if matches!(format.holds, Holds::Cells(_)) { MAX_DELIMITED } else { MAX_BYTES }
}

/// The most cells of a table, and of all tables of a file.
pub const MAX_CELLS: usize = 10_000_000;

/// The most columns of a table, as in SQLite.
pub const MAX_COLUMNS: usize = 2000;

/// The most cells of a record: a table may have more columns than are asked for.
pub const MAX_WIDTH: usize = 1 << 16;

/// The most bytes of a cell.
pub const MAX_CELL: usize = 16 << 20;

/// The most bytes of all texts in a table of a database, or in a workbook.
pub const MAX_TEXTS: usize = 256 << 20;

/// The most values in a JSON or YAML file.
pub const MAX_NODES: usize = 4_000_000;

/// The most problems of one file that are kept apart.
pub const MAX_PROBLEMS: usize = 100_000;

/// The most parts of a workbook, which is an archive.
pub const MAX_PARTS: usize = 10_000;

/// The most bytes that a part of a workbook may unpack to.
pub const MAX_PART: u64 = 256 << 20;

/// The same of the texts that cells share, which are all kept at once.
pub const MAX_SHARED: u64 = 64 << 20;

/// The most bytes that all parts of a workbook may unpack to.
pub const MAX_PARTS_BYTES: u64 = 2 * MAX_PART;

/// The most cells of a sheet that are not blank, and of the table in it.
pub const MAX_SHEET_CELLS: u64 = 1_000_000;

/// The most cells of all sheets that are not blank.
pub const MAX_SHEETS_CELLS: u64 = 4_000_000;
