//! Whether an XPath has a result in every file. The evaluator refuses only what does not depend on the file: functions with other arguments than they take, names
//! without a namespace, variables, and values where nodes are needed.

use xpath_eval::{Axis, Expr, FilterExpr, FunctionCall, LocationPath, NodeTest, PathExpr, PrimaryExpr};

/// What a function takes.
struct Arguments {
    name: &'static str,
    least: usize,
    most: usize,
    /// Whether they must be nodes.
    of_nodes: bool,
}

/// The functions of which it is known, but not those that read identifiers and languages.
static KNOWN: [Arguments; 25] = [
    take("boolean", 1, 1),
    take("ceiling", 1, 1),
    take("concat", 2, usize::MAX),
    take("contains", 2, 2),
    take_nodes("count", 1),
    take("false", 0, 0),
    take("floor", 1, 1),
    take("last", 0, 0),
    take_nodes("local-name", 0),
    take_nodes("name", 0),
    take_nodes("namespace-uri", 0),
    take("normalize-space", 0, 1),
    take("not", 1, 1),
    take("number", 0, 1),
    take("position", 0, 0),
    take("round", 1, 1),
    take("starts-with", 2, 2),
    take("string", 0, 1),
    take("string-length", 0, 1),
    take("substring", 2, 3),
    take("substring-after", 2, 2),
    take("substring-before", 2, 2),
    take_nodes("sum", 1),
    take("translate", 3, 3),
    take("true", 0, 0),
];

const fn take(name: &'static str, least: usize, most: usize) -> Arguments {
    Arguments { name, least, most, of_nodes: false }
}

/// A function of one argument, at least `least`.
const fn take_nodes(name: &'static str, least: usize) -> Arguments {
    Arguments { name, least, most: 1, of_nodes: true }
}

/// Whether a path selects nodes, or none, in every file. False if that is not known.
///
/// ```
/// use hir::paths::xml_results::always_selects;
///
/// assert!(always_selects("/shop/item[contains(@sku, 'A')][position() < last()]"));
/// assert!(!always_selects("count(/shop/item)"), "a number");
/// assert!(!always_selects("/shop/item[contains(@sku)]"), "one argument is missing");
/// assert!(!always_selects("/shop/item[sum(1) > 2]") && !always_selects("/shop/x:item") && !always_selects("/shop/item[$n]"));
/// ```
pub fn always_selects(path: &str) -> bool {
    xpath_eval::parse(path)
        .is_ok_and(|parsed| matches!(parsed, Expr::Path(PathExpr::Location(_))) && has_value(&parsed))
}

fn has_value(expr: &Expr) -> bool {
    match expr {
        Expr::Or(a, b)
        | Expr::And(a, b)
        | Expr::Equality(a, _, b)
        | Expr::Relational(a, _, b)
        | Expr::Additive(a, _, b)
        | Expr::Multiplicative(a, _, b) => has_value(a) && has_value(b),
        Expr::Negate(inner) => has_value(inner),
        Expr::Union(a, b) => is_of_nodes(a) && is_of_nodes(b),
        Expr::Path(PathExpr::Location(path)) => can_be_followed(path),
        Expr::Path(PathExpr::Filter(FilterExpr { primary, predicates })) => {
            predicates.is_empty()
                && match primary {
                    PrimaryExpr::Literal(_) | PrimaryExpr::Number(_) => true,
                    PrimaryExpr::Parenthesized(inner) => has_value(inner),
                    PrimaryExpr::Function(call) => has_known_arguments(call),
                    PrimaryExpr::Variable(_) => false,
                }
        }
        Expr::Path(PathExpr::FilterLocation(..)) => false,
    }
}

/// Whether the value of an expression is nodes.
fn is_of_nodes(expr: &Expr) -> bool {
    has_value(expr)
        && match expr {
            Expr::Union(..) | Expr::Path(PathExpr::Location(_)) => true,
            Expr::Path(PathExpr::Filter(FilterExpr { primary: PrimaryExpr::Parenthesized(inner), .. })) => {
                is_of_nodes(inner)
            }
            _ => false,
        }
}

fn has_known_arguments(call: &FunctionCall) -> bool {
    let known = KNOWN.iter().find(|known| call.name.prefix.is_none() && known.name == call.name.local);
    known.is_some_and(|known| {
        (known.least..=known.most).contains(&call.args.len())
            && call.args.iter().all(|arg| if known.of_nodes { is_of_nodes(arg) } else { has_value(arg) })
    })
}

/// Whether the names in a path have no prefix, and its predicates have values.
fn can_be_followed(path: &LocationPath) -> bool {
    path.steps.iter().all(|step| {
        let is_plain = match &step.node_test {
            NodeTest::AnyName | NodeTest::Node | NodeTest::Text => true,
            NodeTest::QName(name) => name.prefix.is_none(),
            NodeTest::NamespaceWildcard(_) | NodeTest::Comment | NodeTest::ProcessingInstruction(_) => false,
        };
        is_plain && step.axis != Axis::Namespace && step.predicates.iter().all(has_value)
    })
}
