//! The tables of a report: one run in full, or several with a column each.

use statistics::Interval;
use statistics::accuracy::SamplingUnit;
use statistics::proportion;

use super::section::{Cell, Column, Section};
use super::words::{
    describe_status, fit_one_line, format_accuracy_percent, format_interval, format_list, format_p_value,
    format_percent, format_points, format_with_interval, from_to,
};
use super::{axes, by, costs, left_state, stages, traps};
use crate::model::formats::{Cost, Formats, Output};
use crate::model::lines::collect_unique;
use crate::model::share::{Group, Share};
use crate::model::{Report, RunReport};

/// The maximum length of an agent's name in a table, in characters.
const AGENT: usize = 60;

/// The tables of a report by topic. Properties that a suite does not have (axes, tags, variants) have no table.
#[derive(Clone, Debug, PartialEq)]
pub struct Topics {
    /// Each run as a whole.
    pub whole: Section,
    /// How trials ended.
    pub ended: Section,
    /// Accuracy by task, variant, tag, matcher, name of an expectation, and over several trials.
    pub accuracy: Vec<Section>,
    /// Accuracy by axis: one table for each of [`axes::list_axis_keys`].
    pub axes: Vec<Section>,
    /// Accuracy by axis and task, if several tasks have the axis.
    pub axes_of_tasks: Vec<Section>,
    /// Where pipelines break, and the effect of earlier errors.
    pub stages: Vec<Section>,
    /// Arms side by side.
    pub by: Vec<Section>,
    /// The differences in what agents left.
    pub left: Vec<Section>,
    /// Rounds, tool calls, tokens, money, and time.
    pub cost: Vec<Section>,
    /// Accuracy over the first samples, and how many samples are sufficient.
    pub precision: Vec<Section>,
}

/// Builds all tables by topic.
pub fn build_topics(report: &Report) -> Topics {
    let runs = &report.runs;
    let mut accuracy: Vec<Section> =
        build_group_table("Accuracy by task", "<task", runs, |run| run.tasks.clone()).into_iter().collect();
    accuracy.extend(build_format_tables(runs));
    accuracy.extend(build_matcher_table(runs));
    accuracy.extend(build_expectation_table(runs));
    accuracy.extend(traps::build_table(runs));
    accuracy.extend(build_group_table("Accuracy by tag", "<tag", runs, |run| run.tags.clone()));
    accuracy.extend(build_pass_table(runs));
    Topics {
        whole: build_overall_table(runs),
        ended: build_status_table(runs),
        accuracy,
        axes: axes::build_tables(runs),
        axes_of_tasks: axes::build_task_tables(runs),
        stages: stages::build_tables(report),
        by: by::build_tables(report),
        left: left_state::build_table(runs).into_iter().collect(),
        cost: costs::build_tables(runs),
        precision: build_progress_table(runs).into_iter().chain([build_size_table(runs)]).collect(),
    }
}

/// Builds all tables, in the order in which they are shown.
pub fn build_tables(report: &Report) -> Vec<Section> {
    let Topics { whole, ended, accuracy, axes, axes_of_tasks, stages, by, left, cost, precision } =
        build_topics(report);
    let parts = [accuracy, axes, axes_of_tasks, stages, by, left, cost, precision];
    [whole, ended].into_iter().chain(parts.into_iter().flatten()).collect()
}

/// The maximum number of rows of a table of [`build_summary`].
const MAX_ROWS: usize = 12;

/// Builds about one screen: the overall results, the tasks, and known mistakes. Also returns a line about the tables that are left out.
pub fn build_summary(report: &Report) -> (Vec<Section>, Option<String>) {
    let runs = &report.runs;
    let (whole, ended) = (build_overall_table(runs), build_status_table(runs));
    let tasks = build_group_table("Accuracy by task", "<task", runs, |run| run.tasks.clone());
    let mut shown: Vec<Section> = [whole, ended].into_iter().chain(tasks).chain(traps::build_table(runs)).collect();
    let kept: Vec<String> = shown.iter().map(|section| section.title.clone()).collect();
    for section in &mut shown {
        let more = section.rows.len().saturating_sub(MAX_ROWS);
        if more > 1 {
            section.rows.truncate(MAX_ROWS);
            let note = format!("{more} more rows: --all. {}", section.note);
            section.note = note.trim_end().to_owned();
        }
    }
    let others: Vec<String> =
        build_tables(report).into_iter().map(|section| section.title).filter(|title| !kept.contains(title)).collect();
    let more = match others.len() {
        0 => None,
        1 => Some("1 more table".to_owned()),
        more => Some(format!("{more} more tables")),
    };
    (shown, more.map(|more| format!("{more}, such as costs and precision: --all. The failures: --html FILE.")))
}

