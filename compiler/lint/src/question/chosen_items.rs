//! `unasked_change` of files: `$.pools[*].timeout` changes every item, and the prompt chooses items: by the value of another key that it shows, or by a condition on
//! one. A heuristic.

use model::Span;
use model::suite::{ColumnId, RelationId};

use super::edited_places::{Item, ItemPlace, find_edited_relation, iter_places, read_item_place};
use super::left_rows::join_other_sentences;
use super::prompt_content::{Telling, Way, has_any_word, has_word};
use super::stated_flags::find_stated_flag;
use crate::context::{TaskCx, judge_by_words};
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
            judge_by_words(Code::UNASKED_CHANGE, message, path, format!("`{}` is not compared", column.name))
                .label(telling.span, format!("chooses by `{}`", column.name))
                .help(format!("select them in the path: {select}")),
        );
    }
    None
}

/// Reports `$.services[0].replicas` where each wording shows the `name` of another item, or of an item that is drawn.
pub(super) fn check_other_item(
    cx: &TaskCx<'_>,
    way: &Way<'_>,
    path: Span,
    place: &ItemPlace<'_>,
    index: i64,
) -> Option<Diagnostic> {
    let task = cx.task;
    let relation = find_edited_relation(task, path)?;
    let one = to_singular(&place.list.to_lowercase());
    let of_place =
        |telling: &Telling| iter_places().any(|(word, _)| has_word(&telling.lower_prompt, &format!("{word} {one}")));
    if way.tellings.iter().any(of_place) {
        return None;
    }
    let columns = task.relations.get(relation)?.iter_own_columns().filter(|(_, column)| column.name != place.key);
    let (column, item) = columns.into_iter().find_map(|(id, column)| {
        let find = |telling: &Telling| {
            let mut items =
                telling.rendered.iter().filter_map(|part| find_item_of(task, part, (relation, id), place.list));
            items.next().filter(|_| items.next().is_none())
        };
        let items: Vec<ShownItem> = way.tellings.iter().map(find).collect::<Option<_>>()?;
        let first = items.first().copied().filter(|item| *item != ShownItem::At(index))?;
        items.iter().all(|item| *item == first).then_some((column, first))
    })?;
    let whose = match item {
        ShownItem::At(other) => format!("of `{}[{other}]`", place.list),
        ShownItem::Drawn => "of an item that is drawn".to_owned(),
    };
    let message =
        format!("the edit changes `{}[{index}]`, but the prompt shows the {} {whose}", place.list, column.name);
    let telling = way.tellings.first()?;
    let select = match item {
        ShownItem::At(other) => format!("write `{}[{other}]`", place.list),
        ShownItem::Drawn => format!("select the item by its {} in the path", column.name),
    };
    Some(
        judge_by_words(Code::OTHER_CHANGE, message, path, "another item")
            .label(telling.span, format!("shows the {}", column.name))
            .help(select),
    )
}

/// The item of a list of which a prompt shows a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ShownItem {
    /// The one at a place.
    At(i64),
    /// One that is drawn.
    Drawn,
}

/// Finds the item of a list of which a part of the prompt shows a value of a column.
fn find_item_of(task: &Task, part: &Expr, place: (RelationId, ColumnId), list: &str) -> Option<ShownItem> {
    let ExprKind::Name(id) = part.kind else { return None };
    let name = task.names.get(id)?;
    if let NameSource::Draw { draw, .. } = &name.source {
        let of_column =
            matches!(&draw.domain, DrawDomain::Ref { relation, column, .. } if (*relation, *column) == place);
        return of_column.then_some(ShownItem::Drawn);
    }
    let ExprKind::Call(_, args) = &part.resolve_name(task).kind else { return None };
    let Some(Arg::Path(path)) = args.get(1) else { return None };
    let shown = read_item_place(&path.text).filter(|shown| shown.list == list)?;
    task.find_column(place).filter(|column| column.name == shown.key)?;
    match shown.item {
        Item::One(index) => Some(ShownItem::At(index)),
        _ => None,
    }
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
