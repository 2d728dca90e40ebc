//! The tables of a query, with values that their columns and its parameters can have.

use model::Value;

/// What a query reads.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Setting {
    /// The statements that make the tables.
    pub ddl: Vec<String>,
    /// The query.
    pub text: String,
    /// Its tables, and those to which they refer, which come first.
    pub tables: Vec<SampleTable>,
    /// Its parameters.
    pub params: Vec<SampleParam>,
}

/// A table.
#[derive(Clone, Debug, PartialEq)]
pub struct SampleTable {
    /// Its name.
    pub name: String,
    /// Its name for SQLite.
    pub written: String,
    /// Its columns.
    pub columns: Vec<SampleColumn>,
    /// Columns that are unique together.
    pub keys: Vec<Vec<usize>>,
    /// Whether the query reads it. The rows of any other table only have the keys to which others refer.
    pub read: bool,
}

/// A column.
#[derive(Clone, Debug, PartialEq)]
pub struct SampleColumn {
    /// Its name.
    pub name: String,
    /// Values that it can have, the simplest first; null is the last one.
    pub values: Vec<Value>,
    /// The column to which it refers, as indexes of table and column.
    pub refers: Option<(usize, usize)>,
    /// Whether no value occurs twice.
    pub unique: bool,
    /// Whether the query reads it.
    pub read: bool,
}

impl SampleColumn {
    /// Whether it can be null.
    pub fn is_nullable(&self) -> bool {
        self.values.last().is_some_and(Value::is_null)
    }
}

/// A parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct SampleParam {
    /// Its name, with the colon.
    pub name: String,
    /// Values that are tried.
    pub values: Vec<Value>,
    /// Whether it can have them: they are those of a column with which it is compared.
    pub known: bool,
}
