//! Proofs that a place cannot stop a build, from the possible values of what it is computed from (see [`hir::facts`]).

use std::cell::Cell;

use model::functions::{FunctionId, Inputs, Kernel, Reader};
use model::suite::{ColumnId, Op, RelationId, Scope};
use model::{Value, ops};

use super::kernels::{are_ordered_aggregates, has_points, has_result, has_total};
use super::linear::{Bound, Known, Linear, collect_known};
use super::paths::{is_storable, is_storable_entry};
use hir::facts::{Fact, Facts, Outcome, Truth, compare_facts, sees_row};
use hir::months::Months;
use hir::order::compare_exprs;
use hir::types::TyKind;
use hir::{Arg, Column, ColumnSource, Draw, DrawDomain, Expr, ExprKind, NameSource, Rows};

/// Numbers up to this one can be rounded to any number of places.
const MAX_ROUNDED: f64 = 1e15;

/// The most combinations of values that are tried for all places of a task.
const MAX_TRIES: usize = 30_000;

/// Proves that places are safe.
pub(super) struct Safety<'f, 'a> {
    /// The possible values.
    facts: &'f Facts<'a>,
    /// What the `require`s of the task ensure.
    required: Vec<Known<'a>>,
    /// How many combinations of values may still be tried.
    tries: Cell<usize>,
}

impl<'f, 'a> Safety<'f, 'a> {
    /// Proves what follows from possible values alone.
    pub(super) fn new(facts: &'f Facts<'a>) -> Safety<'f, 'a> {
        Safety { facts, required: Vec::new(), tries: Cell::new(MAX_TRIES) }
    }

    /// Proves what follows from these conditions too.
    pub(super) fn with_required(self, conditions: impl IntoIterator<Item = &'a Expr>) -> Safety<'f, 'a> {
        let mut required = self.required;
        for condition in conditions {
            collect_known(self.facts.task(), (condition, Scope::default()), true, &mut required);
        }
        Safety { required, ..self }
    }

    /// The possible values.
    pub(super) fn facts(&self) -> &'f Facts<'a> {
        self.facts
    }

    /// Takes a number of the combinations that may still be tried. Returns whether there are enough.
    pub(super) fn take_tries(&self, needed: usize) -> bool {
        let left = self.tries.get().checked_sub(needed);
        self.tries.set(left.unwrap_or(self.tries.get()));
        left.is_some()
    }

    /// Whether an expression always has a value. Queries and files count as safe; only what is computed here is looked at.
    pub(super) fn is_safe_expr(&self, expr: &'a Expr, scope: Scope) -> bool {
        self.is_safe_under(expr, scope, &mut self.required.clone())
    }

    /// Whether an expression has a value where these conditions hold.
    fn is_safe_under(&self, expr: &'a Expr, scope: Scope, known: &mut Vec<Known<'a>>) -> bool {
        if !self.is_safe_part(expr, scope, known) {
            return false;
        }
        let (task, before) = (self.facts.task(), known.len());
        let mut is_safe_if = |part: &'a Expr, condition: &'a Expr, holds: bool| {
            collect_known(task, (condition, scope), holds, known);
            let outcome = if holds { Outcome::True } else { Outcome::NotTrue };
            let safe = self.facts.under((condition, scope), outcome, || self.is_safe_under(part, scope, known));
            known.truncate(before);
            safe
        };
        match &expr.kind {
            ExprKind::If(parts) => {
                is_safe_if(&parts.1, &parts.0, true)
                    && is_safe_if(&parts.2, &parts.0, false)
                    && self.is_safe_under(&parts.0, scope, known)
            }
            ExprKind::Binary(op @ (Op::And | Op::Or), sides) => {
                is_safe_if(&sides.1, &sides.0, *op == Op::And) && self.is_safe_under(&sides.0, scope, known)
            }
            ExprKind::Call(_, args) if args.iter().any(|arg| matches!(arg, Arg::Each { filter: Some(_), .. })) => {
                args.iter().all(|arg| self.is_safe_argument(arg, scope, known))
            }
            _ => {
                let mut safe = true;
                expr.visit_children(&mut |child, rows| {
                    let scope = rows.map_or(scope, |rows| scope.enter_filter(rows));
                    safe = safe && self.is_safe_under(child, scope, known);
                });
                safe
            }
        }
    }

