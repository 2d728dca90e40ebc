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
use model::json;

use super::data_uri::write_data_uri;
use super::target::{Target, build_target};
use super::{SCORER, choose_schema_version, statics};
use crate::generate::{Described, HandedOut, Instance, Portion, SandboxFile, StageInfo};

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
        let mut head = format!("{{\"picard\":{{\"schema\":{schema},\"scorer\":{SCORER},\"suite\":").into_bytes();
        json::write_text(&mut head, &suite.name);
        head.extend_from_slice(b",\"version\":");
        json::write_text(&mut head, &suite.version);
        head.extend_from_slice(b",\"task\":");
        let mut tail = b",\"canary\":".to_vec();
        json::write_value(&mut tail, &suite.canary);
        tail.extend_from_slice(b"}}}\n");
        Recorder { head, tail, split_keys: false }
    }

    /// Appends the instance's line to `out` and, if keys are split, its answers to `keys`.
    pub fn record_instance(&self, out: &mut Vec<u8>, keys: &mut Vec<u8>, instance: &Instance, files: FilesAs<'_>) {
        out.extend_from_slice(b"{\"id\":");
        json::write_text(out, &instance.id);
        out.extend_from_slice(b",\"input\":");
        json::write_text(out, &instance.prompt);
        if self.split_keys {
            keys.extend_from_slice(b"{\"id\":");
            json::write_text(keys, &instance.id);
            write_target(keys, &instance.expects);
            keys.extend_from_slice(b",\"expect\":");
            json::write_array(keys, &instance.expects, codec::write_expected);
            write_stages(keys, instance);
            write_draws(keys, instance);
            keys.extend_from_slice(b"}\n");
        } else {
            write_target(out, &instance.expects);
        }
        out.extend_from_slice(b",\"files\":");
        write_files(out, instance, files);
        out.extend_from_slice(b",\"metadata\":");
        self.write_metadata(out, instance);
    }

    fn write_metadata(&self, out: &mut Vec<u8>, instance: &Instance) {
        out.extend_from_slice(&self.head);
        json::write_text(out, &instance.task);
        out.extend_from_slice(b",\"variant\":");
        json::write_value(out, &instance.variant);
        if let Some(stage) = &instance.stage {
            out.extend_from_slice(b",\"stage\":{");
            write_stage(out, stage);
            out.push(b'}');
        }
        if let Some(each) = &instance.each {
            out.extend_from_slice(b",\"each\":{\"name\":");
            json::write_text(out, &each.name);
            out.extend_from_slice(b",\"key\":");
            json::write_text(out, &each.row.key);
            if let Some(by) = &each.row.by {
                out.extend_from_slice(b",\"by\":");
                json::write_text(out, by);
            }
            out.push(b'}');
        }
        out.extend_from_slice(b",\"axis\":");
        json::write_object(out, &instance.axis, |(name, _, _)| name, |out, (_, _, value)| value.write_key_json(out));
        out.extend_from_slice(b",\"sample\":");
        json::write_number(out, instance.sample.into());
        out.extend_from_slice(b",\"attempt\":");
        json::write_number(out, instance.attempt.into());
        if let Some(wording) = instance.wording {
            out.extend_from_slice(b",\"wording\":");
            json::write_number(out, wording.into());
        }
        if !self.split_keys {
            write_draws(out, instance);
        }
        out.extend_from_slice(b",\"folders\":");
        json::write_array(out, &instance.folders, |out, folder| json::write_text(out, folder));
        if !instance.lakes.is_empty() {
            out.extend_from_slice(b",\"lakes\":");
            json::write_array(out, &instance.lakes, write_lake);
        }
        if let Some(tools) = &instance.tools {
            out.extend_from_slice(b",\"tools\":");
            json::write_array(out, tools, |out, tool| json::write_text(out, tool.word()));
        }
        if let Some(calls) = instance.calls {
            out.extend_from_slice(b",\"calls\":");
            json::write_number(out, calls.into());
        }
        if !self.split_keys {
            out.extend_from_slice(b",\"expect\":");
            json::write_array(out, &instance.expects, codec::write_expected);
            write_stages(out, instance);
        }
        if !instance.described.is_empty() {
            out.extend_from_slice(b",\"described\":");
            json::write_array(out, &instance.described, write_described);
        }
        out.extend_from_slice(b",\"tags\":");
        json::write_array(out, &instance.tags, |out, tag| json::write_text(out, tag));
        out.extend_from_slice(&self.tail);
    }
}

fn write_described(out: &mut Vec<u8>, described: &Described) {
    let text = format!(
        "{{\"budget\":{},\"tokens\":{},\"visible\":{:?}}}",
        described.budget, described.tokens, described.visible
    );
    out.extend_from_slice(text.as_bytes());
}

fn write_draws(out: &mut Vec<u8>, instance: &Instance) {
    out.extend_from_slice(b",\"draws\":");
    json::write_object(out, &instance.draws, |(name, _)| name, |out, (_, value)| value.write_key_json(out));
}

/// Writes the stages that are scored next to the task's answer.
fn write_stages(out: &mut Vec<u8>, instance: &Instance) {
    if instance.stages.is_empty() {
        return;
    }
    out.extend_from_slice(b",\"stages\":");
    json::write_array(out, &instance.stages, |out, key| {
        out.push(b'{');
        write_stage(out, &key.stage);
        out.extend_from_slice(b",\"expect\":");
        json::write_array(out, &key.expects, codec::write_expected);
        out.push(b'}');
    });
}

/// Writes the fields of a stage.
fn write_stage(out: &mut Vec<u8>, stage: &StageInfo) {
    out.extend_from_slice(b"\"name\":");
    json::write_text(out, &stage.name);
    for (field, texts) in [("after", &stage.after), ("tags", &stage.tags)] {
        if !texts.is_empty() {
            out.extend_from_slice(format!(",\"{field}\":").as_bytes());
            json::write_array(out, texts, |out, text| json::write_text(out, text));
        }
    }
}

fn write_target(out: &mut Vec<u8>, expects: &[Expected]) {
    out.extend_from_slice(b",\"target\":");
    match build_target(expects) {
        Target::One(text) => json::write_text(out, &text),
        Target::AnyOf(texts) => json::write_array(out, &texts, |out, text| json::write_text(out, text)),
    }
}

/// Writes a lake: its name, its folder, and the files of it that the instance gets.
fn write_lake(out: &mut Vec<u8>, handed: &HandedOut) {
    out.extend_from_slice(b"{\"name\":");
    json::write_text(out, &handed.lake.name);
    out.extend_from_slice(b",\"at\":");
    json::write_text(out, &handed.lake.at);
    out.extend_from_slice(b",\"files\":");
    match handed.portion {
        Portion::All => json::write_text(out, "all"),
        Portion::Needed => json::write_text(out, "needed"),
        Portion::NeededAnd(others) => {
            out.extend_from_slice(b"{\"needed\":");
            json::write_number(out, others.into());
            out.push(b'}');
        }
    }
    out.push(b'}');
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
