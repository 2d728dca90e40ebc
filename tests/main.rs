//! The tests of the command as a whole, in one program: `cargo test --test it`, and of one module `cargo test --test it run::`. `README.md` says what each holds.

mod analyze;
mod answers;
mod architecture;
mod blind;
#[cfg(unix)]
mod bombs;
mod cli;
mod codes;
mod describe;
mod determinism;
mod differential;
mod distribution;
mod docs;
mod each;
mod editors;
mod examples;
mod export;
#[cfg(unix)]
mod figures;
mod house;
mod import;
mod independent;
mod infer;
mod inspect;
mod json_lines;
mod krama;
mod lakes;
mod language;
mod lints;
mod lsp;
mod mcp;
mod mistakes;
mod mutations;
mod net;
mod parquet;
mod picard;
mod playground;
mod python_package;
mod report;
#[cfg(unix)]
mod resolver;
mod right;
#[cfg(unix)]
mod run;
mod selftest;
mod slips;
mod sources;
mod spellings;
mod stages;
mod states;
mod stdlib;
mod styles;
mod suites;
mod traps;
mod trust;
mod verifiers;
mod voice;
