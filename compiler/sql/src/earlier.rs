//! What earlier statements of `after`, and those of the states before it, have changed: what is known of the database at the start is not true of that.

use std::collections::BTreeSet;

use model::suite::{ColumnId, RelationId};

use super::computed;
use super::predicates::{Bounded, Operand, Predicates, Side};
use super::request::{Query, SqlTable, is_same_name};
use super::terms::Term;
use syntax::bounds::Bounds;

/// The changes by earlier statements.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Earlier {
    /// Columns that may have other values than initially.
    columns: BTreeSet<(RelationId, ColumnId)>,
    /// Tables that may have other rows than initially.
    tables: BTreeSet<RelationId>,
}

impl Earlier {
    /// The changes by statements that are not known: everything in these tables may be another.
    pub fn of_unknown(tables: &[SqlTable<'_>]) -> Earlier {
        let columns = tables.iter().flat_map(|table| table.columns.iter().map(|column| (table.id, column.id)));
        Earlier { columns: columns.collect(), tables: tables.iter().map(|table| table.id).collect() }
    }

    /// The tables as a later statement sees them.
    pub fn apply_to_tables<'a>(&self, tables: &[SqlTable<'a>]) -> Vec<SqlTable<'a>> {
        let mut tables = tables.to_vec();
        for table in &mut tables {
            if self.tables.contains(&table.id) {
                table.rows = Bounds::ANY;
            }
            let changed = |column: ColumnId| self.columns.contains(&(table.id, column));
            for column in table.columns.iter_mut().filter(|column| changed(column.id)) {
                column.closed = None;
            }
        }
        tables
    }

    /// Adds the changes by a statement.
    pub fn add_statement(&mut self, query: &Query<'_>) {
        let Some(target) = computed::find_target(query.tokens) else { return };
        let name = target.table.to_unquoted();
        for table in query.request.tables.iter().filter(|table| is_same_name(table.name, &name)) {
            if target.columns.is_none() || target.deletes {
                self.tables.insert(table.id);
            }
            let sets = |column: &str| match &target.columns {
                Some(columns) => columns.iter().any(|set| is_same_name(&set.to_unquoted(), column)),
                None => true,
            };
            let columns = table.columns.iter().filter(|column| sets(column.name));
            self.columns.extend(columns.map(|column| (table.id, column.id)));
        }
    }

    /// Removes the comparisons of columns whose values may have changed.
    pub fn filter_predicates(&self, predicates: Predicates) -> Predicates {
        let is_start = |operand: &Operand| match &operand.value {
            Side::Column { relation, column, .. } => !self.columns.contains(&(*relation, *column)),
            Side::Computed(term) => self.is_of_start(term),
            _ => true,
        };
        let bounded = |part: &Bounded| {
            self.is_of_start(&part.term) && part.bounds.iter().all(|(_, items)| items.iter().all(is_start))
        };
        let Predicates {
            mut atoms,
            nulls_told,
            mut wholes,
            mut conjunctions,
            mut disjunctions,
            mut cases,
            mut divisors,
            mut differences,
        } = predicates;
        atoms.retain(|atom| self.is_of_start(&atom.term));
        wholes.retain(|whole| self.is_of_start(&whole.term));
        divisors.retain(|divisor| self.is_of_start(&divisor.to_term()));
        for parts in conjunctions.iter_mut().chain(&mut disjunctions) {
            parts.retain(bounded);
        }
        cases.iter_mut().flatten().for_each(|part| *part = part.take().filter(bounded));
        differences.retain(|difference| self.is_of_start(&difference.term));
        Predicates { atoms, nulls_told, wholes, conjunctions, disjunctions, cases, divisors, differences }
    }

    /// Whether a term reads no column whose values may have changed, and counts no rows that may have.
    fn is_of_start(&self, term: &Term) -> bool {
        term.is_unchanged(&self.columns, &self.tables)
    }
}
