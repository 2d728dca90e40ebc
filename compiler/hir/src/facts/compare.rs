//! Evaluation of comparisons on facts: always true, never true, or unknown.

use std::cmp::Ordering;

use model::suite::Op;

use super::Fact;

/// The truth of a condition over all possible values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// It is always true.
    Always,
    /// It is never true.
    Never,
    /// It may be true or not.
    Open,
}

impl Truth {
    /// The truth of a conjunction.
    pub fn and(self, other: Truth) -> Truth {
        match (self, other) {
            (Truth::Never, _) | (_, Truth::Never) => Truth::Never,
            (Truth::Always, Truth::Always) => Truth::Always,
            _ => Truth::Open,
        }
    }

    /// The truth of a disjunction.
    pub fn or(self, other: Truth) -> Truth {
        match (self, other) {
            (Truth::Always, _) | (_, Truth::Always) => Truth::Always,
            (Truth::Never, Truth::Never) => Truth::Never,
            _ => Truth::Open,
        }
    }

    /// The truth of the negation, for a condition that is never null.
    pub fn invert(self) -> Truth {
        match self {
            Truth::Always => Truth::Never,
            Truth::Never => Truth::Always,
            Truth::Open => Truth::Open,
        }
    }
}

/// The truth of `a op b` for a comparison, which is false if a side is null.
pub fn compare_facts(op: Op, a: &Fact<'_>, b: &Fact<'_>) -> Truth {
    if a.is_empty() || b.is_empty() {
        // There is nothing to compare, for example in a table without rows. This is reported elsewhere.
        return Truth::Open;
    }
    let known = match op {
        Op::Eq => compare_equal(a, b),
        Op::Ne => compare_equal(a, b).invert(),
        Op::Lt => compare_less(a, b, Ordering::is_lt),
        Op::Le => compare_less(a, b, Ordering::is_le),
        Op::Gt => compare_less(b, a, Ordering::is_lt),
        Op::Ge => compare_less(b, a, Ordering::is_le),
        _ => Truth::Open,
    };
    // A null makes it false, so a comparison that is otherwise always true is only sometimes true.
    if known == Truth::Always && (a.nullable || b.nullable) { Truth::Open } else { known }
}

/// The comparison that is true where another one is false, if neither side is null. `None` for other operators.
pub fn negate_comparison(op: Op) -> Option<Op> {
    Some(match op {
        Op::Lt => Op::Ge,
        Op::Le => Op::Gt,
        Op::Gt => Op::Le,
        Op::Ge => Op::Lt,
        Op::Eq => Op::Ne,
        Op::Ne => Op::Eq,
        _ => return None,
    })
}

/// Whether `x op a` and `x other b` are never both true for the same `x`; both are false for null.
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

/// Whether no value satisfies both the lower and the upper bound.
fn is_empty_between((low_op, low): (Op, &Fact<'_>), (high_op, high): (Op, &Fact<'_>)) -> bool {
    let strict = low_op == Op::Gt || high_op == Op::Lt;
    compare_facts(if strict { Op::Lt } else { Op::Le }, low, high) == Truth::Never
}

/// Compares for equality, ignoring nulls.
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

/// Evaluates `a < b` or `a <= b`, ignoring nulls: `holds` is the condition for two values.
fn compare_less(a: &Fact<'_>, b: &Fact<'_>, holds: fn(Ordering) -> bool) -> Truth {
    let (Some((a_low, a_high)), Some((b_low, b_high))) = (&a.range, &b.range) else { return Truth::Open };
    if a_high.compare_with(b_low).is_some_and(holds) {
        Truth::Always
    } else if b_high.compare_with(a_low).is_some_and(|order| !holds(order.reverse())) {
        Truth::Never
    } else {
        Truth::Open
    }
}
