//! Files and tables: their paths, options, and contents.

use super::{Body, Doc, Domain, Expr, Ident, StringLit, Whole};
use model::Span;
use model::format::Format;

/// `FORMAT NAME [: TABLE] at PATH content`
#[derive(Clone, Debug, PartialEq)]
pub struct Data {
    /// The format.
    pub format: Format,
    /// The keyword's place.
    pub format_span: Span,
    /// The file's name in the task.
    pub name: Ident,
    /// `: TABLE`, a shared table; before `from REL`, another file of the task, whose options, rows, and columns it has.
    pub table: Option<Ident>,
    /// Its path in the sandbox.
    pub path: StringLit,
    /// How it is written, in source order; empty for a fixture, whose options are in its [`FromDisk`]. `check` rejects options that are repeated or
    /// do not fit the format.
    pub options: Vec<PathOption>,
    /// Its content.
    pub content: Content,
}

/// A file on the disk, the options to read it, and its columns: `from "FILE" OPTION… [{ columns }]`.
#[derive(Clone, Debug, PartialEq)]
pub struct FromDisk {
    /// The file, below the folder of the suite's own file; for a view, a glob below its lake's folder.
    pub path: StringLit,
    /// How it is read, in source order; for a fixture, also the options before `from`. `check` rejects options that are repeated or do not fit the format.
    pub options: Vec<PathOption>,
    /// The columns, where they are declared.
    pub body: Option<Body>,
    /// From `from` on.
    pub span: Span,
}

/// The rows of another table, for a file: `from REL [where P] [{ columns }]`.
#[derive(Clone, Debug, PartialEq)]
pub struct FromRel {
    /// The table, file or result set: an [`ExprKind::Path`](super::ExprKind::Path).
    pub rel: Expr,
    /// The condition on its rows.
    pub filter: Option<Expr>,
    /// The columns, the order of the rows, and how they are written; without it the columns are those of the table.
    pub body: Option<Body>,
    /// From `from` on.
    pub span: Span,
}

/// `table NAME [: TABLE] from "FILE" OPTION… [{ columns }]`: the rows of a file that is read but not given to agents.
#[derive(Clone, Debug, PartialEq)]
pub struct TableFrom {
    /// Its name.
    pub name: Ident,
    /// `: TABLE`, a reusable set of columns.
    pub table: Option<Ident>,
    /// The file.
    pub from: FromDisk,
}

/// An option after a path: `delimiter ";"`, `quoted`, `skip 2`, …
#[derive(Clone, Debug, PartialEq)]
pub struct PathOption {
    /// Which.
    pub kind: PathOptionKind,
    /// The whole option.
    pub span: Span,
}

/// The kinds of [`PathOption`], the same for files that are written and files that are read.
#[derive(Clone, Debug, PartialEq)]
pub enum PathOptionKind {
    /// `delimiter ";"`: the character between cells.
    Delimiter(StringLit),
    /// `encoding "windows-1252"`: the encoding of characters.
    Encoding(StringLit),
    /// `quoted`: every cell in quotes.
    Quoted,
    /// `crlf`: lines end in `\r\n`.
    Crlf,
    /// `bom`: a byte order mark in front.
    Bom,
    /// `above "Title\n"`: lines before the table.
    Above(StringLit),
    /// `below "Source: …"`: lines after it.
    Below(StringLit),
    /// `header 2`: the number of rows of the header.
    Header(Whole),
    /// `skip 2`, `skip "Rank"`: the records before the header.
    Skip(Skip),
    /// `until blank`, `until "Source"`: where the rows end.
    Until(Until),
    /// `sheet "2024"`: the sheet of a workbook.
    Sheet(StringLit),
    /// `missing ["M", ""]`: the cells that are null.
    Missing(Vec<Expr>),
    /// `at "$.items"`: the path of the table in a JSON or YAML file.
    At(StringLit),
}

/// The records that `skip` leaves out before the header.
#[derive(Clone, Debug, PartialEq)]
pub enum Skip {
    /// A number of records.
    Records(Whole),
    /// All records before the header, which is the first record with this cell.
    Cell(StringLit),
}

/// The end of the rows.
#[derive(Clone, Debug, PartialEq)]
pub enum Until {
    /// Before the first record of blank cells.
    Blank,
    /// Before the first record that begins with this text.
    Cell(StringLit),
}

impl PathOptionKind {
    /// The word that an author writes.
    pub fn word(&self) -> &'static str {
        match self {
            PathOptionKind::Delimiter(_) => "delimiter",
            PathOptionKind::Encoding(_) => "encoding",
            PathOptionKind::Quoted => "quoted",
            PathOptionKind::Crlf => "crlf",
            PathOptionKind::Bom => "bom",
            PathOptionKind::Above(_) => "above",
            PathOptionKind::Below(_) => "below",
            PathOptionKind::Header(_) => "header",
            PathOptionKind::Skip(_) => "skip",
            PathOptionKind::Until(_) => "until",
            PathOptionKind::Sheet(_) => "sheet",
            PathOptionKind::Missing(_) => "missing",
            PathOptionKind::At(_) => "at",
        }
    }
}

/// The content of a file.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// `: DOMAIN`
    Drawn(Domain),
    /// `= expr`
    Computed(Expr),
    /// `from "fixture.csv"`
    Fixture(FromDisk),
    /// `from REL where P { columns }`
    Taken(Box<FromRel>),
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

/// `table NAME [: TABLE] { … }` inside a database, a workbook or a task; `view NAME = QUERY` inside a database.
#[derive(Clone, Debug, PartialEq)]
pub struct TableStmt {
    /// Its documentation.
    pub doc: Option<Doc>,
    /// Its name.
    pub name: Ident,
    /// `: TABLE`, a reusable set of columns.
    pub table: Option<Ident>,
    /// Rows and columns; empty for a view.
    pub body: Body,
    /// The query of a view, which has nothing else.
    pub view: Option<Expr>,
    /// Without the doc comment.
    pub span: Span,
}
