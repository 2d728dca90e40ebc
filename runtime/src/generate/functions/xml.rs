//! Functions that evaluate an XPath in XML files.

use model::functions::{Question, describe_value};
use model::suite::PathQuery;
use model::{Val, Value, ValueType};

use super::args::Args;
use super::quantities::compute_quantity;
use super::typed::{convert_value, parse_number};
use crate::generate::failures::{OrSpan, Res, fail_computation};
use crate::generate::tree::{Selected, XmlHandle};

/// Answers a question about a file, with the place of the path in the source of failures.
pub(super) fn answer_question(args: Args<'_>, question: Question) -> Res<Val<'_>> {
    let Some(path) = args.find_path(1) else { return args.reject_arg("an XPath") };
    let answer = match question {
        Question::Value => read_value(args, path),
        Question::Attribute => read_attribute(args, path),
        Question::Count => select_nodes(args, path).map(|nodes| Val::from_int(nodes.len() as i64)),
        Question::Exists => check_existence(args, path),
        Question::Sum | Question::Avg | Question::Max | Question::Min => compute_of_values(args, path, question),
        Question::Collect => collect_values(args, path),
        Question::Whole | Question::Keys | Question::CountWhere => args.reject_arg("another kind of file"),
    };
    answer.or_span(path.span)
}

fn select_path<'a>(args: Args<'a>, path: &'a PathQuery) -> Res<Selected<'a>> {
    match args.resolve_file(0)?.1.tree().and_then(|tree| tree.select_xml_nodes(path, args.eval.cell.meter)) {
        Some(selected) => selected,
        None => args.reject_arg("an XML file and an XPath"),
    }
}

fn select_nodes<'a>(args: Args<'a>, path: &'a PathQuery) -> Res<Vec<XmlHandle<'a>>> {
    match select_path(args, path)? {
        Selected::Nodes(nodes) => Ok(nodes),
        Selected::Value(value) => {
            let (function, value) = (args.call.function, describe_value(&Val::Own(value)));
            fail_computation(format!("`{function}` needs a path to nodes, and this one computes {value}"))
        }
    }
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
fn read_value<'a>(args: Args<'a>, path: &'a PathQuery) -> Res<Val<'a>> {
    match (select_path(args, path)?, path.value_type) {
        (Selected::Nodes(nodes), wanted) => match expect_one_node(&nodes)? {
            None => Ok(Val::NULL),
            Some(node) => convert_node(node, wanted).map(Val::Own),
        },
        (Selected::Value(value), None) => Ok(Val::Own(value)),
        (Selected::Value(value), Some(wanted)) => convert_value(&value, wanted, || path.text.clone()).map(Val::Own),
    }
}

/// `xpath_attr(file, path)`: the text of the only attribute.
fn read_attribute<'a>(args: Args<'a>, path: &'a PathQuery) -> Res<Val<'a>> {
    match expect_one_node(&select_nodes(args, path)?)? {
        None => Ok(Val::NULL),
        Some(node) if node.is_attribute() => convert_node(node, path.value_type).map(Val::Own),
        Some(node) => {
            let place = node.render_place();
            fail_computation(format!("`{place}` is not an attribute; end the path with `/@` and the attribute's name"))
        }
    }
}

/// `xpath_exists(file, path)`: whether the path selects a node, or whether a condition is true.
fn check_existence<'a>(args: Args<'a>, path: &'a PathQuery) -> Res<Val<'a>> {
    match select_path(args, path)? {
        Selected::Value(Value::Bool(holds)) => Ok(Val::Own(Value::Bool(holds))),
        Selected::Nodes(nodes) => Ok(Val::Own(Value::Bool(!nodes.is_empty()))),
        Selected::Value(value) => {
            let value = describe_value(&Val::Own(value));
            fail_computation(format!(
                "`xpath_exists` needs a path to nodes or a condition, and this one computes {value}"
            ))
        }
    }
}

/// `xpath_collect(file, path)`: the texts or values of all nodes, without nulls.
fn collect_values<'a>(args: Args<'a>, path: &'a PathQuery) -> Res<Val<'a>> {
    let values = select_nodes(args, path)?.into_iter().map(|node| convert_node(node, path.value_type));
    let values = values.filter(|value| !matches!(value, Ok(Value::Null)));
    Ok(Val::Own(Value::List(values.collect::<Res<_>>()?)))
}

/// Returns the selected nodes with their values: numbers, or values of the known type. A node that has none is a failure before any value is used.
fn select_quantities<'a>(
    args: Args<'a>,
    path: &'a PathQuery,
) -> Res<impl Iterator<Item = Res<(impl Fn() -> String, Val<'a>)>>> {
    let wanted = path.value_type.filter(|wanted| *wanted != ValueType::Text);
    let quantity = |node: XmlHandle<'a>| -> Res<_> {
        let value = match (wanted, node.value()) {
            (Some(_), _) => convert_node(node, wanted)?,
            (None, Some(Value::Text(text))) => parse_number(text, || node.render_place())?,
            (None, Some(value)) => value.clone(),
            (None, None) => parse_number(&node.text(), || node.render_place())?,
        };
        Ok((move || node.render_place(), Val::Own(value)))
    };
    let all: Vec<_> = select_nodes(args, path)?.into_iter().map(quantity).collect::<Res<_>>()?;
    Ok(all.into_iter().map(Ok))
}

/// `xpath_sum(file, path)` and `xpath_avg`, of type int for ints and exact for decimals; `xpath_max` and `xpath_min`
fn compute_of_values<'a>(args: Args<'a>, path: &'a PathQuery, question: Question) -> Res<Val<'a>> {
    let kinds = ["numbers or days", "values that are all numbers or all days"];
    compute_quantity(args, question, select_quantities(args, path)?, kinds, path.span)
}
