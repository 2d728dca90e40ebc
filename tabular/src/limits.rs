//! How much of a file is read: a few bytes can expand to many, and memory is bounded whatever a file says.

/// The most bytes of a file with tables or a tree in it.
pub const MAX_BYTES: usize = 64 << 20;

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
