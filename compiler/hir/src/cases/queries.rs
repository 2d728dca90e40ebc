//! Conditions of queries.

use sql::terms::{Affinity, MatchKind, Operator, Term};

use super::variables::{Collector, Variables};
use super::{Seen, decide, is_met};
use crate::facts::{Fact, Row, Slot, Truth};
use crate::terms::{TermFacts, find_cell_slot, find_result_slot};

/// Functions that read texts only by the order and equality of their characters, and by their length.
const BY_CHARACTER: &str = "coalesce concat ifnull iif if instr length likely lower ltrim max min nullif replace rtrim substr trim typeof \
    unicode unlikely upper";

/// The maximum number of values of a subquery that are cases.
const MAX_RESULTS: usize = 200;

/// Decides a condition of a query by the cases of the columns and values that it reads.
pub fn decide_term(terms: &TermFacts<'_, '_>, term: &Term) -> Truth {
    if term.has_unknown() {
        return Truth::Open;
    }
    let mut collector =
        TermCollector { terms, all: Collector::new(terms.facts), results: Vec::new(), nullable: Vec::new() };
    collector.add_term(term);
    let TermCollector { all, results, nullable, .. } = collector;
    let Some(mut variables) = all.finish() else { return Truth::Open };
    variables.nullable = nullable;
    let Variables { dependent, different, .. } = &mut variables;
    let (dependent, different) = (std::mem::take(dependent), std::mem::take(different));
    let judge = || terms.judge(term).to_truth();
    terms.facts.with_cases(terms.scope, dependent, different, || {
        // What a subquery returns is known before any case.
        let decide = || decide(terms.facts, &variables, &judge);
        results.into_iter().fold(Box::new(decide) as Box<dyn Fn() -> Truth + '_>, |ask, (slot, fact)| {
            Box::new(move || terms.facts.assume(slot, fact.clone(), &ask))
        })()
    })
}

/// Whether a condition of a query is certainly met by some row of some sample: all that it reads is drawn independently.
pub fn is_met_by_a_row(terms: &TermFacts<'_, '_>, term: &Term) -> bool {
    let mut collector =
        TermCollector { terms, all: Collector::new(terms.facts), results: Vec::new(), nullable: Vec::new() };
    collector.add_term(term);
    let TermCollector { all, results, nullable, .. } = collector;
    let Some(variables) = all.finish().filter(|_| results.is_empty() && nullable.is_empty()) else { return false };
    if !variables.are_independent(terms.facts) {
        return false;
    }
    let judge = || terms.judge(term).to_truth();
    terms.facts.with_cases(terms.scope, Vec::new(), Vec::new(), || {
        is_met(terms.facts, &variables, 0, &judge, &Seen::default())
    })
}

struct TermCollector<'l, 't, 'a> {
    terms: &'l TermFacts<'t, 'a>,
    all: Collector<'t, 'a>,
    /// The values of subqueries, and of columns that they compute.
    results: Vec<(Slot, Fact<'a>)>,
    /// The columns that an outer join makes null.
    nullable: Vec<Slot>,
}

impl TermCollector<'_, '_, '_> {
    fn add_term(&mut self, term: &Term) {
        match term {
            Term::Column { relation, column, nullable, at } => {
                let slot = find_cell_slot(*relation, *column, *at);
                if *nullable {
                    self.nullable.push(slot);
                }
                self.all.add_slot(slot);
            }
            Term::Cell { at, .. } => {
                let (slot, fact) = (find_result_slot(*at), self.terms.infer(term).fact);
                if fact.closed.as_ref().is_some_and(|values| values.len() <= MAX_RESULTS) {
                    self.all.found.slots.retain(|known| *known != slot);
                    self.all.found.slots.push(slot);
                    self.results.push((slot, fact));
                }
            }
            Term::Literal(value) => self.all.add_literal(value),
            Term::Param(name) => {
                if let Some(value) = self.terms.sql.find_param(name) {
                    let rows = (self.terms.scope.row.map(|_| Row::Current), self.terms.scope.outer.map(|_| Row::Outer));
                    self.all.add_expr(value, self.terms.scope, rows);
                }
            }
            // The rows of an aggregate or of another query are not those of the case.
            Term::Gathered(_) => {}
            Term::InQuery(sides) => self.add_term(&sides.0),
            Term::Call(name, args) => {
                if !BY_CHARACTER.split_ascii_whitespace().any(|known| known == name) {
                    self.all.read_whole();
                }
                args.iter().for_each(|arg| self.add_term(arg));
            }
            Term::Operator(operator, sides) => {
                if *operator != Operator::Concatenate && [&sides.0, &sides.1].iter().any(|side| self.is_text(side)) {
                    self.all.read_whole();
                }
                self.add_pair(sides);
            }
            Term::Compare(_, sides) | Term::Is(sides) | Term::And(sides) | Term::Or(sides) => self.add_pair(sides),
            Term::Negative(inner) | Term::Cast(Affinity::Integer | Affinity::Real, inner) => {
                if self.is_text(inner) {
                    self.all.read_whole();
                }
                self.add_term(inner);
            }
            Term::Not(inner) | Term::Cast(Affinity::Text, inner) => self.add_term(inner),
            Term::Case(branches, otherwise) => {
                for (condition, result) in branches {
                    self.add_term(condition);
                    self.add_term(result);
                }
                self.add_term(otherwise);
            }
            Term::In(value, items) => {
                self.add_term(value);
                items.iter().for_each(|item| self.add_term(item));
            }
            Term::Match { text, pattern, kind: MatchKind::Like(_) | MatchKind::Glob } => {
                self.add_term(text);
                self.add_term(pattern);
            }
            Term::Unknown => {}
        }
    }

    fn add_pair(&mut self, sides: &(Term, Term)) {
        self.add_term(&sides.0);
        self.add_term(&sides.1);
    }

    fn is_text(&self, term: &Term) -> bool {
        self.terms.infer_class(term) != Some(false)
    }
}
