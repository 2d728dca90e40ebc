//! Files and tables: paths, options, rows, columns.

use super::{Doc, Domain, Expr, Format, Ident, Node, Span, StringLit, Walk};

/// `FORMAT NAME [: TABLE] at PATH content`
#[derive(Clone, Debug, PartialEq)]
pub struct Data {
    /// The format.
    pub format: Format,
    /// The keyword's place.
    pub format_span: Span,
    /// The file's name in the task.
    pub name: Ident,
    /// `: TABLE`, a reusable set of columns.
    pub table: Option<Ident>,
    /// Where in the sandbox.
    pub path: StringLit,
    /// How it is written, in source order. `check` rejects options that are repeated or do not fit the format.
    pub options: Vec<WritingOption>,
    /// What is in it.
    pub content: Content,
}

/// An option after a path: `delimiter ";"`, `quoted`, …
#[derive(Clone, Debug, PartialEq)]
pub struct WritingOption {
    /// Which.
    pub kind: WritingKind,
    /// The whole option.
    pub span: Span,
}

/// How a file of cells is written.
#[derive(Clone, Debug, PartialEq)]
pub enum WritingKind {
    /// `delimiter ";"`: the character between cells.
    Delimiter(StringLit),
    /// `quoted`: every cell in quotes.
    Quoted,
    /// `crlf`: lines end in `\r\n`.
    Crlf,
    /// `bom`: a byte order mark in front.
    Bom,
}

/// `table NAME from "FILE" OPTION…`: the rows of a file that is read, and that no agent is given.
#[derive(Clone, Debug, PartialEq)]
pub struct TableFrom {
    /// Its name.
    pub name: Ident,
    /// The file, below the folder of the suite's own file.
    pub path: StringLit,
    /// How it is read, in source order. `check` rejects options that are repeated or do not fit the format.
    pub options: Vec<ReadingOption>,
}

/// An option after the path of a table that is read: `delimiter ";"`, `sheet "2024"`.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadingOption {
    /// Which.
    pub kind: ReadingKind,
    /// The whole option.
    pub span: Span,
}

/// How a file is read.
#[derive(Clone, Debug, PartialEq)]
pub enum ReadingKind {
    /// As cells are written: `delimiter ";"` says how they are read, too; `check` refuses the others.
    Written(WritingKind),
    /// `sheet "2024"`: which of a workbook's sheets.
    Sheet(StringLit),
}

impl WritingKind {
    /// The word that an author writes.
    pub fn word(&self) -> &'static str {
        match self {
            WritingKind::Delimiter(_) => "delimiter",
            WritingKind::Quoted => "quoted",
            WritingKind::Crlf => "crlf",
            WritingKind::Bom => "bom",
        }
    }

    /// The text in quotes, if it has one.
    pub fn text(&self) -> Option<&StringLit> {
        match self {
            WritingKind::Delimiter(text) => Some(text),
            WritingKind::Quoted | WritingKind::Crlf | WritingKind::Bom => None,
        }
    }
}

impl ReadingKind {
    /// The word that an author writes.
    pub fn word(&self) -> &'static str {
        match self {
            ReadingKind::Written(written) => written.word(),
            ReadingKind::Sheet(_) => "sheet",
        }
    }

    /// The text in quotes, if it has one.
    pub fn text(&self) -> Option<&StringLit> {
        match self {
            ReadingKind::Written(written) => written.text(),
            ReadingKind::Sheet(text) => Some(text),
        }
    }
}

/// What is in a file.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// `: DOMAIN`
    Drawn(Domain),
    /// `= expr`
    Computed(Expr),
    /// `from "fixture.csv"`
    Fixture(StringLit),
    /// `{ table … table … }`
    Tables(Vec<TableStmt>),
    /// `{ rows … columns }`; in XML, the root element's name comes before it.
    Body {
        /// XML's root element.
        root: Option<Ident>,
        /// Rows and columns, or fields.
        body: Body,
    },
    /// Missing: the position where it was expected.
    Missing(Span),
}

/// `table NAME [: TABLE] { … }` inside a database, a workbook or a task.
#[derive(Clone, Debug, PartialEq)]
pub struct TableStmt {
    /// Its documentation.
    pub doc: Option<Doc>,
    /// Its name.
    pub name: Ident,
    /// `: TABLE`, a reusable set of columns.
    pub table: Option<Ident>,
    /// Rows and columns.
    pub body: Body,
    /// Without the doc comment.
    pub span: Span,
}

