//! The compiled suite: everything that generation and scoring need, and nothing else.
//!
//! What it drops from the source: names of things (they are indexes here), documentation, formatting, types that no one asks for at
//! run time. What it adds: dependency order, resolved functions, concrete domains, parsed SQL parameters. Everything is in
//! source order and in vectors, so that printing and hashing are reproducible. `spans` are kept where a failure at build time
//! must be shown in the source. No promise on its form: it is printed by `picardc build --emit plan` for snapshots and curious people.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize, Serializer};

use crate::answer_key::{self, Expression};
use crate::functions::FunctionId;
pub use crate::ids::{ColumnId, DomainId, FileId, NameId, RelationId};
use crate::{Decimal, Domain, Format, Span, TiVec, Value, ValueType};

/// A compiled suite.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Plan {
    /// Which frozen standard library, streams, generators and writers it is built with.
    pub edition: u32,
    /// The suite's own facts.
    pub suite: SuiteInfo,
    /// Every fixed domain that the tasks draw from, each once.
    pub domains: TiVec<DomainId, Domain>,
    /// The tasks in source order.
    pub tasks: Vec<Task>,
}

/// What `suite NAME { … }` says.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct SuiteInfo {
    pub name: String,
    pub title: String,
    pub version: String,
    pub description: Option<String>,
    pub license: Option<String>,
    pub authors: Vec<String>,
    /// A text that marks the bundle so that training sets can be searched for it.
    pub canary: Option<String>,
    pub tags: Vec<String>,
}

/// A question template.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Task {
    /// Its name, `[A-Za-z0-9_]+`.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// Its documentation.
    pub doc: Option<String>,
    /// How many samples, at least 1.
    pub samples: u32,
    /// The suite's tags and its own.
    pub tags: Vec<String>,
    /// Its axes; the cells are their product, the last axis fastest.
    pub axes: Vec<Axis>,
    /// Its values: drawn, computed and axis names, indexed by [`NameId`].
    pub names: TiVec<NameId, Name>,
    /// Its files, indexed by [`FileId`].
    pub files: TiVec<FileId, File>,
    /// Its relations, indexed by [`RelationId`]: of its files, and those without a file.
    pub relations: TiVec<RelationId, Relation>,
    /// What to do for one cell of one sample, in dependency order. Every name, file and relation is in it once; a `require` stands right behind what it needs.
    pub steps: Vec<Step>,
    /// Its `require` statements.
    pub requires: Vec<Require>,
    /// Empty folders, as paths below the sandbox.
    pub folders: Vec<Expr>,
    /// Noise files.
    pub clutter: Vec<Clutter>,
    /// Wordings, of which one is drawn.
    pub prompt: Prompt,
    /// The answer key of the task itself (used where there are no variants).
    pub expects: Vec<Expect>,
    /// Ways to ask; where there are any, they alone are instances.
    pub variants: Vec<Variant>,
}

/// `axis NAME = …`
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Axis<E = Expr> {
    /// Its name.
    pub name: String,
    /// Its slot among the names.
    pub slot: NameId,
    /// Its cells: label (`[A-Za-z0-9_]+`) and value.
    pub cells: Vec<(String, E)>,
}

/// A name of the task.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Name {
    /// As written.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// Where its value comes from.
    pub source: NameSource,
}

/// Where a name's value comes from.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NameSource {
    /// `NAME : DOMAIN`. Of `a, b : distinct D` all have the group `a` and the places 0 and 1; any other name is its own group at 0.
    Draw {
        /// The draw.
        draw: Draw,
        /// The first name of the statement: the key of the permutation.
        group: String,
        /// The place in the statement, from 0.
        place: u32,
    },
    /// `NAME = expr`
    Compute(Expr),
    /// `axis NAME = …`: the cell's value.
    Axis,
}

/// How a name or column is drawn.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Draw {
    /// From what.
    pub domain: DomainExpr,
    /// No value twice in the column; for names, in the group (`distinct`).
    pub unique: bool,
    /// Values in ascending order down the column.
    pub sorted: bool,
    /// Chance of null, in millionths.
    pub blank_per_million: u32,
    /// Values that may not come: scalars or lists, known when it is drawn.
    pub except: Vec<Expr>,
    /// Its place in the source.
    pub span: Span,
}

