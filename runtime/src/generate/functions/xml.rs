//! Questions about what an XPath leads to, in XML files.

use std::cmp::Ordering;

use model::functions::{Extreme, Made, Question, Total, said};
use model::suite::PathQuery;
use model::{Val, Value, ValueType};

use super::Function;
use super::args::Args;
use super::typed::{brought, number};
use crate::generate::eval::{OrSpan, Res, no_result};
use crate::generate::tree::{Selected, XmlHandle};

/// What answers a question; `None` where only JSON and YAML are asked it.
pub(super) fn answer(question: Question) -> Option<Function> {
    Some(match question {
        Question::Value => value,
        Question::Attribute => attr,
        Question::Count => count,
        Question::Exists => exists,
        Question::Sum => sum,
        Question::Avg => avg,
        Question::Max => max,
        Question::Min => min,
        Question::Collect => collect,
        Question::Whole | Question::Keys | Question::CountWhere => return None,
    })
}

fn path(args: Args<'_>) -> Res<&PathQuery> {
    args.path(1).map_or_else(|| args.misfit("an XPath"), Ok)
}

fn selected<'a>(args: Args<'a>) -> Res<Selected<'a>> {
    match args.file(0)?.1.tree().and_then(|tree| tree.xml_nodes(path(args).ok()?)) {
        Some(selected) => selected,
        None => args.misfit("an XML file and an XPath"),
    }
}

fn nodes<'a>(args: Args<'a>) -> Res<Vec<XmlHandle<'a>>> {
    match selected(args)? {
        Selected::Nodes(nodes) => Ok(nodes),
        Selected::Value(value) => {
            let (function, value) = (args.call.function, said(&Val::Own(value)));
            no_result(format!("`{function}` needs a path to nodes, and this one computes {value}"))
        }
    }
}

/// Runs `f` and gives its failures the path's span.
fn at_path<'a, T>(args: Args<'a>, f: impl FnOnce(&'a PathQuery) -> Res<T>) -> Res<T> {
    let path = path(args)?;
    f(path).or_span(path.span)
}

/// A node's text, or its value where a type is known. The tree holds values as they were drawn; only texts are read.
fn typed(node: XmlHandle<'_>, wanted: Option<ValueType>) -> Res<Value> {
    match wanted {
        None | Some(ValueType::Text) => Ok(Value::Text(node.text())),
        Some(wanted) => match node.value() {
            Some(value) => brought(value, wanted, || node.place()),
            None => brought(&Value::Text(node.text()), wanted, || node.place()),
        },
    }
}

fn one<'a>(nodes: &[XmlHandle<'a>]) -> Res<Option<XmlHandle<'a>>> {
    match nodes {
        [] => Ok(None),
        [node] => Ok(Some(*node)),
        several => no_result(format!(
            "the path gives {} nodes where one is asked; collect them with `xpath_collect`",
            several.len()
        )),
    }
}

