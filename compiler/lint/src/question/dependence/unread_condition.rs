//! `unread_condition`: the prompt states a drawn value as a condition, and no answer depends on it. A heuristic.

use std::collections::BTreeSet;

use model::suite::{ColumnId, FileId, NameId, RelationId};
use model::{Span, Value};

use super::flow::{Flow, Followed};
use super::template::{Placed, Template, ends_with_phrase, list_first_words};
use crate::context::TaskCx;
use crate::question::prompt_content::Way;
use crate::question::reads::collect_read_files;
use hir::types::TyKind;
use hir::{Arg, DrawDomain, Expr, ExprKind, NameSource, Task};
use names::words::{have_same_singular, split_words};
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::english::data::{
    BELONGS, BELONGS_IF_ASKED, COMPARISONS, EFFORT, LIMITS_AFTER, QUESTIONS, REPLIES, TIMES,
};
use syntax::prompts::has_listed;

/// The longest list of texts that is compared with the values of a column.
const MAX_TEXTS: usize = 50;

pub(super) fn report_unread_conditions<'a>(cx: &TaskCx<'a>, ways: &[Way<'a>], said: &mut Vec<Diagnostic>) {
    let task = cx.task;
    // A list of all questions: the value can be for another one.
    let mut used = Flow::new(task, Followed::All);
    task.iter_expects().for_each(|expect| used.add_expect(expect));
    let mut given = None;
    let mut known: BTreeSet<NameId> = BTreeSet::new();
    for way in ways.iter().filter(|way| way.tellings.iter().all(|telling| !telling.opaque)) {
        let mut key = Flow::new(task, Followed::Known);
        way.asked.expects.iter().for_each(|expect| key.add_expect(expect));
        let read = collect_relations(task, way, &key);
        if read.is_empty() || is_compared_with_itself(task, way) {
            continue;
        }
        for wording in &way.asked.prompts {
            let template = Template::from_wording(task, wording);
            for (id, value) in template.iter_names() {
                if used.names.contains(&id) || known.contains(&id) {
                    continue;
                }
                let Some(name) = task.names.get(id) else { continue };
                let Some(evidence) = find_evidence(task, name, &read) else { continue };
                let is_open = is_condition(&template, value, name, evidence) && !is_checked(task, id);
                if !is_open || is_told_of_goal(evidence, value.span, said) {
                    continue;
                }
                let given = given.get_or_insert_with(|| {
                    let mut given = Flow::new(task, Followed::All);
                    given.add_given();
                    given
                });
                if !given.names.contains(&id) {
                    known.insert(id);
                    said.push(build_diagnostic(name, value.span, way));
                }
            }
        }
    }
}

/// Checks whether it is told already that a goal lacks a condition on the column.
fn is_told_of_goal(evidence: Evidence<'_>, value: Span, said: &[Diagnostic]) -> bool {
    let lacks_condition = |known: &Diagnostic| {
        known.code == Code::UNASKED_CHANGE && known.secondary.iter().any(|label| label.span.is_enclosing(value))
    };
    matches!(evidence, Evidence::Column(_)) && said.iter().any(lacks_condition)
}

/// Collects the relations that the answers read, also through files.
fn collect_relations(task: &Task, way: &Way<'_>, key: &Flow<'_>) -> BTreeSet<RelationId> {
    let files: BTreeSet<FileId> =
        way.asked.iter_answers().flat_map(|value| collect_read_files(task, value, &BTreeSet::new())).collect();
    let of_files =
        task.relations.iter_enumerated().filter(|(_, own)| own.file.is_some_and(|file| files.contains(&file)));
    of_files.map(|(id, _)| id).chain(key.relations.iter().copied()).collect()
}

/// Checks whether an answer compares a column with itself, which is told elsewhere: the value was meant.
fn is_compared_with_itself(task: &Task, way: &Way<'_>) -> bool {
    let is_same = |part: &Expr| match &part.kind {
        ExprKind::Binary(_, sides) => {
            sides.0.as_constant().is_none() && sides.0.without_spans() == sides.1.without_spans()
        }
        _ => part.find_query().is_some_and(|sql| !sql.analysis.odd.confusions.is_empty()),
    };
    way.asked.iter_answers().any(|value| value.has_part_through_names(task, is_same))
}

/// Why a value can be a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Evidence<'a> {
    /// It is a number.
    Number,
    /// It is a date or a datetime.
    Time,
    /// It has the values of this column, which the answer could have compared with it.
    Column(&'a str),
}

/// Finds out whether a name can be a condition on the rows that the answer reads.
fn find_evidence<'a>(task: &'a Task, name: &'a hir::Name, read: &BTreeSet<RelationId>) -> Option<Evidence<'a>> {
    if let Some(place) = find_column(task, name, read) {
        return Some(Evidence::Column(&task.find_column(place)?.name));
    }
    if matches!(name.source, NameSource::Compute(_) | NameSource::Row) {
        return None;
    }
    match name.ty.kind {
        TyKind::Int | TyKind::Decimal(_) | TyKind::Float => Some(Evidence::Number),
        TyKind::Date | TyKind::DateTime => Some(Evidence::Time),
        _ => None,
    }
}

