//! The files of a test, with the contents that functions can read.

use super::types::Kind;

/// A file of the test.
#[derive(Debug)]
pub struct File {
    /// The name in `TARGET_FILE[…]`.
    pub component: String,
    /// The name in the suite.
    pub name: String,
    /// The path below the sandbox, with PICARD's placeholders.
    pub target: String,
    /// The content.
    pub content: Content,
    /// The statement that declares it.
    pub declaration: String,
}

/// The content of a file.
#[derive(Debug)]
pub enum Content {
    /// A text.
    Text,
    /// A table with these columns.
    Csv(Vec<Column>),
    /// A database with these tables, in order.
    Sqlite(Vec<Table>),
    /// A JSON or YAML document.
    Tree(Shape),
    /// An XML document: the name of the root element, its children, and whether it has a namespace.
    Xml(String, Shape, bool),
}

/// A column.
#[derive(Clone, Debug)]
pub struct Column {
    /// The header.
    pub header: String,
    /// The kind of its values.
    pub kind: Kind,
}

/// A table of a database.
#[derive(Debug)]
pub struct Table {
    /// The name.
    pub name: String,
    /// The columns.
    pub columns: Vec<Column>,
}

/// The shape of a document.
#[derive(Clone, Debug)]
pub enum Shape {
    /// An object with these keys, in order.
    Object(Vec<(String, Shape)>),
    /// An array whose elements have the same shape.
    Array(Box<Shape>),
    /// A single value.
    Leaf(Kind),
}

/// Finds the shape at the end of a path of keys; `None` if it does not exist.
pub fn find_shape<'s>(shape: &'s Shape, keys: &[String]) -> Option<&'s Shape> {
    keys.iter().try_fold(shape, |shape, key| match shape {
        Shape::Object(fields) => fields.iter().find(|(name, _)| name == key).map(|(_, shape)| shape),
        _ => None,
    })
}
