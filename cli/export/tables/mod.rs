//! Instances and keys as tables with columns of fixed types (`records::columns`), in Parquet.

mod parquet;

use records::columns::{Column, FOLDERS, METADATA, OPEN};
use records::instance::Content;
use serde_json::{Map, Value as Json};

use super::Item;
use super::about::into_fields;
pub(super) use parquet::Table;

/// A value in a column.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cell {
    Text(String),
    Nullable(Option<String>),
    Int(i64),
    Texts(Vec<String>),
    Files(Vec<(String, Vec<u8>)>),
}

/// The columns that an agent may see, before the column `files`.
pub(super) fn list_public_columns() -> impl Iterator<Item = Column> {
    OPEN.into_iter().chain([FOLDERS, METADATA])
}

/// Builds the cells of an instance for [`list_public_columns`] and for [`records::columns::KEY`]. The key is removed from the instance first, so the first row
/// cannot contain any part of it.
pub(super) fn build_rows(item: &mut Item<'_>) -> (Vec<Cell>, Vec<Cell>) {
    let key = into_fields(item.parts.extract_key());
    let instance = &item.parts.instance;
    let text = |json: Option<&Json>| json.map(Json::to_string);
    let picard = text(item.parts.line.pointer("/metadata/picard")).unwrap_or_default();
    let axis = text(item.parts.line.pointer("/metadata/picard/axis")).unwrap_or_default();
    let public = vec![
        Cell::Text(instance.id.clone()),
        Cell::Int(i64::try_from(item.index).unwrap_or(i64::MAX)),
        Cell::Text(instance.task.clone()),
        Cell::Nullable(instance.variant.clone()),
        Cell::Nullable(instance.stage.as_ref().map(|stage| stage.name.clone())),
        Cell::Int(i64::from(instance.sample)),
        Cell::Texts(instance.tags.clone()),
        Cell::Text(axis),
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

/// The maximum size of an instance's files in a table, in bytes: readers keep a row in memory.
const MAX_ROW_BYTES: u64 = 256 << 20;

/// The path and the content of each file.
pub(super) type Contents = Vec<(String, Vec<u8>)>;

/// Reads the contents of an instance's files; `None` if they are too large for a row.
pub(super) fn read_contents(item: &Item<'_>) -> Result<Option<Contents>, records::Error> {
    let mut all = Vec::new();
    let mut size = 0;
    for (path, content) in &item.parts.instance.files {
        size += match content {
            Content::Inline(bytes) => bytes.len() as u64,
            Content::Below(below) => item.bundle.read_size(below)?,
        };
        if size > MAX_ROW_BYTES {
            return Ok(None);
        }
        all.push((path.clone(), item.bundle.read_content(content)?.into_owned()));
    }
    Ok(Some(all))
}

/// Builds the metadata of a Parquet file.
pub(super) fn build_footer(identity: &Map<String, Json>) -> Vec<(String, String)> {
    let text = |json: &Json| json.as_str().map_or_else(|| json.to_string(), str::to_owned);
    identity.iter().map(|(name, json)| (format!("picardc.{name}"), text(json))).collect()
}
