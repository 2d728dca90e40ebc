//! Counts the work of a JSONPath before it is evaluated: each node that it can visit. A node counts as if it passed every filter before it, and each part
//! of a filter as if it were evaluated.

use model::json_path::{Filter, Segment, Selector, parse_segments};
use serde_json::Value;

use crate::generate::failures::Res;
use crate::generate::work::{NODE, WorkMeter};

/// The work of a regular expression in a filter, which is compiled for each node.
const REGEX: u64 = 200;

/// Counts the work of a valid path, and fails as soon as that is more than what is left.
pub(super) fn count_path(root: &Value, path: &str, meter: &WorkMeter) -> Res<()> {
    let walk = Walk { root, meter };
    let counted = match parse_segments(path, 0) {
        Some((segments, _)) => walk.visit_node(root, &segments, Purpose::Select),
        // What is not understood counts as a filter that visits the whole tree for each node.
        None => {
            let nodes = count_nodes(root);
            meter.try_spend(nodes.saturating_mul(nodes))
        }
    };
    if counted { Ok(()) } else { meter.count_expression(0) }
}

/// What is done with the nodes that a path selects.
#[derive(Clone, Copy)]
enum Purpose {
    /// They are the result.
    Select,
    /// They are compared in a filter, as a whole.
    Compare,
}

/// A walk through a tree, which ends when no work is left.
#[derive(Clone, Copy)]
struct Walk<'w> {
    root: &'w Value,
    meter: &'w WorkMeter,
}

impl Walk<'_> {
    /// Counts a node and those that a path selects from it; returns `false` if no work is left. In a filter, what is selected may be compared as a whole.
    fn visit_node(self, node: &Value, path: &[Segment], to: Purpose) -> bool {
        let Some((segment, rest)) = path.split_first() else {
            return self.meter.try_spend(match to {
                Purpose::Compare => count_nodes(node) * NODE,
                Purpose::Select => NODE,
            });
        };
        self.meter.try_spend(NODE)
            && segment.selectors.iter().all(|(selector, ..)| self.visit_selected(node, selector, (rest, to)))
            && (!segment.descendants || list_children(node).all(|child| self.visit_node(child, path, to)))
    }

    /// Counts the children that a selector selects, with the rest of the path.
    fn visit_selected(self, node: &Value, selector: &Selector, (rest, to): (&[Segment], Purpose)) -> bool {
        let visit = |child: &Value| self.visit_node(child, rest, to);
        match (selector, node) {
            (Selector::Name(name), _) => node.get(name).is_none_or(visit),
            (Selector::Index(index), Value::Array(items)) => {
                let at = resolve_index(*index, items.len());
                items.get(at).is_none_or(visit)
            }
            // With a step, as if it were all.
            (Selector::Slice([start, end, None]), Value::Array(items)) => {
                let bound = |at: Option<i64>, other| at.map_or(other, |at| resolve_index(at, items.len()));
                let (start, end) = (bound(*start, 0), bound(*end, items.len()).min(items.len()));
                items.get(start..end).unwrap_or_default().iter().all(visit)
            }
            (Selector::Wildcard | Selector::Slice([_, _, Some(_)]), _) => list_children(node).all(visit),
            (Selector::Filter(filter), _) => {
                list_children(node).all(|child| self.visit_filter(child, filter) && visit(child))
            }
            (Selector::Index(_) | Selector::Slice(_), _) => true,
        }
    }

    /// Counts what a filter looks at for a child.
    fn visit_filter(self, child: &Value, filter: &Filter) -> bool {
        let visit = |node: &Value, paths: &[Vec<Segment>]| {
            paths.iter().all(|path| self.visit_node(node, path, Purpose::Compare))
        };
        self.meter.try_spend(NODE + filter.regexes * REGEX)
            && visit(child, &filter.paths)
            && visit(self.root, &filter.root_paths)
    }
}

/// Converts an index, from the end if it is negative, to a position.
fn resolve_index(index: i64, count: usize) -> usize {
    let at = if index < 0 { index.saturating_add(count as i64).max(0) } else { index };
    usize::try_from(at).unwrap_or(usize::MAX)
}

fn list_children(node: &Value) -> impl Iterator<Item = &Value> {
    let (items, fields) = match node {
        Value::Array(items) => (Some(items.iter()), None),
        Value::Object(fields) => (None, Some(fields.values())),
        _ => (None, None),
    };
    items.into_iter().flatten().chain(fields.into_iter().flatten())
}

/// Counts the nodes of a tree.
fn count_nodes(node: &Value) -> u64 {
    1 + list_children(node).map(count_nodes).sum::<u64>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure::FailureKind;

    /// Returns the work of a path in a tree with this number of items.
    fn count(items: u64, path: &str, limit: u64) -> Option<u64> {
        let items: Vec<Value> = (0..items).map(|n| serde_json::json!({"k": n, "t": [1, 2]})).collect();
        let meter = WorkMeter::with_limit(limit);
        match count_path(&serde_json::json!({"items": items, "n": 3}), path, &meter) {
            Ok(()) => Some(limit - meter.left()),
            Err(why) => {
                assert_eq!((why.kind, meter.left()), (FailureKind::TooMuchWork, 0), "{path}");
                None
            }
        }
    }

    #[test]
    fn each_visited_node_counts() {
        let limit = 1_000_000;
        for (path, nodes) in [
            ("$", 1),
            ("$.items", 2),
            ("$.items[*]", 12),
            ("$.items[-1].k", 4),
            ("$['items'] [ 2 : 4 ]", 4),
            ("$.items[?@.k == 3]", 2 + 10 * (1 + 2 + 1)),
            ("$.items[?(@.k == $.n && @.t[0] > 1)]", 2 + 10 * (1 + 2 + 2 + 3 + 1)),
            ("$.items[?@.t]", 2 + 10 * (1 + 1 + 3 + 1)),
            ("$.items[?@['a]'] == ']' || count(@.t[?@ > 1]) == 1, 0]", 2 + 10 * (1 + 1 + 2 + 2 * 3 + 1) + 1),
        ] {
            assert_eq!(count(10, path, limit), Some(nodes * NODE), "{path}");
        }
        assert!(count(10, "$.items[?search(@.k, 'a')]", limit) > Some(10 * REGEX));
        assert!(count(10, "$..[?@..k]..t", limit) > count(10, "$..t", limit));
    }

    #[test]
    fn counting_ends_when_nothing_is_left() {
        for path in ["$..[?$..k]", "$.items[?$ == $]", "$.items[?@.k == $.items[9].n && $..k]", "$..*..*..*"] {
            assert_eq!(count(10_000, path, 50_000), None, "{path}");
            assert!(count(3, path, 50_000).is_some(), "{path}");
        }
    }
}
