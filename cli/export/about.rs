//! What an export is of: the identity of a bundle, in every export.

use std::path::Path;

use disk::digest::{digest_file, encode_hex, hash_sha256};
use records::bundle::read_manifest;
use records::{Bundle, Error};
use serde_json::{Map, Value as Json, json};

use super::left_out::LeftOut;
use crate::build::describe_compiler;

/// The manifest of a bundle. `bundle_sha256` is a digest of suite, seed, options, and content: the identity that every export names.
#[derive(Clone, Debug)]
pub(super) struct BundleIdentity {
    /// All of it.
    pub(super) manifest: Map<String, Json>,
    /// The suite's name.
    pub(super) suite: String,
    /// Its title.
    pub(super) title: String,
    /// Its version.
    pub(super) version: String,
    /// Its license, if it states one.
    pub(super) license: Option<String>,
    /// Its canary, if it has one.
    pub(super) canary: Option<String>,
    /// How prompts call the sandbox.
    pub(super) sandbox_root: String,
    /// `bundle_sha256`; of a bundle that was edited, a digest of what is in it now.
    pub(super) sha256: String,
    /// Whether it was taken as it is (`--unverified`).
    pub(super) unverified: bool,
}

impl BundleIdentity {
    /// Of the bundle in a folder.
    ///
    /// # Errors
    /// It cannot be read.
    pub(super) fn from_bundle(bundle: &Bundle, folder: &Path) -> Result<BundleIdentity, Error> {
        let (known, manifest) = read_manifest(folder)?;
        let text = |at: &str| -> Option<String> {
            let mut parts = at.split('/');
            let first = manifest.get(parts.next()?)?;
            parts.try_fold(first, |json, part| json.get(part))?.as_str().map(str::to_owned)
        };
        Ok(BundleIdentity {
            suite: known.suite.name,
            title: known.suite.title,
            version: known.suite.version,
            license: text("suite/license"),
            canary: text("canary"),
            sandbox_root: known.options.sandbox_root,
            sha256: match bundle.is_verified() {
                true => known.bundle_sha256,
                false => digest_edited_bundle(bundle, &known.bundle_sha256)?,
            },
            unverified: !bundle.is_verified(),
            manifest,
        })
    }

    /// The first digits of its identity: enough to tell it from other bundles of the suite, and short enough for names.
    pub(super) fn short_digest(&self) -> &str {
        self.sha256.get(..12).unwrap_or(&self.sha256)
    }

    /// `1.0.0+0902f16a681a`: another bundle has another version.
    pub(super) fn full_version(&self) -> String {
        format!("{}+{}", self.version, self.short_digest())
    }

    /// The identity, as fields.
    pub(super) fn to_identity_fields(&self) -> Map<String, Json> {
        let mut fields = Map::new();
        fields.insert("suite".to_owned(), self.suite.clone().into());
        fields.insert("version".to_owned(), self.version.clone().into());
        fields.insert("bundle_sha256".to_owned(), self.sha256.clone().into());
        fields.extend(self.manifest.get("source_sha256").map(|value| ("source_sha256".to_owned(), value.clone())));
        fields
    }

    /// `picardc.json` of an export: what it is of, what wrote it, and what it does not have. Neither seed nor key: an export may be published.
    pub(super) fn to_json(&self, format: &str, written: u64, left: &LeftOut) -> Json {
        let mut fields = self.to_identity_fields();
        fields.insert("format".to_owned(), format.into());
        fields.insert("title".to_owned(), self.title.clone().into());
        fields.extend(self.manifest.get("options").map(|options| ("options".to_owned(), options.clone())));
        fields.insert("canary".to_owned(), self.canary.clone().into());
        fields.insert("instances".to_owned(), written.into());
        fields.insert("left_out".to_owned(), left.to_json());
        if self.unverified {
            fields.insert("unverified".to_owned(), true.into());
        }
        fields.insert("picardc".to_owned(), describe_compiler().version.into());
        Json::Object(fields)
    }
}

/// The identity of a bundle that may have been edited: its digest does not say what is in it, so all of it is read.
fn digest_edited_bundle(bundle: &Bundle, stated: &str) -> Result<String, Error> {
    let mut all = format!("{stated}\n");
    let mut instances = bundle.open_instances()?;
    while let Some(parts) = instances.next_parts() {
        let parts = parts?;
        let mut text = parts.join_key().to_string();
        for (path, content) in &parts.instance.files {
            let digest = match content.as_static() {
                None => hash_sha256(&bundle.read_content(content)?),
                Some(below) => {
                    let read = digest_file(&mut bundle.open_file(below)?);
                    encode_hex(&read.map_err(|error| Error::new_io("read", Path::new(below), &error))?.1)
                }
            };
            text.push_str(&format!("\n{digest}  {path}"));
        }
        all.push_str(&hash_sha256(text.as_bytes()));
    }
    Ok(hash_sha256(all.as_bytes()))
}

/// A UUID of version 4 made from an identity, so that the same identity has the same one.
pub(super) fn make_uuid(identity: &str) -> String {
    let digest = hash_sha256(identity.as_bytes());
    let part = |from: usize, to: usize| digest.get(from..to).unwrap_or_default();
    // The first digit of the fourth group is 8, 9, a, or b.
    let variant = match part(16, 17) {
        "0" | "4" | "8" | "c" => '8',
        "1" | "5" | "9" | "d" => '9',
        "2" | "6" | "a" | "e" => 'a',
        _ => 'b',
    };
    format!("{}-{}-4{}-{variant}{}-{}", part(0, 8), part(8, 12), part(13, 16), part(17, 20), part(20, 32))
}

/// An object of JSON as fields; nothing of anything else.
pub(super) fn into_fields(json: Json) -> Map<String, Json> {
    match json {
        Json::Object(fields) => fields,
        _ => Map::new(),
    }
}

/// The fields of an instance that people sort by, for the metadata of other tools.
pub(super) fn collect_metadata(instance: &records::Instance) -> Map<String, Json> {
    let axis: Map<String, Json> =
        instance.axis.iter().map(|(name, value)| (name.clone(), value.render_text().into_owned().into())).collect();
    into_fields(json!({
        "instance": instance.id,
        "task": instance.task,
        "variant": instance.variant,
        "axis": axis,
        "sample": instance.sample,
        "tags": instance.tags,
    }))
}

#[cfg(test)]
mod tests {
    use super::make_uuid;

    #[test]
    fn a_uuid_is_of_version_4_and_fixed() {
        let one = make_uuid("a");
        assert_eq!(one, make_uuid("a"));
        assert_ne!(one, make_uuid("b"));
        for text in ["a", "b", "c", "d", "e", "f"] {
            let uuid = make_uuid(text);
            let groups: Vec<usize> = uuid.split('-').map(str::len).collect();
            assert_eq!(groups, [8, 4, 4, 4, 12]);
            assert!(uuid[14..].starts_with('4') && "89ab".contains(&uuid[19..20]), "{uuid}");
        }
    }
}
