//! The tools that picardc offers to agents, one record each. The compiler reads their names here; agents and the MCP server read their descriptions.

crate::worded! {
    /// A tool, with the name in the source and in calls of models.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[allow(missing_docs)]
    pub enum Tool {
        ListFiles = "list_files",
        ReadFile = "read_file",
        WriteFile = "write_file",
        MakeFolder = "make_folder",
        RunSql = "run_sql",
        ResolveColumn = "resolve_column",
        RemoveFile = "remove_file",
    }
}

crate::words_in_json!(Tool);

/// The properties of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// Its description for the model.
    pub description: &'static str,
    /// Its parameters, in the order shown to models.
    pub parameters: &'static [Parameter],
    /// Whether agents have it if a task does not declare tools. These five never change, because they are the meaning of bundles that were built
    /// before a tool was added.
    pub by_default: bool,
    /// Whether it can create a file of any content.
    pub writes_files: bool,
    /// Whether it can create a folder.
    pub makes_folders: bool,
    /// Whether it can change a database.
    pub changes_databases: bool,
    /// Whether it can delete a file.
    pub removes_files: bool,
}

/// A parameter of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Its description for models; empty if its name is enough.
    pub description: &'static str,
    /// Its kind.
    pub kind: Kind,
    /// Whether it is required in a call.
    pub required: bool,
}

/// The kind of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A text.
    Text,
    /// An integer.
    Int,
    /// One of these texts.
    OneOf(&'static [&'static str]),
}

/// The encodings that `read_file` supports, by their names in the source.
pub const ENCODINGS: &[&str] = &["utf-8", "utf-16le", "utf-16be", "windows-1252", "iso-8859-1", "iso-8859-15"];

const fn required(name: &'static str, description: &'static str) -> Parameter {
    Parameter { name, description, kind: Kind::Text, required: true }
}

const PATH: &str = "Relative to the folder you are in";

const LIST: &[Parameter] = &[Parameter { required: false, ..required("path", PATH) }];
const READ: &[Parameter] = &[
    required("path", PATH),
    Parameter { name: "from", description: "First line, from 1", kind: Kind::Int, required: false },
    Parameter {
        name: "encoding",
        description: "How its characters are bytes; without, UTF-8",
        kind: Kind::OneOf(ENCODINGS),
        required: false,
    },
];
const WRITE: &[Parameter] = &[required("path", PATH), required("content", "")];
const MAKE: &[Parameter] = &[required("path", PATH)];
const REMOVE: &[Parameter] = &[required("path", PATH)];
const SQL: &[Parameter] = &[required("database", PATH), required("sql", "")];
const RESOLVE: &[Parameter] = &[
    required("database", PATH),
    required("name", "The name that may not be a column"),
    Parameter { required: false, ..required("table", "Only its columns; without, those of all tables") },
];

/// The default: a tool that only reads.
const READS: Record = Record {
    description: "",
    parameters: &[],
    by_default: true,
    writes_files: false,
    makes_folders: false,
    changes_databases: false,
    removes_files: false,
};

impl Tool {
    /// Returns the properties of the tool.
    pub const fn record(self) -> Record {
        match self {
            Tool::ListFiles => Record { description: "List a folder and all below it", parameters: LIST, ..READS },
            Tool::ReadFile => Record { description: "Read a text file", parameters: READ, ..READS },
            Tool::WriteFile => Record {
                description: "Write a text file, in place of what was there; folders are made as needed",
                parameters: WRITE,
                writes_files: true,
                makes_folders: true,
                ..READS
            },
            Tool::MakeFolder => Record {
                description: "Make a folder, and those above it",
                parameters: MAKE,
                makes_folders: true,
                ..READS
            },
            Tool::RunSql => Record {
                description: "Run SQL on a SQLite database; gives the columns and rows of the last query as JSON, a row a line",
                parameters: SQL,
                changes_databases: true,
                ..READS
            },
            Tool::ResolveColumn => Record {
                description: "Find the column of a SQLite database that a name means; gives JSON with the `match`, or null where no column or \
                              more than one fits, and other candidates",
                parameters: RESOLVE,
                by_default: false,
                ..READS
            },
            Tool::RemoveFile => Record {
                description: "Remove a file; a folder cannot be removed",
                parameters: REMOVE,
                by_default: false,
                removes_files: true,
                ..READS
            },
        }
    }

    /// Returns the tools that agents have if a task does not declare any.
    pub fn list_defaults() -> Vec<Tool> {
        Tool::ALL.iter().copied().filter(|tool| tool.record().by_default).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_says_what_it_does() {
        for tool in Tool::ALL {
            let record = tool.record();
            assert!(!record.description.is_empty(), "{}", tool.word());
            assert_eq!(Tool::from_word(tool.word()), Some(*tool));
            let names: std::collections::BTreeSet<&str> = record.parameters.iter().map(|one| one.name).collect();
            assert_eq!(names.len(), record.parameters.len(), "{}", tool.word());
        }
        let names: Vec<&str> = Tool::list_defaults().into_iter().map(Tool::word).collect();
        assert_eq!(
            names,
            ["list_files", "read_file", "write_file", "make_folder", "run_sql"],
            "old bundles mean these"
        );
    }
}
