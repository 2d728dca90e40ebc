//! Tables of costs: PICARD paper, tables 2 to 5, for every reported measure; and comparisons of arms.

use statistics::Interval;
use statistics::summary::Spread;

use super::section::{Cell, Section};
use super::words::{capitalize_first, format_money};
use crate::model::RunReport;
use crate::model::arms::{Against, Arm, Arms};
use crate::model::costs::Cost;
use crate::model::lines::collect_unique;
use crate::model::measure::Measure;

/// Builds one table for each measure, and one for the arms of each task that has several.
pub fn build_tables(runs: &[RunReport]) -> Vec<Section> {
    let mut sections = Vec::new();
    for what in Measure::COSTS {
        let measured = |run: &RunReport| run.costs.iter().find(|cost| cost.what == what).cloned();
        let found: Vec<(&str, Cost)> =
            runs.iter().filter_map(|run| Some((run.name.as_str(), measured(run)?))).collect();
        if found.is_empty() {
            continue;
        }
        let title = capitalize_first(what.label());
        sections.extend(build_spread_table(&title, &found, runs));
        let kinds = collect_unique(found.iter().flat_map(|(_, cost)| &cost.arms).map(Arms::to_label));
        sections.extend(kinds.iter().map(|words| build_arm_table(&title, words, &found, runs)));
    }
    sections
}

/// Builds the table of each task without arms, and of all tasks if none has any.
fn build_spread_table(title: &str, found: &[(&str, Cost)], runs: &[RunReport]) -> Option<Section> {
    let heads = ["<task", "<run", "n", "avg", "max", "min", "mode", "median", "p95", "total"];
    let mut section = Section::new(title, &heads);
    let tasks = collect_unique(found.iter().flat_map(|(_, cost)| &cost.tasks).map(|(task, _)| task.as_str()));
    for task in tasks.iter().map(|task| Some(*task)).chain([None]) {
        for (run, cost) in found {
            let spread = match task {
                Some(task) => cost.tasks.iter().find(|(name, _)| name == task).and_then(|(_, spread)| spread.as_ref()),
                None => cost.whole.as_ref(),
            };
            let Some(Spread { n, total, mean, min, max, mode, median, p95 }) = spread else { continue };
            let lead = [Cell::text(task.unwrap_or("all")), Cell::text(*run)];
            let own = [Cell::count(*n), build_mean_cell(cost.what, *mean)];
            let amounts = [max, min, mode, median, p95, total].map(|value| build_amount_cell(cost.what, *value));
            section.push_row(lead.into_iter().chain(own).chain(amounts).collect());
        }
    }
    section.without_single_run(runs.len()).into_filled()
}

/// Builds the table of a task's arms, with their costs compared with the first.
fn build_arm_table(title: &str, words: &str, found: &[(&str, Cost)], runs: &[RunReport]) -> Section {
    let heads = ["<arm", "<run", "n", "mean", "p50", "p95", "against", "pairs", "difference", "95% CI", "p"];
    let note = "Difference: this arm minus the one it is compared with, as the mean over the same samples, with Student's 95% CI over samples \
                (- if all samples differ by the same amount). p: permutation test over samples, with Holm's correction over the arms.";
    let mut section = Section::new(format!("{title}: {words}"), &heads).with_note(note);
    let of = |cost: &Cost| -> Vec<Arm> {
        cost.arms.iter().find(|arms| arms.to_label() == words).map(|arms| arms.arms.clone()).unwrap_or_default()
    };
    let all: Vec<(&str, Measure, Vec<Arm>)> = found.iter().map(|(run, cost)| (*run, cost.what, of(cost))).collect();
    for name in collect_unique(all.iter().flat_map(|(_, _, arms)| arms).map(|arm| arm.name.as_str())) {
        for (run, what, arms) in &all {
            let Some(arm) = arms.iter().find(|arm| arm.name == name) else { continue };
            let lead = [Cell::text(name), Cell::text(*run)];
            section.push_row(lead.into_iter().chain(build_arm_cells(*what, arm)).collect());
        }
    }
    section.without_single_run(runs.len())
}

/// Builds the cell of one value of a measure.
pub fn build_amount_cell(what: Measure, value: f64) -> Cell {
    let text = if what == Measure::Cost { format_money(value) } else { format!("{value:.0}") };
    Cell::number(text, value)
}

/// Builds the cell of a mean.
pub fn build_mean_cell(what: Measure, value: f64) -> Cell {
    let text = match what {
        Measure::Cost => format_money(value),
        Measure::Score => format!("{value:.3}"),
        _ => format!("{value:.2}"),
    };
    Cell::number(text, value)
}

/// Builds the cells of the difference of two means, and of its interval.
pub fn build_difference_cells(what: Measure, difference: f64, interval: Option<Interval>) -> [Cell; 2] {
    let text = |value: f64| add_sign(build_mean_cell(what, value).text);
    let ends = |ends: Interval| Cell::number(format!("{} to {}", text(ends.low), text(ends.high)), ends.low);
    [Cell::number(text(difference), difference), interval.map_or_else(Cell::none, ends)]
}

/// Adds a `+` to a positive number, and removes the sign of zero.
fn add_sign(text: String) -> String {
    let digits = text.trim_start_matches('-');
    match digits.chars().all(|c| matches!(c, '0' | '.')) {
        true => digits.to_owned(),
        false if text.starts_with('-') => text,
        false => format!("+{text}"),
    }
}

fn build_arm_cells(what: Measure, arm: &Arm) -> Vec<Cell> {
    let mut cells = match &arm.spread {
        Some(Spread { n, mean, median, p95, .. }) => vec![
            Cell::count(*n),
            build_mean_cell(what, *mean),
            build_amount_cell(what, *median),
            build_amount_cell(what, *p95),
        ],
        None => vec![Cell::none(); 4],
    };
    if let Some(Against { arm, paired }) = &arm.against {
        cells.extend([Cell::text(arm), Cell::count(paired.pairs)]);
        cells.extend(build_difference_cells(what, paired.difference, paired.interval));
        cells.push(Cell::from_p_value(paired.p));
    }
    cells
}
