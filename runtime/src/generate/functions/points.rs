//! Functions of numbers, or of pairs of them, in the rows of a relation: a row counts if it meets each `where` and has no null.

use model::Val;
use model::functions::Points;

use super::aggregates::items;
use super::args::Args;
use crate::generate::eval::{Res, no_result};

/// What the kernel makes of the numbers in this number of columns, and of the value after them.
pub(super) fn worked_out(args: Args<'_>, columns: usize, kernel: Points) -> Res<Val<'_>> {
    let function = args.call.function;
    let number = |value: Val<'_>| function.number(&value).or_else(no_result);
    let last = args.call.args.get(columns).map(|_| args.value(columns)).transpose()?;
    let mut points: Vec<[f64; 2]> = Vec::new();
    match args.rows(0)? {
        Some(first) => {
            let second = if columns == 2 { args.rows(1)? } else { None };
            for row in 0..first.table.rows {
                let Some(x) = first.passing(args.eval, row)?.filter(|value| !value.is_null()) else { continue };
                let mut point = [number(x)?, 0.0];
                if let Some(second) = second {
                    let Some(y) = second.passing(args.eval, row)?.filter(|value| !value.is_null()) else { continue };
                    point[1] = number(y)?;
                }
                points.push(point);
            }
        }
        None => {
            for item in items(args)?.into_iter().filter(|item| !item.is_null()) {
                points.push([number(Val::Own(item))?, 0.0]);
            }
        }
    }
    function.of_points(kernel, points, last.as_ref()).or_else(no_result)
}
