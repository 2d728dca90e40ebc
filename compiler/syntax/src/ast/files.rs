//! Files and tables: their paths, options, contents, rows, and constraints.

use super::{
    Allow, Column, ColumnKind, Doc, Domain, Expr, Format, Ident, Node, PlaceKind, Span, StringLit, Unpivot, Walk,
};

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

/// A literal whole number: `3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whole {
    /// The number.
    pub value: u32,
    /// Its place.
    pub span: Span,
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

impl PathOption {
    pub(super) fn walk_children<'a>(&'a self, walk: &mut Walk<'_, 'a>) {
        match &self.kind {
            PathOptionKind::Delimiter(text)
            | PathOptionKind::Encoding(text)
            | PathOptionKind::Above(text)
            | PathOptionKind::Below(text)
            | PathOptionKind::Skip(Skip::Cell(text))
            | PathOptionKind::Until(Until::Cell(text))
            | PathOptionKind::Sheet(text)
            | PathOptionKind::At(text) => walk.visit_string(text),
            PathOptionKind::Missing(marks) => walk.visit_exprs(marks),
            PathOptionKind::Quoted
            | PathOptionKind::Crlf
            | PathOptionKind::Bom
            | PathOptionKind::Header(_)
            | PathOptionKind::Skip(Skip::Records(_))
            | PathOptionKind::Until(Until::Blank) => {}
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

/// `{ rows N  line "…"  columns }`
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// Every `rows` clause (`check` refuses a second one).
    pub rows: Vec<Rows>,
    /// Every `rows repeat P%` of a file that is written (`check` refuses a second one).
    pub repeats: Vec<Repeat>,
    /// Every `rows by COLUMN` of a file that is written (`check` refuses a second one).
    pub orders: Vec<OrderBy>,
    /// Every `line` clause of a text file.
    pub lines: Vec<StringLit>,
    /// The columns or fields.
    pub columns: Vec<Column>,
    /// Every `unpivot` of a table that is read (`check` refuses a second one).
    pub unpivots: Vec<Unpivot>,
    /// `unique (A, B)`, `key (A, B)`, `index (A, B)`.
    pub constraints: Vec<Constraint>,
    /// Every `allow LINT "reason"` of a table that is read.
    pub allows: Vec<Allow>,
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

/// `rows repeat P%`: the probability that a row is written twice.
#[derive(Clone, Debug, PartialEq)]
pub struct Repeat {
    /// The share: a percentage, or a name with `%`.
    pub share: Expr,
    /// With the keyword.
    pub span: Span,
}

/// `rows by COLUMN [desc]`: the order in which the rows are written.
#[derive(Clone, Debug, PartialEq)]
pub struct OrderBy {
    /// The column: one of the source table, or a helper of the body.
    pub column: Ident,
    /// `desc`: the greatest first.
    pub desc: bool,
    /// With the keyword.
    pub span: Span,
}

/// A constraint on several columns of a table: `unique (A, B)`, `key (A, B)`, `index (A, B)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Constraint {
    /// Which.
    pub kind: ConstraintKind,
    /// The columns, at least one.
    pub columns: Vec<Ident>,
    /// The whole clause.
    pub span: Span,
}

model::worded! {
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

impl Data {
    pub(super) fn walk_children<'a>(&'a self, walk: &mut Walk<'_, 'a>) {
        walk.visit_name(&self.name);
        walk.visit_names(&self.table);
        walk.visit_string(&self.path);
        self.options.iter().for_each(|option| option.walk_children(walk));
        match &self.content {
            Content::Drawn(domain) => walk.visit_domain(domain),
            Content::Computed(value) => walk.visit_expr(value),
            Content::Fixture(from) => from.walk_children(walk),
            Content::Taken(from) => from.walk_children(walk),
            Content::Tables(tables) => tables.iter().for_each(|table| walk.visit_table(table)),
            Content::Body { root, body } => {
                walk.visit_names(root);
                walk.visit_body(body);
            }
            Content::Missing(_) => {}
        }
    }
}

impl TableFrom {
    pub(super) fn walk_children<'a>(&'a self, walk: &mut Walk<'_, 'a>) {
        walk.visit_name(&self.name);
        walk.visit_names(&self.table);
        self.from.walk_children(walk);
    }
}

