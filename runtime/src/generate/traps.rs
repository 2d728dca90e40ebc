//! What mistakes give in the place of the right answer: values that the author names, and the answer computed from what a reader takes for the
//! rows of a relation.

use std::rc::Rc;

use plan::answer_key::{Expected, Trap};
use plan::reads::Reads;
use plan::suite::{Expect, Expr, RelationId};
use plan::uses::Uses;

use super::answers;
use super::cell::{Cell, Table};
use super::eval::{Eval, Res};
use super::misread;

/// The most bytes of a trap, as the answer key has its value.
const MOST_BYTES: usize = 64 << 10;

/// A mistake in reading files: the rows that a reader then takes for those of a relation.
pub(crate) struct Misreading {
    /// What the mistake is called.
    pub name: String,
    /// Of which relation.
    pub relation: RelationId,
    /// Its rows by the mistake; `None` where no value that is asked for could be different by it.
    pub table: Option<Rc<Table>>,
}

/// The answer keys of a cell, with their traps where they are asked for, and the names of all misreadings of what they are computed from.
pub(crate) fn keys(cell: &Cell<'_>, expects: &[Expect], traps: bool) -> Res<(Vec<Expected>, Vec<String>)> {
    let misreadings = match traps {
        true => misread::of_task(cell, &Reads::of_computations(cell.task, expects.iter().filter_map(trapped)))?,
        false => Vec::new(),
    };
    let mut dirt: Vec<String> = Vec::new();
    for how in &misreadings {
        if !dirt.contains(&how.name) {
            dirt.push(how.name.clone());
        }
    }
    let key = |expect| {
        let key = answers::expected(Eval::new(cell), expect)?;
        let traps = if traps { of(cell, expect, &key, &misreadings) } else { Vec::new() };
        Ok(Expected { traps, ..key })
    };
    Ok((expects.iter().map(key).collect::<Res<_>>()?, dirt))
}

/// The value that misreadings are computed for: one that a matcher compares.
fn trapped(expect: &Expect) -> Option<&Expr> {
    expect.expr().filter(|_| !expect.any_of() && expect.matcher.record().has_traps())
}

/// The traps of an answer: those with a name, in source order, then what misreadings give, in the order of files and columns. Left out is what cannot be computed, is null,
/// too large, or the answer itself. What a matcher takes for the answer for other reasons is right when it is scored, and no mistake.
pub(crate) fn of(cell: &Cell<'_>, expect: &Expect, key: &Expected, misreadings: &[Misreading]) -> Vec<Trap> {
    let named = expect.traps.iter().filter_map(|trap| {
        let value = answers::value(Eval::new(cell), &trap.value).ok()?;
        Some(Trap { name: trap.name.clone(), at: trap.at.clone(), value })
    });
    let misread = misreadings.iter().filter_map(|how| misread(cell, expect, how));
    named.chain(misread).filter(|trap| differs(key, trap)).collect()
}

/// The whole answer as a misreading gives it; `None` where it does not read that relation, or cannot be computed.
fn misread(cell: &Cell<'_>, expect: &Expect, how: &Misreading) -> Option<Trap> {
    let (expr, table) = (trapped(expect)?, how.table.as_ref()?);
    let uses = Uses::of_computation(cell.task, expr);
    if !uses.relations.contains(&how.relation) {
        return None;
    }
    let work = || -> Res<_> {
        let other = cell.with_replaced(&[(how.relation, Rc::clone(table))], &uses)?;
        answers::value(Eval::new(&other), expr)
    };
    Some(Trap { name: how.name.clone(), at: String::new(), value: work().ok()? })
}

/// Whether a trap is another answer than the right one, and one of a bearable size.
fn differs(key: &Expected, trap: &Trap) -> bool {
    let mut text = Vec::new();
    trap.value.write_key_json(&mut text);
    text.len() <= MOST_BYTES && key.under(trap).is_some_and(|other| other.answer != key.answer)
}

#[cfg(test)]
#[path = "traps_tests.rs"]
mod tests;
