//! Sums of values with factors: what is known of the difference of two expressions, from their common parts and from conditions that hold.
//!
//! Numbers are exact decimals here. A sum that does not fit, or has too many parts, is a part of its own of which nothing more is known.

use model::suite::{Op, Scope};
use model::{Decimal, Value};

use hir::facts::{Facts, negate_comparison, sees_row};
use hir::types::TyKind;
use hir::{Expr, ExprKind, NameSource, Task};

/// How many names and operators are followed for one sum, and for one condition.
const MAX_STEPS: u32 = 400;

/// How many bounds are combined in pairs.
const MAX_PAIRED: usize = 24;

/// The seconds of a day.
const DAY: i64 = 86_400;

/// A sum: a constant, and expressions with their factors. All of it is multiplied by [`DAY`]: so the number of days between two dates, which count in
/// seconds, has a factor of 1.
#[derive(Clone, Debug, Default)]
pub(super) struct Linear<'a> {
    constant: Decimal,
    terms: Vec<Term<'a>>,
    steps: u32,
    /// Whether a number of it did not fit, so nothing is known of the sum.
    overflows: bool,
}

#[derive(Clone, Debug)]
struct Term<'a> {
    /// The expression, in this scope.
    expr: &'a Expr,
    scope: Scope,
    /// It without spans, which is equal for equal values.
    bare: Expr,
    factor: Decimal,
}

/// A bound below: a number, and whether it is itself excluded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    /// The bound, multiplied by [`DAY`].
    value: Decimal,
    strict: bool,
}

impl Bound {
    /// At least 0.
    pub(super) fn zero() -> Bound {
        Bound { value: Decimal::default(), strict: false }
    }

    /// More than 0.
    pub(super) fn positive() -> Bound {
        Bound { strict: true, ..Bound::zero() }
    }

    /// What is known of the sum of two values; `None` if it does not fit.
    pub(super) fn add_bound(self, other: Bound) -> Option<Bound> {
        let value = self.value.checked_add(other.value)?;
        Some(Bound { value, strict: self.strict || other.strict })
    }

    /// Whether each value within this bound is within the other one.
    pub(super) fn implies(self, wanted: Bound) -> bool {
        self.value > wanted.value || self.value == wanted.value && (self.strict || !wanted.strict)
    }
}

/// Something that holds: a bound of a sum, or that a sum is not 0.
#[derive(Clone, Debug)]
pub(super) enum Known<'a> {
    /// Within this bound.
    AtLeast(Linear<'a>, Bound),
    /// Not 0.
    NotZero(Linear<'a>),
}

impl<'a> Known<'a> {
    /// The expressions in it.
    pub(super) fn list_parts(&self) -> Vec<&'a Expr> {
        let (Known::AtLeast(sum, _) | Known::NotZero(sum)) = self;
        sum.terms.iter().map(|term| term.expr).collect()
    }
}

