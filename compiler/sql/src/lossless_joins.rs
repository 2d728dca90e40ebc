//! Inner joins that keep all rows of one side, because it references the other by a column that is never null.

use std::ops::Range;

use sqlparser::ast::{BinaryOperator, Expr, Ident, JoinConstraint};

use super::joins::Equal;
use super::request::{SqlTable, is_same_name};
use super::scope::{Frame, Place, Relation};

/// The side of a join that keeps all its rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matched {
    /// The side before `JOIN`.
    Left,
    /// The side after `JOIN`.
    Right,
}

/// FROM at the time at which a join is analyzed.
pub struct Joined<'j> {
    /// The tables of the request.
    pub tables: &'j [SqlTable<'j>],
    /// The relations so far, including those of the join.
    pub frame: &'j Frame,
    /// The indexes of the relations after `JOIN`.
    pub right: Range<usize>,
    /// Relations of which all rows are certainly present before this join.
    pub whole: &'j [usize],
}

impl Joined<'_> {
    /// Finds the side of which every row has a match, if the condition is a single equality of a reference and the column it references. `equal` contains the
    /// columns that USING or NATURAL merges.
    pub fn find_matched_side(&self, constraint: &JoinConstraint, equal: &[Equal]) -> Option<Matched> {
        let (a, b) = match constraint {
            JoinConstraint::On(on) => self.resolve_equality(on)?,
            JoinConstraint::Using(names) if names.len() != 1 => return None,
            JoinConstraint::Using(_) | JoinConstraint::Natural => match equal {
                [(left, right, None)] => (*left, *right),
                _ => return None,
            },
            JoinConstraint::None => return None,
        };
        let (left, right) = match (self.right.contains(&a.0), self.right.contains(&b.0)) {
            (false, true) => (a, b),
            (true, false) => (b, a),
            _ => return None,
        };
        if self.is_lossless_reference(left, right) {
            Some(Matched::Left)
        } else if self.is_lossless_reference(right, left) {
            Some(Matched::Right)
        } else {
            None
        }
    }

    fn resolve_equality(&self, on: &Expr) -> Option<(Place, Place)> {
        match on {
            Expr::Nested(inner) => self.resolve_equality(inner),
            Expr::BinaryOp { left, op: BinaryOperator::Eq, right } => {
                Some((self.resolve_place(left)?, self.resolve_place(right)?))
            }
            _ => None,
        }
    }

    fn resolve_place(&self, expr: &Expr) -> Option<Place> {
        let names: Vec<&Ident> = match expr {
            Expr::Nested(inner) => return self.resolve_place(inner),
            Expr::Identifier(name) => vec![name],
            Expr::CompoundIdentifier(names) => names.iter().collect(),
            _ => return None,
        };
        let called = |relation: &Relation, name: &Ident| is_same_name(&relation.alias, &name.value);
        let fits = |relation: &Relation| match names.as_slice() {
            [_] => true,
            [table, _] => called(relation, table),
            [database, table, _] => {
                called(relation, table)
                    && relation.database.as_ref().is_some_and(|known| is_same_name(known, &database.value))
            }
            _ => false,
        };
        let column = names.last()?;
        // A bare name may be a column of a relation whose columns are not known.
        if names.len() == 1 && self.frame.relations.iter().any(|relation| relation.columns.is_none()) {
            return None;
        }
        let mut found = self.frame.relations.iter().enumerate().filter(|(_, relation)| fits(relation));
        let mut places =
            found.by_ref().filter_map(|(index, relation)| Some((index, relation.find_column(&column.value)?)));
        let only = places.next()?;
        places.next().is_none().then_some(only)
    }

    /// Whether the column `from` is a reference, never null, to the column `to` of a table with all its rows.
    fn is_lossless_reference(&self, from: Place, to: Place) -> bool {
        let value = |place: Place| Some(self.frame.relations.get(place.0)?.infer_column(place.1));
        let column = |(table, column): (usize, usize)| {
            let table = self.tables.get(table)?;
            Some((table, table.columns.get(column)?))
        };
        let (Some(reference), Some(target)) = (value(from), self.frame.relations.get(to.0)) else { return false };
        if reference.nullable || !self.whole.contains(&to.0) || target.outer {
            return false;
        }
        let Some((from, leading)) = reference.origin.and_then(column) else { return false };
        let Some((table, led)) = target.table.and_then(|table| column((table, to.1))) else { return false };
        leading.references.is_some_and(|(name, key)| is_same_name(name, table.name) && is_same_name(key, led.name))
            && from.database == table.database
    }
}
