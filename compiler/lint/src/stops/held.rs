//! Whether the `require`s of a task hold often enough: a build draws a sample again up to 1,000 times.
//!
//! Samples are drawn as a build draws them until all `require`s have held in enough of them, 16 of at most 200: their share is then hardly below 0.03 (one chance in
//! 10⁵), and with 0.03, 1,000 attempts fail together once in 10¹³ samples. So this counts as a proof. Each cell of the axes, and each row of `each`, is looked at
//! for itself.

use std::collections::BTreeMap;

use model::Domain;
use model::observe::Attempts;
use model::suite::Scope;

use super::chance::mix;
use super::needs::{Needs, Wanted};
use super::trial::{Ending, Trial};
use super::world::{Cell, Choices};
use hir::facts::{Facts, Truth};
use hir::{Draw, DrawDomain, NameSource, Task};

/// In how many samples the `require`s must hold, and the most samples that are drawn for that.
const ENOUGH: u64 = 16;
const MAX_SAMPLES: u64 = 200;

/// The most cells that are looked at.
const MAX_CELLS: u64 = 48;

/// The number of steps for all samples of a task.
const MAX_WORK: u64 = 60_000;

/// The share of attempts that must hold: with it, 1,000 of them fail together once in 10⁸ samples.
const LEAST_SHARE: f64 = 0.02;
/// The chance that is accepted of seeing as many held attempts with a smaller share.
const MAX_CHANCE: f64 = 1e-4;

/// Whether drawn samples show that the `require`s of a task surely hold in one of the attempts at each sample.
pub(super) fn is_often_enough(drawn: &Attempts) -> bool {
    drawn.samples > 0 && (drawn.is_static || compute_tail(drawn.samples, drawn.attempts, LEAST_SHARE) <= MAX_CHANCE)
}

/// The chance of at least `held` of `all` attempts if each holds with this chance: the upper tail of the binomial distribution.
fn compute_tail(held: u32, all: u32, chance: f64) -> f64 {
    let (held, all) = (f64::from(held), f64::from(all));
    // The chance of exactly 0, 1, 2, …
    let mut exactly = (1.0 - chance).powf(all);
    let (mut count, mut below) = (0.0, 0.0);
    while count < held {
        below += exactly;
        exactly *= (all - count) / (count + 1.0) * chance / (1.0 - chance);
        count += 1.0;
    }
    1.0 - below
}

/// Whether all `require`s of a task surely hold in one of the attempts at each sample.
pub(super) fn hold_often<'a>(task: &'a Task, facts: &Facts<'a>) -> bool {
    let mut needs = Needs::default();
    let mut requires = Vec::new();
    for (index, require) in task.requires.iter().enumerate() {
        if facts.infer_truth(&require.condition, Scope::default()) == Truth::Always {
            continue;
        }
        let mut own = Needs::default();
        own.add_expr(task, &require.condition, Scope::default());
        needs.add_expr(task, &require.condition, Scope::default());
        requires.push((index, own));
    }
    if requires.is_empty() {
        return true;
    }
    let Some(cells) = list_cells(task, &needs).filter(|_| !has_curves(task, &needs)) else { return false };
    let wanted = Wanted::of_requires(needs, requires);
    let mut left = MAX_WORK;
    cells.into_iter().all(|cell| holds_in_cell(task, &wanted, &cell, &mut left))
}

fn holds_in_cell<'a>(task: &'a Task, wanted: &Wanted<'a>, cell: &Cell, left: &mut u64) -> bool {
    let (names, columns) = (BTreeMap::new(), BTreeMap::new());
    let mut held = 0;
    for number in 0..MAX_SAMPLES {
        let choices = Choices {
            seed: mix(&[number, 12]),
            biased: false,
            redrawn: BTreeMap::new(),
            cell: Some(cell),
            names: &names,
            columns: &columns,
        };
        let (trial, ending) = Trial::run(task, wanted, choices);
        *left = left.saturating_sub(trial.world.count_work());
        match ending {
            Ending::Rejected => {}
            Ending::Goes if trial.is_certain() => held += 1,
            Ending::Goes | Ending::Stops(..) => return false,
        }
        if held == ENOUGH {
            return true;
        }
        // It is hopeless, or takes too long.
        if *left == 0 || held + (MAX_SAMPLES - number) <= ENOUGH {
            return false;
        }
    }
    false
}

/// Whether something is drawn from a curve, whose tails are imagined more often than a build draws them.
fn has_curves(task: &Task, needs: &Needs) -> bool {
    let is_curve = |draw: &Draw| matches!(&draw.domain, DrawDomain::Fixed(Domain::Distributed { .. }));
    let names = needs.names.iter().filter_map(|id| task.names.get(*id)?.source.draw());
    let columns = needs.columns.iter().filter_map(|place| task.find_column(*place)?.source.draw());
    names.chain(columns).any(is_curve)
}

/// The combinations of the cells of axes, and of rows, on which something depends. `None` if there are too many.
fn list_cells(task: &Task, needs: &Needs) -> Option<Vec<Cell>> {
    let mut cells = vec![Cell::default()];
    for id in &needs.names {
        let count = match task.names.get(*id).map(|name| &name.source) {
            Some(NameSource::Axis) => task.axes.iter().find(|axis| axis.slot == *id)?.cells.len(),
            Some(NameSource::Row) if cells.iter().all(|cell| cell.row.is_none()) => {
                task.each.as_ref()?.find_values(*id)?.len()
            }
            _ => continue,
        };
        let is_row = matches!(task.names.get(*id).map(|name| &name.source), Some(NameSource::Row));
        if (cells.len() as u64).saturating_mul(count as u64) > MAX_CELLS {
            return None;
        }
        let choose = |cell: &Cell, at: u64| if is_row { cell.with_row(at) } else { cell.with_axis(*id, at) };
        cells = cells.iter().flat_map(|cell| (0..count as u64).map(move |at| choose(cell, at))).collect();
    }
    Some(cells)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tails_are_those_of_scipy() {
        // scipy.stats.binom.sf(held - 1, all, 0.02)
        for (held, all, chance) in
            [(4, 4, 1.6e-7), (4, 9, 1.860_004_6e-5), (4, 12, 6.963_392_2e-5), (1, 1, 0.02), (2, 100, 0.596_728_4)]
        {
            let own = compute_tail(held, all, 0.02);
            assert!((own - chance).abs() < 1e-6 * chance.max(1e-3), "{held} of {all}: {own} instead of {chance}");
        }
    }

    #[test]
    fn few_attempts_at_few_samples_are_enough() {
        let seen = |samples, attempts, is_static| {
            is_often_enough(&Attempts { task: "t".to_owned(), samples, attempts, is_static })
        };
        assert!(seen(4, 4, false) && seen(4, 12, false) && seen(1, 1, true));
        assert!(!seen(4, 40, false) && !seen(1, 1, false) && !seen(0, 0, true));
    }
}
