//! Comparisons of what is known of two values, as JSONPath and XPath compare them.

use model::suite::Op;
use model::{Decimal, Value};

use super::convert::{Numbers, to_numbers, write_kind};
use super::values::{Class, Kind, Values};
use hir::facts::Fact;
use hir::paths::predicate::Language;
use hir::terms::{Known, compare_known};

/// The possible results of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Possible {
    pub is_true: bool,
    pub is_false: bool,
}

impl Possible {
    pub const ANY: Possible = Possible { is_true: true, is_false: true };
    pub const NEVER: Possible = Possible { is_true: false, is_false: true };
    pub const ALWAYS: Possible = Possible { is_true: true, is_false: false };
    /// The result of nothing yet.
    pub const NONE: Possible = Possible { is_true: false, is_false: false };

    pub fn join(self, other: Possible) -> Possible {
        Possible { is_true: self.is_true || other.is_true, is_false: self.is_false || other.is_false }
    }

    /// What both allow.
    pub fn meet(self, other: Possible) -> Possible {
        Possible { is_true: self.is_true && other.is_true, is_false: self.is_false && other.is_false }
    }

    pub fn invert(self) -> Possible {
        Possible { is_true: self.is_false, is_false: self.is_true }
    }

    pub fn and(self, other: Possible) -> Possible {
        Possible { is_true: self.is_true && other.is_true, is_false: self.is_false || other.is_false }
    }

    pub fn or(self, other: Possible) -> Possible {
        self.invert().and(other.invert()).invert()
    }

    pub fn is_decided(self) -> bool {
        self.is_true != self.is_false
    }
}

/// The comparison of values that cannot be the same.
fn decide_unlike(op: Op) -> Possible {
    if op == Op::Ne { Possible::ALWAYS } else { Possible::NEVER }
}

/// The comparison of a value with itself.
fn decide_same(op: Op) -> Possible {
    if matches!(op, Op::Eq | Op::Le | Op::Ge) { Possible::ALWAYS } else { Possible::NEVER }
}

/// The possible results of a comparison.
pub fn compare_values(op: Op, a: &Values<'_>, b: &Values<'_>, language: Language) -> Possible {
    match language {
        Language::Json => compare_in_json(op, a, b),
        Language::XPath => compare_in_xpath(op, a, b),
    }
}

/// In JSONPath, nothing equals nothing only.
fn compare_in_json(op: Op, a: &Values<'_>, b: &Values<'_>) -> Possible {
    let pairs = a.kinds.iter().flat_map(|one| b.kinds.iter().map(move |other| (one, other)));
    let mut all = pairs.fold(Possible::NONE, |all, (one, other)| all.join(compare_kinds_in_json(op, one, other)));
    if a.absent && !b.kinds.is_empty() || b.absent && !a.kinds.is_empty() {
        all = all.join(decide_unlike(op));
    }
    if a.absent && b.absent {
        all = all.join(decide_same(op));
    }
    all
}

fn compare_kinds_in_json(op: Op, a: &Kind<'_>, b: &Kind<'_>) -> Possible {
    if a.class != b.class {
        return decide_unlike(op);
    }
    match (a.class, op) {
        (Class::Text | Class::Number, _) | (Class::Bool, Op::Eq | Op::Ne) => compare_kinds(op, a, b),
        (Class::Bool | Class::Null | Class::Compound, Op::Lt | Op::Gt) => Possible::NEVER,
        (Class::Null, _) => decide_unlike(op).invert(),
        _ => Possible::ANY,
    }
}

/// Compares values of one class.
fn compare_kinds(op: Op, a: &Kind<'_>, b: &Kind<'_>) -> Possible {
    let is_without = |kind: &Kind<'_>, other: &Kind<'_>| match other.known.fact.as_single_value() {
        Some(Value::Text(text)) => kind.without.contains(text),
        _ => false,
    };
    if matches!(op, Op::Eq | Op::Ne) && (is_without(a, b) || is_without(b, a)) {
        return decide_unlike(op);
    }
    compare_facts(op, &a.known, &b.known)
}

pub fn compare_facts(op: Op, a: &Known<'_>, b: &Known<'_>) -> Possible {
    if a.fact.is_empty() || b.fact.is_empty() {
        return Possible::ANY;
    }
    let outcomes = compare_known(op, &without_null(a), &without_null(b));
    Possible { is_true: outcomes.is_true, is_false: outcomes.is_false }
}

