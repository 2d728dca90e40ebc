//! How trials ended, and their costs.

use std::fmt::Write as _;

use records::Status;

use super::escape::escape_html;
use super::failures;
use super::marks;
use super::page::Page;
use super::table;
use crate::model::measure::Measure;
use crate::overview::Overview;
use crate::render::costs::build_amount_cell;
use crate::render::section::{Cell, Section};
use crate::render::words::{describe_status, format_count, format_duration};

/// The measures in the first table.
const FIRST: [Measure; 5] =
    [Measure::WallMs, Measure::PromptTokens, Measure::CompletionTokens, Measure::ToolCalls, Measure::Cost];

/// Writes completion and cost; `tables` are all statistics by task and arm. Writing to a String cannot fail.
pub fn write_costs(out: &mut String, page: &Page<'_>, overview: &Overview, tables: &[Section]) {
    table::open_chapter(out, "cost", "Completion and cost");
    write_completion(out, page);
    if let Some(section) = build_cost_table(page, overview) {
        table::write_table(out, &section, "cost-of-runs");
    }
    table::write_folded(out, "All columns, by task, variant, and axis", tables, "costs");
    out.push_str("</section>");
}

/// Writes a sentence if every trial completed, otherwise a table whose counts link to the failures.
fn write_completion(out: &mut String, page: &Page<'_>) {
    let runs = &page.report.runs;
    let trials: u64 = runs.iter().map(|run| run.whole.share.of).sum();
    if runs.iter().flat_map(|run| &run.statuses).all(|(status, count)| *status == Status::Done || *count == 0) {
        let _ = write!(
            out,
            "<p>{}</p>",
            match trials {
                1 => "The trial completed.".to_owned(),
                trials => format!("All {} completed.", format_count(trials, "trial")),
            }
        );
        return;
    }
    let title = "How trials ended";
    let _ = write!(out, "<h3>{title}</h3>");
    table::open_region(out, title);
    let _ = write!(out, "<table><caption>{title}</caption><thead><tr><th scope=\"col\">run</th>");
    for (status, _) in runs.iter().take(1).flat_map(|run| &run.statuses) {
        let _ = write!(out, "<th scope=\"col\" class=\"number\">{}</th>", describe_status(*status));
    }
    out.push_str("</tr></thead><tbody>");
    for (at, run) in runs.iter().enumerate() {
        let _ = write!(
            out,
            "<tr data-run=\"{at}\"><th scope=\"row\">{}{}</th>",
            marks::draw_symbol(at),
            escape_html(&run.name)
        );
        for (status, count) in &run.statuses {
            let place = failures::find_group_id(page, at, *status).filter(|_| *count > 0);
            let _ = match place {
                Some(place) => write!(
                    out,
                    "<td class=\"number\"><a href=\"#{place}\" data-only-run=\"{at}\" data-only-reason=\"{}\">{count}</a></td>",
                    status.word()
                ),
                None => write!(out, "<td class=\"number\">{count}</td>"),
            };
        }
        out.push_str("</tr>");
    }
    out.push_str(
        "</tbody></table></div><p class=\"note\">A trial that timed out, failed, or is missing counts as wrong.</p>",
    );
}

/// Builds the table of median and 95th percentile of each run over all trials; `None` if no run reports any measure.
fn build_cost_table(page: &Page<'_>, overview: &Overview) -> Option<Section> {
    let spread = |at: usize, what: Measure| {
        let spreads = &overview.sides.get(at)?.spreads;
        spreads.iter().find(|(known, _)| *known == what).map(|(_, spread)| spread)
    };
    let runs = page.report.runs.iter().enumerate();
    let measures: Vec<Measure> =
        FIRST.into_iter().filter(|what| (0..runs.len()).any(|at| spread(at, *what).is_some())).collect();
    if measures.is_empty() {
        return None;
    }
    let name = |what: Measure| if what == Measure::WallMs { "time" } else { what.label() };
    let heads: Vec<String> =
        measures.iter().flat_map(|what| [format!("{}, median", name(*what)), "p95".to_owned()]).collect();
    let heads: Vec<&str> = std::iter::once("<run").chain(heads.iter().map(String::as_str)).collect();
    let note = "Over all trials of a run that report the measure. p95: 95% of the trials need no more.";
    let mut section = Section::new("Time, tokens, and tool calls per trial", &heads).with_note(note);
    for (at, run) in runs {
        let mut cells = vec![Cell::text(&run.name)];
        for what in &measures {
            let spread = spread(at, *what);
            let cell = |value: f64| match what {
                Measure::WallMs => Cell::number(format_duration(value), value),
                what => build_amount_cell(*what, value),
            };
            cells.extend(match spread {
                Some(spread) => [cell(spread.median), cell(spread.p95)],
                None => [Cell::none(), Cell::none()],
            });
        }
        section.push_row(cells);
    }
    Some(section)
}
