//! Generated files, with their relations and columns.

mod columns;
pub(crate) mod content;
pub(crate) mod csv_options;
pub(crate) mod data;
pub(crate) mod derived_files;
pub(crate) mod encodings;
mod endings;
pub(crate) mod forms;
pub(crate) mod keys;
pub(crate) mod paths;
pub(crate) mod objects;
mod proofs;
pub(crate) mod result_sets;
pub(crate) mod styles;
mod taken_columns;
pub(crate) mod trees;
pub(crate) mod views;
pub(crate) mod written;
