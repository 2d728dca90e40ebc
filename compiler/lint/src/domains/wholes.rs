//! Conditions of several parts that are never or always true together, although each part is true in some rows and false in others.

use model::Span;
use model::suite::{Op, Scope};

use super::conditions::{Condition, collect_comparisons, split_at};
use super::operands::Lint as QueryLint;
use super::predicates::Lint;
use hir::cases::decide_term;
use hir::facts::Truth;
use hir::order::{are_exprs_contradictory, are_exprs_exhaustive, are_terms_contradictory, are_terms_exhaustive};
use hir::{Expr, ExprKind};
use sql::predicates::Atom;
use sql::terms::Term;
use syntax::diagnostics::{Code, Diagnostic};

impl<'a> Lint<'_, 'a> {
    /// Reports the innermost part of a condition that is never or always true, unless a part within it is `decided`.
    pub(super) fn check_whole(&self, at: Condition<'a>, decided: &[Span]) -> Option<(Diagnostic, Span)> {
        let is_decided = |expr: &Expr| decided.iter().any(|span| expr.span.is_enclosing(*span));
        let mut parts = collect_compounds(at.expr);
        // What a part shows by itself is told of that part, or is wanted: `STATUS >= 500 and STATUS <= 599`.
        let is_open = |part: &&'a Expr| self.cx.facts().infer_truth(part, at.scope) == Truth::Open;
        parts.retain(|part| !is_decided(part) && collect_comparisons(part).iter().all(is_open));
        let (part, truth) = parts.into_iter().find_map(|part| match self.decide(part, at.scope) {
            Truth::Open => self.decide_together(part, at.scope).map(|truth| (part, truth)),
            truth => Some((part, truth)),
        })?;
        let said = build_diagnostic(&self.quote_source(part.span), part.span, describe_whole(truth, at), truth);
        Some((said, part.span))
    }

    /// Decides comparisons joined by `and` or `or`, by the order of what they compare.
    fn decide_together(&self, part: &'a Expr, scope: Scope) -> Option<Truth> {
        let ExprKind::Binary(joint @ (Op::And | Op::Or), _) = &part.kind else { return None };
        let parts = split_at(*joint, part);
        match joint {
            Op::And => are_exprs_contradictory(self.cx.facts(), &parts, scope).then_some(Truth::Never),
            _ => are_exprs_exhaustive(self.cx.facts(), &parts, scope).then_some(Truth::Always),
        }
    }
}

impl QueryLint<'_, '_> {
    /// Reports conditions of several parts that are never or always true, unless a part is `decided`.
    pub(super) fn report_wholes(&self, decided: &mut Vec<Span>, said: &mut Vec<Diagnostic>) {
        let predicates = &self.sql.analysis.predicates;
        for whole in &predicates.wholes {
            let within = |span: Span| whole.span.is_enclosing(span);
            let is_open = |atom: &Atom| self.terms().judge(&atom.term).to_truth() == Truth::Open;
            let mut atoms = predicates.atoms.iter().filter(|atom| within(atom.span));
            if decided.iter().any(|span| within(*span))
                || !whole.term.is_of_rows()
                || self.reads_large_ints(&whole.term)
                || !atoms.all(is_open)
            {
                continue;
            }
            let truth = match decide_term(&self.terms(), &whole.term) {
                Truth::Open => self.decide_together(&whole.term),
                known => known,
            };
            if truth != Truth::Open {
                decided.push(whole.span);
                said.push(build_diagnostic(
                    &self.quote_source(whole.span),
                    whole.span,
                    describe_for_rows(truth),
                    truth,
                ));
            }
        }
    }

    /// Decides comparisons joined by AND or OR, by the order of what they compare.
    fn decide_together(&self, term: &Term) -> Truth {
        let (terms, mut parts) = (self.terms(), Vec::new());
        match term {
            Term::And(_) => {
                split_term(Op::And, term, &mut parts);
                if are_terms_contradictory(&terms, &parts) { Truth::Never } else { Truth::Open }
            }
            Term::Or(_) => {
                split_term(Op::Or, term, &mut parts);
                if are_terms_exhaustive(&terms, &parts) { Truth::Always } else { Truth::Open }
            }
            _ => Truth::Open,
        }
    }
}

/// The parts that AND, or OR, joins in a condition.
fn split_term<'t>(joint: Op, term: &'t Term, parts: &mut Vec<&'t Term>) {
    match (joint, term) {
        (Op::And, Term::And(sides)) | (Op::Or, Term::Or(sides)) => {
            split_term(joint, &sides.0, parts);
            split_term(joint, &sides.1, parts);
        }
        _ => parts.push(term),
    }
}

/// Collects the parts of a condition that combine others by `and`, `or`, and `not`, the inner ones first.
fn collect_compounds(expr: &Expr) -> Vec<&Expr> {
    let mut found = Vec::new();
    match &expr.kind {
        ExprKind::Binary(Op::And | Op::Or, sides) => {
            found.extend(collect_compounds(&sides.0));
            found.extend(collect_compounds(&sides.1));
            found.push(expr);
        }
        ExprKind::Not(inner) => found.extend(collect_compounds(inner)),
        // What is chosen may exclude the condition.
        ExprKind::If(_) => found.push(expr),
        _ => {}
    }
    found
}

/// How often a condition is true.
fn describe_whole(truth: Truth, at: Condition<'_>) -> &'static str {
    match truth {
        _ if at.of_rows => describe_for_rows(truth),
        Truth::Always => "always true",
        _ => "never true",
    }
}

/// The same for a condition on rows.
fn describe_for_rows(truth: Truth) -> &'static str {
    if truth == Truth::Always { "true for every row" } else { "false for every row" }
}

fn build_diagnostic(written: &str, span: Span, what: &str, truth: Truth) -> Diagnostic {
    let (code, label, help) = match truth {
        Truth::Always => {
            (Code::VACUOUS_PREDICATE, "always", "one of its parts always holds: change or remove one of them")
        }
        _ => (Code::IMPOSSIBLE_PREDICATE, "never", "its parts exclude each other: change or remove one of them"),
    };
    Diagnostic::new(code, format!("`{written}` is {what}"), span, label).help(help)
}
