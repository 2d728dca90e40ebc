//! The nodes that a JSONPath leads to in a document of a known form, and how many there are.

use super::form::Form;
use super::leaf::Leaf;
use super::predicate::{Counted, NodeKind, Nodes, Relation};
use model::json_path::{Segment, Selector};

/// The maximum number of kinds of nodes that are followed.
const MAX_KINDS: usize = 200;

/// A kind of node, and how many there are.
struct Reached<'f> {
    form: &'f Form,
    least: u64,
    most: u64,
}

/// The key of a path of these steps, each as it is written.
pub fn make_key(start: char, steps: &[String]) -> String {
    format!("{start}{}", steps.concat())
}

/// The key of the members of the nodes with a key.
pub fn make_members_key(key: &str) -> String {
    format!("{key}{}", write_step("", &[format!("{:?}", Selector::Wildcard)]))
}

/// A step with its selectors, as a part of a key. `sign` is `..` for descendants.
pub fn write_step(sign: &str, selectors: &[String]) -> String {
    format!("{sign}{selectors:?}")
}

/// The nodes that the segments lead to from a position. `None` if they are not known.
pub fn find_nodes(segments: &[Segment], from: &Form, (start, steps): (char, &[String])) -> Option<Nodes> {
    let mut reached = vec![Reached { form: from, least: 1, most: 1 }];
    // The number of steps after which the number of nodes is the same.
    let mut counted = 0;
    for (at, segment) in segments.iter().enumerate() {
        if !(is_name(segment) && reached.iter().all(|node| has_member(node.form, segment))) {
            counted = at + 1;
        }
        if segment.descendants {
            let mut all = Vec::new();
            reached.iter().for_each(|node| collect_descendants(node, &mut all));
            reached = all;
        }
        if reached.len() > MAX_KINDS || reached.iter().any(|node| *node.form == Form::Unknown) {
            return None;
        }
        let selectors = segment.selectors.iter();
        reached = selectors.flat_map(|(selector, ..)| reached.iter().flat_map(|node| select(selector, node))).collect();
    }
    let is_own = start == '@' && segments.iter().all(is_name);
    let sum = |count: fn(&Reached<'_>) -> u64| reached.iter().map(count).fold(0, u64::saturating_add);
    Some(Nodes {
        key: make_key(start, steps),
        counted: count_with(segments, (start, steps), counted),
        least: sum(|node| node.least),
        most: sum(|node| node.most),
        kinds: reached.iter().map(|node| describe_node(node.form)).collect::<Option<_>>()?,
        relation: if is_own { Relation::Own } else { Relation::Other },
    })
}

/// With which nodes those of a path are counted, whose number is the same after `counted` steps.
fn count_with(segments: &[Segment], (start, steps): (char, &[String]), counted: usize) -> Counted {
    let key = |count: usize| make_key(start, steps.get(..count).unwrap_or_default());
    let at = match segments.split_last() {
        Some((last, before)) if !last.descendants && before.iter().all(is_name) => match last.selectors.as_slice() {
            [(Selector::Index(at @ 0..), ..)] => at.unsigned_abs().checked_add(1),
            _ => None,
        },
        _ => None,
    };
    match at {
        Some(_) => Counted { key: make_members_key(&key(segments.len() - 1)), at },
        None => Counted { key: key(counted), at: None },
    }
}

/// Whether an object surely has the member that a step names.
fn has_member(form: &Form, segment: &Segment) -> bool {
    match (form, segment.selectors.as_slice()) {
        (Form::Object(entries), [(Selector::Name(name), ..)]) => {
            entries.iter().any(|entry| entry.key == *name && !entry.optional)
        }
        _ => false,
    }
}

fn is_name(segment: &Segment) -> bool {
    !segment.descendants && matches!(segment.selectors.as_slice(), [(Selector::Name(_), ..)])
}

fn describe_node(form: &Form) -> Option<NodeKind> {
    Some(match form {
        Form::Unknown => return None,
        Form::Scalar(leaf) => NodeKind { name: None, leaf: Some(Leaf::clone(leaf)), members: None },
        Form::Array { least, most, .. } => NodeKind { name: None, leaf: None, members: Some((*least, *most)) },
        Form::Object(entries) => {
            let sure = entries.iter().filter(|entry| !entry.optional).count() as u64;
            NodeKind { name: None, leaf: None, members: Some((sure, entries.len() as u64)) }
        }
    })
}

/// The node itself and all below it.
fn collect_descendants<'f>(node: &Reached<'f>, all: &mut Vec<Reached<'f>>) {
    all.push(Reached { ..*node });
    for child in select(&Selector::Wildcard, node) {
        collect_descendants(&child, all);
    }
}

fn select<'f>(selector: &Selector, node: &Reached<'f>) -> Vec<Reached<'f>> {
    let optional = |form, most| Reached { form, least: 0, most };
    match (selector, node.form) {
        (Selector::Name(_) | Selector::Wildcard, Form::Object(entries)) => {
            let named = entries.iter().filter(|entry| match selector {
                Selector::Name(name) => entry.key == *name,
                _ => true,
            });
            named
                .map(|entry| Reached {
                    form: &entry.form,
                    least: if entry.optional { 0 } else { node.least },
                    most: node.most,
                })
                .collect()
        }
        (Selector::Index(index), Form::Array { element, least, most }) => {
            let needed = if *index < 0 { index.unsigned_abs() } else { index.unsigned_abs().saturating_add(1) };
            let sure = if needed <= *least { node.least } else { 0 };
            if needed > *most { Vec::new() } else { vec![Reached { form: element, least: sure, most: node.most }] }
        }
        (Selector::Wildcard, Form::Array { element, least, most }) => vec![Reached {
            form: element,
            least: node.least.saturating_mul(*least),
            most: node.most.saturating_mul(*most),
        }],
        (Selector::Slice(bounds), Form::Array { element, most, .. }) => {
            let taken = match bounds {
                _ if is_empty_slice(*bounds, *most) => return Vec::new(),
                [start, Some(end @ 0..), None | Some(1..)] if start.unwrap_or(0) >= 0 => {
                    (*most).min(end.abs_diff(start.unwrap_or(0)))
                }
                [Some(start @ ..0), None, None | Some(1..)] => (*most).min(start.unsigned_abs()),
                [Some(start @ 0..), None, None | Some(1..)] => most.saturating_sub(start.unsigned_abs()),
                _ => *most,
            };
            vec![optional(element, node.most.saturating_mul(taken))]
        }
        (Selector::Filter(_), Form::Array { element, most, .. }) => {
            vec![optional(element, node.most.saturating_mul(*most))]
        }
        (Selector::Filter(_), Form::Object(entries)) => {
            entries.iter().map(|entry| optional(&entry.form, node.most)).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether a slice selects nothing of an array with at most `most` elements.
pub(super) fn is_empty_slice([start, end, step]: [Option<i64>; 3], most: u64) -> bool {
    if step.unwrap_or(1) < 1 {
        return step == Some(0);
    }
    let beyond = start.is_some_and(|start| u64::try_from(start).is_ok_and(|start| start >= most));
    let crossed = match (start.unwrap_or(0), end) {
        (start, Some(end)) => start.signum().max(0) == end.signum().max(0) && (start < 0) == (end < 0) && start >= end,
        (_, None) => false,
    };
    beyond || crossed || end == Some(0)
}
