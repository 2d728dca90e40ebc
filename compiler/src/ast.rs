//! The source as written: what the parser saw, with spans and nothing resolved.
//!
//! Every node carries the exact range of its own text, without trailing blanks or comments. Forms that are incomplete
//! but recognisable (a missing value, an unclosed placeholder) are nodes too, so that a broken file still yields what
//! can be known. Strings are kept raw: dedenting and escapes are [`crate::ast::StringLit::cook`]'s, for `lower`.

use std::collections::BTreeSet;

pub use plan::domain::LoremUnit;
pub use plan::format::Format;
pub use plan::suite::{Matcher, Op};
pub use plan::{SourceId, Span};

/// A name as written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ident {
    /// The name itself, without backticks.
    pub text: String,
    /// With backticks, where there are any.
    pub span: Span,
    /// Written in backticks.
    pub quoted: bool,
}

/// `## …` lines above an item, statement, column or setting, joined by newlines, markers and one blank stripped.
#[derive(Clone, Debug, PartialEq)]
pub struct Doc {
    /// The text.
    pub text: String,
    /// From the first `##` to the last line's end.
    pub span: Span,
}

/// One source file.
#[derive(Clone, Debug, PartialEq)]
pub struct File {
    /// Which file.
    pub id: SourceId,
    /// Its items in source order.
    pub items: Vec<Item>,
    /// Every comment (`#`, `##`, `###`), in source order, for the formatter.
    pub comments: Vec<Span>,
    /// What could not be read.
    pub unread: Vec<Unread>,
}

/// Lines of a file of which something could not be read. What could be read of them is among the items; nothing more is known.
#[derive(Clone, Debug, PartialEq)]
pub struct Unread {
    /// The lines.
    pub span: Span,
    /// The names that they may declare.
    pub declares: BTreeSet<String>,
}

impl File {
    /// Whether a place is in lines that could not be read.
    pub fn is_unread(&self, place: Span) -> bool {
        let holds = |unread: &Unread| unread.span.start <= place.start && place.start <= unread.span.end;
        place.file == self.id && self.unread.iter().any(holds)
    }

    /// Whether something of a block could not be read, so that it may hold what seems to be missing.
    pub fn holds_unread(&self, block: Span) -> bool {
        let meets = |unread: &Unread| unread.span.start < block.end && block.start < unread.span.end;
        block.file == self.id && self.unread.iter().any(meets)
    }

    /// Whether something that could not be read may declare a name.
    pub fn may_declare(&self, name: &str) -> bool {
        self.unread.iter().any(|unread| unread.declares.contains(name))
    }
}

/// Something at top level.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// Its documentation.
    pub doc: Option<Doc>,
    /// What it is.
    pub kind: ItemKind,
    /// Without the doc comment.
    pub span: Span,
}

/// The kinds of item.
#[derive(Clone, Debug, PartialEq)]
pub enum ItemKind {
    /// `suite NAME { … }`
    Suite(Suite),
    /// `use "path.pcd"`
    Use(StringLit),
    /// `domain NAME = DOMAIN`
    Domain(DomainDef),
    /// `table NAME { columns }`
    Table(TableDef),
    /// `table NAME from "FILE"`
    TableFrom(TableFrom),
    /// `NAME = expr`
    Constant(Compute),
    /// `task NAME { … }`
    Task(Task),
    /// `fn NAME(PARAM: TYPE, …) -> TYPE`: in the standard library only.
    Function(FunctionDef),
    /// A form that is reserved for later (`lake …`, `stage …`): already reported.
    Reserved(Ident),
}

/// `suite NAME { settings }`
#[derive(Clone, Debug, PartialEq)]
pub struct Suite {
    /// Its name.
    pub name: Ident,
    /// Its settings, `allow` among them.
    pub settings: Vec<Setting>,
}

