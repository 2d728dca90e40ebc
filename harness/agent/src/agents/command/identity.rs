//! The identity of a program, which a run must keep when it is resumed: digests of its files and of the values that it gets.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use disk::digest::{digest_file, hash_sha256};
use model::encode_hex;
use records::Parameters;
use records::parameters::{DIGITS, PROGRAM, READ};
use serde_json::{Map, Value as Json};

use super::program::Program;
use crate::secrets::is_secret_name;
use crate::settings::Settings;

/// The largest file that is hashed as a whole, in bytes. For a larger one, its size and half as many bytes at each end are hashed.
const LARGEST: u64 = 64 << 20;

/// Collects the parameters of a program; `words` is the command of `--agent`.
pub fn collect_parameters(words: &[String], program: &Program, settings: &Settings) -> Parameters {
    let mut parameters = Parameters::default();
    let (name, rest) = words.split_first().map_or(("", &[][..]), |(name, rest)| (name.as_str(), rest));
    let named = rest.iter().map(|word| (word.as_str(), Path::new(word))).filter(|(_, path)| path.is_file());
    parameters.set(PROGRAM, digest_files(std::iter::once((name, program.path.as_path())).chain(named)));
    let read: Vec<(String, &Path)> =
        settings.read.iter().map(|path| (path.display().to_string(), path.as_path())).collect();
    parameters.set(READ, digest_files(read.iter().map(|(name, path)| (name.as_str(), *path))));
    let value = |name: &String| {
        // A renewed key does not count as a change.
        let value = std::env::var(name).ok().filter(|_| !is_secret_name(name));
        let digest = value.map(|value| hash_sha256(format!("{name}={value}").as_bytes()));
        digest.and_then(|digest| digest.get(..DIGITS).map(str::to_owned)).map_or(Json::Null, Json::String)
    };
    let env: Map<String, Json> = settings.env.iter().map(|name| (name.clone(), value(name))).collect();
    parameters.set("env", env);
    parameters.set("memory_mib", settings.memory >> 20);
    parameters.set("allow_unix", settings.unix);
    parameters
}

/// Returns the digest of each file; `null` for other paths, such as folders.
fn digest_files<'a>(files: impl Iterator<Item = (&'a str, &'a Path)>) -> Map<String, Json> {
    files.map(|(name, path)| (name.to_owned(), digest_path(path, LARGEST).map_or(Json::Null, Json::String))).collect()
}

/// Returns the SHA-256 of a file of at most `largest` bytes, or of the size and both ends of a larger one. `None` if it is not a readable file.
fn digest_path(path: &Path, largest: u64) -> Option<String> {
    if !path.is_file() {
        return None;
    }
    let read = || -> io::Result<String> {
        let mut file = File::open(path)?;
        let size = file.metadata()?.len();
        if size <= largest {
            return digest_file(&mut file).map(|(_, digest)| encode_hex(&digest));
        }
        let mut bytes = size.to_string().into_bytes();
        (&mut file).take(largest / 2).read_to_end(&mut bytes)?;
        file.seek(SeekFrom::End(-i64::try_from(largest / 2).unwrap_or(0)))?;
        (&mut file).take(largest / 2).read_to_end(&mut bytes)?;
        Ok(hash_sha256(&bytes))
    };
    read().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edit_gives_another_digest() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("agent.py");
        let of = |content: &[u8]| {
            std::fs::write(&path, content).expect("written");
            digest_path(&path, 64)
        };
        assert_eq!(of(b"print(1)"), Some(hash_sha256(b"print(1)")));
        let small = [of(b"print(1)"), of(b"print(2)"), of(b"print(1) ")];
        let large =
            [of(&[7; 100]), of(&[7; 101]), of(&[&[8][..], &[7; 99]].concat()), of(&[&[7; 99][..], &[8]].concat())];
        let mut all: Vec<_> = small.into_iter().chain(large).flatten().collect();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 7);
        assert_eq!((digest_path(folder.path(), 64), digest_path(&folder.path().join("none"), 64)), (None, None));
    }
}
