//! Sums of values with factors: what is known of the difference of two expressions, from their common parts and from conditions that hold.
//!
//! Values are doubles here. That is enough to prove a place safe: ints and dates are exact, and a decimal is only compared with itself.

use model::Value;
use model::suite::{Op, Scope};

use hir::facts::Facts;
use hir::types::TyKind;
use hir::{Expr, ExprKind, Task};

/// How far names and operators are followed.
const MAX_DEPTH: u32 = 40;

/// The seconds of a day.
const DAY: f64 = 86_400.0;

/// A sum: a constant, and expressions with their factors.
#[derive(Clone, Debug, Default)]
pub(super) struct Linear<'a> {
    constant: f64,
    terms: Vec<Term<'a>>,
}

#[derive(Clone, Debug)]
struct Term<'a> {
    /// The expression, in this scope.
    expr: &'a Expr,
    scope: Scope,
    /// It without spans, which is equal for equal values.
    bare: Expr,
    factor: f64,
}

/// Something that holds: a sum that is at least a number, or one that is not 0.
#[derive(Clone, Debug)]
pub(super) enum Known<'a> {
    /// At least this number.
    AtLeast(Linear<'a>, f64),
    /// Not 0.
    NotZero(Linear<'a>),
}

impl<'a> Linear<'a> {
    /// The sum that an expression is. Dates and durations count in seconds.
    pub(super) fn from_expr(task: &'a Task, expr: &'a Expr, scope: Scope) -> Linear<'a> {
        let mut sum = Linear::default();
        sum.add_expr(task, (expr, scope), 1.0, MAX_DEPTH);
        sum
    }

    fn add_expr(&mut self, task: &'a Task, (expr, scope): (&'a Expr, Scope), factor: f64, depth: u32) {
        let left = depth.saturating_sub(1);
        match &expr.kind {
            ExprKind::Const(value) if to_number(value).is_some() => {
                self.constant += factor * to_number(value).unwrap_or(0.0);
            }
            ExprKind::Name(id) if left > 0 && task.find_computed(*id).is_some() => {
                if let Some(value) = task.find_computed(*id) {
                    self.add_expr(task, (value, Scope::default()), factor, left);
                }
            }
            ExprKind::Neg(inner) if left > 0 => self.add_expr(task, (inner, scope), -factor, left),
            ExprKind::Binary(op @ (Op::Add | Op::Sub), sides) if left > 0 && is_exact(expr) => {
                // The difference of two dates is a number of days.
                let scale = if has_type(&sides.0, &TyKind::Date) && has_type(&sides.1, &TyKind::Date) {
                    1.0 / DAY
                } else {
                    1.0
                };
                self.add_expr(task, (&sides.0, scope), factor * scale, left);
                let sign = if *op == Op::Add { 1.0 } else { -1.0 };
                self.add_expr(task, (&sides.1, scope), factor * scale * sign, left);
            }
            ExprKind::Binary(Op::Mul, sides) if left > 0 && is_exact(expr) => {
                let constant = |side: &Expr| side.as_constant().and_then(to_number);
                match (constant(&sides.0), constant(&sides.1)) {
                    (Some(number), _) => self.add_expr(task, (&sides.1, scope), factor * number, left),
                    (_, Some(number)) => self.add_expr(task, (&sides.0, scope), factor * number, left),
                    _ => self.add_term(expr, scope, factor),
                }
            }
            _ => self.add_term(expr, scope, factor),
        }
    }

    fn add_term(&mut self, expr: &'a Expr, scope: Scope, factor: f64) {
        let bare = expr.without_spans();
        match self.terms.iter_mut().find(|term| term.bare == bare && term.scope == scope) {
            Some(term) => term.factor += factor,
            None => self.terms.push(Term { expr, scope, bare, factor }),
        }
    }

    /// This sum less another one.
    pub(super) fn subtract(&self, other: &Linear<'a>) -> Linear<'a> {
        let mut result = self.clone();
        result.constant -= other.constant;
        for term in &other.terms {
            match result.terms.iter_mut().find(|own| own.bare == term.bare && own.scope == term.scope) {
                Some(own) => own.factor -= term.factor,
                None => result.terms.push(Term { factor: -term.factor, ..term.clone() }),
            }
        }
        result
    }

    /// This sum with all signs turned.
    pub(super) fn negate(&self) -> Linear<'a> {
        Linear::default().subtract(self)
    }

    /// The smallest possible value; minus infinity if it is not known.
    pub(super) fn find_least(&self, facts: &Facts<'a>) -> f64 {
        self.terms.iter().filter(|term| term.factor != 0.0).fold(self.constant, |sum, term| {
            let fact = facts.infer_expr(term.expr, term.scope);
            let ends = fact.range.as_ref().and_then(|(low, high)| Some((to_number(low)?, to_number(high)?)));
            sum + ends.map_or(f64::NEG_INFINITY, |(low, high)| (term.factor * low).min(term.factor * high))
        })
    }

    /// Whether it is at least `least`, by its parts or by something that holds.
    pub(super) fn is_at_least(&self, least: f64, facts: &Facts<'a>, known: &[Known<'a>]) -> bool {
        if self.find_least(facts) >= least {
            return true;
        }
        let bounds = || {
            known.iter().filter_map(|known| match known {
                Known::AtLeast(sum, bound) => Some((sum, *bound)),
                Known::NotZero(_) => None,
            })
        };
        bounds().any(|(sum, bound)| {
            let rest = self.subtract(sum);
            rest.find_least(facts) + bound >= least
                || bounds().any(|(other, more)| rest.subtract(other).find_least(facts) + bound + more >= least)
        })
    }

    /// Whether it is never 0.
    pub(super) fn is_never_zero(&self, facts: &Facts<'a>, known: &[Known<'a>]) -> bool {
        let least = f64::MIN_POSITIVE;
        if self.is_at_least(least, facts, known) || self.negate().is_at_least(least, facts, known) {
            return true;
        }
        known.iter().any(|known| match known {
            Known::NotZero(sum) => self.subtract(sum).is_zero() || self.negate().subtract(sum).is_zero(),
            Known::AtLeast(..) => false,
        })
    }

    fn is_zero(&self) -> bool {
        self.constant == 0.0 && self.terms.iter().all(|term| term.factor == 0.0)
    }
}

