//! `edit`, `remove`, `append`: the expected content of a JSON or YAML file after an edit.

use std::collections::BTreeSet;
use std::sync::Arc;

use model::Val;
use model::Value;
use model::functions::{Edit, describe_value};
use model::pointer::escape_step;
use model::suite::Arg;

use super::args::Args;
use crate::generate::failures::{OrSpan, Res, fail_computation};
use crate::generate::tree::{TreeFile, expand_result_sets};

/// `edit(source, path, value)`, `remove(source, path)`, and `append(source, path, value)`: replaces or removes the values at every place, or appends a
/// value to the arrays there.
pub(super) fn apply_edit(args: Args<'_>, edit: Edit) -> Res<Val<'_>> {
    let made;
    let tree = match args.call.args.first() {
        Some(Arg::Value(_)) => {
            made =
                TreeFile::from_text(String::new(), Arc::new(expand_result_sets(args.evaluate_arg(0)?.into_value())?));
            Some(&made)
        }
        _ => args.resolve_file(0)?.1.tree(),
    };
    let Some(path) = args.find_path(1) else { return args.reject_arg("a path") };
    let select = |path| tree.and_then(|tree| tree.select_json_nodes(path, args.eval.cell.meter));
    let (Some(whole), Some(nodes)) = (select(None), select(Some(path))) else {
        return args.reject_arg("a JSON or YAML file");
    };
    let nodes = nodes.or_span(path.span)?;
    if nodes.is_empty() {
        return fail_computation("the path leads nowhere").or_span(path.span);
    }
    let other = nodes.iter().find(|node| edit == Edit::Append && !matches!(node.value, Value::List(_)));
    if let Some(node) = other {
        let at = if node.at.is_empty() { "/" } else { &node.at };
        let message = format!(
            "`{}` needs an array, but {} is at `{at}`",
            args.call.function,
            describe_value(&Val::Ref(node.value))
        );
        return fail_computation(message).or_span(path.span);
    }
    let value = match edit {
        Edit::Remove => Value::Null,
        Edit::Replace | Edit::Append => expand_result_sets(args.evaluate_arg(2)?.into_value())?,
    };
    let change = Change { edit, places: nodes.into_iter().map(|node| node.at).collect(), value };
    let whole = whole?.pop().and_then(|root| change.apply_to(root.value, ""));
    match whole {
        Some(value) => Ok(Val::Own(value)),
        None => fail_computation("the whole content cannot be removed").or_span(path.span),
    }
}

/// An edit and its places, as JSON pointers.
struct Change {
    edit: Edit,
    places: BTreeSet<String>,
    value: Value,
}

impl Change {
    /// Returns a value after the change; `None` if it is removed. Places inside a replaced or removed value are ignored.
    fn apply_to(&self, value: &Value, at: &str) -> Option<Value> {
        let chosen = self.places.contains(at);
        match self.edit {
            Edit::Replace if chosen => return Some(self.value.clone()),
            Edit::Remove if chosen => return None,
            _ => {}
        }
        Some(match value {
            Value::Object(fields) => {
                let field = |(key, value): &(String, Value)| {
                    let step = escape_step(key);
                    Some((key.clone(), self.apply_to(value, &format!("{at}/{step}"))?))
                };
                Value::Object(fields.iter().filter_map(field).collect())
            }
            Value::List(items) => {
                let item = |(index, value)| self.apply_to(value, &format!("{at}/{index}"));
                let more = (chosen && self.edit == Edit::Append).then(|| self.value.clone());
                Value::List(items.iter().enumerate().filter_map(item).chain(more).collect())
            }
            scalar => scalar.clone(),
        })
    }
}
