//! Renders an instance as one line of JSON, which is also a sample of Inspect AI.
//!
//! ```text
//! {"id", "input", "target", "files": {destination: source}, "metadata": {"picard": {
//!    "schema", "scorer", "suite", "version", "task", "variant", "stage"?: {"name", "after"?, "tags"?}, "each"?: {"name", "key", "by"?}, "axis": {name: value}, "sample",
//!    "attempt", "wording"?, "draws": {name: value}, "folders": [path], "lakes"?: [{"name", "at", "files"}],
//!    "tools"?: [name], "calls"?: number, "expect": […],
//!    "stages"?: [{"name", "after"?, "tags"?, "expect": […]}], "described"?: [{"budget", "tokens", "visible"}], "tags": […], "canary"}}}
//! ```
//! `wording` (from 0) exists only if one of several was drawn, `each` if the instance asks about a row of a data set, and `lakes` only if the
//! instance has any. `tools` and `calls` exist if the task or variant declares them, `stage` if a stage is asked instead of its task, and `stages` if
//! they are scored next to it. `described` exists if the instance describes a database and expects a query of it. With split keys, `target`,
//! `expect`, `stages`, and `draws` are in a line `{"id", "target", "expect", "stages"?, "draws"}` of `keys.jsonl` instead.
//! Each element of `expect` is written by `model::answer_key::codec`. Draws and axis values have the form of answer values.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use model::Plan;
use model::answer_key::{Expected, codec};
use model::json::{self, write_field, write_key};

use super::data_uri::write_data_uri;
use super::target::build_target;
use super::{SCORER, choose_schema_version, statics};
use crate::generate::{HandedOut, Instance, SandboxFile};

