//! Where pipelines break first: for each task with stages, a chart next to its table.

use super::axes::write_legend;
use super::chart::Named;
use super::chart::funnel::{self, Bar, Step};
use super::page::Page;
use super::table;
use crate::model::RunReport;
use crate::model::lines::collect_unique;
use crate::model::share::Part;
use crate::model::stages::{StageRow, TaskStages};
use crate::render::section::{Cell, Section};
use crate::render::words::{format_count, format_interval, format_percent};

/// Writes the section, if there are stages; `tables` are all numbers on stages. Writing to a String cannot fail.
pub fn write_stages(out: &mut String, page: &Page<'_>, tables: &[Section]) {
    let runs = &page.report.runs;
    let tasks = collect_unique(
        runs.iter()
            .filter_map(|run| run.stages.as_ref())
            .flat_map(|stages| &stages.tasks)
            .map(|task| task.task.as_str()),
    );
    if tasks.is_empty() {
        return;
    }
    table::open_chapter(out, "stages", "Stages");
    out.push_str(
        "<p class=\"note\">The faint bar is the share of pipelines that are right at a stage, with its 95% CI. The solid bar is the share that are right at it \
         and at every earlier stage. The number on the right counts the pipelines that break there first; the mark ▸ is at the stage that breaks the most.</p>",
    );
    for (at, task) in tasks.into_iter().enumerate() {
        let found: Vec<Option<&TaskStages>> = runs.iter().map(|run| find_task(run, task)).collect();
        write_task(out, runs, task, &found, &format!("stage{at}"));
    }
    table::write_folded(out, "All columns, by tag, and error propagation", tables, "stages");
    out.push_str("</section>");
}

fn find_task<'a>(run: &'a RunReport, task: &str) -> Option<&'a TaskStages> {
    run.stages.as_ref()?.tasks.iter().find(|stages| stages.task == task)
}

fn write_task(out: &mut String, runs: &[RunReport], task: &str, found: &[Option<&TaskStages>], id: &str) {
    let title = format!("Where pipelines break first: {task}");
    table::open_section(out, id, &title);
    out.push_str("<div class=\"charted\"><figure>");
    let steps = build_steps(runs, found);
    let named = Named { id: &format!("{id}-chart"), title: &title, description: &describe_chart(runs, found) };
    funnel::draw_funnel(out, named, &steps);
    write_legend(out, runs);
    out.push_str("</figure><div class=\"values\">");
    table::write_body(out, &build_table(&title, runs, found));
    out.push_str("</div></div></section>");
}

/// Returns all stages of a task in the order of the graph, those of the first run first.
fn collect_stages<'a>(found: &[Option<&'a TaskStages>]) -> Vec<&'a StageRow> {
    let mut rows: Vec<&StageRow> = Vec::new();
    for row in found.iter().copied().flatten().flat_map(|task| &task.stages) {
        if !rows.iter().any(|known| known.stage.name == row.stage.name) {
            rows.push(row);
        }
    }
    rows
}

fn find_row<'a>(task: Option<&'a TaskStages>, stage: &str) -> Option<&'a StageRow> {
    task?.stages.iter().find(|row| row.stage.name == stage)
}

fn build_steps<'a>(runs: &[RunReport], found: &[Option<&'a TaskStages>]) -> Vec<Step<'a>> {
    let step = |of: &'a StageRow| {
        let name = of.stage.name.as_str();
        let bar = |(run, task): (&RunReport, &Option<&TaskStages>)| {
            let row = find_row(*task, name)?;
            Some(Bar {
                right: row.right.share,
                interval: row.right.interval,
                whole: row.passed.share,
                broken: row.broken.count,
                weakest: task.is_some_and(|task| task.weakest.as_deref() == Some(name)),
                words: format!(
                    "{}, {name}: {} of {} right, {}; {} reach it whole, and {} break here first",
                    run.name,
                    row.right.count,
                    format_count(row.right.of, "pipeline"),
                    format_share(&row.right),
                    row.reached,
                    row.broken.count
                ),
            })
        };
        Step { name, after: &of.stage.after, bars: runs.iter().zip(found).map(bar).collect() }
    };
    collect_stages(found).into_iter().map(step).collect()
}

/// Renders `85.0% (64.0–94.8)`.
fn format_share(part: &Part) -> String {
    format!("{} ({})", format_percent(part.share), format_interval(part.interval))
}

/// Builds a table of the same numbers: a row for each stage and run.
fn build_table(title: &str, runs: &[RunReport], found: &[Option<&TaskStages>]) -> Section {
    let heads = ["<stage", "<run", "right", "reached", "break first", "of all"];
    let mut section = Section::new(title, &heads).with_note("Each share with its 95% CI over samples.");
    for of in collect_stages(found) {
        for (run, task) in runs.iter().zip(found) {
            let Some(StageRow { stage, right, broken, reached, .. }) = find_row(*task, &of.stage.name) else {
                continue;
            };
            let share = |part: &Part| Cell::number(format_share(part), part.share);
            let counts = [*reached, broken.count].map(Cell::count);
            let lead = [&stage.name, &run.name].map(Cell::text);
            section.push_row(lead.into_iter().chain([share(right)]).chain(counts).chain([share(broken)]).collect());
        }
    }
    section.without_single_run(runs.len())
}

/// Describes the chart for screen readers: where each run breaks first.
fn describe_chart(runs: &[RunReport], found: &[Option<&TaskStages>]) -> String {
    let sentence = |(run, task): (&RunReport, &Option<&TaskStages>)| {
        let task = (*task)?;
        let complete =
            format!("{} of {} are right at every stage", task.complete.count, format_count(task.pipelines, "pipeline"));
        let weakest = find_row(Some(task), task.weakest.as_deref().unwrap_or_default());
        let most = weakest.map_or_else(String::new, |row| {
            format!("; the most break first at {} ({})", row.stage.name, row.broken.count)
        });
        Some(format!("{}: {complete}{most}.", run.name))
    };
    let sentences: Vec<String> = runs.iter().zip(found).filter_map(sentence).collect();
    format!("Stages in the order of their graph. {} The table next to it has all values.", sentences.join(" "))
}
