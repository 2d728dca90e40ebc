//! Nodes of siblings in the order of a column: `following-sibling::entry/@no` is above `@no`, if the numbers ascend.

use model::suite::Op;

use hir::ColumnSource;
use hir::facts::Facts;
use hir::paths::leaf::Source;
use hir::paths::predicate::{Nodes, Relation};

/// Where the rows of nodes are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Before,
    After,
}

/// Whether no node of siblings meets a comparison with the same node of the context, because their column is in ascending order.
pub fn are_apart(facts: Option<&Facts<'_>>, op: Op, others: &Nodes, own: &Nodes) -> bool {
    let (side, key, has_own) = match &others.relation {
        Relation::Before(key) => (Side::Before, key, false),
        Relation::After(key) => (Side::After, key, false),
        // The first sibling can be the context.
        Relation::Sibling(1, key) => (Side::Before, key, true),
        _ => return false,
    };
    let Some(unique) = facts.and_then(|facts| find_order(facts, own)).filter(|_| own.key == *key) else {
        return false;
    };
    let is_strict = unique && !has_own;
    match (op, side) {
        (Op::Lt, Side::After) | (Op::Gt, Side::Before) => true,
        (Op::Le, Side::After) | (Op::Ge, Side::Before) | (Op::Eq, _) => is_strict,
        _ => false,
    }
}

/// Whether the values of a column in ascending order differ. `None` if they are not in this order.
fn find_order(facts: &Facts<'_>, nodes: &Nodes) -> Option<bool> {
    let [node] = nodes.kinds.as_slice() else { return None };
    let Source::Cells(relation, column) = node.leaf.as_ref()?.source else { return None };
    let ColumnSource::Draw { draw, .. } = &facts.task().find_column((relation, column))?.source else { return None };
    let is_sorted = (draw.sorted || draw.is_serial()) && !draw.may_be_blank();
    is_sorted.then(|| draw.is_serial() || facts.lookup_column(relation, column).unique)
}
