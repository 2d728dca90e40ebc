//! Which sets of nodes an XPath compares with each other: that takes work for each pair of nodes, which the evaluator does not let us count.

use xpath_eval::{Axis, Expr, FilterExpr, LocationPath, NodeTest, PathExpr, PrimaryExpr, Step};

/// Visits both sides of each comparison in an expression.
pub(super) fn visit_comparisons(expr: &Expr, visit: &mut dyn FnMut(&Expr, &Expr)) {
    match expr {
        Expr::Equality(left, _, right) | Expr::Relational(left, _, right) => {
            visit(left, right);
            visit_comparisons(left, visit);
            visit_comparisons(right, visit);
        }
        Expr::Or(left, right)
        | Expr::And(left, right)
        | Expr::Additive(left, _, right)
        | Expr::Multiplicative(left, _, right)
        | Expr::Union(left, right) => {
            visit_comparisons(left, visit);
            visit_comparisons(right, visit);
        }
        Expr::Negate(operand) => visit_comparisons(operand, visit),
        Expr::Path(PathExpr::Location(path)) => visit_path(path, visit),
        Expr::Path(PathExpr::Filter(filter)) => visit_filter(filter, visit),
        Expr::Path(PathExpr::FilterLocation(filter, path)) => {
            visit_filter(filter, visit);
            visit_path(path, visit);
        }
    }
}

fn visit_path(path: &LocationPath, visit: &mut dyn FnMut(&Expr, &Expr)) {
    path.steps.iter().flat_map(|step| &step.predicates).for_each(|predicate| visit_comparisons(predicate, visit));
}

fn visit_filter(filter: &FilterExpr, visit: &mut dyn FnMut(&Expr, &Expr)) {
    match &filter.primary {
        PrimaryExpr::Parenthesized(inner) => visit_comparisons(inner, visit),
        PrimaryExpr::Function(call) => call.args.iter().for_each(|arg| visit_comparisons(arg, visit)),
        PrimaryExpr::Variable(_) | PrimaryExpr::Literal(_) | PrimaryExpr::Number(_) => {}
    }
    filter.predicates.iter().for_each(|predicate| visit_comparisons(predicate, visit));
}

/// Returns a number of nodes that an expression does not exceed; 0 if it gives no nodes. `count` counts the nodes with a local name, or all.
pub(super) fn bound_nodes(expr: &Expr, count: &dyn Fn(Option<&str>) -> u64) -> u64 {
    match expr {
        Expr::Path(PathExpr::Location(path)) if !path.is_absolute && path.steps.iter().all(is_single) => 1,
        Expr::Path(PathExpr::Location(path) | PathExpr::FilterLocation(_, path)) => match path.steps.last() {
            None => 1,
            // An element has one of these for each prefix.
            Some(Step { axis: Axis::Namespace, .. }) => u64::MAX,
            Some(Step { node_test: NodeTest::QName(name), .. }) => count(Some(&name.local)),
            Some(_) => count(None),
        },
        Expr::Path(PathExpr::Filter(filter)) => match &filter.primary {
            PrimaryExpr::Parenthesized(inner) => bound_nodes(inner, count),
            PrimaryExpr::Function(call) if call.name.local == "id" => count(None),
            _ => 0,
        },
        Expr::Union(left, right) => bound_nodes(left, count).saturating_add(bound_nodes(right, count)),
        _ => 0,
    }
}

/// Checks whether a step selects at most one node from another one.
fn is_single(step: &Step) -> bool {
    match step.axis {
        Axis::SelfAxis | Axis::Parent => true,
        Axis::Attribute => matches!(step.node_test, NodeTest::QName(_)),
        _ => false,
    }
}
