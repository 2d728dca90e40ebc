//! Sums of expressions.

use model::functions::{self, Aggregate, FunctionId, Pick, Results};
use model::suite::{ColumnId, Op, RelationId, Scope};

use super::atoms::{Atoms, Key, Rows};
use super::ratio::Ratio;
use super::sum::Sum;
use crate::facts::Slot;
use crate::types::TyKind;
use crate::{Arg, ColumnSource, Draw, DrawDomain, Expr, ExprKind, NameSource, Rows as DeclaredRows};

/// The number of seconds of a day, of which moments and durations are counted.
pub(super) const DAY: i128 = 86_400;

impl<'a> Atoms<'_, 'a> {
    /// The sum that an expression is. `None` if it is not a number or moment, or not understood.
    pub fn sum_expr(&mut self, expr: &'a Expr, scope: Scope, rows: Rows) -> Option<Sum> {
        self.count_part()?;
        if is_inexact(expr) {
            return None;
        }
        match &expr.kind {
            ExprKind::Const(value) => Ratio::from_value(value).map(Sum::from_number),
            ExprKind::Neg(inner) => Some(self.sum_expr(inner, scope, rows)?.negate()),
            ExprKind::Binary(op @ (Op::Add | Op::Sub | Op::Mul), sides) => {
                let (a, b) = (self.sum_expr(&sides.0, scope, rows)?, self.sum_expr(&sides.1, scope, rows)?);
                match op {
                    Op::Add => a.add(&b),
                    // The difference of two dates is a number of days.
                    Op::Sub if sides.0.ty.kind == TyKind::Date && sides.1.ty.kind == TyKind::Date => {
                        a.subtract(&b)?.multiply(&Sum::from_number(Ratio::new(1, DAY)?))
                    }
                    Op::Sub => a.subtract(&b),
                    _ => a.multiply(&b),
                }
            }
            ExprKind::Name(name) => self.sum_slot(Slot::Name(*name)),
            ExprKind::Column(_) | ExprKind::OuterColumn(_) => {
                let (relation, column) = expr.find_cell(scope)?;
                let row = if matches!(expr.kind, ExprKind::Column(_)) { rows.0 } else { rows.1 };
                self.sum_slot(Slot::Cell(row?, relation, column))
            }
            ExprKind::If(parts) => {
                let values = [self.sum_expr(&parts.1, scope, rows)?, self.sum_expr(&parts.2, scope, rows)?];
                self.add_choice(expr, scope, rows, values.to_vec())
            }
            ExprKind::Call(function, args) => self.sum_call(expr, *function, args, scope, rows),
            _ => None,
        }
    }

    /// The sum that a name or cell is.
    pub fn sum_slot(&mut self, slot: Slot) -> Option<Sum> {
        let key = Key::Slot(slot);
        if let Some(atom) = self.find(&key) {
            return Some(Sum::from_atom(atom));
        }
        let task = self.facts.task();
        let (draw, scope, rows) = match slot {
            Slot::Name(name) => match &task.names.get(name)?.source {
                NameSource::Compute(value) => return self.sum_expr(value, Scope::default(), (None, None)),
                NameSource::Draw { draw, .. } => (Some(draw), Scope::default(), (None, None)),
                NameSource::Axis | NameSource::Row => (None, Scope::default(), (None, None)),
            },
            Slot::Cell(row, relation, column) => {
                let (scope, rows) = (Scope::with_row(relation), (Some(row), None));
                match &task.find_column((relation, column))?.source {
                    ColumnSource::Compute(value) => return self.sum_expr(value, scope, rows),
                    ColumnSource::Draw { draw, .. } => (Some(draw), scope, rows),
                    _ => (None, scope, rows),
                }
            }
            Slot::Result(..) => return None,
        };
        let ends = draw.and_then(|draw| self.sum_ends(draw, scope, rows));
        let fact = self.facts.lookup_slot(slot);
        let atom = self.add(key, &fact)?;
        if let Some((low, high)) = ends {
            self.bound(atom, [low], [high]);
        }
        Some(Sum::from_atom(atom))
    }

    /// The computed ends of the range of a draw.
    fn sum_ends(&mut self, draw: &'a Draw, scope: Scope, rows: Rows) -> Option<(Sum, Sum)> {
        let DrawDomain::Range { low, high, .. } = &draw.domain else { return None };
        Some((self.sum_expr(low, scope, rows)?, self.sum_expr(high, scope, rows)?))
    }

    /// An atom that is one of these values.
    fn add_choice(&mut self, expr: &'a Expr, scope: Scope, rows: Rows, values: Vec<Sum>) -> Option<Sum> {
        let atom = self.add_call(expr, scope, rows)?;
        if let Some(atom) = self.all.get_mut(atom) {
            atom.one_of = Some(values);
        }
        Some(Sum::from_atom(atom))
    }

    /// An atom that is a call.
    fn add_call(&mut self, expr: &'a Expr, scope: Scope, rows: Rows) -> Option<usize> {
        let key = Key::Call(expr.without_spans(), rows);
        match self.find(&key) {
            Some(known) => Some(known),
            None => self.add(key, &self.facts.infer_expr(expr, scope)),
        }
    }

    /// An atom that is a call of a relation or column. A number of rows is bounded by how many there are.
    fn add_aggregate(&mut self, expr: &'a Expr, scope: Scope, rows: Rows) -> Option<Sum> {
        let atom = self.add_call(expr, scope, rows)?;
        if let Some((low, high)) = Aggregated::from_expr(expr).and_then(|whole| self.find_count(&whole)) {
            let mut sum = |count: &'a Expr| self.sum_expr(count, Scope::default(), (None, None));
            let (low, high) = (sum(low), sum(high));
            self.bound(atom, low, high);
        }
        Some(Sum::from_atom(atom))
    }

    /// The expressions between which a number of rows is: those of the relation, or of those with `bool exactly N`.
    fn find_count(&self, whole: &Aggregated<'_>) -> Option<(&'a Expr, &'a Expr)> {
        if whole.column.is_some() || whole.function.results != Results::Count {
            return None;
        }
        let relation = self.facts.task().relations.get(whole.relation)?;
        match (whole.filter.map(|filter| &filter.kind), &relation.rows) {
            (None, DeclaredRows::Count(low, high)) => Some((low, high)),
            (Some(ExprKind::Column(column)), _) => {
                let draw = relation.columns.get(*column)?.source.draw().filter(|draw| !draw.may_be_blank())?;
                match &draw.domain {
                    DrawDomain::Exactly(count) => Some((count, count)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn sum_call(
        &mut self,
        expr: &'a Expr,
        function: FunctionId,
        args: &'a [Arg],
        scope: Scope,
        rows: Rows,
    ) -> Option<Sum> {
        let mut values = Vec::new();
        for arg in args {
            match arg {
                Arg::Value(value) => values.push(value),
                _ => return self.add_aggregate(expr, scope, rows),
            }
        }
        if function == functions::DAYS_BETWEEN {
            let [first, last] = values.as_slice() else { return None };
            let (first, last) = (self.sum_expr(first, scope, rows)?, self.sum_expr(last, scope, rows)?);
            return last.subtract(&first)?.multiply(&Sum::from_number(Ratio::new(1, DAY)?));
        }
        let [first, ..] = values.as_slice() else { return None };
        let argument = self.sum_expr(first, scope, rows);
        if function == functions::GREATEST || function == functions::LEAST {
            let [_, second] = values.as_slice() else { return None };
            let both = [argument?, self.sum_expr(second, scope, rows)?];
            let choice = self.add_choice(expr, scope, rows, both.to_vec())?;
            let (low, high) =
                if function == functions::GREATEST { (both.to_vec(), vec![]) } else { (vec![], both.to_vec()) };
            return self.bound_sum(choice, low, high);
        }
        let atom = Sum::from_atom(self.add_call(expr, scope, rows)?);
        let one = Sum::from_number(Ratio::ONE);
        match argument {
            Some(x) if function == functions::FLOOR => self.bound_sum(atom, vec![x.subtract(&one)?], vec![x]),
            Some(x) if function == functions::CEIL => self.bound_sum(atom, vec![x.clone()], vec![x.add(&one)?]),
            Some(x) if function == functions::ABS => self.bound_sum(atom, vec![x.clone(), x.negate()], vec![]),
            _ => Some(atom),
        }
    }

    fn bound_sum(&mut self, sum: Sum, low: Vec<Sum>, high: Vec<Sum>) -> Option<Sum> {
        let [atom] = sum.list_atoms()[..] else { return None };
        self.bound(atom, low, high);
        Some(sum)
    }
}

/// Whether an expression is computed with rounding: what is known of its exact value does not hold. A float that is drawn or aggregated is an atom.
fn is_inexact(expr: &Expr) -> bool {
    expr.ty.kind == TyKind::Float
        && !matches!(expr.kind, ExprKind::Call(..) | ExprKind::Const(_))
        && !matches!(expr.kind, ExprKind::Name(_) | ExprKind::Column(_) | ExprKind::OuterColumn(_))
}

/// A function over a relation: the relation, the column, and the filter.
pub struct Aggregated<'e> {
    pub function: FunctionId,
    pub relation: RelationId,
    pub column: Option<ColumnId>,
    pub filter: Option<&'e Expr>,
}

impl<'e> Aggregated<'e> {
    pub fn from_expr(expr: &'e Expr) -> Option<Aggregated<'e>> {
        let ExprKind::Call(function, args) = &expr.kind else { return None };
        let (relation, column, filter) = match args.as_slice() {
            [Arg::Relation { relation, filter }] => (*relation, None, filter.as_ref()),
            [Arg::Column { relation, column, filter }] => (*relation, Some(*column), filter.as_ref()),
            _ => return None,
        };
        Some(Aggregated { function: *function, relation, column, filter })
    }

    /// Whether all rows of the other are among its rows.
    pub fn has_rows_of(&self, other: &Aggregated<'_>) -> bool {
        self.relation == other.relation && (self.filter.is_none() || self.filter == other.filter)
    }

    pub fn picks(&self, pick: Pick) -> bool {
        self.function.picks == Some(pick)
    }

    /// Whether it is one of the cells.
    pub fn is_picked(&self) -> bool {
        self.function.picks.is_some_and(|pick| pick != Pick::Place)
    }

    /// Whether it is a mean of the cells, or of some of them.
    pub fn is_middle(&self) -> bool {
        matches!(self.function.aggregate, Some(Aggregate::Mean | Aggregate::Median))
    }

    pub fn counts(&self) -> bool {
        matches!(self.function.results, Results::Count | Results::Distinct)
    }
}
