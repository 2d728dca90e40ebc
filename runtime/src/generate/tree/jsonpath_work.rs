//! Counts the work of a JSONPath before it is evaluated: each node that it can visit. A node counts as if it passed every filter before it, and each part
//! of a filter as if it were evaluated.

use model::json_path::Reader;
use serde_json::Value;

use crate::generate::failures::Res;
use crate::generate::work::{NODE, WorkMeter};

/// The work of a regular expression in a filter, which is compiled for each node.
const REGEX: u64 = 200;

/// A segment: it selects among the children, or among all descendants.
struct Segment {
    descendants: bool,
    selectors: Vec<Selector>,
}

enum Selector {
    Name(String),
    Index(i64),
    /// Start and end of a slice.
    Slice(Option<i64>, Option<i64>),
    Wildcard,
    Filter(Filter),
}

/// The paths in a filter, each with whether it begins at the root, and the number of regular expressions.
#[derive(Default)]
struct Filter {
    paths: Vec<(bool, Vec<Segment>)>,
    regexes: u64,
}

/// Counts the work of a valid path, and fails as soon as that is more than what is left.
pub(super) fn count_path(root: &Value, path: &str, meter: &WorkMeter) -> Res<()> {
    let walk = Walk { root, meter };
    let counted = match parse_segments(&mut Reader::new(path, 1)) {
        Some(segments) => walk.visit_node(root, &segments, Purpose::Select),
        // What is not understood counts as a filter that visits the whole tree for each node.
        None => {
            let nodes = count_nodes(root);
            meter.try_spend(nodes.saturating_mul(nodes))
        }
    };
    if counted { Ok(()) } else { meter.count_expression(0) }
}

/// Parses the segments after `$` or `@`; `None` if something is not understood.
fn parse_segments(reader: &mut Reader<'_>) -> Option<Vec<Segment>> {
    let mut segments = Vec::new();
    loop {
        let before = reader.at;
        reader.skip_blanks();
        let descendants = reader.try_skip("..");
        let selectors = if reader.peek_char() == Some('[') {
            parse_bracket(reader)?
        } else if descendants || reader.try_skip(".") {
            reader.skip_blanks();
            let all = reader.try_skip("*");
            vec![if all { Selector::Wildcard } else { Selector::Name(reader.read_name()?.to_owned()) }]
        } else {
            reader.at = before;
            return Some(segments);
        };
        segments.push(Segment { descendants, selectors });
    }
}

/// `[a, b]`
fn parse_bracket(reader: &mut Reader<'_>) -> Option<Vec<Selector>> {
    let mut selectors = Vec::new();
    reader.try_skip("[");
    loop {
        reader.skip_blanks();
        selectors.push(match reader.peek_char()? {
            '\'' | '"' => Selector::Name(reader.read_quoted().ok()?),
            '*' => {
                reader.try_skip("*");
                Selector::Wildcard
            }
            '?' => {
                reader.try_skip("?");
                Selector::Filter(parse_filter(reader)?)
            }
            _ => parse_numbers(reader)?,
        });
        reader.skip_blanks();
        if reader.try_skip("]") {
            return Some(selectors);
        }
        if !reader.try_skip(",") {
            return None;
        }
    }
}

/// An index or a slice.
fn parse_numbers(reader: &mut Reader<'_>) -> Option<Selector> {
    let word = reader.rest();
    let word = word.get(..word.find([',', ']'])?)?;
    reader.at += word.len();
    let number = |text: &str| text.trim().parse().ok();
    let parts: Vec<&str> = word.split(':').collect();
    match parts.as_slice() {
        [index] => number(index).map(Selector::Index),
        [start, end] => Some(Selector::Slice(number(start), number(end))),
        // With a step, as if it were all.
        _ => Some(Selector::Wildcard),
    }
}

/// The filter after `?`, up to the end of the selector.
fn parse_filter(reader: &mut Reader<'_>) -> Option<Filter> {
    let mut filter = Filter::default();
    let mut depth = 0u32;
    loop {
        let next = reader.peek_char()?;
        if depth == 0 && matches!(next, ']' | ',') {
            return Some(filter);
        }
        match next {
            '\'' | '"' => drop(reader.read_quoted().ok()?),
            '@' | '$' => {
                reader.at += 1;
                filter.paths.push((next == '$', parse_segments(reader)?));
            }
            _ => {
                depth = if next == '(' { depth + 1 } else { depth.saturating_sub(u32::from(next == ')')) };
                filter.regexes += u64::from(["match(", "search("].iter().any(|name| reader.rest().starts_with(name)));
                reader.at += next.len_utf8();
            }
        }
    }
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
            && segment.selectors.iter().all(|selector| self.visit_selected(node, selector, (rest, to)))
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
            (Selector::Slice(start, end), Value::Array(items)) => {
                let bound = |at: Option<i64>, other| at.map_or(other, |at| resolve_index(at, items.len()));
                let (start, end) = (bound(*start, 0), bound(*end, items.len()).min(items.len()));
                items.get(start..end).unwrap_or_default().iter().all(visit)
            }
            (Selector::Wildcard, _) => list_children(node).all(visit),
            (Selector::Filter(filter), _) => list_children(node).all(|child| {
                let from = |from_root: bool| if from_root { self.root } else { child };
                self.meter.try_spend(NODE + filter.regexes * REGEX)
                    && filter
                        .paths
                        .iter()
                        .all(|(from_root, path)| self.visit_node(from(*from_root), path, Purpose::Compare))
                    && visit(child)
            }),
            (Selector::Index(_) | Selector::Slice(..), _) => true,
        }
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
