//! Instances as rows of tables: the single list of columns, for `picardc export` and for the Python package.
//!
//! Values with a variable form (`axis`, `metadata`, `expect`, `draws`) are JSON text, which gives the tables of all suites the same columns and types.

/// A column of a table of instances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name in the table.
    pub name: &'static str,
    /// The type of its values.
    pub kind: Kind,
    /// Its description for readers of the table.
    pub about: &'static str,
}

model::worded! {
    /// The type of a column.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Kind {
        /// Text; never null.
        Text = "string",
        /// Text, or null.
        Nullable = "string or null",
        /// A 64-bit integer.
        Int = "int64",
        /// A list of texts.
        Texts = "list of string",
        /// A list of `{path: text, content: bytes}`.
        Files = "list of files",
    }
}

const fn column(name: &'static str, kind: Kind, about: &'static str) -> Column {
    Column { name, kind, about }
}

/// The columns of every table. An agent may see all of them.
pub const OPEN: [Column; 9] = [
    column("id", Kind::Text, "the id of the instance"),
    column("index", Kind::Int, "its place among all instances, from 0"),
    column("task", Kind::Text, "the task"),
    column("variant", Kind::Nullable, "the variant, or null"),
    column("stage", Kind::Nullable, "the stage that it asks instead of the task, or null"),
    column("sample", Kind::Int, "the sample, from 1"),
    column("tags", Kind::Texts, "tags of suite, task, and variant"),
    column("axis", Kind::Text, "values of axes by name, as JSON"),
    column("input", Kind::Text, "the prompt"),
];

/// The sandbox files, with their content.
pub const FILES: Column =
    column("files", Kind::Files, "the files that the agent begins with: path in the sandbox, and content");

/// The sandbox files, with their paths.
pub const PLACES: Column = column(
    "files",
    Kind::Text,
    "the files that the agent begins with: path in the sandbox to path below this folder, as JSON",
);

/// The folders of the sandbox that do not contain files.
pub const FOLDERS: Column = column("folders", Kind::Texts, "empty folders that the agent begins with");

/// The rest of the line in a bundle.
pub const METADATA: Column =
    column("metadata", Kind::Text, "`metadata.picard` of the bundle without the answer key, as JSON");

/// The answer for people, which an agent must not see.
pub const TARGET: Column =
    column("target", Kind::Texts, "the expected answer for people, or several of which any is right");

/// The whole instance, which an agent must not see.
pub const LINE: Column =
    column("instance", Kind::Text, "the line of `picardc build --inline`: the answer key and all files");

/// The columns of a separate table with the answer keys, by `id`, which an agent must not see.
pub const KEY: [Column; 5] = [
    OPEN[0],
    TARGET,
    column("expect", Kind::Text, "the answer key, as JSON"),
    column("draws", Kind::Text, "the drawn values, as JSON"),
    column("stages", Kind::Nullable, "the answer keys of stages, as JSON, or null"),
];
