//! Tables of stages: where pipelines break first, and the effect of earlier errors.

use super::section::{Cell, Section};
use super::words::{capitalize_first, describe_reason, format_list};
use crate::model::lines::collect_unique;
use crate::model::propagation::{Gain, Propagation};
use crate::model::share::Part;
use crate::model::stages::{StageRow, TagBreaks, TaskStages};
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

/// Builds the cells of a share and its interval.
fn build_part_cells(part: &Part) -> [Cell; 2] {
    [Cell::from_ratio(part.count, part.of), Cell::from_interval(part.interval)]
}

/// Builds the cell of a share with its total number; empty for `None`.
fn build_optional_cell(part: Option<&Part>) -> Cell {
    part.map_or_else(Cell::none, |part| {
        let Cell { text, sort } = Cell::from_ratio(part.count, part.of);
        Cell { text: format!("{text} of {}", part.of), sort }
    })
}

/// Builds the table of a task's stages, in the order of the graph.
fn build_break_table(task: &str, found: &[(&RunReport, &TaskStages)], runs: &[RunReport]) -> Section {
    let heads = [
        "<run",
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
            let weakest = stages.weakest.as_ref();
            let weakest = weakest.map(|stage| format!("most pipelines that break do so at `{stage}`; "));
            let Part { count, of, .. } = stages.complete;
            let sentence = format!("{}all stages are right in {count} of {of} pipelines.", weakest.unwrap_or_default());
            if runs.len() > 1 { format!("{}: {sentence}", run.name) } else { capitalize_first(&sentence) }
        })
        .collect();
    let note = format!(
        "{} Reached: every earlier stage is right. Breaks first: the first stage, in the order of the graph, that is not right; its share is that of \
         all pipelines. Right after right, after wrong: accuracy where all stages that precede it are right, and where one is not.",
        weakest.join(" ")
    );
    let rows = found.iter().flat_map(|(run, stages)| stages.stages.iter().map(move |row| build_stage_cells(run, row)));
    let section = Section::new(format!("Where pipelines break: {task}"), &heads).with_note(note);
    section.with_rows(rows).without_single_run(runs.len())
}

fn build_stage_cells(run: &RunReport, row: &StageRow) -> Vec<Cell> {
    let after = &row.stage.after;
    let mut cells = vec![
        Cell::text(&run.name),
        Cell::text(&row.stage.name),
        if after.is_empty() { Cell::none() } else { Cell::text(format_list(after)) },
    ];
    cells.extend(build_part_cells(&row.right));
    cells.extend([Cell::count(row.reached), Cell::count(row.broken.count)]);
    cells.extend(build_part_cells(&row.broken));
    cells.extend([row.after_right.as_ref(), row.after_wrong.as_ref()].map(build_optional_cell));
    cells.extend(row.reasons.first().map(|(why, _)| Cell::text(describe_reason(*why))));
    cells
}

fn build_tag_table(found: &[(&RunReport, &TagBreaks)], runs: &[RunReport]) -> Section {
    let heads = ["<run", "<tag", "right", "95% CI", "of", "breaks first", "of pipelines", "share", "95% CI"];
    let note = "By the tags of stages. Right: stages with the tag that are right. Breaks first: pipelines whose first stage that is not right has the tag.";
    let row = |(run, TagBreaks { tag, right, broken }): &(&RunReport, &TagBreaks)| {
        let counts = [right.of, broken.count, broken.of].map(Cell::count);
        let lead = [&run.name, tag].map(Cell::text).into_iter().chain(build_part_cells(right));
        lead.chain(counts).chain(build_part_cells(broken)).collect()
    };
    let section = Section::new("Where pipelines break, by tag", &heads).with_note(note);
    section.with_rows(found.iter().map(row)).without_single_run(runs.len())
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
    let share = |(right, of): (u64, u64)| {
        let Cell { text, sort } = Cell::from_ratio(right, of);
        Cell { text: format!("{text} ({right}/{of})"), sort }
    };
    let row = |gain: &Gain| {
        let mut cells =
            vec![Cell::text(&gain.task), Cell::text(&gain.stage.name), share(gain.alone), share(gain.given)];
        cells.extend(Cell::from_difference(gain.difference, gain.interval));
        cells.extend([Cell::count(gain.lost), Cell::count(gain.won), Cell::from_p_value(gain.p)]);
        cells
    };
    Section::new("Error propagation", &heads).with_note(note).with_rows(found.stages.iter().map(row))
}