fn build_share_cell(share: &Share) -> Cell {
    Cell::number(format_accuracy_percent(share), share.accuracy)
}

pub(super) fn build_interval_cell(ends: Interval) -> Cell {
    Cell::number(format_interval(ends), ends.low)
}

fn list_names(runs: &[RunReport]) -> Vec<&str> {
    runs.iter().map(|run| run.name.as_str()).collect()
}

/// Builds PICARD paper, tables 1 and 6.
fn build_overall_table(runs: &[RunReport]) -> Section {
    let heads = ["<run", "accuracy", "95% CI, samples", "95% CI, tasks", "correct", "responses", "score", "<agent"];
    let mut section = Section::new("Overall", &heads).with_note(explain_intervals(runs));
    for run in runs {
        let whole = &run.whole;
        section.push_row(vec![
            Cell::text(&run.name),
            build_share_cell(&whole.share),
            build_interval_cell(whole.over_samples),
            whole.over_tasks.map_or_else(Cell::none, build_interval_cell),
            Cell::count(whole.share.correct),
            Cell::count(whole.share.of),
            Cell::number(format_percent(whole.share.score), whole.share.score),
            Cell::text(fit_one_line(&run.agent, AGENT)),
        ]);
    }
    section
}

/// Explains what the two overall intervals generalize to, and which one is used.
fn explain_intervals(runs: &[RunReport]) -> String {
    let over = |wanted: SamplingUnit| -> Vec<&str> {
        runs.iter().filter(|run| run.whole.over == wanted).map(|run| run.name.as_str()).collect()
    };
    let used = match (over(SamplingUnit::Samples).as_slice(), over(SamplingUnit::Tasks).as_slice()) {
        (_, []) => "`report` uses the interval over samples".to_owned(),
        ([], _) => "`report` uses the interval over tasks".to_owned(),
        (samples, tasks) => {
            format!(
                "`report` uses the interval over samples for {}, and the one over tasks for {}",
                format_list(samples),
                format_list(tasks)
            )
        }
    };
    format!(
        "The interval over samples generalizes to new samples of these same tasks. The interval over tasks generalizes to other tasks like \
         these. {used} (`--over`)."
    )
}

fn build_status_table(runs: &[RunReport]) -> Section {
    let words = runs.iter().take(1).flat_map(|run| &run.statuses).map(|(status, _)| describe_status(*status));
    let heads: Vec<&str> = std::iter::once("<run").chain(words).collect();
    let note = "A trial that timed out, failed, or is missing counts as wrong.";
    let mut section = Section::new("How trials ended", &heads).with_note(note);
    for run in runs {
        let counts = run.statuses.iter().map(|(_, count)| Cell::count(*count));
        section.push_row(std::iter::once(Cell::text(&run.name)).chain(counts).collect());
    }
    section
}

fn build_share_heads(first: &str) -> [&str; 6] {
    [first, "accuracy", "95% CI", "correct", "of", "score"]
}

fn build_share_cells(name: &str, group: &Share) -> Vec<Cell> {
    vec![
        Cell::text(name),
        build_share_cell(group),
        build_interval_cell(group.interval),
        Cell::count(group.correct),
        Cell::count(group.of),
        Cell::number(format_percent(group.score), group.score),
    ]
}

/// Builds a table with one row for each group: in full for one run, with a column each for several.
pub(super) fn build_group_table(
    title: &str,
    first: &str,
    runs: &[RunReport],
    of: impl Fn(&RunReport) -> Vec<Group>,
) -> Option<Section> {
    let all: Vec<Vec<Group>> = runs.iter().map(of).collect();
    let names = collect_unique(all.iter().flatten().map(|group| group.name.as_str()));
    if names.is_empty() {
        return None;
    }
    if let [groups] = all.as_slice() {
        let mut section = Section::new(title, &build_share_heads(first));
        for group in groups {
            section.push_row(build_share_cells(&group.name, &group.share));
        }
        return Some(section);
    }
    let mut section = build_run_table(title, first, runs).with_note("Accuracy with its 95% CI.");
    for name in names {
        let cell = |groups: &Vec<Group>| match groups.iter().find(|group| group.name == name) {
            Some(group) => Cell::number(format_with_interval(&group.share), group.share.accuracy),
            None => Cell::none(),
        };
        section.push_row(std::iter::once(Cell::text(name)).chain(all.iter().map(cell)).collect());
    }
    Some(section)
}

/// Builds a table with a column for each run.
pub(super) fn build_run_table(title: &str, first: &str, runs: &[RunReport]) -> Section {
    let mut section = Section::new(title, &[first]);
    section.columns.extend(list_names(runs).into_iter().map(|name| Column { head: name.to_owned(), right: true }));
    section
}

