//! Expressions, strings, and the options of expected values, which are expressions and belong to the fields of objects.

use super::Ident;
use model::Span;
use model::answer_key::Wanted;
use model::suite::{CellMatch, Op};

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// Its form.
    pub kind: ExprKind,
    /// Its range.
    pub span: Span,
}

/// The forms of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// The value is missing (already reported). The expression's span is empty, right after the preceding token.
    Missing,
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// `75`, `50_000` (never negative: `-3` is [`UnaryOp::Neg`] of 3)
    Int(i64),
    /// `2.50`: exact, with all its digits.
    Decimal(model::Decimal),
    /// `1.5e3`, `1e-6`: always finite.
    Float(f64),
    /// `5%`, `0.5%`: the number before the percent sign.
    Percent(model::Decimal),
    /// `mess%`: a percentage given by a name. The inner expression is an [`ExprKind::Path`] of one name.
    PercentOf(Box<Expr>),
    /// `2024-01-31`: an existing date.
    Date(model::Date),
    /// `2024-03-01T10:00`
    DateTime(model::DateTime),
    /// `90 days`
    Duration(model::Duration),
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
        /// The range of the operator.
        op_span: Span,
        /// The left operand.
        left: Box<Expr>,
        /// The right operand.
        right: Box<Expr>,
    },
    /// `if c then a else b`
    If {
        /// The value if the condition is true.
        condition: Box<Expr>,
        /// The value if it holds.
        then: Box<Expr>,
        /// The value otherwise.
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
    /// The options that apply to it (`within 0.01`).
    pub options: Vec<Opt>,
}

/// A call, in either spelling.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The function.
    pub callee: Ident,
    /// Its arguments.
    pub args: Vec<Arg>,
    /// Whether it is written `<<f: …>>` instead of `f(…)`.
    pub placeholder: bool,
}

/// An argument.
#[derive(Clone, Debug, PartialEq)]
pub struct Arg {
    /// An expression or raw text.
    pub value: ArgValue,
    /// `where P`
    pub filter: Option<Expr>,
    /// The range of the argument.
    pub span: Span,
}

/// The forms of an argument.
#[derive(Clone, Debug, PartialEq)]
pub enum ArgValue {
    /// An expression.
    Expr(Expr),
    /// SQL, JSONPath, or XPath, unchanged from the source.
    Raw(Raw),
}

/// Raw text in a placeholder. `span` covers exactly `text`, without trailing blanks.
#[derive(Clone, Debug, PartialEq)]
pub struct Raw {
    /// Its language.
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
    /// Whether it is written `"""…"""`.
    pub triple: bool,
    /// Its range, with the quotes.
    pub span: Span,
}

/// A part of a string.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    /// Text unchanged from the source, with escapes and indentation.
    Text(String, Span),
    /// `<<…>>`: an [`ExprKind::Placeholder`].
    Placeholder(Expr),
}

/// A part of a string's value.
#[derive(Clone, Debug, PartialEq)]
pub enum Cooked<'a> {
    /// Text with escapes and indentation resolved.
    Text(String),
    /// The value of a placeholder.
    Placeholder(&'a Expr),
}

/// A literal whole number: `3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whole {
    /// The number.
    pub value: u32,
    /// Its place.
    pub span: Span,
}

/// An option after an expected value.
#[derive(Clone, Debug, PartialEq)]
pub struct Opt {
    /// Its kind.
    pub kind: OptKind,
    /// `in C`: the columns that it is for, as paths; empty for the whole value.
    pub columns: Vec<Vec<Ident>>,
    /// Its range, with the keyword.
    pub span: Span,
}

/// A column after `ordered by`.
#[derive(Clone, Debug, PartialEq)]
pub struct SortColumn {
    /// Its name.
    pub name: Ident,
    /// Whether `desc` follows it.
    pub is_descending: bool,
}

/// The options of an expected value.
#[derive(Clone, Debug, PartialEq)]
pub enum OptKind {
    /// `within 0.01`, `within 1%`
    Within(Expr),
    /// `rounded 2`
    Rounded(Expr),
    /// `graded`, `graded above 0.9`
    Graded(Option<Expr>),
    /// `unit "kg"`
    Unit(Expr),
    /// `written "dd.MM.yyyy"`, `written "0.0K" times 1_000`
    Written(Expr, Option<Expr>),
    /// `ignore case, space, punctuation`, `ignore TABLE, TABLE.COLUMN`: words, or paths of several.
    Ignore(Vec<Vec<Ident>>),
    /// `trap NAME, NAME`: paths of one name.
    Trap(Vec<Expr>),
    /// `accepts V, V`, `rejects V`, `rejects others`: tests of the expectation.
    Example(Wanted, Examples),
    /// `ordered`
    Ordered,
    /// `unordered`
    Unordered,
    /// `ordered by C desc, D`
    OrderedBy(Vec<SortColumn>),
    /// `contains in C`, `matches in C`
    Cells(CellMatch),
    /// `among LIST`
    Among(Expr),
    /// `open`
    Open,
    /// `schema`
    Schema,
    /// `weight 2`
    Weight(Expr),
    /// `gate`
    Gate,
}

/// The answers of `accepts` and `rejects`.
#[derive(Clone, Debug, PartialEq)]
pub enum Examples {
    /// These values.
    Values(Vec<Expr>),
    /// `others`: the expected values of the other instances of the task.
    Others,
}
