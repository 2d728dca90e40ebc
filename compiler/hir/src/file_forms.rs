//! The forms in which an answer may have a date because a file of the task has it so: copying what the file has is right.

use std::collections::BTreeSet;

use model::pointer::escape_step;
use model::suite::matchers::Reads;
use model::suite::{Matcher, Options, Style, Told};
use model::{Date, DateTime, Value};
use tables::{CellType, Pattern};

use crate::origins::{self, Place};
use crate::read_tables::find_date_order;
use crate::types::{Ty, TyKind};
use crate::{ColumnSource, Expect, Expr, ExprKind, Task};

/// A date, or a list or column of dates, of an answer.
struct Days<'e> {
    /// The pointer of its options.
    pointer: String,
    ty: CellType,
    /// Where its values come from: an expression, and the output column of a query.
    sources: Vec<(&'e Expr, Option<usize>)>,
}

/// Returns the options of an expectation with the forms that files of the task add; `None` if they add none.
///
/// They add the pattern of a column from which an expected date is copied. If it reads a text as another day than a form of the author does, it is left
/// out; if two of them read one text as two days, all are.
pub fn add_file_forms(task: &Task, expect: &Expect) -> Option<Vec<(String, Options)>> {
    let mut options = expect.options.clone();
    let mut is_changed = false;
    for days in list_days(expect) {
        let own = options.iter().position(|(at, _)| *at == days.pointer);
        // Without options of its own, it has those of the nearest value around it.
        let around = options.iter().filter(|(at, _)| is_around(at, &days.pointer)).max_by_key(|(at, _)| at.len());
        let around = around.map(|(_, around)| around.clone()).unwrap_or_default();
        let told = own.and_then(|at| options.get(at)).map_or(&around.written, |(_, own)| &own.written);
        let forms = find_forms(task, &days, told);
        if forms.is_empty() {
            continue;
        }
        is_changed = true;
        let at = own.unwrap_or_else(|| {
            let first = if days.pointer.is_empty() { 0 } else { options.len() };
            options.insert(first, (days.pointer.clone(), Options::default().or_whole(&around)));
            first
        });
        if let Some((_, own)) = options.get_mut(at) {
            own.written.extend(forms);
        }
    }
    is_changed.then_some(options)
}

/// Checks whether the value at a pointer contains the one at another pointer.
fn is_around(pointer: &str, inner: &str) -> bool {
    inner.strip_prefix(pointer).is_some_and(|rest| rest.starts_with('/'))
}

/// Lists the dates of an answer that is read as text.
fn list_days(expect: &Expect) -> Vec<Days<'_>> {
    let Some(value) = expect.answer_expr().filter(|_| expect.matcher.record().reads == Reads::Text) else {
        return Vec::new();
    };
    let accepted = match &value.kind {
        ExprKind::List(items) if expect.is_any_of() => items.as_slice(),
        _ => std::slice::from_ref(value),
    };
    let mut found: Vec<Days<'_>> = Vec::new();
    let mut add = |pointer: String, ty: CellType, source| match found.iter_mut().find(|own| own.pointer == pointer) {
        Some(own) if own.ty == ty => own.sources.push(source),
        Some(_) => {}
        None => found.push(Days { pointer, ty, sources: vec![source] }),
    };
    for item in accepted {
        match (expect.matcher, &item.ty.kind) {
            (Matcher::Date | Matcher::List, _) => {
                if let Some(ty) = find_day_type(&item.ty) {
                    add(String::new(), ty, (item, None));
                }
            }
            (Matcher::Rows, TyKind::Rows(columns)) => {
                for (at, (name, ty)) in columns.iter().enumerate() {
                    if let Some(ty) = find_day_type(ty) {
                        add(format!("/*/{}", escape_step(name)), ty, (item, Some(at)));
                    }
                }
            }
            (Matcher::Json, _) if !expect.is_any_of() => {
                for (leaf, pointer) in item.list_leaves() {
                    match &leaf.ty.kind {
                        // The objects of rows have the options of the list.
                        TyKind::Rows(columns) => {
                            let days = columns.iter().enumerate();
                            days.filter_map(|(at, (_, ty))| Some((at, find_day_type(ty)?)))
                                .for_each(|(at, ty)| add(pointer.clone(), ty, (leaf, Some(at))));
                        }
                        _ => find_day_type(&leaf.ty).into_iter().for_each(|ty| add(pointer.clone(), ty, (leaf, None))),
                    }
                }
            }
            _ => {}
        }
    }
    found
}

