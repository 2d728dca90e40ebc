//! Converts a shape and its tables to a tree, row by row.

use std::ops::Range;

use model::Value;
use model::suite::{ColumnId, Field, RelationId, Rows, Shape};

use super::context::Eval;
use super::failures::{Res, fail_computation};
use super::tree::{XmlNode, expand_result_sets};

/// The key of a field that contains its element's own text.
const TEXT: &str = "#text";

/// The current rows, innermost first.
#[derive(Clone, Copy)]
struct At<'s> {
    relation: RelationId,
    row: usize,
    outer: Option<&'s At<'s>>,
}

/// Builds the content of a JSON or YAML file of this shape.
pub(crate) fn build_value<'a>(eval: Eval<'a>, shape: &'a Shape) -> Res<Value> {
    build_value_at(eval, shape, None)
}

fn build_value_at<'a>(eval: Eval<'a>, shape: &'a Shape, at: Option<&At<'_>>) -> Res<Value> {
    Ok(match shape {
        Shape::Cell(relation, column) => expand_result_sets(read_cell(eval, *relation, *column, at)?)?,
        Shape::Object(fields) => {
            let fields = fields.iter().map(|field| Ok((field.key.clone(), build_value_at(eval, &field.shape, at)?)));
            Value::Object(fields.collect::<Res<_>>()?)
        }
        Shape::Array(relation, item) => {
            let rows = find_rows(eval, *relation, at)?;
            let items = rows.map(|row| build_value_at(eval, item, Some(&At { relation: *relation, row, outer: at })));
            Value::List(items.collect::<Res<_>>()?)
        }
    })
}

/// Returns the cell of the current row, or of the only row if the relation has no current row.
fn read_cell(eval: Eval<'_>, relation: RelationId, column: ColumnId, at: Option<&At<'_>>) -> Res<Value> {
    let table = eval.find_table(relation)?;
    let row = match find_row(relation, at) {
        Some(row) => row,
        None if table.rows == 1 => 0,
        None => return fail_computation("a column is written outside of its relation's rows"),
    };
    Ok(table.read_cell(column, row).into_value())
}

fn find_row(relation: RelationId, at: Option<&At<'_>>) -> Option<usize> {
    std::iter::successors(at, |at| at.outer).find(|at| at.relation == relation).map(|at| at.row)
}

/// Returns all rows of a relation, or those that belong to the current row of the enclosing relation.
fn find_rows(eval: Eval<'_>, relation: RelationId, at: Option<&At<'_>>) -> Res<Range<usize>> {
    let table = eval.find_table(relation)?;
    let declared = eval.cell.task.relations.get(relation);
    let parent = match declared.map(|declared| &declared.rows) {
        Some(Rows::PerRow { parent, .. }) => *parent,
        _ => return Ok(0..table.rows),
    };
    let row = match find_row(parent, at) {
        Some(row) => row,
        None if eval.find_table(parent)?.rows == 1 => 0,
        None => return fail_computation("an array is written outside of the rows it belongs to"),
    };
    match (table.starts.get(row), table.starts.get(row + 1)) {
        (Some(start), Some(end)) => Ok(*start..*end),
        _ => fail_computation("an array has no rows for the row it belongs to"),
    }
}

/// Builds the root element of an XML file of this shape.
pub(crate) fn build_element<'a>(eval: Eval<'a>, root: &str, shape: &'a Shape) -> Res<XmlNode> {
    match shape {
        Shape::Object(fields) => build_element_at(eval, root, fields, None),
        _ => fail_computation(format!("the root element `{root}` needs fields")),
    }
}

fn build_element_at<'a>(eval: Eval<'a>, name: &str, fields: &'a [Field], at: Option<&At<'_>>) -> Res<XmlNode> {
    let mut node = XmlNode::new(name);
    for field in fields {
        if !field.attribute && field.key != TEXT {
            match &field.shape {
                Shape::Cell(relation, column) => {
                    let value = expand_result_sets(read_cell(eval, *relation, *column, at)?)?;
                    push_field_element(&field.key, value, &mut node.children)?;
                }
                shape => push_elements(eval, &field.key, shape, at, &mut node.children)?,
            }
            continue;
        }
        let Shape::Cell(relation, column) = &field.shape else {
            return fail_computation(format!("`{}` of the element `{name}` needs one value", render_field_name(field)));
        };
        let value = read_cell(eval, *relation, *column, at)?;
        if matches!(value, Value::List(_) | Value::Object(_) | Value::Rows(_)) {
            let kind = value.kind();
            return fail_computation(format!(
                "`{}` of the element `{name}` needs one value, not {kind}",
                render_field_name(field)
            ));
        }
        if !value.is_null() {
            match field.attribute {
                true => node.attributes.push((field.key.clone(), value)),
                false => node.text = Some(value),
            }
        }
    }
    Ok(node)
}

fn render_field_name(field: &Field) -> String {
    format!("{}{}", if field.attribute { "@" } else { "" }, field.key)
}

/// Adds the elements of a field: one, or one per item of an array or list.
fn push_elements<'a>(
    eval: Eval<'a>,
    name: &str,
    shape: &'a Shape,
    at: Option<&At<'_>>,
    out: &mut Vec<XmlNode>,
) -> Res<()> {
    match shape {
        Shape::Cell(relation, column) => {
            push_value_elements(name, expand_result_sets(read_cell(eval, *relation, *column, at)?)?, out)
        }
        Shape::Object(fields) => {
            out.push(build_element_at(eval, name, fields, at)?);
            Ok(())
        }
        Shape::Array(relation, item) => find_rows(eval, *relation, at)?.try_for_each(|row| {
            push_elements(eval, name, item, Some(&At { relation: *relation, row, outer: at }), out)
        }),
    }
}

/// Adds the element of a field. A field whose value is null has no element and no attribute.
fn push_field_element(name: &str, value: Value, out: &mut Vec<XmlNode>) -> Res<()> {
    if value.is_null() { Ok(()) } else { push_value_elements(name, value, out) }
}

/// Adds the elements of a value: one per item of a list, with the fields of an object as child elements. A null in an array or list becomes an empty
/// element, which preserves the positions of the others and the number of rows.
fn push_value_elements(name: &str, value: Value, out: &mut Vec<XmlNode>) -> Res<()> {
    let mut node = XmlNode::new(name);
    match value {
        Value::Null => {}
        Value::List(items) => {
            return items.into_iter().try_for_each(|item| match item {
                Value::List(_) => fail_computation(format!(
                    "a list directly inside the list `{name}` cannot be written in XML; put it into an object"
                )),
                item => push_value_elements(name, item, out),
            });
        }
        Value::Object(fields) => {
            fields.into_iter().try_for_each(|(key, value)| push_field_element(&key, value, &mut node.children))?;
        }
        scalar => node.text = Some(scalar),
    }
    out.push(node);
    Ok(())
}
