//! The conditions in the filters of a JSONPath, with what is known of their sides.

use model::json_path::{Comparable, FilterTest, Segment, Selector, TestKind};

use super::condition::{Condition, Language, Operand, Pattern, Reached, Test};
use super::form::Form;
use super::json::{Place, follow_known_segments};
use super::leaf::Leaf;
use crate::types::{Ty, TyKind};

/// The conditions of a filter, whose contexts are these positions.
pub fn collect_conditions(tests: &[FilterTest], inside: &[Place<'_>]) -> Vec<Condition> {
    tests
        .iter()
        .map(|FilterTest { place, kind }| {
            let test = match kind {
                TestKind::Compare(op, left, right) => {
                    Test::Compare(*op, build_operand(left, inside), build_operand(right, inside))
                }
                TestKind::Exists(path) => Test::Exists(find_operand(path, inside)),
                TestKind::Matches(path, pattern, whole) => {
                    let kind = if *whole { Pattern::Whole } else { Pattern::Part };
                    Test::Matches(find_operand(path, inside), kind, pattern.clone())
                }
            };
            Condition { place: *place, language: Language::Json, test }
        })
        .collect()
}

fn build_operand(side: &Comparable, inside: &[Place<'_>]) -> Operand {
    match side {
        Comparable::Literal(value) => Operand::Literal(value.clone()),
        Comparable::Path(path) => find_operand(path, inside),
        Comparable::Length(path) => find_length(path, inside),
        Comparable::Count(path) => find_count(path, inside),
        Comparable::Other => Operand::Unknown,
    }
}

/// The values that a path leads to from each context.
fn find_operand(path: &[Segment], inside: &[Place<'_>]) -> Operand {
    reach(path, inside).map_or(Operand::Unknown, Operand::Values)
}

fn reach(path: &[Segment], inside: &[Place<'_>]) -> Option<Reached> {
    let mut reached = Reached { leaves: Vec::new(), optional: false, several: false };
    for context in inside {
        let places = follow_from(path, context)?;
        reached.optional |= !matches!(places.as_slice(), [only] if only.sure);
        reached.several |= places.len() > 1 || places.iter().any(|place| place.least != 1 && place.sure);
        for place in places {
            reached.leaves.push(match place.form {
                Form::Scalar(leaf) => leaf.clone(),
                Form::Object(_) => Leaf::new(Ty::new(TyKind::Object(Vec::new()))),
                Form::Array { .. } => Leaf::new(Ty::new(TyKind::List(Box::new(Ty::UNKNOWN)))),
                Form::Unknown => return None,
            });
        }
    }
    let singular = path.iter().all(|segment| {
        let one = matches!(segment.selectors.as_slice(), [(Selector::Name(_) | Selector::Index(_), ..)]);
        one && !segment.descendants
    });
    reached.several |= !singular;
    Some(reached)
}

/// The positions that a path leads to from one context.
fn follow_from<'f>(path: &[Segment], context: &Place<'f>) -> Option<Vec<Place<'f>>> {
    follow_known_segments(path, Place { sure: true, least: 1, ..context.clone() })
}

/// `length(path)`: of a text, an array, or an object.
fn find_length(path: &[Segment], inside: &[Place<'_>]) -> Operand {
    let mut bounds: Option<(u64, u64)> = None;
    for context in inside {
        match follow_from(path, context).as_deref() {
            Some([Place { form: Form::Array { least, most, .. }, sure: true, .. }]) => {
                bounds = Some(bounds.map_or((*least, *most), |(low, high)| (low.min(*least), high.max(*most))));
            }
            _ => return reach(path, inside).map_or(Operand::Unknown, Operand::Lengths),
        }
    }
    bounds.map_or(Operand::Unknown, |(least, most)| Operand::Count(least, most))
}

/// `count(path)`: the elements of an array, or 0 and 1.
fn find_count(path: &[Segment], inside: &[Place<'_>]) -> Operand {
    let (array, of_elements) = match path {
        [array @ .., Segment { descendants: false, selectors }]
            if matches!(selectors.as_slice(), [(Selector::Wildcard, ..)]) =>
        {
            (array, true)
        }
        all => (all, false),
    };
    if of_elements {
        return match find_length(array, inside) {
            Operand::Count(least, most) => Operand::Count(least, most),
            _ => Operand::Unknown,
        };
    }
    match reach(path, inside) {
        Some(Reached { several: false, optional, .. }) => Operand::Count(u64::from(!optional), 1),
        _ => Operand::Unknown,
    }
}
