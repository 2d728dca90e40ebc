//! Evaluates the plan's expressions over a cell's names and tables, and the current row.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use model::functions::{has, said};
use model::suite::{ColumnId, Expr, FileId, Op, RelationId};
use model::{Span, Val, Value, ops};

use super::arithmetic;
use super::cell::{Cell, Table};
use super::functions;
use crate::Failure;
use crate::failure::FailureKind;

/// Inside generation a failure is boxed: results stay small where all goes well.
pub(crate) type Res<T> = Result<T, Box<Failure>>;

/// A failure without place, boxed.
pub(crate) fn fail<T>(kind: FailureKind, message: impl Into<String>) -> Res<T> {
    Err(Box::new(Failure::new(kind, message)))
}

/// A computation without result (E0903).
pub(crate) fn no_result<T>(message: impl Into<String>) -> Res<T> {
    fail(FailureKind::FailedComputation, message)
}

/// Gives failures a place, where they have none yet.
pub(crate) trait OrSpan {
    /// As [`Failure::or_span`].
    fn or_span(self, span: Span) -> Self;
}

impl<T> OrSpan for Res<T> {
    fn or_span(self, span: Span) -> Self {
        self.map_err(|failure| Box::new(failure.or_span(span)))
    }
}

/// A row of a table.
#[derive(Clone, Copy)]
pub(crate) struct RowAt<'a> {
    /// The table, perhaps still being made.
    pub table: &'a Table,
    /// From 0.
    pub row: usize,
}

impl<'a> RowAt<'a> {
    fn get(self, column: ColumnId) -> Val<'a> {
        self.table.columns.get(column).map_or(Val::NULL, |column| column.get(self.row))
    }
}

/// Where an expression is evaluated.
#[derive(Clone, Copy)]
pub(crate) struct Eval<'a> {
    /// Names, tables, files.
    pub cell: &'a Cell<'a>,
    /// The current row.
    pub row: Option<RowAt<'a>>,
    /// The row for which a filter looks at candidates.
    pub outer: Option<RowAt<'a>>,
    /// In a prompt, paths are as the agent is given them; elsewhere they are relative to the sandbox.
    pub prompt: bool,
}

