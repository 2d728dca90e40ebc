//! What follows from a condition for the values in it.

use std::cmp::Ordering;

use model::Value;
use model::functions::{self, FunctionId};
use model::suite::{Op, Scope};

use super::exprs::narrow_fact;
use super::{Fact, Facts, Truth, compare_facts, compute_arithmetic, negate_comparison, negate_fact};
use crate::types::TyKind;
use crate::{Arg, Expr, ExprKind};

/// How many parts of an expression are followed after each other.
const MAX_DEPTH: u32 = 12;

/// How many parts are followed for one condition.
const MAX_STEPS: u32 = 300;

/// What is known of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is met.
    True,
    /// It is false, and not null.
    False,
    /// False or null.
    NotTrue,
    /// True or null.
    NotFalse,
}

impl Outcome {
    fn invert(self) -> Outcome {
        match self {
            Outcome::True => Outcome::False,
            Outcome::False => Outcome::True,
            Outcome::NotTrue => Outcome::NotFalse,
            Outcome::NotFalse => Outcome::NotTrue,
        }
    }

    /// What it is if it is not null.
    fn without_null(self) -> bool {
        matches!(self, Outcome::True | Outcome::NotFalse)
    }
}

/// A comparison with a value of which a fact is known.
type Compared<'f, 'a> = (Op, &'f Fact<'a>);

impl<'a> Facts<'a> {
    /// Learns from a condition.
    pub(super) fn learn(&self, condition: &'a Expr, scope: Scope, outcome: Outcome) {
        let Some(learned) = &self.learned else { return };
        // What is learned of a branch, to learn from an `if`, takes its share of the steps.
        let outer = learned.steps.get();
        learned.steps.set(Some(outer.unwrap_or(MAX_STEPS)));
        self.learn_within(condition, scope, outcome, MAX_DEPTH);
        if outer.is_none() {
            learned.steps.set(None);
        }
    }

    /// Takes a step further into an expression. `None` if there were too many.
    fn deepen(&self, depth: u32) -> Option<u32> {
        let steps = &self.learned.as_ref()?.steps;
        steps.set(Some(steps.get()?.checked_sub(1)?));
        depth.checked_sub(1)
    }

    fn learn_within(&self, condition: &'a Expr, scope: Scope, outcome: Outcome, depth: u32) {
        let Some(depth) = self.deepen(depth) else { return };
        let is_sure = matches!(outcome, Outcome::True | Outcome::False);
        let holds = outcome.without_null();
        match &condition.kind {
            ExprKind::Not(inner) => self.learn_within(inner, scope, outcome.invert(), depth),
            ExprKind::Binary(op @ (Op::And | Op::Or), sides) => {
                let all = (*op == Op::And) == holds;
                let decided = if *op == Op::And { Truth::Always } else { Truth::Never };
                for (side, other) in [(&sides.0, &sides.1), (&sides.1, &sides.0)] {
                    // One side decides if the other one cannot.
                    if all || is_sure && self.infer_truth(other, scope) == decided && !other.ty.nullable {
                        self.learn_within(side, scope, outcome, depth);
                    }
                }
            }
            // Null is neither: nothing is known unless there is none.
            _ if !is_sure && condition.as_null_test().is_none() && self.infer_expr(condition, scope).nullable => {}
            ExprKind::Binary(op, sides) => match condition.as_null_test() {
                Some((op, tested)) if (op == Op::Ne) == holds => {
                    let fact = self.infer_expr(tested, scope);
                    self.learn_value(tested, scope, &Fact { nullable: false, ..fact }, depth);
                }
                Some(_) => {}
                None => self.learn_comparison((if holds { Some(*op) } else { negate_any(*op) }, sides), scope, depth),
            },
            ExprKind::Name(id) => {
                self.keep_fact(condition, scope, Fact::from_value(&Value::Bool(holds)));
                if let Some(value) = self.task.find_computed(*id) {
                    self.learn_within(value, Scope::default(), outcome, depth);
                }
            }
            ExprKind::Column(_) | ExprKind::OuterColumn(_) | ExprKind::Call(..) => {
                self.keep_fact(condition, scope, Fact::from_value(&Value::Bool(holds)));
            }
            _ => {}
        }
    }

