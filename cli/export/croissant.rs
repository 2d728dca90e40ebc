//! Croissant 1.1 (ML Commons): metadata of a dataset as JSON-LD, and its data.
//!
//! ```text
//! DIR/croissant.json                  the metadata, with digests and types
//! DIR/data/instances.parquet          the instances, without keys
//! DIR/files/ID/PATH                   the starting files of agents
//! DIR/data/keys.parquet               with --keys
//! ```

use records::Error;
use records::columns::{Column, KEY, Kind, PLACES};
use serde_json::{Map, Value as Json, json};

use super::about::BundleIdentity;
use super::folder::Folder;
use super::names::to_portable_name;
use super::needs::Need;
use super::tables::{Cell, Tables, list_public_columns};
use super::{FromBundle, Instances, Item, Stop, export_bundle};
use crate::console::Console;
use crate::exit::Exit;

/// A dataset with Croissant metadata
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Write a dataset that is described in Croissant 1.1, the JSON-LD of ML Commons: Parquet files with columns of fixed types, and the files \
                  that agents begin with. Answer keys and drawn values are left out, unless --keys asks for them.",
    after_help = "Example:\n  picardc export croissant out/past -o out/past-croissant\n  mlcroissant validate --jsonld out/past-croissant/croissant.json"
)]
pub(super) struct Args {
    #[command(flatten)]
    from: FromBundle,
    /// Publish the answer keys too
    #[arg(long)]
    keys: bool,
}

/// The tables: ID in the metadata, path, and description.
const TABLES: [(&str, &str, &str); 2] = [
    ("instances", "data/instances.parquet", "What an agent is given, a row for each instance."),
    ("keys", "data/keys.parquet", "The answer keys, by the id of the instance."),
];

/// Runs the export and returns its exit status.
pub(super) fn run_export(args: &Args, console: &Console) -> Result<Exit, Error> {
    export_bundle(&args.from, console, |about, folder| {
        let [(_, instances, _), (_, keys, _)] = TABLES;
        let tables = Tables::new(&folder, &about, instances, PLACES, args.keys.then_some(keys))?;
        Ok(Croissant { about, folder, tables, has_files: false })
    })
}

struct Croissant {
    about: BundleIdentity,
    folder: Folder,
    tables: Tables,
    has_files: bool,
}

impl Instances for Croissant {
    const NAME: &'static str = "Croissant";
    const LACKS: &'static [Need] = &[];

    fn add_instance(&mut self, item: Item<'_>) -> Result<(), Stop> {
        let mut places = Map::new();
        for (path, content) in &item.parts.instance.files {
            let place = format!("files/{}/{path}", to_portable_name(&item.parts.instance.id));
            self.folder.copy_file(item.bundle, content, &place)?;
            places.insert(path.clone(), place.into());
        }
        self.has_files |= !places.is_empty();
        Ok(self.tables.add_instance(item, Cell::Text(Json::Object(places).to_string()))?)
    }

    fn finish_export(self) -> Result<(), Error> {
        let Croissant { about, folder, tables, has_files } = self;
        let has_keys = tables.has_keys();
        tables.finish_tables()?;
        let (mut distribution, mut sets) = (Vec::new(), Vec::new());
        let columns = [list_public_columns().chain([PLACES]).collect(), KEY.to_vec()];
        let written = if has_keys { TABLES.len() } else { 1 };
        for ((id, path, about), columns) in TABLES.into_iter().zip(columns).take(written) {
            let sha256 = folder.digest_file(path)?;
            distribution.push(json!({
                "@type": "cr:FileObject", "@id": path, "name": path, "contentUrl": path,
                "encodingFormat": "application/x-parquet", "sha256": sha256,
            }));
            let fields: Vec<Json> = columns.iter().map(|column| build_field(id, path, column)).collect();
            sets.push(json!({
                "@type": "cr:RecordSet", "@id": id, "name": id, "description": about, "key": {"@id": format!("{id}/id")},
                "field": fields,
            }));
        }
        if has_files {
            distribution.push(json!({
                "@type": "cr:FileSet", "@id": "files", "name": "files", "includes": "files/**",
                "encodingFormat": "application/octet-stream", "description": "The files that agents begin with.",
            }));
        }
        folder.write_json("croissant.json", &build_dataset(&about, distribution, sets))
    }
}

/// Builds a field of a record set, which is one column.
fn build_field(set: &str, path: &str, column: &Column) -> Json {
    let kind = if column.kind == Kind::Int { "sc:Integer" } else { "sc:Text" };
    let mut field = json!({
        "@type": "cr:Field", "@id": format!("{set}/{}", column.name), "name": column.name, "description": column.about,
        "dataType": kind,
        "source": {"fileObject": {"@id": path}, "extract": {"column": column.name}},
    });
    if column.kind == Kind::Texts {
        field["isArray"] = true.into();
        field["arrayShape"] = "-1".into();
    }
    field
}

fn build_dataset(about: &BundleIdentity, distribution: Vec<Json>, sets: Vec<Json>) -> Json {
    let mut description = format!(
        "{}: instances of the evaluation suite {} {}. Bundle SHA-256: {}.",
        about.title, about.suite, about.version, about.sha256
    );
    if let Some(canary) = &about.canary {
        description.push_str(&format!(" This data must not appear in training corpora. Canary: {canary}"));
    }
    let mut dataset = json!({
        "@context": build_context(),
        "@type": "sc:Dataset",
        "name": about.suite,
        "description": description,
        "conformsTo": "http://mlcommons.org/croissant/1.1",
        "version": about.full_version(),
        "isLiveDataset": false,
        "distribution": distribution,
        "recordSet": sets,
    });
    if let Some(license) = &about.license {
        dataset["license"] = license.clone().into();
    }
    dataset
}

/// Builds the context from the specification.
fn build_context() -> Json {
    json!({
        "@language": "en",
        "@vocab": "https://schema.org/",
        "arrayShape": "cr:arrayShape",
        "citeAs": "cr:citeAs",
        "column": "cr:column",
        "conformsTo": "dct:conformsTo",
        "cr": "http://mlcommons.org/croissant/",
        "data": {"@id": "cr:data", "@type": "@json"},
        "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
        "dct": "http://purl.org/dc/terms/",
        "extract": "cr:extract",
        "field": "cr:field",
        "fileObject": "cr:fileObject",
        "fileProperty": "cr:fileProperty",
        "fileSet": "cr:fileSet",
        "format": "cr:format",
        "includes": "cr:includes",
        "isArray": "cr:isArray",
        "isLiveDataset": "cr:isLiveDataset",
        "jsonPath": "cr:jsonPath",
        "key": "cr:key",
        "md5": "cr:md5",
        "parentField": "cr:parentField",
        "path": "cr:path",
        "recordSet": "cr:recordSet",
        "references": "cr:references",
        "regex": "cr:regex",
        "repeated": "cr:repeated",
        "replace": "cr:replace",
        "sc": "https://schema.org/",
        "separator": "cr:separator",
        "source": "cr:source",
        "subField": "cr:subField",
        "transform": "cr:transform",
    })
}
