//! Functions that evaluate a JSONPath in JSON and YAML files.

use std::cmp::Ordering;

use model::functions::{Extreme, Made, Question, Total, describe_value};
use model::{Val, Value};

use super::Function;
use super::args::Args;
use super::typed::convert_value;
use crate::generate::eval::{OrSpan, Res, fail_computation};
use crate::generate::tree::{Located, is_singular};

/// Returns the function for a question; `None` if the question exists only for XML.
pub(super) fn find_function(question: Question) -> Option<Function> {
    Some(match question {
        Question::Whole => read_path,
        Question::Value => read_value,
        Question::Keys => list_keys,
        Question::Count => count_items,
        Question::CountWhere => count_where,
        Question::Sum => compute_sum,
        Question::Avg => compute_mean,
        Question::Max => find_max,
        Question::Min => find_min,
        Question::Collect => collect_values,
        Question::Attribute | Question::Exists => return None,
    })
}

/// Returns the nodes that the path selects, or the root without a path.
fn select_nodes(args: Args<'_>) -> Res<Vec<Located<'_>>> {
    let path = args.find_path(1);
    match args.resolve_file(0)?.1.tree().and_then(|tree| tree.select_json_nodes(path)) {
        Some(nodes) => with_path_span(args, nodes),
        None => args.reject_arg("a JSON or YAML file"),
    }
}

/// Adds the path's place in the source to a failure.
fn with_path_span<T>(args: Args<'_>, result: Res<T>) -> Res<T> {
    match args.find_path(1) {
        Some(path) => result.or_span(path.span),
        None => result,
    }
}

/// Returns the name of the function with this question for the same files, such as `yaml_collect` for `yaml_path`.
fn find_sibling_name(args: Args<'_>, asked: Question) -> &'static str {
    args.call.function.find_sibling(asked).unwrap_or(args.call.function).name
}

fn render_pointer(at: &str) -> &str {
    if at.is_empty() { "/" } else { at }
}

/// Returns the selected node; `None` if nothing matches. Fails if several nodes match.
fn select_one_node(args: Args<'_>) -> Res<Option<Located<'_>>> {
    let mut found = select_nodes(args)?;
    match found.len() {
        0 | 1 => Ok(found.pop()),
        several => with_path_span(
            args,
            fail_computation(format!(
                "the path gives {several} nodes where one is asked; collect them with `{}`",
                find_sibling_name(args, Question::Collect)
            )),
        ),
    }
}

/// Converts a node to a value; a scalar gets its type if that is known.
fn convert_node<'a>(args: Args<'a>, node: &Located<'a>) -> Res<Val<'a>> {
    match (node.value, args.find_path(1).and_then(|path| path.value_type)) {
        (Value::Object(_) | Value::List(_), _) | (_, None) => Ok(Val::Ref(node.value)),
        (value, Some(wanted)) => {
            with_path_span(args, convert_value(value, wanted, || render_pointer(&node.at).to_owned()).map(Val::Own))
        }
    }
}

/// `json_path(file, path)`: the value at the path, of any type.
fn read_path(args: Args<'_>) -> Res<Val<'_>> {
    match select_one_node(args)? {
        None => Ok(Val::NULL),
        Some(node) => convert_node(args, &node),
    }
}

/// `json_value(file, path)`: the scalar at the path.
fn read_value(args: Args<'_>) -> Res<Val<'_>> {
    match select_one_node(args)? {
        None => Ok(Val::NULL),
        Some(Located { at, value: Value::Object(_) | Value::List(_) }) => {
            let (at, whole) = (render_pointer(&at), find_sibling_name(args, Question::Whole));
            with_path_span(args, fail_computation(format!("no single value is at `{at}`; use `{whole}` for all of it")))
        }
        Some(node) => convert_node(args, &node),
    }
}

/// `json_count(file, path)`: the number of items in the node, if the path can select only one node; otherwise the number of selected nodes.
fn count_items(args: Args<'_>) -> Res<Val<'_>> {
    if args.find_path(1).is_some_and(|path| !is_singular(&path.text)) {
        return count_where(args);
    }
    match select_one_node(args)?.map(|node| (node.value, node.at)) {
        Some((Value::List(items), _)) => Ok(Val::from_int(items.len() as i64)),
        Some((Value::Object(fields), _)) => Ok(Val::from_int(fields.len() as i64)),
        Some((value, at)) => with_path_span(
            args,
            fail_computation(format!(
                "{} at `{}` has nothing to count",
                describe_value(&Val::Ref(value)),
                render_pointer(&at)
            )),
        ),
        None => with_path_span(args, fail_computation("nothing exists there to count")),
    }
}

/// `json_count_where(file, path)`: the number of selected nodes.
fn count_where(args: Args<'_>) -> Res<Val<'_>> {
    Ok(Val::from_int(select_nodes(args)?.len() as i64))
}

/// `json_keys(file, path)`: the keys of the object at the path, in the file's order.
fn list_keys(args: Args<'_>) -> Res<Val<'_>> {
    match select_one_node(args)? {
        Some(Located { value: Value::Object(fields), .. }) => {
            Ok(Val::Own(Value::List(fields.iter().map(|(key, _)| Value::from_text(key)).collect())))
        }
        Some(Located { at, value }) => with_path_span(
            args,
            fail_computation(format!("{} at `{}` has no keys", describe_value(&Val::Ref(value)), render_pointer(&at))),
        ),
        None => with_path_span(args, fail_computation("nothing exists there that could have keys")),
    }
}

/// `json_collect(file, path)` and `json_filter`: the values of all nodes, without nulls.
fn collect_values(args: Args<'_>) -> Res<Val<'_>> {
    let mut items = Vec::new();
    for node in select_nodes(args)? {
        let value = convert_node(args, &node)?;
        if !value.is_null() {
            items.push(value.into_value());
        }
    }
    Ok(Val::Own(Value::List(items)))
}

fn reject_node<T>(args: Args<'_>, node: &Located<'_>, needed: &str) -> Res<T> {
    let (function, value, at) = (args.call.function, describe_value(&Val::Ref(node.value)), render_pointer(&node.at));
    with_path_span(args, fail_computation(format!("`{function}` needs {needed}, but {value} is at `{at}`")))
}

fn compute_total(args: Args<'_>, result: fn(Total) -> Made<'static>) -> Res<Val<'_>> {
    let mut total = Total::new(args.call.function);
    for node in select_nodes(args)? {
        match convert_node(args, &node)? {
            value if value.is_null() => {}
            value if value.as_value().and_then(Value::as_f64).is_some() => {
                total.add_value(&value).or_else(fail_computation)?
            }
            _ => return reject_node(args, &node, "numbers"),
        }
    }
    result(total).or_else(fail_computation)
}

/// `json_sum(file, path)`
fn compute_sum(args: Args<'_>) -> Res<Val<'_>> {
    compute_total(args, Total::into_sum)
}

/// `json_avg(file, path)`
fn compute_mean(args: Args<'_>) -> Res<Val<'_>> {
    compute_total(args, Total::into_mean)
}

/// Checks whether two values can be ordered.
fn is_alike(value: &Val<'_>, other: &Val<'_>) -> bool {
    value.compare_with(other).is_some()
}

fn find_extreme(args: Args<'_>, wanted: Ordering) -> Res<Val<'_>> {
    let mut extreme = Extreme::new(wanted);
    let mut first: Option<Val<'_>> = None;
    for node in select_nodes(args)? {
        let value = convert_node(args, &node)?;
        if value.is_null() {
            continue;
        }
        if matches!(value.as_value(), Some(Value::Bool(_) | Value::Duration(_) | Value::Object(_) | Value::List(_))) {
            return reject_node(args, &node, "numbers, texts or days");
        }
        if first.as_ref().is_some_and(|first| !is_alike(first, &value)) {
            return reject_node(args, &node, "values that are all numbers, all texts or all days");
        }
        first.get_or_insert_with(|| value.clone());
        extreme.add_value(value);
    }
    Ok(extreme.into_value())
}

/// `json_max(file, path)`
fn find_max(args: Args<'_>) -> Res<Val<'_>> {
    find_extreme(args, Ordering::Greater)
}

/// `json_min(file, path)`
fn find_min(args: Args<'_>) -> Res<Val<'_>> {
    find_extreme(args, Ordering::Less)
}
