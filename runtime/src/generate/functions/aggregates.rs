//! Aggregates of columns of relations, and of lists: values that are not null go to the function's kernel.

use model::functions::Fold;
use model::{Val, Value};

use super::args::{Args, Rows};
use crate::generate::failures::{Res, fail_computation};
use crate::generate::work::{ROW, compute_value_work};

/// Applies the kernel to the values.
pub(super) fn fold_values(args: Args<'_>, kernel: Fold) -> Res<Val<'_>> {
    let function = args.call.function;
    if function.is_count()
        && let Some(count) = count_rows(args)?
    {
        return Ok(Val::from_int(count));
    }
    let Some(rows) = args.resolve_rows(0)? else {
        let mut items = collect_items(args)?.into_iter().filter(|item| !item.is_null()).map(Val::Own);
        return kernel(function.name, &mut items).or_else(fail_computation);
    };
    if !rows.has_values() {
        return args.reject_arg("a column");
    }
    // A whole column needs no iteration over rows.
    if let (None, Some(column)) = (rows.filter, rows.column.and_then(|column| rows.table.columns.get(column))) {
        args.eval.count_work(column.len() as u64 * ROW)?;
        let there = (0..column.len()).filter(|row| !column.is_null(*row));
        return kernel(function.name, &mut there.map(|row| column.get(row))).or_else(fail_computation);
    }
    // The values end at the first failure, and the kernel's result for the earlier ones is discarded.
    let mut failure = None;
    let mut values = (0..rows.table.rows)
        .map_while(|row| rows.evaluate_row(args.eval, row).map_err(|why| failure = Some(why)).ok())
        .flatten()
        .filter(|value| !value.is_null());
    let result = kernel(function.name, &mut values);
    match failure {
        Some(failure) => Err(failure),
        None => result.or_else(fail_computation),
    }
}

/// Returns the items of a list, or of a result set's only column.
pub(super) fn collect_items(args: Args<'_>) -> Res<Vec<Value>> {
    let value = args.evaluate_arg(0)?;
    args.eval.count_work(compute_value_work(&value))?;
    match value.into_value() {
        Value::List(items) => Ok(items),
        Value::Rows(set) => Ok(set.rows.into_iter().flatten().collect()),
        _ => args.reject_arg("a column or list"),
    }
}

/// Counts the rows of a relation or a result set; `None` if the argument is a column or a list.
fn count_rows(args: Args<'_>) -> Res<Option<i64>> {
    match args.resolve_rows(0)? {
        Some(rows) if rows.has_values() => Ok(None),
        Some(Rows { filter: None, table, .. }) => Ok(Some(table.rows as i64)),
        Some(Rows { filter, table, .. }) => {
            let mut matches = args.eval.list_matches(filter, table);
            matches.try_fold(0, |count, row| row.map(|_| count + 1)).map(Some)
        }
        None => match args.evaluate_arg(0)?.as_value() {
            Some(Value::Rows(set)) => Ok(Some(set.rows.len() as i64)),
            Some(Value::List(_)) => Ok(None),
            _ => args.reject_arg("a relation, column or list"),
        },
    }
}
