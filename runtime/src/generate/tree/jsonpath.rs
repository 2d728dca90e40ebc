//! JSONPath (RFC 9535) over typed values: serde_json_path evaluates the path on the same tree as plain JSON and returns the places of the nodes.

use model::Value;
use serde_json_path::{JsonPath, PathElement};

use crate::generate::failures::{Res, fail_computation};

/// A node selected by a path.
pub(crate) struct Located<'t> {
    /// Its JSON pointer; empty for the root.
    pub at: String,
    /// Its value.
    pub value: &'t Value,
}

/// Returns the nodes that `path` selects in `value`, whose plain form is `plain`.
pub(super) fn select_nodes<'t>(value: &'t Value, plain: &serde_json::Value, path: &str) -> Res<Vec<Located<'t>>> {
    let parsed = match JsonPath::parse(&super::negative_indexes::rewrite_negative_indexes(path)) {
        Ok(parsed) => parsed,
        Err(error) => return fail_computation(format!("`{path}` is not a valid JSONPath: {error}")),
    };
    let mut nodes = Vec::new();
    for node in parsed.query_located(plain) {
        let location = node.location();
        match location.iter().try_fold(value, |value, step| find_part(value, step)) {
            Some(value) => nodes.push(Located { at: location.to_json_pointer(), value }),
            None => return fail_computation(format!("nothing exists at `{}`", location.to_json_pointer())),
        }
    }
    Ok(nodes)
}

fn find_part<'t>(value: &'t Value, step: &PathElement<'_>) -> Option<&'t Value> {
    match (value, step) {
        (_, PathElement::Name(name)) => value.find_field(name),
        (Value::List(items), PathElement::Index(index)) => items.get(*index),
        _ => None,
    }
}

/// Checks whether a path consists only of names and indexes, and therefore selects at most one node. Only such a path may be compared in a filter, so
/// the parser decides.
pub(crate) fn is_singular(path: &str) -> bool {
    JsonPath::parse(&format!("$[?{path} == 0]")).is_ok()
}
