//! Proofs that one value is at most another, from how both are computed: `TOTAL >= PRICE` for `TOTAL = QTY * PRICE`, a cell and the maximum of its
//! column, the first and the last of sorted cells.
//!
//! Both sides become sums of products of atoms: drawn values, aggregates, and calls that are not understood further. An atom has bounds, which are sums
//! themselves. A sum is at most 0 if it stays so when atoms are replaced with their bounds, until no atom is left.
//!
//! | file | concept |
//! | --- | --- |
//! | `ratio` | exact numbers |
//! | `sum` | sums of products of atoms |
//! | `atoms` | atoms and their bounds |
//! | `relations` | the order of two atoms |
//! | `exprs` | sums of expressions |
//! | `queries` | sums of terms of queries |
//! | `prove` | the search for a proof |
//! | `together` | comparisons that exclude each other |

mod atoms;
mod exprs;
mod prove;
mod queries;
mod ratio;
mod relations;
mod sum;
mod together;

use model::functions::DAYS_BETWEEN;
use model::suite::{Op, Scope};
use sql::terms::Term;

use crate::facts::{Ends, Facts, Truth};
use crate::terms::TermFacts;
use crate::types::TyKind;
use crate::{Expr, ExprKind};
use atoms::Atoms;
use ratio::Ratio;
use sum::Sum;
pub use together::{are_exprs_contradictory, are_exprs_exhaustive, are_terms_contradictory, are_terms_exhaustive};

/// Decides `left op right` by the order of both sides, which are not null.
pub fn compare_exprs<'a>(facts: &Facts<'a>, op: Op, (left, right): (&'a Expr, &'a Expr), scope: Scope) -> Truth {
    let mut atoms = Atoms::new(facts);
    let rows = atoms.find_rows(scope);
    let (Some(a), Some(b)) = (atoms.sum_expr(left, scope, rows), atoms.sum_expr(right, scope, rows)) else {
        return Truth::Open;
    };
    decide(&mut atoms, op, &a, &b)
}

/// Decides `left op right` for terms of a query that are not null.
pub fn compare_terms(terms: &TermFacts<'_, '_>, op: Op, left: &Term, right: &Term) -> Truth {
    if !queries::are_ordered_alike(terms, left, right) {
        return Truth::Open;
    }
    let mut atoms = Atoms::new(terms.facts);
    let (Some(a), Some(b)) = (atoms.sum_term(terms, left), atoms.sum_term(terms, right)) else { return Truth::Open };
    decide(&mut atoms, op, &a, &b)
}

/// The smallest and the largest int that a sum or a product can be, from how its parts are related.
pub fn find_int_ends<'a>(facts: &Facts<'a>, expr: &'a Expr, scope: Scope) -> Ends {
    let is_sum = match &expr.kind {
        ExprKind::Binary(op, _) => matches!(op, Op::Add | Op::Sub | Op::Mul),
        ExprKind::Call(function, _) => *function == DAYS_BETWEEN,
        _ => false,
    };
    if !is_sum {
        return (None, None);
    }
    let mut atoms = Atoms::new(facts);
    let rows = atoms.find_rows(scope);
    let Some(sum) = atoms.sum_expr(expr, scope, rows) else { return (None, None) };
    atoms.relate();
    let low = prove::find_most(&atoms, &sum.negate()).and_then(|end| end.negate().round_up());
    let high = prove::find_most(&atoms, &sum).and_then(|end| end.negate().round_up()?.checked_neg());
    (low, high)
}

/// The least number of ints or days from one value to another one.
pub fn find_least_distance<'a>(facts: &Facts<'a>, (low, high): (&'a Expr, &'a Expr), scope: Scope) -> Option<i64> {
    let unit = match (&low.ty.kind, &high.ty.kind) {
        (TyKind::Int, TyKind::Int) => Ratio::ONE,
        (TyKind::Date, TyKind::Date) => Ratio::new(1, exprs::DAY)?,
        _ => return None,
    };
    let mut atoms = Atoms::new(facts);
    let rows = atoms.find_rows(scope);
    let distance = atoms.sum_expr(high, scope, rows)?.subtract(&atoms.sum_expr(low, scope, rows)?)?;
    atoms.relate();
    prove::find_most(&atoms, &distance.negate())?.negate().multiply(unit)?.round_up()
}

fn decide(atoms: &mut Atoms<'_, '_>, op: Op, a: &Sum, b: &Sum) -> Truth {
    atoms.relate();
    let Some((less, greater)) = a.subtract(b).zip(b.subtract(a)) else { return Truth::Open };
    let at_most = |sum: &Sum| prove::is_at_most_zero(atoms, sum, prove::Strict::No);
    let below = |sum: &Sum| prove::is_at_most_zero(atoms, sum, prove::Strict::Yes);
    let (always, never) = match op {
        Op::Lt => (below(&less), at_most(&greater)),
        Op::Le => (at_most(&less), below(&greater)),
        Op::Gt => (below(&greater), at_most(&less)),
        Op::Ge => (at_most(&greater), below(&less)),
        Op::Eq => (at_most(&less) && at_most(&greater), below(&less) || below(&greater)),
        Op::Ne => (below(&less) || below(&greater), at_most(&less) && at_most(&greater)),
        _ => return Truth::Open,
    };
    match (always, never) {
        (true, false) => Truth::Always,
        (false, true) => Truth::Never,
        _ => Truth::Open,
    }
}
