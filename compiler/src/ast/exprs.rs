//! Expressions and strings.

use super::{Ident, Node, Op, Opt, Span, Walk};

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
    /// The value is missing (already reported). The expression's span is empty, right after what precedes it.
    Missing,
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// `75`, `50_000` (never negative: `-3` is [`UnaryOp::Neg`] of 3)
    Int(i64),
    /// `2.50`: exact, with its digits.
    Decimal(model::Decimal),
    /// `1.5e3`, `1e-6`: finite.
    Float(f64),
    /// `5%`, `0.5%`: the number before the sign.
    Percent(model::Decimal),
    /// `mess%`: a percentage that is the value of a name. Its expression is an [`ExprKind::Path`] of one name.
    PercentOf(Box<Expr>),
    /// `2024-01-31` (a day that exists)
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
    /// SQL, JSONPath or XPath, exactly as it is in the source.
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

impl Expr {
    pub(super) fn walk_children<'a>(&'a self, walk: &mut Walk<'_, 'a>) {
        match &self.kind {
            ExprKind::String(text) => walk.visit_string(text),
            ExprKind::List(items) => walk.visit_exprs(items),
            ExprKind::Object(fields) => {
                for field in fields {
                    walk.visit_node(Node::Field(field));
                    walk.visit_expr(&field.value);
                    field.options.iter().for_each(|option| walk.visit_option(option));
                }
            }
            ExprKind::Path(path) => walk.visit_names(path),
            ExprKind::Call(call) => {
                walk.visit_node(Node::Call(call, self.span));
                call.args.iter().for_each(|arg| arg.walk_children(walk));
            }
            ExprKind::Placeholder(inner) | ExprKind::Paren(inner) | ExprKind::PercentOf(inner) => {
                walk.visit_expr(inner)
            }
            ExprKind::Unary { operand, .. } => walk.visit_expr(operand),
            ExprKind::Binary { left, right, .. } => {
                walk.visit_expr(left);
                walk.visit_expr(right);
            }
            ExprKind::If { condition, then, otherwise } => {
                walk.visit_expr(condition);
                walk.visit_expr(then);
                walk.visit_expr(otherwise);
            }
            ExprKind::Missing
            | ExprKind::Null
            | ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Decimal(_)
            | ExprKind::Float(_)
            | ExprKind::Percent(_)
            | ExprKind::Date(_)
            | ExprKind::DateTime(_)
            | ExprKind::Duration(_) => {}
        }
    }
}

impl Arg {
    fn walk_children<'a>(&'a self, walk: &mut Walk<'_, 'a>) {
        walk.visit_node(Node::Arg(self));
        match &self.value {
            ArgValue::Expr(value) => walk.visit_expr(value),
            ArgValue::Raw(raw) => walk.visit_node(Node::Raw(raw)),
        }
        walk.visit_exprs(&self.filter);
    }
}

impl StringLit {
    pub(super) fn walk_children<'a>(&'a self, walk: &mut Walk<'_, 'a>) {
        for piece in &self.pieces {
            if let Piece::Placeholder(value) = piece {
                walk.visit_expr(value);
            }
        }
    }
}
