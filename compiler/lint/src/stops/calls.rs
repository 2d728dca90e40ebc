//! Evaluates calls in an imagined sample: the kernels of functions on values, columns, and lists. What files and queries contain is not known.

use std::collections::BTreeSet;

use model::functions::{Fold, FunctionId, Inputs, Kernel, Points, QueryResult, Reader, read_number};
use model::suite::{ColumnId, RelationId};
use model::{Val, Value};

use super::eval::{Eval, Row};
use super::fault::{Res, Stop, What, fail, join_all};
use super::world::Table;
use super::{queries, trees};
use hir::{Arg, Expr, Sql};

/// Calls a function. `expr` is the whole call.
pub(super) fn call_function<'a>(
    eval: Eval<'_, 'a>,
    expr: &'a Expr,
    function: FunctionId,
    args: &'a [Arg],
) -> Res<Value> {
    if let [.., Arg::Sql(sql)] = args {
        return call_query(eval, expr, function, sql);
    }
    match function.kernel {
        Kernel::Values(kernel) => {
            let values = join_all(args.iter().map(|arg| evaluate_arg(eval, arg)))?;
            if let Some(Arg::Value(by)) = function.divisor.and_then(|at| args.get(at))
                && function.divisor.and_then(|at| values.get(at)) == Some(&Value::Int(0))
                && values.iter().all(|value| !value.is_null())
            {
                return fail(What::Divisor, by.span, "0");
            }
            let values = values.into_iter().map(Val::Own).collect();
            let made = kernel(Inputs { function: function.name, values });
            made.map(Val::into_value).or_else(|why| fail(What::Computation, expr.span, why.to_string()))
        }
        Kernel::FirstKnown => {
            for arg in args {
                let value = evaluate_arg(eval, arg)?;
                if !value.is_null() {
                    return Ok(value);
                }
            }
            Ok(Value::Null)
        }
        Kernel::Fold(kernel) => match args.first() {
            Some(arg @ Arg::Value(_)) => fold_list(eval, expr, (function, kernel), arg),
            Some(arg) => fold_rows(eval, expr, (function, kernel), arg),
            None => Err(Stop::Unknown),
        },
        Kernel::Points(columns, kernel) => apply_to_points(eval, expr, (function, columns, kernel), args),
        Kernel::Fields => build_object(eval, expr, function, args),
        Kernel::Reads(Reader::CellValue) => read_cell_value(eval, expr, function, args),
        Kernel::Path(family, question) => match args {
            [Arg::File(file), Arg::Path(path)] => trees::answer_question(eval.world, (family, question), *file, path),
            _ => Err(Stop::Unknown),
        },
        Kernel::Query | Kernel::Reads(_) => {
            join_all(args.iter().filter(|arg| matches!(arg, Arg::Value(_))).map(|arg| evaluate_arg(eval, arg)))?;
            Err(Stop::Unknown)
        }
    }
}

fn evaluate_arg<'a>(eval: Eval<'_, 'a>, arg: &'a Arg) -> Res<Value> {
    match arg {
        Arg::Value(value) => eval.evaluate(value),
        _ => Err(Stop::Unknown),
    }
}

/// A query is known only if it is an aggregate of a whole table or column.
fn call_query<'a>(eval: Eval<'_, 'a>, expr: &'a Expr, function: FunctionId, sql: &'a Sql) -> Res<Value> {
    let params = join_all(sql.params.iter().map(|(_, value)| eval.evaluate(value)))?;
    if function.query != Some(QueryResult::Value) {
        return Err(Stop::Unknown);
    }
    let Some(whole) = sql.analysis.whole else { return queries::evaluate_query(eval.world, sql, &params) };
    let Kernel::Fold(kernel) = whole.function.kernel else { return Err(Stop::Unknown) };
    let table = eval.world.read_table(whole.relation)?;
    let cells = match whole.column {
        None => return if whole.function.is_count() { Ok(count(table.rows)) } else { Err(Stop::Unknown) },
        Some(column) => table.read_column(column)?,
    };
    let mut known = cells.iter().filter(|value| !value.is_null()).map(Val::Ref);
    let made = kernel(whole.function.name, &mut known).map(Val::into_value);
    made.or_else(|why| fail(What::Computation, expr.span, why.to_string()))
}

