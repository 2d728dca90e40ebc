//! Steps of a JSON pointer (RFC 6901).

use std::borrow::Cow;

/// Escapes a step for a pointer: `~` and `/` become `~0` and `~1`.
///
/// ```
/// use model::pointer::{escape_step, unescape_step};
///
/// assert_eq!(escape_step("km/h"), "km~1h");
/// // `~` is escaped too, so each key has a pointer of its own.
/// assert_eq!(escape_step("km~1h"), "km~01h");
/// assert_eq!(unescape_step("km~01h"), "km~1h");
/// ```
pub fn escape_step(step: &str) -> Cow<'_, str> {
    if step.contains(['~', '/']) { Cow::Owned(step.replace('~', "~0").replace('/', "~1")) } else { Cow::Borrowed(step) }
}

/// Unescapes a step of a pointer.
pub fn unescape_step(step: &str) -> Cow<'_, str> {
    if step.contains('~') { Cow::Owned(step.replace("~1", "/").replace("~0", "~")) } else { Cow::Borrowed(step) }
}

/// Returns the pointer of a column of a database: of its cells in all rows of the table.
///
/// ```
/// assert_eq!(model::pointer::point_at_table_column("notes", "km/h"), "/notes/*/km~1h");
/// ```
pub fn point_at_table_column(table: &str, column: &str) -> String {
    format!("/{}/*/{}", escape_step(table), escape_step(column))
}

/// Returns the name of the column to which a pointer of options leads; `None` for other pointers.
///
/// ```
/// use model::pointer::describe_column;
///
/// assert_eq!(describe_column("/*/km~1h").as_deref(), Some("km/h"));
/// assert_eq!(describe_column("/notes/*/TEXT").as_deref(), Some("notes.TEXT"));
/// assert_eq!(describe_column("/items/2"), None);
/// ```
pub fn describe_column(pointer: &str) -> Option<String> {
    match pointer.split('/').collect::<Vec<_>>().as_slice() {
        ["", "*", column] => Some(unescape_step(column).into_owned()),
        ["", table, "*", column] => Some(format!("{}.{}", unescape_step(table), unescape_step(column))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_read_back() {
        for (step, written) in [("", ""), ("a b", "a b"), ("a/b", "a~1b"), ("~1", "~01"), ("~/~", "~0~1~0")] {
            assert_eq!((escape_step(step).as_ref(), unescape_step(written).as_ref()), (written, step));
        }
    }
}
