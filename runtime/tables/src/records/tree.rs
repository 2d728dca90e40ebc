//! The elements of an array of JSON or YAML, each of which is a record. Keys are headers; the keys of nested objects follow after those of the outer
//! ones: `db.port`. The objects on the lines of a text are records in the same way.

use model::Value;
use model::singular::{Singular, Step};

use super::choice::{Choice, describe_count};
use super::columns::{Columns, ensure_cell};
use crate::fault::Wrong;
use crate::tree::json::read_line;
use crate::tree::{Marks, Tree, mark_of};
use crate::{FaultKind, Raw, Record, Records, Unreadable};

/// The header of an array of scalars.
pub const ELEMENT: &str = "value";

/// Reads the records of the array at a path, or of a file that is an array.
pub(super) fn read_records(at: Option<&str>, tree: &Tree) -> Result<Records<'static>, Wrong> {
    let value = match at {
        None => Some(&tree.value),
        // A path that selects several places does not identify one; the checker has reported that.
        Some(path) => {
            Singular::parse(path).ok().and_then(|path| path.steps().iter().try_fold(&tree.value, follow_step))
        }
    };
    let no_array = |found: Option<&'static str>| {
        let mut arrays = Vec::new();
        collect_arrays(&tree.value, "$", 0, MAX_ARRAYS, &mut arrays);
        let arrays = arrays.into_iter().map(|(path, _)| path).collect();
        (0, FaultKind::NoArray { at: at.unwrap_or("$").to_owned(), found, arrays })
    };
    let elements = match value {
        Some(Value::List(elements)) => elements,
        None => return Err(no_array(None)),
        Some(Value::Null) => return Err(no_array(Some("null"))),
        Some(Value::Object(_)) => return Err(no_array(Some("an object"))),
        Some(other) => match find_problem(other, &tree.marks) {
            Some(odd) => return Err((0, FaultKind::Unreadable(odd.clone()))),
            None => return Err(no_array(Some("a single value"))),
        },
    };
    let mut table = Table { marks: &tree.marks, columns: Columns::default() };
    let mut records = Records::default();
    let positions = elements.iter().any(|element| matches!(element, Value::List(_)));
    for (element, number) in elements.iter().zip(1_u32..) {
        let mut cells = Vec::new();
        match element {
            Value::List(items) => {
                for (place, item) in items.iter().enumerate() {
                    table.columns.widen_to(place, number)?;
                    cells.push(table.convert_value(item));
                }
            }
            Value::Object(_) if !positions => table.fill_object("", element, &mut cells, number)?,
            single => {
                let place = if positions { 0 } else { table.columns.place_header(ELEMENT, number)? };
                table.columns.widen_to(place, number)?;
                cells.resize(place, Raw::Value(Value::Null));
                cells.push(table.convert_value(single));
            }
        }
        table.columns.count_cells(cells.len(), number)?;
        records.rows.push(Record { number, line: number, cells });
    }
    table.columns.finish_records(&mut records)?;
    Ok(records)
}

/// Reads the records of a text with a JSON object on each line. Blank lines are not records.
pub(super) fn read_lines(text: &str) -> Result<Records<'static>, Wrong> {
    let mut columns = Columns::default();
    let mut records = Records::default();
    for (line, at) in model::lines::split_lines(text).zip(1_u32..).filter(|(line, _)| !line.trim().is_empty()) {
        let refuse = |why: String, help: String| {
            let message = format!("line {at} is not a JSON object: {why}");
            (at, FaultKind::Unreadable(Unreadable::new(message, help)))
        };
        let tree = read_line(line).map_err(|odd| refuse(odd.message, odd.help))?;
        if !matches!(tree.value, Value::Object(_)) {
            let found = if matches!(tree.value, Value::List(_)) { "an array" } else { "a single value" };
            return Err(refuse(format!("it is {found}"), "write an object on each line: {\"key\": 1}".to_owned()));
        }
        let mut table = Table { marks: &tree.marks, columns };
        let mut cells = Vec::new();
        table.fill_object("", &tree.value, &mut cells, at)?;
        table.columns.count_cells(cells.len(), at)?;
        columns = table.columns;
        let number = u32::try_from(records.rows.len()).unwrap_or(u32::MAX).saturating_add(1);
        records.rows.push(Record { number, line: at, cells });
    }
    columns.finish_records(&mut records)?;
    Ok(records)
}

