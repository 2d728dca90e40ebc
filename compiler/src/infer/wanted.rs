//! What is asked for: the kind of declaration, and the file.

model::worded! {
    /// The kinds of declarations.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Form {
        /// A view of a lake.
        View = "view",
        /// A file of a task.
        Fixture = "fixture",
        /// A table that the agent does not receive.
        Table = "table",
    }
}

/// A request for declarations.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'w> {
    /// The kind of declaration.
    pub form: Form,
    /// The path of the file in the source.
    pub path: &'w str,
    /// The only sheet to declare, for a workbook.
    pub sheet: Option<&'w str>,
}
