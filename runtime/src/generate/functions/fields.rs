//! Objects built from two columns of a relation. A row counts if it meets each `where`; the names of these rows must be unique.

use std::collections::BTreeMap;

use model::{Val, Value};

use super::args::Args;
use crate::generate::failures::{Res, fail_computation};

/// Builds an object of the values in the second column under the names in the first, in row order.
pub(super) fn build_object(args: Args<'_>) -> Res<Val<'_>> {
    let function = args.call.function;
    let (Some(keys), Some(values)) = (args.resolve_rows(0)?, args.resolve_rows(1)?) else {
        return args.reject_arg("two columns");
    };
    let mut fields: Vec<(String, Value)> = Vec::new();
    // The row number of each name.
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    for row in 0..keys.table.rows {
        let (Some(key), Some(value)) = (keys.evaluate_row(args.eval, row)?, values.evaluate_row(args.eval, row)?)
        else {
            continue;
        };
        let number = row + 1;
        let Some(name) = key.as_text() else {
            return fail_computation(format!(
                "`{function}` needs a text as each key, but in row {number} it is {}",
                key.kind()
            ));
        };
        if value.is_null() {
            return fail_computation(format!(
                "`{function}` needs a value for each key, but for `{name}` in row {number} it is null"
            ));
        }
        if let Some(first) = known.insert(name.to_owned(), number) {
            return fail_computation(format!(
                "`{function}` needs keys that differ, but `{name}` is in rows {first} and {number}"
            ));
        }
        fields.push((name.to_owned(), value.into_value()));
    }
    Ok(Val::Own(Value::Object(fields)))
}
