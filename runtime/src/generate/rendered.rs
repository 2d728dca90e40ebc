//! Rendered files: their paths, and their content, open for the accesses that functions and queries need.

use std::sync::Arc;

use model::format::is_gzip;
use tables::gzip;

use super::failures::{Res, fail_computation};
use super::instance::{FileBytes, Lent, SandboxFile};
use super::sqlite::Database;
use super::tree::TreeFile;

/// A rendered file.
pub(crate) struct Rendered {
    /// Relative and safe path. For many files, the path of the first; empty if there are none.
    pub path: String,
    /// The content.
    pub content: Content,
    /// The path in the project of a fixture that rows of a data set share.
    pub source: Option<String>,
    /// For many files, the rows of each file, by position in its relation.
    pub rows: Vec<Vec<u32>>,
}

/// The content of a file.
pub(crate) enum Content {
    /// Text of any format.
    Text(String),
    /// A database, open for queries.
    Database(Box<Database>),
    /// JSON, YAML, or XML, open for paths.
    Tree(Box<TreeFile>),
    /// Anything else: a workbook.
    Bytes(Vec<u8>),
    /// Text in an encoding other than UTF-8.
    Encoded {
        /// The bytes of the file.
        bytes: Vec<u8>,
        /// The decoded text.
        text: String,
    },
    /// Many files, in byte order of their paths.
    Files(Vec<(String, Vec<u8>)>),
    /// A fixture, whose bytes all instances share, open for the accesses that its format supports.
    Copied(Arc<[u8]>, Reading),
    /// A fixture that is a gzip file: its bytes, and what is in it.
    Packed(Arc<[u8]>, Box<Content>),
}

/// The accesses that a fixture supports, apart from its tables.
pub(crate) enum Reading {
    /// Nothing.
    Nothing,
    /// Its text, which is UTF-8.
    Text,
    /// Its text, and paths.
    Tree(Box<TreeFile>),
    /// Queries.
    Database(Box<Database>),
}

impl Rendered {
    /// Returns about the number of bytes of its files. Those of a database are not counted, because they are not known until it is read.
    pub fn estimate_bytes(&self) -> usize {
        match &self.content {
            Content::Text(text) => text.len(),
            Content::Database(_) => 0,
            Content::Tree(tree) => tree.text().len(),
            Content::Bytes(bytes) | Content::Encoded { bytes, .. } => bytes.len(),
            Content::Files(files) => files.iter().map(|(_, bytes)| bytes.len()).sum(),
            Content::Copied(bytes, _) | Content::Packed(bytes, _) => bytes.len(),
        }
    }

    /// Returns the database, if the file is one.
    pub fn database(&self) -> Option<&Database> {
        match &self.content {
            Content::Database(database) | Content::Copied(_, Reading::Database(database)) => Some(database),
            _ => None,
        }
    }

    /// Checks whether this is many files, which have no common path.
    pub fn is_many(&self) -> bool {
        matches!(self.content, Content::Files(_))
    }

    /// Returns the paths of its files: one or many.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        let (one, many) = match &self.content {
            Content::Files(files) => (None, files.as_slice()),
            _ => (Some(self.path.as_str()), &[][..]),
        };
        one.into_iter().chain(many.iter().map(|(path, _)| path.as_str()))
    }

    /// Returns the bytes of the file of rows at a path.
    pub fn find_bytes(&self, path: &str) -> Option<&[u8]> {
        match &self.content {
            Content::Files(files) => {
                let at = files.binary_search_by(|(own, _)| own.as_str().cmp(path)).ok()?;
                files.get(at).map(|(_, bytes)| bytes.as_slice())
            }
            Content::Text(text) => Some(text.as_bytes()),
            Content::Encoded { bytes, .. } => Some(bytes),
            _ => None,
        }
    }

    /// Returns the text to read, if it is text. A byte order mark is skipped here but stays in the file.
    pub fn text(&self) -> Option<&str> {
        self.text_with_bom().map(|text| text.strip_prefix('\u{feff}').unwrap_or(text))
    }

    /// Returns the whole text, if it is text, including a byte order mark.
    pub fn text_with_bom(&self) -> Option<&str> {
        Some(match self.content.as_unpacked() {
            Content::Text(text) | Content::Encoded { text, .. } => text.as_str(),
            Content::Tree(tree) => tree.text(),
            Content::Copied(bytes, Reading::Text | Reading::Tree(_)) => std::str::from_utf8(bytes).ok()?,
            _ => return None,
        })
    }

    /// Returns the tree, if the file is one.
    pub fn tree(&self) -> Option<&TreeFile> {
        match self.content.as_unpacked() {
            Content::Tree(tree) | Content::Copied(_, Reading::Tree(tree)) => Some(tree),
            _ => None,
        }
    }

    /// Converts it to its files with their bytes: one or many. Texts whose names end in `.gz` are packed.
    pub fn into_files(self) -> Res<Vec<SandboxFile>> {
        let file = |path, bytes| SandboxFile { path, bytes };
        match self.content {
            Content::Files(files) => Ok(files.into_iter().map(|(path, bytes)| pack_file(path, bytes)).collect()),
            Content::Copied(bytes, _) | Content::Packed(bytes, _) => {
                let bytes = match self.source {
                    Some(source) => FileBytes::Lent(Arc::new(Lent { source, bytes })),
                    None => FileBytes::Shared(bytes),
                };
                Ok(vec![file(self.path, bytes)])
            }
            content @ (Content::Text(_) | Content::Encoded { .. } | Content::Tree(_)) => {
                Ok(vec![pack_file(self.path, content.into_own_bytes()?)])
            }
            content => Ok(vec![file(self.path, content.into_own_bytes()?.into())]),
        }
    }
}

/// Makes a file of texts, packed if its name ends in `.gz`.
fn pack_file(path: String, bytes: Vec<u8>) -> SandboxFile {
    let bytes = if is_gzip(&path) { gzip::pack(&bytes) } else { bytes };
    SandboxFile { path, bytes: bytes.into() }
}

impl Content {
    /// Returns the content in a gzip file, or this one.
    fn as_unpacked(&self) -> &Content {
        if let Content::Packed(_, inner) = self { inner } else { self }
    }

    /// Converts one unshared file to its bytes.
    pub fn into_own_bytes(self) -> Res<Vec<u8>> {
        match self {
            Content::Text(text) => Ok(text.into_bytes()),
            Content::Database(database) => Ok(database.to_bytes()?.into_owned()),
            Content::Tree(tree) => Ok(tree.into_text().into_bytes()),
            Content::Bytes(bytes) | Content::Encoded { bytes, .. } => Ok(bytes),
            Content::Copied(bytes, _) | Content::Packed(bytes, _) => Ok(bytes.to_vec()),
            Content::Files(_) => fail_computation("many files do not have bytes together"),
        }
    }
}
