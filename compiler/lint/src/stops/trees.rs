//! Evaluates simple paths into JSON, YAML, and XML files of an imagined sample: names one after another, through at most one array.

use model::functions::{AVG, Family, FunctionId, Kernel, MAX, MIN, Question, SUM};
use model::suite::{ColumnId, FileId, RelationId, Shape};
use model::{Val, Value};

use super::fault::{Res, Stop};
use super::world::World;

/// What a path leads to.
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
    path: &str,
) -> Res<Value> {
    let shape = world.task.files.get(file).and_then(|file| file.content.shape()).ok_or(Stop::Unknown)?;
    let steps = match family {
        Family::Json | Family::Yaml => read_json_steps(path),
        Family::Xml => read_xml_steps(path),
    };
    let place = follow_steps(shape, &steps.ok_or(Stop::Unknown)?).ok_or(Stop::Unknown)?;
    match (question, place) {
        (Question::Value | Question::Whole | Question::Attribute, Place::Single(relation, column)) => {
            world.read_table(relation)?.read_cell(column, 0)
        }
        (Question::Count | Question::CountWhere, Place::Items(relation) | Place::Each(relation, _)) => {
            Ok(Value::Int(world.read_table(relation)?.count_known_rows()? as i64))
        }
        (question, Place::Each(relation, column)) => {
            let function = find_aggregate(question).ok_or(Stop::Unknown)?;
            let Kernel::Fold(kernel) = function.kernel else { return Err(Stop::Unknown) };
            let cells = world.read_table(relation)?.read_column(column)?;
            let mut known = cells.iter().filter(|cell| !cell.is_null()).map(Val::Ref);
            kernel(function.name, &mut known).map(Val::into_value).map_err(|_| Stop::Unknown)
        }
        _ => Err(Stop::Unknown),
    }
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

/// The names of `$.a.b[*].c`; the stars are left out. `None` for any other path.
fn read_json_steps(path: &str) -> Option<Vec<&str>> {
    let rest = path.trim().strip_prefix('$')?;
    if rest.is_empty() {
        return None;
    }
    let steps = rest.strip_prefix('.')?.split('.').map(|step| step.strip_suffix("[*]").unwrap_or(step));
    steps.map(|step| is_name(step).then_some(step)).collect()
}

/// The names of `/root/a/b`, without the root. `None` for any other path.
fn read_xml_steps(path: &str) -> Option<Vec<&str>> {
    let mut steps = path.trim().strip_prefix('/')?.split('/');
    is_name(steps.next()?).then_some(())?;
    steps.map(|step| is_name(step.strip_prefix('@').unwrap_or(step)).then_some(step)).collect()
}

fn is_name(step: &str) -> bool {
    !step.is_empty() && step.chars().all(|char| char.is_alphanumeric() || char == '_')
}

fn follow_steps(shape: &Shape, steps: &[&str]) -> Option<Place> {
    let (mut at, mut array) = (shape, None);
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
            None => (*step, false),
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