/// `xpath_value(file, path)`: the text of the one node, or what an expression computes.
fn value(args: Args<'_>) -> Res<Val<'_>> {
    at_path(args, |path| match (selected(args)?, path.value_type) {
        (Selected::Nodes(nodes), wanted) => match one(&nodes)? {
            None => Ok(Val::NULL),
            Some(node) => typed(node, wanted).map(Val::Own),
        },
        (Selected::Value(value), None) => Ok(Val::Own(value)),
        (Selected::Value(value), Some(wanted)) => brought(&value, wanted, || path.text.clone()).map(Val::Own),
    })
}

/// `xpath_attr(file, path)`: the text of the one attribute.
fn attr(args: Args<'_>) -> Res<Val<'_>> {
    at_path(args, |path| match one(&nodes(args)?)? {
        None => Ok(Val::NULL),
        Some(node) if node.is_attribute() => typed(node, path.value_type).map(Val::Own),
        Some(node) => {
            let place = node.place();
            no_result(format!("`{place}` is not an attribute; end the path with `/@` and the attribute's name"))
        }
    })
}

/// `xpath_count(file, path)`
fn count(args: Args<'_>) -> Res<Val<'_>> {
    at_path(args, |_| Ok(Val::int(nodes(args)?.len() as i64)))
}

/// `xpath_exists(file, path)`: whether there is a node, or whether a condition holds.
fn exists(args: Args<'_>) -> Res<Val<'_>> {
    at_path(args, |_| match selected(args)? {
        Selected::Value(Value::Bool(holds)) => Ok(Val::Own(Value::Bool(holds))),
        Selected::Nodes(nodes) => Ok(Val::Own(Value::Bool(!nodes.is_empty()))),
        Selected::Value(value) => {
            let value = said(&Val::Own(value));
            no_result(format!("`xpath_exists` needs a path to nodes or a condition, and this one computes {value}"))
        }
    })
}

/// `xpath_collect(file, path)`: the texts or values of all nodes, nulls left out.
fn collect(args: Args<'_>) -> Res<Val<'_>> {
    at_path(args, |path| {
        let values = nodes(args)?.into_iter().map(|node| typed(node, path.value_type));
        let values = values.filter(|value| !matches!(value, Ok(Value::Null)));
        Ok(Val::Own(Value::List(values.collect::<Res<_>>()?)))
    })
}

/// The values of all nodes but nulls: numbers, or what the known type says.
fn quantities(args: Args<'_>) -> Res<Vec<(XmlHandle<'_>, Value)>> {
    let wanted = path(args)?.value_type.filter(|wanted| *wanted != ValueType::Text);
    let mut out = Vec::new();
    for node in nodes(args)? {
        let value = match (wanted, node.value()) {
            (Some(_), _) => typed(node, wanted)?,
            (None, Some(Value::Text(text))) => number(text, || node.place())?,
            (None, Some(value)) => value.clone(),
            (None, None) => number(&node.text(), || node.place())?,
        };
        if !value.is_null() {
            out.push((node, value));
        }
    }
    Ok(out)
}

fn refused<T>(args: Args<'_>, node: XmlHandle<'_>, value: &Value, needed: &str) -> Res<T> {
    let (function, value, place) = (args.call.function, said(&Val::Ref(value)), node.place());
    no_result(format!("`{function}` needs {needed}, but {value} is at `{place}`"))
}

fn total(args: Args<'_>, result: fn(Total) -> Made<'static>) -> Res<Val<'_>> {
    let mut total = Total::new(args.call.function);
    for (node, value) in quantities(args)? {
        if value.as_f64().is_none() {
            return refused(args, node, &value, "numbers");
        }
        total.add(&Val::Own(value)).or_else(no_result)?;
    }
    result(total).or_else(no_result)
}

/// `xpath_sum(file, path)`: ints stay ints, decimals exact.
fn sum(args: Args<'_>) -> Res<Val<'_>> {
    at_path(args, |_| total(args, Total::sum))
}

/// `xpath_avg(file, path)`
fn avg(args: Args<'_>) -> Res<Val<'_>> {
    at_path(args, |_| total(args, Total::mean))
}

fn extreme(args: Args<'_>, wanted: Ordering) -> Res<Val<'_>> {
    let mut extreme = Extreme::new(wanted);
    let mut first: Option<Value> = None;
    for (node, value) in quantities(args)? {
        if matches!(value, Value::Bool(_) | Value::Duration(_)) {
            return refused(args, node, &value, "numbers or days");
        }
        if first.as_ref().is_some_and(|first| first.compare(&value).is_none()) {
            return refused(args, node, &value, "values that are all numbers or all days");
        }
        first.get_or_insert_with(|| value.clone());
        extreme.add(Val::Own(value));
    }
    Ok(extreme.value())
}

/// `xpath_max(file, path)`
fn max(args: Args<'_>) -> Res<Val<'_>> {
    at_path(args, |_| extreme(args, Ordering::Greater))
}

/// `xpath_min(file, path)`
fn min(args: Args<'_>) -> Res<Val<'_>> {
    at_path(args, |_| extreme(args, Ordering::Less))
}
