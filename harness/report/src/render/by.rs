//! Tables of arms: accuracy, amounts, times, and attempts at SQL.

use records::run::LimitEnforcement;
use statistics::Interval;

use super::costs::{build_difference_cells, build_mean_cell};
use super::described;
use super::section::{Cell, Section};
use super::words::{format_count, format_duration, format_list};
use crate::model::arm_sets::{ArmOf, ArmSet, AttemptsOf, MeanAgainst, MeanOf, RightAgainst, Test, TimeOf, VARIANT};
use crate::model::measure::Measure;
use crate::model::share::Share;
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
    let row = |arm: &ArmOf| {
        let Share { correct, of, interval, .. } = arm.right;
        let mut cells = vec![
            Cell::text(&arm.name),
            Cell::from_share(&arm.right),
            Cell::from_interval(interval),
            Cell::count(correct),
            Cell::count(of),
        ];
        if let Some(RightAgainst { difference, interval, won, lost, p, p_holm, pairs_needed, .. }) = &arm.against {
            cells.extend(Cell::from_difference(*difference, *interval));
            cells.extend([won, lost].map(|number| Cell::count(*number)));
            cells.extend([p, p_holm].map(|p| Cell::from_p_value(*p)));
            cells.extend(pairs_needed.map(Cell::count));
        }
        cells
    };
    Section::new(format!("Accuracy {whose}"), &heads).with_note(build_note(set)).with_rows(set.arms.iter().map(row))
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

/// Builds the table of attempts at SQL: the number of responses with a right attempt up to the k-th.
fn build_attempt_table(set: &ArmSet, whose: &str) -> Option<Section> {
    let most = set.arms.iter().filter_map(|arm| arm.attempts.as_ref()).map(|one| one.by_attempt.len()).max()?;
    let heads = (1..=most).map(|k| format!("by {k}")).chain(["ever".to_owned(), "95% CI".to_owned()]);
    let of_attempts = |AttemptsOf { responses, by_attempt, ever }: &AttemptsOf| {
        // After its last first right attempt, an arm's number does not change.
        let parts = (0..most).map(|k| by_attempt.get(k).unwrap_or(ever)).chain([ever]);
        let parts = parts.map(|part| Cell::from_ratio(part.count, part.of));
        std::iter::once(Cell::count(*responses)).chain(parts).chain([Cell::from_interval(ever.interval)]).collect()
    };
    let row = |arm: &ArmOf| {
        let own: Vec<Cell> = arm.attempts.as_ref().map(of_attempts).unwrap_or_default();
        std::iter::once(Cell::text(&arm.name)).chain(own).collect()
    };
    let note = "Each call of `run_sql` on the database of the question, scored after the run. By attempt k: responses whose k-th call or an earlier one gives \
                the expected rows, of those with known calls. Ever: 95% CI by Wilson.";
    let section = Section::new(format!("Correct SQL by attempt, {whose}"), &["<arm", "responses"]);
    let section = section.with_numbers(heads).with_note(note);
    Some(section.with_rows(set.arms.iter().map(row)))
}

/// Adds a row for each amount that an arm has, and each arm: the amount, the arm, and the cells of both.
pub(super) fn with_amounts<W>(
    mut section: Section,
    set: &ArmSet,
    amounts: impl IntoIterator<Item = (&'static str, W)>,
    cells: impl Fn(&W, &ArmOf) -> Option<Vec<Cell>>,
) -> Section {
    for (label, what) in amounts {
        let found: Vec<Option<Vec<Cell>>> = set.arms.iter().map(|arm| cells(&what, arm)).collect();
        if found.iter().any(Option::is_some) {
            let row = |(arm, own): (&ArmOf, Option<Vec<Cell>>)| {
                [label, &arm.name].map(Cell::text).into_iter().chain(own.unwrap_or_default()).collect()
            };
            section = section.with_rows(set.arms.iter().zip(found).map(row));
        }
    }
    section
}

/// Builds the table of amounts, one row for each amount and arm.
fn build_mean_table(set: &ArmSet, whose: &str) -> Option<Section> {
    let heads = ["<amount", "<arm", "n", "mean", "pairs", "difference", "95% CI", "p", "p, Holm"];
    let note = format!(
        "Of responses that ended. Difference: this arm minus `{}`, as the mean over the same instances, with a 95% CI by the bootstrap of clusters (- if all \
         differ by the same amount). p: permutation of signs by cluster; after Holm's correction over the arms.",
        set.against
    );
    let section = Section::new(format!("Amounts {whose}"), &heads).with_note(note);
    let amounts = Measure::AMOUNTS.map(|what| (what.label(), what));
    let cells = |what: &Measure, arm: &ArmOf| {
        let MeanOf { n, mean, against, .. } = arm.means.iter().find(|mean| mean.what == *what)?;
        let mut cells = vec![Cell::count(*n), build_mean_cell(*what, *mean)];
        if let Some(MeanAgainst { paired, p_holm }) = against.as_ref().filter(|_| arm.name != set.against) {
            cells.push(Cell::count(paired.pairs));
            cells.extend(build_difference_cells(*what, paired.difference, paired.interval));
            cells.extend([paired.p, *p_holm].map(Cell::from_p_value));
        }
        Some(cells)
    };
    with_amounts(section, set, amounts, cells).into_filled()
}

/// Builds the table of times, one row for each time and arm.
fn build_time_table(set: &ArmSet, whose: &str) -> Option<Section> {
    let heads = ["<time", "<arm", "n", "p50", "p95", "pairs", "difference of p50", "95% CI"];
    let note = format!(
        "Of responses that ended. Difference: the median of this arm minus that of `{}`, over the same instances, with a 95% CI by the bootstrap of clusters.",
        set.against
    );
    let section = Section::new(format!("Time {whose}"), &heads).with_note(note);
    let label = |what: Measure| if what == Measure::WallMs { "time" } else { "time to first SQL" };
    let cells = |what: &Measure, arm: &ArmOf| Some(build_time_cells(arm.times.iter().find(|time| time.what == *what)?));
    with_amounts(section, set, Measure::TIMES.map(|what| (label(what), what)), cells).into_filled()
}

fn build_time_cells(TimeOf { n, p50, p95, against, .. }: &TimeOf) -> Vec<Cell> {
    let mut cells = vec![Cell::count(*n)];
    cells.extend([p50, p95].map(|ms| Cell::number(format_duration(*ms), *ms)));
    let less = |ms: f64| {
        let sign = if ms < 0.0 {
            "-"
        } else if ms > 0.0 {
            "+"
        } else {
            ""
        };
        format!("{sign}{}", format_duration(ms.abs()))
    };
    if let Some(against) = against {
        cells.extend([Cell::count(against.pairs), Cell::number(less(against.difference), against.difference)]);
        let ends = |ends: Interval| Cell::number(format!("{} to {}", less(ends.low), less(ends.high)), ends.low);
        cells.extend(against.interval.map(ends));
    }
    cells
}
