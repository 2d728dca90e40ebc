//! The order of two atoms: a cell and the maximum of its column, aggregates of one column, functions of windows.

use std::cmp::Ordering;

use model::Value;
use model::functions::{CEIL, FLOOR, Pick, Results};
use model::suite::{ColumnId, RelationId};
use sql::terms::{Counted, Gathered, Over, Term, Which};

use super::atoms::{Atom, Atoms, Key};
use super::exprs::Aggregated;
use super::ratio::Ratio;
use super::sum::Sum;
use crate::facts::{Row, Slot};
use crate::terms::find_cell_slot;
use crate::types::TyKind;
use crate::{ColumnSource, Expr, ExprKind};

impl Atoms<'_, '_> {
    /// Adds the order of each two atoms to their bounds.
    pub fn relate(&mut self) {
        self.bound_totals();
        self.bound_steps();
        self.bound_rounded();
        self.bound_complements();
        let indexes = || 0..self.all.len();
        let pairs: Vec<(usize, usize)> = indexes()
            .flat_map(|a| indexes().map(move |b| (a, b)))
            .filter(|(a, b)| a != b && self.is_at_most(*a, *b))
            .collect();
        for (a, b) in pairs {
            self.bound(a, [], [Sum::from_atom(b)]);
            self.bound(b, [Sum::from_atom(a)], []);
        }
    }

    /// Bounds each sum of ints by the number of its values: one of values from 1 to 9 is at least their number, and at most 9 times that.
    fn bound_totals(&mut self) {
        for sum in 0..self.all.len() {
            for count in 0..self.all.len() {
                let Some((low, high)) = self.find_total(sum, count) else { continue };
                let by = |factor: Ratio| Sum::from_atom(count).multiply(&Sum::from_number(factor));
                self.bound(sum, by(low), by(high));
            }
        }
    }

    /// The ends of the values of a sum, of which the other atom is the number.
    fn find_total(&self, sum: usize, count: usize) -> Option<(Ratio, Ratio)> {
        let (relation, column) = match (&self.all.get(sum)?.key, &self.all.get(count)?.key) {
            (Key::Call(sum, sum_rows), Key::Call(count, count_rows)) => {
                let (sum, count) = (Aggregated::from_expr(sum)?, Aggregated::from_expr(count)?);
                let column = sum.column.filter(|_| sum.function.results == Results::Sum)?;
                let same_rows = sum_rows == count_rows || sum.filter.is_none();
                let same = sum.relation == count.relation && sum.filter == count.filter && same_rows;
                let counts = count.function.results == Results::Count
                    && (count.column == sum.column || count.column.is_none() && self.is_full(sum.relation, column));
                (same && counts).then_some((sum.relation, column))?
            }
            (Key::Gathered(sum), Key::Gathered(count)) => {
                let (Gathered::Sum { of, over: Over::Group | Over::Table, .. }, Gathered::Count(_, counted)) =
                    as_same_group(sum, count)?
                else {
                    return None;
                };
                let Term::Column { relation, column, nullable, .. } = of.as_ref() else { return None };
                let counts = match counted {
                    Counted::Rows => !nullable && self.is_full(*relation, *column),
                    Counted::Values(values) => values == of,
                    Counted::Different(_) | Counted::Other => false,
                };
                counts.then_some((*relation, *column))?
            }
            _ => return None,
        };
        let (low, high) = self.facts.lookup_column(relation, column).as_int_range()?;
        Ratio::new(i128::from(low), 1).zip(Ratio::new(i128::from(high), 1))
    }

    /// Whether no cell of a column is null.
    fn is_full(&self, relation: RelationId, column: ColumnId) -> bool {
        !self.facts.lookup_column(relation, column).nullable
    }

    /// Sets the number of rows that meet a condition to all rows without those that do not meet it.
    fn bound_complements(&mut self) {
        let counts: Vec<(usize, Expr)> = self.all.iter().enumerate().filter_map(as_count).collect();
        for (met, met_call) in &counts {
            for (rest, rest_call) in &counts {
                let whole = counts.iter().find(|(_, call)| are_complements(met_call, rest_call, call));
                let others = whole.and_then(|(whole, _)| Sum::from_atom(*whole).subtract(&Sum::from_atom(*rest)));
                if let Some(others) = others {
                    self.bound(*met, [others.clone()], [others]);
                }
            }
        }
    }