/// Nothing: no mistake is left in a compiled suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Nothing {}

/// A domain, with bounds that may have to be computed. Where it is fixed it is a `D`; an `X` is what is left of it after a mistake.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DomainExpr<E = Expr, D = DomainId, X = Nothing> {
    /// After a mistake that has been reported.
    Unknown(X),
    /// Known at compile time.
    Fixed(D),
    /// `low..high [step S]` with computed ends, of this type: int, decimal, date or datetime.
    Range {
        /// The type; a decimal's places.
        value_type: ValueType,
        /// The least.
        low: E,
        /// The most.
        high: E,
        /// Int: an int. Decimal: a decimal. Date and datetime: a duration. None: one unit of the last place, day, or second.
        step: Option<E>,
    },
    /// `lorem UNIT low..high`
    Lorem {
        /// What is counted.
        unit: crate::domain::LoremUnit,
        /// An int.
        low: E,
        /// An int.
        high: E,
    },
    /// `one_of [ … ]` with computed items.
    OneOf(Vec<E>),
    /// `ref REL.COLUMN [where P]`: a value that stands there (never a null).
    Ref {
        /// The relation.
        relation: RelationId,
        /// Its column.
        column: ColumnId,
        /// For `a, b : ref REL.(A, B)`: all columns that are taken from one row, which has no null in them. Draws of the statement share the
        /// group. Empty for a single column.
        together: Vec<ColumnId>,
        /// Over its rows ([`Expr::Column`] is the candidate row).
        filter: Option<E>,
    },
}

/// A set of rows.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Relation {
    /// `hr`, or `db.table`: its path in random keys and messages.
    pub name: String,
    /// The last part of the name: the table's own name in its database or workbook.
    pub table: String,
    /// Where it is declared.
    pub span: Span,
    /// The file it is written to, if any.
    pub file: Option<FileId>,
    /// Where its rows come from.
    pub rows: Rows,
    /// Its columns in source order, helpers included.
    pub columns: TiVec<ColumnId, Column>,
    /// The order in which columns are made: each behind those it needs.
    pub order: Vec<ColumnId>,
    /// What several columns are together, in source order.
    pub constraints: Vec<Constraint>,
}

/// What columns of a relation are together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Constraint {
    /// Which.
    pub kind: ConstraintKind,
    /// The columns in order, at least one, no helper, none twice.
    pub columns: Vec<ColumnId>,
    /// Its place in the source.
    pub span: Span,
}

/// The kinds of constraint.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ConstraintKind {
    /// No two rows have the same values. A row with a null in one of the columns differs from every other.
    Unique,
    /// The primary key of a table in a database: as `Unique`, without nulls.
    PrimaryKey,
    /// An index of a database.
    Index {
        /// Its name there.
        name: String,
    },
    /// A foreign key to columns of a table of the same database, in the same order.
    References {
        /// The table.
        relation: RelationId,
        /// Its columns, which are unique there together.
        columns: Vec<ColumnId>,
    },
}

impl Constraint {
    /// Whether no two rows have the same values.
    pub fn is_unique(&self) -> bool {
        matches!(self.kind, ConstraintKind::Unique | ConstraintKind::PrimaryKey)
    }

    /// Whether it is on these columns, in any order.
    pub fn is_over(&self, columns: &[ColumnId]) -> bool {
        self.columns.len() == columns.len() && columns.iter().all(|column| self.columns.contains(column))
    }
}

/// Where the rows of a relation come from.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Rows<E = Expr> {
    /// So many are made: least and most (equal where fixed), drawn in between.
    Count(E, E),
    /// So many for each row of another relation: an array inside of an array's objects. They stand in the order of its rows.
    PerRow {
        /// The relation around it.
        parent: RelationId,
        /// The least for each, an int.
        low: E,
        /// The most for each, an int.
        high: E,
    },
    /// Those of a fixture: so many, in [`ColumnSource::Given`].
    Given(u32),
    /// Those of the result set that this name holds; its columns are [`ColumnSource::Result`].
    Query(NameId),
    /// The lines of a file's text, without their ends, in its only column ([`ColumnSource::Result`]).
    Lines(FileId),
}

