//! `missing_change`: the prompt asks to set something to a drawn value, and no expectation depends on it: one of two changes is forgotten.

use model::suite::{Matcher, NameId};

use super::super::dependence::flow::{Flow, Followed};
use super::super::prompt_content::Way;
use super::tokens::Kind;
use super::wording::Wording;
use crate::context::{TaskCx, judge_by_words, report_once};
use hir::{ExprKind, NameSource, Subject};
use syntax::diagnostics::{Code, Diagnostic};

pub(super) fn report_unread_targets<'a>(wording: &Wording<'_, 'a>, way: &Way<'a>, said: &mut Vec<Diagnostic>) {
    let cx = wording.cx;
    report_unread_siblings(wording, way, said);
    let is_of_file =
        |expect: &&hir::Expect| matches!(expect.subject, Subject::File(_)) && expect.answer_expr().is_some();
    let Some(first) = way.asked.expects.iter().copied().find(is_of_file) else { return };
    let mut used = None;
    let tokens = &wording.text.tokens;
    for (at, token) in tokens.iter().enumerate() {
        let Kind::Placeholder(expr) = token.kind else { continue };
        let ExprKind::Name(id) = expr.kind else { continue };
        let changes = wording.language.changes;
        let mut sentence = tokens.iter().take(at).filter(|other| other.sentence == token.sentence);
        let before = at.checked_sub(1).and_then(|at| tokens.get(at));
        let is_target = match before {
            Some(before) if before.is_word("to") => {
                sentence.any(|other| other.is_any(changes.setting) || other.is_any(changes.updating))
            }
            // A value of a new row: "with the SIZE <<n>>".
            Some(before) if first.matcher == Matcher::Database && is_column(cx, &before.text) => {
                sentence.any(|other| other.is_any(changes.adding))
            }
            _ => false,
        };
        if !is_target {
            continue;
        }
        let used = used.get_or_insert_with(|| list_used(cx, way));
        let Some(name) = cx.task.names.get(id).filter(|name| matches!(name.source, NameSource::Draw { .. })) else {
            continue;
        };
        if used.contains(&id) {
            continue;
        }
        let message =
            format!("the prompt asks to set something to `{}`, but nothing that is expected depends on it", name.name);
        let place = first.answer_expr().map_or(first.span, |answer| answer.resolve_name(cx.task).span);
        let new = judge_by_words(Code::MISSING_CHANGE, message, place, format!("does not use `{}`", name.name))
            .label(wording.locate(at.saturating_sub(1), at + 1), "asked for here")
            .help(format!("make this change in the expected content, or remove `{}` from the prompt", name.name));
        let is_known = said.iter().any(|known| {
            known.code == Code::UNREAD_CONDITION && known.secondary.iter().any(|label| label.span == name.span)
        });
        if !is_known {
            report_once(new, said);
        }
    }
}

/// Whether a word is the name of a column of a table that the agent gets.
fn is_column(cx: &TaskCx<'_>, word: &str) -> bool {
    let tables = cx.task.relations.iter().filter(|own| own.file.is_some());
    !word.is_empty() && tables.flat_map(|own| own.iter_written_columns()).any(|(_, column)| column.name == word)
}

/// Reports "add <<a>> and <<b>>" where the goal has only `a`, and both are drawn together.
fn report_unread_siblings<'a>(wording: &Wording<'_, 'a>, way: &Way<'a>, said: &mut Vec<Diagnostic>) {
    let cx = wording.cx;
    let Some(goal) = way.asked.expects.iter().find(|expect| expect.matcher == Matcher::Database) else { return };
    let (Some(answer), [_]) = (goal.answer_expr(), way.asked.expects.as_slice()) else { return };
    let used = list_used(cx, way);
    let group = |id: NameId| match cx.task.names.get(id).map(|name| &name.source) {
        Some(NameSource::Draw { group, .. }) => Some(group.as_str()),
        _ => None,
    };
    let told = &wording.telling.names;
    let unread = told.iter().copied().find(|id| {
        let is_sibling = |other: &NameId| other != id && group(*other).is_some() && group(*other) == group(*id);
        !used.contains(id) && told.iter().any(|other| is_sibling(other) && used.contains(other))
    });
    let Some(name) = unread.and_then(|id| cx.task.names.get(id)) else { return };
    let tokens = &wording.text.tokens;
    let changes = wording.language.changes;
    if !tokens.iter().any(|token| token.is_any(changes.adding) || token.is_any(changes.removing)) {
        return;
    }
    let message = format!("the prompt names `{}`, but nothing that is expected depends on it", name.name);
    let place = answer.resolve_name(cx.task).span;
    let new = judge_by_words(Code::MISSING_CHANGE, message, place, format!("does not use `{}`", name.name))
        .label(wording.telling.span, "named here")
        .help(format!("make this change in the expected state, or remove `{}` from the prompt", name.name));
    let is_known = said.iter().any(|known| {
        known.code == Code::UNREAD_CONDITION && known.secondary.iter().any(|label| label.span == name.span)
    });
    if !is_known {
        report_once(new, said);
    }
}

/// Lists the names on which expectations depend, and those in files that the agent is given.
fn list_used(cx: &TaskCx<'_>, way: &Way<'_>) -> std::collections::BTreeSet<NameId> {
    let mut used = Flow::new(cx.task, Followed::All);
    way.asked.expects.iter().for_each(|expect| used.add_expect(expect));
    used.add_given();
    used.names
}