fn count(rows: u64) -> Value {
    Value::Int(i64::try_from(rows).unwrap_or(i64::MAX))
}

fn fold_list<'a>(
    eval: Eval<'_, 'a>,
    expr: &'a Expr,
    (function, kernel): (FunctionId, Fold),
    arg: &'a Arg,
) -> Res<Value> {
    let Value::List(items) = evaluate_arg(eval, arg)? else { return Err(Stop::Unknown) };
    fold_values(expr, function, kernel, &items)
}

fn fold_values(expr: &Expr, function: FunctionId, kernel: Fold, items: &[Value]) -> Res<Value> {
    let mut known = items.iter().filter(|value| !value.is_null()).map(Val::Ref);
    let made = kernel(function.name, &mut known).map(Val::into_value);
    made.or_else(|why| fail(What::Computation, expr.span, why.to_string()))
}

fn fold_rows<'a>(
    eval: Eval<'_, 'a>,
    expr: &'a Expr,
    (function, kernel): (FunctionId, Fold),
    arg: &'a Arg,
) -> Res<Value> {
    let rows = Rows::from_arg(arg).ok_or(Stop::Unknown)?;
    let table = eval.world.read_table(rows.relation)?;
    if matches!(arg, Arg::Relation { .. }) {
        if !function.is_count() {
            return Err(Stop::Unknown);
        }
        if rows.filter.is_none() {
            return Ok(count(table.rows));
        }
        return rows.list_matches(eval, table).map(|found| count(found.len() as u64));
    }
    let values = rows.list_values(eval, table)?;
    fold_values(expr, function, kernel, &values)
}

fn apply_to_points<'a>(
    eval: Eval<'_, 'a>,
    expr: &'a Expr,
    (function, columns, kernel): (FunctionId, usize, Points),
    args: &'a [Arg],
) -> Res<Value> {
    let number = |value: &Value| read_number(function.name, &Val::Ref(value)).map_err(|_| Stop::Unknown);
    let last = args.get(columns).map(|arg| evaluate_arg(eval, arg)).transpose()?;
    let mut points: Vec<[f64; 2]> = Vec::new();
    match args {
        [Arg::Value(_), ..] => {
            let Some(Value::List(items)) = args.first().map(|arg| evaluate_arg(eval, arg)).transpose()? else {
                return Err(Stop::Unknown);
            };
            for item in items.iter().filter(|item| !item.is_null()) {
                points.push([number(item)?, 0.0]);
            }
        }
        [x, rest @ ..] => {
            let x = Rows::from_arg(x).ok_or(Stop::Unknown)?;
            let table = eval.world.read_table(x.relation)?;
            let y = rest.first().filter(|_| columns == 2).and_then(Rows::from_arg);
            for row in 0..table.count_known_rows()? {
                let Some(value) = x.read_value(eval, table, row)?.filter(|value| !value.is_null()) else { continue };
                let mut point = [number(&value)?, 0.0];
                if let Some(y) = &y {
                    let Some(value) = y.read_value(eval, table, row)?.filter(|value| !value.is_null()) else {
                        continue;
                    };
                    point = [point.first().copied().unwrap_or(0.0), number(&value)?];
                }
                points.push(point);
            }
        }
        [] => return Err(Stop::Unknown),
    }
    let last = last.map(Val::Own);
    let made = function.evaluate_points(kernel, points, last.as_ref()).map(Val::into_value);
    made.or_else(|why| fail(What::Computation, expr.span, why.to_string()))
}

