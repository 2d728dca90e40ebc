//! Reads a call's arguments in the types of its signature.

use model::functions::describe_value;
use model::suite::{Arg, Call, ColumnId, Expr, FileId, PathQuery, RelationId, Sql};
use model::{Decimal, Val, Value};

use crate::generate::context::Eval;
use crate::generate::failures::{Res, fail_computation};
use crate::generate::rendered::Rendered;
use crate::generate::table::Table;
use crate::generate::work::compute_text_work;

/// The arguments of a call, with the context in which they are evaluated.
#[derive(Clone, Copy)]
pub(crate) struct Args<'a> {
    pub eval: Eval<'a>,
    pub call: &'a Call,
}

/// The rows of a relation that an argument denotes, optionally with one column and a filter.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    pub relation: RelationId,
    pub table: &'a Table,
    pub column: Option<ColumnId>,
    /// An expression computed for each row, in place of a column.
    pub value: Option<&'a Expr>,
    pub filter: Option<&'a Expr>,
}

impl<'a> Args<'a> {
    /// Evaluates the `index`-th argument.
    pub fn evaluate_arg(self, index: usize) -> Res<Val<'a>> {
        match self.call.args.get(index) {
            Some(Arg::Value(expr)) => self.eval.evaluate(expr),
            _ => self.reject_arg("a value"),
        }
    }

    /// Evaluates it as an int that is not null.
    pub fn evaluate_int(self, index: usize) -> Res<i64> {
        let value = self.evaluate_arg(index)?;
        match value.as_value().and_then(Value::as_decimal).and_then(Decimal::to_int) {
            Some(value) => Ok(value),
            None => fail_computation(format!(
                "`{}` needs a whole number, not {}",
                self.call.function,
                describe_value(&value)
            )),
        }
    }

    /// Resolves it to rows; `None` if it is not a relation or column.
    pub fn resolve_rows(self, index: usize) -> Res<Option<Rows<'a>>> {
        let (relation, column, value, filter) = match self.call.args.get(index) {
            Some(Arg::Relation { relation, filter }) => (*relation, None, None, filter),
            Some(Arg::Column { relation, column, filter }) => (*relation, Some(*column), None, filter),
            Some(Arg::Each { relation, value, filter }) => (*relation, None, Some(value), filter),
            _ => return Ok(None),
        };
        let table = self.eval.find_table(relation)?;
        Ok(Some(Rows { relation, table, column, value, filter: filter.as_ref() }))
    }

    /// Resolves it to a file.
    pub fn resolve_file(self, index: usize) -> Res<(FileId, &'a Rendered)> {
        let Some(Arg::File(file)) = self.call.args.get(index) else { return self.reject_arg("a file") };
        Ok((*file, self.eval.find_file(*file)?))
    }

    /// Returns the text of a file argument.
    pub fn read_text(self, index: usize) -> Res<&'a str> {
        self.count_text(self.resolve_file(index)?.1.text())
    }

    /// Returns the same text, including a byte order mark.
    pub fn read_text_with_bom(self, index: usize) -> Res<&'a str> {
        self.count_text(self.resolve_file(index)?.1.text_with_bom())
    }

    /// Counts the work of reading a text.
    fn count_text(self, text: Option<&'a str>) -> Res<&'a str> {
        let Some(text) = text else { return self.reject_arg("a text file") };
        self.eval.count_work(compute_text_work(text))?;
        Ok(text)
    }

    /// Returns the path into the preceding file.
    pub fn find_path(self, index: usize) -> Option<&'a PathQuery> {
        match self.call.args.get(index) {
            Some(Arg::Path(path)) => Some(path),
            _ => None,
        }
    }

    /// Fails because of an argument that `check` should have rejected.
    pub fn reject_arg<T>(self, needed: &str) -> Res<T> {
        fail_computation(format!("`{}` needs {needed}", self.call.function))
    }

    /// Converts a position (from 1) to an index (from 0); fails if it is not between 1 and `count`.
    pub fn resolve_position(self, position: i64, count: usize, of: &str) -> Res<usize> {
        match usize::try_from(position) {
            Ok(at) if (1..=count).contains(&at) => Ok(at - 1),
            _ => fail_computation(format!("`{}` asks for {of} {position} of {count}", self.call.function)),
        }
    }
}

/// Returns the query among the arguments of a call.
pub(crate) fn find_sql(call: &Call) -> Option<&Sql> {
    call.args.iter().find_map(|arg| if let Arg::Sql(sql) = arg { Some(sql) } else { None })
}

impl<'a> Rows<'a> {
    /// Checks whether the argument has a value for each row.
    pub fn has_values(self) -> bool {
        self.column.is_some() || self.value.is_some()
    }

    /// Returns the cell of the column or the value computed for the row; `None` if the row does not pass the filter.
    pub fn evaluate_row(self, eval: Eval<'a>, row: usize) -> Res<Option<Val<'a>>> {
        if !eval.is_match(self.filter, self.table, row)? {
            return Ok(None);
        }
        match self.value {
            Some(value) => eval.with_candidate(self.table, row).evaluate(value).map(Some),
            None => Ok(Some(self.read_cell(row))),
        }
    }

    /// Returns the cell of the column.
    pub fn read_cell(self, row: usize) -> Val<'a> {
        self.column.map_or(Val::NULL, |column| self.table.read_cell(column, row))
    }
}
