//! The facts of aggregates over relations and their columns.

use model::Value;
use model::functions::{Aggregate, FunctionId, Kernel, Pick, Results};
use model::suite::{ColumnId, NameId, Op, RelationId, Scope};

use super::calls::fold_values;
use super::{Fact, Facts, Truth, interval, is_serial};
use crate::types::Ty;
use crate::{ColumnSource, DrawDomain, Expr, ExprKind, NameSource};
use syntax::bounds::Bounds;

/// The maximum number of cells of a column that is evaluated cell by cell.
const MAX_CELLS: u64 = 10_000;

impl<'a> Facts<'a> {
    /// The fact of a function over a relation, or over one of its columns.
    pub(super) fn infer_aggregate(
        &self,
        function: FunctionId,
        (relation, column, filter): (RelationId, Option<ColumnId>, Option<&'a Expr>),
        ty: &Ty,
        scope: Scope,
    ) -> Option<Fact<'a>> {
        let of_row = |filter| self.without_rows(|| self.infer_truth(filter, scope.enter_filter(relation)));
        let passes = filter.map_or(Truth::Always, of_row);
        let Bounds { least, most } = self.count_rows(relation);
        let fact = column.map_or_else(Fact::not_null, |column| self.lookup_column(relation, column));
        // The number of non-null values.
        let (least, most) = match passes {
            Truth::Always if !fact.nullable => (least, most),
            Truth::Never => (0, 0),
            _ if column.is_some() && fact.is_null_only() => (0, 0),
            _ if !fact.nullable && filter.is_some_and(|filter| self.has_witness(relation, filter)) => (1, most),
            _ if !fact.nullable && self.is_learning() => {
                let sure =
                    filter.map_or(0, |filter| self.count_sure_rows(relation, filter, scope.enter_filter(relation)));
                (sure.min(most), most)
            }
            _ => (0, most),
        };
        if passes == Truth::Always
            && let Some(column) = column
            && let Some(cells) = self.list_known_cells(relation, column)
            && let Kernel::Fold(kernel) = function.kernel
            && !function.is_value_list()
            && let Some(known) = fold_values(function, kernel, &cells)
        {
            return Some(Fact::from_value(&known));
        }
        // The result is null for too few values; `check` may know a more precise type.
        let needed = function.least.map_or(0, u64::from);
        let nullable = least < needed && (ty.nullable || ty.is_unknown());
        let value = Fact { nullable, unique: false, ..fact.clone() };
        Some(match function.results {
            Results::Count => match filter.and_then(|filter| self.count_declared(relation, filter)) {
                Some(exact) if column.is_none() => exact,
                _ => Fact::from_range(to_int_value(least), to_int_value(most)),
            },
            Results::Distinct => {
                let values = fact.closed.as_ref().map_or(most, |values| most.min(values.len() as u64));
                let least = if fact.unique { least } else { least.min(1) };
                Fact::from_range(to_int_value(least), to_int_value(values.max(least)))
            }
            Results::Values => return None,
            Results::Within(low, high) => {
                let may_be_null = ty.nullable || ty.is_unknown();
                Fact::from_range(Value::Int(low), Value::Int(high)).with_null_if(may_be_null)
            }
            _ if function.aggregate == Some(Aggregate::Deviation) && self.is_learning() => {
                let width = fact.range.as_ref().and_then(|(low, high)| Some(as_exact_f64(high)? - as_exact_f64(low)?));
                let ends = width.map(|width| (Value::Float(0.0), Value::Float(width * 2.0 + 1.0)));
                Fact::from_ends(ends).with_null_if(nullable)
            }
            _ if most < needed => Fact { nullable: true, ..Fact::from_values::<Value>([]) },
            Results::Sum => {
                let ends = fact.range.as_ref().and_then(|range| interval::sum_range(range, least.max(1), most));
                Fact::from_ends(ends).with_null_if(nullable)
            }
            Results::Mean => {
                let exact = |value: &Value| as_exact_f64(value).map(Value::Float);
                let ends = fact.range.as_ref().and_then(|(low, high)| exact(low).zip(exact(high)));
                Fact::from_ends(ends).with_null_if(nullable)
            }
            _ => match function.picks? {
                Pick::Place => Fact { nullable: fact.nullable, unique: false, ..fact },
                _ => value,
            },
        })
    }