/// `title "…"`, `samples 20`, … inside `suite`.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// Its documentation.
    pub doc: Option<Doc>,
    /// `title`, `version`, `description`, `license`, `authors`, `samples`, `canary`, `tags`, `edition`; other words are kept for
    /// `check` to refuse with a suggestion.
    pub key: Ident,
    /// Its value ([`ExprKind::Missing`] if none); for `allow` the [`Setting::allow`] is set instead.
    pub value: Expr,
    /// For `allow LINT "reason"`.
    pub allow: Option<Allow>,
    /// The whole setting.
    pub span: Span,
}

/// `domain NAME = DOMAIN`
#[derive(Clone, Debug, PartialEq)]
pub struct DomainDef {
    /// Its name.
    pub name: Ident,
    /// What it stands for.
    pub domain: Domain,
}

/// `table NAME { columns }` at top level: a reusable set of columns.
#[derive(Clone, Debug, PartialEq)]
pub struct TableDef {
    /// Its name.
    pub name: Ident,
    /// Its columns.
    pub body: Body,
}

/// A function's signature, from the standard library.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionDef {
    /// Its name.
    pub name: Ident,
    /// Its parameters in order.
    pub params: Vec<Param>,
    /// What it gives.
    pub result: TypeExpr,
}

/// `NAME: TYPE` in a signature; `NAME?: TYPE` may be left out; `NAME...: TYPE` repeats.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// Its name.
    pub name: Ident,
    /// `?` behind the name.
    pub optional: bool,
    /// `...` behind the name.
    pub variadic: bool,
    /// Its type.
    pub ty: TypeExpr,
}

/// A type in a signature: `int`, `text?`, `list of T`, `csv column of number`, `sql scalar`.
/// The words in order; `?` (nullable) apart. The compiler gives them meaning.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeExpr {
    /// The words, `of` included: `["csv", "column", "of", "number"]`.
    pub words: Vec<Ident>,
    /// A `?` at the end.
    pub nullable: bool,
    /// The whole type.
    pub span: Span,
}

/// `task NAME { statements }`
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// Its name.
    pub name: Ident,
    /// Its statements in source order.
    pub body: Vec<Stmt>,
}

/// A statement of a task or variant.
#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    /// Its documentation.
    pub doc: Option<Doc>,
    /// What it says.
    pub kind: StmtKind,
    /// Without the doc comment.
    pub span: Span,
}

/// The kinds of statement.
#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    /// `a, b : distinct word`
    Draw {
        /// The names drawn.
        names: Vec<Ident>,
        /// From what.
        domain: Domain,
    },
    /// `NAME = expr`
    Compute(Compute),
    /// `samples N`
    Samples(Expr),
    /// `axis NAME = [ … ]` or `{ label: value }`
    Axis {
        /// Its name.
        name: Ident,
        /// A [`ExprKind::List`] or [`ExprKind::Object`] if well formed.
        cells: Expr,
    },
    /// `FORMAT NAME at PATH …`
    Data(Data),
    /// `table NAME { rows … }`: a relation without a file.
    Table(TableStmt),
    /// `table NAME from "FILE"`
    TableFrom(TableFrom),
    /// `clutter N [in PATH]`
    Clutter {
        /// How many files.
        count: Expr,
        /// In which folder.
        within: Option<StringLit>,
    },
    /// `folder PATH`
    Folder(StringLit),
    /// `require expr`
    Require(Expr),
    /// `prompt STRING`, `prompt one_of [STRING, …]`
    Prompt(Prompt),
    /// `expect SUBJECT MATCHER VALUE [options]`
    Expect(Expect),
    /// `variant NAME { … }`
    Variant {
        /// Its name.
        name: Ident,
        /// Its statements; `check` refuses those that may not stand here.
        body: Vec<Stmt>,
    },
    /// `tags [a, b]`
    Tags(Expr),
    /// `allow LINT "reason"`
    Allow(Allow),
    /// A form that is reserved for later (`stage …`): already reported.
    Reserved(Ident),
}

/// `NAME = expr`
#[derive(Clone, Debug, PartialEq)]
pub struct Compute {
    /// The name.
    pub name: Ident,
    /// Its value.
    pub value: Expr,
}

