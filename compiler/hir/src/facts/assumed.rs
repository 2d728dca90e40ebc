//! Facts that are assumed for a while: the values of single names and cells in one case of a condition.
//!
//! An assumption replaces the fact of a name, or of a cell of one row. What is computed from it, such as another column of the row, is then inferred
//! again, and the two go together.

use std::cell::{Cell, RefCell};

use model::Value;
use model::suite::{ColumnId, NameId, RelationId, Scope};

use super::{Fact, Facts};
use crate::{ColumnSource, Expr, ExprKind};

/// The maximum number of facts that are inferred again for the cases of one condition.
const MAX_INFERRED: usize = 200_000;

/// The row of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Row {
    /// The current row of the condition.
    Current,
    /// The row for which a filter checks candidates.
    Outer,
    /// A row in a query: of this table of this SELECT.
    Query(usize, usize),
}

/// A name or cell, which has one value at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// A name of the task.
    Name(NameId),
    /// A cell of a row of a relation.
    Cell(Row, RelationId, ColumnId),
    /// The value of a subquery, or of a column that one computes, by its place in the query.
    Result(usize, usize, usize),
}

/// The rows that an expression sees.
#[derive(Clone, Copy, Default)]
struct View {
    scope: Scope,
    row: Option<Row>,
    outer: Option<Row>,
}

