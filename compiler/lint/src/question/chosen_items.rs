//! `unasked_change` of files: `$.pools[*].timeout` changes every item, and the prompt chooses items: by the value of another key that it shows, or by a condition on
//! one. A heuristic.

use model::Span;
use model::suite::{ColumnId, RelationId};

use super::edited_places::{ItemPlace, find_edited_relation};
use super::left_rows::join_other_sentences;
use super::prompt_content::{Telling, Way, has_any_word, has_word};
use super::stated_flags::find_stated_flag;
use crate::context::TaskCx;
use hir::types::TyKind;
use hir::{Arg, DrawDomain, Expr, ExprKind, NameSource, Task};
use names::words::to_singular;
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::english::lints::ITEM_CHOICES;

/// Words of a sentence about all items.
const ALL: &str = "whatever, regardless, no matter, as well as, including, also";

/// Reports an edit of every item of a list if each wording chooses some of them.
pub(super) fn check_chosen(
    cx: &TaskCx<'_>,
    way: &Way<'_>,
    edits: usize,
    path: Span,
    place: &ItemPlace<'_>,
) -> Option<Diagnostic> {
    let task = cx.task;
    let relation = find_edited_relation(task, path)?;
    let own = task.relations.get(relation)?;
    let others = own.iter_own_columns().filter(|(_, column)| column.name != place.key);
    for (id, column) in others {
        let is_shown = |telling: &Telling| {
            let values = telling.rendered.iter().filter(|part| is_value_of(task, part, (relation, id)));
            values.count() == 1 && !names_all(telling, place.list)
        };
        let is_condition = |telling: &Telling| {
            let asked = join_other_sentences(&telling.prompt);
            let is_flag = || column.ty.kind == TyKind::Bool && find_stated_flag(&asked, column, place.list).is_some();
            (has_condition(telling, &column.name) || is_flag()) && !has_any_word(&asked, ALL)
        };
        let is_chosen_by_value = way.tellings.iter().all(is_shown);
        // With several edits, the condition can be that of another one.
        if !is_chosen_by_value && (edits > 1 || !way.tellings.iter().all(is_condition)) {
            continue;
        }
        let message = format!(
            "the edit changes every item of `{}`, but the prompt chooses them by `{}`",
            place.list, column.name
        );
        let telling = way.tellings.first()?;
        let value = if is_chosen_by_value { "'…'" } else { "…" };
        let select = format!("$.{}[?@.{} == {value}].{}", place.list, column.name, place.key);
        return Some(
            Diagnostic::new(Code::UNASKED_CHANGE, message, path, format!("`{}` is not compared", column.name))
                .label(telling.span, format!("chooses by `{}`", column.name))
                .note("this is judged by the words of the prompt, which can be wrong")
                .help(format!("select them in the path: {select}")),
        );
    }
    None
}

/// Checks whether a part of the prompt is one value of a column: taken from a row, or drawn from them.
fn is_value_of(task: &Task, part: &Expr, place: (RelationId, ColumnId)) -> bool {
    let mut value = part.resolve_name(task);
    while let ExprKind::Call(function, args) = &value.kind
        && function.can_restate()
        && let Some(Arg::Value(inner)) = args.first()
    {
        value = inner.resolve_name(task);
    }
    match &value.kind {
        ExprKind::Call(function, args) => {
            let of_column =
                matches!(args.first(), Some(Arg::Column { relation, column, .. }) if (*relation, *column) == place);
            function.picks.is_some() && of_column
        }
        ExprKind::Name(id) => match task.names.get(*id).map(|name| &name.source) {
            Some(NameSource::Draw { draw, .. }) => {
                matches!(&draw.domain, DrawDomain::Ref { relation, column, .. } if (*relation, *column) == place)
            }
            _ => false,
        },
        _ => false,
    }
}

/// Checks whether a sentence that asks for the change has a condition on a key: "whose `enabled` is false".
fn has_condition(telling: &Telling, key: &str) -> bool {
    let prompt = join_other_sentences(&telling.prompt);
    let key = key.to_lowercase();
    prompt.split(['.', '?', '!', ';']).any(|sentence| {
        let marked = format!("`{key}`");
        let at = sentence.find(&marked).or_else(|| has_word(sentence, &key).then(|| sentence.find(&key))?);
        let before = at.and_then(|at| sentence.get(..at));
        before.is_some_and(|before| {
            let words: Vec<&str> = before.split_whitespace().collect();
            let near = words.iter().rev().take(3).rev().copied().collect::<Vec<_>>().join(" ");
            has_any_word(&near, ITEM_CHOICES)
        })
    })
}

/// Checks whether a wording speaks of all items of a list, or dismisses the difference.
fn names_all(telling: &Telling, list: &str) -> bool {
    let prompt = join_other_sentences(&telling.prompt).replace('`', "");
    let list = list.to_lowercase();
    let one = to_singular(&list);
    let of_all =
        [format!("all {list}"), format!("all of the {list}"), format!("all the {list}"), format!("every single {one}")];
    has_any_word(&prompt, ALL) || of_all.iter().any(|phrase| has_word(&prompt, phrase))
}