fn find_day_type(ty: &Ty) -> Option<CellType> {
    match &ty.kind {
        TyKind::Date => Some(CellType::Date),
        TyKind::DateTime => Some(CellType::DateTime),
        TyKind::List(item) => find_day_type(item),
        _ => None,
    }
}

/// Finds the forms that the files add to those that the author told.
fn find_forms(task: &Task, days: &Days<'_>, told: &[Told]) -> Vec<Told> {
    let places: BTreeSet<Place> =
        days.sources.iter().flat_map(|(value, output)| origins::find_columns(task, value, *output)).collect();
    if places.is_empty() {
        return Vec::new();
    }
    let parse = |source: &str| Pattern::parse(source, days.ty).ok();
    let own: Vec<Pattern> = told.iter().filter_map(|told| parse(&told.pattern)).collect();
    let mut found: Vec<Pattern> = Vec::new();
    for source in list_patterns(task, &places) {
        if told.iter().any(|told| told.pattern == source) || is_usual(&source) {
            continue;
        }
        let Some(pattern) = parse(&source) else { continue };
        if !pattern.is_year_guessed()
            && pattern.check_writing().is_ok()
            && !own.iter().any(|own| is_ambiguous(own, &pattern))
        {
            found.push(pattern);
        }
    }
    let is_doubtful =
        |(at, pattern): (usize, &Pattern)| found.iter().take(at).any(|other| is_ambiguous(other, pattern));
    if found.iter().enumerate().any(is_doubtful) {
        return Vec::new();
    }
    found.iter().map(Pattern::to_told).collect()
}

/// Lists the patterns with which files write or read cells of these columns, each once.
fn list_patterns(task: &Task, places: &BTreeSet<Place>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut add = |pattern: &String| {
        if !found.contains(pattern) {
            found.push(pattern.clone());
        }
    };
    for (relation, own) in task.relations.iter_enumerated() {
        for (column, declared) in own.columns.iter_enumerated() {
            if let ColumnSource::Given(given) = &declared.source
                && let Some(read) = &given.read
                && places.contains(&origins::find_source_column(task, (relation, column)))
            {
                read.written.iter().for_each(&mut add);
            }
        }
    }
    for file in &task.files {
        let (Some(form), [relation]) = (file.content.form(), file.content.relations()) else { continue };
        for styled in &form.styled {
            if places.contains(&origins::find_source_column(task, (*relation, styled.column))) {
                let patterns = styled.styles.iter().filter_map(|style| match style {
                    Style::Written { pattern, share, .. }
                        if share.as_ref().is_none_or(|share| !share.is_zero_share()) =>
                    {
                        Some(pattern)
                    }
                    _ => None,
                });
                patterns.for_each(&mut add);
            }
        }
    }
    found
}

/// Whether dates of a pattern are read without it, or in another order than year, month, and day although the year comes first: that is never read.
fn is_usual(pattern: &str) -> bool {
    let Some(order) = find_date_order(pattern) else { return false };
    order == "ydM" || order == "yMd" && pattern.chars().all(|char| "yMd-/.'THms: ".contains(char))
}

/// Whether two patterns read a text as two days.
fn is_ambiguous(one: &Pattern, other: &Pattern) -> bool {
    let values = [(2003, 4, 5), (2011, 12, 10), (2024, 1, 2)].into_iter().filter_map(|(year, month, day)| {
        let date = Date::new(year, month, day)?;
        Some([Value::Date(date), Value::DateTime(DateTime::new(date, 6, 7, 8)?)])
    });
    let mut texts = values.flatten().flat_map(|value| [one.write(&value), other.write(&value)]).flatten();
    texts.any(|text| matches!((one.read(&text), other.read(&text)), (Ok(a), Ok(b)) if !a.is_same(&b)))
}