/// `{ rows N  line "…"  columns }`
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// Every `rows` clause (`check` refuses a second one).
    pub rows: Vec<Rows>,
    /// Every `line` clause of a text file.
    pub lines: Vec<StringLit>,
    /// The columns or fields.
    pub columns: Vec<Column>,
    /// `unique (A, B)`, `key (A, B)`, `index (A, B)`.
    pub constraints: Vec<Constraint>,
    /// With the braces.
    pub span: Span,
}

/// `rows N` or `rows A..B`
#[derive(Clone, Debug, PartialEq)]
pub struct Rows {
    /// How many.
    pub count: Count,
    /// With the keyword.
    pub span: Span,
}

/// `unique (A, B)`, `key (A, B)`, `index (A, B)`: what columns of a table are together.
#[derive(Clone, Debug, PartialEq)]
pub struct Constraint {
    /// Which.
    pub kind: ConstraintKind,
    /// The columns, at least one.
    pub columns: Vec<Ident>,
    /// The whole clause.
    pub span: Span,
}

plan::worded! {
    /// The kinds of [`Constraint`].
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum ConstraintKind {
        /// `unique`: no two rows have the same values.
        Unique = "unique",
        /// `key`: the primary key of a table in a database.
        Key = "key",
        /// `index`: an index of a database.
        Index = "index",
    }
}

/// `N` or `A..B`
#[derive(Clone, Debug, PartialEq)]
pub struct Count {
    /// The number, or the least.
    pub low: Expr,
    /// The most, in a range.
    pub high: Option<Expr>,
}

/// A column or field: `NAME : DOMAIN`, `NAME = expr`.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its documentation.
    pub doc: Option<Doc>,
    /// Several only in draws (`a, b : distinct D`).
    pub keys: Vec<Key>,
    /// Drawn or computed.
    pub kind: ColumnKind,
    /// Without the doc comment.
    pub span: Span,
}

/// A column's or field's name; `@name` for an XML attribute.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// The name.
    pub name: Ident,
    /// `@` in front.
    pub attribute: bool,
}

/// How a column gets its values.
#[derive(Clone, Debug, PartialEq)]
pub enum ColumnKind {
    /// `: DOMAIN`
    Draw(Domain),
    /// `= expr`
    Compute(Expr),
}

impl Data {
    pub(super) fn inside<'a>(&'a self, walk: &mut Walk<'_, 'a>) {
        walk.name(&self.name);
        walk.names(&self.table);
        walk.string(&self.path);
        walk.strings(self.options.iter().filter_map(|option| option.kind.text()));
        match &self.content {
            Content::Drawn(domain) => walk.domain(domain),
            Content::Computed(value) => walk.expr(value),
            Content::Fixture(path) => walk.string(path),
            Content::Tables(tables) => tables.iter().for_each(|table| walk.table(table)),
            Content::Body { root, body } => {
                walk.names(root);
                walk.body(body);
            }
            Content::Missing(_) => {}
        }
    }
}

impl TableFrom {
    pub(super) fn inside<'a>(&'a self, walk: &mut Walk<'_, 'a>) {
        walk.name(&self.name);
        walk.string(&self.path);
        walk.strings(self.options.iter().filter_map(|option| option.kind.text()));
    }
}

impl TableStmt {
    pub(super) fn inside<'a>(&'a self, walk: &mut Walk<'_, 'a>) {
        walk.name(&self.name);
        walk.names(&self.table);
        walk.body(&self.body);
    }
}

impl Body {
    pub(super) fn inside<'a>(&'a self, walk: &mut Walk<'_, 'a>) {
        self.rows.iter().for_each(|rows| rows.count.inside(walk));
        walk.strings(&self.lines);
        for column in &self.columns {
            walk.node(Node::Column(column));
            walk.names(column.keys.iter().map(|key| &key.name));
            match &column.kind {
                ColumnKind::Draw(domain) => walk.domain(domain),
                ColumnKind::Compute(value) => walk.expr(value),
            }
        }
        self.constraints.iter().for_each(|constraint| walk.names(&constraint.columns));
    }
}

impl Count {
    pub(super) fn inside<'a>(&'a self, walk: &mut Walk<'_, 'a>) {
        walk.expr(&self.low);
        walk.exprs(&self.high);
    }
}