/// `allow LINT "reason"`
#[derive(Clone, Debug, PartialEq)]
pub struct Allow {
    /// Which lint.
    pub lint: Ident,
    /// Why; `check` asks for it where it is missing.
    pub reason: Option<StringLit>,
    /// The whole statement.
    pub span: Span,
}

/// What stands behind `prompt`.
#[derive(Clone, Debug, PartialEq)]
pub enum Prompt {
    /// One wording.
    One(StringLit),
    /// `one_of [ … ]`: several, of which one is drawn.
    OneOf(Vec<Expr>),
    /// Nothing: the place where it should stand.
    Missing(Span),
}

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
    /// How it is written, in order (`check` refuses those that stand twice or do not fit the format).
    pub options: Vec<WritingOption>,
    /// What is in it.
    pub content: Content,
}

/// `delimiter ";"`, `quoted`, … behind a path.
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
    /// `delimiter ";"`: what stands between cells.
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
    /// How it is read, in order (`check` refuses those that stand twice or do not fit the format).
    pub options: Vec<ReadingOption>,
}

/// `delimiter ";"`, `sheet "2024"` behind the path of a table that is read.
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
            ReadingKind::Written(WritingKind::Delimiter(text)) | ReadingKind::Sheet(text) => Some(text),
            ReadingKind::Written(WritingKind::Quoted | WritingKind::Crlf | WritingKind::Bom) => None,
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
    /// `{ rows … columns }`, for XML behind the root element's name.
    Body {
        /// XML's root element.
        root: Option<Ident>,
        /// Rows and columns, or fields.
        body: Body,
    },
    /// Nothing: the place where it should stand.
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

/// A domain as written.
#[derive(Clone, Debug, PartialEq)]
pub struct Domain {
    /// `unique`, `distinct`, `sorted`, in order.
    pub modifiers: Vec<(Modifier, Span)>,
    /// The domain proper.
    pub kind: DomainKind,
    /// `blank P%`, `except V`, `step S`, in order.
    pub suffixes: Vec<Suffix>,
    /// The whole.
    pub span: Span,
}

impl Domain {
    /// Whether it has this modifier.
    pub fn is(&self, modifier: Modifier) -> bool {
        self.modifiers.iter().any(|(found, _)| *found == modifier)
    }
}

plan::worded! {
    /// Words before a domain.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[allow(missing_docs)]
    pub enum Modifier {
        Unique = "unique",
        Distinct = "distinct",
        Sorted = "sorted",
    }
}

/// Words behind a domain.
#[derive(Clone, Debug, PartialEq)]
pub struct Suffix {
    /// Which.
    pub kind: SuffixKind,
    /// Its argument.
    pub value: Expr,
    /// With the keyword.
    pub span: Span,
}

plan::worded! {
    /// The suffixes of a domain.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[allow(missing_docs)]
    pub enum SuffixKind {
        Blank = "blank",
        Except = "except",
        Step = "step",
    }
}

