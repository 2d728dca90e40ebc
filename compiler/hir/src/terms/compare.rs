//! The possible results of conditions, and of comparisons of what is known of two values.

use model::Value;
use model::suite::Op;

use super::known::Known;
use super::readers;
use crate::facts::{Fact, Truth, compare_facts};

/// The number of characters of `2024-01-31`, and of `2024-01-31T12:00:00`.
const DAY_LENGTH: usize = 10;
const MOMENT_LENGTH: usize = 19;

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
    pub(super) fn from_truth(truth: Truth) -> Outcomes {
        Outcomes { is_true: truth != Truth::Never, is_false: truth != Truth::Always, is_null: false }
    }

    pub(super) fn invert(self) -> Outcomes {
        Outcomes { is_true: self.is_false, is_false: self.is_true, ..self }
    }

    pub(super) fn and(self, other: Outcomes) -> Outcomes {
        Outcomes {
            is_true: self.is_true && other.is_true,
            is_false: self.is_false || other.is_false,
            is_null: (self.is_null && (other.is_null || other.is_true)) || (other.is_null && self.is_true),
        }
    }

    pub(super) fn or(self, other: Outcomes) -> Outcomes {
        self.invert().and(other.invert()).invert()
    }

    /// The condition as a value: 1, 0, or null.
    pub(super) fn to_fact<'a>(self) -> Fact<'a> {
        let values = [(self.is_true, Value::Int(1)), (self.is_false, Value::Int(0)), (self.is_null, Value::Null)];
        Fact::from_values(values.into_iter().filter_map(|(possible, value)| possible.then_some(value)))
    }
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
    let outcomes = match op {
        Op::Eq if have_different_lengths(a, b) => Outcomes { is_true: false, ..outcomes },
        Op::Ne if have_different_lengths(a, b) => Outcomes { is_false: false, ..outcomes },
        _ => outcomes,
    };
    Outcomes { is_null: outcomes.is_null || nullable, ..outcomes }
}

/// Whether no two texts have the same number of characters.
fn have_different_lengths(a: &Known<'_>, b: &Known<'_>) -> bool {
    let lengths = |known: &Known<'_>| match (known.days, known.moments) {
        (Some(_), _) => Some(vec![DAY_LENGTH]),
        (_, Some(_)) => Some(vec![MOMENT_LENGTH]),
        _ => known.to_texts().and_then(|texts| readers::measure_lengths(&texts)),
    };
    if a.is_text() != Some(true) || (a.fact.closed.is_some() && b.fact.closed.is_some()) {
        return false;
    }
    let Some((a, b)) = lengths(a).zip(lengths(b)) else { return false };
    !a.is_empty() && !b.is_empty() && a.iter().all(|length| !b.contains(length))
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
