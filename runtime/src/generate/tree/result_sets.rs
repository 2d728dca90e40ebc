//! Result sets in trees.

use model::Value;

use crate::generate::failures::{Res, fail_computation};

/// Replaces result sets by lists of objects, the form in which they are written.
pub(crate) fn expand_result_sets(value: Value) -> Res<Value> {
    Ok(match value {
        Value::Rows(set) => {
            let columns = set.columns;
            if let Some(twice) = columns.iter().enumerate().find(|(at, name)| columns[..*at].contains(name)) {
                return fail_computation(format!(
                    "the result set has two columns `{}`; give one another name with AS",
                    twice.1
                ));
            }
            let object = |row: Vec<Value>| Value::Object(columns.iter().cloned().zip(row).collect());
            Value::List(set.rows.into_iter().map(object).collect())
        }
        Value::List(items) => Value::List(items.into_iter().map(expand_result_sets).collect::<Res<_>>()?),
        Value::Object(fields) => {
            let fields = fields.into_iter().map(|(key, value)| Ok((key, expand_result_sets(value)?)));
            Value::Object(fields.collect::<Res<_>>()?)
        }
        scalar => scalar,
    })
}
