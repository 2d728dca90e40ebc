//! Tables of arms: accuracy, amounts, times, and attempts at SQL.

use records::run::LimitEnforcement;
use statistics::proportion;

use super::described;
use super::section::{Cell, Column, Section};
use super::words::{
    format_accuracy_percent, format_count, format_duration, format_interval, format_list, format_money, format_p_value,
    format_signed, from_to,
};
use crate::model::arm_sets::{ArmOf, ArmSet, MeanOf, RightAgainst, Test, TimeOf, VARIANT};
use crate::model::gauge::{Gauge, Pace};
use crate::model::share::Share;
use crate::model::stages::Part;
use crate::model::{Report, RunReport};

/// Builds the tables of every set of arms; empty without `--by`.
pub fn build_tables(report: &Report) -> Vec<Section> {
    report.by.iter().flat_map(|set| build_set_tables(set, &report.runs)).collect()
}

fn build_set_tables(set: &ArmSet, runs: &[RunReport]) -> Vec<Section> {
    let tasks: Vec<&str> = set.tasks.iter().map(String::as_str).collect();
    let by = if set.by == VARIANT { "variant" } else { &set.by };
    let run = if runs.len() > 1 { format!(", {}", set.run) } else { String::new() };
    let whose = format!("by {by}: {}{run}", format_list(&tasks));
    let mut sections = vec![build_accuracy_table(set, &whose)];
    sections.extend(build_attempt_table(set, &whose));
    sections.extend(build_mean_table(set, &whose));
    sections.extend(build_time_table(set, &whose));
    sections.extend(described::build_tables(set, &whose));
    sections
}

/// Builds the table of accuracy, one row for each arm.
fn build_accuracy_table(set: &ArmSet, whose: &str) -> Section {
    let heads = [
        "<arm",
        "accuracy",
        "95% CI",
        "correct",
        "of",
        "points",
        "95% CI",
        "won",
        "lost",
        "p",
        "p, Holm",
        "pairs needed",
    ];
    let mut section = Section::new(format!("Accuracy {whose}"), &heads).with_note(build_note(set));
    for arm in &set.arms {
        let Share { correct, of, accuracy, interval: ends, .. } = &arm.right;
        let mut cells = vec![
            Cell::text(&arm.name),
            Cell::number(format_accuracy_percent(&arm.right), *accuracy),
            Cell::number(format_interval(*ends), ends.low),
            Cell::count(*correct),
            Cell::count(*of),
        ];
        cells.extend(match &arm.against {
            Some(against) => build_difference_cells(against),
            None => vec![Cell::none(); 7],
        });
        section.push_row(cells);
    }
    section
}

fn build_difference_cells(against: &RightAgainst) -> Vec<Cell> {
    vec![
        Cell::number(format_signed(against.difference), against.difference),
        Cell::number(from_to(against.interval), against.interval.low),
        Cell::count(against.won),
        Cell::count(against.lost),
        Cell::number(format_p_value(against.p), against.p),
        Cell::number(format_p_value(against.p_holm), against.p_holm),
        against.pairs_needed.map_or_else(Cell::none, Cell::count),
    ]
}

fn build_note(set: &ArmSet) -> String {
    let tests: Vec<Test> = set.arms.iter().filter_map(|arm| arm.against.as_ref()).map(|one| one.test).collect();
    let test = match tests.first() {
        Some(Test::Mcnemar) => "McNemar's exact test",
        Some(Test::Signs) => "permutation of signs by cluster, all of them",
        _ => "permutation of signs by cluster, random ones",
    };
    let tools = match set.tools {
        Some(LimitEnforcement::Told) => {
            " The program was told which tools it has in each arm, and nothing enforced it."
        }
        Some(LimitEnforcement::Ignored) => " The agent has its own tools in every arm (--ignore-tools).",
        Some(LimitEnforcement::Enforced) | None => "",
    };
    format!(
        "Over the {} that all arms have, in {}. Missing and failed responses are incorrect. Points: this arm minus `{}`, with Tango's 95% CI over \
         clusters. Won, lost: correct in this arm alone, in the other alone. p: {test}; after Holm's correction over the arms. Pairs needed: to \
         show such a difference at 5% with a power of 80%.{tools}",
        format_count(set.instances, "instance"),
        format_count(set.clusters, "cluster"),
        set.against
    )
}

fn build_percent_cell(part: &Part) -> Cell {
    Cell::number(format!("{}%", proportion::render_percent(part.count, part.of)), part.share)
}

/// Builds the table of attempts at SQL: the number of responses with a right attempt up to the k-th.
fn build_attempt_table(set: &ArmSet, whose: &str) -> Option<Section> {
    let most = set.arms.iter().filter_map(|arm| arm.attempts.as_ref()).map(|one| one.by_attempt.len()).max()?;
    let mut section = Section::new(format!("Correct SQL by attempt, {whose}"), &["<arm", "responses"]).with_note(
        "Each call of `run_sql` on the database of the question, scored after the run. By attempt k: responses whose k-th call or an earlier one gives the \
         expected rows, of those with known calls. Ever: 95% CI by Wilson.",
    );
    let column = |head: String| Column { head, right: true };
    section.columns.extend((1..=most).map(|k| column(format!("by {k}"))));
    section.columns.extend(["ever", "95% CI"].map(|head| column(head.to_owned())));
    for arm in &set.arms {
        let mut cells = vec![Cell::text(&arm.name)];
        match &arm.attempts {
            None => cells.extend(vec![Cell::none(); most + 3]),
            Some(attempts) => {
                cells.push(Cell::count(attempts.responses));
                // After its last first right attempt, an arm's number does not change.
                let at = |k: usize| attempts.by_attempt.get(k).unwrap_or(&attempts.ever);
                cells.extend((0..most).map(|k| build_percent_cell(at(k))));
                cells.push(build_percent_cell(&attempts.ever));
                cells.push(Cell::number(format_interval(attempts.ever.interval), attempts.ever.interval.low));
            }
        }
        section.push_row(cells);
    }
    Some(section)
}