/// Follows one step of a path.
fn follow_step<'v>(value: &'v Value, step: &Step) -> Option<&'v Value> {
    match (value, step) {
        (_, Step::Name(name)) => value.find_field(name),
        (Value::List(items), Step::Index(index)) => items.get(Step::resolve_index(*index, items.len())?),
        _ => None,
    }
}

/// Maximum number of arrays that are named and proposed; also the maximum number of objects around an array of objects.
const MAX_ARRAYS: usize = 3;
const MAX_CHOICES: usize = 50;
const MAX_DEPTH: usize = 8;

/// Appends the paths of arrays that plain keys reach from a value, with the number of elements of each.
fn collect_arrays(value: &Value, path: &str, depth: usize, most: usize, arrays: &mut Vec<(String, usize)>) {
    match value {
        Value::List(items) if arrays.len() < most => arrays.push((path.to_owned(), items.len())),
        Value::Object(fields) if depth < MAX_DEPTH => {
            for (key, value) in fields {
                let below = format!("{path}.{key}");
                if arrays.len() < most && Singular::parse(&below).is_ok() {
                    collect_arrays(value, &below, depth + 1, most, arrays);
                }
            }
        }
        _ => {}
    }
}

/// Lists the arrays that can be the table.
pub(super) fn list_choices(tree: &Tree) -> Vec<Choice> {
    let mut arrays = Vec::new();
    collect_arrays(&tree.value, "$", 0, MAX_CHOICES, &mut arrays);
    let choice = |(at, count): (String, usize)| Choice { at, shows: describe_count(count) };
    arrays.into_iter().map(choice).collect()
}

/// Returns the problem at the place of this value.
fn find_problem<'m>(value: &Value, marks: &'m Marks) -> Option<&'m Unreadable> {
    marks.find_problem(mark_of(value)?)
}

/// Reports a name that two fields of an element have.
fn report_duplicate(name: &str) -> Unreadable {
    let message = format!("two of its fields are called `{name}`, one of them within an object");
    Unreadable::new(message, "rename one of them in the file: a point leads into an object")
}

/// The columns until now, and the problems of the file.
struct Table<'m> {
    marks: &'m Marks,
    columns: Columns,
}

impl Table<'_> {
    /// Writes the fields of an object to their cells. Each field of a nested object has its own cell.
    fn fill_object(
        &mut self,
        within: &str,
        object: &Value,
        cells: &mut Vec<Raw<'static>>,
        row: u32,
    ) -> Result<(), Wrong> {
        let Value::Object(fields) = object else { return Ok(()) };
        for (key, value) in fields {
            let name = format!("{within}{key}");
            if matches!(value, Value::Object(fields) if !fields.is_empty()) {
                self.fill_object(&format!("{name}."), value, cells, row)?;
                continue;
            }
            let place = self.columns.place_header(&name, row)?;
            let raw = self.convert_value(value);
            if let Some(cell) = ensure_cell(cells, place) {
                // Both `"a.b": 1` and `"a": {"b": 2}` have the header `a.b`.
                let second = !matches!(cell, Raw::Value(Value::Null));
                *cell = if second { Raw::Odd(Box::new(report_duplicate(&name))) } else { raw };
            }
        }
        Ok(())
    }

    fn convert_value(&self, value: &Value) -> Raw<'static> {
        if let Some(odd) = find_problem(value, self.marks) {
            return Raw::Odd(Box::new(odd.clone()));
        }
        match value {
            Value::Text(text) => Raw::from_text(text.clone()),
            value => Raw::Value(value.clone()),
        }
    }
}
