//! A suite as JSON: its diagnostics, its tasks, and its instances in the format of a bundle.

use std::ops::Range;

use analysis::{Analysis, RunOptions, Times};
use api::{Options, Suite};
use model::suite::Task;
use serde_json::{Value, json};

use crate::error::RequestError;
use crate::files::Files;

/// Returns the diagnostics, and the tasks if the suite can be built.
pub fn check_suite(suite: &Suite) -> Value {
    json!({
        "name": suite.name(),
        "errors": suite.count_errors(),
        "diagnostics": suite.locate_diagnostics().collect::<Vec<_>>(),
        "tasks": suite.tasks().iter().map(encode_task).collect::<Vec<Value>>(),
        "source_sha256": suite.compute_source_sha256(),
    })
}

/// Encodes what a page needs to select an instance.
fn encode_task(task: &Task) -> Value {
    /// The maximum number of cells in the list; a data set may have thousands of rows.
    const MAX_CELLS: u32 = 500;
    json!({
        "name": task.name,
        "doc": task.doc,
        "samples": task.samples,
        "tags": task.tags,
        "cells": (0..task.count_cells().min(MAX_CELLS)).map(|cell| task.build_cell_label(cell)).collect::<Vec<String>>(),
        "variants": task.variants.iter().map(|variant| variant.name.as_str()).collect::<Vec<&str>>(),
    })
}

/// Renders lines of `instances.jsonl` in the format of `build --inline`. Lakes are read from the files of the page.
pub fn render_lines(
    suite: &Suite,
    files: &Files,
    path: &str,
    seed: String,
    samples: Option<u32>,
    range: Range<u64>,
) -> Result<Value, RequestError> {
    let options = Options { samples, ..Options::new(seed) };
    let instances = suite.select_instances(options).map_err(RequestError::new)?.with_reader(files.build_reader(path));
    let count = instances.count();
    let made = range.start..range.end.min(count);
    let lines: Result<Vec<String>, api::Error> =
        made.map(|index| instances.render_inline(instances.get(index)?.made())).collect();
    Ok(json!({ "count": count, "lines": lines.map_err(RequestError::new)? }))
}

/// Analyzes samples of a task, with seed 1 and only on this thread.
pub fn analyze_task(suite: &Suite, task: &str, samples: u32) -> Result<Value, RequestError> {
    let seed = "1";
    let options = Options { samples: Some(samples), task: Some(task.to_owned()), ..Options::new(seed) };
    let instances = suite.select_instances(options).map_err(RequestError::new)?;
    let analysis = Analysis::from_generator(instances.generator(), RunOptions::ALONE).map_err(RequestError::new)?;
    Ok(json!({
        "report": analysis.render_table(seed),
        "good": analysis.is_good(),
        "document": analysis.build_document(suite.name(), seed, samples, Times::Omitted),
    }))
}