/// Builds the table of amounts, one row for each amount and arm.
fn build_mean_table(set: &ArmSet, whose: &str) -> Option<Section> {
    let heads = ["<amount", "<arm", "n", "mean", "pairs", "difference", "95% CI", "p", "p, Holm"];
    let note = format!(
        "Of responses that ended. Difference: this arm minus `{}`, as the mean over the same instances, with a 95% CI by the bootstrap of clusters (- if all \
         differ by the same amount). p: permutation of signs by cluster; after Holm's correction over the arms.",
        set.against
    );
    let mut section = Section::new(format!("Amounts {whose}"), &heads).with_note(note);
    for what in Gauge::ALL {
        let of = |arm: &ArmOf| arm.means.iter().find(|mean| mean.what == what).cloned();
        if set.arms.iter().all(|arm| of(arm).is_none()) {
            continue;
        }
        for arm in &set.arms {
            let mut cells = vec![Cell::text(what.label()), Cell::text(&arm.name)];
            cells.extend(of(arm).map_or_else(|| vec![Cell::none(); 7], |mean| build_mean_cells(&mean, set, arm)));
            section.push_row(cells);
        }
    }
    (!section.rows.is_empty()).then_some(section)
}

fn build_mean_cells(mean: &MeanOf, set: &ArmSet, arm: &ArmOf) -> Vec<Cell> {
    let what = mean.what;
    let mut cells = vec![Cell::count(mean.n), build_amount_cell(what, mean.mean)];
    cells.extend(match mean.against.as_ref().filter(|_| arm.name != set.against) {
        None => vec![Cell::none(); 5],
        Some(against) => vec![
            Cell::count(against.pairs),
            Cell::number(add_sign(build_amount_cell(what, against.difference).text), against.difference),
            against.interval.map_or_else(Cell::none, |ends| {
                let text = |end: f64| add_sign(build_amount_cell(what, end).text);
                Cell::number(format!("{} to {}", text(ends.low), text(ends.high)), ends.low)
            }),
            Cell::number(format_p_value(against.p), against.p),
            Cell::number(format_p_value(against.p_holm), against.p_holm),
        ],
    });
    cells
}

fn build_amount_cell(what: Gauge, value: f64) -> Cell {
    let text = match what {
        Gauge::Cost => format_money(value),
        Gauge::Score => format!("{value:.3}"),
        _ => format!("{value:.2}"),
    };
    Cell::number(text, value)
}

/// Adds a `+` to a positive number.
fn add_sign(text: String) -> String {
    let digits = text.trim_start_matches('-');
    match digits.chars().all(|c| matches!(c, '0' | '.')) {
        true => digits.to_owned(),
        false if text.starts_with('-') => text,
        false => format!("+{text}"),
    }
}

/// Builds the table of times, one row for each time and arm.
fn build_time_table(set: &ArmSet, whose: &str) -> Option<Section> {
    let heads = ["<time", "<arm", "n", "p50", "p95", "pairs", "difference of p50", "95% CI"];
    let note = format!(
        "Of responses that ended. Difference: the median of this arm minus that of `{}`, over the same instances, with a 95% CI by the bootstrap of clusters.",
        set.against
    );
    let mut section = Section::new(format!("Time {whose}"), &heads).with_note(note);
    for what in Pace::ALL {
        let of = |arm: &ArmOf| arm.times.iter().find(|time| time.what == what).cloned();
        if set.arms.iter().all(|arm| of(arm).is_none()) {
            continue;
        }
        for arm in &set.arms {
            let mut cells = vec![Cell::text(what.label()), Cell::text(&arm.name)];
            cells.extend(of(arm).map_or_else(|| vec![Cell::none(); 6], |time| build_time_cells(&time)));
            section.push_row(cells);
        }
    }
    (!section.rows.is_empty()).then_some(section)
}

fn build_time_cells(time: &TimeOf) -> Vec<Cell> {
    let mut cells = vec![
        Cell::count(time.n),
        Cell::number(format_duration(time.p50), time.p50),
        Cell::number(format_duration(time.p95), time.p95),
    ];
    let less = |ms: f64| {
        let text = format_duration(ms.abs());
        let sign = if ms < 0.0 {
            "-"
        } else if ms > 0.0 {
            "+"
        } else {
            ""
        };
        format!("{sign}{text}")
    };
    cells.extend(match &time.against {
        None => vec![Cell::none(); 3],
        Some(against) => vec![
            Cell::count(against.pairs),
            Cell::number(less(against.difference), against.difference),
            against.interval.map_or_else(Cell::none, |ends| {
                Cell::number(format!("{} to {}", less(ends.low), less(ends.high)), ends.low)
            }),
        ],
    });
    cells
}
