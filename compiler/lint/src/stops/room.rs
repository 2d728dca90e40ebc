//! Proofs that a draw has values, and that `except` and `unique` leave enough of them.

use std::cmp::Ordering;

use model::Value;
use model::suite::{Op, RelationId, Scope};

use super::found_rows::has_found_row;
use super::linear::{Bound, Linear};
use super::safe::Safety;
use hir::facts::{Fact, Truth, compare_facts};
use hir::order::find_least_distance;
use hir::types::TyKind;
use hir::{Arg, ColumnSource, Draw, DrawDomain, Expr, ExprKind, NameSource};

impl<'a> Safety<'_, 'a> {
    /// Whether the values of a draw exist.
    pub(super) fn is_safe_domain(&self, draw: &'a Draw, scope: Scope) -> bool {
        let facts = self.facts();
        match &draw.domain {
            DrawDomain::Unknown(()) | DrawDomain::Fixed(_) => true,
            DrawDomain::Range { low, high, step, .. } => {
                step.as_ref().is_none_or(|step| self.is_safe_step(step, scope)) && self.is_ordered(low, high, scope)
            }
            DrawDomain::Lorem { low, high, .. } => {
                self.is_at_least_zero(low, scope) && self.is_ordered(low, high, scope)
            }
            DrawDomain::OneOf(items) => items.iter().any(|item| !facts.infer_expr(item, scope).nullable),
            DrawDomain::Share(share) => self.is_share(share, scope),
            DrawDomain::Exactly(count) => {
                let rows = scope.row.map_or(0, |relation| facts.count_rows(relation).least);
                let count = facts.infer_expr(count, scope).as_int_range();
                count.is_some_and(|(low, high)| low >= 0 && u64::try_from(high).is_ok_and(|high| high <= rows))
            }
            DrawDomain::Ref { relation, column, together, filter } => {
                let there = |column| !facts.lookup_column(*relation, column).nullable;
                let is_sure = filter.as_ref().is_none_or(|filter| self.has_match(*relation, filter, scope))
                    && facts.count_rows(*relation).least > 0
                    && there(*column)
                    && together.iter().all(|column| there(*column));
                let cells = || [*column].into_iter().chain(together.iter().copied()).collect::<Vec<_>>();
                is_sure || scope.row.is_none() && has_found_row(facts, *relation, filter.as_ref(), &cells())
            }
        }
    }

    /// Whether the step of a range is fixed, or surely above 0.
    fn is_safe_step(&self, step: &'a Expr, scope: Scope) -> bool {
        step.as_constant().is_some()
            || step.ty.kind == TyKind::Int
                && self.facts().infer_expr(step, scope).as_int_range().is_some_and(|(low, _)| low >= 1)
    }

    /// Whether a row of a table with rows surely meets a filter.
    fn has_match(&self, relation: RelationId, filter: &'a Expr, scope: Scope) -> bool {
        let (facts, inner) = (self.facts(), scope.enter_filter(relation));
        facts.infer_truth(filter, inner) == Truth::Always
            || facts.has_witness(relation, filter)
            || facts.is_told_to_have_match(relation, filter)
            || facts.count_sure_rows(relation, filter, inner) > 0
            || self.is_met_by_picked(relation, filter, inner)
    }

    /// Whether `require`s compare a cell of a column, such as the largest one, as the filter compares each of them.
    fn is_met_by_picked(&self, relation: RelationId, filter: &'a Expr, inner: Scope) -> bool {
        let ExprKind::Binary(op @ (Op::Lt | Op::Le | Op::Gt | Op::Ge), sides) = &filter.kind else { return false };
        let (column, limit, op) = match (sides.0.as_column_id(), sides.1.as_column_id()) {
            (Some(column), None) => (column, &sides.1, *op),
            (None, Some(column)) => (column, &sides.0, op.swap_sides()),
            _ => return false,
        };
        if hir::facts::sees_row(limit) || limit.ty.nullable {
            return false;
        }
        let is_picked = |part: &'a Expr| {
            let ExprKind::Call(function, args) = &part.kind else { return false };
            let of_column = matches!(args.as_slice(), [Arg::Column { relation: own, column: of, filter: None }]
                if *own == relation && *of == column);
            of_column && function.picks.is_some() && !self.facts().infer_expr(part, Scope::default()).nullable
        };
        let task = self.facts().task();
        self.list_known_parts().into_iter().filter(|part| is_picked(part)).any(|part| {
            let cell = Linear::from_expr(task, part, Scope::default());
            let distance = cell.subtract(&Linear::from_expr(task, limit, inner));
            let (distance, bound) = match op {
                Op::Gt => (distance, Bound::positive()),
                Op::Ge => (distance, Bound::zero()),
                Op::Lt => (distance.negate(), Bound::positive()),
                _ => (distance.negate(), Bound::zero()),
            };
            self.is_known_within(&distance, bound)
        })
    }

    /// Whether `except` and `unique` leave a value to draw.
    pub(super) fn leaves_values(&self, draw: &'a Draw, scope: Scope) -> bool {
        let rows = if draw.unique { scope.row.map_or(1, |relation| self.facts().count_rows(relation).most) } else { 1 };
        // Names and columns that are drawn together leave fewer values for each other.
        let needed = u128::from(rows).saturating_mul(self.count_together(draw, scope));
        let excepted = || -> Option<u128> {
            let all = self.find_all(draw, scope);
            draw.except.iter().map(|except| self.count_items(except, &all, scope)).sum()
        };
        match &draw.domain {
            // That fixed exceptions leave a value is checked as an error; not that they leave one for each row.
            DrawDomain::Fixed(domain) => {
                let fixed = draw.except.iter().all(|except| except.as_constant().is_some());
                fixed && (draw.is_serial() || !draw.unique || scope.row.is_none() && draw.except.is_empty())
                    || domain
                        .cardinality()
                        .is_none_or(|n| excepted().is_some_and(|less| n >= needed.saturating_add(less)))
            }
            DrawDomain::Ref { relation, column, filter, .. } => {
                let is_plain = draw.except.is_empty() && !draw.unique;
                let values = self.facts().lookup_column(*relation, *column);
                let least = u128::from(self.facts().count_rows(*relation).least);
                is_plain
                    || values.unique
                        && !values.nullable
                        && filter.is_none()
                        && excepted().is_some_and(|less| least >= needed.saturating_add(less))
            }
            DrawDomain::Range { low, high, step, .. } => {
                let is_plain = draw.except.is_empty() && !draw.unique;
                is_plain
                    || excepted().is_some_and(|less| {
                        self.has_steps((low, high), step.as_ref(), needed.saturating_add(less), scope)
                    })
            }
            _ => draw.except.is_empty() && !draw.unique,
        }
    }

    /// Whether a range of ints or dates always has as many values.
    fn has_steps(&self, ends: (&'a Expr, &'a Expr), step: Option<&'a Expr>, needed: u128, scope: Scope) -> bool {
        let step = match step {
            None => Some(1),
            Some(step) => self.facts().infer_expr(step, scope).as_int_range().map(|(_, high)| high),
        };
        let Some(step) = step.filter(|step| *step >= 1) else { return false };
        let Some(needed) = i64::try_from(needed).ok().and_then(|needed| (needed - 1).checked_mul(step)) else {
            return false;
        };
        find_least_distance(self.facts(), ends, scope).is_some_and(|least| least >= needed)
            || needed == 0 && self.is_ordered(ends.0, ends.1, scope)
    }

    /// The number of names or columns that a statement draws: their values differ from each other.
    fn count_together(&self, draw: &Draw, scope: Scope) -> u128 {
        let task = self.facts().task();
        if !draw.unique && scope.row.is_none() {
            return 1;
        }
        if scope.row.is_none() {
            let group = task.names.iter().find_map(|name| match &name.source {
                NameSource::Draw { draw: other, group, .. } if std::ptr::eq(other, draw) => Some(group),
                _ => None,
            });
            let is_own =
                |source: &NameSource| matches!(source, NameSource::Draw { group: other, .. } if Some(other) == group);
            return task.names.iter().filter(|name| is_own(&name.source)).count().max(1) as u128;
        }
        let relation = scope.row.and_then(|relation| task.relations.get(relation));
        let mut columns = relation.into_iter().flat_map(|relation| &relation.columns);
        let own = columns.find_map(|column| match &column.source {
            ColumnSource::Draw { draw: other, of, .. } if std::ptr::eq(other, draw) => Some(*of),
            _ => None,
        });
        own.map_or(1, |of| u128::from(of.max(1)))
    }

    /// The fact of all values of a draw, without its exceptions.
    fn find_all(&self, draw: &'a Draw, scope: Scope) -> Fact<'a> {
        let end = |end: &'a Expr| self.facts().infer_expr(end, scope).range;
        match &draw.domain {
            DrawDomain::Fixed(domain) => Fact::from_domain(domain),
            DrawDomain::Range { low, high, .. } => match (end(low), end(high)) {
                (Some((low, _)), Some((_, high))) => Fact::from_range(low, high),
                _ => Fact::not_null(),
            },
            DrawDomain::Ref { relation, column, .. } => self.facts().lookup_column(*relation, *column),
            _ => Fact::not_null(),
        }
    }

    /// The maximum number of values of an exception that are among all values of a draw.
    fn count_items(&self, except: &'a Expr, all: &Fact<'a>, scope: Scope) -> Option<u128> {
        let facts = self.facts();
        let is_apart = |item: &Fact<'a>| compare_facts(Op::Eq, item, all) == Truth::Never;
        match &except.kind {
            ExprKind::List(items) => {
                Some(items.iter().filter(|item| !is_apart(&facts.infer_expr(item, scope))).count() as u128)
            }
            ExprKind::Const(Value::List(items)) => {
                Some(items.iter().filter(|item| !is_apart(&Fact::from_value(item))).count() as u128)
            }
            _ if except.ty.is_scalar() && !except.ty.is_unknown() => {
                Some(u128::from(!is_apart(&facts.infer_expr(except, scope))))
            }
            ExprKind::Call(function, args) if function.is_value_list() => match args.as_slice() {
                [Arg::Column { relation, .. }] => Some(u128::from(facts.count_rows(*relation).most)),
                _ => None,
            },
            _ => {
                let fact = facts.infer_expr(except, scope);
                fact.as_single_value().and_then(Value::as_list).map(|items| items.len() as u128)
            }
        }
    }

    /// Whether a number is always between 0 and 100.
    pub(super) fn is_share(&self, share: &'a Expr, scope: Scope) -> bool {
        let fact = self.facts().infer_expr(share, scope);
        let hundred = Fact::from_range(Value::Int(0), Value::Int(100));
        fact.range.as_ref().zip(hundred.range).is_some_and(|((low, high), (least, most))| {
            low.compare_with(&least).is_some_and(Ordering::is_ge)
                && high.compare_with(&most).is_some_and(Ordering::is_le)
        })
    }
}
