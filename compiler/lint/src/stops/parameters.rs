//! The possible values of the parameters of a query, where the conditions around it hold.

use model::suite::Scope;

use super::exhaust::list_values_where;
use super::guards::{Guard, narrow_value};
use super::safe::Safety;
use hir::facts::{Fact, Facts};
use hir::{Expr, Sql};

/// Calls `ask` where the conditions around a query narrow the values of its parameters.
pub(super) fn with_guards<'a, R>(
    facts: &Facts<'a>,
    safety: &Safety<'_, 'a>,
    (sql, scope): (&'a Sql, Scope),
    guards: &[Guard<'a>],
    ask: impl FnOnce() -> R,
) -> R {
    let narrow = |value: &'a Expr| {
        let known = narrow_value(facts, (value, scope), guards);
        // Values in a row are those of all rows.
        let listed = if scope == Scope::default() { list_values_where(facts, safety, value, guards) } else { None };
        match listed {
            Some(values) if values.is_empty() => None,
            Some(values) => Some((value, Fact::from_values(&values))),
            None => known.map(|fact| (value, fact)),
        }
    };
    let values = sql.params.iter().filter(|(_, value)| value.as_constant().is_none());
    facts.with_parameters(values.filter_map(|(_, value)| narrow(value)).collect(), ask)
}
