//! Evaluates expressions of the plan in their context.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use model::functions::{describe_value, has_item};
use model::suite::{ColumnId, Expr, FileId, Op, RelationId, Scope};
use model::{Val, Value, ops};

use super::arithmetic;
use super::context::Eval;
use super::failures::{OrSpan, Res, fail_computation, fail_with_help};
use super::functions;
use super::paths::join_root;
use super::table::Table;
use super::work::{ROW, compute_text_work, compute_value_work};
use crate::failure::FailureKind;

impl<'a> Eval<'a> {
    /// Checks whether the candidate row passes a filter. Without a filter, every row does.
    pub fn is_match(self, filter: Option<&'a Expr>, table: &'a Table, row: usize) -> Res<bool> {
        self.count_work(ROW)?;
        match filter {
            None => Ok(true),
            Some(filter) => self.with_candidate(table, row).is_true(filter),
        }
    }

    /// Lists the rows of a table that pass a filter.
    pub fn list_matches(self, filter: Option<&'a Expr>, table: &'a Table) -> impl Iterator<Item = Res<usize>> {
        let check = move |row| self.is_match(filter, table, row).map(|fits| fits.then_some(row));
        (0..table.rows).filter_map(move |row| check(row).transpose())
    }

    /// Checks whether a condition is true; null is not. Null counts as false here, so the right side of an `and` is evaluated only if the left side
    /// is true, which can prove that its names are not null.
    pub fn is_true(self, condition: &'a Expr) -> Res<bool> {
        match condition {
            Expr::Binary { op: Op::And, args, .. } => Ok(self.is_true(&args.0)? && self.is_true(&args.1)?),
            Expr::Binary { op: Op::Or, args, .. } => Ok(self.is_true(&args.0)? || self.is_true(&args.1)?),
            other => Ok(self.evaluate(other)?.is_true()),
        }
    }

    /// Evaluates an expression.
    pub fn evaluate(self, expr: &'a Expr) -> Res<Val<'a>> {
        Ok(match expr {
            Expr::Const(value) => Val::Ref(value),
            Expr::Name(name) => self.cell.names.get(*name).map_or(Val::NULL, Val::Ref),
            Expr::Column(column) => self.row.map_or(Val::NULL, |row| row.table.read_cell(*column, row.row)),
            Expr::OuterColumn(column) => self.outer.map_or(Val::NULL, |row| row.table.read_cell(*column, row.row)),
            Expr::FilePath(file) => self.evaluate_file_path(*file)?,
            Expr::Folder(path) if self.prompt => Val::from_text(join_root(self.cell.sandbox_root, path)),
            Expr::Folder(path) => Val::from_text(path.as_str()),
            Expr::Sandbox if self.prompt => Val::from_text(self.cell.sandbox_root),
            Expr::Sandbox => Val::from_text("."),
            Expr::Neg(operand) => arithmetic::negate_value(self.evaluate(operand)?)?,
            Expr::Not(operand) => Val::Own(ops::apply_not(&self.evaluate(operand)?.into_value())),
            Expr::Binary { op, args, span } => return self.evaluate_binary(*op, &args.0, &args.1).or_span(*span),
            Expr::If(parts) => {
                let (condition, then, otherwise) = parts.as_ref();
                let holds = self.is_true(condition)?;
                return self.evaluate(if holds { then } else { otherwise });
            }
            Expr::List(items) => {
                let items: Res<Vec<Value>> = items.iter().map(|item| Ok(self.evaluate(item)?.into_value())).collect();
                Val::Own(Value::List(items?))
            }
            Expr::Object(fields) => {
                let fields: Res<Vec<(String, Value)>> =
                    fields.iter().map(|(name, value)| Ok((name.clone(), self.evaluate(value)?.into_value()))).collect();
                Val::Own(Value::Object(fields?))
            }
            Expr::Concat(parts) => {
                let mut out = String::new();
                self.render_parts_into(parts, &mut out)?;
                Val::from_text(out)
            }
            Expr::Call(call) => return functions::call_function(self, call).or_span(call.span),
        })
    }

    /// Appends the rendering of an expression; a string is written without an intermediate text.
    pub fn render_into(self, expr: &'a Expr, out: &mut String) -> Res<()> {
        match expr {
            Expr::Concat(parts) => self.render_parts_into(parts, out),
            other => {
                let value = self.evaluate(other)?;
                if value.is_null() {
                    return fail_null_text();
                }
                value.render_into(out);
                Ok(())
            }
        }
    }

    fn render_parts_into(self, parts: &'a [Expr], out: &mut String) -> Res<()> {
        /// Maximum size of a text in bytes. A larger one is a mistake, and would exhaust the machine's memory.
        const MAX_BYTES: usize = 64 << 20;
        for part in parts {
            let before = out.len();
            self.render_into(part, out)?;
            self.count_work(compute_text_work(out.get(before..).unwrap_or_default()))?;
            if out.len() > MAX_BYTES {
                return fail_computation("this text is too large: more than 64 MB");
            }
        }
        Ok(())
    }

    /// Evaluates a text that must not be null: a prompt, a path, or a line.
    pub fn evaluate_text(self, expr: &'a Expr) -> Res<String> {
        let mut out = String::new();
        self.render_into(expr, &mut out)?;
        Ok(out)
    }

    /// Evaluates an int that must not be null.
    pub fn evaluate_int(self, expr: &'a Expr) -> Res<i64> {
        let value = self.evaluate(expr)?;
        let number = value.as_value().and_then(Value::as_decimal).and_then(model::Decimal::to_int);
        let reject = || fail_computation(format!("a whole number is needed here, not {}", describe_value(&value)));
        number.map_or_else(reject, Ok)
    }

    fn evaluate_file_path(self, file: FileId) -> Res<Val<'a>> {
        let Some(Some(file)) = self.cell.files.get(file) else {
            return fail_computation("a file's path is used before it is known");
        };
        if file.is_many() {
            return fail_computation("a file that is many does not have a path");
        }
        if self.prompt {
            return Ok(Val::from_text(join_root(self.cell.sandbox_root, &file.path)));
        }
        Ok(Val::from_text(file.path.as_str()))
    }

