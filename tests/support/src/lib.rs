//! What tests and benchmarks share. A crate depends on it for its tests only, never for its product.
//!
//! ```text
//! suite(settings, body) → text ─compile→ Compiled ─codes, places→ what was said
//!                                               └─instances→ Instances ─answer, draw, text_of→ what was made
//! folder(files) → a folder on disk ─picardc(folder, args)→ Ran
//! ```
//!
//! It does not depend on the command line, so that tests of the compiler do not wait for it.

mod command;
mod folders;
mod instances;
mod package;
mod python;
mod repository;
mod snapshots;
mod suites;

pub use command::{Ran, Talk, expect, picardc, picardc_reading, program, succeeds};
pub use folders::{below, copy, entries, files, folder, root, source_folders, sources, write};
pub use instances::{answer, draw, instances, made, text_of};
pub use package::{command_of_package, installed, integrations_or_skip, package, with_package};
pub use python::{
    ENGINES, Environment, FRAMES, INSPECT, READERS, SMALL_MODEL, STATISTICS, TABLES, VERIFIERS, has_python,
    inspect_or_skip,
};
pub use snapshots::snapshots;
pub use suites::{SOURCE, codes, compile, compile_with, errors, places, suite};
