//! `other_change`: the statements of a goal are in another order than in the prompt, change numbers in the other direction, or set another text. `missing_change`: no statement changes a table to which the prompt asks to add rows.

use model::Span;
use model::suite::RelationId;
use sql::ChangeKind;

use super::super::prompt_content::Way;
use super::goal_words;
use super::tokens::{Kind, Token};
use super::wording::Wording;
use crate::context::{judge_by_words, report_once};
use crate::goals::{Goal, Step, list_goals};
use crate::linear_sets::{Drawn, read_set_value};
use names::words::to_singular;
use sql::lex::Kind as SqlKind;
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::Changes;

/// The number of words between a column and its new text: "the STATE of every order that is open to".
const REACH: usize = 9;
/// The number of words between "table" and its name.
const NEAR: usize = 3;

pub(super) fn report_steps<'a>(wording: &Wording<'_, 'a>, way: &Way<'a>, said: &mut Vec<Diagnostic>) {
    let goals = list_goals(wording.cx.task, way.asked.expects.iter().copied());
    for goal in goals.iter().filter(|goal| goal.is_understood) {
        let new = check_order(wording, goal)
            .or_else(|| check_tables(wording, goal))
            .or_else(|| check_missing_step(wording, goal))
            .or_else(|| check_direction(wording, goal))
            .or_else(|| check_new_text(wording, goal))
            .or_else(|| goal_words::check_goal(wording, goal));
        new.into_iter().for_each(|new| report_once(new, said));
    }
}

/// Compares the order of an UPDATE and a DELETE that depend on each other with the order of their words.
fn check_order(wording: &Wording<'_, '_>, goal: &Goal<'_>) -> Option<Diagnostic> {
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
    let words = wording.quote(start, start + 1);
    let message = format!("the prompt says `{words}` first, but the goal does it last");
    Some(
        judge_by_words(Code::OTHER_CHANGE, message, first.span(), "runs first")
            .label(second.span(), "runs after it, on changed rows")
            .label(wording.locate(start, start + 1), "asked for first")
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
    let reads =
        |(column, _): &(String, Vec<_>)| delete.change.conditions.iter().flatten().any(|token| token.is_named(column));
    (update.relation == delete.relation && update.change.sets.iter().any(reads)).then_some((first, second))
}

/// Finds "delete the orders" without a DELETE of the table, and "set STATE to" without an UPDATE of the column.
fn check_missing_step(wording: &Wording<'_, '_>, goal: &Goal<'_>) -> Option<Diagnostic> {
    let changes = wording.language.changes;
    let tokens = &wording.text.tokens;
    let [first, rest @ ..] = goal.steps.as_slice() else { return None };
    let relation = wording.cx.task.relations.get(first.relation)?;
    if rest.iter().any(|step| step.relation != first.relation) {
        return None;
    }
    let table = relation.table.to_lowercase();
    let one = to_singular(&table);
    let steps = || goal.steps.iter();
    let is_mark =
        |(column, _): &(String, Vec<_>)| changes.marks.iter().any(|mark| column.to_lowercase().contains(mark));
    let ignored = goal.expect.whole_options().parts;
    let is_ignored = |column: &str| {
        let whole = format!("{table}.{column}");
        ignored.iter().any(|part| part.eq_ignore_ascii_case(&table) || part.eq_ignore_ascii_case(&whole))
    };
    // "Remove the tickets" does not ask to UPDATE a STATE that the prompt does not name.
    let is_deleted = steps().any(|step| {
        let mut soft = step.change.sets.iter().filter(|set| goal_words::is_mark_of_removal(wording, set));
        step.change.kind == ChangeKind::Delete || soft.any(is_mark)
    });
    let next_plain = |at: usize| {
        let mut behind = tokens.iter().skip(at + 1).take(NEAR);
        behind.find(|token| !token.is_any(changes.articles) && !token.is_any(changes.every))
    };
    let found = tokens.iter().enumerate().find_map(|(at, token)| {
        let next = next_plain(at)?;
        if token.is_any(changes.removing) && !is_deleted && (next.is_word(&table) || next.is_word(&one)) {
            return Some((at, "DELETE FROM".to_owned(), relation.table.clone()));
        }
        let is_set = |column: &str| {
            steps().any(|step| {
                step.change.kind == ChangeKind::Insert
                    || step.change.sets.iter().any(|(set, _)| set.eq_ignore_ascii_case(column))
            })
        };
        let mut columns = relation.iter_written_columns().map(|(_, column)| &column.name);
        let column = columns.find(|name| {
            next.is_word(&name.to_lowercase()) && next.text == **name && !is_set(name) && !is_ignored(name)
        })?;
        token.is_any(changes.setting).then(|| (at, "UPDATE that sets".to_owned(), column.clone()))
    });
    let (at, statement, what) = found.filter(|(at, ..)| !has_negation(wording, *at, at + 1))?;
    let words = wording.quote(at, at + NEAR);
    let message = format!("the prompt says `{words} …`, but the goal has no {statement} `{what}`");
    let place: Span = goal.answer.resolve_name(wording.cx.task).span;
    Some(
        judge_by_words(Code::MISSING_CHANGE, message, place, "lacks this change")
            .label(wording.locate(at, at + 1), "asked for here")
            .help("add the statement to the goal, or leave this change out of the prompt"),
    )
}

/// Compares the direction of the only change of numbers with its verb: `PRICE - 5` next to "raise".
fn check_direction<'a>(wording: &Wording<'_, 'a>, goal: &Goal<'a>) -> Option<Diagnostic> {
    let changes = wording.language.changes;
    let [step] = goal.steps.as_slice() else { return None };
    let [(column, value)] = step.change.sets.as_slice() else { return None };
    let set = read_set_value(wording.cx.facts(), step, column, value, Drawn::All)?;
    let is_up = set.factor.low >= 1.0 && set.shift.low >= 0.0;
    let is_down = set.factor.low > 0.0 && set.factor.high <= 1.0 && set.shift.high <= 0.0;
    if is_up == is_down || wording.can_vary() {
        return None;
    }
    let tokens = &wording.text.tokens;
    let has = |words: &[&str]| tokens.iter().any(|token| token.is_any(words));
    let (own, hints, other) = match is_up {
        true => (changes.raising, changes.more, changes.lowering),
        false => (changes.lowering, changes.less, changes.raising),
    };
    let at =
        tokens.iter().position(|token| token.is_any(other) && !token.quoted).filter(|_| !has(own) && !has(hints))?;
    let words = wording.quote(at, at + 1);
    let message = format!(
        "the prompt says `{words}`, but the goal makes `{column}` {}",
        if is_up { "larger" } else { "smaller" }
    );
    let (first, last) = (value.first()?, value.last()?);
    Some(
        judge_by_words(Code::OTHER_CHANGE, message, step.to_span((first.start, last.end())), "the other way")
            .label(wording.locate(at, at + 1), "asked for here")
            .help("turn the sign around, or use the other word"),
    )
}

