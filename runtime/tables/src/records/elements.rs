//! The elements of XML at a path, each of which is a record: `/feed/item`. Attributes have headers such as `@id`, child elements have their names,
//! and deeper ones follow after a point: `author.name`, `author.@id`. The element's own text is `#text`.

use std::collections::BTreeMap;

use model::Value;
use model::elements::Element;

use super::choice::{Choice, describe_count};
use super::columns::{Columns, ensure_cell};
use crate::fault::Wrong;
use crate::{FaultKind, Raw, Record, Records};

/// The header of an element's own text.
pub const TEXT: &str = "#text";

/// Maximum number of paths shown to an author.
const MAX_PATHS: usize = 12;

/// Reads the records of the elements at a path, or of those directly below the root.
pub(super) fn read_records(at: Option<&str>, root: &Element) -> Result<Records<'static>, Wrong> {
    let mut reader = Reader::default();
    let mut places = Places::default();
    let mut records = Records::default();
    for (element, number) in choose_elements(at, root)?.into_iter().zip(1_u32..) {
        reader.row = number;
        reader.fill_row(element, &mut places)?;
        let cells = std::mem::take(&mut reader.cells);
        reader.columns.count_cells(cells.len(), element.line)?;
        records.rows.push(Record { number, line: element.line, cells });
    }
    reader.columns.finish_records(&mut records)?;
    Ok(records)
}

fn choose_elements<'e>(at: Option<&str>, root: &'e Element) -> Result<Vec<&'e Element>, Wrong> {
    let Some(at) = at else {
        let elements: Vec<&Element> = root.children().collect();
        let same = elements.windows(2).all(|pair| matches!(pair, [a, b] if a.name == b.name));
        if elements.is_empty() || !same {
            let groups = group_elements(root);
            let rows =
                groups.iter().find(|group| group.repeats).or_else(|| groups.get(1)).map(|group| group.path.clone());
            return Err((0, FaultKind::Elements { rows, paths: groups.into_iter().map(|group| group.path).collect() }));
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
        return Err((0, FaultKind::NoElements { at: at.to_owned(), paths: list_paths(root) }));
    }
    Ok(found)
}

/// Lists the paths of the elements that can be rows.
pub(super) fn list_choices(root: &Element) -> Vec<Choice> {
    let choice = |group: Group<'_>| Choice { at: group.path, shows: describe_count(group.elements.len()) };
    group_elements(root).into_iter().map(choice).collect()
}

/// The elements with the same path.
struct Group<'e> {
    path: String,
    elements: Vec<&'e Element>,
    /// Whether one element contains two of them, so they look like rows.
    repeats: bool,
}

/// Groups the elements by path, outer ones first. Elements are many and paths are long, so each path is stored once.
fn group_elements(root: &Element) -> Vec<Group<'_>> {
    let mut known = vec![Group { path: format!("/{}", root.name), elements: vec![root], repeats: false }];
    let mut at = 0;
    while let Some(group) = known.get(at) {
        let mut inner: Vec<Group<'_>> = Vec::new();
        // The position of each name in `inner`, and the last element that contained it.
        let mut names = BTreeMap::<&str, (usize, usize)>::new();
        for (outer, element) in group.elements.iter().enumerate() {
            for child in element.children() {
                let name = child.name.as_str();
                match names.get_mut(name) {
                    Some((place, last)) => {
                        if let Some(same) = inner.get_mut(*place) {
                            same.repeats |= *last == outer;
                            same.elements.push(child);
                        }
                        *last = outer;
                    }
                    None if known.len() + inner.len() < MAX_PATHS => {
                        names.insert(name, (inner.len(), outer));
                        let path = format!("{}/{name}", group.path);
                        inner.push(Group { path, elements: vec![child], repeats: false });
                    }
                    None => {}
                }
            }
        }
        known.append(&mut inner);
        at += 1;
    }
    known
}

fn list_paths(root: &Element) -> Vec<String> {
    group_elements(root).into_iter().map(|group| group.path).collect()
}

/// The columns of one path inside a row. Elements are many and paths are long, so a column is found name by name, and its full header is stored once.
#[derive(Default)]
struct Places<'e> {
    text: Option<usize>,
    attributes: BTreeMap<&'e str, usize>,
    inner: BTreeMap<&'e str, Places<'e>>,
}

/// Reads one row after another.
#[derive(Default)]
struct Reader {
    columns: Columns,
    row: u32,
    /// The cells of the row.
    cells: Vec<Raw<'static>>,
    /// The names of the enclosing elements, each followed by a point.
    within: String,
}

impl Reader {
    /// Writes the content of an element to the cells of its row.
    fn fill_row<'e>(&mut self, element: &'e Element, places: &mut Places<'e>) -> Result<(), Wrong> {
        for (name, value) in &element.attributes {
            let place = match places.attributes.get(name.as_str()) {
                Some(place) => *place,
                None => {
                    let place = self.columns.place_header(&format!("{}@{name}", self.within), self.row)?;
                    places.attributes.insert(name, place);
                    place
                }
            };
            self.put_text(place, value);
        }
        let mut children = element.children().peekable();
        let empty = children.peek().is_none();
        // An element with attributes but without content has no text; one without both has the empty text.
        if element.has_text() || empty && element.attributes.is_empty() {
            let place = match places.text {
                Some(place) => place,
                None => self.columns.place_header(self.within.strip_suffix('.').unwrap_or(TEXT), self.row)?,
            };
            places.text = Some(place);
            self.put_text(place, &element.collect_text());
        }
        for child in children {
            let outer = self.within.len();
            self.within.push_str(&child.name);
            self.within.push('.');
            self.fill_row(child, places.inner.entry(&child.name).or_default())?;
            self.within.truncate(outer);
        }
        Ok(())
    }

    /// Writes a text to a cell. If an element has several, the cell contains a list.
    fn put_text(&mut self, place: usize, text: &str) {
        let Some(cell) = ensure_cell(&mut self.cells, place) else { return };
        match cell {
            Raw::Value(Value::Null) => *cell = Raw::from_text(text.to_owned()),
            Raw::Value(Value::List(items)) => items.push(Value::from_text(text)),
            first => {
                let first_text = Value::from_text(first.render_cell().into_owned());
                *first = Raw::Value(Value::List(vec![first_text, Value::from_text(text)]));
            }
        }
    }
}