    /// Bounds the next whole number above a value by that below it: `ceil(x)` is at most `floor(x) + 1`.
    fn bound_rounded(&mut self) {
        for above in 0..self.all.len() {
            for below in 0..self.all.len() {
                let (Some(one), Some(other)) = (self.all.get(above), self.all.get(below)) else { continue };
                let (Key::Call(one, rows), Key::Call(other, other_rows)) = (&one.key, &other.key) else { continue };
                let is_pair = rows == other_rows
                    && match (&one.kind, &other.kind) {
                        (ExprKind::Call(ceil, one), ExprKind::Call(floor, other)) => {
                            *ceil == CEIL && *floor == FLOOR && one == other
                        }
                        _ => false,
                    };
                if is_pair && let Some(high) = Sum::from_atom(below).add(&Sum::from_number(Ratio::ONE)) {
                    self.bound(above, [Sum::from_atom(below)], [high]);
                }
            }
        }
    }

    /// Bounds the value of a row before or after the own, if no two are equal: `LEAD(ID) OVER (ORDER BY ID)` is at least `ID + 1`.
    fn bound_steps(&mut self) {
        for other in 0..self.all.len() {
            for own in 0..self.all.len() {
                let Some((step, which)) = self.find_step(other, own) else { continue };
                let Some(bound) = Sum::from_atom(own).add(&Sum::from_number(step)) else { continue };
                let (low, high) = if which == Which::After { (Some(bound), None) } else { (None, Some(bound)) };
                self.bound(other, low, high);
            }
        }
    }

    /// The smallest distance of the value of another row to that of the own row, and on which side it is.
    fn find_step(&self, other: usize, own: usize) -> Option<(Ratio, Which)> {
        const DAY: i128 = 86_400;
        let (Key::Gathered(other), Key::Slot(cell)) = (&self.all.get(other)?.key, &self.all.get(own)?.key) else {
            return None;
        };
        let Gathered::Picked { which, .. } = as_gathered(other)? else { return None };
        let (near, sign) = match which {
            Which::After => (Which::NotBelow, 1),
            Which::Before => (Which::NotAbove, -1),
            _ => return None,
        };
        let Slot::Cell(_, relation, column) = cell else { return None };
        let declared = self.facts.task().find_column((*relation, *column))?;
        let step = match declared.ty.kind {
            TyKind::Int => 1,
            TyKind::Date => DAY,
            TyKind::DateTime => 1,
            _ => return None,
        };
        let is_unique = self.facts.lookup_column(*relation, *column).unique;
        let is_related = is_unique && is_cell_at_most(*cell, other, near, near);
        is_related.then(|| Ratio::new(sign * step, 1).map(|step| (step, *which)))?
    }

    /// Whether an atom is at most another one, wherever both are not null.
    fn is_at_most(&self, a: usize, b: usize) -> bool {
        let (Some(a), Some(b)) = (self.all.get(a), self.all.get(b)) else { return false };
        match (&a.key, &b.key) {
            (Key::Call(a, a_rows), Key::Call(b, b_rows)) => {
                match (Aggregated::from_expr(a), Aggregated::from_expr(b)) {
                    (Some(a), Some(b)) => {
                        let same_rows = a_rows == b_rows || (a.filter.is_none() && b.filter.is_none());
                        same_rows && self.is_aggregate_at_most(&a, &b)
                    }
                    _ => false,
                }
            }
            (Key::Slot(Slot::Cell(_, relation, column)), Key::Call(call, _)) => {
                Aggregated::from_expr(call).is_some_and(|whole| {
                    if whole.counts() {
                        // The last of the numbers 1, 2, 3, … is the number of rows.
                        let is_all = whole.relation == *relation && whole.column.is_none() && whole.filter.is_none();
                        return is_all && self.is_serial(*relation, *column);
                    }
                    is_whole_of(&whole, (*relation, *column))
                        && (whole.picks(Pick::Greatest)
                            || (whole.picks(Pick::Last) && self.is_sorted(*relation, *column)))
                })
            }
            (Key::Call(call, _), Key::Slot(Slot::Cell(_, relation, column))) => Aggregated::from_expr(call)
                .is_some_and(|whole| {
                    is_whole_of(&whole, (*relation, *column))
                        && (whole.picks(Pick::Least)
                            || (whole.picks(Pick::First) && self.is_sorted(*relation, *column)))
                }),
            (Key::Gathered(a), Key::Gathered(b)) => as_same_group(a, b).is_some_and(|(a, b)| {
                is_gathered_at_most(a, b) || self.is_part_of_sum(a, b) || (is_count(a) && self.counts_each_row(b))
            }),
            (Key::Slot(cell), Key::Gathered(b)) if self.is_in_window_sum(*cell, b) => true,
            (Key::Slot(cell), Key::Gathered(b)) => is_cell_at_most(*cell, b, Which::NotBelow, Which::Greatest),
            (Key::Gathered(a), Key::Slot(cell)) => is_cell_at_most(*cell, a, Which::NotAbove, Which::Least),
            _ => false,
        }
    }

