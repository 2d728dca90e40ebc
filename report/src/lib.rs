//! How sure the number is: statistics, tables, charts, comparisons.
