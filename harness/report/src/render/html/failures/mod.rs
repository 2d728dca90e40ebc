//! Failures by reason, with an expandable line for each. A script filters and searches them; without it, all are listed.

mod entry;
mod one;
mod side_by_side;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use records::Status;

use super::escape::{encode_anchor, escape_html};
use super::marks;
use super::page::Page;
use super::table;
use crate::model::RunReport;
use crate::model::lines::collect_unique;
use crate::overview::Overview;
use crate::render::words::format_count;
use entry::{Entry, Why, collect_entries};

/// Writes the failures of all runs. Writing to a String cannot fail.
pub fn write_failures(out: &mut String, page: &Page<'_>, overview: &Overview) {
    table::open_chapter(out, "failures", "Failures");
    let entries = collect_entries(page, overview);
    write_counts(out, page);
    if !entries.is_empty() {
        write_filters(out, page, &entries);
        out.push_str("<p class=\"note\" id=\"matched\" role=\"status\"></p>");
    }
    let mut groups: BTreeMap<&Why, Vec<&Entry<'_>>> = BTreeMap::new();
    for entry in &entries {
        groups.entry(&entry.why).or_default().push(entry);
    }
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_by_key(|(_, entries)| std::cmp::Reverse(entries.len()));
    for (why, entries) in groups {
        let id = build_group_id(&why.code);
        let _ = write!(
            out,
            "<section class=\"reason\" aria-labelledby=\"{id}\"><h3 id=\"{id}\"><code>{}</code> · <span class=\"count\">{}</span> <span class=\"dim\">{}</span></h3>",
            escape_html(&why.code),
            entries.len(),
            escape_html(if why.words == why.code { "" } else { why.words })
        );
        for entry in entries {
            one::write_failure(out, entry);
        }
        out.push_str("</section>");
    }
    out.push_str("</section>");
}

/// Returns the id of the group of a reason or status.
fn build_group_id(code: &str) -> String {
    format!("reason-{}", encode_anchor(code))
}

/// Returns the id of the group of a run's failures with this status; `None` if no such failure is listed.
pub fn find_group_id(page: &Page<'_>, run: usize, status: Status) -> Option<String> {
    let shown = &page.details.get(run)?.shown;
    let why = shown.iter().find(|detail| detail.failure.status == status).map(Why::from_detail)?;
    (why.code == status.word()).then(|| build_group_id(&why.code))
}

/// Writes the number of failures, and how many are listed.
fn write_counts(out: &mut String, page: &Page<'_>) {
    let runs = &page.report.runs;
    let of = |run: &RunReport| {
        let name = if runs.len() > 1 { format!("{}: ", run.name) } else { String::new() };
        format!("{name}{} of {}", run.failures.len(), format_count(run.whole.share.of, "response"))
    };
    let each: Vec<String> = runs.iter().map(of).collect();
    let _ = write!(out, "<p>Not correct: {}.</p>", escape_html(&each.join(" · ")));
    let (shown, more) =
        page.details.iter().fold((0, 0), |(shown, more), one| (shown + one.shown.len(), more + one.more));
    if more > 0 {
        let _ = write!(
            out,
            "<p>{shown} of {} failures are listed, taken from the tasks in turn. <code>--failures N</code> lists more of each run, and <code>--json</code> lists all.</p>",
            shown + more
        );
    }
}

/// Writes the filter chips, each with its number of failures. A script activates them.
fn write_filters(out: &mut String, page: &Page<'_>, entries: &[Entry<'_>]) {
    out.push_str("<div class=\"filters\" hidden><label>Search <input type=\"search\" id=\"search\" autocomplete=\"off\"></label>");
    let runs = page.report.runs.iter().enumerate();
    let runs =
        runs.map(|(at, run)| (at.to_string(), format!("{}{}", marks::draw_symbol(at), format_chip_name(&run.name))));
    write_chips(out, "Run", "run", runs.collect(), entries, |entry| entry.run.to_string());
    let texts = |of: fn(&Entry<'_>) -> String| -> Vec<(String, String)> {
        collect_unique(entries.iter().map(of)).into_iter().map(|text| (text.clone(), format_chip_name(&text))).collect()
    };
    let (part, reason) = (|entry: &Entry<'_>| entry.part.clone(), |entry: &Entry<'_>| entry.why.code.clone());
    write_chips(out, "Task", "part", texts(part), entries, part);
    write_chips(out, "Reason", "reason", texts(reason), entries, reason);
    if entries.iter().any(|entry| entry.alone) {
        out.push_str("<div class=\"chips\" role=\"group\" aria-label=\"Others\">");
        write_chip(
            out,
            "alone",
            "1",
            &format_chip_name("only this run fails"),
            entries.iter().filter(|entry| entry.alone).count(),
        );
        out.push_str("</div>");
    }
    out.push_str("</div>");
}

fn write_chips(
    out: &mut String,
    label: &str,
    key: &str,
    values: Vec<(String, String)>,
    entries: &[Entry<'_>],
    of: impl Fn(&Entry<'_>) -> String,
) {
    let counted = values.into_iter().map(|(value, words)| {
        let count = entries.iter().filter(|entry| of(entry) == value).count();
        (value, words, count)
    });
    let counted: Vec<_> = counted.filter(|(_, _, count)| *count > 0).collect();
    if counted.len() < 2 {
        return;
    }
    let _ =
        write!(out, "<div class=\"chips\" role=\"group\" aria-label=\"{label}\"><span class=\"dim\">{label}</span>");
    for (value, words, count) in counted {
        write_chip(out, key, &value, &words, count);
    }
    out.push_str("</div>");
}

/// Formats the name of a chip as HTML, which the style cuts if it is too long.
fn format_chip_name(text: &str) -> String {
    format!("<span class=\"words\">{}</span>", escape_html(text))
}

/// Writes a chip; `words` is HTML.
fn write_chip(out: &mut String, key: &str, value: &str, words: &str, count: usize) {
    let _ = write!(
        out,
        "<button type=\"button\" class=\"chip\" aria-pressed=\"false\" data-key=\"{key}\" data-value=\"{}\">{words}<span class=\"count\">{count}</span></button>",
        escape_html(value)
    );
}