    fn is_aggregate_at_most(&self, a: &Aggregated<'_>, b: &Aggregated<'_>) -> bool {
        if a.counts() && b.counts() {
            // Different values are not more than values, and these not more than rows.
            let is_wider = b.column.is_none() || b.column == a.column;
            let is_count = b.function.results == Results::Count || a.function.results == Results::Distinct;
            return (is_wider && is_count || self.counts_all_rows(b)) && b.has_rows_of(a);
        }
        let (Some(column), true) = (a.column, a.column == b.column) else { return false };
        if b.function.results == Results::Sum {
            // A sum of numbers that are not negative is at least each of them, and each sum of some of them.
            let is_part = a.is_picked() || a.function.results == Results::Sum;
            return is_part && b.has_rows_of(a) && self.is_never_negative(a.relation, column);
        }
        // A mean of doubles is rounded, and may be beyond them.
        let is_int = |column: &crate::Column| column.ty.kind == TyKind::Int;
        let exact = self.facts.task().find_column((a.relation, column)).is_some_and(is_int);
        let is_between = |part: &Aggregated<'_>| part.is_picked() || (exact && part.is_middle());
        let sorted = self.is_sorted(a.relation, column);
        let is_last = b.picks(Pick::Greatest) || (sorted && b.picks(Pick::Last));
        let is_first = a.picks(Pick::Least) || (sorted && a.picks(Pick::First));
        (is_last && is_between(a) && b.has_rows_of(a)) || (is_first && is_between(b) && a.has_rows_of(b))
    }

    /// Whether a number of values is that of the rows: each of them has a value, another one if different values are counted.
    fn counts_all_rows(&self, whole: &Aggregated<'_>) -> bool {
        whole.column.is_none_or(|column| {
            let cells = self.facts.lookup_column(whole.relation, column);
            !cells.nullable && (whole.function.results == Results::Count || cells.unique)
        })
    }

    /// Whether a number of values of a query is that of the rows.
    fn counts_each_row(&self, counted: &Gathered) -> bool {
        match counted {
            Gathered::Count(_, Counted::Values(of)) => match of.as_ref() {
                Term::Column { relation, column, nullable: false, .. } => self.is_full(*relation, *column),
                Term::Literal(value) => !value.is_null(),
                _ => false,
            },
            Gathered::Count(_, Counted::Rows) => true,
            _ => false,
        }
    }

    /// Whether an aggregate is one of the numbers of a sum of the same group, which are not negative.
    fn is_part_of_sum(&self, a: &Gathered, b: &Gathered) -> bool {
        match (a, b) {
            (Gathered::Picked { of, over, .. }, Gathered::Sum { of: summed, over: sum_over, .. }) => {
                let in_group = |over: &Over| matches!(over, Over::Group | Over::Table);
                of == summed && in_group(over) && in_group(sum_over) && self.is_column_never_negative(of)
            }
            _ => false,
        }
    }

    /// Whether a cell is one of the numbers of a sum over a window with its row, which are not negative.
    fn is_in_window_sum(&self, cell: Slot, sum: &Term) -> bool {
        let Some(Gathered::Sum { of, over: Over::Window, .. }) = as_gathered(sum) else { return false };
        let Term::Column { relation, column, at: inner, .. } = of.as_ref() else { return false };
        let at = if let Term::Cell { at, .. } = sum { at } else { inner };
        cell == find_cell_slot(*relation, *column, *at) && self.is_column_never_negative(of)
    }

    fn is_column_never_negative(&self, term: &Term) -> bool {
        matches!(term, Term::Column { relation, column, .. } if self.is_never_negative(*relation, *column))
    }

    /// Whether the cells of a column are exact numbers of at least 0.
    fn is_never_negative(&self, relation: RelationId, column: ColumnId) -> bool {
        let low = self.facts.lookup_column(relation, column).range.map(|(low, _)| low);
        low.is_some_and(|low| match low {
            Value::Int(_) | Value::Decimal(_) => low.compare_with(&Value::Int(0)).is_some_and(Ordering::is_ge),
            _ => false,
        })
    }

    fn is_serial(&self, relation: RelationId, column: ColumnId) -> bool {
        let declared = self.facts.task().find_column((relation, column));
        let draw = declared.and_then(|declared| declared.source.draw());
        draw.is_some_and(|draw| draw.is_serial() && !draw.may_be_blank())
    }

    /// Whether the cells of a column are in ascending order.
    fn is_sorted(&self, relation: RelationId, column: ColumnId) -> bool {
        let declared = self.facts.task().find_column((relation, column));
        declared.is_some_and(|declared| match &declared.source {
            ColumnSource::Draw { draw, .. } => (draw.sorted || draw.is_serial()) && !draw.may_be_blank(),
            _ => false,
        })
    }
}

