//! Whether a comparison always or never holds.

use std::cmp::Ordering;

use model::Value;
use model::suite::Op;

use super::Fact;

/// What is known of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// It holds, whatever comes.
    Always,
    /// It fails, whatever comes.
    Never,
    /// Not known.
    Open,
}

impl Truth {
    /// Both hold.
    pub fn and(self, other: Truth) -> Truth {
        match (self, other) {
            (Truth::Never, _) | (_, Truth::Never) => Truth::Never,
            (Truth::Always, Truth::Always) => Truth::Always,
            _ => Truth::Open,
        }
    }

    /// One of them holds.
    pub fn or(self, other: Truth) -> Truth {
        match (self, other) {
            (Truth::Always, _) | (_, Truth::Always) => Truth::Always,
            (Truth::Never, Truth::Never) => Truth::Never,
            _ => Truth::Open,
        }
    }

    /// The opposite, where it is never null.
    pub fn invert(self) -> Truth {
        match self {
            Truth::Always => Truth::Never,
            Truth::Never => Truth::Always,
            Truth::Open => Truth::Open,
        }
    }
}

/// `a op b` for a comparison: false with null.
pub fn compare_facts(op: Op, a: &Fact<'_>, b: &Fact<'_>) -> Truth {
    if a.is_empty() || b.is_empty() {
        // Nothing to compare: a table without rows, say. That is another mistake.
        return Truth::Open;
    }
    let known = match op {
        Op::Eq => compare_equal(a, b),
        Op::Ne => compare_equal(a, b).invert(),
        Op::Lt => compare_less(a, b, false),
        Op::Le => compare_less(a, b, true),
        Op::Gt => compare_less(b, a, false),
        Op::Ge => compare_less(b, a, true),
        _ => Truth::Open,
    };
    // Null makes it false: what always holds otherwise then holds only sometimes.
    if known == Truth::Always && (a.nullable || b.nullable) { Truth::Open } else { known }
}

/// Whether `x op a` and `x other b` surely do not both hold of any one `x`; null meets neither.
pub fn is_contradiction((op, a): (Op, &Fact<'_>), (other, b): (Op, &Fact<'_>)) -> bool {
    match (op, other) {
        (Op::Eq, Op::Eq) => compare_facts(Op::Eq, a, b) == Truth::Never,
        (Op::Gt | Op::Ge | Op::Eq, Op::Lt | Op::Le) | (Op::Gt | Op::Ge, Op::Eq) => {
            is_empty_between((op, a), (other, b))
        }
        (Op::Lt | Op::Le, Op::Gt | Op::Ge | Op::Eq) | (Op::Eq, Op::Gt | Op::Ge) => {
            is_empty_between((other, b), (op, a))
        }
        _ => false,
    }
}

/// Whether nothing lies above `low` and below `high`.
fn is_empty_between((low_op, low): (Op, &Fact<'_>), (high_op, high): (Op, &Fact<'_>)) -> bool {
    let strict = low_op == Op::Gt || high_op == Op::Lt;
    compare_facts(if strict { Op::Lt } else { Op::Le }, low, high) == Truth::Never
}

/// Nulls aside.
fn compare_equal(a: &Fact<'_>, b: &Fact<'_>) -> Truth {
    if let (Some([a]), Some([b])) = (a.closed.as_deref(), b.closed.as_deref()) {
        return if a.is_same(b) { Truth::Always } else { Truth::Never };
    }
    let none_of = |listed: &Fact<'_>, other: &Fact<'_>| {
        let closed = listed.closed.as_ref();
        closed.is_some_and(|values| values.iter().all(|value| !other.can_be(value)))
    };
    if none_of(a, b) || none_of(b, a) {
        return Truth::Never;
    }
    match (&a.range, &b.range) {
        (Some((a_low, a_high)), Some((b_low, b_high)))
            if a_high.compare_with(b_low) == Some(Ordering::Less)
                || b_high.compare_with(a_low) == Some(Ordering::Less) =>
        {
            Truth::Never
        }
        _ => Truth::Open,
    }
}

/// `a < b` (`or_equal`: `a <= b`), nulls aside.
fn compare_less(a: &Fact<'_>, b: &Fact<'_>, or_equal: bool) -> Truth {
    let (Some((a_low, a_high)), Some((b_low, b_high))) = (&a.range, &b.range) else { return Truth::Open };
    let less = |x: &Value, y: &Value, equal: bool| {
        x.compare_with(y).is_some_and(|order| order == Ordering::Less || (equal && order == Ordering::Equal))
    };
    if less(a_high, b_low, or_equal) {
        Truth::Always
    } else if less(b_high, a_low, !or_equal) {
        Truth::Never
    } else {
        Truth::Open
    }
}
