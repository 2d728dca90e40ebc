//! Which columns of a row determine which others: rows with equal values in the former have equal values in the latter. The former are never null there.

use std::collections::BTreeSet;

use model::suite::{ColumnId, FARTHEST, Op, RelationId};
use model::{Domain, TiVec, Value, ValueType};

use super::facts::{Fact, compute_arithmetic, negate_fact};
use super::{Arg, ColumnSource, Draw, DrawDomain, Expr, ExprKind, Relation, Rows, is_unique};
use crate::types::TyKind;

/// The deepest nesting of computed columns that is followed.
const MAX_DEPTH: u32 = 8;

/// Columns that together determine another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependency {
    /// The columns.
    pub from: Vec<ColumnId>,
    /// The column that they determine.
    pub to: ColumnId,
}

/// The columns of a table, with those that it takes from another one under the same indexes.
#[derive(Clone, Copy)]
pub struct Columns<'t> {
    /// All tables.
    pub relations: &'t TiVec<RelationId, Relation>,
    /// The table.
    pub relation: RelationId,
}

impl<'t> Columns<'t> {
    /// The source of a column's values, where they are made.
    pub fn find_source(self, id: ColumnId) -> Option<&'t ColumnSource> {
        let (mut relation, mut id) = (self.relation, id);
        for _ in 0..=FARTHEST {
            let table = self.relations.get(relation)?;
            match (&table.columns.get(id)?.source, &table.rows) {
                (ColumnSource::Taken(of), Rows::Taken { from, .. }) => (relation, id) = (*from, *of),
                (source, _) => return Some(source),
            }
        }
        None
    }
}

/// Lists what the computed columns of a table depend on, and what can be read back from them.
pub fn list_dependencies(relations: &TiVec<RelationId, Relation>, relation: RelationId) -> Vec<Dependency> {
    let columns = Columns { relations, relation };
    let ids = relations.get(relation).into_iter().flat_map(|relation| relation.columns.keys());
    let mut found = Vec::new();
    for id in ids {
        let Some(ColumnSource::Compute(value)) = columns.find_source(id) else { continue };
        if let Some(inputs) = list_inputs(value) {
            found.push(Dependency { from: inputs.into_iter().collect(), to: id });
        }
        found.extend(list_recovered(columns, value, 0).into_iter().map(|to| Dependency { from: vec![id], to }));
    }
    found
}

/// Adds all columns that the known ones determine.
pub fn determine(dependencies: &[Dependency], mut known: BTreeSet<ColumnId>) -> BTreeSet<ColumnId> {
    loop {
        let follows = |of: &&Dependency| !known.contains(&of.to) && of.from.iter().all(|column| known.contains(column));
        let new: Vec<ColumnId> = dependencies.iter().filter(follows).map(|of| of.to).collect();
        if new.is_empty() {
            return known;
        }
        known.extend(new);
    }
}

/// Whether all values of a column other than null are proved distinct: it is declared so, or a column of which this holds can be read back from it.
pub fn is_proved_unique(relations: &TiVec<RelationId, Relation>, relation: RelationId, id: ColumnId) -> bool {
    is_unique_in(Columns { relations, relation }, id, 0)
}

fn is_unique_in(columns: Columns<'_>, id: ColumnId, depth: u32) -> bool {
    match columns.find_source(id) {
        Some(ColumnSource::Compute(value)) if depth < MAX_DEPTH => {
            list_recovered(columns, value, depth).into_iter().any(|of| is_unique_in(columns, of, depth + 1))
        }
        source => source.is_some_and(is_unique),
    }
}

/// The columns on which a value depends; `None` if it depends on more than its row.
pub fn list_inputs(value: &Expr) -> Option<BTreeSet<ColumnId>> {
    let (mut columns, mut is_of_row) = (BTreeSet::new(), true);
    value.visit_exprs(&mut |part| match &part.kind {
        ExprKind::Column(id) => {
            columns.insert(*id);
        }
        ExprKind::Call(_, args) => is_of_row &= args.iter().all(|arg| matches!(arg, Arg::Value(_))),
        ExprKind::Unknown | ExprKind::OuterColumn(_) | ExprKind::FilePath(_) => is_of_row = false,
        _ => {}
    });
    is_of_row.then_some(columns)
}

