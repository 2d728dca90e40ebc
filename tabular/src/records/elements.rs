//! The elements of XML at a path, each a record: `/feed/item`. Attributes are headers such as `@id`, elements inside go by their names, what is
//! inside of these follows after a point: `author.name`, `author.@id`. The element's own text is `#text`.

use plan::Value;

use super::columns::{Columns, cell_at};
use super::{Choice, Wrong};
use crate::tree::xml::Element;
use crate::{Kind, Raw, Record, Records};

/// The header of an element's own text.
pub const TEXT: &str = "#text";

/// At most this many paths are named to an author.
const MOST_PATHS: usize = 12;

/// The records of the elements at a path; without one, of those directly below the root.
pub(super) fn records(at: Option<&str>, root: &Element) -> Result<Records<'static>, Wrong> {
    let mut columns = Columns::default();
    let mut records = Records::default();
    for (element, number) in chosen(at, root)?.into_iter().zip(1_u32..) {
        let mut cells = Vec::new();
        fill(element, "", &mut columns, &mut cells, number)?;
        columns.count(cells.len(), element.line)?;
        records.rows.push(Record { number, line: element.line, cells });
    }
    columns.finish(&mut records)?;
    Ok(records)
}

fn chosen<'e>(at: Option<&str>, root: &'e Element) -> Result<Vec<&'e Element>, Wrong> {
    let Some(at) = at else {
        let elements: Vec<&Element> = root.children().collect();
        let same = elements.windows(2).all(|pair| matches!(pair, [a, b] if a.name == b.name));
        if elements.is_empty() || !same {
            return Err((0, Kind::Elements(paths(root))));
        }
        return Ok(elements);
    };
    let mut names = at.strip_prefix('/').unwrap_or(at).split('/');
    let mut found: Vec<&Element> = names.next().filter(|name| *name == root.name).map(|_| root).into_iter().collect();
    for name in names {
        found =
            found.into_iter().flat_map(|element| element.children().filter(move |child| child.name == name)).collect();
    }
    if found.is_empty() {
        return Err((0, Kind::NoElements { at: at.to_owned(), paths: paths(root) }));
    }
    Ok(found)
}

/// The paths of the elements that can be rows.
pub(super) fn choices(root: &Element) -> Vec<Choice> {
    let choice = |at: String| {
        let count = chosen(Some(at.as_str()), root).map_or(0, |found| found.len());
        Choice { at, shows: if count == 1 { "1 element".to_owned() } else { format!("{count} elements") } }
    };
    paths(root).into_iter().map(choice).collect()
}

/// The paths of the elements that there are, outer ones first.
fn paths(root: &Element) -> Vec<String> {
    let mut known: Vec<String> = Vec::new();
    let mut level: Vec<(String, &Element)> = vec![(format!("/{}", root.name), root)];
    while !level.is_empty() {
        let mut next = Vec::new();
        for (path, element) in level {
            if known.len() >= MOST_PATHS {
                return known;
            }
            next.extend(element.children().map(|child| (format!("{path}/{}", child.name), child)));
            if !known.contains(&path) {
                known.push(path);
            }
        }
        level = next;
    }
    known
}

/// Puts what an element has into the cells of its record.
fn fill(
    element: &Element,
    within: &str,
    columns: &mut Columns,
    cells: &mut Vec<Raw<'static>>,
    row: u32,
) -> Result<(), Wrong> {
    for (name, value) in &element.attributes {
        put(&format!("{within}@{name}"), value, columns, cells, row)?;
    }
    let mut children = element.children().peekable();
    let empty = children.peek().is_none();
    // An element with attributes and nothing in it has no text to speak of; one with nothing at all is the empty text.
    if element.has_text() || empty && element.attributes.is_empty() {
        let name = within.strip_suffix('.').unwrap_or(TEXT);
        put(name, &element.text(), columns, cells, row)?;
    }
    for child in children {
        fill(child, &format!("{within}{}.", child.name), columns, cells, row)?;
    }
    Ok(())
}

/// Of what an element has several times, the cell has a list.
fn put(name: &str, text: &str, columns: &mut Columns, cells: &mut Vec<Raw<'static>>, row: u32) -> Result<(), Wrong> {
    let place = columns.place(name, row)?;
    let Some(cell) = cell_at(cells, place) else { return Ok(()) };
    match cell {
        Raw::Value(Value::Null) => *cell = Raw::text(text.to_owned()),
        Raw::Value(Value::List(items)) => items.push(Value::text(text.trim())),
        first => {
            let first_text = Value::text(first.shown().into_owned());
            *first = Raw::Value(Value::List(vec![first_text, Value::text(text.trim())]));
        }
    }
    Ok(())
}
