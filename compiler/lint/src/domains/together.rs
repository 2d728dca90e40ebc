//! Comparisons of the same value in a query that cannot both hold, or of which one always holds.

use model::suite::Op;
use model::{Span, Value};

use super::operands::Lint;
use super::terms::has_gathered;
use hir::facts::Fact;
use hir::facts::is_contradiction;
use hir::terms::Known;
use sql::predicates::{Bounded, Operand, Side};
use syntax::diagnostics::{Code, Diagnostic};

/// A bound `value op other`.
struct Bound<'l, 'a> {
    op: Op,
    /// The facts about the other side if it is in the same comparison class as the value. `None` if nothing is known.
    value: Option<Fact<'a>>,
    /// The name of the other side if it is a parameter.
    param: Option<&'l str>,
}

impl Bound<'_, '_> {
    /// Checks whether no value satisfies both bounds.
    fn is_disjoint_from(&self, other: &Bound<'_, '_>) -> bool {
        if self.param.is_some() && self.param == other.param {
            // The same parameter has the same value, whatever it is.
            let any = Fact::from_value(&Value::Int(0));
            return is_contradiction((self.op, &any), (other.op, &any));
        }
        match (&self.value, &other.value) {
            (Some(a), Some(b)) => is_contradiction((self.op, a), (other.op, b)),
            _ => false,
        }
    }
}

