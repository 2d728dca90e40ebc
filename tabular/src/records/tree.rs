//! The elements of an array of JSON or YAML, each a record. Keys are headers, those of objects inside of it after theirs: `db.port`.

use std::collections::HashMap;

use plan::Value;
use plan::singular::{Singular, Step};

use super::Wrong;
use crate::fault::Much;
use crate::limits::{MAX_CELLS, MAX_WIDTH};
use crate::tree::{Marks, Tree, mark_of};
use crate::{Kind, Raw, Record, Records, Unreadable};

/// The header of an array of single values.
pub const ELEMENT: &str = "value";

/// The records of the array at a path; without one, of the file that is an array.
pub(super) fn records(at: Option<&str>, tree: &Tree) -> Result<Records<'static>, Wrong> {
    let value = match at {
        None => Some(&tree.value),
        // A path to several places leads to no single one; the checker has said so.
        Some(path) => Singular::parse(path).ok().and_then(|path| path.steps().iter().try_fold(&tree.value, step)),
    };
    let no_array = |found: Option<&'static str>| {
        let mut arrays = Vec::new();
        arrays_in(&tree.value, "$", 0, &mut arrays);
        (0, Kind::NoArray { at: at.unwrap_or("$").to_owned(), found, arrays })
    };
    let elements = match value {
        Some(Value::List(elements)) => elements,
        None => return Err(no_array(None)),
        Some(Value::Null) => return Err(no_array(Some("null"))),
        Some(Value::Object(_)) => return Err(no_array(Some("an object"))),
        Some(other) => match problem(other, &tree.marks) {
            Some(odd) => return Err((0, Kind::Unreadable(odd.clone()))),
            None => return Err(no_array(Some("a single value"))),
        },
    };
    let mut table = Table { marks: &tree.marks, header: Vec::new(), places: HashMap::new(), cells: 0 };
    let mut records = Records::default();
    let positions = elements.iter().any(|element| matches!(element, Value::List(_)));
    for (element, number) in elements.iter().zip(1_u32..) {
        let mut cells = Vec::new();
        match element {
            Value::List(items) => {
                for (place, item) in items.iter().enumerate() {
                    table.widen(place, number)?;
                    cells.push(table.raw(item));
                }
            }
            Value::Object(_) if !positions => table.object("", element, &mut cells, number)?,
            single => {
                let place = if positions { 0 } else { table.place(ELEMENT, number)? };
                table.widen(place, number)?;
                cells.resize(place, Raw::Value(Value::Null));
                cells.push(table.raw(single));
            }
        }
        table.cells = table.cells.saturating_add(cells.len());
        if table.cells > MAX_CELLS {
            return Err((number, Kind::TooMuch { of: Much::Cells, most: MAX_CELLS }));
        }
        records.rows.push(Record { number, line: number, cells });
    }
    let width = table.header.len();
    if width.saturating_mul(records.rows.len()) > MAX_CELLS {
        return Err((0, Kind::TooMuch { of: Much::Cells, most: MAX_CELLS }));
    }
    records.rows.iter_mut().for_each(|row| row.cells.resize(width, Raw::Value(Value::Null)));
    records.header = table.header;
    Ok(records)
}

/// What is one step further down.
fn step<'v>(value: &'v Value, step: &Step) -> Option<&'v Value> {
    match (value, step) {
        (Value::Object(fields), Step::Name(name)) => fields.iter().find(|(key, _)| key == name).map(|(_, value)| value),
        (Value::List(items), Step::Index(index)) => items.get(Step::place(*index, items.len())?),
        _ => None,
    }
}

/// At most this many arrays are named, and those of objects at most this many objects deep.
const MOST_ARRAYS: usize = 3;
const MOST_DEPTH: usize = 8;

/// Appends the paths of arrays below a value that plain keys lead to.
fn arrays_in(value: &Value, path: &str, depth: usize, arrays: &mut Vec<String>) {
    match value {
        Value::List(_) if arrays.len() < MOST_ARRAYS => arrays.push(path.to_owned()),
        Value::Object(fields) if depth < MOST_DEPTH => {
            for (key, value) in fields {
                let below = format!("{path}.{key}");
                if arrays.len() < MOST_ARRAYS && Singular::parse(&below).is_ok() {
                    arrays_in(value, &below, depth + 1, arrays);
                }
            }
        }
        _ => {}
    }
}

/// What is odd at the place of this value.
fn problem<'m>(value: &Value, marks: &'m Marks) -> Option<&'m Unreadable> {
    marks.problem(mark_of(value)?)
}

/// The columns so far.
struct Table<'m> {
    marks: &'m Marks,
    header: Vec<String>,
    places: HashMap<String, usize>,
    cells: usize,
}

impl Table<'_> {
    /// Puts the fields of an object into their cells. Of objects inside of it each field is a cell.
    fn object(&mut self, within: &str, object: &Value, cells: &mut Vec<Raw<'static>>, row: u32) -> Result<(), Wrong> {
        let Value::Object(fields) = object else { return Ok(()) };
        for (key, value) in fields {
            let name = format!("{within}{key}");
            if matches!(value, Value::Object(fields) if !fields.is_empty()) {
                self.object(&format!("{name}."), value, cells, row)?;
                continue;
            }
            let place = self.place(&name, row)?;
            if cells.len() <= place {
                cells.resize(place + 1, Raw::Value(Value::Null));
            }
            let raw = self.raw(value);
            if let Some(cell) = cells.get_mut(place) {
                *cell = raw;
            }
        }
        Ok(())
    }

    /// The place of a header, which is new if it was not there before.
    fn place(&mut self, name: &str, row: u32) -> Result<usize, Wrong> {
        if let Some(place) = self.places.get(name) {
            return Ok(*place);
        }
        let place = self.header.len();
        self.widen(place, row)?;
        // As all headers are: what asks for one does not know its blanks.
        if let Some(header) = self.header.get_mut(place) {
            *header = crate::header::one_blank(name);
        }
        self.places.insert(name.to_owned(), place);
        Ok(place)
    }

    /// Makes room for a column at this place.
    fn widen(&mut self, place: usize, row: u32) -> Result<(), Wrong> {
        if place >= MAX_WIDTH {
            return Err((row, Kind::TooMuch { of: Much::Columns, most: MAX_WIDTH }));
        }
        if place >= self.header.len() {
            self.header.resize(place + 1, String::new());
        }
        Ok(())
    }

    fn raw(&self, value: &Value) -> Raw<'static> {
        if let Some(odd) = problem(value, self.marks) {
            return Raw::Odd(Box::new(odd.clone()));
        }
        match value {
            Value::Text(text) => Raw::text(text.clone()),
            value => Raw::Value(value.clone()),
        }
    }
}
