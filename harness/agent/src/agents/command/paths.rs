//! Paths in a job: as text, or as bytes if they are not UTF-8. One file with such a name must not stop every program that may read its folder.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::PathBuf;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Written {
    Text(String),
    Bytes(Vec<u8>),
}

pub fn serialize<S: Serializer>(paths: &[PathBuf], serializer: S) -> Result<S::Ok, S::Error> {
    let written = |path: &PathBuf| match path.to_str() {
        Some(text) => Written::Text(text.to_owned()),
        None => Written::Bytes(path.as_os_str().as_bytes().to_vec()),
    };
    serializer.collect_seq(paths.iter().map(written))
}

pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<PathBuf>, D::Error> {
    let read = |written| match written {
        Written::Text(text) => PathBuf::from(text),
        Written::Bytes(bytes) => PathBuf::from(OsString::from_vec(bytes)),
    };
    Ok(Vec::<Written>::deserialize(deserializer)?.into_iter().map(read).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Paths(#[serde(with = "super")] Vec<PathBuf>);

    #[test]
    fn names_that_are_not_text_come_back() {
        let odd = PathBuf::from(OsString::from_vec(b"/a/\xff.py".to_vec()));
        let paths = Paths(vec![PathBuf::from("/a/b ü"), odd]);
        let json = serde_json::to_string(&paths).expect("written");
        assert_eq!(serde_json::from_str::<Paths>(&json).expect("read"), paths);
    }
}
