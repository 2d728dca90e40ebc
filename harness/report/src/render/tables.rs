//! The tables of a report: one run in full, or several with a column each.

use statistics::accuracy::SamplingUnit;

use super::run_columns::{build_by_run, build_group_table, list_names};
use super::section::{Cell, Section};
use super::words::{describe_status, fit_one_line, format_interval, format_list, format_points, from_to};
use super::{axes, by, costs, left_state, stages, traps};
use crate::model::formats::{Cost, Formats, Output};
use crate::model::lines::collect_unique;
use crate::model::share::Share;
use crate::model::{Met, Report, RunReport};

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

/// Builds PICARD paper, tables 1 and 6.
fn build_overall_table(runs: &[RunReport]) -> Section {
    let heads = ["<run", "accuracy", "95% CI, samples", "95% CI, tasks", "correct", "responses", "score", "<agent"];
    let row = |run: &RunReport| {
        let (whole, share) = (&run.whole, &run.whole.share);
        vec![
            Cell::text(&run.name),
            Cell::from_share(share),
            Cell::from_interval(whole.over_samples),
            whole.over_tasks.map_or_else(Cell::none, Cell::from_interval),
            Cell::count(share.correct),
            Cell::count(share.of),
            Cell::from_fraction(share.score),
            Cell::text(fit_one_line(&run.agent, AGENT)),
        ]
    };
    Section::new("Overall", &heads).with_note(explain_intervals(runs)).with_rows(runs.iter().map(row))
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
    let row = |run: &RunReport| {
        let counts = run.statuses.iter().map(|(_, count)| Cell::count(*count));
        std::iter::once(Cell::text(&run.name)).chain(counts).collect()
    };
    Section::new("How trials ended", &heads).with_note(note).with_rows(runs.iter().map(row))
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
    let heads = variants.iter().flat_map(|name| [*name, "accuracy"]);
    let cells = |formats: &Formats, name: &str| match formats.variants.iter().find(|variant| variant.name == name) {
        Some(variant) => {
            let Share { correct, of, .. } = variant.share;
            [Cell::number(format!("{correct}/{of}"), correct as f64), Cell::from_share(&variant.share)]
        }
        None => [Cell::none(), Cell::none()],
    };
    let row = |(run, formats): &(&str, &Formats)| {
        let own = variants.iter().flat_map(|name| cells(formats, name));
        std::iter::once(Cell::text(*run)).chain(own).collect()
    };
    let section = Section::new(format!("Response formatting: {task}"), &["<run"]).with_numbers(heads);
    section.with_rows(found.iter().map(row))
}

/// Builds table 8 of the PICARD paper.
fn build_output_table(task: &str, found: &[(&str, &Formats)]) -> Section {
    let heads = ["<run", "file output", "direct output", "overall", "<weakness pattern"];
    let note = "File output: variants whose answer goes into files. Direct output: variants whose answer is the reply. A pattern names the \
                weaker one if the 95% CI of their difference excludes 0.";
    let cell = |group: &Option<Share>| group.as_ref().map_or_else(Cell::none, Cell::from_share);
    let row = |(run, formats): &(&str, &Formats)| {
        vec![
            Cell::text(*run),
            cell(&formats.file),
            cell(&formats.direct),
            Cell::from_share(&formats.overall),
            Cell::text(formats.pattern.map_or("-", |pattern| pattern.label())),
        ]
    };
    let section = Section::new(format!("Output format instruction following: {task}"), &heads).with_note(note);
    section.with_rows(found.iter().map(row))
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
                Cell::from_share(&variant.share),
                Cell::from_interval(variant.share.interval),
                Cell::text(output),
            ];
            cells.extend(match &variant.cost {
                Some(Cost { accuracy, interval, lost, won, p, .. }) => [
                    Cell::number(format_points(*accuracy), *accuracy),
                    Cell::number(from_to(*interval), interval.low),
                    Cell::count(*lost),
                    Cell::count(*won),
                    Cell::from_p_value(*p),
                ],
                None => [Cell::text("best"), Cell::none(), Cell::none(), Cell::none(), Cell::none()],
            });
            section.push_row(cells);
        }
    }
    section
}