/// Builds PICARD paper, tables 7 and 8, with the cost of each variant.
fn build_format_tables(runs: &[RunReport]) -> Vec<Section> {
    let tasks = collect_unique(runs.iter().flat_map(|run| &run.formats).map(|formats| formats.task.as_str()));
    let mut sections = Vec::new();
    for task in tasks {
        let found: Vec<(&str, &Formats)> = runs
            .iter()
            .filter_map(|run| Some((run.name.as_str(), run.formats.iter().find(|formats| formats.task == task)?)))
            .collect();
        sections.push(build_breakdown_table(task, &found));
        if found.iter().any(|(_, formats)| formats.file.is_some() && formats.direct.is_some()) {
            sections.push(build_output_table(task, &found));
        }
        sections.push(build_variant_table(task, &found));
    }
    sections
}

/// Builds table 7 of the PICARD paper.
fn build_breakdown_table(task: &str, found: &[(&str, &Formats)]) -> Section {
    let variants =
        collect_unique(found.iter().flat_map(|(_, formats)| &formats.variants).map(|variant| variant.name.as_str()));
    let mut section = Section::new(format!("Response formatting: {task}"), &["<run"]);
    for name in &variants {
        for head in [(*name).to_owned(), "accuracy".to_owned()] {
            section.columns.push(Column { head, right: true });
        }
    }
    for (run, formats) in found {
        let mut cells = vec![Cell::text(*run)];
        for name in &variants {
            match formats.variants.iter().find(|variant| variant.name == *name) {
                Some(variant) => cells.extend([
                    Cell::number(
                        format!("{}/{}", variant.share.correct, variant.share.of),
                        variant.share.correct as f64,
                    ),
                    build_share_cell(&variant.share),
                ]),
                None => cells.extend([Cell::none(), Cell::none()]),
            }
        }
        section.push_row(cells);
    }
    section
}

/// Builds table 8 of the PICARD paper.
fn build_output_table(task: &str, found: &[(&str, &Formats)]) -> Section {
    let heads = ["<run", "file output", "direct output", "overall", "<weakness pattern"];
    let note = "File output: variants whose answer goes into files. Direct output: variants whose answer is the reply. A pattern names the \
                weaker one if the 95% CI of their difference excludes 0.";
    let mut section = Section::new(format!("Output format instruction following: {task}"), &heads).with_note(note);
    let cell = |group: &Option<Share>| group.as_ref().map_or_else(Cell::none, build_share_cell);
    for (run, formats) in found {
        section.push_row(vec![
            Cell::text(*run),
            cell(&formats.file),
            cell(&formats.direct),
            build_share_cell(&formats.overall),
            Cell::text(formats.pattern.map_or("-", |pattern| pattern.label())),
        ]);
    }
    section
}

fn build_variant_table(task: &str, found: &[(&str, &Formats)]) -> Section {
    let heads = ["<run", "<variant", "accuracy", "95% CI", "<output", "points lost", "95% CI", "lost", "won", "p"];
    let note = "Points lost: the accuracy of the run's best variant minus this one's, over the same samples, with Tango's 95% CI. Lost: \
                correct there and wrong here. Won: the reverse. p: permutation test over samples, with Holm's correction.";
    let mut section = Section::new(format!("What each variant costs: {task}"), &heads).with_note(note);
    for (run, formats) in found {
        for variant in &formats.variants {
            let output = match variant.output {
                Output::File => "file",
                Output::Direct => "direct",
                Output::Mixed => "both",
            };
            let mut cells = vec![
                Cell::text(*run),
                Cell::text(&variant.name),
                build_share_cell(&variant.share),
                build_interval_cell(variant.share.interval),
                Cell::text(output),
            ];
            cells.extend(match &variant.cost {
                Some(Cost { accuracy, interval, lost, won, p, .. }) => [
                    Cell::number(format_points(*accuracy), *accuracy),
                    Cell::number(from_to(*interval), interval.low),
                    Cell::count(*lost),
                    Cell::count(*won),
                    Cell::number(format_p_value(*p), *p),
                ],
                None => [Cell::text("best"), Cell::none(), Cell::none(), Cell::none(), Cell::none()],
            });
            section.push_row(cells);
        }
    }
    section
}

fn build_matcher_table(runs: &[RunReport]) -> Option<Section> {
    let words = collect_unique(runs.iter().flat_map(|run| &run.matchers).map(|matched| matched.matcher.as_str()));
    if words.is_empty() {
        return None;
    }
    let title = "Expectations met, by matcher";
    let mut section = if runs.len() == 1 {
        Section::new(title, &["<matcher", "met", "95% CI", "count", "of"])
    } else {
        build_run_table(title, "<matcher", runs).with_note("The share of expectations that are met, with its 95% CI.")
    };
    for word in words {
        let mut cells = vec![Cell::text(word)];
        for run in runs {
            let Some(matched) = run.matchers.iter().find(|matched| matched.matcher == word) else {
                cells.push(Cell::none());
                continue;
            };
            cells.extend(build_met_cells(runs, matched.correct, matched.of, matched.interval));
        }
        section.push_row(cells);
    }
    Some(section)
}

