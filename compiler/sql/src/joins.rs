//! The joins of FROM: their conditions, and the columns that they make equal.

use sqlparser::ast::Expr;

use super::scope::Place;

/// The conditions of the joins.
#[derive(Default)]
pub struct Joins<'t> {
    /// `ON`.
    pub constraints: Vec<On<'t>>,
    /// The arguments of table-valued functions.
    pub arguments: Vec<&'t Expr>,
    /// Columns that a join makes equal.
    pub equal: Vec<Equal>,
    /// The minimum number of rows.
    pub least: u64,
    /// Relations of which every row certainly appears in the result.
    pub whole: Vec<usize>,
    /// The LEFT joins.
    pub outer: Vec<OuterJoin>,
    /// Whether there is a RIGHT or FULL join, or one that is not understood.
    pub reversed: bool,
}

/// `… JOIN relation USING (column)`: the left and the right column as (relation, column), and the relations to the right of a LEFT join.
pub type Equal = (Place, Place, Option<std::ops::Range<usize>>);

/// `… JOIN relation ON condition`
pub struct On<'t> {
    /// The condition.
    pub on: &'t Expr,
    /// The indexes of the relations that it joins.
    pub joined: std::ops::Range<usize>,
    /// Whether it is a LEFT join, which keeps every row of its left side.
    pub left: bool,
}

/// A LEFT join.
pub struct OuterJoin {
    /// The relations after `JOIN`.
    pub joined: std::ops::Range<usize>,
    /// Whether every row before `JOIN` certainly has a match.
    pub matched: bool,
}
