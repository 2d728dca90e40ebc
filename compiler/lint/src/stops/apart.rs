//! Values that are never the same.

use model::suite::Op;
use model::{Domain, Value};

use hir::facts::Fact;
use hir::terms::{Known, compare_known};

/// The most values that are looked at one by one.
const MAX_VALUES: u128 = 5_000;

/// Whether two facts have no common value; null does not count.
pub(super) fn is_apart(a: &Known<'_>, b: &Known<'_>) -> bool {
    fn present<'k>(known: &Known<'k>) -> Known<'k> {
        Known { fact: Fact { nullable: false, ..known.fact.clone() }, ..known.clone() }
    }
    let lists_none_of = |a: &Known<'_>, b: &Known<'_>| {
        let of_domain = |domain: &Domain| domain.list_values().map(|values| values.to_vec());
        let is_small = |domain: &&Domain| domain.cardinality().is_some_and(|size| size <= MAX_VALUES);
        let values = a.fact.closed.as_deref().map(<[Value]>::to_vec);
        let values = values.or_else(|| a.fact.domain.filter(is_small).and_then(of_domain));
        let is_known = b.fact.closed.is_some() || b.fact.domain.is_some();
        values.is_some_and(|values| is_known && !values.iter().any(|value| b.fact.can_be(value)))
    };
    let is_same_class = a.is_text().zip(b.is_text()).is_some_and(|(a, b)| a == b);
    is_same_class
        && (!compare_known(Op::Eq, &present(a), &present(b)).is_true || lists_none_of(a, b) || lists_none_of(b, a))
}
