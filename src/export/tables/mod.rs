//! Instances and keys as tables with columns of fixed type, in Parquet.
//!
//! Values whose form varies (`axis`, `metadata`, `expect`, `draws`) are JSON text, so that the table of any suite has the same columns and types.

mod parquet;

use records::instance::Content;
use serde_json::{Map, Value as Json};

use super::Item;
use super::about::fields;
pub(super) use parquet::Table;

/// A column.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    /// What it has, for cards.
    pub(super) about: &'static str,
}

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Text; never null.
    Text,
    /// Text, or null.
    Nullable,
    /// A 64-bit integer.
    Int,
    /// A list of texts.
    Texts,
    /// A list of `{path: text, content: bytes}`.
    Files,
}

/// A value of a column.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cell {
    Text(String),
    Nullable(Option<String>),
    Int(i64),
    Texts(Vec<String>),
    Files(Vec<(String, Vec<u8>)>),
}

const fn column(name: &'static str, kind: Kind, about: &'static str) -> Column {
    Column { name, kind, about }
}

/// What an agent may see of an instance, before the column `files`.
pub(super) const INSTANCE: [Column; 9] = [
    column("id", Kind::Text, "the id of the instance"),
    column("index", Kind::Int, "its place in the bundle, from 0"),
    column("task", Kind::Text, "the task"),
    column("variant", Kind::Nullable, "the variant, or null"),
    column("sample", Kind::Int, "the sample, from 1"),
    column("tags", Kind::Texts, "tags of suite, task, and variant"),
    column("input", Kind::Text, "the prompt"),
    column("folders", Kind::Texts, "empty folders that the agent begins with"),
    column("metadata", Kind::Text, "`metadata.picard` of the bundle without the answer key, as JSON"),
];

/// The column `files` with contents.
pub(super) const FILES: Column =
    column("files", Kind::Files, "the files that the agent begins with: path in the sandbox, and content");

/// The column `files` with places.
pub(super) const PLACES: Column = column(
    "files",
    Kind::Text,
    "the files that the agent begins with: path in the sandbox to path below this folder, as JSON",
);

/// What an agent must not see, by `id`.
pub(super) const KEY: [Column; 5] = [
    column("id", Kind::Text, "the id of the instance"),
    column("target", Kind::Texts, "the expected answer for people: any of these"),
    column("expect", Kind::Text, "the answer key, as JSON"),
    column("draws", Kind::Text, "the drawn values, as JSON"),
    column("stages", Kind::Nullable, "the answer keys of stages, as JSON, or null"),
];

/// The cells of an instance for [`INSTANCE`], and for [`KEY`]. The key is taken out of the instance first, so that the first row cannot hold any of it.
pub(super) fn rows(item: &mut Item<'_>) -> (Vec<Cell>, Vec<Cell>) {
    let key = fields(item.parts.split());
    let instance = &item.parts.instance;
    let text = |json: Option<&Json>| json.map(Json::to_string);
    let picard = text(item.parts.line.pointer("/metadata/picard")).unwrap_or_default();
    let public = vec![
        Cell::Text(instance.id.clone()),
        Cell::Int(i64::try_from(item.index).unwrap_or(i64::MAX)),
        Cell::Text(instance.task.clone()),
        Cell::Nullable(instance.variant.clone()),
        Cell::Int(i64::from(instance.sample)),
        Cell::Texts(instance.tags.clone()),
        Cell::Text(instance.prompt.clone()),
        Cell::Texts(instance.folders.clone()),
        Cell::Text(picard),
    ];
    let of_key = |name: &str| text(key.get(name));
    let secret = vec![
        Cell::Text(instance.id.clone()),
        Cell::Texts(instance.target.clone()),
        Cell::Text(of_key("expect").unwrap_or_default()),
        Cell::Text(of_key("draws").unwrap_or_default()),
        Cell::Nullable(of_key("stages")),
    ];
    (public, secret)
}

/// The most bytes of files that an instance has in a table: readers hold a row in memory.
const MOST: u64 = 256 << 20;

/// The path and the content of each file.
pub(super) type Contents = Vec<(String, Vec<u8>)>;

/// The contents of an instance's files; `None` if they are too large for a row.
pub(super) fn contents(item: &Item<'_>) -> Result<Option<Contents>, records::Error> {
    let mut all = Vec::new();
    let mut size = 0;
    for (path, content) in &item.parts.instance.files {
        size += match content {
            Content::Inline(bytes) => bytes.len() as u64,
            Content::Below(below) => item.bundle.size(below)?,
        };
        if size > MOST {
            return Ok(None);
        }
        all.push((path.clone(), item.bundle.content(content)?.into_owned()));
    }
    Ok(Some(all))
}

/// Texts that a Parquet file says of itself.
pub(super) fn footer(identity: &Map<String, Json>) -> Vec<(String, String)> {
    let text = |json: &Json| json.as_str().map_or_else(|| json.to_string(), str::to_owned);
    identity.iter().map(|(name, json)| (format!("picardc.{name}"), text(json))).collect()
}