    /// The fact of the sum of a value that is computed for each row, or for each of some rows.
    pub(super) fn infer_each_sum(
        &self,
        (relation, value): (RelationId, &'a Expr),
        ty: &Ty,
        scope: Scope,
    ) -> Option<Fact<'a>> {
        let fact = self.without_rows(|| self.infer_expr(value, scope.enter_filter(relation)));
        let ends = interval::sum_range(fact.range.as_ref()?, 1, self.count_rows(relation).most)?;
        Some(Fact::from_range(ends.0, ends.1).with_null_if(ty.nullable || ty.is_unknown()))
    }

    /// The number of rows with a bool that as many rows have as its statement says: `bool exactly 3`.
    pub fn count_declared(&self, relation: RelationId, filter: &'a Expr) -> Option<Fact<'a>> {
        let ExprKind::Column(column) = filter.kind else { return None };
        let draw = self.task.find_column((relation, column))?.source.draw()?;
        let DrawDomain::Exactly(count) = &draw.domain else { return None };
        let fact = self.infer_expr(count, Scope::default());
        fact.as_int_range().filter(|_| !draw.may_be_blank() && !fact.nullable).map(|_| fact)
    }

    /// Whether a row surely meets a condition: each compared value was taken from that column, all of them from one row.
    pub fn has_witness(&self, relation: RelationId, filter: &Expr) -> bool {
        let (mut open, mut groups) = (vec![filter], Vec::new());
        while let Some(condition) = open.pop() {
            match &condition.kind {
                ExprKind::Binary(Op::And, sides) => open.extend([&sides.0, &sides.1]),
                ExprKind::Binary(Op::Eq, sides) => {
                    let taken = match (&sides.0.kind, &sides.1.kind) {
                        (ExprKind::Column(column), ExprKind::Name(name))
                        | (ExprKind::Name(name), ExprKind::Column(column)) => {
                            self.find_taken(*name, (relation, *column))
                        }
                        _ => None,
                    };
                    let Some(group) = taken else { return false };
                    groups.push(group);
                }
                _ => return false,
            }
        }
        groups.len() == 1
            || groups
                .iter()
                .all(|(group, together)| *together && groups.first().is_some_and(|(first, _)| first == group))
    }

    /// The statement by which a name was taken from a column, and whether all its names are taken from one row.
    fn find_taken(&self, name: NameId, (relation, column): (RelationId, ColumnId)) -> Option<(&str, bool)> {
        let NameSource::Draw { draw, group, .. } = &self.task.names.get(name)?.source else { return None };
        let DrawDomain::Ref { relation: from, column: of, .. } = &draw.domain else { return None };
        (*from == relation && *of == column && !draw.may_be_blank()).then_some((group.as_str(), draw.is_together()))
    }

    /// The non-null cells of a column from top to bottom, if the source determines all of them.
    fn list_known_cells(&self, relation: RelationId, column: ColumnId) -> Option<Vec<Value>> {
        let declared = self.task.relations.get(relation)?.columns.get(column)?;
        let Bounds { least, most } = self.count_rows(relation);
        match &declared.source {
            ColumnSource::Given(given) if given.cells.values.len() as u64 <= MAX_CELLS => {
                Some(given.cells.values.iter().filter(|value| !value.is_null()).cloned().collect())
            }
            source if is_serial(source) && least == most && most <= MAX_CELLS => {
                let drawn =
                    matches!(source, ColumnSource::Draw { draw, .. } if !draw.may_be_blank() && draw.except.is_empty());
                drawn.then(|| (1..=most).map(to_int_value).collect())
            }
            _ => None,
        }
    }
}

fn to_int_value(value: u64) -> Value {
    Value::Int(i64::try_from(value).unwrap_or(i64::MAX))
}

/// Converts a number to a double if no digit is lost. Then a mean, which is divided once and rounded to the nearest double, stays within the range of its
/// values.
fn as_exact_f64(value: &Value) -> Option<f64> {
    const EXACT: u128 = 1 << 53;
    match value {
        Value::Int(int) if u128::from(int.unsigned_abs()) <= EXACT => value.as_f64(),
        Value::Decimal(decimal) if decimal.units().unsigned_abs() <= EXACT => value.as_f64(),
        _ => None,
    }
}