/// Collects what is known where a condition is true, or is not.
pub(super) fn collect_known<'a>(
    task: &'a Task,
    (condition, scope): (&'a Expr, Scope),
    holds: bool,
    known: &mut Vec<Known<'a>>,
) {
    let condition = condition.resolve_name(task);
    match &condition.kind {
        ExprKind::Not(inner) => collect_known(task, (inner, scope), !holds, known),
        ExprKind::Binary(op @ (Op::And | Op::Or), sides) if (*op == Op::And) == holds => {
            collect_known(task, (&sides.0, scope), holds, known);
            collect_known(task, (&sides.1, scope), holds, known);
        }
        ExprKind::Binary(op, sides) => {
            let Some(op) = (if holds { Some(*op) } else { negate_comparison(*op) }) else { return };
            let (a, b) = (Linear::from_expr(task, &sides.0, scope), Linear::from_expr(task, &sides.1, scope));
            let step = match (&sides.0.ty.kind, &sides.1.ty.kind) {
                (TyKind::Int, TyKind::Int) => 1.0,
                (TyKind::Date, TyKind::Date) => DAY,
                _ => f64::MIN_POSITIVE,
            };
            match op {
                Op::Lt => known.push(Known::AtLeast(b.subtract(&a), step)),
                Op::Le => known.push(Known::AtLeast(b.subtract(&a), 0.0)),
                Op::Gt => known.push(Known::AtLeast(a.subtract(&b), step)),
                Op::Ge => known.push(Known::AtLeast(a.subtract(&b), 0.0)),
                Op::Eq => {
                    known.push(Known::AtLeast(a.subtract(&b), 0.0));
                    known.push(Known::AtLeast(b.subtract(&a), 0.0));
                }
                Op::Ne => known.push(Known::NotZero(a.subtract(&b))),
                _ => {}
            }
        }
        _ => {}
    }
}

fn negate_comparison(op: Op) -> Option<Op> {
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

/// Whether sums of such values are exact.
fn is_exact(expr: &Expr) -> bool {
    matches!(expr.ty.kind, TyKind::Int | TyKind::Decimal(_) | TyKind::Date | TyKind::DateTime | TyKind::Duration)
}

fn has_type(expr: &Expr, kind: &TyKind) -> bool {
    expr.ty.kind == *kind
}

/// A number, or a moment or a duration in seconds.
fn to_number(value: &Value) -> Option<f64> {
    match value {
        Value::Date(day) => Some(f64::from(day.0) * DAY),
        Value::DateTime(at) => Some(at.0 as f64),
        Value::Duration(duration) if duration.months == 0 => Some(duration.seconds as f64),
        Value::Int(_) | Value::Decimal(_) | Value::Float(_) => value.as_f64(),
        _ => None,
    }
}
