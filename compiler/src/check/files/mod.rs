//! Generated files, with their relations and columns.

mod columns;
pub(in crate::check) mod content;
pub(in crate::check) mod csv_options;
pub(in crate::check) mod data;
pub(in crate::check) mod derived_files;
pub(in crate::check) mod encodings;
mod endings;
pub(in crate::check) mod forms;
pub(in crate::check) mod keys;
pub(in crate::check) mod paths;
pub(in crate::check) mod proofs;
pub(in crate::check) mod result_sets;
pub(in crate::check) mod styles;
pub(in crate::check) mod trees;
pub(in crate::check) mod views;
pub(in crate::check) mod written;
