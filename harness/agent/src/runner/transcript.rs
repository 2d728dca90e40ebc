//! Transcripts: one file for each completed trial, with one message per line.

use std::path::Path;

use records::{Error, run as names};
use serde_json::Value as Json;

use crate::atomic::Pending;

/// Writes `transcripts/ID.TRIAL.jsonl` atomically.
pub fn write_transcript(run: &Path, id: &str, trial: u32, messages: &[Json]) -> Result<(), Error> {
    let mut pending = Pending::new(&run.join(names::TRANSCRIPTS).join(format!("{id}.{trial}.jsonl")))?;
    for message in messages {
        pending.write_line(message)?;
    }
    pending.finish_file()
}
