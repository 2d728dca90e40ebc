//! Right replies in other styles: the answer of the oracle in marks and with a period, in a part between two marks, and in each form that is told. All must be correct; without the marks, none.

use std::collections::BTreeSet;

use model::Value;
use model::answer_key::{Expected, Slice, Subject};
use model::suite::Matcher;
use model::value::RowSet;
use model::wrapping::list_unwrapped;
use records::Instance;

use super::compose::{Part, enclose_text, list_candidates};
use super::told::list_told_styles;
use super::write::render_forms;
use super::{Solution, build_part, score_expectations};
use crate::describe::describe_subject;
use crate::matchers::rows::list_ties;
use crate::start_files::StartFiles;

/// The text before a wrong answer, between it and the right one, and after that.
const AROUND: [&str; 3] = ["First I thought of ", ". Then I saw that it is ", "\nThis is it."];

/// Returns the first reply that is judged wrongly, described for people: `reply number rejects **5**`; `None` if all are judged as they must be.
pub fn find_misread_style(instance: &Instance, start: &dyn StartFiles) -> Option<String> {
    let of_reply = |expect: &&Expected| matches!(expect.subject, Subject::Reply(_));
    let asked: Vec<&Expected> = instance.expects.iter().filter(of_reply).collect();
    asked.iter().find_map(|expect| find_misread_of(instance, expect, &asked, start))
}

fn find_misread_of(
    instance: &Instance,
    expect: &Expected,
    asked: &[&Expected],
    start: &dyn StartFiles,
) -> Option<String> {
    let Subject::Reply(slice) = &expect.subject else { return None };
    // Several expectations of the whole reply limit each other.
    if expect.at.is_some() || slice.is_none() && asked.len() > 1 {
        return None;
    }
    let is_right = |reply: String| {
        let solution = Solution { reply, ..Solution::default() };
        score_expectations(instance, &solution, &[expect], start).correct
    };
    let write = |form: &str| {
        let part = Part { forms: vec![form.to_owned()], ..build_part(expect) };
        list_candidates(&[part]).next().unwrap_or_default()
    };
    // The form in which the oracle is right.
    let form = build_part(expect).forms.into_iter().find(|form| is_right(write(form)))?;
    let who = format!("{} {}", describe_subject(expect), expect.matcher.word());
    let styles = [format!("**{form}**"), format!("{form}.")];
    let has_plain = |style: &&String| list_unwrapped(style).contains(&form);
    let wrapped = styles.iter().filter(has_plain).filter(|_| expect.matcher.record().is_unwrapped());
    let wrapped: Vec<String> = wrapped.map(|style| write(style)).collect();
    let rows = list_row_styles(expect).into_iter().chain(list_told_styles(expect)).map(|form| write(&form));
    if let Some(style) = wrapped.into_iter().chain(rows).find(|reply| !is_right(reply.clone())) {
        return Some(format!("`{who}` rejects {style:?}"));
    }
    let Some(slice @ (Slice::Tag(_) | Slice::Between(..))) = slice else { return None };
    // What has the marks in it may be a part itself.
    let (open, close) = split_marks(slice);
    let has_marks = |text: &str| text.contains(&open) || text.contains(&close);
    let [before, between, after] = AROUND;
    if AROUND.into_iter().all(|text| !has_marks(text)) {
        let (wrong, right) = (enclose_text(slice, "x"), enclose_text(slice, &form));
        let around = format!("{before}{wrong}{between}{right}{after}");
        if !is_right(around.clone()) {
            return Some(format!("`{who}` rejects {around:?}"));
        }
    }
    if has_marks(&form) {
        return None;
    }
    let broken = [form.clone(), format!("{open}{form}")];
    broken.into_iter().find(|reply| is_right(reply.clone())).map(|reply| format!("`{who}` accepts {reply:?}"))
}

/// Writes expected rows with another column before theirs, if that is allowed, and with rows that tie in the opposite order.
fn list_row_styles(expect: &Expected) -> Vec<String> {
    const EXTRA: &str = "extra";
    let Some(Value::Rows(set)) = expect.single_value().filter(|_| expect.matcher == Matcher::Rows) else {
        return Vec::new();
    };
    let options = expect.whole_options();
    let names: BTreeSet<String> = set.columns.iter().map(|name| name.trim().to_lowercase()).collect();
    let mut styles: Vec<RowSet> = Vec::new();
    if options.open && names.len() == set.columns.len() && !names.contains(EXTRA) {
        let columns = std::iter::once(EXTRA.to_owned()).chain(set.columns.iter().cloned()).collect();
        let row = |row: &Vec<Value>| std::iter::once(Value::from_text(EXTRA)).chain(row.iter().cloned()).collect();
        styles.push(RowSet { columns, rows: set.rows.iter().map(row).collect() });
    }
    if !options.sorted_by.is_empty() {
        let ties = list_ties(set, &options.sorted_by).into_iter();
        let rows = ties.flat_map(|tie| tie.iter().rev().cloned()).collect();
        styles.push(RowSet { columns: set.columns.clone(), rows });
    }
    let write = |set| render_forms(expect.matcher, &Value::Rows(set), "").into_iter().next();
    styles.into_iter().filter_map(write).collect()
}

/// Returns the marks around a part.
fn split_marks(slice: &Slice) -> (String, String) {
    const HERE: &str = "\u{0}";
    let enclosed = enclose_text(slice, HERE);
    let (open, close) = enclosed.split_once(HERE).unwrap_or_default();
    (open.to_owned(), close.to_owned())
}
