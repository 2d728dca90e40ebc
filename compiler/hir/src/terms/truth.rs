//! Whether a condition can be true, false, or null.

use std::cmp::Ordering;

use model::Value;
use model::suite::Op;
use sql::terms::{MatchKind, Term};

use super::compare::{Outcomes, compare_known};
use super::infer::TermFacts;
use super::known::Known;
use super::same::are_same_where_present;
use super::{functions, readers};
use crate::facts::Truth;

impl<'a> TermFacts<'_, 'a> {
    /// The possible results of a condition.
    pub fn judge(&self, term: &Term) -> Outcomes {
        match term {
            Term::Compare(op, sides) => {
                let outcomes = compare_known(*op, &self.infer(&sides.0), &self.infer(&sides.1));
                let is_open = outcomes.is_true && outcomes.is_false;
                if is_open && are_same_where_present(&sides.0, &sides.1) {
                    let holds = matches!(op, Op::Eq | Op::Le | Op::Ge);
                    return Outcomes { is_true: holds, is_false: !holds, ..outcomes };
                }
                outcomes
            }
            Term::Is(sides) => self.judge_is(&sides.0, &sides.1),
            Term::In(value, items) => self.judge_in(value, items),
            Term::InQuery(sides) => self.judge_in_query(&sides.0, &sides.1),
            Term::Match { text, pattern, kind } => self.judge_match(text, pattern, *kind),
            Term::And(sides) => self.judge(&sides.0).and(self.judge(&sides.1)),
            Term::Or(sides) => self.judge(&sides.0).or(self.judge(&sides.1)),
            Term::Not(inner) => self.judge(inner).invert(),
            Term::Unknown => Outcomes::ANY,
            value => judge_value(&self.infer(value)),
        }
    }

    fn judge_is(&self, left: &Term, right: &Term) -> Outcomes {
        let (a, b) = (self.infer(left), self.infer(right));
        let is_null = |known: &Known<'_>| known.fact.is_empty() && known.fact.nullable;
        let known = match (is_null(&a), is_null(&b)) {
            (true, true) => Truth::Always,
            (true, false) if !b.fact.nullable => Truth::Never,
            (false, true) if !a.fact.nullable => Truth::Never,
            (true, _) | (_, true) => Truth::Open,
            (false, false) => {
                let both_null = a.fact.nullable && b.fact.nullable;
                match compare_known(Op::Eq, &a, &b) {
                    Outcomes { is_true: false, .. } if !both_null => Truth::Never,
                    outcomes if outcomes.to_truth() == Truth::Always => Truth::Always,
                    _ => Truth::Open,
                }
            }
        };
        Outcomes::from_truth(known)
    }

    fn judge_in(&self, value: &Term, items: &[Term]) -> Outcomes {
        if items.is_empty() {
            return Outcomes::from_truth(Truth::Never);
        }
        let known = self.infer(value);
        let nothing = Outcomes::from_truth(Truth::Never);
        let mut all = items.iter().fold(nothing, |all, item| all.or(compare_known(Op::Eq, &known, &self.infer(item))));
        // Each value is one of the items, which the comparisons with each of them do not show.
        let listed: Vec<Value> =
            items.iter().filter_map(|item| self.infer(item).fact.as_single_value().cloned()).collect();
        let is_listed = |value: &Value| listed.iter().any(|item| item.is_same(value));
        let every = known.fact.closed.as_ref().filter(|values| !values.is_empty());
        if every.is_some_and(|values| values.iter().all(is_listed)) {
            all = Outcomes { is_true: true, is_false: false, is_null: known.fact.nullable };
        }
        all
    }

    /// `x IN (SELECT …)`: whether there are values at all is not known.
    fn judge_in_query(&self, value: &Term, of: &Term) -> Outcomes {
        let compared = compare_known(Op::Eq, &self.infer(value), &self.infer_other_rows(of));
        Outcomes { is_true: compared.is_true, is_false: true, is_null: true }
    }

    fn judge_match(&self, text: &Term, pattern: &Term, kind: MatchKind) -> Outcomes {
        let (text, pattern) = (self.infer(text), self.infer(pattern));
        let nullable = text.fact.nullable || pattern.fact.nullable;
        let Some([Value::Text(pattern)]) = pattern.fact.closed.as_deref() else { return Outcomes::ANY };
        let Some(texts) = text.to_written_texts() else {
            let all =
                !pattern.is_empty() && pattern.chars().all(|c| c == if kind == MatchKind::Glob { '*' } else { '%' });
            return if all { Outcomes { is_true: true, is_false: false, is_null: nullable } } else { Outcomes::ANY };
        };
        match readers::match_pattern(&texts, pattern, kind) {
            Some((is_true, is_false)) => Outcomes { is_true, is_false, is_null: nullable },
            None => Outcomes::ANY,
        }
    }
}

/// A value as a condition: a number other than 0 is true.
fn judge_value(known: &Known<'_>) -> Outcomes {
    let fact = &known.fact;
    // A text counts as the number with which it begins, and as 0 if it begins with none.
    if let Some(texts) = &known.texts
        && let Some((false, _)) = readers::match_pattern(texts, "*[0-9]*", MatchKind::Glob)
    {
        return Outcomes { is_true: false, is_false: true, is_null: fact.nullable };
    }
    if let Some(values) = &fact.closed {
        let truths: Option<Vec<bool>> = values.iter().map(functions::is_true).collect();
        return match truths {
            Some(truths) => {
                Outcomes { is_true: truths.contains(&true), is_false: truths.contains(&false), is_null: fact.nullable }
            }
            None => Outcomes::ANY,
        };
    }
    let Some((low, high)) = &fact.range else { return Outcomes::ANY };
    let zero = Value::Int(0);
    let apart = low.compare_with(&zero) == Some(Ordering::Greater) || high.compare_with(&zero) == Some(Ordering::Less);
    if apart { Outcomes { is_true: true, is_false: false, is_null: fact.nullable } } else { Outcomes::ANY }
}
