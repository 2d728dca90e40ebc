//! Comparisons that exclude each other: `A < B`, `B < C`, and `C < A`.
//!
//! Each comparison says of a sum that it is at most 0, or below 0. So the sums of some of them together are, too, unless the opposite is proved.

use model::suite::{Op, Scope};
use sql::terms::Term;

use super::atoms::Atoms;
use super::prove::{Strict, is_at_most_zero};
use super::queries::are_ordered_alike;
use super::sum::Sum;
use crate::facts::{Facts, negate_comparison};
use crate::terms::TermFacts;
use crate::{Expr, ExprKind};

/// The maximum number of comparisons that are looked at together.
const MAX_COMPARISONS: usize = 8;

/// The maximum number of comparisons that exclude each other.
const MAX_ADDED: usize = 4;

/// A sum that is at most 0, or below 0.
struct Constraint {
    sum: Sum,
    strict: Strict,
}

/// Whether no values meet all of these conditions, of which only comparisons are looked at.
pub fn are_exprs_contradictory<'a>(facts: &Facts<'a>, parts: &[&'a Expr], scope: Scope) -> bool {
    let comparisons: Vec<(Op, &'a (Expr, Expr))> = parts.iter().filter_map(|part| as_comparison(part)).collect();
    let is_computed = |side: &Expr| matches!(side.kind, ExprKind::Binary(..) | ExprKind::Call(..));
    let is_of_two = |(_, sides): &(Op, &(Expr, Expr))| {
        let both = sides.0.as_constant().is_none() && sides.1.as_constant().is_none();
        both || is_computed(&sides.0) || is_computed(&sides.1)
    };
    comparisons.len() > 1 && comparisons.iter().any(is_of_two) && exclude_exprs(facts, &comparisons, scope)
}

/// Whether one of these conditions always holds, of which only comparisons are looked at.
pub fn are_exprs_exhaustive<'a>(facts: &Facts<'a>, parts: &[&'a Expr], scope: Scope) -> bool {
    let may_be_null = |side: &'a Expr| facts.infer_expr(side, scope).nullable;
    let opposite = |part: &&'a Expr| {
        let (op, sides) = as_comparison(part)?;
        let present = !may_be_null(&sides.0) && !may_be_null(&sides.1);
        Some((negate_comparison(op).filter(|_| present)?, sides))
    };
    let opposites: Vec<(Op, &'a (Expr, Expr))> = parts.iter().filter_map(opposite).collect();
    opposites.len() > 1 && exclude_exprs(facts, &opposites, scope)
}

fn as_comparison(part: &Expr) -> Option<(Op, &(Expr, Expr))> {
    match &part.kind {
        ExprKind::Binary(op, sides) if negate_comparison(*op).is_some() && part.as_null_test().is_none() => {
            Some((*op, sides))
        }
        // What is null is not met.
        ExprKind::Not(inner) => as_comparison(inner).and_then(|(op, sides)| Some((negate_comparison(op)?, sides))),
        _ => None,
    }
}

fn exclude_exprs<'a>(facts: &Facts<'a>, comparisons: &[(Op, &'a (Expr, Expr))], scope: Scope) -> bool {
    let mut atoms = Atoms::new(facts);
    let rows = atoms.find_rows(scope);
    let mut all = Constraints::default();
    for (op, sides) in comparisons.iter().take(MAX_COMPARISONS) {
        let both = atoms.sum_expr(&sides.0, scope, rows).zip(atoms.sum_expr(&sides.1, scope, rows));
        all.add(*op, both);
    }
    all.exclude(atoms)
}

/// Whether no row meets all of these conditions of a query, of which only comparisons are looked at.
pub fn are_terms_contradictory(terms: &TermFacts<'_, '_>, parts: &[&Term]) -> bool {
    let comparisons: Vec<(Op, &(Term, Term))> = parts.iter().filter_map(|part| as_compared(part)).collect();
    let is_of_two = |(_, sides): &(Op, &(Term, Term))| sides.0.is_of_rows() && sides.1.is_of_rows();
    comparisons.len() > 1 && comparisons.iter().any(is_of_two) && exclude_terms(terms, &comparisons)
}

/// Whether each row meets one of these conditions of a query, of which only comparisons are looked at.
pub fn are_terms_exhaustive<'t>(terms: &TermFacts<'_, '_>, parts: &[&'t Term]) -> bool {
    let opposite = |part: &&'t Term| {
        let (op, sides) = as_compared(part)?;
        let present = !terms.judge(part).is_null;
        Some((negate_comparison(op).filter(|_| present)?, sides))
    };
    let opposites: Vec<(Op, &'t (Term, Term))> = parts.iter().filter_map(opposite).collect();
    opposites.len() > 1 && exclude_terms(terms, &opposites)
}

