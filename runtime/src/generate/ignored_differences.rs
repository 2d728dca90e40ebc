//! Checks whether `ignore` keeps the expected text apart from the other texts that could have been expected: those of its column in this instance,
//! and those next to it in a list. `check` has proved it for columns with known values.

use std::borrow::Cow;
use std::collections::HashSet;

use model::Value;
use model::answer_key::Answer;
use model::suite::matchers::{Ignores, Takes};
use model::suite::{Expect, Ignore};
use model::text_folding::{self, Always};
use model::value::RowSet;

use super::context::Eval;
use super::failures::{Res, fail_with_help};
use crate::failure::FailureKind;

/// Fails if another text would be accepted as an expected one.
pub(super) fn check_ignored_differences(eval: Eval<'_>, expect: &Expect, answer: &Answer) -> Res<()> {
    let record = expect.matcher.record();
    if record.ignores != Ignores::Differences || expect.options.iter().all(|(_, options)| options.ignore.is_empty()) {
        return Ok(());
    }
    for (pointer, relation, column) in &expect.columns {
        let ignore = list_ignored(expect, pointer);
        let expected = collect_texts(answer, pointer);
        if ignore.is_empty() || expected.is_empty() {
            continue;
        }
        let wanted: HashSet<_> = expected.iter().map(|text| fold_text(text, ignore)).collect();
        let table = eval.find_table(*relation)?;
        let Some(cells) = table.columns.get(*column) else { continue };
        let alike = (0..table.rows)
            .filter_map(|row| cells.text_at(row))
            .filter(|text| wanted.contains(&fold_text(text, ignore)));
        if let Some(pair) = text_folding::find_merged_pair(expected.iter().copied().chain(alike), ignore) {
            let relation = eval.cell.task.relations.get(*relation);
            let name = relation.and_then(|own| Some(format!("{}.{}", own.name, own.columns.get(*column)?.name)));
            return fail_merged(ignore, pair, &name.unwrap_or_default());
        }
    }
    // The answer key itself must keep the items of a list and the cells of a column apart.
    let ignore = list_ignored(expect, "");
    let groups = match answer {
        Answer::One(Value::List(_)) if record.takes == Takes::List => vec![collect_texts(answer, "")],
        Answer::One(Value::Rows(set)) => {
            (0..set.columns.len()).map(|at| collect_texts(answer, &format!("/*/{at}"))).collect()
        }
        _ => Vec::new(),
    };
    let pair = groups.iter().find_map(|group| text_folding::find_merged_pair(group.iter().copied(), ignore));
    pair.map_or(Ok(()), |pair| fail_merged(ignore, pair, ""))
}

/// Returns a text without the ignored differences.
fn fold_text<'t>(text: &'t str, ignore: &[Ignore]) -> Cow<'t, str> {
    text_folding::fold_text(text, ignore, Always::NEWEST)
}

/// Returns the ignored differences at a pointer.
fn list_ignored<'e>(expect: &'e Expect, pointer: &str) -> &'e [Ignore] {
    expect.find_governing_options(pointer).map_or(&[][..], |options| options.ignore.as_slice())
}

/// Returns the texts at a pointer of an answer, at any depth: `/*/2` are the cells of the third column of rows.
fn collect_texts<'v>(answer: &'v Answer, pointer: &str) -> Vec<&'v str> {
    let mut found = Vec::new();
    let steps: Vec<&str> = pointer.split('/').skip(1).collect();
    match answer {
        Answer::AnyOf(values) => {
            match steps.split_first().and_then(|(at, rest)| Some((at.parse::<usize>().ok()?, rest))) {
                Some((at, rest)) => values.get(at).into_iter().for_each(|value| gather_texts(value, rest, &mut found)),
                None => values.iter().for_each(|value| gather_texts(value, &[], &mut found)),
            }
        }
        answer => answer.accepted_values().iter().for_each(|value| gather_texts(value, &steps, &mut found)),
    }
    found
}

fn gather_texts<'v>(value: &'v Value, steps: &[&str], found: &mut Vec<&'v str>) {
    match (value, steps) {
        (Value::Text(text), []) => found.push(text),
        (Value::List(items), []) => items.iter().for_each(|item| gather_texts(item, &[], found)),
        (Value::List(items), [at, rest @ ..]) => {
            let item = at.parse::<usize>().ok().and_then(|at| items.get(at));
            item.into_iter().for_each(|item| gather_texts(item, rest, found));
        }
        (Value::Object(fields), [name, rest @ ..]) => {
            let name = model::pointer::unescape_step(name);
            let field = fields.iter().find(|(known, _)| *known == name.as_ref());
            field.into_iter().for_each(|(_, field)| gather_texts(field, rest, found));
        }
        (Value::Rows(set), ["*", column]) => gather_column_texts(set, column.parse().ok(), found),
        (Value::Rows(set), []) => (0..set.columns.len()).for_each(|at| gather_column_texts(set, Some(at), found)),
        _ => {}
    }
}

fn gather_column_texts<'v>(set: &'v RowSet, column: Option<usize>, found: &mut Vec<&'v str>) {
    let cells = set.rows.iter().filter_map(|row| row.get(column?));
    cells.for_each(|cell| gather_texts(cell, &[], found));
}

fn fail_merged<T>(ignore: &[Ignore], (first, second): (&str, &str), column: &str) -> Res<T> {
    let words = |kinds: &[Ignore]| kinds.iter().map(|kind| kind.word()).collect::<Vec<_>>().join(", ");
    let guilty = text_folding::find_merging_kinds(first, second, ignore);
    let place = if column.is_empty() { String::new() } else { format!(" of `{column}`") };
    let message = format!("`ignore {}` makes {first:?} and {second:?}{place} one answer", words(&guilty));
    let help = format!(
        "remove `{}` from `ignore`, draw values that differ in more, or redraw such samples with `require`",
        words(&guilty)
    );
    fail_with_help(FailureKind::FailedComputation, message, help)
}
