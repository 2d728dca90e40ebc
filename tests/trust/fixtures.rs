//! Files that a suite reads: cells as written, nulls, marks, and limits.