/// A column.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Column {
    /// As written.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// `_NAME`: not written.
    pub helper: bool,
    /// The type of its values.
    pub value_type: ValueType,
    /// Whether a value may be null.
    pub nullable: bool,
    /// `serial` in a database, or a declared key.
    pub primary_key: bool,
    /// No value twice (`unique`, `serial`).
    pub unique: bool,
    /// For a `ref` to a unique column of the same database: that column (a foreign key).
    pub references: Option<(RelationId, ColumnId)>,
    /// Drawn or computed.
    pub source: ColumnSource,
}

/// How a column gets its values.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ColumnSource {
    /// `NAME : DOMAIN`. Of `a, b : distinct D`, group and place as for names, and the values of a row differ.
    Draw {
        /// The draw.
        draw: Draw,
        /// The first column of the statement.
        group: String,
        /// The place in the statement, from 0.
        place: u32,
        /// How many columns share the statement.
        of: u32,
    },
    /// `NAME = expr`, over the row.
    Compute(Expr),
    /// A fixture's values, top to bottom.
    Given(crate::Given),
    /// The column at this position of the result set, or the line of the text.
    Result(u32),
}

/// A file of the task.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct File {
    /// Its name in the task.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// Its format; of a fixture, the one in which it was read.
    pub format: Format,
    /// Its path below the sandbox: a text.
    pub path: Expr,
    /// What is in it.
    pub content: FileContent,
}

/// What is in a file, whose format says how it is written. A `D` is a draw; an `X` is what is left of the content after a mistake.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FileContent<E = Expr, D = Draw, X = Nothing> {
    /// After a mistake that has been reported.
    Unknown(X),
    /// A table of cells with a header.
    Delimited {
        /// What stands between cells: an ASCII character that no cell needs, such as `,`, `;` or a tab.
        delimiter: char,
        /// Every cell stands in quotes, but for null.
        quoted: bool,
        /// Lines end in `\r\n`, not `\n`.
        crlf: bool,
        /// The file begins with U+FEFF.
        bom: bool,
        /// The rows.
        relation: RelationId,
    },
    /// A database.
    Sqlite {
        /// Its tables in source order.
        tables: Vec<RelationId>,
        /// The order to fill them in: parents first.
        order: Vec<RelationId>,
    },
    /// A text drawn from a text domain.
    DrawnText(D),
    /// A computed text.
    ComputedText(E),
    /// One line a row.
    TextLines {
        /// The rows.
        relation: RelationId,
        /// The line, over the row: a text.
        line: E,
    },
    /// Values of a declared shape.
    Tree {
        /// The name of the root element, in a format that has one.
        root: Option<String>,
        /// What is where in it. At its top there is no current row.
        shape: Shape,
    },
    /// This value: objects and lists become objects and arrays.
    ComputedTree(E),
    /// Tables in source order, each with a name and a header.
    Tables(Vec<RelationId>),
    /// A file from beside the suite, copied in byte for byte.
    Fixture {
        /// What is in it.
        bytes: Bytes,
        /// How it can be read.
        kind: FixtureKind,
    },
}

/// What stands at a place of a JSON, YAML or XML file.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// The cell of a column, in the row at hand of its relation. Outside of arrays, relations have one row.
    Cell(RelationId, ColumnId),
    /// Fields in source order, no key twice. In XML each is a child element, or an attribute.
    Object(Vec<Field>),
    /// One element a row of the relation: inside of another array's element, those that belong to its row. In XML the element is repeated.
    Array(RelationId, Box<Shape>),
}

/// A field of an object.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Field {
    /// Its key; in XML the name of an element or attribute, or `#text` for the element's own text.
    pub key: String,
    /// `@key`: an attribute of the XML element.
    pub attribute: bool,
    /// What stands there.
    pub shape: Shape,
}

/// How a fixture can be read.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FixtureKind {
    /// UTF-8 text: lines and words.
    Text,
    /// JSON or YAML, which is text too: what it says.
    Tree(#[serde(serialize_with = "crate::given::shared_value")] Arc<Value>),
    /// A database.
    Sqlite,
    /// Nothing but bytes (a workbook, a picture).
    Binary,
}

