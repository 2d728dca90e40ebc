//! The choice of how the elements of brackets that are open over several lines are spread over them.

use super::measure;
use super::tokens::Kind;
use super::tree::{Group, Node, Role};
use super::width::WIDTH;

/// The distribution of elements over lines.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Spread {
    /// One element per line.
    Each,
    /// The author's line breaks.
    Kept,
    /// As many elements per line as fit.
    Filled,
}

/// The width of the first element with its comma.
pub(super) fn measure_first_element(nodes: &[Node<'_>], role: Role) -> usize {
    let end = nodes.iter().position(|node| node.is_sign(",")).unwrap_or(nodes.len());
    measure::measure_nodes(nodes.get(..end).unwrap_or_default(), Some(role)).map_or(WIDTH, |width| width + 1)
}

/// The distribution of the elements of a group over lines that are indented by `indent`.
pub(super) fn choose_spread(group: &Group<'_>, indent: usize) -> Spread {
    if group.role != Role::List {
        return Spread::Each;
    }
    let simple = |element: &[Node<'_>]| {
        let plain = |node: &Node<'_>| matches!(node, Node::Leaf(leaf) if !matches!(leaf.kind, Kind::Word) && !leaf.text.contains('\n'));
        element.iter().all(plain)
    };
    let elements = || group.nodes.split(|node| node.is_sign(","));
    if !measure::is_open(group) {
        return if elements().all(simple) { Spread::Filled } else { Spread::Each };
    }
    let broken = |element: &[Node<'_>]| element.first().is_some_and(|node| node.breaks() > 0);
    if elements().skip(1).all(broken) {
        return Spread::Each;
    }
    if group.nodes.iter().any(Node::is_comment) {
        return Spread::Kept;
    }
    // The author's lines are kept as long as they fit.
    let mut column = indent;
    for (number, element) in elements().enumerate() {
        let Some(width) = measure::measure_nodes(element, Some(group.role)) else { return Spread::Kept };
        let fresh = number == 0 || broken(element);
        column = if fresh { indent } else { column + 1 } + width + 1;
        if column > WIDTH && !fresh {
            return Spread::Filled;
        }
    }
    Spread::Kept
}
