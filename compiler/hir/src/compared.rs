//! The texts of an answer of which not every difference counts, and the values that they can have.

use model::Value;
use model::answer_key::Panel;
use model::suite::matchers::{Ignores, Takes};
use model::suite::{ColumnId, Ignore, Matcher, RelationId};

use crate::origins::{self, Place};
use crate::types::TyKind;
use crate::{ColumnSource, DrawDomain, Expect, Expr, ExprKind, NameSource, Subject, Task};

/// Lists the columns that the build must check, each with the JSON pointer of the value that can come from it: `/*/2` is the third column of rows.
pub fn list_unproven_columns(task: &Task, expect: &Expect) -> Vec<(String, RelationId, ColumnId)> {
    if !has_ignore_options(expect) {
        return Vec::new();
    }
    let of = |leaf: &ComparedText<'_>| {
        let places = origins::find_columns(task, leaf.value, leaf.output);
        let open = places.into_iter().filter(|place| list_column_values(task, *place).is_none());
        let pointer = leaf.output.map_or_else(|| leaf.pointer.clone(), |output| format!("{}/*/{output}", leaf.pointer));
        open.map(move |(relation, column)| (pointer.clone(), relation, column)).collect::<Vec<_>>()
    };
    list_compared_texts(expect).iter().filter(|leaf| !leaf.ignore.is_empty()).flat_map(of).collect()
}

/// Checks whether `ignore` decides whether a reply is this answer.
pub fn has_ignore_options(expect: &Expect) -> bool {
    let takes_words = expect.matcher.record().ignores == Ignores::Differences;
    takes_words && expect.options.iter().any(|(_, options)| !options.ignore.is_empty())
}

/// Checks whether the marks around a reply to this expectation do not belong to the answer.
pub fn is_unwrapped(expect: &Expect) -> bool {
    matches!(expect.subject, Subject::Reply(_)) && expect.matcher.record().is_unwrapped()
}

/// An expected text, or a column or list of them.
pub struct ComparedText<'e> {
    /// Its value.
    pub value: &'e Expr,
    /// Its JSON pointer in the answer.
    pub pointer: String,
    /// The index of the output column of a query.
    pub output: Option<usize>,
    /// The differences that its comparison ignores.
    pub ignore: &'e [Ignore],
    /// Whether the marks around it do not belong to it.
    pub is_unwrapped: bool,
    /// Texts in the same list, none of which may equal it.
    pub listed: Vec<&'e Expr>,
}

/// Collects the texts of an answer that are compared with `ignore`, or without the marks around them.
pub fn list_compared_texts(expect: &Expect) -> Vec<ComparedText<'_>> {
    let Some(value) = expect.answer_expr() else { return Vec::new() };
    let takes = expect.matcher.record().takes;
    let mut found: Vec<(&Expr, String)> = Vec::new();
    match takes {
        Takes::Json | Takes::List => found.extend(value.list_leaves()),
        // Each accepted answer is a leaf, because each is correct.
        _ if expect.is_any_of() => found.extend(value.list_leaves()),
        _ => found.push((value, String::new())),
    }
    let items = match &value.kind {
        ExprKind::List(items) if takes == Takes::List && !expect.is_any_of() => items.as_slice(),
        _ => &[],
    };
    let is_unwrapped = is_unwrapped(expect);
    let mut leaves = Vec::new();
    for (value, pointer) in found {
        let ignore = expect.find_governing_options(&pointer).map_or(&[][..], |options| options.ignore.as_slice());
        if ignore.is_empty() && !is_unwrapped || !value.ty.may_hold_text() {
            continue;
        }
        match &value.ty.kind {
            TyKind::Rows(columns) => {
                let texts = columns.iter().enumerate().filter(|(_, (_, ty))| ty.may_hold_text());
                leaves.extend(texts.map(|(at, _)| ComparedText {
                    value,
                    pointer: pointer.clone(),
                    output: Some(at),
                    ignore,
                    is_unwrapped,
                    listed: Vec::new(),
                }));
            }
            _ => {
                let others = items.iter().filter(|item| item.as_constant().is_some() && !std::ptr::eq(*item, value));
                leaves.push(ComparedText {
                    value,
                    pointer,
                    output: None,
                    ignore,
                    is_unwrapped,
                    listed: others.collect(),
                });
            }
        }
    }
    leaves
}

/// Finds all values that the answer of a reply, or a text that a file must contain, can have, if they are those of one column or list: naming all of them says
/// nothing.
pub fn find_panel(task: &Task, expect: &Expect) -> Panel {
    let is_single = !matches!(expect.matcher.record().takes, Takes::List | Takes::Rows | Takes::Json);
    let of_file = matches!(expect.subject, Subject::File(_)) && expect.matcher == Matcher::Contains;
    let is_tried = (matches!(expect.subject, Subject::Reply(_)) || of_file) && !expect.is_any_of();
    let Some(value) = expect.answer_expr().filter(|_| is_single && is_tried) else { return Panel::Open };
    let mut places = origins::find_columns(task, value, None).into_iter();
    if let (Some(place), None) = (places.next(), places.next()) {
        let listed = list_column_values(task, place);
        return listed.map_or(Panel::Column(place.0, place.1), Panel::from_values);
    }
    let source = match value.resolve_name(task).kind {
        ExprKind::Name(id) => task.names.get(id).map(|name| &name.source),
        _ => None,
    };
    let Some(NameSource::Draw { draw, .. }) = source else { return Panel::Open };
    list_domain_values(task, &draw.domain).map_or(Panel::Open, Panel::from_values)
}

/// Lists all values that a column can have, if they are known before anything is drawn.
pub fn list_column_values(task: &Task, place: Place) -> Option<Vec<Value>> {
    match &task.find_column(place)?.source {
        ColumnSource::Given(given) => Some(given.cells.values.to_vec()),
        ColumnSource::Draw { draw, .. } => list_domain_values(task, &draw.domain),
        _ => None,
    }
}

/// Lists all values of a domain that is a list.
fn list_domain_values(task: &Task, domain: &DrawDomain) -> Option<Vec<Value>> {
    match domain {
        DrawDomain::Fixed(domain) => domain.list_values().map(|values| values.to_vec()),
        DrawDomain::OneOf(items) => items.iter().map(|item| item.resolve_name(task).as_constant().cloned()).collect(),
        _ => None,
    }
}
