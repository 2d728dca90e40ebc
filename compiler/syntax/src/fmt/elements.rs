//! Layout of brackets that are open over several lines.

use super::INDENT;
use super::WIDTH;
use super::measure;
use super::print::Printer;
use super::tokens::Kind;
use super::tree::{Group, Node, Role};

/// The distribution of elements over lines.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Spread {
    /// One element per line.
    Each,
    /// The author's line breaks.
    Kept,
    /// As many elements per line as fit.
    Filled,
}

/// Prints the elements between brackets, from the line break after the opening bracket.
pub(super) fn print_elements<'a>(printer: &mut Printer<'a>, group: &Group<'a>, indent: usize) {
    let spread = choose_spread(group, indent);
    let last = group.nodes.iter().rposition(|node| !node.is_comment());
    let mut rest: &[Node<'a>] = &group.nodes;
    let mut number = 0;
    let mut begins = true;
    let mut before: Option<&Node<'a>> = None;
    while let Some((node, behind)) = rest.split_first() {
        let breaks = if number == 0 { 0 } else { node.breaks() };
        match node {
            Node::Comment(comment) => {
                printer.print_comment(comment, if begins { indent } else { indent + INDENT }, breaks);
            }
            _ if begins => {
                let same_line = before.is_some()
                    && !printer.is_behind_comment()
                    && match spread {
                        Spread::Each => false,
                        Spread::Kept => breaks == 0,
                        Spread::Filled => printer.column() + 1 + measure_first_element(rest, group.role) <= WIDTH,
                    };
                if same_line {
                    printer.push_text(" ");
                } else {
                    printer.new_line_after(breaks, indent);
                }
                printer.print_node(node, indent);
            }
            _ => printer.print_after(node, before, indent, Some(group.role)),
        }
        begins = node.is_sign(",") || begins && node.is_comment();
        if last == Some(number) && matches!(group.role, Role::List | Role::Object) {
            printer.push_text(",");
        }
        before = Some(node);
        number += 1;
        rest = behind;
    }
}

/// The width of the first element with its comma.
fn measure_first_element(nodes: &[Node<'_>], role: Role) -> usize {
    let end = nodes.iter().position(|node| node.is_sign(",")).unwrap_or(nodes.len());
    measure::measure_nodes(nodes.get(..end).unwrap_or_default(), Some(role)).map_or(WIDTH, |width| width + 1)
}

fn choose_spread(group: &Group<'_>, indent: usize) -> Spread {
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
