//! `other_change`: the statements of a goal are in another order than in the prompt. `missing_change`: no statement changes a table to which the prompt asks to add rows.

use model::Span;
use model::suite::RelationId;
use sql::ChangeKind;

use super::super::prompt_content::Way;
use super::language::Changes;
use super::tokens::{Kind, Token};
use super::wording::Wording;
use crate::context::{TaskCx, report_once};
use crate::goals::{Goal, Step, list_goals};
use syntax::diagnostics::{Code, Diagnostic};

/// The number of words between "table" and its name.
const NEAR: usize = 3;

pub(super) fn report_steps<'a>(cx: &TaskCx<'a>, wording: &Wording<'_, 'a>, way: &Way<'a>, said: &mut Vec<Diagnostic>) {
    let goals = list_goals(cx.task, way.asked.expects.iter().copied());
    for goal in goals.iter().filter(|goal| goal.is_understood) {
        let new = check_order(cx, wording, goal).or_else(|| check_tables(cx, wording, goal));
        new.into_iter().for_each(|new| report_once(new, said));
    }
}

/// Compares the order of an UPDATE and a DELETE that depend on each other with the order of their words.
fn check_order(cx: &TaskCx<'_>, wording: &Wording<'_, '_>, goal: &Goal<'_>) -> Option<Diagnostic> {
    let changes = wording.language.changes;
    let (first, second) = find_dependent(goal)?;
    let tokens = &wording.text.tokens;
    let find = |words: &[&str]| {
        let mut found = tokens.iter().enumerate().filter(|(_, token)| token.is_any(words) && !token.quoted);
        found.next().map(|(at, _)| at).filter(|_| found.next().is_none())
    };
    let (removal, update) = (find(changes.removing)?, find(changes.updating)?);
    let (start, end) = (removal.min(update), removal.max(update));
    let is_sequence = tokens.iter().skip(start).take(end - start).any(|token| token.is_any(changes.sequence));
    let begins_with = if removal < update { ChangeKind::Delete } else { ChangeKind::Update };
    if !is_sequence || first.change.kind == begins_with || has_negation(wording, start, end) {
        return None;
    }
    let words = wording.quote(cx, start, start + 1);
    let message = format!("the prompt says `{words}` first, but the goal does it last");
    Some(
        Diagnostic::new(Code::OTHER_CHANGE, message, first.span(), "runs first")
            .label(second.span(), "runs after it, on changed rows")
            .label(wording.locate(cx, start, start + 1), "asked for first")
            .note("this is judged by the words of the prompt, which can be wrong")
            .help("put the statements in the order of the prompt"),
    )
}

/// Finds the only UPDATE and the only DELETE of a goal, in their order, if the UPDATE sets a column by which the DELETE selects.
fn find_dependent<'g, 'a>(goal: &'g Goal<'a>) -> Option<(&'g Step<'a>, &'g Step<'a>)> {
    let [first, second] = goal.steps.as_slice() else { return None };
    let (update, delete) = match (first.change.kind, second.change.kind) {
        (ChangeKind::Update, ChangeKind::Delete) => (first, second),
        (ChangeKind::Delete, ChangeKind::Update) => (second, first),
        _ => return None,
    };
    let reads = |(column, _): &(String, Vec<_>)| delete.change.conditions.iter().flatten().any(|token| token.is_named(column));
    (update.relation == delete.relation && update.change.sets.iter().any(reads)).then_some((first, second))
}

/// Finds a table to which the wording asks to add rows, and that no statement changes.
fn check_tables(cx: &TaskCx<'_>, wording: &Wording<'_, '_>, goal: &Goal<'_>) -> Option<Diagnostic> {
    let changes = wording.language.changes;
    let first = goal.steps.first()?;
    let file = cx.task.relations.get(first.relation)?.file;
    let own: Vec<RelationId> = goal.steps.iter().map(|step| step.relation).collect();
    let tokens = &wording.text.tokens;
    let others = cx.task.relations.iter_enumerated().filter(|(id, other)| other.file == file && !own.contains(id));
    for (_, other) in others {
        let named = tokens.iter().enumerate().filter(|(_, token)| token.is_word(&other.table.to_lowercase()));
        for (at, token) in named {
            let Some(verb) = find_adding(tokens, at, token, changes) else { continue };
            if has_negation(wording, verb, at) {
                continue;
            }
            let words = wording.quote(cx, verb, at + 1);
            let message = format!("the prompt asks to add to `{}`, but the goal does not change this table", other.table);
            let place: Span = goal.answer.resolve_name(cx.task).span;
            return Some(
                Diagnostic::new(Code::MISSING_CHANGE, message, place, format!("no INSERT INTO {}", other.table))
                    .label(wording.locate(cx, verb, at + 1), format!("says `{}`", syntax::fmt::shorten_text(&words, 60)))
                    .note("this is judged by the words of the prompt, which can be wrong")
                    .help(format!("add the statement to the goal: INSERT INTO {} …", other.table)),
            );
        }
    }
    None
}

/// Finds the verb of "add one row to the table `audit`" before the name of the table.
fn find_adding(tokens: &[Token<'_>], at: usize, table: &Token<'_>, changes: &Changes) -> Option<usize> {
    let before = |most: usize| tokens.iter().enumerate().take(at).skip(at.saturating_sub(most));
    let is_table = table.quoted || before(NEAR).any(|(_, token)| token.is_any(changes.tables));
    let of_sentence = |token: &Token<'_>| token.sentence == table.sentence;
    let verb = before(12).filter(|(_, token)| of_sentence(token) && token.is_any(changes.adding)).map(|(at, _)| at).max()?;
    let is_row = tokens.iter().take(at).skip(verb).any(|token| token.is_any(changes.rows));
    let is_direct = !tokens.iter().take(at).skip(verb + 1).any(|token| matches!(token.kind, Kind::Mark) && token.text != ",");
    (is_table && is_row && is_direct).then_some(verb)
}

/// Whether words, or those right before them, are negated.
fn has_negation(wording: &Wording<'_, '_>, start: usize, end: usize) -> bool {
    let from = start.saturating_sub(3);
    let mut words = wording.text.tokens.iter().take(end).skip(from);
    words.any(|token| token.is_any(wording.language.changes.refusing))
}