/// The assumptions at the moment.
#[derive(Default)]
pub(super) struct Assumptions<'a> {
    facts: RefCell<Vec<(Slot, Fact<'a>)>>,
    /// Names and cells that depend on others with assumptions, so they are inferred again.
    dependent: RefCell<Vec<Slot>>,
    /// What was inferred again under the assumptions at the moment: names that consist of names can double each time.
    inferred: RefCell<Vec<(Slot, Fact<'a>)>>,
    /// Pairs that are never equal.
    different: RefCell<Vec<(Slot, Slot)>>,
    view: Cell<View>,
    active: Cell<bool>,
    work: Cell<usize>,
    /// What is known of expressions in the samples that get to a place, whatever the row is.
    values: RefCell<Vec<(&'a Expr, Fact<'a>)>>,
}

impl<'a> Facts<'a> {
    /// Calls `ask` with assumptions: `dependent` are inferred again, and each pair of `different` is never equal. The condition is evaluated in `scope`.
    pub fn with_cases<R>(
        &self,
        scope: Scope,
        dependent: Vec<Slot>,
        different: Vec<(Slot, Slot)>,
        ask: impl FnOnce() -> R,
    ) -> R {
        let assumed = &self.assumed;
        *assumed.dependent.borrow_mut() = dependent;
        *assumed.different.borrow_mut() = different;
        assumed.view.set(View { scope, row: scope.row.map(|_| Row::Current), outer: scope.outer.map(|_| Row::Outer) });
        assumed.active.set(true);
        assumed.work.set(MAX_INFERRED);
        assumed.inferred.borrow_mut().clear();
        let result = ask();
        assumed.active.set(false);
        assumed.view.set(View::default());
        assumed.facts.borrow_mut().clear();
        result
    }

    /// Calls `ask` under the assumption that a name or cell has one of the values of a fact.
    pub fn assume<R>(&self, slot: Slot, fact: Fact<'a>, ask: impl FnOnce() -> R) -> R {
        self.assumed.facts.borrow_mut().push((slot, fact));
        let result = self.with_more_known(ask);
        self.assumed.facts.borrow_mut().pop();
        result
    }

    /// Calls `ask` where more is known than around it, so what was inferred again does not count.
    pub(super) fn with_more_known<R>(&self, ask: impl FnOnce() -> R) -> R {
        let before = self.assumed.inferred.take();
        let result = ask();
        self.assumed.inferred.replace(before);
        result
    }

    /// Calls `ask` where more is known of the values of parameters: `require`s and the conditions around a query reject the others.
    pub fn with_parameters<R>(&self, values: Vec<(&'a Expr, Fact<'a>)>, ask: impl FnOnce() -> R) -> R {
        let before = self.assumed.values.replace(values);
        let result = ask();
        self.assumed.values.replace(before);
        result
    }

    /// The fact of the value of a parameter of a query.
    pub(crate) fn infer_parameter(&self, value: &'a Expr, scope: Scope) -> Fact<'a> {
        let values = self.assumed.values.borrow();
        let known = values.iter().find(|(known, _)| std::ptr::eq(*known, value)).map(|(_, fact)| fact.clone());
        known.unwrap_or_else(|| self.infer_expr(value, scope))
    }

    /// Calls `ask` for other rows than those of the assumptions.
    pub fn without_rows<R>(&self, ask: impl FnOnce() -> R) -> R {
        let before = self.assumed.view.replace(View::default());
        let result = ask();
        self.assumed.view.set(before);
        result
    }

    /// Calls `ask` without the assumptions, for the values of other rows.
    pub fn without_assumptions<R>(&self, ask: impl FnOnce() -> R) -> R {
        let before = self.assumed.active.replace(false);
        let result = ask();
        self.assumed.active.set(before);
        result
    }

    /// Whether a case is looked at.
    pub fn is_assuming(&self) -> bool {
        self.assumed.active.get()
    }

    /// Whether only some samples are looked at: a case, or a cell of an axis. What is always null is reported where all samples are looked at.
    pub(super) fn is_narrowed(&self) -> bool {
        self.is_assuming() || self.cell.is_some()
    }

    /// Whether some of the assumptions exclude each other.
    pub fn is_contradictory(&self) -> bool {
        let single = |slot: Slot| self.find_assumed(slot).and_then(|fact| fact.as_single_value().cloned());
        let different = self.assumed.different.borrow();
        different.iter().any(|(a, b)| match (single(*a), single(*b)) {
            (Some(a), Some(b)) => a.is_same(&b),
            _ => false,
        })
    }

    /// The fact of a name or cell under the assumptions.
    pub fn lookup_slot(&self, slot: Slot) -> Fact<'a> {
        if self.is_assuming() {
            if let Some(fact) = self.find_assumed(slot) {
                return fact;
            }
            if self.assumed.dependent.borrow().contains(&slot) {
                let known = self.assumed.inferred.borrow().iter().find(|(known, _)| *known == slot).cloned();
                if let Some((_, fact)) = known {
                    return fact;
                }
                if self.take_work() {
                    let fact = self.infer_again(slot);
                    self.assumed.inferred.borrow_mut().push((slot, fact.clone()));
                    return fact;
                }
            }
        }
        match slot {
            Slot::Name(name) => self.lookup_stored_name(name),
            // A cell is a single value, so the uniqueness of the column does not apply.
            Slot::Cell(_, relation, column) => Fact { unique: false, ..self.lookup_column(relation, column) },
            Slot::Result(..) => Fact::unknown(),
        }
    }

    /// The name or cell that an expression is, in the rows of the condition.
    pub fn find_slot(&self, expr: &Expr, scope: Scope) -> Option<Slot> {
        let view = self.assumed.view.get();
        let row = match expr.kind {
            ExprKind::Name(name) => return Some(Slot::Name(name)),
            ExprKind::Column(_) => view.row,
            ExprKind::OuterColumn(_) => view.outer,
            _ => return None,
        };
        let (relation, column) = expr.find_cell(scope)?;
        Some(Slot::Cell(row.filter(|_| view.scope == scope)?, relation, column))
    }

    /// Whether two expressions are never equal, because one is drawn apart from the other.
    pub(super) fn are_different(&self, a: &Expr, b: &Expr, scope: Scope) -> bool {
        let Some((a, b)) = self.find_slot(a, scope).zip(self.find_slot(b, scope)) else { return false };
        self.is_assuming() && self.assumed.different.borrow().iter().any(|pair| *pair == (a, b) || *pair == (b, a))
    }

    /// The fact that is assumed for a name or cell.
    pub fn find_assumed(&self, slot: Slot) -> Option<Fact<'a>> {
        if !self.is_assuming() {
            return None;
        }
        let facts = self.assumed.facts.borrow();
        facts.iter().rev().find(|(known, _)| *known == slot).map(|(_, fact)| fact.clone())
    }

    fn take_work(&self) -> bool {
        let left = self.assumed.work.get();
        self.assumed.work.set(left.saturating_sub(1));
        left > 0
    }

    fn infer_again(&self, slot: Slot) -> Fact<'a> {
        let (row, relation, column) = match slot {
            Slot::Name(name) => return self.without_rows(|| self.infer_name(name)),
            Slot::Cell(row, relation, column) => (row, relation, column),
            Slot::Result(..) => return Fact::unknown(),
        };
        let declared = self.task.relations.get(relation).and_then(|relation| relation.columns.get(column));
        let Some(declared) = declared else { return Fact::unknown() };
        let view = View { scope: Scope::with_row(relation), row: Some(row), outer: None };
        let before = self.assumed.view.replace(view);
        let fact = self.infer_column(relation, column, declared);
        self.assumed.view.set(before);
        Fact { unique: false, ..fact }
    }
}

impl Fact<'_> {
    /// Whether it is always null.
    pub fn is_null_only(&self) -> bool {
        self.nullable && self.is_empty()
    }

    /// The fact of null.
    pub fn null() -> Self {
        Fact::from_value(&Value::Null)
    }
}

/// Whether a column depends on other values of its row, or on names.
pub fn is_dependent(source: &ColumnSource) -> bool {
    match source {
        ColumnSource::Draw { draw, .. } => !matches!(
            draw.domain,
            crate::DrawDomain::Fixed(_) | crate::DrawDomain::Ref { .. } | crate::DrawDomain::Unknown(())
        ),
        ColumnSource::Compute(_) => true,
        ColumnSource::Given(_) | ColumnSource::Result(_) | ColumnSource::Taken(_) => false,
    }
}
