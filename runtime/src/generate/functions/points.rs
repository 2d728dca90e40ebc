//! Functions of numbers, or of pairs of numbers, in the rows of a relation. A row counts if it meets each `where` and contains no null.

use model::Val;
use model::functions::{Points, read_number};

use super::aggregates::collect_items;
use super::args::Args;
use crate::generate::failures::{Res, fail_computation};

/// Applies the kernel to the numbers in this number of columns, and to the value after them.
pub(super) fn apply_to_points(args: Args<'_>, columns: usize, kernel: Points) -> Res<Val<'_>> {
    let function = args.call.function;
    let number = |value: Val<'_>| read_number(function.name, &value).or_else(fail_computation);
    let last = args.call.args.get(columns).map(|_| args.evaluate_arg(columns)).transpose()?;
    let mut points: Vec<[f64; 2]> = Vec::new();
    match args.resolve_rows(0)? {
        Some(first) => {
            let second = if columns == 2 { args.resolve_rows(1)? } else { None };
            for row in 0..first.table.rows {
                let Some(x) = first.evaluate_row(args.eval, row)?.filter(|value| !value.is_null()) else { continue };
                let mut point = [number(x)?, 0.0];
                if let Some(second) = second {
                    let Some(y) = second.evaluate_row(args.eval, row)?.filter(|value| !value.is_null()) else {
                        continue;
                    };
                    point[1] = number(y)?;
                }
                points.push(point);
            }
        }
        None => {
            for item in collect_items(args)?.into_iter().filter(|item| !item.is_null()) {
                points.push([number(Val::Own(item))?, 0.0]);
            }
        }
    }
    function.evaluate_points(kernel, points, last.as_ref()).or_else(fail_computation)
}