/// The forms of a domain.
#[derive(Clone, Debug, PartialEq)]
pub enum DomainKind {
    /// Nothing where a domain should stand.
    Missing,
    /// `word`, `int 1..9`, `bool 80%`, `zipf 100`, `normal mean 5 sd 2 0..10`, `name(args)`: the compiler tells constructors
    /// (`int`, `decimal`, `date`, `datetime`, `bool`, `serial`, `normal`, `lognormal`, `zipf`) from named domains.
    Named(NamedDomain),
    /// `one_of [ … ]`
    OneOf(Vec<Expr>),
    /// `one_of CITIES`: a constant that is a list.
    OneOfConstant(Ident),
    /// `one_of lines "words.txt"`
    OneOfLines(StringLit),
    /// `weighted [ "a": 3, "b": 1 ]`
    Weighted(Vec<(Expr, Expr)>),
    /// `pattern "[A-Z]{3}"`
    Pattern(StringLit),
    /// `template "<<first_name>> <<last_name>>"`: placeholders name domains.
    Template(StringLit),
    /// `ref REL.COLUMN [where P]`, `ref REL.(A, B) [where P]`
    Ref {
        /// `[REL, COLUMN]` or `[DB, TABLE, COLUMN]`; of several columns the first.
        path: Vec<Ident>,
        /// The columns in parentheses, the first included; empty without parentheses.
        tuple: Vec<Ident>,
        /// The predicate.
        filter: Option<Box<Expr>>,
    },
    /// `lorem words N`
    Lorem {
        /// words, sentences, paragraphs or lines.
        unit: LoremUnit,
        /// How many.
        count: Box<Count>,
    },
    /// `{ fields }`: an object, in JSON, YAML, XML.
    Object(Body),
    /// `[ DOMAIN ; COUNT ]`: an array, in JSON, YAML, XML.
    Array {
        /// Each element.
        element: Box<Domain>,
        /// How many.
        count: Box<Count>,
    },
}

/// A domain by name, with its arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedDomain {
    /// Its name.
    pub name: Ident,
    /// `A..B`
    pub range: Option<Box<(Expr, Expr)>>,
    /// `(a, b)`
    pub args: Option<Vec<Expr>>,
    /// `mean M`, `sd S`, in order.
    pub keywords: Vec<(Ident, Expr)>,
    /// A number without keyword (`zipf 100`), or a percentage (`bool 80%`).
    pub operand: Option<Box<Expr>>,
}

/// `expect SUBJECT MATCHER VALUE [options]`
#[derive(Clone, Debug, PartialEq)]
pub struct Expect {
    /// What is looked at.
    pub subject: Subject,
    /// How it is compared; `None` for `files` and `tree` (existence), or where it is missing (already reported).
    pub matcher: Option<(Matcher, Span)>,
    /// `sql DB`: the database's name.
    pub database: Option<Ident>,
    /// With what; absent for `exists`, `absent`, `unchanged`, `files`, `tree`.
    pub answer: Option<Answer>,
    /// The options behind the value.
    pub options: Vec<Opt>,
}

/// What an `expect` looks at.
#[derive(Clone, Debug, PartialEq)]
pub enum Subject {
    /// `reply [slice]`
    Reply {
        /// The keyword.
        span: Span,
        /// Which part.
        slice: Option<Slice>,
    },
    /// `file PATH`, `file NAME`: a string, or the name of a declared file.
    File(Expr),
    /// `files LIST`
    Files(Expr),
    /// `tree LIST`
    Tree(Expr),
}

/// A part of the reply.
#[derive(Clone, Debug, PartialEq)]
pub enum Slice {
    /// `last line`
    LastLine(Span),
    /// `after "…"`
    After(StringLit),
    /// `fenced ["lang"]`
    Fenced(Span, Option<StringLit>),
}

/// The expected value.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// `any_of` in front: the value is a list of accepted answers.
    pub any_of: bool,
    /// The value.
    pub value: Expr,
}

/// An option behind an expected value.
#[derive(Clone, Debug, PartialEq)]
pub struct Opt {
    /// Which.
    pub kind: OptKind,
    /// With the keyword.
    pub span: Span,
}

/// The options of an expected value.
#[derive(Clone, Debug, PartialEq)]
pub enum OptKind {
    /// `within 0.01`, `within 1%`
    Within(Expr),
    /// `rounded 2`
    Rounded(Expr),
    /// `unit "kg"`
    Unit(Expr),
    /// `ignore case, space, punctuation`, `ignore TABLE, TABLE.COLUMN`: words, or paths of several.
    Ignore(Vec<Vec<Ident>>),
    /// `ordered`
    Ordered,
    /// `unordered`
    Unordered,
    /// `open`
    Open,
    /// `weight 2`
    Weight(Expr),
    /// `gate`
    Gate,
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its range.
    pub span: Span,
}

