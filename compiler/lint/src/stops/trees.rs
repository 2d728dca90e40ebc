//! Evaluates simple paths into JSON, YAML, and XML files of an imagined sample: names one after another, through at most one array. The first name of an XPath
//! can be one at any depth, `//name`.

use model::functions::{AVG, Family, FunctionId, Kernel, MAX, MIN, Question, SUM};
use model::suite::{ColumnId, FileId, PathQuery, RelationId, Shape};
use model::{Val, Value};

use super::fault::{Res, Stop};
use super::world::World;
use crate::domains::is_met_by_row;
use model::json_path::{Segment, Selector, parse_segments};

/// What a path leads to.
#[derive(Clone, Copy)]
enum Place {
    /// A value outside of arrays.
    Single(RelationId, ColumnId),
    /// A value in each row of an array.
    Each(RelationId, ColumnId),
    /// An array, or each of its items.
    Items(RelationId),
}

/// The answer to a question about a path, if the path is simple.
pub(super) fn answer_question(
    world: &World<'_>,
    (family, question): (Family, Question),
    file: FileId,
    path: &PathQuery,
) -> Res<Value> {
    let shape = world.task.files.get(file).and_then(|file| file.content.shape()).ok_or(Stop::Unknown)?;
    let steps = match family {
        Family::Json | Family::Yaml => read_json_steps(&path.text),
        Family::Xml => read_xml_steps(&path.text),
    };
    let steps = steps.ok_or(Stop::Unknown)?;
    let place = follow_path(shape, &steps).ok_or(Stop::Unknown)?;
    let rows = match (steps.filter, place) {
        (None, _) => None,
        (Some(_), Place::Single(..)) => return Err(Stop::Unknown),
        (Some(_), Place::Each(relation, _) | Place::Items(relation)) => Some(list_rows(world, path, relation)?),
    };
    match (question, place) {
        (Question::Value | Question::Whole | Question::Attribute, Place::Single(relation, column)) => {
            world.read_table(relation)?.read_cell(column, 0)
        }
        (Question::Count | Question::CountWhere, Place::Items(relation) | Place::Each(relation, _)) => {
            let all = world.read_table(relation)?.count_known_rows()?;
            Ok(Value::Int(rows.map_or(all, |rows| rows.len()) as i64))
        }
        (Question::CountWhere, Place::Single(relation, column)) => {
            let is_there = family != Family::Xml || !world.read_table(relation)?.read_cell(column, 0)?.is_null();
            Ok(Value::Int(i64::from(is_there)))
        }
        (question, Place::Each(relation, column) | Place::Single(relation, column)) => {
            let function = find_aggregate(question).ok_or(Stop::Unknown)?;
            let Kernel::Fold(kernel) = function.kernel else { return Err(Stop::Unknown) };
            let cells = world.read_table(relation)?.read_column(column)?;
            let is_taken = |row: &usize| rows.as_ref().is_none_or(|rows| rows.contains(row));
            let cells = cells.iter().enumerate().filter(|(row, _)| is_taken(row)).map(|(_, cell)| cell);
            let mut known = cells.filter(|cell| !cell.is_null()).map(Val::Ref);
            kernel(function.name, &mut known).map(Val::into_value).map_err(|_| Stop::Unknown)
        }
        _ => Err(Stop::Unknown),
    }
}

/// The rows of an array that meet the only predicate of a path.
fn list_rows(world: &World<'_>, path: &PathQuery, relation: RelationId) -> Res<Vec<usize>> {
    let mut predicates = world.task.notes.path_predicates.iter().filter(|noted| noted.path == path.span);
    let (Some(noted), None) = (predicates.next(), predicates.next()) else { return Err(Stop::Unknown) };
    let table = world.read_table(relation)?;
    let mut rows = Vec::new();
    for row in 0..table.count_known_rows()? {
        world.spend_work(2)?;
        let read = |of: RelationId, column| (of == relation).then(|| table.read_cell(column, row).ok()).flatten();
        if is_met_by_row(&noted.predicate, &read).ok_or(Stop::Unknown)? {
            rows.push(row);
        }
    }
    Ok(rows)
}

fn find_aggregate(question: Question) -> Option<FunctionId> {
    match question {
        Question::Sum => Some(SUM),
        Question::Avg => Some(AVG),
        Question::Max => Some(MAX),
        Question::Min => Some(MIN),
        _ => None,
    }
}

/// The names of a path.
struct Steps {
    names: Vec<String>,
    /// Whether the first one can be at any depth.
    is_deep: bool,
    /// After how many names there is a predicate.
    filter: Option<usize>,
}

