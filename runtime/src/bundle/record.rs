//! An instance as one line of JSON, natively a sample of Inspect AI.
//!
//! ```text
//! {"id", "input", "target", "files": {destination: source}, "metadata": {"picard": {
//!    "schema", "scorer", "suite", "version", "task", "variant", "axis": {name: value}, "sample", "attempt", "wording"?,
//!    "draws": {name: value}, "folders": [path], "expect": […], "tags": […], "canary"}}}
//! ```
//! `wording` (from 0) stands only where one of several was drawn. With split keys, `target`, `expect` and `draws` stand in a line
//! `{"id", "target", "expect", "draws"}` of `keys.jsonl` instead.
//!
//! An `expect`:
//! ```text
//! {"subject": "reply" | {"file": PATH} | {"files": [PATH]} | {"tree": [PATH]},
//!  "slice"?: "last_line" | {"after": TEXT} | {"fenced": LANGUAGE or null},
//!  "match": WORD, "value"?: … | "any_of"?: […],
//!  "options": {POINTER: {"within"?: "0.01" or "1%", "rounded"?: 2, "ignore"?: ["case"] or ["items.CHANGED"], "ordered"?: true, "unit"?: "kg", "open"?: true}},
//!  "weight": 1, "gate"?: true, "database"?: PATH, "content"?: PATH}
//! ```
//! Values are those of `Value::to_key_json`; `value` is missing for `exists`, `absent`, `unchanged`, and where `content` is the path
//! of the starting file whose bytes are right. Draws and axis values are written the same way.

use std::io::Write as _;

use plan::suite::{Options, SuiteInfo, Within};

use super::json;
use super::target::{Target, target};
use super::{SCHEMA, SCORER};
use crate::generate::{Expected, ExpectedSlice, ExpectedSubject, Instance};

/// What the values of `files` are.
#[derive(Clone, Copy, Debug)]
pub enum FilesAs<'a> {
    /// `data:` URIs.
    Inline,
    /// Paths below the bundle, in this folder (`files/q301_csv_summary-3`).
    Below(&'a str),
}

/// Writes the lines of one suite.
pub struct Recorder {
    /// `"schema":1,…,"version":"1.0.0","task":`
    head: Vec<u8>,
    /// `,"canary":…}}}` and the end of the line.
    tail: Vec<u8>,
    split_keys: bool,
}

impl Recorder {
    /// For the suite; with `split_keys`, answers go to lines of their own.
    pub fn new(suite: &SuiteInfo, split_keys: bool) -> Recorder {
        let mut head = format!("{{\"picard\":{{\"schema\":{SCHEMA},\"scorer\":{SCORER},\"suite\":").into_bytes();
        json::text(&mut head, &suite.name);
        head.extend_from_slice(b",\"version\":");
        json::text(&mut head, &suite.version);
        head.extend_from_slice(b",\"task\":");
        let mut tail = b",\"canary\":".to_vec();
        json::value(&mut tail, &suite.canary);
        tail.extend_from_slice(b"}}}\n");
        Recorder { head, tail, split_keys }
    }