/// The forms of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// Nothing where a value should stand (already reported): an empty range behind what stands before it.
    Missing,
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// `75`, `50_000` (never negative: `-3` is [`UnaryOp::Neg`] of 3)
    Int(i64),
    /// `2.50`: exact, with its digits.
    Decimal(plan::Decimal),
    /// `1.5e3`, `1e-6`: finite.
    Float(f64),
    /// `5%`, `0.5%`: the number in front of the sign.
    Percent(plan::Decimal),
    /// `2024-01-31` (a day that exists)
    Date(plan::Date),
    /// `2024-03-01T10:00`
    DateTime(plan::DateTime),
    /// `90 days`
    Duration(plan::Duration),
    /// `"…"`, `"""…"""`
    String(StringLit),
    /// `[a, b]`
    List(Vec<Expr>),
    /// `{ key: value options, … }`
    Object(Vec<Field>),
    /// `name`, `rel.col`, `db.table.col`
    Path(Vec<Ident>),
    /// `f(a, b where p)` or `<<f: a, b>>`
    Call(Call),
    /// `<<expr>>` on its own. `<<f: …>>` is a placeholder around a call; `<<schema>>` around a path.
    Placeholder(Box<Expr>),
    /// `(expr)`
    Paren(Box<Expr>),
    /// `-a`, `not a`
    Unary {
        /// The operator.
        op: UnaryOp,
        /// Its operand.
        operand: Box<Expr>,
    },
    /// `a op b`
    Binary {
        /// The operator.
        op: Op,
        /// Its place.
        op_span: Span,
        /// Left.
        left: Box<Expr>,
        /// Right.
        right: Box<Expr>,
    },
    /// `if c then a else b`
    If {
        /// The condition.
        condition: Box<Expr>,
        /// The value if it holds.
        then: Box<Expr>,
        /// The value if not.
        otherwise: Box<Expr>,
    },
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum UnaryOp {
    Neg,
    Not,
}

/// `key: value options` in an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The key: a name, a quoted name, or the content of a plain string.
    pub key: Ident,
    /// Its value.
    pub value: Expr,
    /// Options that govern it (`within 0.01`).
    pub options: Vec<Opt>,
}

/// A call, in either spelling.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The function.
    pub callee: Ident,
    /// Its arguments.
    pub args: Vec<Arg>,
    /// `<<f: …>>` rather than `f(…)`.
    pub placeholder: bool,
}

/// An argument.
#[derive(Clone, Debug, PartialEq)]
pub struct Arg {
    /// An expression or raw text.
    pub value: ArgValue,
    /// `where P`
    pub filter: Option<Expr>,
    /// The whole.
    pub span: Span,
}

/// What an argument is.
#[derive(Clone, Debug, PartialEq)]
pub enum ArgValue {
    /// An expression.
    Expr(Expr),
    /// SQL, JSONPath or XPath, exactly as it stands in the source.
    Raw(Raw),
}

/// Raw text in a placeholder: `span` covers exactly `text`, trailing blanks apart.
#[derive(Clone, Debug, PartialEq)]
pub struct Raw {
    /// Which language.
    pub kind: RawKind,
    /// The text, a slice of the source.
    pub text: String,
    /// Its range.
    pub span: Span,
}

/// The languages of raw text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum RawKind {
    Sql,
    JsonPath,
    XPath,
}

/// A string as written.
#[derive(Clone, Debug, PartialEq)]
pub struct StringLit {
    /// Text and placeholders in order.
    pub pieces: Vec<Piece>,
    /// `"""…"""`
    pub triple: bool,
    /// With the quotes.
    pub span: Span,
}

/// A part of a string.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    /// Text exactly as in the source, escapes and indentation included.
    Text(String, Span),
    /// `<<…>>`: an [`ExprKind::Placeholder`].
    Placeholder(Expr),
}

/// A part of what a string says.
#[derive(Clone, Debug, PartialEq)]
pub enum Cooked<'a> {
    /// Text as it will be read.
    Text(String),
    /// The value of a placeholder.
    Placeholder(&'a Expr),
}
