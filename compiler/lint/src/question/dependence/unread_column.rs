//! `unread_column`: the prompt names a column that no answer reads, and the answer reads another one that the prompt does not mention. A heuristic.

use std::collections::BTreeSet;

use model::suite::{ColumnId, RelationId};
use model::{SharedList, Span, Value};

use super::flow::{Flow, Followed};
use super::hints::{Hints, has_name};
use super::sibling::{Named, find_sibling};
use super::template::list_first_words;
use crate::context::TaskCx;
use crate::question::prompt_content::{Telling, Way, has_word};
use hir::types::TyKind;
use hir::{Expr, ExprKind, Task};
use names::words::split_words;
use syntax::diagnostics::{Code, Diagnostic};
use syntax::fmt::join_blanks;
use syntax::prompts::english::data::{AGGREGATES, DISMISSING};
use syntax::prompts::has_listed;

/// The number of texts of a column that are read.
const MAX_TEXTS: usize = 100;

pub(super) fn report_unread_columns<'a>(cx: &TaskCx<'a>, ways: &[Way<'a>], said: &mut Vec<Diagnostic>) {
    let task = cx.task;
    let mut known: BTreeSet<(RelationId, ColumnId)> = BTreeSet::new();
    for way in ways {
        let mut key = Flow::new(task, Followed::All);
        way.asked.expects.iter().for_each(|expect| key.add_expect(expect));
        let mut direct = Flow::new(task, Followed::Known);
        way.asked.expects.iter().for_each(|expect| direct.add_expect(expect));
        if direct.columns.is_empty() {
            continue;
        }
        let keys = collect_keys(task, way);
        for telling in way.tellings.iter().filter(|telling| !telling.opaque) {
            let swap = find_swap(task, telling, &key, &direct, &keys);
            let Some((named, read)) = swap.or_else(|| find_other_sibling(cx, telling, &key, &direct)) else { continue };
            if known.insert(named) {
                said.extend(build_diagnostic(task, telling, way, named, read));
            }
        }
    }
}

/// A column.
type Place = (RelationId, ColumnId);

/// Finds the only column that a wording names and the answer does not read, with the only one of the same table that the answer reads and the wording does not name.
fn find_swap(
    task: &Task,
    telling: &Telling,
    key: &Flow<'_>,
    direct: &Flow<'_>,
    keys: &BTreeSet<String>,
) -> Option<(Place, Place)> {
    let hints = Hints::from_text(&telling.prompt);
    for relation in &direct.relations {
        let Some(own) = task.relations.get(*relation).filter(|own| own.file.is_some()) else { continue };
        let reads = |column: &ColumnId| direct.columns.contains(&(*relation, *column));
        let columns = || own.iter_written_columns();
        let named: Vec<(ColumnId, &hir::Column)> = columns()
            .filter(|(id, column)| !key.columns.contains(&(*relation, *id)) && is_named(&telling.prompt, &column.name))
            .collect();
        let unnamed: Vec<(ColumnId, &hir::Column)> = columns()
            .filter(|(id, column)| {
                reads(id) && !has_name(&hints, &column.name) && !has_word(&telling.prompt, &column.name)
            })
            .collect();
        let [(named, a)] = named.as_slice() else { continue };
        let similar: Vec<&(ColumnId, &hir::Column)> = unnamed.iter().filter(|(_, b)| is_comparable(a, b)).collect();
        if let [(read, b)] = similar.as_slice()
            // Texts and numbers next to others can be told by what is in placeholders.
            && (unnamed.len() == 1 || matches!(a.ty.kind, TyKind::Date | TyKind::DateTime | TyKind::Bool))
            && !keys.contains(&a.name.to_lowercase())
            && !is_after_aggregate(&telling.prompt, &a.name)
            && !is_dismissed(&telling.prompt, &a.name)
            // Words of the one could mean the other: `ORDER_DATE` and `DATE`.
            && !split_words(&b.name).iter().any(|word| split_words(&a.name).contains(word))
        {
            return Some(((*relation, *named), (*relation, *read)));
        }
    }
    None
}