    fn evaluate_binary(self, op: Op, left: &'a Expr, right: &'a Expr) -> Res<Val<'a>> {
        let truth = |value: bool| Ok(Val::Own(Value::Bool(value)));
        match op {
            // The right side is not evaluated if the left side decides.
            Op::And | Op::Or => {
                let left = self.evaluate(left)?.into_value();
                if left == Value::Bool(op == Op::Or) {
                    return Ok(Val::Own(left));
                }
                let right = self.evaluate(right)?.into_value();
                return Ok(Val::Own(if op == Op::And {
                    ops::apply_and(&left, &right)
                } else {
                    ops::apply_or(&left, &right)
                }));
            }
            // In a comparison with a literal `null`, null is an ordinary value.
            Op::Eq | Op::Ne if is_null_literal(left) || is_null_literal(right) => {
                let both = self.evaluate(left)?.is_null() && self.evaluate(right)?.is_null();
                return truth(both == (op == Op::Eq));
            }
            _ => {}
        }
        let (a, b) = (self.evaluate(left)?, self.evaluate(right)?);
        if matches!(op, Op::In | Op::NotIn) {
            self.count_work(compute_value_work(&b))?;
        }
        if matches!(op, Op::Add | Op::Sub | Op::Mul | Op::Div) {
            return arithmetic::compute_binary(op, &a, &b).map(Val::Own);
        }
        if a.is_null() || b.is_null() {
            return Ok(Val::NULL);
        }
        let ordered = |holds: fn(Ordering) -> bool| match a.compare_with(&b) {
            Some(order) => truth(holds(order)),
            None => fail_computation(format!("{} and {} have no order", describe_value(&a), describe_value(&b))),
        };
        match op {
            Op::Eq => truth(a.is_same(&b)),
            Op::Ne => truth(!a.is_same(&b)),
            Op::Lt => ordered(Ordering::is_lt),
            Op::Le => ordered(Ordering::is_le),
            Op::Gt => ordered(Ordering::is_gt),
            Op::Ge => ordered(Ordering::is_ge),
            Op::In => truth(check_item(&b, &a)?),
            Op::NotIn => truth(!check_item(&b, &a)?),
            Op::Add | Op::Sub | Op::Mul | Op::Div | Op::And | Op::Or => fail_computation("an operator out of place"),
        }
    }
}

/// Checks whether a list (or the only column of a result set) contains the value.
fn check_item(list: &Val<'_>, value: &Val<'_>) -> Res<bool> {
    has_item(list, value)
        .map_or_else(|| fail_computation(format!("`in` needs a list, not {}", describe_value(list))), Ok)
}

/// Checks whether the expression's value depends on the current row: it reads a column outside filters, or the outer row inside one.
pub(crate) fn is_row_dependent(expr: &Expr) -> bool {
    has_matching_column(expr, Scope::default(), &mut |_| true)
}

/// Checks whether a filter's result depends on the row for which candidates are checked.
pub(crate) fn filter_reads_outer(filter: Option<&Expr>) -> bool {
    let inside = Scope::with_row(RelationId::default());
    filter.is_some_and(|filter| has_matching_column(filter, inside, &mut |_| true))
}

/// Returns the columns of the current row that an expression reads.
pub(crate) fn collect_row_columns(expr: &Expr) -> BTreeSet<ColumnId> {
    let mut columns = BTreeSet::new();
    has_matching_column(expr, Scope::default(), &mut |column| {
        columns.insert(column);
        false
    });
    columns
}

/// Checks whether `is_it` accepts a column that the expression reads, of the current row or, inside a filter, of the outer row. Stops at the first such column.
fn has_matching_column(expr: &Expr, at: Scope, is_it: &mut dyn FnMut(ColumnId) -> bool) -> bool {
    let mut found = match expr {
        // In a filter, and where the rows of another table are evaluated, the current row is the outer one.
        Expr::Column(id) => at.row.is_none() && is_it(*id),
        Expr::OuterColumn(id) => is_it(*id),
        _ => false,
    };
    expr.visit_parts(at, &mut |part, at| found = found || has_matching_column(part, at, is_it));
    found
}

fn is_null_literal(expr: &Expr) -> bool {
    matches!(expr, Expr::Const(Value::Null))
}

fn fail_null_text<T>() -> Res<T> {
    let help = "use `coalesce(x, …)`, or `require x != null` to draw the sample again";
    fail_with_help(FailureKind::NullAtBuild, "a value inside a text came out null", help)
}
