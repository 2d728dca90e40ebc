//! The part of an instance that a check of a whole bundle needs.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{IgnoredAny, MapAccess, Visitor};

use crate::Error;
use crate::instance::{Content, Instance, check_versions};

/// The id of an instance, and its files in the bundle.
pub(crate) struct Head {
    pub(crate) id: String,
    /// Relative to the bundle.
    pub(crate) paths: Vec<String>,
}

impl Head {
    pub(crate) fn from_instance(instance: Instance) -> Head {
        let below = |(_, content)| match content {
            Content::Below(path) => Some(path),
            Content::Inline(_) => None,
        };
        Head { id: instance.id, paths: instance.files.into_iter().filter_map(below).collect() }
    }

    /// Parses a line of `instances.jsonl` and skips the rest, but for a line whose head cannot be read: then the inner error tells why, as for the whole line.
    pub(crate) fn parse(line: &[u8]) -> serde_json::Result<Result<Head, Error>> {
        if let Ok(Line { id, files, metadata: Metadata { picard } }) = serde_json::from_slice(line) {
            let checked = check_versions(picard.schema, picard.scorer);
            let head = checked.map(|_| Head { id: id.to_string(), paths: files.0 });
            return Ok(head.map_err(|error| error.name_instance(&id)));
        }
        let json = serde_json::from_slice(line)?;
        Ok(Instance::from_json(&json, None).map(Head::from_instance))
    }

    /// Parses the id of a line of `keys.jsonl`.
    pub(crate) fn parse_id(line: &[u8]) -> serde_json::Result<String> {
        #[derive(Deserialize)]
        struct Key {
            id: String,
        }
        serde_json::from_slice(line).map(|Key { id }| id)
    }
}

/// A line of `instances.jsonl`.
#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    id: Cow<'a, str>,
    #[serde(default)]
    files: Paths,
    metadata: Metadata,
}

#[derive(Deserialize)]
struct Metadata {
    picard: Versions,
}

#[derive(Deserialize)]
struct Versions {
    schema: Option<u64>,
    scorer: Option<u64>,
}

/// A source of a file.
#[derive(Deserialize)]
struct Source<'a>(#[serde(borrow)] Cow<'a, str>);

/// The sources of files, without those that contain them.
#[derive(Default)]
struct Paths(Vec<String>);

impl<'de> Deserialize<'de> for Paths {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Paths, D::Error> {
        struct Sources;
        impl<'de> Visitor<'de> for Sources {
            type Value = Paths;

            fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
                to.write_str("an object of sources")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Paths, A::Error> {
                let mut paths = Vec::new();
                while let Some((_, Source(source))) = map.next_entry::<IgnoredAny, Source<'de>>()? {
                    if !source.starts_with("data:") {
                        paths.push(source.into_owned());
                    }
                }
                Ok(Paths(paths))
            }
        }
        from.deserialize_map(Sources)
    }
}
