//! SHA-256 of bytes, and the seal of a bundle, which its writer and its readers compute with the same code.

use std::fs::File;
use std::io::{self, BufReader, Seek as _};

pub use model::encode_hex;
use serde_json::{Map, Value as Json};
use sha2::{Digest as _, Sha256};

/// Computes SHA-256 of bytes, in hexadecimal digits.
///
/// ```
/// use disk::digest::hash_sha256;
///
/// // As `sha256sum` prints it.
/// assert_eq!(hash_sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
/// ```
pub fn hash_sha256(bytes: &[u8]) -> String {
    encode_hex(&Sha256::digest(bytes))
}

/// Reads an open file from its start; returns its size in bytes and its SHA-256.
///
/// # Errors
/// An I/O error.
pub fn digest_file(file: &mut File) -> io::Result<(u64, [u8; 32])> {
    file.rewind()?;
    let mut hash = Sha256::new();
    let bytes = io::copy(&mut BufReader::with_capacity(1 << 16, file), &mut hash)?;
    Ok((bytes, hash.finalize().into()))
}

/// Computes `bundle_sha256` from the other fields of a manifest: over the line `instances <sha256>`, the line `keys <sha256>` if keys are split, the
/// line `files <sha256>`, and the manifest without digests and `compiler` as compact JSON with sorted keys (docs: reference/bundle.md).
pub fn compute_seal(manifest: &Map<String, Json>) -> String {
    let mut text = String::new();
    for part in ["instances", "keys", "files"] {
        if let Some(digest) = manifest.get(&format!("{part}_sha256")).and_then(Json::as_str) {
            text.push_str(&format!("{part} {digest}\n"));
        }
    }
    let kept = manifest.iter().filter(|(name, _)| !name.ends_with("_sha256") && *name != "compiler");
    let mut kept: Json = kept.map(|(name, value)| (name.clone(), value.clone())).collect();
    kept.sort_all_objects();
    text.push_str(&kept.to_string());
    hash_sha256(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn sorting_reaches_every_level() {
        let seal = |json: Json| compute_seal(json.as_object().expect("a manifest"));
        let sorted = hash_sha256(br#"{"a":null,"b":[{"a":2,"z":1}]}"#);
        assert_eq!(seal(json!({"b": [{"z": 1, "a": 2}], "a": null})), sorted);
        assert_eq!(seal(json!({"a": null, "b": [{"a": 2, "z": 1}]})), sorted);
    }

    #[test]
    fn a_seal_is_of_content_and_digests() {
        let manifest = |json: Json| json.as_object().cloned().unwrap_or_default();
        let one =
            manifest(json!({"seed": "7", "instances_sha256": "a", "files_sha256": "b", "compiler": {"version": "1"}}));
        let text = "instances a\nfiles b\n{\"seed\":\"7\"}";
        assert_eq!(compute_seal(&one), hash_sha256(text.as_bytes()));
        let same = manifest(json!({"bundle_sha256": "x", "files_sha256": "b", "seed": "7", "instances_sha256": "a"}));
        assert_eq!(compute_seal(&one), compute_seal(&same));
        assert_ne!(
            compute_seal(&one),
            compute_seal(&manifest(json!({"seed": "7", "instances_sha256": "a", "files_sha256": "c"})))
        );
        assert_eq!(hash_sha256(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }
}
