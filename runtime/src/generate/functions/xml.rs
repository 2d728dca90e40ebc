//! Functions that evaluate an XPath in XML files.

use std::cmp::Ordering;

use model::functions::{Extreme, Made, Question, Total, describe_value};
use model::suite::PathQuery;
use model::{Val, Value, ValueType};

use super::Function;
use super::args::Args;
use super::typed::{convert_value, parse_number};
use crate::generate::eval::{OrSpan, Res, fail_computation};
use crate::generate::tree::{Selected, XmlHandle};

/// Returns the function for a question; `None` if the question exists only for JSON and YAML.
pub(super) fn find_function(question: Question) -> Option<Function> {
    Some(match question {
        Question::Value => read_value,
        Question::Attribute => read_attribute,
        Question::Count => count_nodes,
        Question::Exists => check_existence,
        Question::Sum => compute_sum,
        Question::Avg => compute_mean,
        Question::Max => find_max,
        Question::Min => find_min,
        Question::Collect => collect_values,
        Question::Whole | Question::Keys | Question::CountWhere => return None,
    })
}

fn require_path(args: Args<'_>) -> Res<&PathQuery> {
    args.find_path(1).map_or_else(|| args.reject_arg("an XPath"), Ok)
}

fn select_path<'a>(args: Args<'a>) -> Res<Selected<'a>> {
    match args.resolve_file(0)?.1.tree().and_then(|tree| tree.select_xml_nodes(require_path(args).ok()?)) {
        Some(selected) => selected,
        None => args.reject_arg("an XML file and an XPath"),
    }
}

fn select_nodes<'a>(args: Args<'a>) -> Res<Vec<XmlHandle<'a>>> {
    match select_path(args)? {
        Selected::Nodes(nodes) => Ok(nodes),
        Selected::Value(value) => {
            let (function, value) = (args.call.function, describe_value(&Val::Own(value)));
            fail_computation(format!("`{function}` needs a path to nodes, and this one computes {value}"))
        }
    }
}

/// Runs `f` and adds the path's place in the source to its failures.
fn run_at_path<'a, T>(args: Args<'a>, f: impl FnOnce(&'a PathQuery) -> Res<T>) -> Res<T> {
    let path = require_path(args)?;
    f(path).or_span(path.span)
}

/// Returns a node's text, or its value if its type is known. The tree contains drawn values; only text is parsed.
fn convert_node(node: XmlHandle<'_>, wanted: Option<ValueType>) -> Res<Value> {
    match wanted {
        None | Some(ValueType::Text) => Ok(Value::Text(node.text())),
        Some(wanted) => match node.value() {
            Some(value) => convert_value(value, wanted, || node.render_place()),
            None => convert_value(&Value::Text(node.text()), wanted, || node.render_place()),
        },
    }
}

fn expect_one_node<'a>(nodes: &[XmlHandle<'a>]) -> Res<Option<XmlHandle<'a>>> {
    match nodes {
        [] => Ok(None),
        [node] => Ok(Some(*node)),
        several => fail_computation(format!(
            "the path gives {} nodes where one is asked; collect them with `xpath_collect`",
            several.len()
        )),
    }
}

