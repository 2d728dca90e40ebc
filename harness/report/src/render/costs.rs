//! The tables of what answers cost: PICARD paper, tables 2 to 5, for whatever is measured; and arms against each other.

use statistics::spread::Spread;

use super::section::{Cell, Section};
use super::words::{money, p_value};
use crate::model::RunReport;
use crate::model::arms::{Against, Arm, Arms};
use crate::model::costs::Cost;
use crate::model::lines::union;
use crate::model::measure::Measure;
use crate::model::pairs::Paired;

/// One table a measure, and one for the arms of each task that has several.
pub fn tables(runs: &[RunReport]) -> Vec<Section> {
    let mut sections = Vec::new();
    for what in Measure::ALL {
        let measured = |run: &RunReport| run.costs.iter().find(|cost| cost.what == what).cloned();
        let found: Vec<(&str, Cost)> =
            runs.iter().filter_map(|run| Some((run.name.as_str(), measured(run)?))).collect();
        if found.is_empty() {
            continue;
        }
        let (title, several) = (title(what), runs.len() > 1);
        sections.extend(spreads(&title, &found, several));
        let kinds = union(found.iter().flat_map(|(_, cost)| &cost.arms).map(Arms::words));
        sections.extend(kinds.iter().map(|words| held(&title, words, &found, several)));
    }
    sections
}

fn title(what: Measure) -> String {
    let words = what.words();
    format!("{}{}", words[..1].to_uppercase(), &words[1..])
}

fn heads(heads: &[&'static str], several: bool) -> Vec<&'static str> {
    heads.iter().copied().filter(|head| several || *head != "<run").collect()
}

/// Of each task without arms, and of all if none has any.
fn spreads(title: &str, found: &[(&str, Cost)], several: bool) -> Option<Section> {
    let heads = heads(&["<task", "<run", "n", "avg", "max", "min", "mode", "median", "p95", "total"], several);
    let mut section = Section::new(title, &heads);
    let tasks = union(found.iter().flat_map(|(_, cost)| &cost.tasks).map(|(task, _)| task.as_str()));
    for task in tasks.iter().map(|task| Some(*task)).chain([None]) {
        for (run, cost) in found {
            let spread = match task {
                Some(task) => cost.tasks.iter().find(|(name, _)| name == task).and_then(|(_, spread)| spread.as_ref()),
                None => cost.whole.as_ref(),
            };
            let Some(spread) = spread else { continue };
            let mut cells = vec![Cell::text(task.unwrap_or("all"))];
            if several {
                cells.push(Cell::text(*run));
            }
            let Spread { n, total, mean, min, max, mode, median, p95 } = spread;
            cells.push(Cell::count(*n));
            cells.push(self::mean(cost.what, *mean));
            cells.extend([max, min, mode, median, p95, total].map(|value| amount(cost.what, *value)));
            section.push(cells);
        }
    }
    (!section.rows.is_empty()).then_some(section)
}

/// Arms of a task, and what each costs against the first.
fn held(title: &str, words: &str, found: &[(&str, Cost)], several: bool) -> Section {
    let heads =
        heads(&["<arm", "<run", "n", "mean", "p50", "p95", "against", "pairs", "difference", "95% CI", "p"], several);
    let note = "Difference: this arm minus the one it is compared with, as the mean over the same samples, with Student's 95% CI over samples \
                (- if all samples differ by the same amount). p: permutation test over samples, with Holm's correction over the arms.";
    let mut section = Section::new(format!("{title}: {words}"), &heads).note(note);
    let of = |cost: &Cost| -> Vec<Arm> {
        cost.arms.iter().find(|arms| arms.words() == words).map(|arms| arms.arms.clone()).unwrap_or_default()
    };
    let all: Vec<(&str, Measure, Vec<Arm>)> = found.iter().map(|(run, cost)| (*run, cost.what, of(cost))).collect();
    for name in union(all.iter().flat_map(|(_, _, arms)| arms).map(|arm| arm.name.as_str())) {
        for (run, what, arms) in &all {
            let Some(arm) = arms.iter().find(|arm| arm.name == name) else { continue };
            let mut cells = vec![Cell::text(name)];
            if several {
                cells.push(Cell::text(*run));
            }
            cells.extend(of_arm(*what, arm));
            section.push(cells);
        }
    }
    section
}

/// One value of a measure.
pub fn amount(what: Measure, value: f64) -> Cell {
    let text = if what == Measure::Cost { money(value) } else { format!("{value:.0}") };
    Cell::number(text, value)
}

/// The mean of several.
pub fn mean(what: Measure, value: f64) -> Cell {
    let text = if what == Measure::Cost { money(value) } else { format!("{value:.2}") };
    Cell::number(text, value)
}

/// What one costs more than the other: the difference, its interval, and p.
pub fn differs(what: Measure, paired: &Paired) -> [Cell; 3] {
    let interval = paired.interval.map_or_else(Cell::none, |interval| {
        Cell::number(format!("{} to {}", signed(what, interval.low), signed(what, interval.high)), interval.low)
    });
    [
        Cell::number(signed(what, paired.difference), paired.difference),
        interval,
        Cell::number(p_value(paired.p), paired.p),
    ]
}

fn of_arm(what: Measure, arm: &Arm) -> Vec<Cell> {
    let mut cells = match &arm.spread {
        Some(Spread { n, mean, median, p95, .. }) => {
            vec![Cell::count(*n), self::mean(what, *mean), amount(what, *median), amount(what, *p95)]
        }
        None => vec![Cell::none(); 4],
    };
    cells.extend(match &arm.against {
        Some(Against { arm, paired }) => {
            let mut cells = vec![Cell::text(arm), Cell::count(paired.pairs)];
            cells.extend(differs(what, paired));
            cells
        }
        None => vec![Cell::none(); 5],
    });
    cells
}

/// `+1.25`; no `-0.00`.
fn signed(what: Measure, value: f64) -> String {
    let text = mean(what, value).text;
    match text.as_str() {
        "-0.00" | "0.00" => "0.00".to_owned(),
        _ if text.starts_with('-') => text,
        _ => format!("+{text}"),
    }
}
