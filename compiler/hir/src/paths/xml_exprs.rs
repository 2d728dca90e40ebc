//! Questions about the predicates of an XPath.

use xpath_eval::{EqualityOp, Expr, FilterExpr, LocationPath, PathExpr, PrimaryExpr};

/// The position that a predicate asks for: `[2]`, `[position() = 2]`.
pub(super) fn find_position(expr: &Expr) -> Option<f64> {
    match expr {
        Expr::Equality(a, EqualityOp::Eq, b) if is_call(a, "position") => {
            find_position(b).filter(|_| !is_call(b, "position"))
        }
        Expr::Path(PathExpr::Filter(FilterExpr { primary: PrimaryExpr::Number(number), predicates }))
            if predicates.is_empty() =>
        {
            Some(*number)
        }
        _ => None,
    }
}

/// `[last()]`, `[position() = last()]`
pub(super) fn is_last(expr: &Expr) -> bool {
    match expr {
        Expr::Equality(a, EqualityOp::Eq, b) => is_call(a, "position") && is_call(b, "last"),
        _ => is_call(expr, "last"),
    }
}

/// Whether an expression is a call of a function without arguments.
fn is_call(expr: &Expr, function: &str) -> bool {
    matches!(expr, Expr::Path(PathExpr::Filter(FilterExpr { primary: PrimaryExpr::Function(call), predicates }))
        if call.name.prefix.is_none() && call.name.local == function && call.args.is_empty() && predicates.is_empty())
}

/// The relative paths in a predicate that are asked to equal a text, and that text.
pub(super) fn collect_compared<'x>(expr: &'x Expr, found: &mut Vec<(&'x LocationPath, &'x str)>) {
    match expr {
        Expr::Or(a, b) | Expr::And(a, b) => {
            collect_compared(a, found);
            collect_compared(b, found);
        }
        Expr::Equality(a, EqualityOp::Eq, b) => {
            if let (Expr::Path(PathExpr::Location(path)), Expr::Path(PathExpr::Filter(filter))) =
                (a.as_ref(), b.as_ref())
                && let FilterExpr { primary: PrimaryExpr::Literal(text), predicates } = filter
                && predicates.is_empty()
            {
                found.push((path, text));
            }
        }
        Expr::Path(PathExpr::Filter(FilterExpr { primary: PrimaryExpr::Parenthesized(inner), .. })) => {
            collect_compared(inner, found);
        }
        _ => {}
    }
}

/// The relative paths in a predicate.
pub(super) fn collect_relative_paths<'x>(expr: &'x Expr, paths: &mut Vec<&'x LocationPath>) {
    match expr {
        Expr::Or(a, b)
        | Expr::And(a, b)
        | Expr::Union(a, b)
        | Expr::Equality(a, _, b)
        | Expr::Relational(a, _, b)
        | Expr::Additive(a, _, b)
        | Expr::Multiplicative(a, _, b) => {
            collect_relative_paths(a, paths);
            collect_relative_paths(b, paths);
        }
        Expr::Negate(inner) => collect_relative_paths(inner, paths),
        Expr::Path(PathExpr::Location(path)) if !path.is_absolute => paths.push(path),
        Expr::Path(PathExpr::Filter(filter)) => match &filter.primary {
            PrimaryExpr::Function(call) => call.args.iter().for_each(|arg| collect_relative_paths(arg, paths)),
            PrimaryExpr::Parenthesized(inner) => collect_relative_paths(inner, paths),
            _ => {}
        },
        _ => {}
    }
}
