//! Questions about what a JSONPath leads to, in JSON and YAML files alike.

use std::cmp::Ordering;

use model::functions::{Extreme, Made, Question, Total, said};
use model::{Val, Value};

use super::Function;
use super::args::Args;
use super::typed::brought;
use crate::generate::eval::{OrSpan, Res, no_result};
use crate::generate::tree::{Located, is_singular};

/// What answers a question; `None` where only XML is asked it.
pub(super) fn answer(question: Question) -> Option<Function> {
    Some(match question {
        Question::Whole => path,
        Question::Value => value,
        Question::Keys => keys,
        Question::Count => count,
        Question::CountWhere => count_where,
        Question::Sum => sum,
        Question::Avg => avg,
        Question::Max => max,
        Question::Min => min,
        Question::Collect => collect,
        Question::Attribute | Question::Exists => return None,
    })
}

/// The nodes that the path selects, the root without one.
fn nodes(args: Args<'_>) -> Res<Vec<Located<'_>>> {
    let path = args.path(1);
    match args.file(0)?.1.tree().and_then(|tree| tree.json_nodes(path)) {
        Some(nodes) => placed(args, nodes),
        None => args.misfit("a JSON or YAML file"),
    }
}

/// Gives a failure about the path the path's span.
fn placed<T>(args: Args<'_>, result: Res<T>) -> Res<T> {
    match args.path(1) {
        Some(path) => result.or_span(path.span),
        None => result,
    }
}

/// The function that asks this about the same files: `yaml_collect` for `yaml_path`.
fn sibling(args: Args<'_>, asked: Question) -> &'static str {
    args.call.function.sibling(asked).unwrap_or(args.call.function).name
}

fn shown(at: &str) -> &str {
    if at.is_empty() { "/" } else { at }
}

/// The one node, if there is any.
fn one(args: Args<'_>) -> Res<Option<Located<'_>>> {
    let mut found = nodes(args)?;
    match found.len() {
        0 | 1 => Ok(found.pop()),
        several => placed(
            args,
            no_result(format!(
                "the path gives {several} nodes where one is asked; collect them with `{}`",
                sibling(args, Question::Collect)
            )),
        ),
    }
}

/// A node's value, a scalar in the type that is known of it.
fn typed<'a>(args: Args<'a>, node: &Located<'a>) -> Res<Val<'a>> {
    match (node.value, args.path(1).and_then(|path| path.value_type)) {
        (Value::Object(_) | Value::List(_), _) | (_, None) => Ok(Val::Ref(node.value)),
        (value, Some(wanted)) => placed(args, brought(value, wanted, || shown(&node.at).to_owned()).map(Val::Own)),
    }
}

/// `json_path(file, path)`: the value at the path, whatever its type.
fn path(args: Args<'_>) -> Res<Val<'_>> {
    match one(args)? {
        None => Ok(Val::NULL),
        Some(node) => typed(args, &node),
    }
}

/// `json_value(file, path)`: the scalar at the path.
fn value(args: Args<'_>) -> Res<Val<'_>> {
    match one(args)? {
        None => Ok(Val::NULL),
        Some(Located { at, value: Value::Object(_) | Value::List(_) }) => {
            let (at, whole) = (shown(&at), sibling(args, Question::Whole));
            placed(args, no_result(format!("no single value is at `{at}`; use `{whole}` for all of it")))
        }
        Some(node) => typed(args, &node),
    }
}

/// `json_count(file, path)`: where a path can select one node only, what is in it; else how many nodes it selects.
fn count(args: Args<'_>) -> Res<Val<'_>> {
    if args.path(1).is_some_and(|path| !is_singular(&path.text)) {
        return count_where(args);
    }
    match one(args)?.map(|node| (node.value, node.at)) {
        Some((Value::List(items), _)) => Ok(Val::int(items.len() as i64)),
        Some((Value::Object(fields), _)) => Ok(Val::int(fields.len() as i64)),
        Some((value, at)) => {
            placed(args, no_result(format!("{} at `{}` has nothing to count", said(&Val::Ref(value)), shown(&at))))
        }
        None => placed(args, no_result("nothing exists there to count")),
    }
}

/// `json_count_where(file, path)`: how many nodes it selects.
fn count_where(args: Args<'_>) -> Res<Val<'_>> {
    Ok(Val::int(nodes(args)?.len() as i64))
}

/// `json_keys(file, path)`: the keys of the object there, in the file's order.
fn keys(args: Args<'_>) -> Res<Val<'_>> {
    match one(args)? {
        Some(Located { value: Value::Object(fields), .. }) => {
            Ok(Val::Own(Value::List(fields.iter().map(|(key, _)| Value::text(key)).collect())))
        }
        Some(Located { at, value }) => {
            placed(args, no_result(format!("{} at `{}` has no keys", said(&Val::Ref(value)), shown(&at))))
        }
        None => placed(args, no_result("nothing exists there that could have keys")),
    }
}

/// `json_collect(file, path)`, `json_filter`: the values of all nodes, nulls left out.
fn collect(args: Args<'_>) -> Res<Val<'_>> {
    let mut items = Vec::new();
    for node in nodes(args)? {
        let value = typed(args, &node)?;
        if !value.is_null() {
            items.push(value.into_value());
        }
    }
    Ok(Val::Own(Value::List(items)))
}

fn refused<T>(args: Args<'_>, node: &Located<'_>, needed: &str) -> Res<T> {
    let (function, value, at) = (args.call.function, said(&Val::Ref(node.value)), shown(&node.at));
    placed(args, no_result(format!("`{function}` needs {needed}, but {value} is at `{at}`")))
}

fn total(args: Args<'_>, result: fn(Total) -> Made<'static>) -> Res<Val<'_>> {
    let mut total = Total::new(args.call.function);
    for node in nodes(args)? {
        match typed(args, &node)? {
            value if value.is_null() => {}
            value if value.value().and_then(Value::as_f64).is_some() => total.add(&value).or_else(no_result)?,
            _ => return refused(args, &node, "numbers"),
        }
    }
    result(total).or_else(no_result)
}

/// `json_sum(file, path)`
fn sum(args: Args<'_>) -> Res<Val<'_>> {
    total(args, Total::sum)
}

/// `json_avg(file, path)`
fn avg(args: Args<'_>) -> Res<Val<'_>> {
    total(args, Total::mean)
}

/// Values that are alike can be put in order.
fn is_alike(value: &Val<'_>, other: &Val<'_>) -> bool {
    value.compare(other).is_some()
}

fn extreme(args: Args<'_>, wanted: Ordering) -> Res<Val<'_>> {
    let mut extreme = Extreme::new(wanted);
    let mut first: Option<Val<'_>> = None;
    for node in nodes(args)? {
        let value = typed(args, &node)?;
        if value.is_null() {
            continue;
        }
        if matches!(value.value(), Some(Value::Bool(_) | Value::Duration(_) | Value::Object(_) | Value::List(_))) {
            return refused(args, &node, "numbers, texts or days");
        }
        if first.as_ref().is_some_and(|first| !is_alike(first, &value)) {
            return refused(args, &node, "values that are all numbers, all texts or all days");
        }
        first.get_or_insert_with(|| value.clone());
        extreme.add(value);
    }
    Ok(extreme.value())
}

/// `json_max(file, path)`
fn max(args: Args<'_>) -> Res<Val<'_>> {
    extreme(args, Ordering::Greater)
}

/// `json_min(file, path)`
fn min(args: Args<'_>) -> Res<Val<'_>> {
    extreme(args, Ordering::Less)
}
