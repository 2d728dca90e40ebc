//! The files of a task.

use std::fmt;
use std::sync::Arc;

use serde::{Serialize, Serializer};

use super::{ColumnId, Compile, Compiled, Draw, Expr, FileId, Form, Phase, Printed, RelationId, Role, Scope, Visit};
use crate::elements::Element;
use crate::{Format, Span, Value};

/// A file of the task.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(bound(serialize = "S: Printed"))]
pub struct File<S: Phase = Compiled> {
    /// Its name in the task.
    pub name: String,
    /// The place of its declaration.
    pub span: Span,
    /// Its format; for a fixture, the one in which it was read.
    pub format: Format,
    /// Its path in the sandbox, a text; for a file group, evaluated for a row of its relation.
    pub path: S::Expr,
    /// Whether it is a file group: one file for each different path of the rows of its relation.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub split: bool,
    /// The file that it is written like, with rows of another table: a reader may mistake its rows for rows of that file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub like: Option<FileId>,
    /// Its content.
    pub content: FileContent<S>,
    /// For a text without rows: its encoding, line ends, and byte order mark, if any of them is declared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub form: Option<Box<Form<S>>>,
}

/// The content of a file, whose format determines how it is written.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", bound(serialize = "S: Printed"))]
pub enum FileContent<S: Phase = Compiled> {
    /// A mistake that has been reported.
    Unknown(S::Mistake),
    /// A table of cells with a header.
    Delimited {
        /// The form in which they are written.
        #[serde(flatten)]
        form: Form<S>,
        /// The rows.
        relation: RelationId,
    },
    /// A database.
    Sqlite {
        /// Its tables in source order.
        tables: Vec<RelationId>,
        /// The order in which they are filled: parents first.
        order: Vec<RelationId>,
        /// Its views in source order.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        views: Vec<DatabaseView>,
    },
    /// A text drawn from a text domain.
    DrawnText(Draw<S>),
    /// A computed text.
    ComputedText(S::Expr),
    /// One line per row.
    TextLines {
        /// The rows.
        relation: RelationId,
        /// The line of a row, a text.
        line: S::Expr,
        /// The form in which it is written, if anything is declared.
        #[serde(skip_serializing_if = "Option::is_none")]
        form: Option<Box<Form<S>>>,
    },
    /// Values of a declared shape.
    Tree {
        /// The name of the root element, in a format that has one.
        root: Option<String>,
        /// Its structure, without a current row at the top level.
        shape: Shape,
    },
    /// A computed value: objects and lists become objects and arrays.
    ComputedTree(S::Expr),
    /// Tables in source order, each with a name and a header.
    Tables(Vec<RelationId>),
    /// An existing file of the project, copied byte for byte.
    Fixture {
        /// Its content.
        bytes: Bytes,
        /// The accesses that it supports.
        kind: FixtureKind,
    },
    /// Existing files of the project, one for each row of `each`.
    FixtureByRow(ByRow),
}

/// Existing files, one for each row of `each`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ByRow {
    /// The files, in the order in which rows first name them.
    pub files: Vec<FixtureFile>,
    /// The index of the file of each row.
    pub rows: Vec<u32>,
}

/// An existing file of the project.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FixtureFile {
    /// Its path in the project.
    pub path: String,
    /// Its content.
    pub bytes: Bytes,
    /// The accesses that it supports.
    pub kind: FixtureKind,
}

impl ByRow {
    /// Returns the file of a row.
    pub fn find_file(&self, row: u32) -> Option<&FixtureFile> {
        self.files.get(*self.rows.get(row as usize)? as usize)
    }
}

/// A view of a database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DatabaseView {
    /// Its name.
    pub name: String,
    /// Its query, on one line and without comments.
    pub sql: String,
}

/// The structure of a value in a JSON, YAML or XML file.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// The cell of a column, in the current row of its relation. Outside of arrays, relations have one row.
    Cell(RelationId, ColumnId),
    /// Fields in source order, with different keys. In XML each is a child element, or an attribute.
    Object(Vec<Field>),
    /// One element per row of the relation; inside another array's element, only for the rows that belong to its row. In XML the element is repeated.
    Array(RelationId, Box<Shape>),
}

/// A field of an object.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Field {
    /// Its key; in XML the name of an element or attribute, or `#text` for the element's own text.
    pub key: String,
    /// `@key`: whether it is an attribute of the XML element.
    pub attribute: bool,
    /// Its value.
    pub shape: Shape,
}

/// The accesses that a fixture supports.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FixtureKind {
    /// UTF-8 text: lines and words.
    Text,
    /// JSON or YAML, which is text too, with its content.
    Tree(#[serde(serialize_with = "crate::given::serialize_shared")] Arc<Value>),
    /// XML for XPaths.
    Elements(#[serde(serialize_with = "crate::given::serialize_shared")] Arc<Element>),
    /// A database.
    Sqlite,
    /// Only bytes (a workbook, a picture).
    Binary,
}

/// The bytes of a fixture, which are shared. Only their number is shown in debug output.
#[derive(Clone, PartialEq, Eq)]
pub struct Bytes(pub Arc<[u8]>);

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.0.len())
    }
}

impl File {
    /// Returns the parts of its path.
    pub fn path_parts(&self) -> &[Expr] {
        match &self.path {
            Expr::Concat(parts) => parts,
            other => std::slice::from_ref(other),
        }
    }
}