/// Finds a date or a number of which a wording speaks and that the answer does not read, with one of a similar name that it reads: `DECIDED_ON`, and `FILED_ON`.
fn find_other_sibling(cx: &TaskCx<'_>, telling: &Telling, key: &Flow<'_>, direct: &Flow<'_>) -> Option<(Place, Place)> {
    direct.relations.iter().find_map(|relation| {
        let own = cx.task.relations.get(*relation).filter(|own| own.file.is_some())?;
        let kind = |column: &hir::Column| match column.ty.kind {
            TyKind::Date | TyKind::DateTime => Some(1),
            _ if column.ty.is_number() => Some(2),
            _ => None,
        };
        let comparable: Vec<(ColumnId, u8)> =
            own.iter_written_columns().filter_map(|(id, column)| Some((id, kind(column)?))).collect();
        if comparable.len() < 2 {
            return None;
        }
        let columns: Vec<Named<'_>> = comparable
            .iter()
            .filter_map(|(id, kind)| {
                let name = own.columns.get(*id)?.name.as_str();
                let (read, used) =
                    (direct.columns.contains(&(*relation, *id)), key.columns.contains(&(*relation, *id)));
                // What only follows from a column is neither.
                Some(Named { name, kind: if read || !used { *kind } else { 0 }, read })
            })
            .collect();
        let list_texts = || {
            let cells = |id: ColumnId| cx.facts().lookup_column(*relation, id).closed;
            let lists: Vec<SharedList<Value>> = own.columns.keys().filter_map(cells).collect();
            let texts = lists.iter().flat_map(|values| values.iter().filter_map(Value::as_text).take(MAX_TEXTS));
            texts.collect::<Vec<_>>().join(" ")
        };
        let (asked, read) = find_sibling(&Hints::from_text(&telling.prompt), &columns, list_texts)?;
        let (asked, read) = (comparable.get(asked)?.0, comparable.get(read)?.0);
        // A word can name another column: `HOME`, next to `HOME_GOALS`.
        let words = split_words(&own.columns.get(asked)?.name);
        let names_asked = |column: &hir::Column| split_words(&column.name).iter().all(|word| words.contains(word));
        let mut others = own.columns.iter_enumerated().filter(|(id, _)| *id != asked && *id != read);
        let is_other = others.any(|(id, column)| direct.columns.contains(&(*relation, id)) && names_asked(column));
        (!is_other).then_some(((*relation, asked), (*relation, read)))
    })
}

/// Checks whether the prompt has the name of a column as it is declared: in backticks, or as a word that is not prose.
fn is_named(prompt: &str, name: &str) -> bool {
    let is_marked = prompt.contains(&format!("`{name}`"));
    let is_prose = name.chars().all(|c| c.is_lowercase());
    let is_short = name.chars().count() < 3;
    is_marked || !is_prose && !is_short && has_word(prompt, name)
}

fn is_comparable(a: &hir::Column, b: &hir::Column) -> bool {
    let class = |column: &hir::Column| match column.ty.kind {
        TyKind::Int | TyKind::Decimal(_) | TyKind::Float => 1,
        TyKind::Text => 2,
        TyKind::Date | TyKind::DateTime => 3,
        TyKind::Bool => 4,
        _ => 0,
    };
    class(a) != 0 && class(a) == class(b)
}

/// Checks whether a word for an aggregate is before the column: which column is aggregated is told elsewhere.
fn is_after_aggregate(prompt: &str, name: &str) -> bool {
    prompt.match_indices(name).any(|(at, _)| {
        let before = prompt.get(..at).unwrap_or_default();
        let words = list_first_words(before, usize::MAX);
        words.iter().rev().take(3).any(|word| has_listed(AGGREGATES, word))
    })
}

/// Checks whether a sentence with the column says that it does not count: "Their YEAR does not matter."
fn is_dismissed(prompt: &str, name: &str) -> bool {
    prompt.split(['.', ';', '?', '!']).filter(|sentence| has_word(sentence, name)).any(|sentence| {
        let words = join_blanks(&sentence.to_lowercase());
        DISMISSING.split(", ").any(|phrase| words.contains(phrase))
    })
}

/// Collects the names in the form of the answer: keys of objects, and columns of results.
fn collect_keys(task: &Task, way: &Way<'_>) -> BTreeSet<String> {
    let mut keys = BTreeSet::new();
    for value in way.asked.iter_answers() {
        value.visit_through_names(task, &mut |part: &Expr| {
            if let ExprKind::Object(fields) = &part.kind {
                keys.extend(fields.iter().map(|(key, _)| key.to_lowercase()));
            }
            if let TyKind::Rows(columns) = &part.ty.kind {
                keys.extend(columns.iter().map(|(name, _)| name.to_lowercase()));
            }
        });
    }
    keys
}

fn build_diagnostic(task: &Task, telling: &Telling, way: &Way<'_>, named: Place, read: Place) -> Option<Diagnostic> {
    let relation = task.relations.get(named.0)?;
    let (a, b) = (relation.columns.get(named.1)?, relation.columns.get(read.1)?);
    let answer: Option<Span> = way.asked.iter_answers().map(|value| value.span).next();
    let computed = way.asked.iter_answers().next().map(|value| value.resolve_name(task).span);
    let computed = computed.filter(|place| Some(*place) != answer);
    let message = format!("the prompt names `{}`, but the answer reads `{}`", a.name, b.name);
    Some(
        Diagnostic::new(
            Code::UNREAD_COLUMN,
            message,
            answer.unwrap_or(telling.span),
            format!("does not read `{}`", a.name),
        )
        .with_labels(computed.map(|place| (place, format!("reads `{}`", b.name))))
        .label(telling.span, format!("names `{}`, not `{}`", a.name, b.name))
        .note("this is judged by the names in the prompt, which can be wrong")
        .help(format!("read `{}` in the expected value, or name `{}` in the prompt", a.name, b.name)),
    )
}