fn build_object<'a>(eval: Eval<'_, 'a>, expr: &'a Expr, function: FunctionId, args: &'a [Arg]) -> Res<Value> {
    let [keys, values] = args else { return Err(Stop::Unknown) };
    let (Some(keys), Some(values)) = (Rows::from_arg(keys), Rows::from_arg(values)) else { return Err(Stop::Unknown) };
    let table = eval.world.read_table(keys.relation)?;
    let (mut fields, mut seen) = (Vec::new(), BTreeSet::new());
    for row in 0..table.count_known_rows()? {
        let (Some(key), Some(value)) = (keys.read_value(eval, table, row)?, values.read_value(eval, table, row)?)
        else {
            continue;
        };
        let Value::Text(key) = key else { return Err(Stop::Unknown) };
        if !seen.insert(key.clone()) {
            let why = format!("`{function}` needs keys that differ, but \"{key}\" is in two rows");
            return fail(What::Computation, expr.span, why);
        }
        fields.push((key, value));
    }
    Ok(Value::Object(fields))
}

/// The value of a column in a row that is counted from 1.
fn read_cell_value<'a>(eval: Eval<'_, 'a>, expr: &'a Expr, function: FunctionId, args: &'a [Arg]) -> Res<Value> {
    let [rows, Arg::Value(position)] = args else { return Err(Stop::Unknown) };
    let rows = Rows::from_arg(rows).ok_or(Stop::Unknown)?;
    let position = eval.evaluate_int(position)?;
    let table = eval.world.read_table(rows.relation)?;
    let there = match rows.filter {
        None => table.rows,
        Some(_) => rows.list_matches(eval, table)?.len() as u64,
    };
    let Some(at) = u64::try_from(position).ok().filter(|at| (1..=there).contains(at)) else {
        let why = format!("`{function}` asks for row {position} of {there}");
        return fail(What::Computation, expr.span, why);
    };
    let at = usize::try_from(at - 1).unwrap_or(usize::MAX);
    let row = match rows.filter {
        None => at,
        Some(_) => rows.list_matches(eval, table)?.get(at).copied().ok_or(Stop::Unknown)?,
    };
    rows.column.map_or(Err(Stop::Unknown), |column| table.read_cell(column, row))
}

/// The rows that an argument denotes.
#[derive(Clone, Copy)]
struct Rows<'a> {
    relation: RelationId,
    column: Option<ColumnId>,
    value: Option<&'a Expr>,
    filter: Option<&'a Expr>,
}

impl<'a> Rows<'a> {
    fn from_arg(arg: &'a Arg) -> Option<Rows<'a>> {
        let (relation, column, value, filter) = match arg {
            Arg::Relation { relation, filter } => (*relation, None, None, filter),
            Arg::Column { relation, column, filter } => (*relation, Some(*column), None, filter),
            Arg::Each { relation, value, filter } => (*relation, None, Some(value), filter),
            Arg::Value(_) | Arg::File(_) | Arg::Sql(_) | Arg::Path(_) => return None,
        };
        Some(Rows { relation, column, value, filter: filter.as_ref() })
    }

    fn is_match<'e>(&self, eval: Eval<'e, 'a>, table: &'e Table, row: usize) -> Res<bool> {
        self.filter.map_or(Ok(true), |filter| eval.with_candidate(Row::Of(table, row)).is_true(filter))
    }

    fn list_matches<'e>(&self, eval: Eval<'e, 'a>, table: &'e Table) -> Res<Vec<usize>> {
        let mut found = Vec::new();
        for row in 0..table.count_known_rows()? {
            if self.is_match(eval, table, row)? {
                found.push(row);
            }
        }
        Ok(found)
    }

    /// The cell, or the value that is computed for the row. `None` if the row does not pass the filter.
    fn read_value<'e>(&self, eval: Eval<'e, 'a>, table: &'e Table, row: usize) -> Res<Option<Value>> {
        if !self.is_match(eval, table, row)? {
            return Ok(None);
        }
        match (self.value, self.column) {
            (Some(value), _) => eval.with_candidate(Row::Of(table, row)).evaluate(value).map(Some),
            (None, Some(column)) => table.read_cell(column, row).map(Some),
            (None, None) => Err(Stop::Unknown),
        }
    }

    fn list_values<'e>(&self, eval: Eval<'e, 'a>, table: &'e Table) -> Res<Vec<Value>> {
        let mut values = Vec::new();
        for row in 0..table.count_known_rows()? {
            values.extend(self.read_value(eval, table, row)?);
        }
        Ok(values)
    }
}
