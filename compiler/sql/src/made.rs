//! How the rows of a query were made.

/// How the rows of a query were made, as far as aggregates over them care.
#[derive(Clone, Debug, Default)]
pub struct Made {
    /// Columns that are means of groups, each with the byte range of the mean.
    pub means: Vec<(usize, (usize, usize))>,
    /// Whether equal rows were merged, although no column tells which rows they are.
    pub merged: Option<MergedRows>,
}

/// UNION or DISTINCT, which merge equal rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MergedRows {
    /// Whether it is UNION.
    pub union: bool,
    /// The byte range of the keyword.
    pub keyword: (usize, usize),
}