impl<'a> Linear<'a> {
    /// The sum that an expression is. Dates and durations count in seconds.
    pub(super) fn from_expr(task: &'a Task, expr: &'a Expr, scope: Scope) -> Linear<'a> {
        let mut sum = Linear::default();
        sum.add_expr(task, (expr, scope), Decimal::from_int(DAY));
        sum
    }

    fn add_expr(&mut self, task: &'a Task, (expr, scope): (&'a Expr, Scope), factor: Decimal) {
        self.steps += 1;
        if self.steps > MAX_STEPS {
            return self.add_term(expr, scope, factor);
        }
        match &expr.kind {
            ExprKind::Const(value) if to_number(value).is_some() => {
                let product = to_number(value).and_then(|number| number.checked_mul(factor));
                self.add_constant(product);
            }
            ExprKind::Name(id) if task.find_computed(*id).is_some() => {
                if let Some(value) = task.find_computed(*id) {
                    self.add_expr(task, (value, Scope::default()), factor);
                }
            }
            ExprKind::Neg(inner) => self.add_scaled(task, (inner, scope), factor.checked_neg()),
            ExprKind::Binary(op @ (Op::Add | Op::Sub), sides) if is_exact(expr) => {
                // The difference of two dates is a number of days.
                let is_of_days = has_type(&sides.0, &TyKind::Date) && has_type(&sides.1, &TyKind::Date);
                let scaled = if is_of_days { divide_by_day(factor) } else { Some(factor) };
                let Some(scaled) = scaled else { return self.add_term(expr, scope, factor) };
                self.add_expr(task, (&sides.0, scope), scaled);
                let second = if *op == Op::Add { Some(scaled) } else { scaled.checked_neg() };
                self.add_scaled(task, (&sides.1, scope), second);
            }
            ExprKind::Binary(Op::Mul, sides) if is_exact(expr) => {
                let constant = |side: &Expr| side.as_constant().and_then(to_number);
                match (constant(&sides.0), constant(&sides.1)) {
                    (Some(number), _) => self.add_scaled(task, (&sides.1, scope), factor.checked_mul(number)),
                    (_, Some(number)) => self.add_scaled(task, (&sides.0, scope), factor.checked_mul(number)),
                    _ => self.add_term(expr, scope, factor),
                }
            }
            _ => self.add_term(expr, scope, factor),
        }
    }

    fn add_scaled(&mut self, task: &'a Task, part: (&'a Expr, Scope), factor: Option<Decimal>) {
        match factor {
            Some(factor) => self.add_expr(task, part, factor),
            None => self.overflows = true,
        }
    }

    fn add_constant(&mut self, number: Option<Decimal>) {
        match number.and_then(|number| self.constant.checked_add(number)) {
            Some(sum) => self.constant = sum,
            None => self.overflows = true,
        }
    }

    fn add_term(&mut self, expr: &'a Expr, scope: Scope, factor: Decimal) {
        // What does not depend on the row is the same in all of them.
        let scope = if sees_row(expr) { scope } else { Scope::default() };
        self.merge_term(Term { expr, scope, bare: expr.without_spans(), factor });
    }

    fn merge_term(&mut self, term: Term<'a>) {
        let Some(own) = self.terms.iter_mut().find(|own| own.is_same_value(&term)) else {
            return self.terms.push(term);
        };
        match own.factor.checked_add(term.factor) {
            Some(factor) => own.factor = factor,
            None => self.overflows = true,
        }
    }

    /// This sum less another one.
    pub(super) fn subtract(&self, other: &Linear<'a>) -> Linear<'a> {
        let mut result = self.clone();
        result.overflows |= other.overflows;
        result.add_constant(other.constant.checked_neg());
        for term in &other.terms {
            match term.factor.checked_neg() {
                Some(factor) => result.merge_term(Term { factor, ..term.clone() }),
                None => result.overflows = true,
            }
        }
        result
    }

    /// This sum with all signs turned.
    pub(super) fn negate(&self) -> Linear<'a> {
        Linear::default().subtract(self)
    }

    /// The smallest possible value, as a bound; `None` if it is not known.
    pub(super) fn find_least(&self, facts: &Facts<'a>) -> Option<Bound> {
        let zero = Decimal::default();
        let mut terms = self.terms.iter().filter(|term| term.factor != zero);
        let least = terms.try_fold(self.constant, |sum, term| {
            let fact = facts.infer_expr(term.expr, term.scope);
            let (low, high) = fact.range.as_ref()?;
            let end = to_number(if term.factor > zero { low } else { high })?;
            sum.checked_add(end.checked_mul(term.factor)?)
        });
        least.filter(|_| !self.overflows).map(|value| Bound { value, strict: false })
    }

    /// Whether it is within a bound, by its parts or by something that holds.
    pub(super) fn is_within(&self, wanted: Bound, facts: &Facts<'a>, known: &[Known<'a>]) -> bool {
        let reaches = |rest: &Linear<'a>, more: Option<Bound>| {
            let sum = rest.find_least(facts).zip(more).and_then(|(least, more)| least.add_bound(more));
            sum.is_some_and(|sum| sum.implies(wanted))
        };
        if reaches(self, Some(Bound::zero())) {
            return true;
        }
        let bounds = || {
            let near = known.iter().filter_map(|known| match known {
                Known::AtLeast(sum, bound) => Some((sum, *bound)),
                Known::NotZero(_) => None,
            });
            near.filter(|(sum, _)| self.has_common_part(sum)).take(MAX_PAIRED)
        };
        bounds().any(|(sum, bound)| {
            let rest = self.subtract(sum);
            reaches(&rest, Some(bound))
                || bounds().any(|(other, more)| reaches(&rest.subtract(other), bound.add_bound(more)))
        })
    }

    fn has_common_part(&self, other: &Linear<'a>) -> bool {
        self.terms.iter().any(|term| other.terms.iter().any(|known| known.is_same_value(term)))
    }

    /// Whether it is never 0.
    pub(super) fn is_never_zero(&self, facts: &Facts<'a>, known: &[Known<'a>]) -> bool {
        let wanted = Bound::positive();
        if self.is_within(wanted, facts, known) || self.negate().is_within(wanted, facts, known) {
            return true;
        }
        self.is_of_different_names(facts.task())
            || known.iter().any(|known| match known {
                Known::NotZero(sum) => self.subtract(sum).is_zero() || self.negate().subtract(sum).is_zero(),
                Known::AtLeast(..) => false,
            })
    }

    /// Whether it is the difference of two names of one statement, whose values differ.
    fn is_of_different_names(&self, task: &Task) -> bool {
        let zero = Decimal::default();
        let mut terms = self.terms.iter().filter(|term| term.factor != zero);
        let (Some(a), Some(b), None) = (terms.next(), terms.next(), terms.next()) else { return false };
        let find_group = |term: &Term<'_>| {
            let ExprKind::Name(id) = term.bare.kind else { return None };
            match &task.names.get(id)?.source {
                NameSource::Draw { draw, group, .. } if draw.unique => Some(group),
                _ => None,
            }
        };
        let is_difference = self.constant == zero && a.factor.checked_neg() == Some(b.factor) && !self.overflows;
        is_difference && find_group(a).is_some() && find_group(a) == find_group(b)
    }

    fn is_zero(&self) -> bool {
        let zero = Decimal::default();
        !self.overflows && self.constant == zero && self.terms.iter().all(|term| term.factor == zero)
    }
}

