//! Instances and keys as tables with columns of fixed types (`records::columns`), in Parquet.

mod parquet;

use records::Error;
use records::columns::{Column, FOLDERS, KEY, METADATA, OPEN};
use records::instance::Content;
use serde_json::{Map, Value as Json};

use super::Item;
use super::about::{BundleIdentity, into_fields};
use super::folder::Folder;
use parquet::Table;

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

/// The table of instances and, on request, that of keys.
pub(super) struct Tables {
    instances: Table,
    keys: Option<Table>,
}

impl Tables {
    /// Creates the tables at these paths. `last` is the column of instances after the public ones.
    pub(super) fn new(
        folder: &Folder,
        about: &BundleIdentity,
        instances: &str,
        last: Column,
        keys: Option<&str>,
    ) -> Result<Tables, Error> {
        let footer = build_footer(&about.to_identity_fields());
        let create = |path: &str, columns| Table::new(folder.create_file(path)?, columns, footer.clone());
        Ok(Tables {
            instances: create(instances, list_public_columns().chain([last]).collect())?,
            keys: keys.map(|path| create(path, KEY.to_vec())).transpose()?,
        })
    }

    /// Whether the keys are written, too.
    pub(super) fn has_keys(&self) -> bool {
        self.keys.is_some()
    }

    /// Adds an instance, with the cell of its last column.
    pub(super) fn add_instance(&mut self, mut item: Item<'_>, last: Cell) -> Result<(), Error> {
        let (mut row, key) = build_rows(&mut item);
        row.push(last);
        self.instances.add_row(row)?;
        self.keys.as_mut().map_or(Ok(()), |keys| keys.add_row(key))
    }

    /// Writes the rest.
    pub(super) fn finish_tables(self) -> Result<(), Error> {
        self.instances.finish_table()?;
        self.keys.map_or(Ok(()), Table::finish_table)
    }
}

/// Builds the cells of an instance for [`list_public_columns`] and for [`records::columns::KEY`]. The key is removed from the instance first, so the first row
/// cannot contain any part of it.
fn build_rows(item: &mut Item<'_>) -> (Vec<Cell>, Vec<Cell>) {
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
pub(super) fn read_contents(item: &Item<'_>) -> Result<Option<Contents>, Error> {
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
fn build_footer(identity: &Map<String, Json>) -> Vec<(String, String)> {
    let text = |json: &Json| json.as_str().map_or_else(|| json.to_string(), str::to_owned);
    identity.iter().map(|(name, json)| (format!("picardc.{name}"), text(json))).collect()
}
