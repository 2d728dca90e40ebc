//! Facts that hold because conditions do: the `require`s before a place, and the conditions around it.
//!
//! They are looked at only where it is proved that a build cannot stop. What is learned of a value holds until the condition ends.

use std::cell::{Cell, RefCell};

use model::Value;
use model::suite::{ColumnId, NameId, RelationId, Scope};

use super::{Ends, Fact, Facts, FindEnds, Learned, Outcome, Part};
use crate::types::TyKind;
use crate::{Arg, Expr, ExprKind, NameSource, Task};
use syntax::bounds::Bounds;

/// How often names are inferred again under conditions, and how often the ends of expressions are found.
const MAX_INFERRED: usize = 1000;
const MAX_ENDS: usize = 500;

impl<'a> Facts<'a> {
    /// Infers the facts of a task where these conditions hold.
    pub fn with_conditions(task: &'a Task, conditions: &[&'a Expr], find_ends: FindEnds) -> Facts<'a> {
        let mut facts = Facts::new(task);
        facts.learned = Some(Learned {
            names: RefCell::default(),
            parts: RefCell::default(),
            guards: Cell::new(0),
            work: Cell::new(MAX_INFERRED),
            ends: Cell::new(MAX_ENDS),
            find_ends,
            is_finding: Cell::new(false),
            steps: Cell::new(None),
        });
        facts.infer_steps();
        // What was learned of one value may tell more of another.
        for _ in 0..if conditions.is_empty() { 0 } else { 2 } {
            conditions.iter().for_each(|condition| facts.learn(condition, Scope::default(), Outcome::True));
            facts.infer_steps();
        }
        facts
    }

    /// Calls `ask` where this is known of a condition.
    pub fn under<R>(&self, (condition, scope): (&'a Expr, Scope), known: Outcome, ask: impl FnOnce() -> R) -> R {
        let Some(learned) = &self.learned else { return ask() };
        // A row within a row within a row of one table could be taken for another one.
        if scope.row.is_some() && scope.row == scope.outer {
            return ask();
        }
        let before = (learned.names.borrow().len(), learned.parts.borrow().len());
        self.learn(condition, scope, known);
        learned.guards.set(learned.guards.get() + 1);
        let result = self.with_more_known(ask);
        learned.guards.set(learned.guards.get() - 1);
        learned.names.borrow_mut().truncate(before.0);
        learned.parts.borrow_mut().truncate(before.1);
        result
    }

    /// Whether conditions are looked at.
    pub(super) fn is_learning(&self) -> bool {
        self.learned.is_some()
    }

    /// Calls `ask` for a row of which some cells are known.
    pub(super) fn in_row<R>(
        &self,
        (condition, scope): (&'a Expr, Scope),
        find_cell: &dyn Fn(ColumnId) -> Option<Value>,
        ask: impl FnOnce() -> R,
    ) -> R {
        let Some(learned) = self.learned.as_ref().filter(|_| scope.row != scope.outer) else { return ask() };
        let before = learned.parts.borrow().len();
        self.keep_cells(condition, scope, find_cell);
        let result = self.with_more_known(ask);
        learned.parts.borrow_mut().truncate(before);
        result
    }

    fn keep_cells(&self, part: &'a Expr, scope: Scope, find_cell: &dyn Fn(ColumnId) -> Option<Value>) {
        if let Some(cell) = part.as_column_id().and_then(find_cell) {
            self.keep_fact(part, scope, Fact::from_value(&cell));
        }
        part.visit_children(&mut |child, rows| {
            if rows.is_none() {
                self.keep_cells(child, scope, find_cell);
            }
        });
    }

    /// Keeps a fact of a value.
    pub(super) fn keep_fact(&self, expr: &Expr, scope: Scope, fact: Fact<'a>) {
        let Some(learned) = &self.learned else { return };
        match &expr.kind {
            ExprKind::Const(_) => {}
            ExprKind::Name(id) => learned.names.borrow_mut().push((*id, fact)),
            _ => {
                let scope = sees_row(expr).then_some(scope);
                learned.parts.borrow_mut().push(Part { bare: expr.without_spans(), scope, fact });
            }
        }
    }

    /// The values of a name that conditions leave.
    pub(super) fn narrow_name(&self, id: NameId, fact: Fact<'a>) -> Fact<'a> {
        let Some(learned) = &self.learned else { return fact };
        let computed = match self.task.names.get(id).map(|name| &name.source) {
            Some(NameSource::Compute(value)) if learned.guards.get() > 0 && take_one(&learned.work) => Some(value),
            _ => None,
        };
        let fact = computed.map_or(fact.clone(), |value| fact.meet(&self.infer_expr(value, Scope::default())));
        let names = learned.names.borrow();
        names.iter().filter(|(own, _)| *own == id).fold(fact, |fact, (_, known)| fact.meet(known))
    }

    /// The values of an expression that conditions, and the relations of its parts, leave.
    pub(super) fn narrow_expr(&self, expr: &'a Expr, scope: Scope, fact: Fact<'a>) -> Fact<'a> {
        let Some(learned) = &self.learned else { return fact };
        if matches!(expr.kind, ExprKind::Const(_) | ExprKind::Name(_)) {
            return fact;
        }
        let fact = match learned.find_int_ends(self, expr, scope) {
            (None, None) => fact,
            (low, high) => {
                let (low, high) = (low.unwrap_or(i64::MIN), high.unwrap_or(i64::MAX));
                if low <= high {
                    fact.meet(&Fact::from_range(Value::Int(low), Value::Int(high)).with_null_if(true))
                } else {
                    fact
                }
            }
        };
        if learned.parts.borrow().is_empty() {
            return fact;
        }
        let (bare, own) = (expr.without_spans(), sees_row(expr).then_some(scope));
        let parts = learned.parts.borrow();
        let known = parts.iter().filter(|part| part.scope == own && part.bare == bare);
        known.fold(fact, |fact, part| fact.meet(&part.fact))
    }

    /// The number of rows that conditions leave.
    pub(super) fn narrow_rows(&self, relation: RelationId, rows: Bounds) -> Bounds {
        let Some(learned) = &self.learned else { return rows };
        let parts = learned.parts.borrow();
        let counts = parts.iter().filter_map(|part| {
            let ExprKind::Call(function, args) = &part.bare.kind else { return None };
            let (low, high) = part.fact.as_int_range().filter(|_| function.is_count() && part.scope.is_none())?;
            match args.as_slice() {
                [Arg::Relation { relation: own, filter }] if *own == relation => {
                    Some((low, if filter.is_none() { high } else { i64::MAX }))
                }
                [Arg::Column { relation: own, .. }] if *own == relation => Some((low, i64::MAX)),
                _ => None,
            }
        });
        counts.fold(rows, |rows, (low, high)| {
            let least = rows.least.max(u64::try_from(low).unwrap_or(0));
            let most = if high == i64::MAX { rows.most } else { rows.most.min(u64::try_from(high).unwrap_or(0)) };
            if least <= most { Bounds { least, most } } else { rows }
        })
    }

    /// Whether conditions tell that a row of a table meets a filter.
    pub fn is_told_to_have_match(&self, relation: RelationId, filter: &Expr) -> bool {
        let Some(learned) = &self.learned else { return false };
        let bare = filter.without_spans();
        learned.parts.borrow().iter().any(|part| {
            let ExprKind::Call(function, args) = &part.bare.kind else { return false };
            let of_filter = match args.as_slice() {
                [Arg::Relation { relation: own, filter: Some(own_filter) }]
                | [Arg::Column { relation: own, filter: Some(own_filter), .. }] => {
                    *own == relation && *own_filter == bare
                }
                _ => false,
            };
            // A number of rows above 0, or an aggregate of at least one value.
            let is_some = match part.fact.as_int_range() {
                Some((low, _)) if function.is_count() => low > 0,
                _ => !function.is_count() && function.least.is_some_and(|least| least > 0) && !part.fact.nullable,
            };
            of_filter && part.scope.is_none() && is_some
        })
    }
}

impl<'a> Learned<'a> {
    fn find_int_ends(&self, facts: &Facts<'a>, expr: &'a Expr, scope: Scope) -> Ends {
        let is_sum = matches!(expr.kind, ExprKind::Binary(..) | ExprKind::Neg(_) | ExprKind::Call(..));
        if !is_sum || expr.ty.kind != TyKind::Int || self.is_finding.get() || !take_one(&self.ends) {
            return (None, None);
        }
        self.is_finding.set(true);
        let ends = (self.find_ends)(facts, expr, scope);
        self.is_finding.set(false);
        ends
    }
}

/// Takes one of what is left. Returns whether there was one.
fn take_one(left: &Cell<usize>) -> bool {
    let before = left.get();
    left.set(before.saturating_sub(1));
    before > 0
}

/// Whether a value depends on the row in which it is computed.
pub fn sees_row(expr: &Expr) -> bool {
    match expr.kind {
        ExprKind::Column(_) | ExprKind::OuterColumn(_) => return true,
        _ => {}
    }
    let mut found = false;
    expr.visit_children(&mut |child, rows| {
        // In a filter, a column is one of its own rows.
        let is_outer = |child: &Expr| {
            let mut outer = false;
            child.visit_exprs(&mut |part| outer |= matches!(part.kind, ExprKind::OuterColumn(_)));
            outer
        };
        found |= if rows.is_some() { is_outer(child) } else { sees_row(child) };
    });
    found
}