impl FromDisk {
    pub(super) fn walk_children<'a>(&'a self, walk: &mut Walk<'_, 'a>) {
        walk.visit_string(&self.path);
        self.options.iter().for_each(|option| option.walk_children(walk));
        self.body.iter().for_each(|body| walk.visit_body(body));
    }
}

impl FromRel {
    pub(super) fn walk_children<'a>(&'a self, walk: &mut Walk<'_, 'a>) {
        walk.visit_expr(&self.rel);
        walk.visit_exprs(&self.filter);
        self.body.iter().for_each(|body| walk.visit_body(body));
    }
}

impl TableStmt {
    pub(super) fn walk_children<'a>(&'a self, walk: &mut Walk<'_, 'a>) {
        walk.visit_name(&self.name);
        walk.visit_names(&self.table);
        match &self.view {
            Some(query) => walk.visit_expr(query),
            None => walk.visit_body(&self.body),
        }
    }
}

impl Body {
    /// Returns an empty body.
    pub fn new_empty(span: Span) -> Body {
        Body {
            rows: Vec::new(),
            repeats: Vec::new(),
            orders: Vec::new(),
            lines: Vec::new(),
            columns: Vec::new(),
            unpivots: Vec::new(),
            constraints: Vec::new(),
            allows: Vec::new(),
            span,
        }
    }

    pub(super) fn walk_children<'a>(&'a self, walk: &mut Walk<'_, 'a>) {
        self.rows.iter().for_each(|rows| rows.count.walk_children(walk));
        walk.visit_exprs(self.repeats.iter().map(|repeat| &repeat.share));
        walk.visit_names(self.orders.iter().map(|order| &order.column));
        walk.visit_strings(&self.lines);
        for column in &self.columns {
            walk.visit_node(Node::Column(column));
            walk.visit_names(column.keys.iter().map(|key| &key.name));
            match &column.kind {
                ColumnKind::Draw(domain) => walk.visit_domain(domain),
                ColumnKind::Compute(value) => walk.visit_expr(value),
            }
            match column.place.as_ref().map(|place| &place.kind) {
                Some(PlaceKind::Header(header)) => walk.visit_string(header),
                Some(PlaceKind::Position(_) | PlaceKind::Characters(..)) | None => {}
            }
            column.styles.iter().for_each(|style| style.walk_children(walk));
        }
        self.unpivots.iter().for_each(|unpivot| unpivot.walk_children(walk));
        self.constraints.iter().for_each(|constraint| walk.visit_names(&constraint.columns));
        self.allows.iter().for_each(|allow| allow.walk_children(walk));
    }

    /// Iterates over the spans of all clauses that begin with `rows`.
    pub fn iter_rows_clauses(&self) -> impl Iterator<Item = Span> {
        let counts = self.rows.iter().map(|rows| rows.span);
        let repeats = self.repeats.iter().map(|repeat| repeat.span);
        counts.chain(repeats).chain(self.orders.iter().map(|order| order.span))
    }

    /// Checks whether the body has `allow` clauses and nothing else.
    pub fn has_only_allows(&self) -> bool {
        let nothing = self.rows.is_empty() && self.lines.is_empty() && self.columns.is_empty();
        let nothing = nothing && self.repeats.is_empty() && self.orders.is_empty();
        !self.allows.is_empty() && nothing && self.unpivots.is_empty() && self.constraints.is_empty()
    }
}

impl Count {
    pub(super) fn walk_children<'a>(&'a self, walk: &mut Walk<'_, 'a>) {
        walk.visit_expr(&self.low);
        walk.visit_exprs(&self.high);
    }
}