impl<'a> Lint<'_, 'a> {
    /// Reports comparisons of a query that decide each other, unless one of them has been decided.
    pub fn report_pairs(&self, decided: &mut Vec<Span>, said: &mut Vec<Diagnostic>) {
        let predicates = &self.sql.analysis.predicates;
        let is_decided = |parts: &[Bounded], decided: &[Span]| parts.iter().any(|part| decided.contains(&part.span));
        for parts in predicates.conjunctions.iter().filter(|parts| !is_decided(parts, decided)).collect::<Vec<_>>() {
            let found = self.check_conjunction(parts);
            decided.extend(found.as_ref().map(|(_, span)| *span));
            said.extend(found.map(|(diagnostic, _)| diagnostic));
        }
        for parts in predicates.disjunctions.iter().filter(|parts| !is_decided(parts, decided)).collect::<Vec<_>>() {
            let found = self.check_disjunction(parts);
            decided.extend(found.as_ref().map(|(_, span)| *span));
            said.extend(found.map(|(diagnostic, _)| diagnostic));
        }
        for parts in &predicates.cases {
            let found = self.check_branches(parts).filter(|(_, span)| !decided.contains(span));
            decided.extend(found.as_ref().map(|(_, span)| *span));
            said.extend(found.map(|(diagnostic, _)| diagnostic));
        }
    }

    /// Finds the first comparison that contradicts an earlier one. Returns its diagnostic and its span.
    fn check_conjunction(&self, parts: &[Bounded]) -> Option<(Diagnostic, Span)> {
        let (first, later) = self.find_disjoint(parts)?;
        let said = Diagnostic::new(
            Code::IMPOSSIBLE_PREDICATE,
            format!("no row meets both `{}` and `{}`", self.quote_source(first.whole), self.quote_source(later.whole)),
            later.whole,
            "excludes the other",
        )
        .label(first.whole, "the other one")
        .help("fix one of the two bounds, or write OR between them");
        Some((said, later.span))
    }

    /// Finds the first comparison that holds wherever an earlier one, joined with it by OR, does not. Returns its diagnostic and its span.
    fn check_disjunction(&self, parts: &[Bounded]) -> Option<(Diagnostic, Span)> {
        let (first, later) = self.find_disjoint(parts)?;
        let never_null = |part: &Bounded| {
            let others = part.bounds.iter().flat_map(|(_, items)| items);
            !self.terms().infer(&part.term).fact.nullable
                && others.into_iter().all(|item| !self.terms().infer(&item.to_term()).fact.nullable)
        };
        if !never_null(first) || !never_null(later) {
            return None;
        }
        let (a, b) = (self.quote_source(first.whole), self.quote_source(later.whole));
        let said = Diagnostic::new(
            Code::VACUOUS_PREDICATE,
            format!("every row meets `{a}` or `{b}`"),
            later.whole,
            "holds wherever the other does not",
        )
        .label(first.whole, "the other one")
        .help("write AND between them, or fix one of the two bounds");
        Some((said, later.span))
    }

    /// Finds a condition of CASE that is true only where an earlier one is. Returns its diagnostic and its span.
    fn check_branches(&self, parts: &[Option<Bounded>]) -> Option<(Diagnostic, Span)> {
        let parts: Vec<&Bounded> = parts.iter().flatten().collect();
        let (first, later) = parts.iter().enumerate().find_map(|(index, later)| {
            let covers = |first: &&&Bounded| self.is_covered_by(later, first);
            parts.iter().take(index).find(covers).map(|first| (*first, *later))
        })?;
        let (a, b) = (self.quote_source(first.whole), self.quote_source(later.whole));
        let said = Diagnostic::new(
            Code::IMPOSSIBLE_PREDICATE,
            format!("`WHEN {b}` is never reached: every row that meets it meets `{a}` before"),
            later.whole,
            "never reached",
        )
        .label(first.whole, "taken first")
        .help("write the narrower condition first");
        Some((said, later.span))
    }

    /// Whether each value that satisfies a comparison satisfies another one, which has a single bound.
    fn is_covered_by(&self, inner: &Bounded, outer: &Bounded) -> bool {
        let [(op, others)] = outer.bounds.as_slice() else { return false };
        let opposite = match op {
            Op::Lt => Op::Ge,
            Op::Le => Op::Gt,
            Op::Gt => Op::Le,
            Op::Ge => Op::Lt,
            Op::Eq if inner.bounds == outer.bounds => return inner.term == outer.term,
            _ => return false,
        };
        let outside = Bounded { bounds: vec![(opposite, others.clone())], ..outer.clone() };
        self.find_disjoint(&[outside, inner.clone()]).is_some()
    }

    /// Finds the first comparison that contradicts an earlier one, and that one.
    fn find_disjoint<'p>(&self, parts: &'p [Bounded]) -> Option<(&'p Bounded, &'p Bounded)> {
        let bounds: Vec<(&Bounded, Vec<Bound<'p, 'a>>)> =
            parts.iter().filter_map(|part| Some((part, self.collect_bounds(part)?))).collect();
        bounds.iter().enumerate().find_map(|(index, (later, its))| {
            let excludes = |(first, others): &&(&Bounded, Vec<Bound<'_, 'a>>)| {
                first.term == later.term
                    && others.iter().any(|first| its.iter().any(|second| first.is_disjoint_from(second)))
            };
            bounds.iter().take(index).find(excludes).map(|(first, _)| (*first, *later))
        })
    }

    /// Collects the bounds that a comparison sets for its value.
    fn collect_bounds<'p>(&self, part: &'p Bounded) -> Option<Vec<Bound<'p, 'a>>> {
        // Two aggregates can look alike: `MIN(X)` and `MAX(X)`.
        if has_gathered(&part.term) {
            return None;
        }
        let text = self.terms().infer_class(&part.term)?;
        let bounds = part.bounds.iter().map(|(op, items)| Bound {
            op: *op,
            value: self.combine_facts(items, text),
            param: match items.as_slice() {
                [Operand { value: Side::Param(name), .. }] => Some(name),
                _ => None,
            },
        });
        Some(bounds.collect())
    }

    /// Combines the facts about several values, if all are known and in the same comparison class.
    fn combine_facts(&self, items: &[Operand], text: bool) -> Option<Fact<'a>> {
        let one = |item: &Operand| {
            let known: Known<'a> = self.terms().infer(&item.to_term());
            (known.is_text() == Some(text)).then_some(known.fact)
        };
        items.iter().map(one).reduce(|all, next| Some(all?.join_fact(&next?))).flatten()
    }
}