/// Compares the text that the only UPDATE sets with that after "to": `SET STATE = 'open'` next to "set STATE to closed".
fn check_new_text(wording: &Wording<'_, '_>, goal: &Goal<'_>) -> Option<Diagnostic> {
    let [step] = goal.steps.as_slice() else { return None };
    let [(column, value)] = step.change.sets.as_slice() else { return None };
    let [text] = value.as_slice() else { return None };
    let (id, _) = step.find_column(wording.cx.task, column).filter(|_| text.kind == SqlKind::Text)?;
    let fact = wording.cx.facts().lookup_column(step.relation, id);
    let values: Vec<String> = fact.closed.as_deref()?.iter().map(|value| value.render_text().to_lowercase()).collect();
    let tokens = &wording.text.tokens;
    let is_after_to = |at: usize| {
        let before = |by: usize| at.checked_sub(by).and_then(|at| tokens.get(at));
        let named =
            tokens.iter().take(at).skip(at.saturating_sub(REACH)).any(|token| token.is_word(&column.to_lowercase()));
        before(1).is_some_and(|token| token.is_word("to")) && named
    };
    let told: Vec<(usize, &Token<'_>)> =
        tokens.iter().enumerate().filter(|(at, token)| values.contains(&token.lower) && is_after_to(*at)).collect();
    let [(at, told)] = told.as_slice() else { return None };
    let is_same = text.to_unquoted().to_lowercase() == told.lower;
    (!is_same && !has_negation(wording, at.saturating_sub(4), *at)).then(|| {
        let message = format!(
            "the prompt says `{}`, but the goal sets `{column}` to {}",
            wording.quote(at - 1, at + 1),
            text.text
        );
        judge_by_words(Code::OTHER_CHANGE, message, step.to_span((text.start, text.end())), "another text")
            .label(wording.locate(*at, at + 1), "asked for here")
            .help("set the text of the prompt")
    })
}

/// Finds a table to which the wording asks to add rows, and that no statement changes.
fn check_tables(wording: &Wording<'_, '_>, goal: &Goal<'_>) -> Option<Diagnostic> {
    let cx = wording.cx;
    let changes = wording.language.changes;
    let first = goal.steps.first()?;
    let file = cx.task.relations.get(first.relation)?.file;
    let own: Vec<RelationId> = goal.steps.iter().map(|step| step.relation).collect();
    let ignored = goal.expect.whole_options().parts;
    let tokens = &wording.text.tokens;
    let others = cx.task.relations.iter_enumerated().filter(|(id, other)| other.file == file && !own.contains(id));
    for (_, other) in others {
        if ignored.iter().any(|part| part.eq_ignore_ascii_case(&other.table)) {
            continue;
        }
        let named = tokens.iter().enumerate().filter(|(_, token)| token.is_word(&other.table.to_lowercase()));
        for (at, token) in named {
            let Some(verb) = find_adding(tokens, at, token, changes) else { continue };
            if has_negation(wording, verb, at) {
                continue;
            }
            let words = wording.quote(verb, at + 1);
            let message =
                format!("the prompt asks to add to `{}`, but the goal does not change this table", other.table);
            let place: Span = goal.answer.resolve_name(cx.task).span;
            return Some(
                judge_by_words(Code::MISSING_CHANGE, message, place, format!("no INSERT INTO {}", other.table))
                    .label(wording.locate(verb, at + 1), format!("says `{}`", syntax::fmt::shorten_text(&words, 60)))
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
    let verb =
        before(12).filter(|(_, token)| of_sentence(token) && token.is_any(changes.adding)).map(|(at, _)| at).max()?;
    let is_row = tokens.iter().take(at).skip(verb).any(|token| token.is_any(changes.rows));
    let is_direct =
        !tokens.iter().take(at).skip(verb + 1).any(|token| matches!(token.kind, Kind::Mark) && token.text != ",");
    (is_table && is_row && is_direct).then_some(verb)
}

/// Whether words, or those right before them, are negated.
fn has_negation(wording: &Wording<'_, '_>, start: usize, end: usize) -> bool {
    let from = start.saturating_sub(3);
    let sentence = end.checked_sub(1).and_then(|last| wording.text.tokens.get(last)).map(|token| token.sentence);
    let mut words = wording.text.tokens.iter().take(end).skip(from).filter(|token| Some(token.sentence) == sentence);
    words.any(|token| token.is_any(wording.language.changes.refusing))
}
