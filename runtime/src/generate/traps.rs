//! Computes the results of mistakes: values that the author names, and the answer computed from misread rows of a relation.

use std::rc::Rc;

use model::Value;
use model::answer_key::{Expected, Trap};
use model::reads::Reads;
use model::suite::{Expect, Expr, Task};
use model::uses::Uses;

use super::answers;
use super::cell::InstanceDraft;
use super::context::Eval;
use super::failures::Res;
use super::misread::{self, Misread, Misreading};
use super::replaced::Replaced;

/// Maximum size of a trap in bytes, as its value is written in the answer key.
const MAX_BYTES: usize = 64 << 10;

/// The context of answer keys: the misreadings of the relations that they read, if traps are requested.
pub(crate) struct AnswerKeys {
    misreadings: Option<Vec<Misreading>>,
    /// The relations without the rows that have one kind of dirt, if they are requested.
    dropped: Vec<Misreading>,
}

impl AnswerKeys {
    /// Creates the context for answers of a cell, both of the question and of stages scored next to it. `judging` enables [`AnswerKeys::compute_dropped`].
    pub fn new<'e>(
        cell: &InstanceDraft<'e>,
        expects: impl IntoIterator<Item = &'e Expect>,
        (traps, judging): (bool, bool),
    ) -> Res<AnswerKeys> {
        if !traps {
            return Ok(AnswerKeys { misreadings: None, dropped: Vec::new() });
        }
        let reads = Reads::from_computations(cell.task, expects.into_iter().filter_map(find_trapped_expr));
        let Misread { kept, dropped } = misread::collect_misreadings(cell, &reads, judging)?;
        Ok(AnswerKeys { misreadings: Some(kept), dropped })
    }

    /// Computes the answer without the rows that have one kind of dirt, for each kind that changes it so, and that is also a trap of one of the keys; null if it cannot
    /// be computed.
    pub fn compute_dropped(
        &self,
        cell: &InstanceDraft<'_>,
        (expect, key): (&Expect, &Expected),
        keys: &[Expected],
    ) -> Vec<Trap> {
        let failed = |name: &str| Trap { name: name.to_owned(), at: String::new(), value: Value::Null };
        let is_trap = |(name, _): &(&str, Vec<&Misreading>)| {
            keys.iter().flat_map(|key| &key.traps).any(|trap| trap.name == *name)
        };
        let all = group_by_name(&self.dropped).into_iter().filter(is_trap).filter_map(|(name, all)| {
            let made = compute_misread(cell, expect, name, &all)?;
            Some(made.unwrap_or_else(|_| failed(name)))
        });
        all.filter(|trap| trap.value.is_null() || is_other_answer(key, trap)).collect()
    }

    /// Computes the key of an answer, with its traps.
    pub fn compute_key(&self, cell: &InstanceDraft<'_>, expect: &Expect) -> Res<Expected> {
        let key = answers::evaluate_expect(Eval::new(cell), expect)?;
        let traps = self.misreadings.as_ref().map(|misreadings| compute_traps(cell, expect, &key, misreadings));
        Ok(Expected { traps: traps.unwrap_or_default(), ..key })
    }

    /// Lists the names of all misreadings of relations from which any of the answers is computed.
    pub fn list_names<'e>(&self, task: &'e Task, expects: &'e [Expect]) -> Vec<String> {
        let reads = Reads::from_computations(task, expects.iter().filter_map(find_trapped_expr));
        let mut names: Vec<String> = Vec::new();
        for how in self.misreadings.iter().flatten().filter(|how| reads.has_relation(how.relation)) {
            if !names.contains(&how.name) {
                names.push(how.name.clone());
            }
        }
        names
    }
}

/// Returns the value for which misreadings are computed: one that a matcher compares.
fn find_trapped_expr(expect: &Expect) -> Option<&Expr> {
    expect.answer_expr().filter(|_| !expect.is_any_of() && expect.matcher.record().has_traps())
}

/// Computes the traps of an answer: first those with a name, in source order, then the results of misreadings, in the order of files and columns.
/// Omits values that cannot be computed, are null or too large, or equal the answer. A value that the matcher accepts for another reason is scored as
/// correct, not as a mistake.
pub(crate) fn compute_traps(
    cell: &InstanceDraft<'_>,
    expect: &Expect,
    key: &Expected,
    misreadings: &[Misreading],
) -> Vec<Trap> {
    let named = expect.traps.iter().filter_map(|trap| {
        let value = answers::evaluate_value(Eval::new(cell), &trap.value).ok()?;
        Some(Trap { name: trap.name.clone(), at: trap.at.clone(), value })
    });
    let mistakes = group_by_name(misreadings);
    let misread = mistakes.iter().filter_map(|(name, all)| compute_misread(cell, expect, name, all)?.ok());
    named.chain(misread).filter(|trap| is_other_answer(key, trap)).collect()
}

/// Groups misreadings by name, in their order.
fn group_by_name(misreadings: &[Misreading]) -> Vec<(&str, Vec<&Misreading>)> {
    let mut mistakes: Vec<(&str, Vec<&Misreading>)> = Vec::new();
    for how in misreadings {
        match mistakes.iter_mut().find(|(name, _)| *name == how.name) {
            Some((_, all)) => all.push(how),
            None => mistakes.push((&how.name, vec![how])),
        }
    }
    mistakes
}

/// Computes the whole answer with a mistake, which can affect several relations at once; `None` if the mistake does not reach the answer.
fn compute_misread(cell: &InstanceDraft<'_>, expect: &Expect, name: &str, all: &[&Misreading]) -> Option<Res<Trap>> {
    let expr = find_trapped_expr(expect)?;
    let uses = Uses::from_computation(cell.task, expr);
    let read = all.iter().filter(|how| uses.relations.contains(&how.relation));
    let replace = |how: &&&Misreading| {
        let table = Rc::clone(how.table.as_ref()?);
        Some(Replaced { relation: how.relation, column: how.column, table })
    };
    let replaced: Vec<Replaced> = read.filter_map(|how| replace(&how)).collect();
    if replaced.is_empty() {
        return None;
    }
    let work = || -> Res<_> {
        let (other, changes) = cell.replace_relations(&replaced, &uses)?;
        let reached = changes.can_reach(expr);
        reached.then(|| answers::evaluate_value(Eval::new(&other), expr)).transpose()
    };
    let value = work().transpose()?;
    Some(value.map(|value| Trap { name: name.to_owned(), at: String::new(), value }))
}

/// Checks whether a trap differs from the answer, and whether its size is within the limit.
fn is_other_answer(key: &Expected, trap: &Trap) -> bool {
    let mut text = Vec::new();
    trap.value.write_key_json(&mut text);
    text.len() <= MAX_BYTES && key.with_trap(trap).is_some_and(|other| other.answer != key.answer)
}

#[cfg(test)]
#[path = "traps_tests.rs"]
mod tests;