/// An atom that is a number of rows of the task.
fn as_count((at, atom): (usize, &Atom)) -> Option<(usize, Expr)> {
    let Key::Call(call, _) = &atom.key else { return None };
    let whole = Aggregated::from_expr(call)?;
    (whole.column.is_none() && whole.function.results == Results::Count).then(|| (at, call.clone()))
}

/// Whether two numbers are those of the rows that meet a condition and of those that do not, and the third is that of all.
fn are_complements(met: &Expr, rest: &Expr, whole: &Expr) -> bool {
    let (Some(met), Some(rest), Some(whole)) =
        (Aggregated::from_expr(met), Aggregated::from_expr(rest), Aggregated::from_expr(whole))
    else {
        return false;
    };
    let is_opposite = match (met.filter, rest.filter.map(|filter| &filter.kind)) {
        (Some(condition), Some(ExprKind::Not(inner))) => **inner == *condition && !condition.ty.nullable,
        _ => false,
    };
    is_opposite && whole.filter.is_none() && met.relation == rest.relation && met.relation == whole.relation
}

/// Whether an aggregate is over all cells of a column.
fn is_whole_of(whole: &Aggregated<'_>, (relation, column): (RelationId, ColumnId)) -> bool {
    whole.filter.is_none() && whole.relation == relation && whole.column == Some(column)
}

/// Whether an aggregate is a number of rows or values of a group.
fn is_count(gathered: &Gathered) -> bool {
    matches!(gathered, Gathered::Count(_, Counted::Rows | Counted::Values(_) | Counted::Different(_)))
}

/// An aggregate of a query, or one that a subquery returns.
fn as_gathered(term: &Term) -> Option<&Gathered> {
    match term {
        Term::Gathered(gathered) => Some(gathered),
        Term::Cell { of, .. } => as_gathered(of),
        _ => None,
    }
}

/// Two aggregates of the same group: of one SELECT, or of one row of a subquery.
fn as_same_group<'t>(a: &'t Term, b: &'t Term) -> Option<(&'t Gathered, &'t Gathered)> {
    match (a, b) {
        (Term::Gathered(a), Term::Gathered(b)) => Some((a, b)),
        (Term::Cell { at, of: a, .. }, Term::Cell { at: other, of: b, .. }) if (at.0, at.1) == (other.0, other.1) => {
            as_gathered(a).zip(as_gathered(b))
        }
        _ => None,
    }
}

/// Whether an aggregate is at most another one of the same group.
fn is_gathered_at_most(a: &Gathered, b: &Gathered) -> bool {
    let is_group = |over: Over| matches!(over, Over::Group | Over::Table);
    let picked = |gathered: &Gathered, wanted: Which| match gathered {
        Gathered::Picked { of, which, over, .. } if *which == wanted && is_group(*over) => Some(of.as_ref().clone()),
        _ => None,
    };
    let any = |gathered: &Gathered| match gathered {
        Gathered::Picked { of, over, .. } if is_group(*over) => Some(of.as_ref().clone()),
        Gathered::Mean(of, _, over) if is_group(*over) => Some(of.as_ref().clone()),
        _ => None,
    };
    if let (Gathered::Count(_, a), Gathered::Count(_, b)) = (a, b) {
        return match (a, b) {
            (Counted::Values(_) | Counted::Different(_), Counted::Rows) => true,
            (Counted::Different(a), Counted::Values(b)) => a == b,
            _ => false,
        };
    }
    let below_greatest = picked(b, Which::Greatest).zip(any(a)).is_some_and(|(b, a)| a == b);
    let above_least = picked(a, Which::Least).zip(any(b)).is_some_and(|(a, b)| a == b);
    below_greatest || above_least
}

/// Whether a cell is on one side of a value of other rows: the value of a window over the rows of its table is on the side `near` of that of its own
/// row, and the `end` of all values is beyond each of them.
fn is_cell_at_most(cell: Slot, other: &Term, near: Which, end: Which) -> bool {
    let Slot::Cell(Row::Query(frame, place), relation, column) = cell else { return false };
    let Some(Gathered::Picked { of, which, over, .. }) = as_gathered(other) else { return false };
    let Term::Column { relation: of_relation, column: of_column, at, .. } = of.as_ref() else { return false };
    if (*of_relation, *of_column) != (relation, column) {
        return false;
    }
    let (at, is_result) = match other {
        Term::Cell { at, .. } => (at, true),
        _ => (at, false),
    };
    let is_same_row = (at.0, at.1) == (frame, place);
    match over {
        Over::Table => *which == end && is_result,
        Over::Window => is_same_row && (which.with_own_row() == near || *which == end),
        Over::Group | Over::Other => false,
    }
}