    /// Learns from a comparison that holds.
    fn learn_comparison(&self, (op, sides): (Option<Op>, &'a (Expr, Expr)), scope: Scope, depth: u32) {
        match op {
            Some(op @ (Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge)) => {
                let (a, b) = (self.infer_expr(&sides.0, scope), self.infer_expr(&sides.1, scope));
                self.learn_compared(&sides.0, scope, (op, &b), depth);
                self.learn_compared(&sides.1, scope, (op.swap_sides(), &a), depth);
            }
            Some(op @ (Op::In | Op::NotIn)) => {
                let Some(items) = sides.1.resolve_name(self.task).as_constant_items() else { return };
                if items.iter().any(Value::is_null) {
                    return;
                }
                if op == Op::In {
                    return self.learn_value(&sides.0, scope, &Fact::from_values(items), depth);
                }
                for item in items {
                    self.learn_compared(&sides.0, scope, (Op::Ne, &Fact::from_value(item)), depth);
                }
            }
            _ => {}
        }
    }

    /// Learns that a value is one of a fact.
    fn learn_value(&self, expr: &'a Expr, scope: Scope, fact: &Fact<'a>, depth: u32) {
        let Some(depth) = self.deepen(depth) else { return };
        let known = self.infer_expr(expr, scope).meet(fact);
        self.keep_fact(expr, scope, known.clone());
        self.learn_parts(expr, scope, &known, depth);
    }

    /// Learns from a comparison of a value with one of a fact; neither is null.
    fn learn_compared(&self, expr: &'a Expr, scope: Scope, (op, other): Compared<'_, 'a>, depth: u32) {
        let Some(depth) = self.deepen(depth) else { return };
        let before = self.infer_expr(expr, scope);
        let known =
            Fact { nullable: false, ..narrow_range(narrow_fact(&with_int_range(&before, expr), op, other), op, other) };
        self.keep_fact(expr, scope, known.clone());
        match &expr.kind {
            ExprKind::Binary(sum @ (Op::Add | Op::Sub), sides) if expr.ty.kind == TyKind::Int => {
                self.learn_terms(*sum, sides, scope, (op, other), depth);
            }
            ExprKind::Neg(inner) => {
                self.learn_compared(inner, scope, (op.swap_sides(), &negate_fact(other)), depth);
            }
            ExprKind::Name(id) => {
                if let Some(value) = self.task.find_computed(*id) {
                    self.learn_compared(value, Scope::default(), (op, other), depth);
                }
            }
            _ => self.learn_parts(expr, scope, &known, depth),
        }
    }

    /// Learns of both terms of a sum or difference from a comparison of it.
    fn learn_terms(&self, sum: Op, sides: &'a (Expr, Expr), scope: Scope, (op, other): Compared<'_, 'a>, depth: u32) {
        let (first, second) = (self.infer_expr(&sides.0, scope), self.infer_expr(&sides.1, scope));
        // What overflows would be left out.
        if ![&first, &second, other].into_iter().all(is_small) {
            return;
        }
        let (of_first, of_second, second_op) = match sum {
            Op::Add => (compute_arithmetic(Op::Sub, other, &second), compute_arithmetic(Op::Sub, other, &first), op),
            _ => (
                compute_arithmetic(Op::Add, other, &second),
                compute_arithmetic(Op::Sub, &first, other),
                op.swap_sides(),
            ),
        };
        self.learn_compared(&sides.0, scope, (op, &of_first), depth);
        self.learn_compared(&sides.1, scope, (second_op, &of_second), depth);
    }

    /// Learns from the value of an expression what its parts are.
    fn learn_parts(&self, expr: &'a Expr, scope: Scope, known: &Fact<'a>, depth: u32) {
        match &expr.kind {
            ExprKind::Name(id) => {
                if let Some(value) = self.task.find_computed(*id) {
                    self.learn_value(value, Scope::default(), known, depth);
                }
            }
            ExprKind::Binary(Op::Mul, sides) if expr.ty.kind == TyKind::Int => {
                self.learn_factor(&sides.0, &sides.1, scope, known, depth);
                self.learn_factor(&sides.1, &sides.0, scope, known, depth);
            }
            ExprKind::If(parts) => {
                let [met, unmet] = [(&parts.1, Outcome::True), (&parts.2, Outcome::NotTrue)]
                    .map(|(branch, known)| self.under((&parts.0, scope), known, || self.infer_expr(branch, scope)));
                if are_apart(&met, known) {
                    self.learn_within(&parts.0, scope, Outcome::NotTrue, depth);
                    self.learn_value(&parts.2, scope, known, depth);
                } else if are_apart(&unmet, known) {
                    self.learn_within(&parts.0, scope, Outcome::True, depth);
                    self.learn_value(&parts.1, scope, known, depth);
                }
            }
            ExprKind::Call(function, args) => self.learn_arguments(*function, args, scope, known, depth),
            _ => {}
        }
    }

    /// Learns of a factor from a product of at least 1: neither factor is 0, and both are large enough.
    fn learn_factor(&self, factor: &'a Expr, other: &'a Expr, scope: Scope, known: &Fact<'a>, depth: u32) {
        let by = self.infer_expr(other, scope).as_int_range();
        let own = self.infer_expr(factor, scope).as_int_range();
        let (Some((low, _)), Some((least, most)), Some((own_least, _))) = (known.as_int_range(), by, own) else {
            return;
        };
        if low >= 1 && least >= 0 && own_least >= 0 && most >= 1 {
            let needed = (low - 1) / most + 1;
            self.learn_compared(factor, scope, (Op::Ge, &Fact::from_value(&Value::Int(needed))), depth);
        }
    }

    fn learn_arguments(&self, function: FunctionId, args: &'a [Arg], scope: Scope, known: &Fact<'a>, depth: u32) {
        let values: Option<Vec<&'a Expr>> = args.iter().map(as_value).collect();
        let Some(values) = values else { return };
        let (items, is_list): (Vec<&'a Expr>, bool) = match values.as_slice() {
            [Expr { kind: ExprKind::List(items), .. }] => (items.iter().collect(), true),
            _ => (values, false),
        };
        let learn = |item: &'a Expr, op: Op, end: &Value| {
            self.learn_compared(item, scope, (op, &Fact::from_value(end)), depth);
        };
        if function.is_first_known() {
            // The first value that is not the one that is put in for null.
            if let [first, rest @ ..] = items.as_slice()
                && rest.iter().all(|rest| are_apart(&self.infer_expr(rest, scope), known))
            {
                self.learn_value(first, scope, known, depth);
            }
            return;
        }
        if items.iter().any(|item| item.ty.nullable) {
            return;
        }
        match &known.range {
            Some((low, _)) if function == functions::LEAST || function == functions::MIN && is_list => {
                items.iter().for_each(|item| learn(item, Op::Ge, low));
            }
            Some((_, high)) if function == functions::GREATEST || function == functions::MAX && is_list => {
                items.iter().for_each(|item| learn(item, Op::Le, high));
            }
            _ => {}
        }
    }
}

