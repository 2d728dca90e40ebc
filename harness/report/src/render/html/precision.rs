//! How the accuracy converges with the number of samples, and how many samples are sufficient.

use std::fmt::Write as _;

use super::escape::escape_html;
use super::marks::{self, draw_at, format_place};
use super::page::Page;
use super::table;
use crate::model::RunReport;
use crate::model::share::Share;
use crate::render::section::Section;
use crate::render::words::{format_count, format_with_interval};

/// The share of a sample count's place that its runs fill: their intervals must not overlap.
const FILLED: f64 = 0.6;

/// Writes the collapsed section; `tables` are the same numbers, and the sizes. Writing to a String cannot fail.
pub fn write_precision(out: &mut String, page: &Page<'_>, tables: &[Section]) {
    out.push_str("<details class=\"chapter\" id=\"precision\"><summary><h2>Precision</h2> <span class=\"dim\">how accuracy settles with samples, and how many are needed</span></summary>");
    write_chart(out, &page.report.runs);
    table::write_tables(out, tables, "precision");
    out.push_str("</details>");
}

fn write_chart(out: &mut String, runs: &[RunReport]) {
    let mut stops: Vec<u32> = runs.iter().flat_map(|run| &run.progress.points).map(|point| point.samples).collect();
    stops.sort_unstable();
    stops.dedup();
    if stops.len() < 2 {
        return;
    }
    out.push_str("<figure class=\"chart\"><figcaption>Accuracy after the first n samples of each task, % with 95% CI</figcaption><div class=\"plot\">");
    out.push_str("<div class=\"down\" aria-hidden=\"true\"><span>100</span><span>75</span><span>50</span><span>25</span><span>0</span></div>");
    let _ = write!(out, "<svg role=\"img\" aria-label=\"{}\" focusable=\"false\">", escape_html(&describe_chart(runs)));
    for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let _ = write!(out, "<line class=\"grid\" x1=\"0%\" x2=\"100%\" y1=\"{0}\" y2=\"{0}\"/>", format_place(share));
    }
    let slot = 1.0 / stops.len() as f64;
    for (number, run) in runs.iter().enumerate() {
        let offset = ((number as f64 + 0.5) / runs.len() as f64 - 0.5) * FILLED * slot;
        let points = stops.iter().enumerate().filter_map(|(place, stop)| {
            let point = run.progress.points.iter().find(|point| point.samples == *stop)?;
            Some(((place as f64 + 0.5) * slot + offset, *stop, &point.share))
        });
        draw_curve(out, number, &run.name, &points.collect::<Vec<_>>());
    }
    out.push_str("</svg><div class=\"across\" aria-hidden=\"true\">");
    for stop in &stops {
        let _ = write!(out, "<span>{stop}</span>");
    }
    out.push_str("</div><p class=\"unit\">samples of each task</p></div></figure>");
}

/// Draws a run's curve through its points, each (place, samples, accuracy).
fn draw_curve(out: &mut String, number: usize, name: &str, points: &[(f64, u32, &Share)]) {
    let down = |share: f64| format_place(1.0 - share);
    let _ = write!(out, "<g class=\"{}\" data-run=\"{number}\">", marks::build_class(number));
    for pair in points.windows(2) {
        if let [(x1, _, from), (x2, _, to)] = pair {
            let _ = write!(
                out,
                "<line class=\"curve\" x1=\"{}\" x2=\"{}\" y1=\"{}\" y2=\"{}\"/>",
                format_place(*x1),
                format_place(*x2),
                down(from.accuracy),
                down(to.accuracy)
            );
        }
    }
    for (x, samples, share) in points {
        let samples = format_count(u64::from(*samples), "sample");
        let words = escape_html(&format!("{name}, {samples}: {}", format_with_interval(share)));
        let _ = write!(
            out,
            "<g><title>{words}</title><line class=\"bar thin\" x1=\"{0}\" x2=\"{0}\" y1=\"{1}\" y2=\"{2}\"/>{3}</g>",
            format_place(*x),
            down(share.interval.low),
            down(share.interval.high),
            draw_at(number, *x, 1.0 - share.accuracy)
        );
    }
    out.push_str("</g>");
}

/// Describes the chart for screen readers: the last point of each run.
fn describe_chart(runs: &[RunReport]) -> String {
    let last = |run: &RunReport| {
        let point = run.progress.points.last()?;
        let samples = format_count(u64::from(point.samples), "sample");
        Some(format!("{}: {} after {samples}", run.name, format_with_interval(&point.share)))
    };
    let ends: Vec<String> = runs.iter().filter_map(last).collect();
    format!("Accuracy after the first n samples. {}. The table below has all values.", ends.join("; "))
}
