//! `other_change`: the prompt asks for a change ("change nothing else", or an answer about the changed rows), and every file that is looked at is expected unchanged. A heuristic.

use model::suite::Matcher;

use super::super::paths::resolve_path_list;
use super::super::prompt_content::{Way, has_any_word, has_word};
use super::tokens::Kind;
use super::wording::Wording;
use crate::context::{judge_by_words, report_once};
use hir::{Arg, Expect, Expr, ExprKind, Subject};
use sql::list_changes;
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::english::changes::HYPOTHETICAL;

pub(super) fn report_untouched_files<'a>(wording: &Wording<'_, 'a>, way: &Way<'a>, said: &mut Vec<Diagnostic>) {
    let of_files = way.asked.expects.iter().filter(|expect| !matches!(expect.subject, Subject::Reply(_)));
    let of_files: Vec<&Expect> = of_files.copied().collect();
    let is_unchanged = |expect: &&Expect| match &expect.subject {
        Subject::Unchanged(except) => resolve_path_list(wording.cx.task, except).is_some_and(|paths| paths.is_empty()),
        _ => expect.matcher == Matcher::Unchanged && expect.at.is_none(),
    };
    let Some(first) = of_files.first().filter(|_| of_files.iter().all(is_unchanged)) else { return };
    let changes = wording.language.changes;
    let prompt = &wording.telling.lower_prompt;
    let phrase = changes.rest.iter().find(|phrase| has_word(prompt, phrase));
    let computes_goal = || {
        let is_goal = way.asked.iter_answers().any(|answer| answer.has_part_through_names(wording.cx.task, is_state));
        is_goal && !has_any_word(prompt, HYPOTHETICAL)
    };
    if phrase.is_none() && !computes_goal() {
        return;
    }
    let tokens = &wording.text.tokens;
    let is_negated = |at: usize| {
        let before = at.checked_sub(1).and_then(|at| tokens.get(at));
        before.is_some_and(|token| token.is_any(changes.refusing) || token.is_any(wording.language.negations))
    };
    let is_verb = |(at, token): &(usize, &super::tokens::Token<'_>)| {
        let verbs = [changes.updating, changes.removing, changes.adding];
        matches!(token.kind, Kind::Word)
            && !token.quoted
            && verbs.iter().any(|verbs| token.is_any(verbs))
            && !is_negated(*at)
            && !wording.is_about_reply(*at)
    };
    let Some((at, verb)) = tokens.iter().enumerate().find(is_verb) else { return };
    let name = match &first.subject {
        Subject::File(path) => match path.kind {
            ExprKind::FilePath(file) => wording.cx.task.files.get(file).map(|file| format!("`{}`", file.name)),
            _ => None,
        },
        _ => None,
    };
    let name = name.unwrap_or_else(|| "the file".to_owned());
    let words: Vec<String> =
        [Some(verb.lower.as_str()), phrase.copied()].iter().flatten().map(|word| format!("`{word}`")).collect();
    let message = format!("the prompt asks for a change ({}), but {name} is expected unchanged", words.join(", "));
    let new = judge_by_words(Code::OTHER_CHANGE, message, first.span, "accepts an agent that does nothing")
        .label(wording.locate(at, at + 1), "asked for here")
        .help(match phrase {
            Some(_) => "expect the changed content, such as `bytes replace(content(FILE), \"old\", \"new\")` or `json edit(FILE, …)`",
            None => "expect the changed database, such as `expect file FILE database goal`, or say in the prompt that nothing is changed",
        });
    report_once(new, said);
}

/// Whether a value is the state of a database after a change.
fn is_state(part: &Expr) -> bool {
    let ExprKind::Call(_, args) = &part.kind else { return false };
    args.iter().any(|arg| matches!(arg, Arg::Sql(sql) if !list_changes(&sql.text).0.is_empty()))
}