impl<'a> Eval<'a> {
    /// Outside of rows and prompts.
    pub fn new(cell: &'a Cell<'a>) -> Eval<'a> {
        Eval { cell, row: None, outer: None, prompt: false }
    }

    /// At a row.
    pub fn at(self, table: &'a Table, row: usize) -> Eval<'a> {
        Eval { row: Some(RowAt { table, row }), ..self }
    }

    /// At a candidate row of a filter: the row so far becomes the outer one.
    pub fn candidate(self, table: &'a Table, row: usize) -> Eval<'a> {
        Eval { row: Some(RowAt { table, row }), outer: self.row, ..self }
    }

    /// Whether the candidate row meets a filter; no filter lets all pass.
    pub fn passes(self, filter: Option<&'a Expr>, table: &'a Table, row: usize) -> Res<bool> {
        match filter {
            None => Ok(true),
            Some(filter) => self.candidate(table, row).holds(filter),
        }
    }

    /// Whether a condition holds; null does not. As nothing but that is asked, null decides like false: what is right of an `and` is looked
    /// at only where the left side holds, which is what shows its names not to be null.
    pub fn holds(self, condition: &'a Expr) -> Res<bool> {
        match condition {
            Expr::Binary { op: Op::And, args, .. } => Ok(self.holds(&args.0)? && self.holds(&args.1)?),
            Expr::Binary { op: Op::Or, args, .. } => Ok(self.holds(&args.0)? || self.holds(&args.1)?),
            other => Ok(self.eval(other)?.is_true()),
        }
    }

    /// A relation that steps before this one made.
    pub fn table(self, relation: RelationId) -> Res<&'a Table> {
        match self.cell.tables.get(relation) {
            Some(Some(table)) => Ok(table.as_ref()),
            _ => no_result("a relation is used before it is made"),
        }
    }

    /// The value of an expression.
    pub fn eval(self, expr: &'a Expr) -> Res<Val<'a>> {
        Ok(match expr {
            Expr::Const(value) => Val::Ref(value),
            Expr::Name(name) => self.cell.names.get(*name).map_or(Val::NULL, Val::Ref),
            Expr::Column(column) => self.row.map_or(Val::NULL, |row| row.get(*column)),
            Expr::OuterColumn(column) => self.outer.map_or(Val::NULL, |row| row.get(*column)),
            Expr::FilePath(file) => self.file_path(*file)?,
            Expr::Folder(path) if self.prompt => Val::text(super::paths::below(self.cell.sandbox_root, path)),
            Expr::Folder(path) => Val::text(path.as_str()),
            Expr::Sandbox if self.prompt => Val::text(self.cell.sandbox_root),
            Expr::Sandbox => Val::text("."),
            Expr::Neg(operand) => arithmetic::negate(self.eval(operand)?)?,
            Expr::Not(operand) => Val::Own(ops::not(&self.eval(operand)?.into_value())),
            Expr::Binary { op, args, span } => return self.binary(*op, &args.0, &args.1).or_span(*span),
            Expr::If(parts) => {
                let (condition, then, otherwise) = parts.as_ref();
                let holds = self.holds(condition)?;
                return self.eval(if holds { then } else { otherwise });
            }
            Expr::List(items) => {
                let items: Res<Vec<Value>> = items.iter().map(|item| Ok(self.eval(item)?.into_value())).collect();
                Val::Own(Value::List(items?))
            }
            Expr::Object(fields) => {
                let fields: Res<Vec<(String, Value)>> =
                    fields.iter().map(|(name, value)| Ok((name.clone(), self.eval(value)?.into_value()))).collect();
                Val::Own(Value::Object(fields?))
            }
            Expr::Concat(parts) => {
                let mut out = String::new();
                self.concat_into(parts, &mut out)?;
                Val::text(out)
            }
            Expr::Call(call) => return functions::call(self, call).or_span(call.span),
        })
    }

    /// Appends the rendering of an expression, without a text in between where it is a string.
    pub fn render_into(self, expr: &'a Expr, out: &mut String) -> Res<()> {
        match expr {
            Expr::Concat(parts) => self.concat_into(parts, out),
            other => {
                let value = self.eval(other)?;
                if value.is_null() {
                    return null_text();
                }
                value.render_into(out);
                Ok(())
            }
        }
    }

    fn concat_into(self, parts: &'a [Expr], out: &mut String) -> Res<()> {
        /// A text larger than this is a slip, and would take the machine's memory.
        const MOST_BYTES: usize = 64 << 20;
        for part in parts {
            self.render_into(part, out)?;
            if out.len() > MOST_BYTES {
                return no_result("this text is too large: more than 64 MB");
            }
        }
        Ok(())
    }

    /// A text that must not be null: a prompt, a path, a line.
    pub fn text(self, expr: &'a Expr) -> Res<String> {
        let mut out = String::new();
        self.render_into(expr, &mut out)?;
        Ok(out)
    }

    /// An int that must not be null.
    pub fn int(self, expr: &'a Expr) -> Res<i64> {
        let value = self.eval(expr)?;
        match value.value().and_then(Value::as_decimal).and_then(model::Decimal::to_int) {
            Some(value) => Ok(value),
            None => no_result(format!("a whole number is needed here, not {}", said(&value))),
        }
    }

    fn file_path(self, file: FileId) -> Res<Val<'a>> {
        let Some(Some(file)) = self.cell.files.get(file) else {
            return no_result("a file's path is used before it is known");
        };
        if file.is_many() {
            return no_result("a file that is many does not have a path");
        }
        if self.prompt {
            return Ok(Val::text(super::paths::below(self.cell.sandbox_root, &file.path)));
        }
        Ok(Val::text(file.path.as_str()))
    }

    fn binary(self, op: Op, left: &'a Expr, right: &'a Expr) -> Res<Val<'a>> {
        let truth = |value: bool| Ok(Val::Own(Value::Bool(value)));
        match op {
            // The right side is not looked at where the left one decides.
            Op::And | Op::Or => {
                let left = self.eval(left)?.into_value();
                if left == Value::Bool(op == Op::Or) {
                    return Ok(Val::Own(left));
                }
                let right = self.eval(right)?.into_value();
                return Ok(Val::Own(if op == Op::And { ops::both(&left, &right) } else { ops::either(&left, &right) }));
            }
            // Asked for in words, null is a value like others.
            Op::Eq | Op::Ne if is_null_literal(left) || is_null_literal(right) => {
                let both = self.eval(left)?.is_null() && self.eval(right)?.is_null();
                return truth(both == (op == Op::Eq));
            }
            _ => {}
        }
        let (a, b) = (self.eval(left)?, self.eval(right)?);
        if matches!(op, Op::Add | Op::Sub | Op::Mul | Op::Div) {
            return arithmetic::compute(op, &a, &b).map(Val::Own);
        }
        if a.is_null() || b.is_null() {
            return Ok(Val::NULL);
        }
        let ordered = |holds: fn(Ordering) -> bool| match a.compare(&b) {
            Some(order) => truth(holds(order)),
            None => no_result(format!("{} and {} have no order", said(&a), said(&b))),
        };
        match op {
            Op::Eq => truth(a.same(&b)),
            Op::Ne => truth(!a.same(&b)),
            Op::Lt => ordered(Ordering::is_lt),
            Op::Le => ordered(Ordering::is_le),
            Op::Gt => ordered(Ordering::is_gt),
            Op::Ge => ordered(Ordering::is_ge),
            Op::In => truth(contains(&b, &a)?),
            Op::NotIn => truth(!contains(&b, &a)?),
            Op::Add | Op::Sub | Op::Mul | Op::Div | Op::And | Op::Or => no_result("an operator out of place"),
        }
    }
}

