//! `idle_statement`: a statement of `after` that changes nothing, because of the statements before or after it or by itself.

use sql::ChangeKind;
use sql::lex::{Kind, Token};

use super::context::{TaskCx, report_once};
use super::goals::{Goal, Step, list_goals};
use super::redone::{check_redone, is_same_text};
use syntax::diagnostics::{Code, Diagnostic};

pub(super) fn report_idle_statements<'a>(cx: &TaskCx<'a>, said: &mut Vec<Diagnostic>) {
    for goal in list_goals(cx.task, cx.task.iter_expects()).iter().filter(|goal| goal.is_understood) {
        for (at, step) in goal.steps.iter().enumerate() {
            let before = goal.steps.get(..at).unwrap_or_default();
            let after = goal.steps.get(at + 1..).unwrap_or_default();
            let new = check_itself(step)
                .or_else(|| check_against_earlier(cx, goal, before, step))
                .or_else(|| check_overwritten(after, step))
                .or_else(|| check_later(cx, after, step));
            new.into_iter().for_each(|new| report_once(new, said));
        }
    }
}

/// Reports `SET A = A`, and `SET A = 1 WHERE A = 1`.
fn check_itself(step: &Step<'_>) -> Option<Diagnostic> {
    let change = &step.change;
    if change.kind != ChangeKind::Update || change.is_complex || change.sets.is_empty() {
        return None;
    }
    let is_idle = |(column, value): &(String, Vec<Token<'_>>)| {
        let is_itself = matches!(value.as_slice(), [only] if only.is_named(column));
        let has_it = change.conditions.iter().any(|part| is_equality(part, column, value));
        is_itself || has_it
    };
    change.sets.iter().all(is_idle).then(|| {
        build_diagnostic(step, "sets the values that the rows already have")
            .help("set another value, or correct the condition")
    })
}

/// Reports a statement whose rows were deleted before it, or no longer have the values that it looks for.
fn check_against_earlier(cx: &TaskCx<'_>, goal: &Goal<'_>, before: &[Step<'_>], step: &Step<'_>) -> Option<Diagnostic> {
    let change = &step.change;
    if change.kind == ChangeKind::Insert || change.is_complex {
        return None;
    }
    let (at, earlier) = before.iter().enumerate().rev().find(|(at, earlier)| {
        earlier.relation == step.relation
            && !earlier.change.is_complex
            && is_subset(&earlier.change.conditions, &change.conditions)
            && is_undisturbed(before.get(at + 1..).unwrap_or_default(), earlier, step)
    })?;
    debug_assert!(at < goal.steps.len());
    let quoted = cx.sources.quote(earlier.span());
    let said = match earlier.change.kind {
        ChangeKind::Delete => build_diagnostic(step, "its rows have been deleted before")
            .help("put it before the DELETE, or correct its condition"),
        ChangeKind::Update => {
            let leaves = |(column, value): &&(String, Vec<Token<'_>>)| {
                change.conditions.iter().any(|part| is_other_equality(part, column, value))
            };
            let (column, _) = earlier.change.sets.iter().find(leaves)?;
            build_diagnostic(step, &format!("no row has this `{column}` any more"))
                .help("put it before the other UPDATE, or correct its condition")
        }
        ChangeKind::Insert => return None,
    };
    Some(said.label(earlier.span(), syntax::fmt::shorten_text(&quoted, 40)))
}

/// Whether the statements in between neither add rows nor change the columns of the conditions.
fn is_undisturbed(between: &[Step<'_>], earlier: &Step<'_>, step: &Step<'_>) -> bool {
    let named = |column: &str| {
        let conditions = earlier.change.conditions.iter().chain(&step.change.conditions);
        conditions.flatten().any(|token| token.is_named(column))
            || earlier.change.sets.iter().any(|(set, _)| set.eq_ignore_ascii_case(column))
    };
    between.iter().filter(|other| other.relation == step.relation).all(|other| match other.change.kind {
        ChangeKind::Insert => false,
        ChangeKind::Delete => true,
        ChangeKind::Update => !other.change.is_complex && !other.change.sets.iter().any(|(column, _)| named(column)),
    })
}

/// Reports an UPDATE whose columns a later one sets for the same rows.
fn check_overwritten(after: &[Step<'_>], step: &Step<'_>) -> Option<Diagnostic> {
    let change = &step.change;
    let next = after.iter().find(|other| other.relation == step.relation)?;
    let later = &next.change;
    let is_plain = change.kind == ChangeKind::Update
        && !change.is_complex
        && later.kind == ChangeKind::Update
        && !later.is_complex;
    let reads = |tokens: &[Token<'_>], column: &str| {
        tokens.iter().any(|token| token.is_named(column) || token.is_keyword("SELECT"))
    };
    let is_set_again = |(column, _): &(String, Vec<Token<'_>>)| {
        let again = later.sets.iter().any(|(other, _)| other.eq_ignore_ascii_case(column));
        let is_read = later
            .conditions
            .iter()
            .chain(later.sets.iter().map(|(_, value)| value))
            .any(|tokens| reads(tokens, column));
        again && !is_read
    };
    // Statements on other tables in between may read the rows.
    let adjacent = after.first().is_some_and(|first| std::ptr::eq(first, next));
    (is_plain && adjacent && is_subset(&later.conditions, &change.conditions) && change.sets.iter().all(is_set_again))
        .then(|| {
            build_diagnostic(step, "the next statement sets the same columns")
                .label(next.span(), "sets them again")
                .help("remove one of the two, or correct its condition")
        })
}

/// Reports an UPDATE whose rows a later one changes again, because they have the value that it looks for.
fn check_later<'a>(cx: &TaskCx<'a>, after: &[Step<'a>], step: &Step<'a>) -> Option<Diagnostic> {
    let (at, later) = after.iter().enumerate().find(|(_, other)| other.relation == step.relation)?;
    let between = after.get(..at).unwrap_or_default();
    is_undisturbed(between, step, later).then(|| check_redone(cx, step, later)).flatten()
}

/// Whether each part of the first conditions is a part of the second: all rows that meet the second meet the first.
fn is_subset(first: &[Vec<Token<'_>>], second: &[Vec<Token<'_>>]) -> bool {
    first.iter().all(|part| second.iter().any(|other| is_same_text(part, other)))
}

/// Whether a condition is `column = value`.
fn is_equality(part: &[Token<'_>], column: &str, value: &[Token<'_>]) -> bool {
    match part {
        [name, equals, rest @ ..] => name.is_named(column) && equals.is_punct("=") && is_same_text(rest, value),
        _ => false,
    }
}

/// Whether a condition is `column = literal` with another literal than `value`.
fn is_other_equality(part: &[Token<'_>], column: &str, value: &[Token<'_>]) -> bool {
    let is_literal = |token: &Token<'_>| matches!(token.kind, Kind::Text | Kind::Number);
    match (part, value) {
        ([name, equals, wanted], [set]) => {
            name.is_named(column)
                && equals.is_punct("=")
                && is_literal(wanted)
                && is_literal(set)
                && wanted.kind == set.kind
                && wanted.text != set.text
        }
        _ => false,
    }
}

fn build_diagnostic(step: &Step<'_>, label: &str) -> Diagnostic {
    Diagnostic::new(Code::IDLE_STATEMENT, "this statement never changes a row", step.span(), label)
}
