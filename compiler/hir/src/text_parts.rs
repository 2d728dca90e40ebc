//! The possible texts of parts: of one cell of a file, and of the characters from one to another; and of several texts as one.

use model::suite::{RelationId, Scope};

use crate::Expr;
use crate::facts::Facts;
use crate::terms::Texts;
use crate::texts::{build_int_of, infer_column, infer_items, is_shorter};
use crate::types::TyKind;

/// The most lengths of a part of a text that are looked at.
const MAX_SLICED: usize = 40;

/// The most items of a list whose texts are put together.
const MAX_JOINED: u64 = 12;

/// The possible texts of a written cell of a column that is counted from 1.
pub(crate) fn infer_written_cell<'a>(
    facts: &Facts<'a>,
    relation: RelationId,
    at: &'a Expr,
    scope: Scope,
    depth: u32,
) -> Option<Texts<'a>> {
    let (low, high) = facts.infer_expr(at, scope).as_int_range()?;
    let place = usize::try_from(low).ok().filter(|_| low == high)?.checked_sub(1)?;
    let (column, declared) = facts.task().relations.get(relation)?.iter_written_columns().nth(place)?;
    let cells = facts.lookup_column(relation, column);
    match declared.ty.kind {
        // Null is written as an empty text.
        _ if cells.nullable => None,
        TyKind::Int => Some(build_int_of(&cells)),
        _ => infer_column(facts, (relation, column), depth),
    }
}

/// The texts from one character, which is counted from 1, to another one. If the last one varies, they are of each length up to the longest.
pub(crate) fn take_slice<'a>(texts: Texts<'a>, (from, same): (i64, i64), (low, high): (i64, i64)) -> Option<Texts<'a>> {
    let start = usize::try_from(from).ok().filter(|_| from == same)?.checked_sub(1)?;
    let (low, high) = (usize::try_from(low).ok()?, usize::try_from(high).ok()?);
    if low == high {
        return texts.take_part(start, high);
    }
    let high = if is_shorter(&texts, MAX_SLICED) { high.min(MAX_SLICED) } else { high };
    if high.checked_sub(low)? > MAX_SLICED {
        return None;
    }
    (low..=high).map(|end| texts.clone().take_part(start, end)).collect::<Option<_>>().map(Texts::Either)
}

/// The possible texts of the items of a list, with a text between two of them.
pub(crate) fn join_items<'a>(
    facts: &Facts<'a>,
    (list, by): (&'a Expr, Texts<'a>),
    scope: Scope,
    depth: u32,
) -> Option<Texts<'a>> {
    let count = facts.count_list_items(list, scope).filter(|count| count.most <= MAX_JOINED)?;
    facts.infer_items(list, scope).filter(|items| !items.nullable)?;
    let items = infer_items(facts, list, scope, depth)?;
    let empty = || Texts::Of { ranges: &[], least: 0, most: 0 };
    let parts = (0..count.most).map(|at| {
        let part = if at == 0 { items.clone() } else { Texts::Joined(vec![by.clone(), items.clone()]) };
        if at < count.least { part } else { Texts::Either(vec![part, empty()]) }
    });
    Some(Texts::Joined(parts.collect()))
}