/// The columns whose values can be read back from a value, nulls aside. Numbers with an inexact arithmetic are excluded: two can have the same sum.
fn list_recovered(columns: Columns<'_>, value: &Expr, depth: u32) -> Vec<ColumnId> {
    if matches!(value.ty.kind, TyKind::Float) && value.as_column_id().is_none() {
        return Vec::new();
    }
    match &value.kind {
        ExprKind::Column(id) => vec![*id],
        ExprKind::Concat(pieces) => {
            let read =
                list_separable(columns, pieces, depth).into_iter().filter(|piece| piece.ty.kind != TyKind::Float);
            read.flat_map(|piece| list_recovered(columns, piece, depth)).collect()
        }
        ExprKind::Neg(_) | ExprKind::Binary(Op::Add | Op::Sub | Op::Mul, _) => {
            let mut terms = Vec::new();
            let is_sum = collect_terms(value, 1, &mut terms).is_some();
            let terms = if is_sum && is_separable_sum(columns, &mut terms, depth) { terms } else { Vec::new() };
            // What is not a sum is its own only term.
            let parts = terms.into_iter().map(|(term, _)| term).filter(|term| !std::ptr::eq(*term, value));
            parts.flat_map(|term| list_recovered(columns, term, depth)).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether an expression certainly has the same value in all rows of an instance.
fn is_same_in_rows(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Const(_) | ExprKind::Name(_))
}

/// Splits a sum into its terms, each with its factor; those that are the same in all rows are left out. `None` if a factor does not fit.
fn collect_terms<'e>(value: &'e Expr, factor: i64, terms: &mut Vec<(&'e Expr, i64)>) -> Option<()> {
    match &value.kind {
        _ if is_same_in_rows(value) => Some(()),
        ExprKind::Neg(inner) => collect_terms(inner, factor.checked_neg()?, terms),
        ExprKind::Binary(op @ (Op::Add | Op::Sub), sides) => {
            collect_terms(&sides.0, factor, terms)?;
            collect_terms(&sides.1, if *op == Op::Add { factor } else { factor.checked_neg()? }, terms)
        }
        ExprKind::Binary(Op::Mul, sides) if value.ty.kind == TyKind::Int => {
            let (number, other) = match (sides.0.as_constant(), sides.1.as_constant()) {
                (Some(Value::Int(number)), _) => (*number, &sides.1),
                (_, Some(Value::Int(number))) => (*number, &sides.0),
                _ => {
                    terms.push((value, factor));
                    return Some(());
                }
            };
            collect_terms(other, factor.checked_mul(number)?, terms)
        }
        _ => {
            terms.push((value, factor));
            Some(())
        }
    }
}

/// Whether different values of the terms of a sum always have different sums, as the digits of a number do: each factor is larger than all that the
/// terms with smaller factors can differ by.
fn is_separable_sum(columns: Columns<'_>, terms: &mut [(&Expr, i64)], depth: u32) -> bool {
    terms.sort_by_key(|(_, factor)| factor.unsigned_abs());
    if let [(_, factor)] = terms {
        return *factor != 0;
    }
    let mut below: u128 = 0;
    for (place, (term, factor)) in terms.iter().enumerate() {
        let size = u128::from(factor.unsigned_abs());
        if term.ty.kind != TyKind::Int || size <= below {
            return false;
        }
        if place + 1 == terms.len() {
            break;
        }
        let Some((low, high)) = infer_number(columns, term, depth).as_int_range() else { return false };
        let Some(differ) = u128::from(high.abs_diff(low)).checked_mul(size) else { return false };
        below = below.saturating_add(differ);
    }
    !terms.is_empty()
}

/// The possible values of an int.
fn infer_number(columns: Columns<'_>, value: &Expr, depth: u32) -> Fact<'static> {
    let infer = |value: &Expr| infer_number(columns, value, depth + 1);
    match &value.kind {
        _ if depth > MAX_DEPTH => Fact::unknown(),
        ExprKind::Const(number @ Value::Int(_)) => Fact::from_value(number),
        ExprKind::Column(id) => match columns.find_source(*id) {
            Some(ColumnSource::Draw { draw, .. }) => infer_drawn_number(draw),
            Some(ColumnSource::Compute(value)) => infer(value),
            _ => Fact::unknown(),
        },
        ExprKind::Neg(inner) => negate_fact(&infer(inner)),
        ExprKind::Binary(op @ (Op::Add | Op::Sub | Op::Mul), sides) => {
            compute_arithmetic(*op, &infer(&sides.0), &infer(&sides.1))
        }
        ExprKind::If(parts) => infer(&parts.1).join_fact(&infer(&parts.2)),
        _ => Fact::unknown(),
    }
}

fn infer_drawn_number(draw: &Draw) -> Fact<'static> {
    let range = match &draw.domain {
        DrawDomain::Fixed(Domain::Serial) => Some((Value::Int(1), Value::Int(i64::MAX))),
        DrawDomain::Fixed(domain) if domain.value_type() == ValueType::Int => domain.find_range(),
        DrawDomain::Range { low, high, .. } => match (low.as_constant(), high.as_constant()) {
            (Some(low @ Value::Int(_)), Some(high @ Value::Int(_))) => Some((low.clone(), high.clone())),
            _ => None,
        },
        _ => None,
    };
    range.map_or_else(Fact::unknown, |(low, high)| Fact::from_range(low, high))
}

/// The pieces of a text whose ends can be seen in it, from the left or from the right.
fn list_separable<'e>(columns: Columns<'_>, pieces: &'e [Expr], depth: u32) -> Vec<&'e Expr> {
    let varying: Vec<usize> =
        (0..pieces.len()).filter(|at| pieces.get(*at).is_some_and(|piece| !is_same_in_rows(piece))).collect();
    let get = |at: Option<usize>| at.and_then(|at| pieces.get(at));
    let is_fixed = |piece: &Expr| matches!(piece.ty.kind, TyKind::Date);
    // A constant next to a piece, none of whose characters can be in it.
    let ends = |piece: &Expr, next: Option<&Expr>| {
        is_fixed(piece)
            || match (next.and_then(Expr::as_constant), &piece.ty.kind) {
                (Some(Value::Text(mark)), TyKind::Int) => {
                    let is_negative = infer_number(columns, piece, depth).as_int_range().is_none_or(|(low, _)| low < 0);
                    !mark.is_empty() && !mark.chars().any(|c| c.is_ascii_digit() || is_negative && c == '-')
                }
                _ => false,
            }
    };
    let last = varying.last().copied();
    let first = varying.first().copied();
    let from_left = varying.iter().take_while(|at| {
        pieces.get(**at).is_some_and(|piece| Some(**at) != last && ends(piece, get(at.checked_add(1))))
    });
    let from_right = varying.iter().rev().take_while(|at| {
        pieces.get(**at).is_some_and(|piece| Some(**at) != first && ends(piece, get(at.checked_sub(1))))
    });
    let mut read: BTreeSet<usize> = from_left.chain(from_right).copied().collect();
    // What is between pieces that are known is known, too.
    if read.len() + 1 == varying.len() {
        read.extend(varying);
    }
    read.into_iter().filter_map(|at| pieces.get(at)).collect()
}
