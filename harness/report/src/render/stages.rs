//! Tables of stages: where pipelines break first, and the effect of earlier errors.

use statistics::proportion;

use super::section::{Cell, Column, Section};
use super::words::{describe_reason, format_interval, format_list, format_p_value, format_signed, from_to};
use crate::model::lines::collect_unique;
use crate::model::propagation::Propagation;
use crate::model::stages::{Part, StageRow, TagBreaks, TaskStages};
use crate::model::{Report, RunReport};

/// Builds all tables; empty if no run has stages.
pub fn build_tables(report: &Report) -> Vec<Section> {
    let runs = &report.runs;
    let of_runs = || runs.iter().filter_map(|run| Some((run, run.stages.as_ref()?)));
    let tasks = collect_unique(of_runs().flat_map(|(_, stages)| &stages.tasks).map(|task| task.task.as_str()));
    let found = |name: &str| -> Vec<(&RunReport, &TaskStages)> {
        of_runs()
            .flat_map(|(run, stages)| stages.tasks.iter().map(move |task| (run, task)))
            .filter(|(_, task)| task.task == name)
            .collect()
    };
    let mut sections: Vec<Section> =
        tasks.into_iter().map(|task| build_break_table(task, &found(task), runs)).collect();
    let tags: Vec<(&RunReport, &TagBreaks)> =
        of_runs().flat_map(|(run, stages)| stages.tags.iter().map(move |tag| (run, tag))).collect();
    if !tags.is_empty() {
        sections.push(build_tag_table(&tags, runs));
    }
    sections.extend(report.propagation.iter().map(build_propagation_table));
    sections
}

fn build_percent_cell(part: &Part) -> Cell {
    Cell::number(format!("{}%", proportion::render_percent(part.count, part.of)), part.share)
}

fn build_interval_cell(part: &Part) -> Cell {
    Cell::number(format_interval(part.interval), part.interval.low)
}

/// Builds the cell of a share with its total number; empty for `None`.
fn build_optional_cell(part: Option<&Part>) -> Cell {
    part.map_or_else(Cell::none, |part| {
        Cell::number(format!("{}% of {}", proportion::render_percent(part.count, part.of), part.of), part.share)
    })
}

/// Creates a table whose first column has the name of the run, if there are several.
fn build_section(title: String, heads: &[&str], runs: &[RunReport]) -> Section {
    let mut section = Section::new(title, heads);
    if runs.len() > 1 {
        section.columns.insert(0, Column { head: "run".to_owned(), right: false });
    }
    section
}

fn push_row(section: &mut Section, run: &RunReport, runs: &[RunReport], cells: Vec<Cell>) {
    let name = (runs.len() > 1).then(|| Cell::text(&run.name));
    section.push_row(name.into_iter().chain(cells).collect());
}

/// Puts a sentence after the name of its run; without a name, capitalizes it.
fn begin_sentence(whose: &str, sentence: &str) -> String {
    if whose.is_empty() { capitalize_first(sentence) } else { format!("{whose}{sentence}") }
}

/// Builds the table of a task's stages, in the order of the graph.
fn build_break_table(task: &str, found: &[(&RunReport, &TaskStages)], runs: &[RunReport]) -> Section {
    let heads = [
        "<stage",
        "<after",
        "right",
        "95% CI",
        "reached",
        "breaks first",
        "share",
        "95% CI",
        "right after right",
        "right after wrong",
        "<why",
    ];
    let weakest: Vec<String> = found
        .iter()
        .map(|(run, stages)| {
            let whose = if runs.len() > 1 { format!("{}: ", run.name) } else { String::new() };
            let complete =
                format!("all stages are right in {} of {} pipelines", stages.complete.count, stages.complete.of);
            match &stages.weakest {
                Some(weakest) => {
                    begin_sentence(&whose, &format!("most pipelines that break do so at `{weakest}`; {complete}."))
                }
                None => begin_sentence(&whose, &format!("{complete}.")),
            }
        })
        .collect();
    let note = format!(
        "{} Reached: every earlier stage is right. Breaks first: the first stage, in the order of the graph, that is not right; its share is that of \
         all pipelines. Right after right, after wrong: accuracy where all stages that precede it are right, and where one is not.",
        weakest.join(" ")
    );
    let mut section = build_section(format!("Where pipelines break: {task}"), &heads, runs).with_note(note);
    for (run, stages) in found {
        for row in &stages.stages {
            push_row(&mut section, run, runs, build_stage_cells(row));
        }
    }
    section
}

fn build_stage_cells(row: &StageRow) -> Vec<Cell> {
    let after: Vec<&str> = row.stage.after.iter().map(String::as_str).collect();
    vec![
        Cell::text(&row.stage.name),
        if after.is_empty() { Cell::none() } else { Cell::text(format_list(&after)) },
        build_percent_cell(&row.right),
        build_interval_cell(&row.right),
        Cell::count(row.reached),
        Cell::count(row.broken.count),
        build_percent_cell(&row.broken),
        build_interval_cell(&row.broken),
        build_optional_cell(row.after_right.as_ref()),
        build_optional_cell(row.after_wrong.as_ref()),
        row.reasons.first().map_or_else(Cell::none, |(why, _)| Cell::text(describe_reason(*why))),
    ]
}

fn build_tag_table(found: &[(&RunReport, &TagBreaks)], runs: &[RunReport]) -> Section {
    let heads = ["<tag", "right", "95% CI", "of", "breaks first", "of pipelines", "share", "95% CI"];
    let note = "By the tags of stages. Right: stages with the tag that are right. Breaks first: pipelines whose first stage that is not right has the tag.";
    let mut section = build_section("Where pipelines break, by tag".to_owned(), &heads, runs).with_note(note);
    for (run, tag) in found {
        let cells = vec![
            Cell::text(&tag.tag),
            build_percent_cell(&tag.right),
            build_interval_cell(&tag.right),
            Cell::count(tag.right.of),
            Cell::count(tag.broken.count),
            Cell::count(tag.broken.of),
            build_percent_cell(&tag.broken),
            build_interval_cell(&tag.broken),
        ];
        push_row(&mut section, run, runs, cells);
    }
    section
}

/// Builds the table of the same stages without and with the answers of the stages before.
pub fn build_propagation_table(found: &Propagation) -> Section {
    let heads = ["<task", "<stage", "alone", "given", "points gained", "95% CI", "lost", "won", "p"];
    let note = format!(
        "What errors at earlier stages cost: the accuracy of a stage in `{}`, where it is asked alone, and in `{}`, where the answers of the stages \
         before it are given, over the same samples with Tango's 95% CI. Lost: right only alone. Won: right only with the answers. p: permutation \
         test over samples, with Holm's correction.",
        found.each, found.given
    );
    let mut section = Section::new("Error propagation", &heads).with_note(note);
    for gain in &found.stages {
        let share = |(right, of): (u64, u64)| {
            Cell::number(
                format!("{}% ({right}/{of})", proportion::render_percent(right, of)),
                right as f64 / of.max(1) as f64,
            )
        };
        section.push_row(vec![
            Cell::text(&gain.task),
            Cell::text(&gain.stage.name),
            share(gain.alone),
            share(gain.given),
            Cell::number(format_signed(gain.difference), gain.difference),
            Cell::number(from_to(gain.interval), gain.interval.low),
            Cell::count(gain.lost),
            Cell::count(gain.won),
            Cell::number(format_p_value(gain.p), gain.p),
        ]);
    }
    section
}

fn capitalize_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