/// The bytes of a fixture: shared, and shown as their number alone.
#[derive(Clone, PartialEq, Eq)]
pub struct Bytes(pub Arc<[u8]>);

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.0.len())
    }
}

/// One thing to do for a cell of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// Draw or compute a name, or set an axis to its cell's value.
    Name(NameId),
    /// Make a relation's rows.
    Relation(RelationId),
    /// Render a file (its relations are made); from here on its path and content are known.
    File(FileId),
    /// Draw again if this is not true: an index into [`Task::requires`].
    Require(u32),
}

/// `require expr`
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Require {
    /// A bool; null counts as false.
    pub condition: Expr,
    /// Its place in the source.
    pub span: Span,
}

/// `clutter N [in PATH]`
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Clutter<E = Expr> {
    /// An int.
    pub count: E,
    /// A folder below the sandbox.
    pub within: Option<E>,
}

/// Wordings of a prompt: none (a variant may have none of its own), one, or several.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Prompt {
    /// Each a text.
    pub wordings: Vec<Expr>,
}

/// `variant NAME { … }`
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Variant {
    /// Its name.
    pub name: String,
    /// Its own computed names, in dependency order: set before its prompt and answers.
    pub steps: Vec<NameId>,
    /// Added to the task's prompt on a new line.
    pub prompt: Prompt,
    /// The task's answers and its own.
    pub expects: Vec<Expect>,
    /// Tags beside the task's.
    pub tags: Vec<String>,
}

/// What an instance expects, before it is computed.
pub type Expect = answer_key::Expect<Expr>;

crate::worded! {
    /// How an answer is compared (`language` §5).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    #[allow(missing_docs)]
    pub enum Matcher {
        Text = "text",
        Contains = "contains",
        Matches = "matches",
        Number = "number",
        Json = "json",
        List = "list",
        Rows = "rows",
        Bytes = "bytes",
        Sql = "sql",
        Database = "database",
        Exists = "exists",
        Absent = "absent",
        Unchanged = "unchanged",
    }
}

/// What governs a value, or a leaf of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Options {
    /// `within 0.01`, `within 1%`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within: Option<Within>,
    /// `rounded D`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounded: Option<u8>,
    /// `ignore case, space, punctuation`
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ignore: Vec<Ignore>,
    /// `ordered` true, `unordered` false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ordered: Option<bool>,
    /// `unit "kg"`: the unit that a number may carry, without blanks around it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// `open`: objects may hold keys that are not expected.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub open: bool,
    /// `ignore TABLE, TABLE.COLUMN`: parts of a database that do not count, as `TABLE` or `TABLE.COLUMN`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<String>,
}

/// A tolerance, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Within {
    /// In the value's own unit.
    Absolute(Decimal),
    /// In hundredths of the expected value.
    Percent(Decimal),
}

crate::worded! {
    /// What a comparison may overlook.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    #[allow(missing_docs)]
    pub enum Ignore {
        Case = "case",
        Space = "space",
        Punctuation = "punctuation",
    }
}

/// An expression, resolved and typed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Expr {
    /// Known.
    Const(Value),
    /// A name of the task.
    Name(NameId),
    /// A column of the row at hand: in `where`, computed columns, bounds of columns, `line`.
    Column(ColumnId),
    /// A column of a candidate's *outer* row: inside the `where` of a `ref` in a column, the row being made.
    OuterColumn(ColumnId),
    /// The path that the agent is given for a file (in a prompt: below the `--sandbox-root`).
    FilePath(FileId),
    /// The root of the sandbox, as the agent is given it.
    Sandbox,
    /// `-a`
    Neg(Box<Expr>),
    /// `not a`
    Not(Box<Expr>),
    /// `a op b`
    Binary {
        /// The operator.
        op: Op,
        /// Left and right.
        args: Box<(Expr, Expr)>,
        /// Its place in the source.
        span: Span,
    },
    /// `if c then a else b`
    If(Box<(Expr, Expr, Expr)>),
    /// `[a, b]`
    List(Vec<Expr>),
    /// `{ key: value }`
    Object(Vec<(String, Expr)>),
    /// A string: its parts' renderings, one behind the other.
    Concat(Vec<Expr>),
    /// A function of the standard library.
    Call(Box<Call>),
}

