//! The reply of the oracle in other styles: in marks and with a period, in a part between two marks, in each form that is told, and in the usual ones. All must be correct; without
//! the marks, or with day and month exchanged, none.

use std::collections::BTreeSet;

use model::Value;
use model::answer_key::{Expected, Slice, Subject};
use model::suite::Matcher;
use model::value::RowSet;
use model::wrapping::list_unwrapped;
use records::Instance;

use super::compose::{Part, enclose_text, list_candidates};
use super::told::list_told_styles;
use super::usual::{list_swapped_days, list_usual_styles};
use super::variant::{Variant, VariantKind};
use super::write::render_forms;
use super::{Solution, build_part, score_expectations};
use crate::describe::describe_subject;
use crate::matchers::rows::list_ties;
use crate::rules::Rules;
use crate::start_files::StartFiles;

/// The text before a wrong answer, between it and the right one, and after that.
const AROUND: [&str; 3] = ["First I thought of ", ". Then I saw that it is ", "\nThis is it."];

/// Lists the variants of the reply to an expectation; `asked` are all expectations of the instance.
pub(super) fn list_styles<'e>(
    instance: &Instance,
    expect: &'e Expected,
    asked: &[&Expected],
    start: &dyn StartFiles,
) -> Vec<Variant<'e>> {
    let Subject::Reply(slice) = &expect.subject else { return Vec::new() };
    // Several expectations of the whole reply limit each other.
    let of_reply = asked.iter().filter(|other| matches!(other.subject, Subject::Reply(_))).count();
    if expect.at.is_some() || slice.is_none() && of_reply > 1 {
        return Vec::new();
    }
    let write = |form: &str| {
        let part = Part { forms: vec![form.to_owned()], ..build_part(expect) };
        list_candidates(&[part]).next().unwrap_or_default()
    };
    let is_right = |form: &String| {
        let solution = Solution { reply: write(form), ..Solution::default() };
        score_expectations(instance, &solution, &[expect], start).correct
    };
    // The form in which the oracle is right.
    let Some(form) = build_part(expect).forms.into_iter().find(is_right) else { return Vec::new() };
    let who = format!("{} {}", describe_subject(expect), expect.matcher.word());
    let mut variants = Vec::new();
    let mut add = |kind: VariantKind, reply: String| {
        let (who, what) = (who.clone(), format!("{reply:?}"));
        variants.push(Variant { kind, expect, who, what, solution: Solution { reply, ..Solution::default() } });
    };
    let styles = [format!("**{form}**"), format!("{form}.")];
    let has_plain = |style: &&String| list_unwrapped(style).contains(&form);
    let wrapped = styles.iter().filter(has_plain).filter(|_| expect.matcher.record().is_unwrapped());
    wrapped.for_each(|style| add(VariantKind::Style, write(style)));
    let rules = Rules::from_scorer(instance.scorer);
    let forms = list_row_styles(expect).into_iter().chain(list_told_styles(expect));
    forms.chain(list_usual_styles(expect, rules)).for_each(|form| add(VariantKind::Style, write(&form)));
    list_swapped_days(expect).iter().for_each(|form| add(VariantKind::SwappedDay, write(form)));
    let Some(slice @ (Slice::Tag(_) | Slice::Between(..))) = slice else { return variants };
    // What has the marks in it may be a part itself.
    let (open, close) = split_marks(slice);
    let has_marks = |text: &str| text.contains(&open) || text.contains(&close);
    let [before, between, after] = AROUND;
    if AROUND.into_iter().all(|text| !has_marks(text)) {
        let (wrong, right) = (enclose_text(slice, "x"), enclose_text(slice, &form));
        add(VariantKind::Style, format!("{before}{wrong}{between}{right}{after}"));
    }
    if !has_marks(&form) {
        add(VariantKind::Unmarked, form.clone());
        add(VariantKind::Unmarked, format!("{open}{form}"));
    }
    variants
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
        let ties = list_ties(set, &options.sorted_by, |_| None).into_iter();
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