/// The columns of a number of met expectations and its total.
const MET: [&str; 5] = ["met", "95% CI", "count", "of", "mean score"];

fn build_matcher_table(runs: &[RunReport]) -> Option<Section> {
    let words = runs.iter().flat_map(|run| &run.matchers).map(|matched| matched.matcher.as_str());
    let section = Section::new("Expectations met, by matcher", &["<matcher"]);
    build_met_table(section, &MET[..4], runs, words, |run, word| {
        let matched = run.matchers.iter().find(|matched| matched.matcher == word)?;
        Some((&matched.met, None))
    })
}

fn build_expectation_table(runs: &[RunReport]) -> Option<Section> {
    let names = runs.iter().flat_map(|run| &run.expectations).map(|named| named.name.as_str());
    let section = Section::new("Expectations met, by name", &["<name"]);
    build_met_table(section, &MET, runs, names, |run, name| {
        let named = run.expectations.iter().find(|named| named.name == name)?;
        Some((&named.met, Some(named.score)))
    })
}

/// Builds a table of met expectations, some with their mean score.
fn build_met_table<'r>(
    section: Section,
    full: &[&str],
    runs: &'r [RunReport],
    names: impl Iterator<Item = &'r str>,
    of: impl Fn(&'r RunReport, &str) -> Option<(&'r Met, Option<f64>)>,
) -> Option<Section> {
    let cells = |at: usize, name: &&str| {
        let (Met { correct, of, interval }, score) = of(runs.get(at)?, name)?;
        let met = Cell::from_ratio(*correct, *of);
        let one = Cell { text: format!("{} ({})", met.text, format_interval(*interval)), ..met.clone() };
        let own = [met, Cell::from_interval(*interval), Cell::count(*correct), Cell::count(*of)];
        Some((own.into_iter().chain(score.map(Cell::from_fraction)).collect(), one))
    };
    let rows = collect_unique(names).into_iter().map(|name| (name, vec![Cell::text(name)])).collect();
    build_by_run(section, full, "The share of expectations that are met, with its 95% CI.", runs, rows, cells)
}

fn build_pass_table(runs: &[RunReport]) -> Option<Section> {
    let note = "pass@k: at least one of k trials is correct. pass^k: all of them are. Both are means over instances, with the 95% CI over \
                samples.";
    let rows = runs.iter().flat_map(|run| run.pass.iter().map(move |trials| (run, trials))).map(|(run, trials)| {
        vec![
            Cell::text(&run.name),
            Cell::count(trials.k),
            Cell::from_fraction(trials.at_least_one),
            Cell::from_interval(trials.at_least_one_interval),
            Cell::from_fraction(trials.all),
            Cell::from_interval(trials.all_interval),
        ]
    });
    let section = Section::new("Several trials", &["<run", "k", "pass@k", "95% CI", "pass^k", "95% CI"]);
    section.with_note(note).with_rows(rows).into_filled()
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
    let row = |stop: u32| {
        let own = runs.iter().map(|run| {
            let point = run.progress.points.iter().find(|point| point.samples == stop);
            Cell::from_share_and_interval(point.map(|point| &point.share))
        });
        std::iter::once(Cell::count(u64::from(stop))).chain(own).collect()
    };
    let section = Section::new("Progress with samples", &["samples"]).with_numbers(list_names(runs)).with_note(note);
    Some(section.with_rows(stops.into_iter().map(row)))
}

fn build_size_table(runs: &[RunReport]) -> Section {
    let note = "How many instances an interval of ± N points over samples needs, at the observed accuracy.";
    let heads = ["<run", "± points", "instances", "samples of each task"];
    let count = |count: Option<u64>| count.map_or_else(|| Cell::text("more than 10^9"), Cell::count);
    let rows = runs.iter().flat_map(|run| run.sizes.wanted.iter().map(move |wanted| (run, wanted)));
    let rows = rows.map(|(run, wanted)| {
        let points = Cell::number(format_points(wanted.half_width), wanted.half_width);
        vec![Cell::text(&run.name), points, count(wanted.instances), count(wanted.samples)]
    });
    Section::new("How many samples", &heads).with_note(note).with_rows(rows)
}