    /// Whether an argument has a value; one that is computed for each row, where the filter holds.
    fn is_safe_argument(&self, arg: &'a Arg, scope: Scope, known: &mut Vec<Known<'a>>) -> bool {
        let (task, before) = (self.facts.task(), known.len());
        let filtered = |relation: &RelationId| scope.enter_filter(*relation);
        match arg {
            Arg::Value(value) => self.is_safe_under(value, scope, known),
            Arg::Each { relation, value, filter } => {
                let scope = filtered(relation);
                let safe = filter.as_ref().is_none_or(|filter| self.is_safe_under(filter, scope, known));
                let Some(filter) = filter else { return safe && self.is_safe_under(value, scope, known) };
                collect_known(task, (filter, scope), true, known);
                let safe = safe
                    && self.facts.under((filter, scope), Outcome::True, || self.is_safe_under(value, scope, known));
                known.truncate(before);
                safe
            }
            Arg::Relation { relation, filter } | Arg::Column { relation, filter, .. } => {
                filter.as_ref().is_none_or(|filter| self.is_safe_under(filter, filtered(relation), known))
            }
            Arg::Sql(sql) => sql.params.iter().all(|(_, value)| self.is_safe_under(value, scope, known)),
            Arg::File(_) | Arg::Path(_) => true,
        }
    }

