//! Whether a condition can be true, false, or null.

use std::cmp::Ordering;

use model::Value;
use model::suite::Op;
use sql::terms::{MatchKind, Term};

use super::infer::TermFacts;
use super::known::Known;
use super::{functions, readers};
use crate::facts::{Fact, Truth, compare_facts};

/// The possible results of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Outcomes {
    pub is_true: bool,
    pub is_false: bool,
    pub is_null: bool,
}

impl Outcomes {
    /// Nothing is known.
    pub const ANY: Outcomes = Outcomes { is_true: true, is_false: true, is_null: true };

    /// Whether the condition is always true, never, or neither is known.
    pub fn to_truth(self) -> Truth {
        match self {
            Outcomes { is_true: false, .. } => Truth::Never,
            Outcomes { is_true: true, is_false: false, is_null: false } => Truth::Always,
            _ => Truth::Open,
        }
    }

    /// The results of the comparison of two values that are not null.
    fn from_truth(truth: Truth) -> Outcomes {
        Outcomes { is_true: truth != Truth::Never, is_false: truth != Truth::Always, is_null: false }
    }

    fn with_null_if(self, nullable: bool) -> Outcomes {
        Outcomes { is_null: self.is_null || nullable, ..self }
    }

    fn invert(self) -> Outcomes {
        Outcomes { is_true: self.is_false, is_false: self.is_true, ..self }
    }

    fn and(self, other: Outcomes) -> Outcomes {
        Outcomes {
            is_true: self.is_true && other.is_true,
            is_false: self.is_false || other.is_false,
            is_null: (self.is_null && (other.is_null || other.is_true)) || (other.is_null && self.is_true),
        }
    }

    fn or(self, other: Outcomes) -> Outcomes {
        self.invert().and(other.invert()).invert()
    }

    /// The condition as a value: 1, 0, or null.
    pub(super) fn to_fact<'a>(self) -> Fact<'a> {
        let values = [(self.is_true, Value::Int(1)), (self.is_false, Value::Int(0)), (self.is_null, Value::Null)];
        Fact::from_values(values.into_iter().filter_map(|(possible, value)| possible.then_some(value)))
    }
}

impl<'a> TermFacts<'_, 'a> {
    /// The possible results of a condition.
    pub fn judge(&self, term: &Term) -> Outcomes {
        match term {
            Term::Compare(op, sides) => compare_known(*op, &self.infer(&sides.0), &self.infer(&sides.1)),
            Term::Is(sides) => self.judge_is(&sides.0, &sides.1),
            Term::In(value, items) => self.judge_in(value, items),
            Term::InQuery(sides) => self.judge_in_query(&sides.0, &sides.1),
            Term::Match { text, pattern, kind } => self.judge_match(text, pattern, *kind),
            Term::And(sides) => self.judge(&sides.0).and(self.judge(&sides.1)),
            Term::Or(sides) => self.judge(&sides.0).or(self.judge(&sides.1)),
            Term::Not(inner) => self.judge(inner).invert(),
            Term::Unknown => Outcomes::ANY,
            value => judge_value(&self.infer(value).fact),
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
        let compared = compare_known(Op::Eq, &self.infer(value), &self.infer(of));
        Outcomes { is_true: compared.is_true, is_false: true, is_null: true }
    }

    fn judge_match(&self, text: &Term, pattern: &Term, kind: MatchKind) -> Outcomes {
        let (text, pattern) = (self.infer(text), self.infer(pattern));
        let nullable = text.fact.nullable || pattern.fact.nullable;
        let any = Outcomes::ANY.with_null_if(nullable);
        let Some([Value::Text(pattern)]) = pattern.fact.closed.as_deref() else { return any };
        let Some(texts) = to_written_texts(&text) else {
            let all = !pattern.is_empty() && pattern.chars().all(|c| c == if kind == MatchKind::Glob { '*' } else { '%' });
            return if all { Outcomes { is_true: true, is_false: false, is_null: nullable } } else { any };
        };
        match readers::match_pattern(&texts, pattern, kind) {
            Some((is_true, is_false)) => Outcomes { is_true, is_false, is_null: nullable },
            None => any,
        }
    }
}

