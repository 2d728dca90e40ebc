//! The source of an export: the identity of a bundle, which every export contains.

use std::path::Path;

use disk::digest::{digest_file, encode_hex, hash_sha256};
use records::bundle::read_manifest;
use records::{Bundle, Error};
use serde_json::{Map, Value as Json, json};

use super::left_out::LeftOut;
use crate::build::describe_compiler;

/// The manifest of a bundle. `bundle_sha256` is a digest of suite, seed, options, and content, and the identity that every export names.
#[derive(Clone, Debug)]
pub(super) struct BundleIdentity {
    /// The whole manifest.
    pub(super) manifest: Map<String, Json>,
    /// The name of the suite.
    pub(super) suite: String,
    /// The title of the suite.
    pub(super) title: String,
    /// The version of the suite.
    pub(super) version: String,
    /// The license of the suite, if it states one.
    pub(super) license: Option<String>,
    /// The canary of the suite, if it has one.
    pub(super) canary: Option<String>,
    /// The path of the sandbox in prompts.
    pub(super) sandbox_root: String,
    /// `bundle_sha256`; for an edited bundle, a digest of its current content.
    pub(super) sha256: String,
    /// Whether the bundle was accepted without verification (`--unverified`).
    pub(super) unverified: bool,
}

impl BundleIdentity {
    /// Reads the identity of the bundle in a folder.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(super) fn from_bundle(bundle: &Bundle, folder: &Path) -> Result<BundleIdentity, Error> {
        let (known, manifest) = read_manifest(folder)?;
        let text = |json: Option<&Json>| json.and_then(Json::as_str).map(str::to_owned);
        Ok(BundleIdentity {
            suite: known.suite.name,
            title: known.suite.title,
            version: known.suite.version,
            license: text(manifest.get("suite").and_then(|suite| suite.get("license"))),
            canary: text(manifest.get("canary")),
            sandbox_root: known.options.sandbox_root,
            sha256: match bundle.is_verified() {
                true => known.bundle_sha256,
                false => digest_edited_bundle(bundle, &known.bundle_sha256)?,
            },
            unverified: !bundle.is_verified(),
            manifest,
        })
    }

    /// The first digits of the identity: enough to distinguish it from other bundles of the suite, and short enough for names.
    pub(super) fn short_digest(&self) -> &str {
        self.sha256.get(..12).unwrap_or(&self.sha256)
    }

    /// The version with the digest, such as `1.0.0+0902f16a681a`. Another bundle has another version.
    pub(super) fn full_version(&self) -> String {
        format!("{}+{}", self.version, self.short_digest())
    }

    /// Returns the identity as fields.
    pub(super) fn to_identity_fields(&self) -> Map<String, Json> {
        let fields = json!({"suite": self.suite, "version": self.version, "bundle_sha256": self.sha256});
        let mut fields = into_fields(fields);
        fields.extend(self.manifest.get("source_sha256").map(|value| ("source_sha256".to_owned(), value.clone())));
        fields
    }

    /// Builds `picardc.json` of an export: its source, the program that wrote it, and what it lacks. It contains neither seed nor keys, because an export may
    /// be published.
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

/// Computes the identity of a bundle that may have been edited. Its stated digest may not match its content, so everything is read.
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

/// Derives a UUID of version 4 from an identity. The same identity always has the same UUID.
pub(super) fn make_uuid(identity: &str) -> String {
    let digest = hash_sha256(identity.as_bytes());
    let part = |from: usize, to: usize| digest.get(from..to).unwrap_or_default();
    // The first digit of the fourth group must be 8, 9, a, or b.
    let variant = match part(16, 17) {
        "0" | "4" | "8" | "c" => '8',
        "1" | "5" | "9" | "d" => '9',
        "2" | "6" | "a" | "e" => 'a',
        _ => 'b',
    };
    format!("{}-{}-4{}-{variant}{}-{}", part(0, 8), part(8, 12), part(13, 16), part(17, 20), part(20, 32))
}

/// Converts a JSON object to its fields, and any other value to an empty map.
pub(super) fn into_fields(json: Json) -> Map<String, Json> {
    match json {
        Json::Object(fields) => fields,
        _ => Map::new(),
    }
}

/// Collects the fields of an instance by which people sort, for the metadata of other tools.
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