/// Whether a list (or the only column of a result set) has the value.
fn contains(list: &Val<'_>, value: &Val<'_>) -> Res<bool> {
    has(list, value).map_or_else(|| no_result(format!("`in` needs a list, not {}", said(list))), Ok)
}

/// Whether the expression's value depends on the current row: it names a column outside filters, or the outer row
/// inside one.
pub(crate) fn reads_row(expr: &Expr) -> bool {
    reads(expr, false)
}

/// Whether a filter's verdict differs by the row for which candidates are looked at.
pub(crate) fn filter_reads_outer(filter: Option<&Expr>) -> bool {
    filter.is_some_and(|filter| reads(filter, true))
}

/// The columns of the current row that an expression reads.
pub(crate) fn row_columns(expr: &Expr) -> BTreeSet<ColumnId> {
    let mut columns = BTreeSet::new();
    reads_any(expr, false, &mut |column| {
        columns.insert(column);
        false
    });
    columns
}

fn reads(expr: &Expr, in_filter: bool) -> bool {
    reads_any(expr, in_filter, &mut |_| true)
}

/// Whether `is_it` holds of a column of the current row that is read, or of the outer one inside a filter; the first one ends the search.
fn reads_any(expr: &Expr, in_filter: bool, is_it: &mut dyn FnMut(ColumnId) -> bool) -> bool {
    use model::suite::Arg;
    let mut same = |expr: &Expr| reads_any(expr, in_filter, is_it);
    match expr {
        Expr::Column(id) => !in_filter && is_it(*id),
        Expr::OuterColumn(id) => is_it(*id),
        Expr::Const(_) | Expr::Name(_) | Expr::FilePath(_) | Expr::Folder(_) | Expr::Sandbox => false,
        Expr::Neg(operand) | Expr::Not(operand) => same(operand),
        Expr::Binary { args, .. } => same(&args.0) || same(&args.1),
        Expr::If(parts) => same(&parts.0) || same(&parts.1) || same(&parts.2),
        Expr::List(items) | Expr::Concat(items) => items.iter().any(same),
        Expr::Object(fields) => fields.iter().any(|(_, value)| same(value)),
        Expr::Call(call) => call.args.iter().any(|arg| match arg {
            Arg::Value(value) => reads_any(value, in_filter, is_it),
            Arg::Relation { filter, .. } | Arg::Column { filter, .. } => {
                filter.iter().any(|filter| reads_any(filter, true, is_it))
            }
            // The current row is the outer one there, as in a filter.
            Arg::Each { value, filter, .. } => {
                reads_any(value, true, is_it) || filter.iter().any(|filter| reads_any(filter, true, is_it))
            }
            Arg::File(_) | Arg::Path(_) => false,
            Arg::Sql(sql) => sql.params.iter().any(|(_, value)| reads_any(value, in_filter, is_it)),
        }),
    }
}

fn is_null_literal(expr: &Expr) -> bool {
    matches!(expr, Expr::Const(Value::Null))
}

fn null_text<T>() -> Res<T> {
    let failure = Failure::new(FailureKind::NullAtBuild, "a value inside a text came out null");
    Err(Box::new(failure.help("use `coalesce(x, …)`, or `require x != null` to draw the sample again")))
}
