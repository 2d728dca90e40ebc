//! The result of generation: one question with its files and its answer key, all rendered.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use model::Value;
use model::answer_key::{Expected, Trap};
use model::asked::{AskedRow, Described, Stage, StageKey};
use model::suite::{Lake, LakeFile};
use model::tools::Tool;
use serde::Serialize;

use super::inquiry::Findings;

/// The address of an instance: positions in the plan, and the sample from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Address {
    /// Index into the plan's tasks.
    pub task: u32,
    /// Index of the cell in the product of the axes (last axis fastest).
    pub cell: u32,
    /// Index into the task's variants, or into its stages if they are asked one by one; 0 if it has none.
    pub variant: u32,
    /// Index of the sample, from 0.
    pub sample: u32,
}

/// A question that is ready for an agent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Instance {
    /// `<task>[-<row's key>][-<axis labels>…][-<variant or stage>]-<sample>`, samples from 1.
    pub id: String,
    /// `<task>[-<row's key>][-<axis labels>…]-<sample>`: names the folder of its files, which variants share.
    pub files_id: String,
    /// The task's name.
    pub task: String,
    /// The variant's name.
    pub variant: Option<String>,
    /// The stage that is asked instead of the task itself.
    pub stage: Option<Stage>,
    /// The stages whose answers are scored next to that of the task, in source order.
    pub stages: Vec<StageKey>,
    /// The row of a data set that the question is about.
    pub each: Option<AskedRow>,
    /// Name, label, and value of each axis, in source order.
    pub axis: Vec<(String, String, Value)>,
    /// Number of the sample, from 1.
    pub sample: u32,
    /// Number of times that the sample was drawn again.
    pub attempt: u32,
    /// Drawn names and their values, in source order.
    pub draws: Vec<(String, Value)>,
    /// Index of the drawn wording, if the task or the variant has several.
    pub wording: Option<u32>,
    /// The prompt for the agent.
    pub prompt: String,
    /// The sandbox's files in source order, with noise last; the variants of a cell share them.
    pub files: Arc<Vec<SandboxFile>>,
    /// The lakes of the instance, in source order; their files are in the sandbox too.
    pub lakes: Vec<HandedOut>,
    /// Empty folders, as relative paths without a trailing `/`.
    pub folders: Vec<String>,
    /// The answer key.
    pub expects: Vec<Expected>,
    /// The names of the traps for the kinds of dirt in its files that the answer could depend on, whether or not they change it, in the order of
    /// files and columns. Empty if traps are not requested.
    pub dirt: Vec<String>,
    /// For each expectation, the answers without the rows that have one of these kinds of dirt, if they differ from the expected one; null if one
    /// cannot be computed. Only [`Generator::generate_for_judging`](super::Generator::generate_for_judging) fills this in, and a bundle does not record it.
    pub dropped: Vec<Vec<Trap>>,
    /// The answers to what else was asked of it, likewise.
    pub findings: Findings,
    /// The descriptions in this instance of databases that its answers query.
    pub described: Vec<Described>,
    /// The tags of the suite, the task, and the variant.
    pub tags: Vec<String>,
    /// The tools of the agent, if the task or variant declares them.
    pub tools: Option<Vec<Tool>>,
    /// Maximum number of tool calls, if the task or variant declares it.
    pub calls: Option<u32>,
}

/// A lake in the sandbox of an instance, or some of its files.
#[derive(Clone, Debug, PartialEq)]
pub struct HandedOut {
    /// The lake.
    pub lake: Arc<Lake>,
    /// The indexes of its files in the lake, ascending.
    pub files: Vec<u32>,
    /// The rule by which they were chosen.
    pub portion: Portion,
}

/// The portion of a lake's files that an instance gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Portion {
    /// All files.
    All,
    /// The files that its answer needs.
    Needed,
    /// The files that its answer needs, and this number of others.
    #[serde(rename = "needed")]
    NeededAnd(u32),
}

impl HandedOut {
    /// Iterates over the files.
    pub fn files(&self) -> impl Iterator<Item = &LakeFile> {
        self.files.iter().filter_map(|at| self.lake.files.get(*at as usize))
    }

    /// Returns the file at a path of the sandbox.
    pub fn find_file(&self, path: &str) -> Option<&LakeFile> {
        let inner = path.strip_prefix(self.lake.at.as_str())?.strip_prefix('/')?;
        let at = self.lake.files.binary_search_by(|file| file.path.as_str().cmp(inner)).ok()?;
        let given = self.files.binary_search(&u32::try_from(at).ok()?).is_ok();
        self.lake.files.get(at).filter(|_| given)
    }

    /// Returns their total size in bytes.
    pub fn count_bytes(&self) -> u64 {
        self.files().map(|file| file.size).sum()
    }
}

/// A file of a sandbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SandboxFile {
    /// Path relative to the sandbox, with `/`.
    pub path: String,
    /// Its content.
    pub bytes: FileBytes,
}

/// The bytes of a file: owned, or a fixture's, which all instances share.
#[derive(Clone)]
pub enum FileBytes {
    /// Bytes made for this instance.
    Own(Vec<u8>),
    /// The bytes of a fixture.
    Shared(Arc<[u8]>),
    /// The bytes of a fixture that many rows of a data set share; a bundle contains them once.
    Lent(Arc<Lent>),
}

/// A file of the project that many instances share.
#[derive(Debug, PartialEq, Eq)]
pub struct Lent {
    /// Path in the project.
    pub source: String,
    /// Its content.
    pub bytes: Arc<[u8]>,
}

impl FileBytes {
    /// Returns all bytes.
    pub fn as_slice(&self) -> &[u8] {
        self
    }

    /// Returns the file of the project that these bytes come from, if a bundle contains it once.
    pub fn as_lent(&self) -> Option<&Lent> {
        match self {
            FileBytes::Lent(lent) => Some(lent),
            FileBytes::Own(_) | FileBytes::Shared(_) => None,
        }
    }
}

impl Deref for FileBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            FileBytes::Own(bytes) => bytes,
            FileBytes::Shared(bytes) => bytes,
            FileBytes::Lent(lent) => &lent.bytes,
        }
    }
}

impl AsRef<[u8]> for FileBytes {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl PartialEq for FileBytes {
    /// Compares the bytes, regardless of whether they are shared or owned.
    fn eq(&self, other: &FileBytes) -> bool {
        self[..] == other[..]
    }
}

impl Eq for FileBytes {}

impl fmt::Debug for FileBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self[..], f)
    }
}

impl From<Vec<u8>> for FileBytes {
    fn from(bytes: Vec<u8>) -> FileBytes {
        FileBytes::Own(bytes)
    }
}