/// The texts that a pattern is compared with: numbers are written first.
fn to_written_texts<'a>(known: &Known<'a>) -> Option<super::texts::Texts<'a>> {
    if let Some(texts) = known.to_texts() {
        return Some(texts);
    }
    let values = known.fact.closed.as_ref().filter(|values| !values.is_empty())?;
    let written = values.iter().map(|value| functions::render_as_text(value).map(Value::Text));
    written.collect::<Option<_>>().map(super::texts::Texts::Listed)
}

/// A value as a condition: a number other than 0 is true.
fn judge_value(fact: &Fact<'_>) -> Outcomes {
    if let Some(values) = &fact.closed {
        let truths: Option<Vec<bool>> = values.iter().map(functions::is_true).collect();
        return match truths {
            Some(truths) => Outcomes {
                is_true: truths.contains(&true),
                is_false: truths.contains(&false),
                is_null: fact.nullable,
            },
            None => Outcomes::ANY,
        };
    }
    let Some((low, high)) = &fact.range else { return Outcomes::ANY };
    let zero = Value::Int(0);
    let apart = low.compare_with(&zero) == Some(Ordering::Greater) || high.compare_with(&zero) == Some(Ordering::Less);
    if apart { Outcomes { is_true: true, is_false: false, is_null: fact.nullable } } else { Outcomes::ANY }
}

/// The possible results of a comparison. Those of texts with numbers are not decided.
pub fn compare_known(op: Op, a: &Known<'_>, b: &Known<'_>) -> Outcomes {
    let nullable = a.fact.nullable || b.fact.nullable;
    let null = |known: &Known<'_>| known.fact.is_empty() && known.fact.nullable;
    if null(a) || null(b) {
        return Outcomes { is_true: false, is_false: false, is_null: true };
    }
    if a.fact.is_empty() || b.fact.is_empty() {
        return Outcomes::ANY;
    }
    let (Some(a_text), Some(b_text)) = (a.is_text(), b.is_text()) else { return Outcomes::ANY };
    if a_text != b_text {
        return Outcomes::ANY;
    }
    let present = |fact: &Fact<'_>| Fact { nullable: false, domain: None, ..fact.clone() };
    let by_facts = Outcomes::from_truth(compare_facts(op, &present(&a.fact), &present(&b.fact)));
    let outcomes = match compare_texts(op, a, b) {
        Some(by_texts) => by_facts.meet(by_texts),
        None => by_facts,
    };
    outcomes.with_null_if(nullable)
}

impl Outcomes {
    /// What both allow.
    fn meet(self, other: Outcomes) -> Outcomes {
        Outcomes {
            is_true: self.is_true && other.is_true,
            is_false: self.is_false && other.is_false,
            is_null: self.is_null && other.is_null,
        }
    }
}

/// The comparison of texts that are not listed with one text.
fn compare_texts(op: Op, a: &Known<'_>, b: &Known<'_>) -> Option<Outcomes> {
    let (texts, values, op) = match (&a.texts, &b.texts) {
        (Some(texts), None) => (texts, b.fact.closed.as_deref()?, op),
        (None, Some(texts)) => (texts, a.fact.closed.as_deref()?, op.swap_sides()),
        _ => return None,
    };
    let (mut is_true, mut is_false) = (false, false);
    if values.is_empty() || values.len() > 50 {
        return None;
    }
    for value in values {
        let Value::Text(text) = value else { return None };
        for order in readers::compare_with_text(texts, text)? {
            let holds = match op {
                Op::Eq => order.is_eq(),
                Op::Ne => order.is_ne(),
                Op::Lt => order.is_lt(),
                Op::Le => order.is_le(),
                Op::Gt => order.is_gt(),
                Op::Ge => order.is_ge(),
                _ => return None,
            };
            (is_true, is_false) = (is_true || holds, is_false || !holds);
        }
    }
    Some(Outcomes { is_true, is_false, is_null: false })
}
