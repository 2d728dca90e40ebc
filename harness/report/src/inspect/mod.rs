//! Logs of Inspect AI (`.eval`): another form of a scored run.
//!
//! ```text
//! LOG.eval ─archive: zip, deflate, zstd→ JSON ─log→ Header, Sample ─run→ RunData
//!                                                                 └details→ prompts, replies, and messages of failures
//! ```
//!
//! The package `picardc.inspect` writes the score of the Rust scorer, with the digest of the question, into each sample. So nothing is scored here: the facts
//! in the log about a trial are added to its score.

mod archive;
mod details;
mod log;
mod python_json;
mod run;

use std::path::Path;

pub use archive::Archive;
pub use details::read_detail;
pub use run::read_log;

/// Whether a run is a log and not a folder.
pub fn is_log(path: &Path) -> bool {
    path.is_file() || path.extension().is_some_and(|ending| ending == "eval") && !path.is_dir()
}

#[cfg(test)]
mod tests;
