//! The steps of simple paths, and what they lead to in the structure of a file.

use model::functions::Family;
use model::json_path::{Segment, Selector, parse_segments};
use model::suite::{RelationId, Shape};

use super::Facts;
use crate::{Relation, Rows};

/// A step of a path.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// A field, or an attribute.
    Field(String),
    /// An element at any depth.
    Deep(String),
    /// All items of an array.
    All,
    /// Those that are in a part of it.
    Slice,
    /// Those that meet a condition.
    Filter,
    /// An item of an array, from 0; in XML from 1.
    Item(u64),
    /// An item from the end, from 1.
    Back(u64),
}

impl Step {
    /// Whether it can select several places.
    pub fn is_many(&self) -> bool {
        matches!(self, Step::Deep(_) | Step::All | Step::Slice | Step::Filter)
    }
}

/// What a path leads to.
#[derive(Clone, Copy)]
pub struct Target<'a> {
    /// The place in the structure.
    pub shape: &'a Shape,
    /// Whether it can be several places.
    pub many: bool,
    /// Whether there is surely one.
    pub exists: bool,
    /// Whether it is in an item of an array.
    inside: bool,
    /// The rows of which it is one: elements of one name.
    rows: Option<RelationId>,
}

impl<'a> Target<'a> {
    fn at_root(shape: &'a Shape) -> Target<'a> {
        Target { shape, many: false, exists: true, inside: false, rows: None }
    }

    /// The items of an array that surely has one.
    pub fn enter_items(self, item: &'a Shape) -> Target<'a> {
        Target { shape: item, many: true, inside: true, rows: None, ..self }
    }

    /// The same, if there may be none.
    fn doubt_if_empty(self, least: u64) -> Target<'a> {
        Target { exists: self.exists && least > 0, ..self }
    }
}

/// The steps of a path, in XML without the root.
pub fn read_steps(family: Family, path: &str) -> Option<Vec<Step>> {
    match family {
        Family::Json | Family::Yaml => read_json_steps(path.trim()),
        Family::Xml => read_xml_steps(path.trim()),
    }
}

/// The steps of a JSONPath.
fn read_json_steps(path: &str) -> Option<Vec<Step>> {
    let (segments, end) = parse_segments(path, 0)?;
    let read = |Segment { descendants, selectors }: &Segment| match selectors.as_slice() {
        _ if *descendants => None,
        [(selector, ..)] => Some(match selector {
            Selector::Name(name) => Step::Field(name.clone()),
            Selector::Index(at) if *at < 0 => Step::Back(at.unsigned_abs()),
            Selector::Index(at) => Step::Item(at.unsigned_abs()),
            Selector::Wildcard => Step::All,
            Selector::Slice(_) => Step::Slice,
            Selector::Filter(_) => Step::Filter,
        }),
        _ => None,
    };
    (path.starts_with('$') && end == path.len()).then(|| segments.iter().map(read).collect()).flatten()
}

/// The steps of an XPath of names and conditions.
fn read_xml_steps(path: &str) -> Option<Vec<Step>> {
    let mut rest = path;
    let mut steps = Vec::new();
    while !rest.is_empty() {
        let (after, is_deep) = match rest.strip_prefix("//") {
            Some(after) => (after, true),
            None => (rest.strip_prefix('/')?, false),
        };
        let end = after.find(['/', '[']).unwrap_or(after.len());
        let name = after.get(..end)?;
        is_name(name.strip_prefix('@').filter(|_| !is_deep).unwrap_or(name)).then_some(())?;
        steps.push(if is_deep { Step::Deep(name.to_owned()) } else { Step::Field(name.to_owned()) });
        rest = after.get(end..)?;
        while let Some(after) = rest.strip_prefix('[') {
            let end = find_bracket(after)?;
            steps.push(match after.get(..end).and_then(|inside| inside.trim().parse().ok()) {
                Some(at) => Step::Item(at),
                None => Step::Filter,
            });
            rest = after.get(end + 1..)?;
        }
    }
    match steps.first()? {
        // The root.
        Step::Field(_) => Some(steps.split_off(1)),
        _ => Some(steps),
    }
}

/// The place of the bracket that closes the one before a text.
fn find_bracket(text: &str) -> Option<usize> {
    let (mut depth, mut quote) = (1u32, None);
    for (at, c) in text.char_indices() {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            (_, Some(_)) => {}
            ('"' | '\'', None) => quote = Some(c),
            ('[', None) => depth += 1,
            (']', None) => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

fn is_name(step: &str) -> bool {
    !step.is_empty() && step.chars().all(|char| char.is_alphanumeric() || char == '_')
}

/// What steps lead to from the root of a file. `None` if that is not known.
pub fn follow_steps<'a>(facts: &Facts<'a>, root: &'a Shape, family: Family, steps: &[Step]) -> Option<Target<'a>> {
    steps.iter().try_fold(Target::at_root(root), |target, step| match family {
        Family::Xml => follow_xml_step(facts, target, step),
        Family::Json | Family::Yaml => follow_json_step(facts, target, step),
    })
}

/// Follows a step from a place, or from each of several.
pub fn follow_json_step<'a>(facts: &Facts<'a>, target: Target<'a>, step: &Step) -> Option<Target<'a>> {
    let least = |relation: &RelationId| count_items(facts, *relation, &target);
    match (step, target.shape) {
        (Step::Field(name), Shape::Object(fields)) => {
            let field = fields.iter().find(|field| field.key == *name && !field.attribute)?;
            Some(Target { shape: &field.shape, ..target })
        }
        (Step::All, Shape::Array(relation, item)) => Some(target.enter_items(item).doubt_if_empty(least(relation))),
        (Step::Slice | Step::Filter, Shape::Array(_, item)) => Some(target.enter_items(item).doubt_if_empty(0)),
        (Step::Item(at), Shape::Array(relation, item)) => {
            let exists = target.exists && least(relation) > *at;
            Some(Target { shape: item, exists, inside: true, ..target })
        }
        (Step::Back(at), Shape::Array(relation, item)) => {
            let exists = target.exists && least(relation) >= *at;
            Some(Target { shape: item, exists, inside: true, ..target })
        }
        _ => None,
    }
}

fn follow_xml_step<'a>(facts: &Facts<'a>, target: Target<'a>, step: &Step) -> Option<Target<'a>> {
    match (step, target.shape) {
        (Step::Field(name), Shape::Object(fields)) => {
            let (key, attribute) = match name.strip_prefix('@') {
                Some(key) => (key, true),
                None => (name.as_str(), false),
            };
            let field = fields.iter().find(|field| field.key == key && field.attribute == attribute)?;
            Some(match &field.shape {
                // Each item is an element of this name.
                Shape::Array(relation, item) => {
                    let rows = (!target.many).then_some(*relation);
                    Target { rows, ..target.enter_items(item).doubt_if_empty(0) }
                }
                shape => Target { shape, rows: None, ..target },
            })
        }
        (Step::Deep(name), shape) => {
            let mut found = Vec::new();
            collect_elements(shape, name, &mut found);
            match found.as_slice() {
                [only] => Some(target.enter_items(only).doubt_if_empty(0)),
                _ => None,
            }
        }
        // A condition on elements.
        (Step::Filter, _) => Some(Target { exists: false, rows: None, ..target }),
        (Step::Item(at), _) => {
            let exists = facts.count_rows(target.rows?).least >= (*at).max(1);
            Some(Target { exists, many: false, rows: None, ..target })
        }
        _ => None,
    }
}

/// Collects the elements of a name below a place.
fn collect_elements<'a>(shape: &'a Shape, name: &str, found: &mut Vec<&'a Shape>) {
    match shape {
        Shape::Cell(..) => {}
        Shape::Array(_, item) => collect_elements(item, name, found),
        Shape::Object(fields) => {
            for field in fields {
                if field.key == name && !field.attribute {
                    found.push(match &field.shape {
                        Shape::Array(_, item) => item,
                        other => other,
                    });
                }
                collect_elements(&field.shape, name, found);
            }
        }
    }
}

/// The least number of items of an array at a place; of each of them, if it is in the items of another one.
fn count_items(facts: &Facts<'_>, relation: RelationId, target: &Target<'_>) -> u64 {
    if !target.inside {
        return facts.count_rows(relation).least;
    }
    match facts.task().relations.get(relation) {
        Some(Relation { rows: Rows::PerRow { low, .. }, .. }) => {
            let least = facts.infer_expr(low, model::suite::Scope::default()).as_int_range().map(|(low, _)| low);
            least.and_then(|least| u64::try_from(least).ok()).unwrap_or(0)
        }
        _ => 0,
    }
}
