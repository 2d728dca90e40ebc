//! What a place depends on: drawn names, columns of the row, and calls of which the possible values are known.

use model::suite::{ColumnId, NameId, RelationId, Scope};
use model::{Domain, Value};

use super::needs::Needs;
use super::safe::Safety;
use hir::facts::{Fact, Facts};
use hir::{Arg, ColumnSource, Draw, DrawDomain, Expr, ExprKind, NameSource, Rows};

/// The most values of one kind.
const MAX_VALUES: i64 = 10_000;

/// The most combinations.
pub(super) const MAX_COMBINED: usize = 10_000;

/// The most names and columns that are followed.
pub(super) const MAX_DEPTH: u32 = 40;

/// What a place depends on, with all possible values.
#[derive(Clone, Default)]
pub(super) struct Leaves<'a> {
    /// Drawn names.
    pub names: Vec<(NameId, Vec<Value>)>,
    /// Computed names, each after those that it depends on.
    pub computed: Vec<(NameId, &'a Expr)>,
    /// Columns of the row.
    pub cells: Vec<(ColumnId, Vec<Value>)>,
    /// Computed columns of the row, each after those that it depends on.
    pub computed_cells: Vec<(ColumnId, &'a Expr)>,
    /// Calls of which only the possible values are known: all that are the same, with the values.
    pub calls: Vec<(Vec<&'a Expr>, Vec<Value>)>,
    /// Tables whose cells are always the same.
    pub tables: Needs,
}

/// Collects what places depend on.
pub(super) struct Collector<'s, 'f, 'a> {
    pub facts: &'f Facts<'a>,
    pub safety: &'s Safety<'f, 'a>,
    /// The relation of the row.
    pub row: Option<RelationId>,
}

impl<'a> Collector<'_, '_, 'a> {
    pub fn collect(&self, expr: &'a Expr, scope: Scope, leaves: &mut Leaves<'a>, depth: u32) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        match &expr.kind {
            ExprKind::Name(id) => self.collect_name(*id, leaves, depth),
            ExprKind::Column(column) if scope.row == self.row && scope.outer.is_none() => {
                self.collect_cell(*column, leaves, depth)
            }
            ExprKind::Column(_) | ExprKind::OuterColumn(_) | ExprKind::Unknown => None,
            ExprKind::Call(_, args) if args.iter().any(|arg| !matches!(arg, Arg::Value(_))) => {
                let mut of_tables = leaves.clone();
                if self.collect_tables(args, &mut of_tables, depth).is_some() {
                    *leaves = of_tables;
                    return Some(());
                }
                self.collect_call(expr, scope, leaves)
            }
            _ => {
                let mut found = Some(());
                expr.visit_children(&mut |child, _| {
                    found = found.and_then(|()| self.collect(child, scope, leaves, depth));
                });
                found
            }
        }
    }

    /// Collects a call of which only the possible values are known.
    fn collect_call(&self, call: &'a Expr, scope: Scope, leaves: &mut Leaves<'a>) -> Option<()> {
        let is_same = |known: &Vec<&'a Expr>| known.iter().any(|own| own.without_spans() == call.without_spans());
        if scope == Scope::default()
            && let Some((known, _)) = leaves.calls.iter_mut().find(|(known, _)| is_same(known))
        {
            known.push(call);
            return Some(());
        }
        let values = list_values(&self.facts.infer_expr(call, scope))?;
        self.safety.is_safe_expr(call, scope).then(|| leaves.calls.push((vec![call], values)))
    }

    fn collect_name(&self, id: NameId, leaves: &mut Leaves<'a>, depth: u32) -> Option<()> {
        let is_known =
            leaves.names.iter().any(|(own, _)| *own == id) || leaves.computed.iter().any(|(own, _)| *own == id);
        if is_known {
            return Some(());
        }
        if let NameSource::Compute(value) = &self.facts.task().names.get(id)?.source {
            let mut deeper = leaves.clone();
            let found = self.collect(value, Scope::default(), &mut deeper, depth);
            if found.is_some() && deeper.count_combinations() <= MAX_COMBINED {
                deeper.computed.push((id, value));
                *leaves = deeper;
                return Some(());
            }
        }
        leaves.names.push((id, list_values(&self.facts.lookup_name(id))?));
        Some(())
    }

    fn collect_cell(&self, column: ColumnId, leaves: &mut Leaves<'a>, depth: u32) -> Option<()> {
        let is_known = leaves.cells.iter().any(|(own, _)| *own == column)
            || leaves.computed_cells.iter().any(|(own, _)| *own == column);
        if is_known {
            return Some(());
        }
        let relation = self.row?;
        if let ColumnSource::Compute(value) = &self.facts.task().find_column((relation, column))?.source {
            let mut deeper = leaves.clone();
            let found = self.collect(value, Scope::with_row(relation), &mut deeper, depth);
            if found.is_some() && deeper.count_combinations() <= MAX_COMBINED {
                deeper.computed_cells.push((column, value));
                *leaves = deeper;
                return Some(());
            }
        }
        leaves.cells.push((column, list_values(&self.facts.lookup_column(relation, column))?));
        Some(())
    }

    /// Collects a call over tables whose cells are always the same.
    fn collect_tables(&self, args: &'a [Arg], leaves: &mut Leaves<'a>, depth: u32) -> Option<()> {
        for arg in args {
            let (relation, column, inner) = match arg {
                Arg::Value(value) => {
                    self.collect(value, self.row.map(Scope::with_row).unwrap_or_default(), leaves, depth)?;
                    continue;
                }
                Arg::Relation { relation, filter } => (*relation, None, filter.as_ref()),
                Arg::Column { relation, column, filter } => (*relation, Some(*column), filter.as_ref()),
                _ => return None,
            };
            self.collect_table(relation, column, inner, leaves, depth)?;
        }
        Some(())
    }

    fn collect_table(
        &self,
        relation: RelationId,
        column: Option<ColumnId>,
        filter: Option<&'a Expr>,
        leaves: &mut Leaves<'a>,
        depth: u32,
    ) -> Option<()> {
        let mut columns: Vec<ColumnId> = column.into_iter().collect();
        if let Some(filter) = filter {
            self.collect_filter(filter, (&mut *leaves, &mut columns), depth)?;
        }
        let task = self.facts.task();
        let declared = task.relations.get(relation)?;
        let rows = self.facts.count_rows(relation);
        let is_fixed = match &declared.rows {
            Rows::Given(_) => true,
            Rows::Count(low, high) => {
                rows.least == rows.most && [low, high].iter().all(|bound| bound.as_constant().is_some())
            }
            _ => false,
        };
        let is_same = |column: &ColumnId| match declared.columns.get(*column).map(|column| &column.source) {
            Some(ColumnSource::Given(_)) => true,
            Some(ColumnSource::Draw { draw, .. }) => draw.is_serial() && !draw.may_be_blank(),
            _ => false,
        };
        (is_fixed && columns.iter().all(is_same)).then_some(())?;
        leaves.tables.relations.insert(relation);
        leaves.tables.columns.extend(columns.into_iter().map(|column| (relation, column)));
        Some(())
    }

    /// Collects what a condition on the rows of a table depends on, and its columns.
    fn collect_filter(
        &self,
        part: &'a Expr,
        (leaves, columns): (&mut Leaves<'a>, &mut Vec<ColumnId>),
        depth: u32,
    ) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        match &part.kind {
            ExprKind::Name(id) => self.collect_name(*id, leaves, depth),
            ExprKind::Column(column) => {
                columns.push(*column);
                Some(())
            }
            // A column of the row around it.
            ExprKind::OuterColumn(column) => self.collect_cell(*column, leaves, depth),
            ExprKind::Call(_, args) if args.iter().any(|arg| !matches!(arg, Arg::Value(_))) => {
                // One that does not depend on the row.
                let mut is_apart = true;
                part.visit_exprs(&mut |inner| is_apart &= !matches!(inner.kind, ExprKind::OuterColumn(_)));
                is_apart.then_some(())?;
                self.collect_call(part, Scope::default(), leaves)
            }
            _ => {
                let mut found = Some(());
                part.visit_children(&mut |child, _| {
                    found = found.and_then(|()| self.collect_filter(child, (&mut *leaves, &mut *columns), depth));
                });
                found
            }
        }
    }

    pub fn collect_draw(&self, draw: &'a Draw, scope: Scope, leaves: &mut Leaves<'a>) -> Option<()> {
        for except in draw.except.iter().chain(&draw.blank) {
            self.collect(except, scope, leaves, MAX_DEPTH)?;
        }
        let mut of_all =
            |exprs: &[&'a Expr]| exprs.iter().try_for_each(|expr| self.collect(expr, scope, leaves, MAX_DEPTH));
        match &draw.domain {
            DrawDomain::Range { low, high, step, .. } => {
                of_all(&[low, high])?;
                step.iter().try_for_each(|step| of_all(&[step]))
            }
            DrawDomain::Lorem { low, high, .. } => of_all(&[low, high]),
            DrawDomain::OneOf(items) => items.iter().try_for_each(|item| of_all(&[item])),
            DrawDomain::Share(share) => of_all(&[share]),
            DrawDomain::Fixed(_) => Some(()),
            DrawDomain::Ref { relation, column, together, filter } => {
                for column in [column].into_iter().chain(together) {
                    self.collect_table(*relation, Some(*column), filter.as_ref(), leaves, MAX_DEPTH).or_else(|| {
                        // Only whether a row is there matters, not what is in this column.
                        let is_there = !self.facts.lookup_column(*relation, *column).nullable;
                        let filter = filter.as_ref().filter(|_| is_there)?;
                        self.collect_table(*relation, None, Some(filter), leaves, MAX_DEPTH)
                    })?;
                }
                Some(())
            }
            DrawDomain::Unknown(()) | DrawDomain::Exactly(_) => None,
        }
    }
}

impl<'a> Leaves<'a> {
    /// Notes the calls in conditions that are the same as those of the place.
    pub fn note_same_calls(&mut self, conditions: &[&'a Expr]) {
        for condition in conditions {
            condition.visit_exprs(&mut |part| {
                if !matches!(part.kind, ExprKind::Call(..)) {
                    return;
                }
                let is_same =
                    |known: &Vec<&Expr>| known.first().is_some_and(|own| own.without_spans() == part.without_spans());
                if let Some((known, _)) = self.calls.iter_mut().find(|(known, _)| is_same(known)) {
                    known.push(part);
                }
            });
        }
    }

    /// Whether both depend on the same value.
    pub fn meets(&self, other: &Leaves<'a>) -> bool {
        let has_name = |id: &NameId| other.names.iter().any(|(own, _)| own == id);
        let has_call = |call: &Expr| {
            let mut others = other.calls.iter().flat_map(|(known, _)| known);
            others.any(|own| own.without_spans() == call.without_spans())
        };
        self.names.iter().any(|(id, _)| has_name(id))
            || self.calls.iter().flat_map(|(known, _)| known).any(|call| has_call(call))
    }

    pub fn list_sizes(&self) -> Vec<usize> {
        let names = self.names.iter().map(|(_, values)| values.len());
        let cells = self.cells.iter().map(|(_, values)| values.len());
        names.chain(cells).chain(self.calls.iter().map(|(_, values)| values.len())).collect()
    }

    pub fn count_combinations(&self) -> usize {
        self.list_sizes().into_iter().fold(1, usize::saturating_mul)
    }
}

fn list_values(fact: &Fact<'_>) -> Option<Vec<Value>> {
    let mut values: Vec<Value> = match (&fact.closed, fact.as_int_range()) {
        (Some(values), _) => values.to_vec(),
        (None, Some((low, high))) if high.checked_sub(low).is_some_and(|size| size < MAX_VALUES) => {
            (low..=high).map(Value::Int).collect()
        }
        _ => {
            let few = |domain: &&Domain| domain.cardinality().is_some_and(|size| size <= MAX_VALUES as u128);
            fact.domain.filter(few)?.list_values()?.to_vec()
        }
    };
    if fact.nullable {
        values.push(Value::Null);
    }
    (!values.is_empty()).then_some(values)
}
