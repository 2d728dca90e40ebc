//! `impossible_predicate` for comparisons with the literal NULL, in SQL of data sets, whose other comparisons are not judged.

use model::Value;
use model::suite::Op;

use super::findings::Finding;
use crate::predicates::{Predicates, Side, Test};
use syntax::diagnostics::{Code, Diagnostic};

/// Finds `x = NULL` and `x <> NULL`, which are never true.
pub fn find_compared_nulls(predicates: &Predicates) -> Vec<Finding> {
    let is_null = |side: &Side| matches!(side, Side::Literal(Value::Null));
    let compared = predicates.atoms.iter().filter_map(|atom| match &atom.test {
        Test::Compare(op, left, right) if is_null(&left.value) || is_null(&right.value) => Some((*op, atom.span)),
        _ => None,
    });
    let find = |(op, span)| {
        let (written, meant) = if op == Op::Eq { ("= NULL", "IS NULL") } else { ("<> NULL", "IS NOT NULL") };
        let said = Diagnostic::new(
            Code::IMPOSSIBLE_PREDICATE,
            format!("a comparison with NULL, such as `{written}`, is never true"),
            span,
            "never",
        );
        Finding::new_unconditional(said.help(format!("write `{meant}`")))
    };
    compared.map(find).collect()
}
