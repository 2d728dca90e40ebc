//! The facts of expressions, and the truth of conditions.

use model::suite::{ColumnId, Op, Scope};
use model::{Date, Value};

use super::fact::{MAX_LISTED, MAX_WEIGHT};
use super::text_calls::is_computed;
use super::{Fact, Facts, Outcome, Truth, compare_facts, interval, negate_comparison};
use crate::terms::{Known, compare_known};
use crate::{Arg, Expr, ExprKind};

impl<'a> Facts<'a> {
    /// The fact of an expression that is evaluated in `scope`.
    pub fn infer_expr(&self, expr: &'a Expr, scope: Scope) -> Fact<'a> {
        self.narrow_expr(expr, scope, self.infer_from_parts(expr, scope))
    }

    fn infer_from_parts(&self, expr: &'a Expr, scope: Scope) -> Fact<'a> {
        match &expr.kind {
            ExprKind::Unknown => Fact::unknown(),
            ExprKind::Const(value) => Fact::from_value(value),
            ExprKind::Name(name) => self.lookup_name(*name),
            ExprKind::Column(_) | ExprKind::OuterColumn(_) => {
                let assumed = self.find_slot(expr, scope).filter(|_| self.is_assuming());
                match (assumed, expr.find_cell(scope)) {
                    (Some(slot), _) => self.lookup_slot(slot),
                    // A cell is a single value, so the uniqueness of the column does not apply.
                    (None, Some((relation, column))) => Fact { unique: false, ..self.lookup_column(relation, column) },
                    (None, None) => Fact::unknown(),
                }
            }
            ExprKind::FilePath(_) | ExprKind::Folder(_) | ExprKind::Sandbox => Fact::not_null(),
            ExprKind::Neg(inner) => interval::negate_fact(&self.infer_expr(inner, scope)),
            ExprKind::Not(_) => self.infer_condition(expr, scope),
            ExprKind::Binary(op @ (Op::Add | Op::Sub | Op::Mul | Op::Div), sides) => {
                interval::compute_arithmetic(*op, &self.infer_expr(&sides.0, scope), &self.infer_expr(&sides.1, scope))
            }
            ExprKind::Binary(..) => self.infer_condition(expr, scope),
            ExprKind::If(parts) => match self.infer_truth(&parts.0, scope) {
                Truth::Always => self.infer_expr(&parts.1, scope),
                Truth::Never => self.infer_expr(&parts.2, scope),
                Truth::Open => {
                    let infer = |branch: &'a Expr, known: Outcome| {
                        let guard = (&parts.0, known == Outcome::True);
                        self.under((&parts.0, scope), known, || self.infer_narrowed(branch, guard, scope))
                    };
                    infer(&parts.1, Outcome::True).join_fact(&infer(&parts.2, Outcome::NotTrue))
                }
            },
            ExprKind::List(items) => {
                let items: Option<Vec<Value>> =
                    items.iter().map(|item| self.infer_expr(item, scope).as_single_value().cloned()).collect();
                items.map_or_else(Fact::not_null, |items| Fact::from_value(&Value::List(items)))
            }
            ExprKind::Object(fields) => {
                let fields: Option<Vec<(String, Value)>> = fields
                    .iter()
                    .map(|(key, value)| Some((key.clone(), self.infer_expr(value, scope).as_single_value()?.clone())))
                    .collect();
                fields.map_or_else(Fact::not_null, |fields| Fact::from_value(&Value::Object(fields)))
            }
            ExprKind::Concat(parts) => self.infer_text(parts, scope),
            ExprKind::Call(function, args) => self.infer_call(*function, args, &expr.ty, scope),
        }
    }

    /// The fact of a branch: if the condition compares the same value, without the values for which another branch is taken.
    fn infer_narrowed(&self, branch: &'a Expr, (condition, holds): (&'a Expr, bool), scope: Scope) -> Fact<'a> {
        let fact = self.infer_expr(branch, scope);
        let narrowed = match &condition.kind {
            ExprKind::Not(inner) if !self.may_be_null(inner, scope) => {
                return self.infer_narrowed(branch, (inner.as_ref(), !holds), scope);
            }
            ExprKind::Binary(op, sides) if is_same_value(&sides.0, branch) => Some((*op, &sides.1)),
            ExprKind::Binary(op, sides) if is_same_value(&sides.1, branch) => Some((op.swap_sides(), &sides.0)),
            _ => None,
        };
        let Some((op, other)) = narrowed else { return fact };
        let other = self.infer_expr(other, scope);
        // Null is neither less nor more, so it takes the other branch.
        if !holds && (fact.nullable || other.nullable) {
            return fact;
        }
        let op = if holds { Some(op) } else { negate_comparison(op) };
        op.map_or(fact.clone(), |op| narrow_fact(&fact, op, &other))
    }

    /// The fact of the cells of a column in the rows that meet a condition: its parts that compare this column count. `scope` is that of the condition.
    pub(super) fn narrow_cells(&self, fact: Fact<'a>, column: ColumnId, condition: &'a Expr, scope: Scope) -> Fact<'a> {
        let is_cell = |side: &Expr| side.as_column_id() == Some(column);
        match &condition.kind {
            ExprKind::Binary(Op::And, sides) => {
                let fact = self.narrow_cells(fact, column, &sides.0, scope);
                self.narrow_cells(fact, column, &sides.1, scope)
            }
            ExprKind::Binary(op, sides) if is_cell(&sides.0) => {
                narrow_fact(&fact, *op, &self.infer_expr(&sides.1, scope))
            }
            ExprKind::Binary(op, sides) if is_cell(&sides.1) => {
                narrow_fact(&fact, op.swap_sides(), &self.infer_expr(&sides.0, scope))
            }
            _ => fact,
        }
    }

    /// The possible texts of a string, if there are few.
    fn infer_text(&self, parts: &'a [Expr], scope: Scope) -> Fact<'a> {
        let mut texts = vec![String::new()];
        for part in parts {
            // A null in a string fails the build.
            let Some(values) = self.infer_expr(part, scope).closed else { return Fact::not_null() };
            if texts.len().saturating_mul(values.len()) > MAX_LISTED {
                return Fact::not_null();
            }
            let longer =
                texts.iter().flat_map(|text| values.iter().map(move |value| format!("{text}{}", value.render_text())));
            texts = longer.collect();
            if texts.iter().map(String::len).sum::<usize>() > MAX_WEIGHT {
                return Fact::not_null();
            }
        }
        Fact::from_values(texts.into_iter().map(Value::Text))
    }

    fn infer_condition(&self, expr: &'a Expr, scope: Scope) -> Fact<'a> {
        let fact = match self.infer_truth(expr, scope) {
            Truth::Always => Fact::from_value(&Value::Bool(true)),
            Truth::Never => Fact::from_value(&Value::Bool(false)),
            Truth::Open => Fact::from_values([Value::Bool(false), Value::Bool(true)]),
        };
        fact.with_null_if(self.may_be_null(expr, scope))
    }

    /// Whether an expression may be null; visits it once.
    fn may_be_null(&self, expr: &'a Expr, scope: Scope) -> bool {
        let either = |sides: &'a (Expr, Expr)| self.may_be_null(&sides.0, scope) || self.may_be_null(&sides.1, scope);
        match &expr.kind {
            ExprKind::Name(_) | ExprKind::Column(_) | ExprKind::OuterColumn(_) | ExprKind::Const(_) => {
                self.infer_expr(expr, scope).nullable
            }
            ExprKind::Not(inner) | ExprKind::Neg(inner) => self.may_be_null(inner, scope),
            ExprKind::Binary(..) if expr.as_null_test().is_some() => false,
            ExprKind::Binary(_, sides) => either(sides),
            ExprKind::If(parts) => self.may_be_null(&parts.1, scope) || self.may_be_null(&parts.2, scope),
            ExprKind::Unknown => true,
            _ if self.is_assuming() => self.infer_expr(expr, scope).nullable,
            _ => expr.ty.nullable || expr.ty.is_unknown(),
        }
    }

    /// Whether a comparison, or what is computed, is always null because a part of it is.
    fn is_always_null(&self, expr: &'a Expr, scope: Scope) -> bool {
        match &expr.kind {
            ExprKind::Not(inner) | ExprKind::Neg(inner) => self.is_always_null(inner, scope),
            ExprKind::Binary(Op::And | Op::Or, _) => false,
            ExprKind::Binary(..) if expr.as_null_test().is_some() => false,
            ExprKind::Binary(Op::In | Op::NotIn, sides) => self.is_always_null(&sides.0, scope),
            ExprKind::Binary(_, sides) => self.is_always_null(&sides.0, scope) || self.is_always_null(&sides.1, scope),
            _ => self.infer_expr(expr, scope).is_null_only(),
        }
    }

    /// The truth of a condition; null counts as false.
    pub fn infer_truth(&self, expr: &'a Expr, scope: Scope) -> Truth {
        match &expr.kind {
            ExprKind::Not(inner) => match self.infer_truth(inner, scope) {
                Truth::Never if self.is_narrowed() && self.is_always_null(inner, scope) => Truth::Never,
                // A condition that is never true may be false or null.
                Truth::Never if self.may_be_null(inner, scope) => Truth::Open,
                known => known.invert(),
            },
            ExprKind::Binary(Op::And, sides) => {
                self.infer_truth(&sides.0, scope).and(self.infer_truth(&sides.1, scope))
            }
            ExprKind::Binary(Op::Or, sides) => self.infer_truth(&sides.0, scope).or(self.infer_truth(&sides.1, scope)),
            ExprKind::Binary(op @ (Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge), sides) => {
                match expr.as_null_test() {
                    Some((op, asked)) if !asked.is_null() => self.is_null(op, asked, scope),
                    None if !sides.0.is_null() && !sides.1.is_null() => self.compare_sides(*op, sides, scope),
                    _ => Truth::Open,
                }
            }
            ExprKind::Binary(Op::In, sides) => self.infer_membership(&sides.0, &sides.1, scope),
            ExprKind::Binary(Op::NotIn, sides) => match self.infer_membership(&sides.0, &sides.1, scope) {
                Truth::Never if self.may_be_null(expr, scope) => Truth::Open,
                known => known.invert(),
            },
            _ => {
                let fact = self.infer_expr(expr, scope);
                match fact.closed.as_deref() {
                    Some([]) if fact.nullable && self.is_narrowed() => Truth::Never,
                    Some([Value::Bool(true)]) if !fact.nullable => Truth::Always,
                    Some([Value::Bool(false)]) => Truth::Never,
                    _ => Truth::Open,
                }
            }
        }
    }

    /// `a op b`
    fn compare_sides(&self, op: Op, (left, right): &'a (Expr, Expr), scope: Scope) -> Truth {
        let (a, b) = (self.infer_expr(left, scope), self.infer_expr(right, scope));
        if self.is_narrowed() && (a.is_null_only() || b.is_null_only()) {
            return Truth::Never;
        }
        match op {
            Op::Eq if self.are_different(left, right, scope) => Truth::Never,
            Op::Ne if self.are_different(left, right, scope) && !a.nullable && !b.nullable => Truth::Always,
            _ => match compare_facts(op, &a, &b) {
                Truth::Open if is_kept(left, right) || is_kept(right, left) => match op {
                    Op::Ne | Op::Lt | Op::Gt => Truth::Never,
                    _ if a.nullable || b.nullable => Truth::Open,
                    _ => Truth::Always,
                },
                Truth::Open if is_computed(left) || is_computed(right) => self.compare_texts(op, left, right, scope),
                known => known,
            },
        }
    }

    /// `x == null`, `x != null`
    fn is_null(&self, op: Op, expr: &'a Expr, scope: Scope) -> Truth {
        let fact = self.infer_expr(expr, scope);
        if self.is_narrowed() && fact.is_null_only() {
            return if op == Op::Eq { Truth::Always } else { Truth::Never };
        }
        match (op, fact.nullable) {
            (Op::Eq, false) => Truth::Never,
            (Op::Ne, false) => Truth::Always,
            _ => Truth::Open,
        }
    }

    /// `value in list`
    fn infer_membership(&self, expr: &'a Expr, list: &'a Expr, scope: Scope) -> Truth {
        let value = self.infer_expr(expr, scope);
        if value.is_empty() {
            return if self.is_narrowed() && value.nullable { Truth::Never } else { Truth::Open };
        }
        let Some((items, all_there)) = self.infer_list_items(list, scope) else { return Truth::Open };
        if items.iter().all(|item| compare_facts(Op::Eq, &value, item) == Truth::Never) {
            return Truth::Never;
        }
        let computed = is_computed(expr) && value.closed.is_none();
        if let Some(known) = computed.then(|| self.know_text(expr, scope)).flatten() {
            let is_item = |item: &Fact<'a>| compare_known(Op::Eq, &known, &Known::from_fact(item.clone())).is_true;
            if !items.iter().any(is_item) {
                return Truth::Never;
            }
        }
        let singles: Vec<&Value> = items.iter().filter_map(Fact::as_single_value).collect();
        let every = value
            .closed
            .as_ref()
            .is_some_and(|values| values.iter().all(|value| singles.iter().any(|item| item.is_same(value))));
        if all_there && every && !value.nullable { Truth::Always } else { Truth::Open }
    }
}

/// Whether an expression is the value wherever that is not null: `coalesce(x, 0)`, `if x == null then 0 else x`.
fn is_kept(chosen: &Expr, value: &Expr) -> bool {
    match &chosen.kind {
        ExprKind::Call(function, args) if function.is_first_known() => {
            matches!(args.first(), Some(Arg::Value(first)) if is_same_value(first, value))
        }
        ExprKind::If(parts) => match parts.0.as_null_test() {
            Some((Op::Eq, tested)) => is_same_value(tested, value) && is_same_value(&parts.2, value),
            Some((_, tested)) => is_same_value(tested, value) && is_same_value(&parts.1, value),
            None => false,
        },
        _ => false,
    }
}

/// Whether two expressions have the same value.
fn is_same_value(a: &Expr, b: &Expr) -> bool {
    match (&a.kind, &b.kind) {
        (ExprKind::Name(a), ExprKind::Name(b)) => a == b,
        (ExprKind::Column(a), ExprKind::Column(b)) => a == b,
        (ExprKind::Call(..), ExprKind::Call(..)) | (ExprKind::Binary(..), ExprKind::Binary(..)) => {
            a.without_spans() == b.without_spans()
        }
        _ => false,
    }
}

/// The values for which a comparison with one of the others can be true.
pub fn narrow_fact<'a>(fact: &Fact<'a>, op: Op, other: &Fact<'_>) -> Fact<'a> {
    if !matches!(op, Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge) {
        return fact.clone();
    }
    if let Some(values) = &fact.closed {
        let left: Vec<&Value> =
            values.iter().filter(|value| compare_facts(op, &Fact::from_value(value), other) != Truth::Never).collect();
        return if left.is_empty() { fact.clone() } else { Fact::from_values(left) };
    }
    if let (Some((Value::Date(low), Value::Date(high))), Some((Value::Date(least), Value::Date(most)))) =
        (&fact.range, &other.range)
    {
        let ends = narrow_ends((low.0.into(), high.0.into()), op, (least.0.into(), most.0.into()));
        let date = |day: i64| i32::try_from(day).ok().map(|day| Value::Date(Date(day)));
        let narrowed = ends.and_then(|(low, high)| date(low).zip(date(high)));
        return narrowed.map_or_else(|| fact.clone(), |(low, high)| Fact::from_range(low, high));
    }
    let (Some(own), Some(others)) = (fact.as_int_range(), other.as_int_range()) else {
        return fact.clone();
    };
    let ends = narrow_ends(own, op, others);
    ends.map_or_else(|| fact.clone(), |(low, high)| Fact::from_range(Value::Int(low), Value::Int(high)))
}

/// The whole numbers from `low` to `high` for which a comparison with one of the others can be true. `None` if nothing is known of them.
fn narrow_ends((low, high): (i64, i64), op: Op, (least, most): (i64, i64)) -> Option<(i64, i64)> {
    let (low, high) = match op {
        Op::Lt => (low, high.min(most.saturating_sub(1))),
        Op::Le => (low, high.min(most)),
        Op::Gt => (low.max(least.saturating_add(1)), high),
        Op::Ge => (low.max(least), high),
        Op::Ne if least == most && low == least => (low.saturating_add(1), high),
        Op::Ne if least == most && high == least => (low, high.saturating_sub(1)),
        _ => return None,
    };
    (low <= high).then_some((low, high))
}