/// Finds the column of a table that the answer reads from which a name is drawn, or that has the values of the name.
fn find_column(task: &Task, name: &hir::Name, read: &BTreeSet<RelationId>) -> Option<(RelationId, ColumnId)> {
    let domain = name.source.draw().map(|draw| &draw.domain);
    if let Some(DrawDomain::Ref { relation, column, .. }) = domain {
        return read.contains(relation).then_some((*relation, *column));
    }
    if name.ty.kind != TyKind::Text {
        return None;
    }
    let values = list_texts(task, name);
    let fits = |column: &hir::Column| match column.source.draw().map(|draw| &draw.domain) {
        Some(of @ DrawDomain::Fixed(listed)) => {
            let has_all = |values: &[Value]| {
                let known = listed.list_values();
                known.is_some_and(|known| values.iter().all(|value| known.iter().any(|other| other.is_same(value))))
            };
            Some(of) == domain || !values.is_empty() && has_all(&values)
        }
        _ => false,
    };
    read.iter().find_map(|id| {
        let own = task.relations.get(*id)?;
        let mut columns = own.columns.iter_enumerated().filter(|(_, column)| !column.helper);
        columns.find(|(_, column)| fits(column)).map(|(column, _)| (*id, column))
    })
}

/// Lists the texts that an axis or a name drawn from a short list can be.
fn list_texts(task: &Task, name: &hir::Name) -> Vec<Value> {
    match &name.source {
        NameSource::Axis => {
            let own = task.axes.iter().filter(|axis| axis.name == name.name).flat_map(|axis| &axis.cells);
            own.filter_map(|(_, value)| value.as_constant().cloned()).collect()
        }
        NameSource::Draw { draw, .. } => match &draw.domain {
            DrawDomain::Fixed(domain) => {
                let listed = domain.list_values().filter(|values| values.len() <= MAX_TEXTS);
                listed.map(|values| values.iter().cloned().collect()).unwrap_or_default()
            }
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// Checks whether a value reads as a condition.
fn is_condition(template: &Template<'_>, value: &Placed<'_>, name: &hir::Name, evidence: Evidence<'_>) -> bool {
    let before = template.text_before(value);
    let after = list_first_words(template.text_after(value), 2);
    let first = list_first_words(before, 1);
    let is_order = first.first().is_some_and(|word| has_listed(REPLIES, word));
    if is_order || after.first().is_some_and(|word| has_listed(EFFORT, word)) {
        return false;
    }
    let is_number = matches!(name.ty.kind, TyKind::Int | TyKind::Decimal(_) | TyKind::Float);
    let is_time = matches!(name.ty.kind, TyKind::Date | TyKind::DateTime);
    let ends_limit = LIMITS_AFTER.split(", ").any(|phrase| after.join(" ") == phrase);
    if (is_number || is_time) && (ends_limit || ends_with_phrase(before, COMPARISONS)) {
        return true;
    }
    let asked = list_first_words(before, usize::MAX).iter().any(|word| has_listed(QUESTIONS, word));
    match evidence {
        Evidence::Number => false,
        Evidence::Time => asked && ends_with_phrase(before, TIMES),
        Evidence::Column(column) => {
            let words = split_words(column);
            let last = list_first_words(before, usize::MAX).pop();
            let is_column = last.is_some_and(|last| words.iter().any(|word| have_same_singular(word, &last)));
            is_column || asked && (ends_with_phrase(before, BELONGS) || ends_with_phrase(before, BELONGS_IF_ASKED))
        }
    }
}

/// Checks whether a `require` already guarantees the condition: then the prompt only describes it. A count of the rows that meet it does not.
fn is_checked(task: &Task, id: NameId) -> bool {
    task.iter_conditions().any(|condition| has_name_outside_of_filters(condition, id))
}

fn has_name_outside_of_filters(expr: &Expr, id: NameId) -> bool {
    match &expr.kind {
        ExprKind::Name(name) => *name == id,
        ExprKind::Call(_, args) => {
            args.iter().any(|arg| matches!(arg, Arg::Value(value) if has_name_outside_of_filters(value, id)))
        }
        _ => {
            let mut found = false;
            expr.visit_children(&mut |child, rows| found |= rows.is_none() && has_name_outside_of_filters(child, id));
            found
        }
    }
}

fn build_diagnostic(name: &hir::Name, place: Span, way: &Way<'_>) -> Diagnostic {
    let message = format!("the prompt states `{}`, but no answer depends on it", name.name);
    let expect = way
        .asked
        .expects
        .first()
        .map(|expect| (expect.answer_expr().map_or(expect.span, |value| value.span), "does not read it"));
    Diagnostic::new(Code::UNREAD_CONDITION, message, place, "reads like a condition")
        .with_labels(expect)
        .label(name.span, "declared here")
        .note("this is judged by the words before the value, which can be wrong")
        .help(format!("use `{}` in the expected value, or remove it from the prompt", name.name))
}