fn build_expectation_table(runs: &[RunReport]) -> Option<Section> {
    let names = collect_unique(runs.iter().flat_map(|run| &run.expectations).map(|named| named.name.as_str()));
    if names.is_empty() {
        return None;
    }
    let title = "Expectations met, by name";
    let mut section = if runs.len() == 1 {
        Section::new(title, &["<name", "met", "95% CI", "count", "of", "mean score"])
    } else {
        build_run_table(title, "<name", runs).with_note("The share of expectations that are met, with its 95% CI.")
    };
    for name in names {
        let mut cells = vec![Cell::text(name)];
        for run in runs {
            let Some(named) = run.expectations.iter().find(|named| named.name == name) else {
                cells.push(Cell::none());
                continue;
            };
            cells.extend(build_met_cells(runs, named.correct, named.of, named.interval));
            if runs.len() == 1 {
                cells.push(Cell::number(format_percent(named.score), named.score));
            }
        }
        section.push_row(cells);
    }
    Some(section)
}

/// Builds the cells of a number of met expectations and its total: with separate columns for a single run.
fn build_met_cells(runs: &[RunReport], correct: u64, of: u64, ends: Interval) -> Vec<Cell> {
    let met = format!("{}%", proportion::render_percent(correct, of));
    let sort = correct as f64 / of as f64;
    if runs.len() == 1 {
        return vec![Cell::number(met, sort), build_interval_cell(ends), Cell::count(correct), Cell::count(of)];
    }
    vec![Cell::number(format!("{met} ({})", format_interval(ends)), sort)]
}

fn build_pass_table(runs: &[RunReport]) -> Option<Section> {
    let most = runs.iter().map(|run| run.pass.len()).max().filter(|most| *most > 0)?;
    let note = "pass@k: at least one of k trials is correct. pass^k: all of them are. Both are means over instances, with the 95% CI over \
                samples.";
    let mut section =
        Section::new("Several trials", &["<run", "k", "pass@k", "95% CI", "pass^k", "95% CI"]).with_note(note);
    for run in runs {
        for trials in run.pass.iter().take(most) {
            section.push_row(vec![
                Cell::text(&run.name),
                Cell::count(trials.k),
                Cell::number(format_percent(trials.at_least_one), trials.at_least_one),
                build_interval_cell(trials.at_least_one_interval),
                Cell::number(format_percent(trials.all), trials.all),
                build_interval_cell(trials.all_interval),
            ]);
        }
    }
    Some(section)
}

fn build_progress_table(runs: &[RunReport]) -> Option<Section> {
    if runs.iter().all(|run| run.progress.points.len() < 2) {
        return None;
    }
    let mut stops = collect_unique(runs.iter().flat_map(|run| &run.progress.points).map(|point| point.samples));
    stops.sort_unstable();
    let settled: Vec<String> = runs
        .iter()
        .map(|run| {
            let name = if runs.len() > 1 { format!("{} ", run.name) } else { String::new() };
            format!("{name}from {} samples on", run.progress.settled)
        })
        .collect();
    let note = format!(
        "Accuracy after the first n samples of each task, with its 95% CI over samples. Within 2.5 points of the last value: {}.",
        settled.join(", ")
    );
    let mut section = build_run_table("Progress with samples", "samples", runs).with_note(note);
    for stop in stops {
        let cell = |run: &RunReport| match run.progress.points.iter().find(|point| point.samples == stop) {
            Some(point) => Cell::number(format_with_interval(&point.share), point.share.accuracy),
            None => Cell::none(),
        };
        section.push_row(std::iter::once(Cell::count(u64::from(stop))).chain(runs.iter().map(cell)).collect());
    }
    Some(section)
}

fn build_size_table(runs: &[RunReport]) -> Section {
    let note = "How many instances an interval of ± N points over samples needs, at the observed accuracy.";
    let heads = ["<run", "± points", "instances", "samples of each task"];
    let mut section = Section::new("How many samples", &heads).with_note(note);
    for run in runs {
        for wanted in &run.sizes.wanted {
            let count = |count: Option<u64>| count.map_or_else(|| Cell::text("more than 10^9"), Cell::count);
            section.push_row(vec![
                Cell::text(&run.name),
                Cell::number(format_points(wanted.half_width), wanted.half_width),
                count(wanted.instances),
                count(wanted.samples),
            ]);
        }
    }
    section
}
