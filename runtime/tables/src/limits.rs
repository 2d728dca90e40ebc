//! Limits for reading files: a few bytes can expand to many, and memory must be bounded for every file.

use model::Format;
use model::format::Holds;

/// Maximum size in bytes of a file with tables or a tree.
pub const MAX_BYTES: usize = 64 << 20;

/// Maximum size in bytes of a CSV or TSV file that is read as declared.
pub const MAX_DELIMITED: usize = 256 << 20;

/// Returns the maximum size in bytes of a file of a format that is read as declared.
pub fn find_max_bytes(format: Format) -> usize {
    if matches!(format.holds, Holds::Cells(_)) { MAX_DELIMITED } else { MAX_BYTES }
}

/// Maximum number of cells of a table, and of all tables of a file.
pub const MAX_CELLS: usize = 10_000_000;

/// Maximum number of columns of a table, as in SQLite.
pub const MAX_COLUMNS: usize = 2000;

/// Maximum number of cells of a record: a table may have more columns than requested.
pub const MAX_WIDTH: usize = 1 << 16;

/// Maximum size of a cell in bytes.
pub const MAX_CELL: usize = 16 << 20;

/// Maximum size in bytes of all texts in a table of a database, or in a workbook.
pub const MAX_TEXTS: usize = 256 << 20;

/// Maximum number of values in a JSON or YAML file.
pub const MAX_NODES: usize = 4_000_000;

/// Maximum number of problems of one file that are stored separately.
pub const MAX_PROBLEMS: usize = 100_000;

/// Maximum number of parts of a workbook, which is an archive.
pub const MAX_PARTS: usize = 10_000;

/// Maximum unpacked size in bytes of a part of a workbook.
pub const MAX_PART: u64 = 256 << 20;

/// The same maximum for the texts that cells share, which are all kept in memory.
pub const MAX_SHARED: u64 = 64 << 20;

/// Maximum unpacked size in bytes of all parts of a workbook.
pub const MAX_PARTS_BYTES: u64 = 2 * MAX_PART;

/// Maximum number of non-blank cells of a sheet, and of cells in its table.
pub const MAX_SHEET_CELLS: u64 = 1_000_000;

/// Maximum number of non-blank cells of all sheets.
pub const MAX_SHEETS_CELLS: u64 = 4_000_000;