    /// Appends the instance's line to `out`, and to `keys` its line there where keys are split.
    pub fn record(&self, out: &mut Vec<u8>, keys: &mut Vec<u8>, instance: &Instance, files: FilesAs<'_>) {
        out.extend_from_slice(b"{\"id\":");
        json::text(out, &instance.id);
        out.extend_from_slice(b",\"input\":");
        json::text(out, &instance.prompt);
        if self.split_keys {
            keys.extend_from_slice(b"{\"id\":");
            json::text(keys, &instance.id);
            write_target(keys, &instance.expects);
            keys.extend_from_slice(b",\"expect\":");
            json::array(keys, &instance.expects, write_expect);
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
        json::text(out, &instance.task);
        out.extend_from_slice(b",\"variant\":");
        json::value(out, &instance.variant);
        out.extend_from_slice(b",\"axis\":");
        json::object(out, &instance.axis, |(name, _, _)| name, |out, (_, _, value)| json::key_value(out, value));
        out.extend_from_slice(b",\"sample\":");
        json::number(out, instance.sample.into());
        out.extend_from_slice(b",\"attempt\":");
        json::number(out, instance.attempt.into());
        if let Some(wording) = instance.wording {
            out.extend_from_slice(b",\"wording\":");
            json::number(out, wording.into());
        }
        if !self.split_keys {
            write_draws(out, instance);
        }
        out.extend_from_slice(b",\"folders\":");
        json::array(out, &instance.folders, |out, folder| json::text(out, folder));
        if !self.split_keys {
            out.extend_from_slice(b",\"expect\":");
            json::array(out, &instance.expects, write_expect);
        }
        out.extend_from_slice(b",\"tags\":");
        json::array(out, &instance.tags, |out, tag| json::text(out, tag));
        out.extend_from_slice(&self.tail);
    }
}

fn write_draws(out: &mut Vec<u8>, instance: &Instance) {
    out.extend_from_slice(b",\"draws\":");
    json::object(out, &instance.draws, |(name, _)| name, |out, (_, value)| json::key_value(out, value));
}

fn write_target(out: &mut Vec<u8>, expects: &[Expected]) {
    out.extend_from_slice(b",\"target\":");
    match target(expects) {
        Target::One(text) => json::text(out, &text),
        Target::AnyOf(texts) => json::array(out, &texts, |out, text| json::text(out, text)),
    }
}

fn write_files(out: &mut Vec<u8>, instance: &Instance, files: FilesAs<'_>) {
    json::object(
        out,
        instance.files.iter(),
        |file| &file.path,
        |out, file| match files {
            FilesAs::Inline => {
                out.push(b'"');
                json::data_uri(out, &file.path, &file.bytes);
                out.push(b'"');
            }
            FilesAs::Below(folder) => {
                json::text(out, folder);
                out.pop();
                out.push(b'/');
                let quote = out.len();
                json::text(out, &file.path);
                out.remove(quote);
            }
        },
    );
}

fn write_expect(out: &mut Vec<u8>, expect: &Expected) {
    out.extend_from_slice(b"{\"subject\":");
    write_subject(out, &expect.subject);
    out.extend_from_slice(b",\"match\":");
    json::text(out, expect.matcher.word());
    if let Some(value) = &expect.value {
        out.extend_from_slice(if expect.any_of { b",\"any_of\":" } else { b",\"value\":" });
        json::key_value(out, value);
    }
    out.extend_from_slice(b",\"options\":");
    json::object(out, &expect.options, |(pointer, _)| pointer, |out, (_, options)| write_options(out, options));
    // A decimal's digits are a JSON number; written as they are, none is lost.
    let _ = write!(out, ",\"weight\":{}", expect.weight);
    if expect.gate {
        out.extend_from_slice(b",\"gate\":true");
    }
    if let Some(database) = &expect.database {
        out.extend_from_slice(b",\"database\":");
        json::text(out, database);
    }
    if let Some(path) = &expect.content {
        out.extend_from_slice(b",\"content\":");
        json::text(out, path);
    }
    out.push(b'}');
}

fn write_subject(out: &mut Vec<u8>, subject: &ExpectedSubject) {
    let mut paths = |name: &str, paths: &[String]| {
        let _ = write!(out, "{{\"{name}\":");
        json::array(out, paths, |out, path| json::text(out, path));
        out.push(b'}');
    };
    match subject {
        ExpectedSubject::Files(list) => paths("files", list),
        ExpectedSubject::Tree(list) => paths("tree", list),
        ExpectedSubject::File(path) => {
            out.extend_from_slice(b"{\"file\":");
            json::text(out, path);
            out.push(b'}');
        }
        ExpectedSubject::Reply(slice) => {
            out.extend_from_slice(b"\"reply\"");
            if let Some(slice) = slice {
                out.extend_from_slice(b",\"slice\":");
                json::value(out, &slice_json(slice));
            }
        }
    }
}

fn slice_json(slice: &ExpectedSlice) -> serde_json::Value {
    match slice {
        ExpectedSlice::LastLine => serde_json::Value::from("last_line"),
        ExpectedSlice::After(text) => serde_json::json!({ "after": text }),
        ExpectedSlice::Fenced(language) => serde_json::json!({ "fenced": language }),
    }
}

fn write_options(out: &mut Vec<u8>, options: &Options) {
    let mut fields = serde_json::Map::new();
    match options.within {
        Some(Within::Absolute(by)) => fields.insert("within".into(), by.to_string().into()),
        Some(Within::Percent(by)) => fields.insert("within".into(), format!("{by}%").into()),
        None => None,
    };
    if let Some(places) = options.rounded {
        fields.insert("rounded".into(), places.into());
    }
    if !options.ignore.is_empty() {
        fields.insert("ignore".into(), options.ignore.iter().map(|ignore| ignore.word()).collect());
    }
    if !options.parts.is_empty() {
        fields.insert("ignore".into(), options.parts.iter().map(String::as_str).collect());
    }
    if let Some(ordered) = options.ordered {
        fields.insert("ordered".into(), ordered.into());
    }
    if let Some(unit) = &options.unit {
        fields.insert("unit".into(), unit.as_str().into());
    }
    if options.open {
        fields.insert("open".into(), true.into());
    }
    json::value(out, &fields);
}

#[cfg(test)]
#[path = "record_tests.rs"]
mod tests;
