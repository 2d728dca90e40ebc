//! Accuracy by axis: a chart next to its table, and a small chart for each task that shares the axis with others.

use std::fmt::Write as _;

use super::chart::Named;
use super::chart::lines::Lines;
use super::escape::escape_html;
use super::marks;
use super::page::Page;
use super::table;
use crate::model::RunReport;
use crate::model::curves::Point;
use crate::model::sweeps::{Cell, build_cells};
use crate::render::axes::{Key, find_points, find_task_points, list_axis_keys};
use crate::render::section::Section;

/// The sizes of charts in units: width, and height of the grid.
const WHOLE: (f64, f64) = (360.0, 190.0);
const SMALL: (f64, f64) = (240.0, 110.0);
/// Small charts are unreadable, and left out, with more tasks, runs, or values.
const MAX_TASKS: usize = 12;
const MAX_RUNS: usize = 4;
const MAX_CELLS: usize = 8;

/// Writes the section, if there are axes; `tables` are those of [`list_axis_keys`], and `of_tasks` those by task. Writing to a String cannot fail.
pub fn write_axes(out: &mut String, page: &Page<'_>, tables: &[Section], of_tasks: &[Section]) {
    if tables.is_empty() {
        return;
    }
    table::open_chapter(out, "axes", "Accuracy by axis");
    for (at, (key, section)) in list_axis_keys(&page.report.runs).into_iter().zip(tables).enumerate() {
        write_axis(out, page, key, section, &format!("axis{at}"));
    }
    table::write_folded(out, "The same by task", of_tasks, "axis-of-task");
    out.push_str("</section>");
}

fn write_axis(out: &mut String, page: &Page<'_>, key: Key<'_>, section: &Section, id: &str) {
    let runs = &page.report.runs;
    let of_runs: Vec<&[Point]> = runs.iter().map(|run| find_points(run, key)).collect();
    table::open_section(out, id, &section.title);
    out.push_str("<div class=\"charted\">");
    // An axis with a single value has no chart.
    let cells = build_cells(&of_runs);
    if cells.len() > 1 {
        out.push_str("<figure>");
        draw_chart(out, page, key.0, &cells, WHOLE, &format!("{id}-chart"), &section.title);
        write_legend(out, runs);
        out.push_str("</figure>");
    }
    out.push_str("<div class=\"values\">");
    table::write_body(out, section);
    out.push_str("</div></div>");
    write_small_charts(out, page, key, id);
    out.push_str("</section>");
}

/// Writes a small chart for each task if there are several and all charts are readable.
fn write_small_charts(out: &mut String, page: &Page<'_>, (axis, tasks): Key<'_>, id: &str) {
    let runs = &page.report.runs;
    if !(2..=MAX_TASKS).contains(&tasks.len()) || runs.len() > MAX_RUNS {
        return;
    }
    let mut charts = String::new();
    for (at, task) in tasks.iter().enumerate() {
        let of_runs: Vec<&[Point]> = runs.iter().map(|run| find_task_points(run, task, axis)).collect();
        let cells = build_cells(&of_runs);
        if cells.len() > MAX_CELLS {
            return;
        }
        let title = format!("{task}, accuracy by {axis}");
        let _ = write!(charts, "<figure><figcaption>{}</figcaption>", escape_html(task));
        draw_chart(&mut charts, page, axis, &cells, SMALL, &format!("{id}-task{at}"), &title);
        charts.push_str("</figure>");
    }
    let _ = write!(out, "<div class=\"multiples\">{charts}</div>");
}

fn draw_chart(
    out: &mut String,
    page: &Page<'_>,
    axis: &str,
    cells: &[Cell<'_>],
    size: (f64, f64),
    id: &str,
    title: &str,
) {
    let runs = &page.report.runs;
    let least = page.least.map(|least| least / 100.0);
    let lines = Lines { axis, cells, runs, least, width: size.0, grid: size.1 };
    lines.draw_lines(out, Named { id, title, description: &lines.describe_chart() });
}

/// Writes the legend, which assigns shapes to runs; nothing for a single run.
pub fn write_legend(out: &mut String, runs: &[RunReport]) {
    if runs.len() < 2 {
        return;
    }
    out.push_str("<ul class=\"shapes\">");
    for (at, run) in runs.iter().enumerate() {
        let _ = write!(out, "<li data-run=\"{at}\">{}{}</li>", marks::draw_symbol(at), escape_html(&run.name));
    }
    out.push_str("</ul>");
}