/// The form of the values in `files`.
#[derive(Clone, Copy, Debug)]
pub enum FilesAs<'a> {
    /// `data:` URIs, also for files of lakes, whose contents are here by path in the project.
    Inline(&'a BTreeMap<String, Arc<[u8]>>),
    /// Paths relative to the bundle, below this folder (`files/q301_csv_summary-3`) and below `static/`.
    Below(&'a str),
}

/// Writes the lines of one suite.
pub struct Recorder {
    /// The fields before the task: `"schema":1,…,"version":"1.0.0","task":`
    head: Vec<u8>,
    /// The end of the line: `,"canary":…}}}` and a newline.
    tail: Vec<u8>,
    /// Whether answers go to separate lines.
    pub(super) split_keys: bool,
}

impl Recorder {
    /// Prepares the constant parts of a suite's lines, which contain the answers.
    pub fn new(plan: &Plan) -> Recorder {
        let (suite, schema) = (&plan.suite, choose_schema_version(plan));
        let mut head = format!("{{\"picard\":{{\"schema\":{schema},\"scorer\":{SCORER}").into_bytes();
        write_field(&mut head, "suite", &suite.name);
        write_field(&mut head, "version", &suite.version);
        write_key(&mut head, "task");
        let mut tail = Vec::new();
        write_field(&mut tail, "canary", &suite.canary);
        tail.extend_from_slice(b"}}}\n");
        Recorder { head, tail, split_keys: false }
    }

    /// Appends the instance's line to `out` and, if keys are split, its answers to `keys`.
    pub fn record_instance(&self, out: &mut Vec<u8>, keys: &mut Vec<u8>, instance: &Instance, files: FilesAs<'_>) {
        out.extend_from_slice(b"{\"id\":");
        json::write_text(out, &instance.id);
        write_field(out, "input", &instance.prompt);
        if self.split_keys {
            keys.extend_from_slice(b"{\"id\":");
            json::write_text(keys, &instance.id);
            write_field(keys, "target", &build_target(&instance.expects));
            write_expects(keys, &instance.expects);
            write_stages(keys, instance);
            write_draws(keys, instance);
            keys.extend_from_slice(b"}\n");
        } else {
            write_field(out, "target", &build_target(&instance.expects));
        }
        write_key(out, "files");
        write_files(out, instance, files);
        write_key(out, "metadata");
        self.write_metadata(out, instance);
    }

    fn write_metadata(&self, out: &mut Vec<u8>, instance: &Instance) {
        out.extend_from_slice(&self.head);
        json::write_text(out, &instance.task);
        write_field(out, "variant", &instance.variant);
        if let Some(stage) = &instance.stage {
            write_field(out, "stage", stage);
        }
        if let Some(each) = &instance.each {
            write_field(out, "each", each);
        }
        write_key(out, "axis");
        json::write_object(out, &instance.axis, |(name, _, _)| name, |out, (_, _, value)| value.write_key_json(out));
        write_field(out, "sample", &instance.sample);
        write_field(out, "attempt", &instance.attempt);
        if let Some(wording) = instance.wording {
            write_field(out, "wording", &wording);
        }
        if !self.split_keys {
            write_draws(out, instance);
        }
        write_field(out, "folders", &instance.folders);
        if !instance.lakes.is_empty() {
            write_key(out, "lakes");
            json::write_array(out, &instance.lakes, |out, HandedOut { lake, portion, .. }| {
                json::write_value(out, &serde_json::json!({ "name": lake.name, "at": lake.at, "files": portion }));
            });
        }
        if let Some(tools) = &instance.tools {
            write_field(out, "tools", &tools.iter().map(|tool| tool.word()).collect::<Vec<_>>());
        }
        if let Some(calls) = instance.calls {
            write_field(out, "calls", &calls);
        }
        if !self.split_keys {
            write_expects(out, &instance.expects);
            write_stages(out, instance);
        }
        if !instance.described.is_empty() {
            write_field(out, "described", &instance.described);
        }
        write_field(out, "tags", &instance.tags);
        out.extend_from_slice(&self.tail);
    }
}

fn write_expects(out: &mut Vec<u8>, expects: &[Expected]) {
    write_key(out, "expect");
    json::write_array(out, expects, codec::write_expected);
}

fn write_draws(out: &mut Vec<u8>, instance: &Instance) {
    write_key(out, "draws");
    json::write_object(out, &instance.draws, |(name, _)| name, |out, (_, value)| value.write_key_json(out));
}

/// Writes the stages that are scored next to the task's answer.
fn write_stages(out: &mut Vec<u8>, instance: &Instance) {
    if instance.stages.is_empty() {
        return;
    }
    write_key(out, "stages");
    json::write_array(out, &instance.stages, |out, key| {
        json::write_value(out, &key.stage);
        // The answer key follows inside of the same object.
        out.pop();
        write_expects(out, &key.expects);
        out.push(b'}');
    });
}

fn write_files<'i>(out: &mut Vec<u8>, instance: &'i Instance, files: FilesAs<'_>) {
    let inline = |out: &mut Vec<u8>, path: &str, bytes: &[u8]| {
        out.push(b'"');
        write_data_uri(out, path, bytes);
        out.push(b'"');
    };
    let origin = |file: &'i SandboxFile| match (file.bytes.as_lent(), files) {
        (Some(lent), FilesAs::Below(_)) => Origin::Static(lent.source.clone()),
        _ => Origin::Made(&file.bytes),
    };
    let made = instance.files.iter().map(|file| (Cow::Borrowed(file.path.as_str()), origin(file)));
    let lent = statics::list_places(instance).map(|(place, source)| (Cow::Owned(place), Origin::Static(source)));
    json::write_object(
        out,
        made.chain(lent),
        |(path, _)| path,
        |out, (path, origin)| match (files, origin) {
            (FilesAs::Inline(_), Origin::Made(bytes)) => inline(out, path, bytes),
            (FilesAs::Inline(contents), Origin::Static(source)) if contents.contains_key(source) => {
                contents.get(source).into_iter().for_each(|bytes| inline(out, path, bytes));
            }
            (_, Origin::Static(source)) => json::write_text(out, &statics::build_bundle_path(source)),
            (FilesAs::Below(folder), Origin::Made(_)) => {
                json::write_text(out, folder);
                out.pop();
                out.push(b'/');
                let quote = out.len();
                json::write_text(out, path);
                out.remove(quote);
            }
        },
    );
}

/// The origin of a file's content.
enum Origin<'a> {
    /// Generated content.
    Made(&'a [u8]),
    /// A file of the project, at this path.
    Static(String),
}

#[cfg(test)]
#[path = "record_tests.rs"]
mod tests;