impl<S: Phase> File<S> {
    /// Calls `visit` for every whole expression in it.
    pub fn visit_exprs<'a>(&'a self, visit: &mut Visit<'_, 'a, S>) {
        let around = self.surrounding_scope();
        visit(Role::Value, &self.path, around);
        self.content.visit_exprs(around, visit);
        if let Some(draw) = self.content.draw() {
            draw.visit_exprs(Scope::default(), visit);
        }
    }

    /// Returns the rows that its path, and the text above and below its table, can name.
    pub fn surrounding_scope(&self) -> Scope {
        match self.content.relations() {
            [relation] if self.split => Scope::with_row(*relation),
            _ => Scope::default(),
        }
    }

    /// Compiles it.
    pub fn compile_with(&self, by: &mut impl Compile<S>) -> File {
        let content = self.content.compile_with(by);
        let path = by.compile_expr(&self.path);
        let form = self.form.as_ref().map(|form| Box::new(form.compile_with(by)));
        let (format, split, like) = (self.format, self.split, self.like);
        File { name: self.name.clone(), span: self.span, format, path, split, like, content, form }
    }
}

impl<S: Phase> FileContent<S> {
    /// Returns the relations that are written into it row by row.
    pub fn relations(&self) -> &[RelationId] {
        match self {
            FileContent::Delimited { relation, .. } | FileContent::TextLines { relation, .. } => {
                std::slice::from_ref(relation)
            }
            FileContent::Sqlite { tables, .. } | FileContent::Tables(tables) => tables,
            FileContent::Unknown(_)
            | FileContent::DrawnText(_)
            | FileContent::ComputedText(_)
            | FileContent::Tree { .. }
            | FileContent::ComputedTree(_)
            | FileContent::Fixture { .. }
            | FileContent::FixtureByRow(_) => &[],
        }
    }

    /// Returns the draw of its text.
    pub fn draw(&self) -> Option<&Draw<S>> {
        match self {
            FileContent::DrawnText(draw) => Some(draw),
            _ => None,
        }
    }

    /// Returns the shape of its values.
    pub fn shape(&self) -> Option<&Shape> {
        match self {
            FileContent::Tree { shape, .. } => Some(shape),
            _ => None,
        }
    }

    /// Returns the form of its rows, if it has one.
    pub fn form(&self) -> Option<&Form<S>> {
        match self {
            FileContent::Delimited { form, .. } => Some(form),
            FileContent::TextLines { form, .. } => form.as_deref(),
            _ => None,
        }
    }

    /// Calls `visit` for every whole expression in it, except those of a draw. The text above and below its table has the scope `around`.
    pub fn visit_exprs<'a>(&'a self, around: Scope, visit: &mut Visit<'_, 'a, S>) {
        self.form().into_iter().for_each(|form| form.visit_exprs(around, visit));
        match self {
            FileContent::ComputedText(value) | FileContent::ComputedTree(value) => {
                visit(Role::Value, value, Scope::default());
            }
            FileContent::TextLines { relation, line, .. } => visit(Role::Value, line, Scope::with_row(*relation)),
            FileContent::Unknown(_)
            | FileContent::Delimited { .. }
            | FileContent::Sqlite { .. }
            | FileContent::DrawnText(_)
            | FileContent::Tree { .. }
            | FileContent::Tables(_)
            | FileContent::Fixture { .. }
            | FileContent::FixtureByRow(_) => {}
        }
    }

    /// Compiles it.
    pub fn compile_with(&self, by: &mut impl Compile<S>) -> FileContent {
        match self {
            // A suite with a mistake is never built.
            FileContent::Unknown(_) => FileContent::ComputedText(Expr::Const(Value::Null)),
            FileContent::Delimited { form, relation } => {
                FileContent::Delimited { form: form.compile_with(by), relation: *relation }
            }
            FileContent::Sqlite { tables, order, views } => {
                FileContent::Sqlite { tables: tables.clone(), order: order.clone(), views: views.clone() }
            }
            FileContent::DrawnText(draw) => FileContent::DrawnText(draw.compile_with(by)),
            FileContent::ComputedText(value) => FileContent::ComputedText(by.compile_expr(value)),
            FileContent::TextLines { relation, line, form } => {
                let form = form.as_ref().map(|form| Box::new(form.compile_with(by)));
                FileContent::TextLines { relation: *relation, line: by.compile_expr(line), form }
            }
            FileContent::Tree { root, shape } => FileContent::Tree { root: root.clone(), shape: shape.clone() },
            FileContent::ComputedTree(value) => FileContent::ComputedTree(by.compile_expr(value)),
            FileContent::Tables(tables) => FileContent::Tables(tables.clone()),
            FileContent::Fixture { bytes, kind } => FileContent::Fixture { bytes: bytes.clone(), kind: kind.clone() },
            FileContent::FixtureByRow(by_row) => FileContent::FixtureByRow(by_row.clone()),
        }
    }
}

impl Shape {
    /// Calls `visit` for every relation in it.
    pub fn visit_relations(&self, visit: &mut dyn FnMut(RelationId)) {
        match self {
            Shape::Cell(relation, _) => visit(*relation),
            Shape::Object(fields) => fields.iter().for_each(|field| field.shape.visit_relations(visit)),
            Shape::Array(relation, element) => {
                visit(*relation);
                element.visit_relations(visit);
            }
        }
    }
}

impl Serialize for Bytes {
    /// Serializes the bytes as lower-case hexadecimal digits.
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&crate::encode_hex(&self.0))
    }
}
