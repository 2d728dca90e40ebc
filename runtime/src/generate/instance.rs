//! What generation gives: one question with its files and its answer key, all rendered.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use model::Value;
use model::answer_key::{Expected, Trap};
use model::suite::{EachRow, Lake, LakeFile};
use model::tools::Tool;

/// Which instance: positions in the plan, the sample from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Address {
    /// Index into the plan's tasks.
    pub task: u32,
    /// Index of the cell in the product of the axes (last axis fastest).
    pub cell: u32,
    /// Index into the task's variants, or into its stages where they are asked one by one; 0 where it has none.
    pub variant: u32,
    /// From 0.
    pub sample: u32,
}

/// A question, ready to be asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Instance {
    /// `<task>[-<row's key>][-<axis labels>…][-<variant or stage>]-<sample>`, samples from 1.
    pub id: String,
    /// `<task>[-<row's key>][-<axis labels>…]-<sample>`: names the folder of its files, which variants share.
    pub files_id: String,
    /// The task's name.
    pub task: String,
    /// The variant's name.
    pub variant: Option<String>,
    /// The stage that it asks instead of the task itself.
    pub stage: Option<StageInfo>,
    /// The stages whose answers are scored next to its own, in source order.
    pub stages: Vec<StageKey>,
    /// The row of a data set that it asks.
    pub each: Option<AskedRow>,
    /// Axis name, label and value, in source order.
    pub axis: Vec<(String, String, Value)>,
    /// From 1.
    pub sample: u32,
    /// How often the sample was drawn again.
    pub attempt: u32,
    /// Drawn names and their values, in source order.
    pub draws: Vec<(String, Value)>,
    /// Index of the wording drawn, where the task or the variant has several.
    pub wording: Option<u32>,
    /// What the agent is told.
    pub prompt: String,
    /// The sandbox's files, in source order, clutter last; shared by the variants of a cell.
    pub files: Arc<Vec<SandboxFile>>,
    /// The lakes that it is given, in source order; their files are in the sandbox too.
    pub lakes: Vec<HandedOut>,
    /// Empty folders, relative paths without a trailing `/`.
    pub folders: Vec<String>,
    /// The answer key.
    pub expects: Vec<Expected>,
    /// The kinds of dirt in its files that the answer could depend on, by the names that their traps have, whether they change it or not; in the order of files
    /// and columns. Nothing where traps are not asked for.
    pub dirt: Vec<String>,
    /// By expectation, its answer without the rows that have one of these kinds of dirt, where that is another one; null where it cannot be computed. Only
    /// [`Generator::judged`](super::Generator::judged) makes it, and a bundle does not record it.
    pub dropped: Vec<Vec<Trap>>,
    /// The descriptions that it was given of databases that its answers query.
    pub described: Vec<Described>,
    /// The suite's, task's and variant's tags.
    pub tags: Vec<String>,
    /// The tools that the agent has, where the task or variant says it.
    pub tools: Option<Vec<Tool>>,
    /// How many calls of tools the agent has, where the task or variant says it.
    pub calls: Option<u32>,
}

/// A description of a database that a query must be written for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Described {
    /// How many tokens it might have.
    pub budget: i64,
    /// How many it has.
    pub tokens: usize,
    /// Which share of the tables and columns that the expected query reads it names: 0 to 1, to four decimal places.
    pub visible: f64,
}

/// A row of a data set, without its cells: they may hold the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedRow {
    /// What the task calls a row.
    pub name: String,
    /// Its key and its cluster.
    pub row: EachRow,
}

/// A stage of a task: its place in the graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StageInfo {
    /// Its name.
    pub name: String,
    /// The stages that precede it, in source order.
    pub after: Vec<String>,
    /// Its own tags, without those of the task.
    pub tags: Vec<String>,
}

/// A stage with its answer key.
#[derive(Clone, Debug, PartialEq)]
pub struct StageKey {
    /// The stage.
    pub stage: StageInfo,
    /// Its answer key.
    pub expects: Vec<Expected>,
}

/// A lake, or some of its files, in the sandbox of an instance.
#[derive(Clone, Debug, PartialEq)]
pub struct HandedOut {
    /// The lake.
    pub lake: Arc<Lake>,
    /// Which of its files: their places in the lake, ascending.
    pub files: Vec<u32>,
    /// What they were chosen by.
    pub portion: Portion,
}

/// Which files of a lake an instance is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Portion {
    /// All.
    All,
    /// Those that its answer needs.
    Needed,
    /// Those, and this many others.
    NeededAnd(u32),
}

impl HandedOut {
    /// The files.
    pub fn files(&self) -> impl Iterator<Item = &LakeFile> {
        self.files.iter().filter_map(|at| self.lake.files.get(*at as usize))
    }

    /// The file at a path of the sandbox.
    pub fn find_file(&self, path: &str) -> Option<&LakeFile> {
        let inner = path.strip_prefix(self.lake.at.as_str())?.strip_prefix('/')?;
        let at = self.lake.files.binary_search_by(|file| file.path.as_str().cmp(inner)).ok()?;
        let given = self.files.binary_search(&u32::try_from(at).ok()?).is_ok();
        self.lake.files.get(at).filter(|_| given)
    }

    /// How many bytes they have together.
    pub fn count_bytes(&self) -> u64 {
        self.files().map(|file| file.size).sum()
    }
}

/// A file of a sandbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SandboxFile {
    /// Its path below the sandbox, with `/`.
    pub path: String,
    /// Its content.
    pub bytes: FileBytes,
}

/// The bytes of a file: its own, or those of a fixture, which all instances share.
#[derive(Clone)]
pub enum FileBytes {
    /// Made for this instance.
    Own(Vec<u8>),
    /// A fixture's.
    Shared(Arc<[u8]>),
    /// Those of a fixture that many rows of a data set share: a bundle has them once.
    Lent(Arc<Lent>),
}

/// A file of the project that many instances are given.
#[derive(Debug, PartialEq, Eq)]
pub struct Lent {
    /// Its path in the project.
    pub source: String,
    /// What is in it.
    pub bytes: Arc<[u8]>,
}

impl FileBytes {
    /// All of them.
    pub fn as_slice(&self) -> &[u8] {
        self
    }

    /// The file of the project that they are, of which a bundle has one copy.
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
    /// Compares the bytes, whether they are shared or owned.
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
