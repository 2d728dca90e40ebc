//! Code that tests and benchmarks share. A crate depends on it only for its tests, never for its product.
//!
//! ```text
//! build_suite_source(settings, body) → text ─compile_text→ Compiled ─list_codes, list_places→ diagnostics
//!                                                                 └─expect_instances→ Instances ─find_answer, find_draw, read_text→ generated values
//! create_folder(files) → a folder on disk ─run_picardc(folder, args)→ CommandOutput
//! ```
//!
//! It does not depend on the command line: tests of the compiler do not wait for it.

mod command;
mod folders;
mod growth;
mod instances;
mod package;
mod python;
mod repository;
mod snapshots;
mod suites;
mod variables;

pub use command::{
    CommandOutput, InteractiveProcess, expect_status, expect_success, find_program, run_picardc, run_picardc_with_input,
};
pub use folders::{
    copy_folder, create_folder, list_below, list_entries, list_sources, read_files, root, source_folders,
    write_in_folder,
};
pub use growth::assert_linear;
pub use instances::{expect_instances, find_answer, find_draw, make_instances, read_text};
pub use package::{build_package, create_cargo_command, find_package_command, install_package, with_package};
pub use python::{
    ENGINES, Environment, FRAMES, INSPECT, READERS, SMALL_MODEL, STATISTICS, TABLES, VERIFIERS, has_python,
    inspect_or_skip,
};
pub use snapshots::check_snapshots;
pub use suites::{SOURCE, build_suite_source, compile_text, compile_with, keep_errors, list_codes, list_places};
pub use variables::{has_integrations, is_switched_on, is_thorough};