/// In XPath, a comparison of nodes is true if it is for one of them.
fn compare_in_xpath(op: Op, a: &Values<'_>, b: &Values<'_>) -> Possible {
    let is_of = |values: &Values<'_>, class: &[Class]| {
        !values.of_nodes && !values.kinds.is_empty() && values.kinds.iter().all(|kind| class.contains(&kind.class))
    };
    let is_equality = matches!(op, Op::Eq | Op::Ne);
    if is_of(a, &[Class::Bool]) || is_of(b, &[Class::Bool]) {
        return if is_equality { compare_bools(op, to_bool(a), to_bool(b)) } else { Possible::ANY };
    }
    const NUMBERS: [Class; 2] = [Class::Number, Class::NotANumber];
    let by_number = !is_equality || is_of(a, &NUMBERS) || is_of(b, &NUMBERS);
    let pairs = a.kinds.iter().flat_map(|one| b.kinds.iter().map(move |other| (one, other)));
    let mut all = pairs.fold(Possible::NONE, |all, (one, other)| {
        all.join(if by_number { compare_numbers(op, one, other) } else { compare_written(op, one, other) })
    });
    // What is missing equals nothing, and differs from nothing.
    if a.absent || b.absent {
        all.is_false = true;
    }
    all
}

/// As which bools values count: nodes are true if there are any.
pub fn to_bool(values: &Values<'_>) -> Possible {
    if values.of_nodes {
        return Possible { is_true: !values.kinds.is_empty(), is_false: values.absent };
    }
    let of_kind = |kind: &Kind<'_>| match (kind.class, kind.known.fact.closed.as_deref()) {
        (Class::NotANumber, _) => Possible::NEVER,
        (Class::Bool, Some([Value::Bool(only)])) => {
            if *only {
                Possible::ALWAYS
            } else {
                Possible::NEVER
            }
        }
        (Class::Number, _) => compare_facts(Op::Ne, &kind.known, &Known::from_fact(Fact::from_value(&Value::Int(0)))),
        (Class::Text, _) => {
            compare_facts(Op::Ne, &kind.known, &Known::from_fact(Fact::from_value(&Value::from_text(""))))
        }
        _ => Possible::ANY,
    };
    values.kinds.iter().fold(Possible::NONE, |all, kind| all.join(of_kind(kind)))
}

fn compare_bools(op: Op, a: Possible, b: Possible) -> Possible {
    let can_equal = a.is_true && b.is_true || a.is_false && b.is_false;
    let can_differ = a.is_true && b.is_false || a.is_false && b.is_true;
    let equal = Possible { is_true: can_equal, is_false: can_differ };
    if op == Op::Eq { equal } else { equal.invert() }
}

fn compare_numbers(op: Op, a: &Kind<'_>, b: &Kind<'_>) -> Possible {
    let none = decide_unlike(op);
    match (to_numbers(a), to_numbers(b)) {
        (Some(Numbers { known: None, .. }), _) | (_, Some(Numbers { known: None, .. })) => none,
        (Some(Numbers { known: Some(one), may_fail }), Some(Numbers { known: Some(other), may_fail: also })) => {
            let all = compare_facts(op, &one, &other);
            if may_fail || also { all.join(none) } else { all }
        }
        _ => Possible::ANY,
    }
}

fn compare_written(op: Op, a: &Kind<'_>, b: &Kind<'_>) -> Possible {
    let is_alike = a.whole && b.whole || a.places.is_some() && a.places == b.places;
    if is_alike && a.class == Class::Number && b.class == Class::Number {
        return compare_facts(op, &a.known, &b.known);
    }
    match (write_kind(a), write_kind(b)) {
        (Some(one), Some(other)) => {
            let (a, b) = (Kind { known: one, ..a.clone() }, Kind { known: other, ..b.clone() });
            compare_kinds(op, &a, &b)
        }
        _ => {
            let can_equal = can_be_written(a, b) && can_be_written(b, a);
            match op {
                Op::Eq => Possible { is_true: can_equal, is_false: true },
                _ => Possible { is_true: true, is_false: can_equal },
            }
        }
    }
}

/// Whether a number can be written as the only text of another kind. True if that is not known.
fn can_be_written(number: &Kind<'_>, text: &Kind<'_>) -> bool {
    let places = match (number.class, number.whole, number.places) {
        (Class::Number, true, _) => 0,
        (Class::Number, false, Some(places)) => places,
        _ => return true,
    };
    let Some(Value::Text(text)) = text.known.fact.as_single_value() else { return true };
    let Ok(read) = text.parse::<Decimal>() else { return false };
    let wanted = Known::from_fact(Fact::from_value(&Value::Float(read.to_f64())));
    read.places() == places && read.to_string() == *text && compare_facts(Op::Eq, &number.known, &wanted).is_true
}

fn without_null<'a>(known: &Known<'a>) -> Known<'a> {
    Known { fact: Fact { nullable: false, ..known.fact.clone() }, ..known.clone() }
}
