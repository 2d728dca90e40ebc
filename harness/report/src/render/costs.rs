//! Tables of costs: PICARD paper, tables 2 to 5, for every reported measure; and comparisons of arms.

use statistics::summary::Spread;

use super::section::{Cell, Section};
use super::words::{format_money, format_p_value};
use crate::model::RunReport;
use crate::model::arms::{Against, Arm, Arms};
use crate::model::costs::Cost;
use crate::model::lines::collect_unique;
use crate::model::measure::Measure;
use crate::model::pairs::Paired;

/// Builds one table for each measure, and one for the arms of each task that has several.
pub fn build_tables(runs: &[RunReport]) -> Vec<Section> {
    let mut sections = Vec::new();
    for what in Measure::ALL {
        let measured = |run: &RunReport| run.costs.iter().find(|cost| cost.what == what).cloned();
        let found: Vec<(&str, Cost)> =
            runs.iter().filter_map(|run| Some((run.name.as_str(), measured(run)?))).collect();
        if found.is_empty() {
            continue;
        }
        let title = build_title(what);
        sections.extend(build_spread_table(&title, &found, runs));
        let kinds = collect_unique(found.iter().flat_map(|(_, cost)| &cost.arms).map(Arms::to_label));
        sections.extend(kinds.iter().map(|words| build_arm_table(&title, words, &found, runs)));
    }
    sections
}

fn build_title(what: Measure) -> String {
    let words = what.label();
    format!("{}{}", words[..1].to_uppercase(), &words[1..])
}

fn filter_heads(heads: &[&'static str], runs: &[RunReport]) -> Vec<&'static str> {
    heads.iter().copied().filter(|head| runs.len() > 1 || *head != "<run").collect()
}

/// Builds the table of each task without arms, and of all tasks if none has any.
fn build_spread_table(title: &str, found: &[(&str, Cost)], runs: &[RunReport]) -> Option<Section> {
    let heads = filter_heads(&["<task", "<run", "n", "avg", "max", "min", "mode", "median", "p95", "total"], runs);
    let mut section = Section::new(title, &heads);
    let tasks = collect_unique(found.iter().flat_map(|(_, cost)| &cost.tasks).map(|(task, _)| task.as_str()));
    for task in tasks.iter().map(|task| Some(*task)).chain([None]) {
        for (run, cost) in found {
            let spread = match task {
                Some(task) => cost.tasks.iter().find(|(name, _)| name == task).and_then(|(_, spread)| spread.as_ref()),
                None => cost.whole.as_ref(),
            };
            let Some(spread) = spread else { continue };
            let mut cells = vec![Cell::text(task.unwrap_or("all"))];
            if runs.len() > 1 {
                cells.push(Cell::text(*run));
            }
            let Spread { n, total, mean, min, max, mode, median, p95 } = spread;
            cells.push(Cell::count(*n));
            cells.push(self::build_mean_cell(cost.what, *mean));
            cells.extend([max, min, mode, median, p95, total].map(|value| build_amount_cell(cost.what, *value)));
            section.push_row(cells);
        }
    }
    (!section.rows.is_empty()).then_some(section)
}

/// Builds the table of a task's arms, with their costs compared with the first.
fn build_arm_table(title: &str, words: &str, found: &[(&str, Cost)], runs: &[RunReport]) -> Section {
    let heads = filter_heads(
        &["<arm", "<run", "n", "mean", "p50", "p95", "against", "pairs", "difference", "95% CI", "p"],
        runs,
    );
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
            let mut cells = vec![Cell::text(name)];
            if runs.len() > 1 {
                cells.push(Cell::text(*run));
            }
            cells.extend(build_arm_cells(*what, arm));
            section.push_row(cells);
        }
    }
    section
}

/// Builds the cell of one value of a measure.
pub fn build_amount_cell(what: Measure, value: f64) -> Cell {
    let text = if what == Measure::Cost { format_money(value) } else { format!("{value:.0}") };
    Cell::number(text, value)
}

/// Builds the cell of a mean.
pub fn build_mean_cell(what: Measure, value: f64) -> Cell {
    let text = if what == Measure::Cost { format_money(value) } else { format!("{value:.2}") };
    Cell::number(text, value)
}

/// Builds the cells of a cost difference: the difference, its interval, and p.
pub fn build_difference_cells(what: Measure, paired: &Paired) -> [Cell; 3] {
    let interval = paired.interval.map_or_else(Cell::none, |interval| {
        Cell::number(
            format!("{} to {}", format_signed_mean(what, interval.low), format_signed_mean(what, interval.high)),
            interval.low,
        )
    });
    [
        Cell::number(format_signed_mean(what, paired.difference), paired.difference),
        interval,
        Cell::number(format_p_value(paired.p), paired.p),
    ]
}

fn build_arm_cells(what: Measure, arm: &Arm) -> Vec<Cell> {
    let mut cells = match &arm.spread {
        Some(Spread { n, mean, median, p95, .. }) => {
            vec![
                Cell::count(*n),
                self::build_mean_cell(what, *mean),
                build_amount_cell(what, *median),
                build_amount_cell(what, *p95),
            ]
        }
        None => vec![Cell::none(); 4],
    };
    cells.extend(match &arm.against {
        Some(Against { arm, paired }) => {
            let mut cells = vec![Cell::text(arm), Cell::count(paired.pairs)];
            cells.extend(build_difference_cells(what, paired));
            cells
        }
        None => vec![Cell::none(); 5],
    });
    cells
}

/// Renders `+1.25`; never `-0.00`.
fn format_signed_mean(what: Measure, value: f64) -> String {
    let text = build_mean_cell(what, value).text;
    match text.as_str() {
        "-0.00" | "0.00" => "0.00".to_owned(),
        _ if text.starts_with('-') => text,
        _ => format!("+{text}"),
    }
}