impl Expression for Expr {}

crate::worded! {
    /// Operators.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
    #[serde(rename_all = "snake_case")]
    #[allow(missing_docs)]
    pub enum Op {
        Add = "+",
        Sub = "-",
        Mul = "*",
        Div = "/",
        Eq = "==",
        Ne = "!=",
        Lt = "<",
        Le = "<=",
        Gt = ">",
        Ge = ">=",
        In = "in",
        NotIn = "not in",
        And = "and",
        Or = "or",
    }
}

impl Op {
    /// The same comparison read from the right: `a < b` is `b > a`.
    pub fn mirrored(self) -> Op {
        match self {
            Op::Lt => Op::Gt,
            Op::Le => Op::Ge,
            Op::Gt => Op::Lt,
            Op::Ge => Op::Le,
            other => other,
        }
    }
}

/// A call of a function of the standard library.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Call {
    /// Which.
    pub function: FunctionId,
    /// Its arguments in the order of the signature.
    pub args: Vec<Arg>,
    /// Its place in the source.
    pub span: Span,
}

/// An argument.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Arg<E = Expr, Q = Sql> {
    /// A value.
    Value(E),
    /// The rows of a relation that meet the predicate.
    Relation {
        /// Which.
        relation: RelationId,
        /// Over its rows.
        filter: Option<E>,
    },
    /// A column of those rows.
    Column {
        /// Which relation.
        relation: RelationId,
        /// Which column.
        column: ColumnId,
        /// Over its rows.
        filter: Option<E>,
    },
    /// A value for each of those rows.
    Each {
        /// Which relation.
        relation: RelationId,
        /// Over its rows.
        value: E,
        /// Over its rows.
        filter: Option<E>,
    },
    /// A file: its content as written.
    File(FileId),
    /// A query.
    Sql(Q),
    /// A JSONPath or XPath into the file before it.
    Path(PathQuery),
}

/// A JSONPath (RFC 9535) or XPath 1.0, without parameters.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PathQuery {
    /// As written, without blanks around it.
    pub text: String,
    /// The type its values are brought to, where it is known: XML holds texts alone.
    pub value_type: Option<ValueType>,
    /// Where the text stands.
    pub span: Span,
}

/// A query.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sql {
    /// As written.
    pub text: String,
    /// What it may read.
    pub scope: SqlScope,
    /// Its parameters: name without the colon, and value.
    pub params: Vec<(String, Expr)>,
    /// For each output column, the type its values are brought to, where it is known (decimals to their places, days, moments, bools).
    pub columns: Vec<Option<ValueType>>,
    /// Where the text stands.
    pub span: Span,
}

/// What a query may read.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SqlScope {
    /// The tables of one database file.
    Database(FileId),
    /// These relations of the task: a database's tables as `db.table`, the others under their own name.
    Relations(Vec<RelationId>),
}

impl Serialize for Bytes {
    /// As lower-case hexadecimal digits.
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&format_args!("{}", Hex(&self.0)))
    }
}

struct Hex<'b>(&'b [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl Relation {
    /// The file that its name begins with (`shop` of `shop.sales`): in SQL, the database it is read from.
    pub fn database(&self) -> Option<&str> {
        self.name.strip_suffix(self.table.as_str())?.strip_suffix('.')
    }
}

impl Task {
    /// How many cells its axes span: 1 without axes.
    pub fn cells(&self) -> u32 {
        self.axes.iter().map(|axis| axis.cells.len() as u32).product()
    }

    /// How many instances a sample gives: cells × variants.
    pub fn instances_per_sample(&self) -> u32 {
        self.cells() * (self.variants.len() as u32).max(1)
    }
}

impl Matcher {
    /// Whether it looks at files as they are, not at a text.
    pub fn is_of_files(self) -> bool {
        use Matcher::{Absent, Bytes, Database, Exists, Unchanged};
        matches!(self, Bytes | Exists | Absent | Unchanged | Database)
    }

    /// Whether its answers have parts, which people are shown as JSON.
    pub fn is_structured(self) -> bool {
        use Matcher::{Database, Json, List, Rows, Sql};
        matches!(self, Json | List | Rows | Sql | Database)
    }
}
