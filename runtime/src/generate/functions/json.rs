//! Functions that evaluate a JSONPath in JSON and YAML files.

use model::functions::{Question, describe_value};
use model::{Val, Value};

use super::args::Args;
use super::quantities::compute_quantity;
use super::typed::convert_value;
use crate::generate::failures::{OrSpan, Res, fail_computation};
use crate::generate::tree::{Located, is_singular};

/// Answers a question about a file, with the place of the path in the source of failures.
pub(super) fn answer_question(args: Args<'_>, question: Question) -> Res<Val<'_>> {
    let answer = match question {
        Question::Whole => read_path(args),
        Question::Value => read_value(args),
        Question::Keys => list_keys(args),
        Question::Count => count_items(args),
        Question::CountWhere => count_where(args),
        Question::Sum | Question::Avg | Question::Max | Question::Min => compute_of_values(args, question),
        Question::Collect => collect_values(args),
        Question::Attribute | Question::Exists => args.reject_arg("another kind of file"),
    };
    match args.find_path(1) {
        Some(path) => answer.or_span(path.span),
        None => answer,
    }
}

/// Returns the nodes that the path selects, or the root without a path.
fn select_nodes(args: Args<'_>) -> Res<Vec<Located<'_>>> {
    let meter = args.eval.cell.meter;
    match args.resolve_file(0)?.1.tree().and_then(|tree| tree.select_json_nodes(args.find_path(1), meter)) {
        Some(nodes) => nodes,
        None => args.reject_arg("a JSON or YAML file"),
    }
}

/// Returns the values of the selected nodes, each with a function that renders its place.
fn select_values(args: Args<'_>) -> Res<impl Iterator<Item = Res<(impl Fn() -> String, Val<'_>)>>> {
    let nodes = select_nodes(args)?.into_iter();
    Ok(nodes.map(move |node| -> Res<_> {
        let value = convert_node(args, &node)?;
        Ok((move || render_pointer(&node.at).to_owned(), value))
    }))
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
        several => fail_computation(format!(
            "the path gives {several} nodes where one is asked; collect them with `{}`",
            find_sibling_name(args, Question::Collect)
        )),
    }
}

/// Converts a node to a value; a scalar gets its type if that is known.
fn convert_node<'a>(args: Args<'a>, node: &Located<'a>) -> Res<Val<'a>> {
    match (node.value, args.find_path(1).and_then(|path| path.value_type)) {
        (Value::Object(_) | Value::List(_), _) | (_, None) => Ok(Val::Ref(node.value)),
        (value, Some(wanted)) => convert_value(value, wanted, || render_pointer(&node.at).to_owned()).map(Val::Own),
    }
}

/// `json_path(file, path)`: the value at the path, of any type.
fn read_path(args: Args<'_>) -> Res<Val<'_>> {
    select_one_node(args)?.map_or(Ok(Val::NULL), |node| convert_node(args, &node))
}

/// `json_value(file, path)`: the scalar at the path.
fn read_value(args: Args<'_>) -> Res<Val<'_>> {
    match select_one_node(args)? {
        None => Ok(Val::NULL),
        Some(Located { at, value: Value::Object(_) | Value::List(_) }) => {
            let (at, whole) = (render_pointer(&at), find_sibling_name(args, Question::Whole));
            fail_computation(format!("no single value is at `{at}`; use `{whole}` for all of it"))
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
        Some((value, at)) => {
            let value = describe_value(&Val::Ref(value));
            fail_computation(format!("{value} at `{}` has nothing to count", render_pointer(&at)))
        }
        None => fail_computation("nothing exists there to count"),
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
        Some(Located { at, value }) => {
            let value = describe_value(&Val::Ref(value));
            fail_computation(format!("{value} at `{}` has no keys", render_pointer(&at)))
        }
        None => fail_computation("nothing exists there that could have keys"),
    }
}

/// `json_collect(file, path)` and `json_filter`: the values of all nodes, without nulls.
fn collect_values(args: Args<'_>) -> Res<Val<'_>> {
    let values = select_values(args)?.map(|value| Ok(value?.1.into_value()));
    let values = values.filter(|value| !matches!(value, Ok(Value::Null)));
    Ok(Val::Own(Value::List(values.collect::<Res<_>>()?)))
}

/// `json_sum(file, path)`, `json_avg`, `json_max` and `json_min`
fn compute_of_values(args: Args<'_>, question: Question) -> Res<Val<'_>> {
    let kinds = ["numbers, texts or days", "values that are all numbers, all texts or all days"];
    compute_quantity(args, question, select_values(args)?, kinds, args.call.span)
}
