//! From a shape and its tables to a tree, row by row.

use std::ops::Range;

use model::suite::{ColumnId, Field, RelationId, Rows, Shape};
use model::{Val, Value};

use super::xml::XmlNode;
use crate::generate::eval::{Eval, Res, no_result};

/// The key of a field that is its element's own text.
const TEXT: &str = "#text";

/// The current rows, innermost first.
#[derive(Clone, Copy)]
struct At<'s> {
    relation: RelationId,
    row: usize,
    outer: Option<&'s At<'s>>,
}

/// What a JSON or YAML file of this shape says.
pub(super) fn value<'a>(eval: Eval<'a>, shape: &'a Shape) -> Res<Value> {
    value_at(eval, shape, None)
}

fn value_at<'a>(eval: Eval<'a>, shape: &'a Shape, at: Option<&At<'_>>) -> Res<Value> {
    Ok(match shape {
        Shape::Cell(relation, column) => plain(cell(eval, *relation, *column, at)?.into_value())?,
        Shape::Object(fields) => {
            let fields = fields.iter().map(|field| Ok((field.key.clone(), value_at(eval, &field.shape, at)?)));
            Value::Object(fields.collect::<Res<_>>()?)
        }
        Shape::Array(relation, item) => {
            let rows = rows_of(eval, *relation, at)?;
            let items = rows.map(|row| value_at(eval, item, Some(&At { relation: *relation, row, outer: at })));
            Value::List(items.collect::<Res<_>>()?)
        }
    })
}

/// The cell of the current row; outside the relation's rows, the cell of its only row.
fn cell<'a>(eval: Eval<'a>, relation: RelationId, column: ColumnId, at: Option<&At<'_>>) -> Res<Val<'a>> {
    let table = eval.table(relation)?;
    let row = match row_of(relation, at) {
        Some(row) => row,
        None if table.rows == 1 => 0,
        None => return no_result("a column is written outside of its relation's rows"),
    };
    Ok(table.columns.get(column).map_or(Val::NULL, |column| column.get(row)))
}

fn row_of(relation: RelationId, at: Option<&At<'_>>) -> Option<usize> {
    std::iter::successors(at, |at| at.outer).find(|at| at.relation == relation).map(|at| at.row)
}

/// All rows of a relation, or those that belong to the current row of the enclosing relation.
fn rows_of(eval: Eval<'_>, relation: RelationId, at: Option<&At<'_>>) -> Res<Range<usize>> {
    let table = eval.table(relation)?;
    let declared = eval.cell.task.relations.get(relation);
    let parent = match declared.map(|declared| &declared.rows) {
        Some(Rows::PerRow { parent, .. }) => *parent,
        _ => return Ok(0..table.rows),
    };
    let row = match row_of(parent, at) {
        Some(row) => row,
        None if eval.table(parent)?.rows == 1 => 0,
        None => return no_result("an array is written outside of the rows it belongs to"),
    };
    match (table.starts.get(row), table.starts.get(row + 1)) {
        (Some(start), Some(end)) => Ok(*start..*end),
        _ => no_result("an array has no rows for the row it belongs to"),
    }
}

/// The same with result sets as lists of objects, which is how they are written.
pub(crate) fn plain(value: Value) -> Res<Value> {
    Ok(match value {
        Value::Rows(set) => {
            let columns = set.columns;
            if let Some(twice) = columns.iter().enumerate().find(|(at, name)| columns[..*at].contains(name)) {
                return no_result(format!(
                    "the result set has two columns `{}`; give one another name with AS",
                    twice.1
                ));
            }
            let object = |row: Vec<Value>| Value::Object(columns.iter().cloned().zip(row).collect());
            Value::List(set.rows.into_iter().map(object).collect())
        }
        Value::List(items) => Value::List(items.into_iter().map(plain).collect::<Res<_>>()?),
        Value::Object(fields) => {
            let fields = fields.into_iter().map(|(key, value)| Ok((key, plain(value)?)));
            Value::Object(fields.collect::<Res<_>>()?)
        }
        scalar => scalar,
    })
}

/// The root element of an XML file of this shape.
pub(super) fn element<'a>(eval: Eval<'a>, root: &str, shape: &'a Shape) -> Res<XmlNode> {
    match shape {
        Shape::Object(fields) => element_at(eval, root, fields, None),
        _ => no_result(format!("the root element `{root}` needs fields")),
    }
}

fn element_at<'a>(eval: Eval<'a>, name: &str, fields: &'a [Field], at: Option<&At<'_>>) -> Res<XmlNode> {
    let mut node = XmlNode::new(name);
    for field in fields {
        if !field.attribute && field.key != TEXT {
            match &field.shape {
                Shape::Cell(relation, column) => {
                    of_field(&field.key, plain(cell(eval, *relation, *column, at)?.into_value())?, &mut node.children)?;
                }
                shape => elements(eval, &field.key, shape, at, &mut node.children)?,
            }
            continue;
        }
        let Shape::Cell(relation, column) = &field.shape else {
            return no_result(format!("`{}` of the element `{name}` needs one value", shown(field)));
        };
        let value = cell(eval, *relation, *column, at)?.into_value();
        if matches!(value, Value::List(_) | Value::Object(_) | Value::Rows(_)) {
            let kind = value.kind();
            return no_result(format!("`{}` of the element `{name}` needs one value, not {kind}", shown(field)));
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

fn shown(field: &Field) -> String {
    format!("{}{}", if field.attribute { "@" } else { "" }, field.key)
}

/// The elements that a field gives: one, or as many as an array or list has.
fn elements<'a>(eval: Eval<'a>, name: &str, shape: &'a Shape, at: Option<&At<'_>>, out: &mut Vec<XmlNode>) -> Res<()> {
    match shape {
        Shape::Cell(relation, column) => of_value(name, plain(cell(eval, *relation, *column, at)?.into_value())?, out),
        Shape::Object(fields) => {
            out.push(element_at(eval, name, fields, at)?);
            Ok(())
        }
        Shape::Array(relation, item) => rows_of(eval, *relation, at)?
            .try_for_each(|row| elements(eval, name, item, Some(&At { relation: *relation, row, outer: at }), out)),
    }
}

/// A field whose value is null has no element, as it has no attribute.
fn of_field(name: &str, value: Value, out: &mut Vec<XmlNode>) -> Res<()> {
    if value.is_null() { Ok(()) } else { of_value(name, value, out) }
}

/// A list is one element an item, an object's fields are child elements. A null among the elements of an array or list is an empty element,
/// so that the others keep their positions and there are as many elements as rows.
fn of_value(name: &str, value: Value, out: &mut Vec<XmlNode>) -> Res<()> {
    let mut node = XmlNode::new(name);
    match value {
        Value::Null => {}
        Value::List(items) => {
            return items.into_iter().try_for_each(|item| match item {
                Value::List(_) => no_result(format!(
                    "a list directly inside the list `{name}` cannot be written in XML; put it into an object"
                )),
                item => of_value(name, item, out),
            });
        }
        Value::Object(fields) => {
            fields.into_iter().try_for_each(|(key, value)| of_field(&key, value, &mut node.children))?;
        }
        scalar => node.text = Some(scalar),
    }
    out.push(node);
    Ok(())
}