fn as_value(arg: &Arg) -> Option<&Expr> {
    match arg {
        Arg::Value(value) => Some(value),
        _ => None,
    }
}

/// The comparison that holds where this one is false.
fn negate_any(op: Op) -> Option<Op> {
    match op {
        Op::In => Some(Op::NotIn),
        Op::NotIn => Some(Op::In),
        op => negate_comparison(op),
    }
}

/// Whether no value is one of both facts.
fn are_apart(a: &Fact<'_>, b: &Fact<'_>) -> bool {
    !(a.nullable && b.nullable) && compare_facts(Op::Eq, a, b) == Truth::Never
}

/// The fact of numbers that are not whole where a comparison with one of the others can be true.
fn narrow_range<'a>(fact: Fact<'a>, op: Op, other: &Fact<'_>) -> Fact<'a> {
    let (Some((low, high)), Some((least, most))) = (&fact.range, &other.range) else { return fact };
    let is_number = |value: &Value| matches!(value, Value::Decimal(_) | Value::Float(_) | Value::Int(_));
    if fact.closed.is_some() || ![low, high, least, most].into_iter().all(is_number) {
        return fact;
    }
    let (low, high) = match op {
        Op::Gt | Op::Ge if least.compare_with(low).is_some_and(Ordering::is_gt) => (least.clone(), high.clone()),
        Op::Lt | Op::Le if most.compare_with(high).is_some_and(Ordering::is_lt) => (low.clone(), most.clone()),
        _ => return fact,
    };
    let is_ordered = low.compare_with(&high).is_some_and(Ordering::is_lt);
    if is_ordered { Fact { range: Some((low, high)), ..fact } } else { fact }
}

/// Whether sums and differences of two such ints do not overflow.
fn is_small(fact: &Fact<'_>) -> bool {
    const LARGE: i64 = 1 << 61;
    fact.as_int_range().is_some_and(|(low, high)| low > -LARGE && high < LARGE)
}

/// The fact of an int with all ints as its range if nothing is known of it.
fn with_int_range<'a>(fact: &Fact<'a>, expr: &Expr) -> Fact<'a> {
    if expr.ty.kind == TyKind::Int && fact.range.is_none() && fact.closed.is_none() {
        return Fact { range: Some((Value::Int(i64::MIN), Value::Int(i64::MAX))), ..fact.clone() };
    }
    fact.clone()
}
