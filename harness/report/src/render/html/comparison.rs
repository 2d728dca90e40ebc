//! The accuracy of every run by task, variant, axis, and tag in one table: the largest differences come first.

use std::fmt::Write as _;

use statistics::Interval;

use super::escape::{escape_html, format_prose};
use super::marks::{self, AXIS};
use super::page::Page;
use super::table::{self, format_sort};
use crate::model::RunReport;
use crate::model::formats::Pattern;
use crate::model::share::Share;
use crate::overview::{Overview, Row};
use crate::render::section::Section;
use crate::render::words::{format_accuracy_percent, format_points};

/// Writes the comparison; `tables` are the same numbers as plain tables. Writing to a String cannot fail.
pub fn write_comparison(out: &mut String, page: &Page<'_>, overview: &Overview, tables: &[Section]) {
    table::open_chapter(out, "comparison", "Comparison");
    write_table(out, page, "task", &overview.tasks, overview.ranked.first().copied());
    if !overview.tags.is_empty() {
        write_table(out, page, "tag", &overview.tags, overview.ranked.first().copied());
    }
    table::write_folded(out, "Plain tables, and more about variants, expectations, and trials", tables, "accuracy");
    out.push_str("</section>");
}

fn write_table(out: &mut String, page: &Page<'_>, what: &str, rows: &[Row], best: Option<usize>) {
    let runs = &page.report.runs;
    let title = format!("Accuracy by {what}, % with 95% CI");
    let _ = write!(out, "<h3>{title}</h3><p class=\"note\">{}</p>", format_prose(&explain_scale(page, runs, best)));
    table::open_region(out, &title);
    let _ = write!(
        out,
        "<table class=\"compared\" role=\"table\"><caption>{title}</caption><thead role=\"rowgroup\"><tr role=\"row\"><th scope=\"col\" role=\"columnheader\">{what}</th>"
    );
    for (at, run) in runs.iter().enumerate() {
        let _ = write!(
            out,
            "<th scope=\"col\" role=\"columnheader\" data-run=\"{at}\"><span class=\"name\">{}{}</span>{AXIS}</th>",
            marks::draw_symbol(at),
            escape_html(&run.name)
        );
    }
    if runs.len() > 1 {
        out.push_str("<th scope=\"col\" role=\"columnheader\" class=\"number\" aria-sort=\"descending\">spread</th>");
    }
    out.push_str("</tr></thead>");
    for row in rows {
        out.push_str("<tbody role=\"rowgroup\">");
        write_row(out, page, row, None, best);
        for parts in &row.parts {
            for part in &parts.rows {
                write_row(out, page, part, Some(&parts.by), best);
            }
        }
        out.push_str("</tbody>");
    }
    out.push_str("</table></div>");
}

/// Explains the shaded part of each scale, and the order of rows.
fn explain_scale(page: &Page<'_>, runs: &[RunReport], best: Option<usize>) -> String {
    let order = if runs.len() > 1 {
        "Rows with the largest spread (the highest accuracy minus the lowest, in points) come first."
    } else {
        "The weakest come first."
    };
    match (page.least, best.and_then(|best| runs.get(best))) {
        (Some(least), _) => format!("{order} The line on each scale is at {least}% (`--fail-under`)."),
        (None, Some(best)) if runs.len() > 1 => {
            format!("{order} The shaded part of each scale is the interval of the best run, {}.", best.name)
        }
        _ => order.to_owned(),
    }
}

fn write_row(out: &mut String, page: &Page<'_>, row: &Row, by: Option<&str>, best: Option<usize>) {
    let (class, dim) = match by {
        Some(by) => (" class=\"part\"", format!("<span class=\"by\">{}</span> ", escape_html(by))),
        None => ("", String::new()),
    };
    let _ = write!(
        out,
        "<tr role=\"row\"{class}><th scope=\"row\" role=\"rowheader\"><span class=\"name\">{dim}{}</span></th>",
        escape_html(&row.name)
    );
    let reference = best.and_then(|best| row.shares.get(best)).and_then(Option::as_ref);
    for (at, share) in row.shares.iter().enumerate() {
        let name = page.report.runs.get(at).map_or("", |run| run.name.as_str());
        let pattern = row.patterns.get(at).copied().flatten();
        let reference = page.choose_reference(reference.filter(|_| Some(at) != best));
        write_cell(out, (at, name), share.as_ref(), pattern, reference);
    }
    if page.report.runs.len() > 1 {
        let (sort, spread) = (format_sort(row.spread), row.spread.map_or_else(|| "-".to_owned(), format_points));
        let _ = write!(
            out,
            "<td role=\"cell\" class=\"number spread\"{sort}><span class=\"who\">spread</span> {spread}</td>"
        );
    }
    out.push_str("</tr>");
}

fn write_cell(
    out: &mut String,
    (at, name): (usize, &str),
    share: Option<&Share>,
    pattern: Option<Pattern>,
    reference: Option<Interval>,
) {
    let who = format!("<span class=\"who\">{}{}</span>", marks::draw_symbol(at), escape_html(name));
    let Some(share) = share else {
        let _ = write!(out, "<td role=\"cell\" data-run=\"{at}\">{who}<span class=\"figure\">-</span></td>");
        return;
    };
    let _ = write!(
        out,
        "<td role=\"cell\" data-run=\"{at}\" data-sort=\"{:.9}\">{who}<span class=\"figure\"><b>{}</b> <span class=\"dim\">{}/{}</span></span>{}",
        share.accuracy,
        format_accuracy_percent(share),
        share.correct,
        share.of,
        marks::draw_scale(at, share, reference)
    );
    if let Some(weak) = pattern.filter(|pattern| !matches!(pattern, Pattern::None | Pattern::Balanced)) {
        let _ = write!(out, "<span class=\"badge\">weakness: {}</span>", weak.label());
    }
    out.push_str("</td>");
}