/// The names of `$.a.b[*]['c']`; the stars are left out. `None` for any other path.
fn read_json_steps(path: &str) -> Option<Steps> {
    let path = path.trim();
    let (segments, end) = parse_segments(path, 0)?;
    let mut steps = Steps { names: Vec::new(), is_deep: false, filter: None };
    for Segment { descendants, selectors } in &segments {
        match selectors.as_slice() {
            [(Selector::Name(name), ..)] if !descendants => steps.names.push(name.clone()),
            [(Selector::Wildcard, ..)] if !descendants && !steps.names.is_empty() => {}
            [(Selector::Filter(_), ..)] if !descendants && steps.filter.is_none() => {
                steps.filter = Some(steps.names.len());
            }
            _ => return None,
        }
    }
    (end == path.len() && !steps.names.is_empty()).then_some(steps)
}

/// The names of `/root/a/b`, without the root, or of `//a/b`. `None` for any other path.
fn read_xml_steps(path: &str) -> Option<Steps> {
    let path = path.trim();
    let is_deep = path.starts_with("//");
    let rest = path.strip_prefix(if is_deep { "//" } else { "/" })?;
    // One predicate, which can contain slashes.
    let (before, after) = match (rest.find('['), rest.rfind(']')) {
        (Some(open), Some(close)) => (rest.get(..open)?, Some(rest.get(close + 1..)?)),
        _ => (rest, None),
    };
    let skipped = usize::from(!is_deep);
    let mut names: Vec<String> = before.split('/').map(str::to_owned).collect();
    let filter = after.map(|_| names.len().saturating_sub(skipped));
    if let Some(after) = after.filter(|after| !after.is_empty()) {
        names.extend(after.strip_prefix('/')?.split('/').map(str::to_owned));
    }
    let known = names.iter().all(|step| is_name(step.strip_prefix('@').unwrap_or(step)));
    known.then(|| Steps { names: names.into_iter().skip(skipped).collect(), is_deep, filter })
}

fn is_name(step: &str) -> bool {
    !step.is_empty() && step.chars().all(|char| char.is_alphanumeric() || char == '_')
}

fn follow_path(shape: &Shape, steps: &Steps) -> Option<Place> {
    let part = if steps.is_deep {
        let mut found = Vec::new();
        find_deep((shape, None), steps.names.first()?, &mut found)?;
        match found.as_slice() {
            [only] => *only,
            _ => return None,
        }
    } else {
        (shape, None)
    };
    // A predicate is about the items of an array.
    let filtered = steps.filter.map(|names| follow_steps(part, steps.names.get(..names)?));
    match filtered {
        None | Some(Some(Place::Items(_) | Place::Each(..))) => follow_steps(part, &steps.names),
        Some(_) => None,
    }
}

/// A part of a structure, and the array in which it is.
type Part<'s> = (&'s Shape, Option<RelationId>);

/// Finds the objects that have a field with this name. `None` if one is in several arrays.
fn find_deep<'s>((shape, array): Part<'s>, name: &str, found: &mut Vec<Part<'s>>) -> Option<()> {
    match shape {
        Shape::Cell(..) => Some(()),
        Shape::Array(relation, item) => {
            let inner = if array.is_some() { None } else { Some(*relation) };
            let mut below = Vec::new();
            find_deep((item, inner), name, &mut below)?;
            (inner.is_some() || below.is_empty()).then(|| found.extend(below))
        }
        Shape::Object(fields) => {
            found.extend(fields.iter().any(|field| field.key == name && !field.attribute).then_some((shape, array)));
            fields.iter().try_for_each(|field| find_deep((&field.shape, array), name, found))
        }
    }
}

fn follow_steps((shape, array): Part<'_>, steps: &[String]) -> Option<Place> {
    let (mut at, mut array) = (shape, array);
    for step in steps {
        // A name after an array is one of its items.
        if let Shape::Array(relation, item) = at {
            if array.replace(*relation).is_some() {
                return None;
            }
            at = item;
        }
        let Shape::Object(fields) = at else { return None };
        let (key, attribute) = match step.strip_prefix('@') {
            Some(key) => (key, true),
            None => (step.as_str(), false),
        };
        at = &fields.iter().find(|field| field.key == key && field.attribute == attribute)?.shape;
    }
    match (at, array) {
        (Shape::Cell(relation, column), None) => Some(Place::Single(*relation, *column)),
        (Shape::Cell(_, column), Some(relation)) => Some(Place::Each(relation, *column)),
        (Shape::Array(relation, item), None) => match item.as_ref() {
            Shape::Cell(_, column) => Some(Place::Each(*relation, *column)),
            _ => Some(Place::Items(*relation)),
        },
        _ => None,
    }
}

/// Calls `visit` for every column in a structure.
pub(super) fn visit_cells(shape: &Shape, visit: &mut dyn FnMut((RelationId, ColumnId))) {
    match shape {
        Shape::Cell(relation, column) => visit((*relation, *column)),
        Shape::Object(fields) => fields.iter().for_each(|field| visit_cells(&field.shape, visit)),
        Shape::Array(_, item) => visit_cells(item, visit),
    }
}
