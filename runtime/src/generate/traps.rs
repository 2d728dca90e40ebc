//! What mistakes give in the place of the right answer: values that the author names, and the answer computed from what a reader takes for the
//! rows of a relation.

use std::rc::Rc;

use model::Value;
use model::answer_key::{Expected, Trap};
use model::reads::Reads;
use model::suite::{Expect, Expr, RelationId, Task};
use model::uses::Uses;

use super::answers;
use super::cell::{InstanceDraft, Table};
use super::eval::{Eval, Res};
use super::misread::{self, Misread};

/// The most bytes of a trap, as the answer key has its value.
const MAX_BYTES: usize = 64 << 10;

/// A mistake in reading files: the rows that a reader then takes for those of a relation.
#[derive(Clone)]
pub(crate) struct Misreading {
    /// What the mistake is called.
    pub name: String,
    /// Of which relation.
    pub relation: RelationId,
    /// Its rows by the mistake; `None` where no value that is asked for could be different by it.
    pub table: Option<Rc<Table>>,
}

/// What answer keys are computed with: the misreadings of what they read, where traps are asked for.
pub(crate) struct AnswerKeys {
    misreadings: Option<Vec<Misreading>>,
    /// What would be read without the rows that have some dirt, where that is asked for.
    dropped: Vec<Misreading>,
}

impl AnswerKeys {
    /// For answers of a cell: those of the question and those of stages that are scored next to it. `judging` asks for [`AnswerKeys::compute_dropped`].
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

    /// The answer as it is without the rows that have one kind of dirt, where that is another one; null where it cannot be computed.
    pub fn compute_dropped(&self, cell: &InstanceDraft<'_>, expect: &Expect, key: &Expected) -> Vec<Trap> {
        let failed = |name: &str| Trap { name: name.to_owned(), at: String::new(), value: Value::Null };
        let all = group_by_name(&self.dropped).into_iter().filter_map(|(name, all)| {
            let made = compute_misread(cell, expect, name, &all)?;
            Some(made.unwrap_or_else(|_| failed(name)))
        });
        all.filter(|trap| trap.value.is_null() || is_other_answer(key, trap)).collect()
    }

    /// The key of an answer, with its traps.
    pub fn compute_key(&self, cell: &InstanceDraft<'_>, expect: &Expect) -> Res<Expected> {
        let key = answers::evaluate_expect(Eval::new(cell), expect)?;
        let traps = self.misreadings.as_ref().map(|misreadings| compute_traps(cell, expect, &key, misreadings));
        Ok(Expected { traps: traps.unwrap_or_default(), ..key })
    }

    /// The names of all misreadings of what some of the answers are computed from.
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

/// The value that misreadings are computed for: one that a matcher compares.
fn find_trapped_expr(expect: &Expect) -> Option<&Expr> {
    expect.answer_expr().filter(|_| !expect.is_any_of() && expect.matcher.record().has_traps())
}

/// The traps of an answer: those with a name, in source order, then what misreadings give, in the order of files and columns. Left out is what cannot be computed, is null,
/// too large, or the answer itself. What a matcher takes for the answer for other reasons is right when it is scored, and no mistake.
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

/// Misreadings by what they are called, in their order.
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

/// The whole answer as a mistake gives it, which can be made in several relations at once; `None` where it reads none of them.
fn compute_misread(cell: &InstanceDraft<'_>, expect: &Expect, name: &str, all: &[&Misreading]) -> Option<Res<Trap>> {
    let expr = find_trapped_expr(expect)?;
    let uses = Uses::from_computation(cell.task, expr);
    let read = all.iter().filter(|how| uses.relations.contains(&how.relation));
    let tables: Vec<(RelationId, Rc<Table>)> =
        read.filter_map(|how| Some((how.relation, Rc::clone(how.table.as_ref()?)))).collect();
    if tables.is_empty() {
        return None;
    }
    let work = || -> Res<_> {
        let other = cell.with_replaced(&tables, &uses)?;
        answers::evaluate_value(Eval::new(&other), expr)
    };
    Some(work().map(|value| Trap { name: name.to_owned(), at: String::new(), value }))
}

/// Whether a trap is another answer than the right one, and one of a bearable size.
fn is_other_answer(key: &Expected, trap: &Trap) -> bool {
    let mut text = Vec::new();
    trap.value.write_key_json(&mut text);
    text.len() <= MAX_BYTES && key.with_trap(trap).is_some_and(|other| other.answer != key.answer)
}

#[cfg(test)]
#[path = "traps_tests.rs"]
mod tests;