impl Term<'_> {
    fn is_same_value(&self, other: &Term<'_>) -> bool {
        self.scope == other.scope && self.bare == other.bare
    }
}

/// Collects what is known where a condition is true, or is not. A condition that is not true can be null.
pub(super) fn collect_known<'a>(
    task: &'a Task,
    (condition, scope): (&'a Expr, Scope),
    holds: bool,
    known: &mut Vec<Known<'a>>,
) {
    let mut open = vec![(condition, holds)];
    for _ in 0..MAX_STEPS {
        let Some((condition, holds)) = open.pop() else { return };
        let condition = condition.resolve_name(task);
        match &condition.kind {
            ExprKind::Not(inner) => open.push((inner, !holds)),
            ExprKind::Binary(op @ (Op::And | Op::Or), sides) if (*op == Op::And) == holds => {
                open.extend([(&sides.1, holds), (&sides.0, holds)]);
            }
            ExprKind::Binary(op, sides) => {
                let is_null = || sides.0.ty.nullable || sides.1.ty.nullable;
                let negated = || negate_comparison(*op).filter(|_| !is_null());
                if let Some(op) = if holds { Some(*op) } else { negated() } {
                    known.extend(read_comparison(task, op, sides, scope));
                }
            }
            _ => {}
        }
    }
}

fn read_comparison<'a>(task: &'a Task, op: Op, sides: &'a (Expr, Expr), scope: Scope) -> Vec<Known<'a>> {
    let (a, b) = (Linear::from_expr(task, &sides.0, scope), Linear::from_expr(task, &sides.1, scope));
    let step = match (&sides.0.ty.kind, &sides.1.ty.kind) {
        (TyKind::Int, TyKind::Int) => Decimal::from_int(DAY),
        (TyKind::Date, TyKind::Date) => Decimal::from_int(DAY * DAY),
        _ => Decimal::default(),
    };
    let more = Bound { value: step, strict: step == Decimal::default() };
    match op {
        Op::Lt => vec![Known::AtLeast(b.subtract(&a), more)],
        Op::Le => vec![Known::AtLeast(b.subtract(&a), Bound::zero())],
        Op::Gt => vec![Known::AtLeast(a.subtract(&b), more)],
        Op::Ge => vec![Known::AtLeast(a.subtract(&b), Bound::zero())],
        Op::Eq => {
            vec![Known::AtLeast(a.subtract(&b), Bound::zero()), Known::AtLeast(b.subtract(&a), Bound::zero())]
        }
        Op::Ne => vec![Known::NotZero(a.subtract(&b))],
        _ => Vec::new(),
    }
}

/// Whether sums of such values are exact.
fn is_exact(expr: &Expr) -> bool {
    matches!(expr.ty.kind, TyKind::Int | TyKind::Decimal(_) | TyKind::Date | TyKind::DateTime | TyKind::Duration)
}

fn has_type(expr: &Expr, kind: &TyKind) -> bool {
    expr.ty.kind == *kind
}

/// A number, or a moment or a duration in seconds. A float only if it is a whole number.
fn to_number(value: &Value) -> Option<Decimal> {
    match value {
        Value::Date(day) => Decimal::from_int(DAY).checked_mul(Decimal::from_int(i64::from(day.0))),
        Value::DateTime(at) => Some(Decimal::from_int(at.0)),
        Value::Duration(duration) if duration.months == 0 => Some(Decimal::from_int(duration.seconds)),
        Value::Int(number) => Some(Decimal::from_int(*number)),
        Value::Decimal(number) => Some(*number),
        Value::Float(number) => Decimal::from_f64(*number, 0).filter(|whole| whole.to_f64() == *number),
        _ => None,
    }
}

fn divide_by_day(factor: Decimal) -> Option<Decimal> {
    let day = i128::from(DAY);
    (factor.units() % day == 0).then(|| Decimal::new(factor.units() / day, factor.places()))?
}