    fn is_safe_part(&self, part: &'a Expr, scope: Scope, known: &[Known<'a>]) -> bool {
        match &part.kind {
            ExprKind::Binary(Op::Div, sides) if sides.1.ty.kind == TyKind::Duration => {
                let is_length = |length: &Value| matches!(length, Value::Duration(length) if length.seconds != 0);
                sides.1.as_constant().is_some_and(is_length)
                    && [&sides.0, &sides.1].into_iter().all(|side| self.is_without_months(side))
            }
            ExprKind::Binary(Op::Div, sides) => {
                self.is_never_zero(&sides.1, scope, known) && self.has_limits(&sides.0, scope)
            }
            ExprKind::Binary(op @ (Op::Add | Op::Sub | Op::Mul), sides) => {
                matches!(part.ty.kind, TyKind::Text | TyKind::List(_) | TyKind::Unknown)
                    || self.is_safe_arithmetic(*op, sides, scope)
            }
            ExprKind::Neg(inner) if part.ty.kind == TyKind::Int => {
                self.facts.infer_expr(inner, scope).as_int_range().is_some_and(|(low, _)| low > i64::MIN)
            }
            ExprKind::Call(function, args) => self.is_safe_call(*function, args, scope, known),
            _ => true,
        }
    }

    /// Whether a duration never has months.
    fn is_without_months(&self, length: &'a Expr) -> bool {
        let task = self.facts.task();
        Months::from_expr(length, &|expr| expr.resolve_name(task)) == Months::Never
    }

    fn is_never_zero(&self, by: &'a Expr, scope: Scope, known: &[Known<'a>]) -> bool {
        !self.facts.infer_expr(by, scope).can_be(&Value::Int(0))
            || Linear::from_expr(self.facts.task(), by, scope).is_never_zero(self.facts, known)
    }

    /// Whether a number is between known ends, or a value of a type that has no largest one.
    fn has_limits(&self, expr: &'a Expr, scope: Scope) -> bool {
        match expr.ty.kind {
            TyKind::Int | TyKind::Decimal(_) => true,
            _ => is_within(&self.facts.infer_expr(expr, scope), MAX_ROUNDED),
        }
    }

    /// Whether the results for the ends of both ranges exist; then all results between them do.
    fn is_safe_arithmetic(&self, op: Op, sides: &'a (Expr, Expr), scope: Scope) -> bool {
        let (a, b) = (self.facts.infer_expr(&sides.0, scope), self.facts.infer_expr(&sides.1, scope));
        let (Some((a_low, a_high)), Some((b_low, b_high))) = (&a.range, &b.range) else { return false };
        let corners = [(a_low, b_low), (a_low, b_high), (a_high, b_low), (a_high, b_high)];
        corners.into_iter().all(|(x, y)| ops::apply_binary(op, x, y).is_ok())
    }

    fn is_safe_call(&self, function: FunctionId, args: &'a [Arg], scope: Scope, known: &[Known<'a>]) -> bool {
        if function.total {
            return true;
        }
        if let Some(Arg::Value(by)) = function.divisor.and_then(|at| args.get(at)) {
            return self.is_never_zero(by, scope, known);
        }
        if let Some(Arg::Value(length)) = function.length.and_then(|at| args.get(at)) {
            return self.is_without_months(length);
        }
        let value = |at: usize| match args.get(at) {
            Some(Arg::Value(value)) => Some(self.facts.infer_expr(value, scope)),
            _ => None,
        };
        match function.kernel {
            Kernel::Values(kernel) => {
                let facts: Option<Vec<Fact<'a>>> = (0..args.len()).map(value).collect();
                let Some(facts) = facts else { return false };
                has_result(self.facts, (function, args), &facts, scope, |values| {
                    kernel(Inputs { function: function.name, values }).is_ok()
                })
            }
            // A query of which a column is the whole result, too.
            Kernel::Fold(_) => has_total(self.facts, function, args, scope),
            Kernel::Points(columns, _) => has_points(self.facts, (function, columns), args, scope),
            Kernel::Reads(Reader::CellValue) if self.is_last_row(args) => true,
            Kernel::Reads(Reader::CellValue) => match (args, value(1).as_ref().and_then(Fact::as_int_range)) {
                ([Arg::Column { relation, filter, .. }, ..], Some((low, high))) => {
                    let of_all = |filter: &'a Expr| self.is_always(filter, scope.enter_filter(*relation));
                    filter.as_ref().is_none_or(of_all)
                        && low >= 1
                        && u64::try_from(high).is_ok_and(|high| high <= self.facts.count_rows(*relation).least)
                }
                _ => false,
            },
            // Each key is there, and is another one; each value is there.
            Kernel::Fields => match args {
                [Arg::Column { relation, column: key, filter }, Arg::Column { column: value, .. }] => {
                    let keys = self.facts.lookup_column(*relation, *key);
                    let is_one = || filter.as_ref().is_some_and(|filter| self.is_of_one_row(*relation, filter, scope));
                    let is_there = |column: ColumnId| {
                        !self.facts.lookup_column(*relation, column).nullable
                            || filter.as_ref().is_some_and(|filter| excludes_null(filter, column))
                    };
                    is_there(*key)
                        && is_there(*value)
                        && (keys.unique || self.facts.count_rows(*relation).most <= 1 || is_one())
                }
                _ => false,
            },
            Kernel::FirstKnown | Kernel::Path(..) | Kernel::Query | Kernel::Reads(_) => true,
        }
    }

    /// Whether at most one row meets a condition: a key is one value, or the condition is a bool that one row has, as its statement says.
    fn is_of_one_row(&self, relation: RelationId, filter: &'a Expr, scope: Scope) -> bool {
        let is_key = |side: &Expr| {
            side.ty.kind != TyKind::Float
                && side.as_column_id().is_some_and(|column| self.facts.lookup_column(relation, column).unique)
        };
        let is_fixed = |part: &'a Expr| match &part.kind {
            ExprKind::Binary(Op::Eq, sides) => {
                is_key(&sides.0) && !sees_row(&sides.1) || is_key(&sides.1) && !sees_row(&sides.0)
            }
            ExprKind::Column(_) => {
                let count = self.facts.count_declared(relation, part).and_then(|count| count.as_int_range());
                scope.row.is_none() && count.is_some_and(|(_, high)| high <= 1)
            }
            _ => false,
        };
        filter.list_conjuncts().into_iter().any(is_fixed)
    }

    /// Whether a cell of the last row of a table is read, or of a row that is drawn from all: `csv_value(t.A, count(t))`.
    fn is_last_row(&self, args: &'a [Arg]) -> bool {
        let [Arg::Column { relation, filter: None, .. }, Arg::Value(position)] = args else { return false };
        let is_count_of_all = |expr: &Expr| match &expr.kind {
            ExprKind::Call(function, counted) => match counted.as_slice() {
                [Arg::Relation { relation: of, filter: None }] => function.is_count() && of == relation,
                _ => false,
            },
            _ => false,
        };
        let task = self.facts.task();
        let position = position.resolve_name(task);
        // One that is drawn from those of all rows.
        if let ExprKind::Name(id) = position.kind
            && let Some(NameSource::Draw { draw, .. }) = task.names.get(id).map(|name| &name.source)
            && let DrawDomain::Range { low, high, .. } = &draw.domain
        {
            let least = self.facts.infer_expr(low, Scope::default()).as_int_range();
            return !draw.may_be_blank()
                && least.is_some_and(|(least, _)| least >= 1)
                && is_count_of_all(high.resolve_name(task));
        }
        is_count_of_all(position) && self.facts.count_rows(*relation).least > 0
    }

    /// Whether a draw always has a value.
    pub(super) fn is_safe_draw(&self, draw: &'a Draw, scope: Scope) -> bool {
        let mut safe = true;
        draw.visit_exprs(scope, &mut |_, expr, scope| safe = safe && self.is_safe_expr(expr, scope));
        safe && draw.blank.as_ref().is_none_or(|share| self.is_share(share, scope))
            && self.is_safe_domain(draw, scope)
            && self.leaves_values(draw, scope)
    }

    fn is_always(&self, condition: &'a Expr, scope: Scope) -> bool {
        self.facts.infer_truth(condition, scope) == Truth::Always
    }

    /// The expressions of which `require`s tell something.
    pub(super) fn list_known_parts(&self) -> Vec<&'a Expr> {
        self.required.iter().flat_map(Known::list_parts).collect()
    }

    /// Whether `require`s and possible values keep a sum within a bound.
    pub(super) fn is_known_within(&self, sum: &Linear<'a>, bound: Bound) -> bool {
        sum.is_within(bound, self.facts, &self.required)
    }

    /// Whether one end is never beyond the other one.
    pub(super) fn is_ordered(&self, low: &'a Expr, high: &'a Expr, scope: Scope) -> bool {
        let task = self.facts.task();
        compare_facts(Op::Le, &self.facts.infer_expr(low, scope), &self.facts.infer_expr(high, scope)) == Truth::Always
            || Linear::from_expr(task, high, scope).subtract(&Linear::from_expr(task, low, scope)).is_within(
                Bound::zero(),
                self.facts,
                &self.required,
            )
            || are_ordered_aggregates(self.facts, low, high)
            || compare_exprs(self.facts, Op::Le, (low, high), scope) == Truth::Always
            || list_alternatives(low.resolve_name(task))
                .is_some_and(|all| all.into_iter().all(|low| self.is_ordered(low, high, scope)))
            || list_alternatives(high.resolve_name(task))
                .is_some_and(|all| all.into_iter().all(|high| self.is_ordered(low, high, scope)))
    }

    /// Whether a number is never below 0.
    pub(super) fn is_at_least_zero(&self, expr: &'a Expr, scope: Scope) -> bool {
        self.facts.infer_expr(expr, scope).as_int_range().is_some_and(|(low, _)| low >= 0)
            || Linear::from_expr(self.facts.task(), expr, scope).is_within(Bound::zero(), self.facts, &self.required)
    }

    /// Whether the number of rows of a table always exists.
    pub(super) fn is_safe_count(&self, rows: &'a Rows) -> bool {
        let top = Scope::default();
        match rows {
            Rows::Count(low, high) | Rows::PerRow { low, high, .. } => {
                self.is_safe_expr(low, top)
                    && self.is_safe_expr(high, top)
                    && self.is_at_least_zero(low, top)
                    && self.is_ordered(low, high, top)
            }
            Rows::Taken { from, filter: Some(filter) } => self.is_safe_expr(filter, top.enter_filter(*from)),
            Rows::Taken { .. } | Rows::Given(_) | Rows::Query(_) | Rows::Lines(_) | Rows::View(_) => true,
        }
    }

    /// Whether every cell of a column can be made.
    pub(super) fn is_safe_column(&self, relation: RelationId, column: &'a Column) -> bool {
        match &column.source {
            ColumnSource::Draw { draw, .. } => self.is_safe_draw(draw, Scope::with_row(relation)),
            ColumnSource::Compute(value) => self.is_safe_expr(value, Scope::with_row(relation)),
            ColumnSource::Given(_) | ColumnSource::Result(_) | ColumnSource::Taken(_) => true,
        }
    }

    /// Whether a path of a tree can always be stored: that of a file, or that of a folder, with a slash at its end.
    pub(super) fn is_safe_entry(&self, path: &'a Expr) -> bool {
        let top = Scope::default();
        path.ty.kind == TyKind::Text
            && !path.ty.nullable
            && self.is_safe_expr(path, top)
            && is_storable_entry(self.facts, path)
    }

    /// Whether a path can always be stored.
    pub(super) fn is_safe_path(&self, path: &'a Expr, scope: Scope) -> bool {
        self.is_safe_expr(path, scope) && is_storable(self.facts, path, scope)
    }
}

/// Whether a condition on rows says that a cell is not null.
fn excludes_null(filter: &Expr, column: ColumnId) -> bool {
    let is_told = |part: &Expr| {
        part.as_null_test().is_some_and(|(op, tested)| op == Op::Ne && tested.as_column_id() == Some(column))
    };
    filter.list_conjuncts().into_iter().any(is_told)
}

/// The arguments of `coalesce`. Its value is one of them, which then is not null.
fn list_alternatives(expr: &Expr) -> Option<Vec<&Expr>> {
    let ExprKind::Call(function, args) = &expr.kind else { return None };
    let values = args.iter().map(|arg| match arg {
        Arg::Value(value) => Some(value),
        _ => None,
    });
    if function.is_first_known() { values.collect() } else { None }
}

/// Whether a number is between these limits.
pub(super) fn is_within(fact: &Fact<'_>, limit: f64) -> bool {
    let ends = fact.range.as_ref().and_then(|(low, high)| low.as_f64().zip(high.as_f64()));
    ends.is_some_and(|(low, high)| low >= -limit && high <= limit)
}
