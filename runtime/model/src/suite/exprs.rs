//! Expressions.

use serde::Serialize;

use super::{ColumnId, Compiled, FileId, NameId, Phase, Printed, RelationId, Scope};
use crate::answer_key::Expression;
use crate::functions::FunctionId;
use crate::{Span, Value, ValueType};

/// An expression, resolved and typed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Expr {
    /// A constant.
    Const(Value),
    /// A name of the task.
    Name(NameId),
    /// A column of the current row: in `where`, computed columns, bounds of columns, `line`.
    Column(ColumnId),
    /// A column of the *outer* row of a candidate: in the `where` of a `ref` in a column, the row that is being made.
    OuterColumn(ColumnId),
    /// The path of a file for the agent (in a prompt, below the `--sandbox-root`).
    FilePath(FileId),
    /// The path of a lake's folder in the sandbox.
    Folder(String),
    /// The root of the sandbox for the agent.
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
    /// A string: the renderings of its parts, concatenated.
    Concat(Vec<Expr>),
    /// A function of the standard library.
    Call(Box<Call>),
}

impl Expression for Expr {}

impl Expr {
    /// Visits the expressions that are directly in it, each with the rows that columns in it refer to. `at` is that of the expression itself.
    pub fn visit_parts<'e>(&'e self, at: Scope, visit: &mut dyn FnMut(&'e Expr, Scope)) {
        match self {
            Expr::Const(_)
            | Expr::Name(_)
            | Expr::Column(_)
            | Expr::OuterColumn(_)
            | Expr::FilePath(_)
            | Expr::Folder(_)
            | Expr::Sandbox => {}
            Expr::Neg(operand) | Expr::Not(operand) => visit(operand, at),
            Expr::Binary { args, .. } => [&args.0, &args.1].into_iter().for_each(|side| visit(side, at)),
            Expr::If(parts) => [&parts.0, &parts.1, &parts.2].into_iter().for_each(|part| visit(part, at)),
            Expr::List(items) | Expr::Concat(items) => items.iter().for_each(|item| visit(item, at)),
            Expr::Object(fields) => fields.iter().for_each(|(_, field)| visit(field, at)),
            Expr::Call(call) => call.args.iter().for_each(|arg| arg.visit_exprs(at, visit)),
        }
    }
}

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
    /// Returns the same comparison with swapped sides: `a < b` is `b > a`.
    pub fn swap_sides(self) -> Op {
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
    /// The function.
    pub function: FunctionId,
    /// Its arguments in the order of the signature.
    pub args: Vec<Arg>,
    /// Its place in the source.
    pub span: Span,
}

/// An argument.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", bound(serialize = "S: Printed"))]
pub enum Arg<S: Phase = Compiled> {
    /// A value.
    Value(S::Expr),
    /// The rows of a relation that pass the filter.
    Relation {
        /// The relation.
        relation: RelationId,
        /// The filter of its rows.
        filter: Option<S::Expr>,
    },
    /// A column of those rows.
    Column {
        /// The relation.
        relation: RelationId,
        /// The column.
        column: ColumnId,
        /// The filter of its rows.
        filter: Option<S::Expr>,
    },
    /// A value for each of those rows.
    Each {
        /// The relation.
        relation: RelationId,
        /// The expression for each row.
        value: S::Expr,
        /// The filter of its rows.
        filter: Option<S::Expr>,
    },
    /// A file, whose content is read as written.
    File(FileId),
    /// A query.
    Sql(S::Query),
    /// A JSONPath or XPath into the preceding file.
    Path(PathQuery),
}

impl Arg {
    fn visit_exprs<'e>(&'e self, at: Scope, visit: &mut dyn FnMut(&'e Expr, Scope)) {
        match self {
            Arg::Value(value) => visit(value, at),
            Arg::Relation { relation, filter } | Arg::Column { relation, filter, .. } => {
                filter.iter().for_each(|filter| visit(filter, at.enter_filter(*relation)));
            }
            // The current row is the outer one in there, as in a filter.
            Arg::Each { relation, value, filter } => {
                [value].into_iter().chain(filter).for_each(|expr| visit(expr, at.enter_filter(*relation)));
            }
            Arg::File(_) | Arg::Path(_) => {}
            Arg::Sql(sql) => sql.params.iter().for_each(|(_, value)| visit(value, at)),
        }
    }
}

impl<S: Phase> Arg<S> {
    /// Compiles it.
    pub fn compile_with(&self, query: impl Fn(&S::Query) -> Sql, expr: impl Fn(&S::Expr) -> Expr) -> Arg {
        let over = |filter: &Option<S::Expr>| filter.as_ref().map(&expr);
        match self {
            Arg::Value(value) => Arg::Value(expr(value)),
            Arg::Relation { relation, filter } => Arg::Relation { relation: *relation, filter: over(filter) },
            Arg::Column { relation, column, filter } => {
                Arg::Column { relation: *relation, column: *column, filter: over(filter) }
            }
            Arg::Each { relation, value, filter } => {
                Arg::Each { relation: *relation, value: expr(value), filter: over(filter) }
            }
            Arg::File(file) => Arg::File(*file),
            Arg::Sql(sql) => Arg::Sql(query(sql)),
            Arg::Path(path) => Arg::Path(path.clone()),
        }
    }
}

/// A JSONPath (RFC 9535) or XPath 1.0, without parameters.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PathQuery {
    /// The text, without surrounding spaces.
    pub text: String,
    /// The type to which its values are converted, if it is known: XML contains only text.
    pub value_type: Option<ValueType>,
    /// The span of the text.
    pub span: Span,
}

/// A query.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sql {
    /// As written.
    pub text: String,
    /// The tables that it may read.
    pub scope: SqlScope,
    /// Its parameters: name without the colon, and value.
    pub params: Vec<(String, Expr)>,
    /// The type to which each output column is converted, if it is known (decimals to their places, dates, datetimes, bools).
    pub columns: Vec<Option<ValueType>>,
    /// The span of the text.
    pub span: Span,
}

/// The tables that a query may read.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SqlScope {
    /// The tables of one database file.
    Database(FileId),
    /// These relations of the task: a database's tables as `db.table`, the others under their own names.
    Relations(Vec<RelationId>),
}