/// `xpath_value(file, path)`: the text of the only node, or the value of an expression.
fn read_value(args: Args<'_>) -> Res<Val<'_>> {
    run_at_path(args, |path| match (select_path(args)?, path.value_type) {
        (Selected::Nodes(nodes), wanted) => match expect_one_node(&nodes)? {
            None => Ok(Val::NULL),
            Some(node) => convert_node(node, wanted).map(Val::Own),
        },
        (Selected::Value(value), None) => Ok(Val::Own(value)),
        (Selected::Value(value), Some(wanted)) => convert_value(&value, wanted, || path.text.clone()).map(Val::Own),
    })
}

/// `xpath_attr(file, path)`: the text of the only attribute.
fn read_attribute(args: Args<'_>) -> Res<Val<'_>> {
    run_at_path(args, |path| match expect_one_node(&select_nodes(args)?)? {
        None => Ok(Val::NULL),
        Some(node) if node.is_attribute() => convert_node(node, path.value_type).map(Val::Own),
        Some(node) => {
            let place = node.render_place();
            fail_computation(format!("`{place}` is not an attribute; end the path with `/@` and the attribute's name"))
        }
    })
}

/// `xpath_count(file, path)`
fn count_nodes(args: Args<'_>) -> Res<Val<'_>> {
    run_at_path(args, |_| Ok(Val::from_int(select_nodes(args)?.len() as i64)))
}

/// `xpath_exists(file, path)`: whether the path selects a node, or whether a condition is true.
fn check_existence(args: Args<'_>) -> Res<Val<'_>> {
    run_at_path(args, |_| match select_path(args)? {
        Selected::Value(Value::Bool(holds)) => Ok(Val::Own(Value::Bool(holds))),
        Selected::Nodes(nodes) => Ok(Val::Own(Value::Bool(!nodes.is_empty()))),
        Selected::Value(value) => {
            let value = describe_value(&Val::Own(value));
            fail_computation(format!(
                "`xpath_exists` needs a path to nodes or a condition, and this one computes {value}"
            ))
        }
    })
}

/// `xpath_collect(file, path)`: the texts or values of all nodes, without nulls.
fn collect_values(args: Args<'_>) -> Res<Val<'_>> {
    run_at_path(args, |path| {
        let values = select_nodes(args)?.into_iter().map(|node| convert_node(node, path.value_type));
        let values = values.filter(|value| !matches!(value, Ok(Value::Null)));
        Ok(Val::Own(Value::List(values.collect::<Res<_>>()?)))
    })
}

/// Collects the values of all nodes, without nulls: numbers, or values of the known type.
fn collect_quantities(args: Args<'_>) -> Res<Vec<(XmlHandle<'_>, Value)>> {
    let wanted = require_path(args)?.value_type.filter(|wanted| *wanted != ValueType::Text);
    let mut out = Vec::new();
    for node in select_nodes(args)? {
        let value = match (wanted, node.value()) {
            (Some(_), _) => convert_node(node, wanted)?,
            (None, Some(Value::Text(text))) => parse_number(text, || node.render_place())?,
            (None, Some(value)) => value.clone(),
            (None, None) => parse_number(&node.text(), || node.render_place())?,
        };
        if !value.is_null() {
            out.push((node, value));
        }
    }
    Ok(out)
}

fn reject_node<T>(args: Args<'_>, node: XmlHandle<'_>, value: &Value, needed: &str) -> Res<T> {
    let (function, value, place) = (args.call.function, describe_value(&Val::Ref(value)), node.render_place());
    fail_computation(format!("`{function}` needs {needed}, but {value} is at `{place}`"))
}

fn compute_total(args: Args<'_>, result: fn(Total) -> Made<'static>) -> Res<Val<'_>> {
    let mut total = Total::new(args.call.function);
    for (node, value) in collect_quantities(args)? {
        if value.as_f64().is_none() {
            return reject_node(args, node, &value, "numbers");
        }
        total.add_value(&Val::Own(value)).or_else(fail_computation)?;
    }
    result(total).or_else(fail_computation)
}

/// `xpath_sum(file, path)`: the sum, of type int for ints and exact for decimals.
fn compute_sum(args: Args<'_>) -> Res<Val<'_>> {
    run_at_path(args, |_| compute_total(args, Total::into_sum))
}

/// `xpath_avg(file, path)`
fn compute_mean(args: Args<'_>) -> Res<Val<'_>> {
    run_at_path(args, |_| compute_total(args, Total::into_mean))
}

fn find_extreme(args: Args<'_>, wanted: Ordering) -> Res<Val<'_>> {
    let mut extreme = Extreme::new(wanted);
    let mut first: Option<Value> = None;
    for (node, value) in collect_quantities(args)? {
        if matches!(value, Value::Bool(_) | Value::Duration(_)) {
            return reject_node(args, node, &value, "numbers or days");
        }
        if first.as_ref().is_some_and(|first| first.compare_with(&value).is_none()) {
            return reject_node(args, node, &value, "values that are all numbers or all days");
        }
        first.get_or_insert_with(|| value.clone());
        extreme.add_value(Val::Own(value));
    }
    Ok(extreme.into_value())
}

/// `xpath_max(file, path)`
fn find_max(args: Args<'_>) -> Res<Val<'_>> {
    run_at_path(args, |_| find_extreme(args, Ordering::Greater))
}

/// `xpath_min(file, path)`
fn find_min(args: Args<'_>) -> Res<Val<'_>> {
    run_at_path(args, |_| find_extreme(args, Ordering::Less))
}