fn as_compared(part: &Term) -> Option<(Op, &(Term, Term))> {
    match part {
        Term::Compare(op, sides) => Some((*op, sides)),
        Term::Not(inner) => as_compared(inner).and_then(|(op, sides)| Some((negate_comparison(op)?, sides))),
        _ => None,
    }
}

fn exclude_terms(terms: &TermFacts<'_, '_>, comparisons: &[(Op, &(Term, Term))]) -> bool {
    let mut atoms = Atoms::new(terms.facts);
    let mut all = Constraints::default();
    for (op, sides) in comparisons.iter().take(MAX_COMPARISONS) {
        if !are_ordered_alike(terms, &sides.0, &sides.1) {
            continue;
        }
        let both = atoms.sum_term(terms, &sides.0).zip(atoms.sum_term(terms, &sides.1));
        all.add(*op, both);
    }
    all.exclude(atoms)
}

/// What comparisons say of the differences of their sides.
#[derive(Default)]
struct Constraints {
    bounded: Vec<Constraint>,
    /// Sums that are not 0.
    different: Vec<Sum>,
}

impl Constraints {
    /// Adds what a comparison of two sums says.
    fn add(&mut self, op: Op, sides: Option<(Sum, Sum)>) {
        let Some((less, greater)) = sides.and_then(|(a, b)| a.subtract(&b).zip(b.subtract(&a))) else { return };
        match op {
            Op::Lt => self.bounded.push(Constraint { sum: less, strict: Strict::Yes }),
            Op::Le => self.bounded.push(Constraint { sum: less, strict: Strict::No }),
            Op::Gt => self.bounded.push(Constraint { sum: greater, strict: Strict::Yes }),
            Op::Ge => self.bounded.push(Constraint { sum: greater, strict: Strict::No }),
            Op::Eq => self.bounded.extend([less, greater].map(|sum| Constraint { sum, strict: Strict::No })),
            Op::Ne => self.different.push(less),
            _ => {}
        }
    }

    /// Whether some of them exclude each other.
    fn exclude(mut self, mut atoms: Atoms<'_, '_>) -> bool {
        atoms.relate();
        if self.find_exclusion(&atoms) {
            return true;
        }
        // What is not 0 is below 0 or above 0, and both can be excluded.
        std::mem::take(&mut self.different).into_iter().any(|sum| {
            [sum.negate(), sum].into_iter().all(|sum| {
                self.bounded.push(Constraint { sum, strict: Strict::Yes });
                let found = self.find_exclusion(&atoms);
                self.bounded.pop();
                found
            })
        })
    }

    fn find_exclusion(&self, atoms: &Atoms<'_, '_>) -> bool {
        let search = Search { atoms, constraints: &self.bounded };
        self.bounded.len() > 1 && search.excludes_from(0, &Sum::default(), (Strict::No, 0))
    }
}

struct Search<'s, 'l, 'a> {
    atoms: &'s Atoms<'l, 'a>,
    constraints: &'s [Constraint],
}

impl Search<'_, '_, '_> {
    /// Whether some of the constraints from the one at `first` on exclude those whose sum is `sum`: `added` of them.
    fn excludes_from(&self, first: usize, sum: &Sum, (strict, added): (Strict, usize)) -> bool {
        if added >= MAX_ADDED {
            return false;
        }
        self.constraints.iter().enumerate().skip(first).any(|(at, next)| {
            let Some(sum) = sum.add(&next.sum) else { return false };
            let strict = if strict == Strict::Yes { strict } else { next.strict };
            (added > 0 && self.is_impossible(&sum, strict)) || self.excludes_from(at + 1, &sum, (strict, added + 1))
        })
    }

    /// Whether a sum cannot be at most 0, or below 0.
    fn is_impossible(&self, sum: &Sum, strict: Strict) -> bool {
        let opposite = if strict == Strict::Yes { Strict::No } else { Strict::Yes };
        is_at_most_zero(self.atoms, &sum.negate(), opposite)
    }
}
