//! The tables of a comparison.

use statistics::accuracy::SamplingUnit;
use statistics::proportion::render_percent;

use super::costs::CostDifference;
use super::{Comparison, Design, Difference, Discordant, Which};
use crate::render::section::{Cell, Section};
use crate::render::words::{capitalize_first, describe_status, format_points};
use crate::render::{costs, stages};

/// The maximum number of discordant instances that are listed for people; JSON lists all.
const LISTED: usize = 50;

/// Builds all tables, in the order in which they are shown.
pub fn build_tables(comparison: &Comparison) -> Vec<Section> {
    let mut sections = vec![build_difference_table(comparison)];
    sections.extend(comparison.propagation.as_ref().map(stages::build_propagation_table));
    sections.extend(build_cost_table(comparison));
    sections.extend(build_discordant_table(comparison));
    sections
}

/// Returns the result, and why this design was chosen, as paragraphs.
pub fn build_lead(comparison: &Comparison) -> Vec<String> {
    let because: Vec<String> =
        comparison.because.iter().map(|sentence| format!("{}.", capitalize_first(sentence))).collect();
    // The sentence begins with the name of a run, so it is not capitalized.
    vec![format!("{}.", comparison.sentence), because.join(" ")]
}

fn build_difference_table(comparison: &Comparison) -> Section {
    let (a, b) = (comparison.a.name.as_str(), comparison.b.name.as_str());
    let paired = comparison.design == Design::Paired;
    let mut heads: Vec<String> = [a, "accuracy", b, "accuracy", "difference", "95% CI"].map(str::to_owned).to_vec();
    if paired {
        heads.extend([format!("only {a}"), format!("only {b}")]);
        heads.extend(["p McNemar", "p permutation", "p Holm"].map(str::to_owned));
    } else {
        heads.extend(["p Fisher", "p Holm"].map(str::to_owned));
    }
    let over = describe_over(comparison.over);
    let note = if paired {
        format!(
            "Difference in points: the second run minus the first, with Tango's 95% CI (for all tasks: over {over}; for one task: over its samples)."
        )
    } else {
        "Difference in points: the second run minus the first, with Newcombe's 95% CI.".to_owned()
    };
    let section = Section::new("Difference", &["<task"]).with_numbers(heads).with_note(note);
    let all = std::iter::once(&comparison.whole).chain(&comparison.tasks);
    section.with_rows(all.map(|difference| build_difference_cells(difference, comparison.design)))
}

fn build_difference_cells(difference: &Difference, design: Design) -> Vec<Cell> {
    let Difference { name, a, b, interval, .. } = difference;
    let side = |(right, of): (u64, u64)| Cell::number(format!("{right}/{of}"), right as f64);
    let share = |(right, of): (u64, u64), accuracy: f64| {
        // A share of single trials is computed from integers, otherwise from the mean.
        let exact = accuracy == right as f64 / of as f64;
        Cell::number(format!("{}%", if exact { render_percent(right, of) } else { format_points(accuracy) }), accuracy)
    };
    let count = |count: Option<u64>| count.map_or_else(Cell::none, Cell::count);
    let p = |p: Option<f64>| p.map_or_else(Cell::none, Cell::from_p_value);
    let mut cells =
        vec![Cell::text(name), side(*a), share(*a, difference.accuracy_a), side(*b), share(*b, difference.accuracy_b)];
    cells.extend(Cell::from_difference(difference.difference, *interval));
    if design == Design::Paired {
        cells.extend([count(difference.only_a), count(difference.only_b)]);
    }
    cells.push(p(Some(difference.p_exact)));
    if design == Design::Paired {
        cells.push(p(difference.p_permutation));
    }
    cells.push(p(difference.p_holm));
    cells
}

/// Builds the table of costs in both runs.
fn build_cost_table(comparison: &Comparison) -> Option<Section> {
    let (a, b) = (comparison.a.name.as_str(), comparison.b.name.as_str());
    let note = format!(
        "Means over the instances that report the measure in both runs. Difference: the second run minus the first, with Student's 95% CI over {} \
         (- if all differ by the same amount). p: permutation test over {0}, for each measure alone.",
        describe_over(comparison.over)
    );
    let row = |one: &CostDifference| {
        let mut cells = vec![Cell::text(one.what.label()), Cell::count(one.paired.pairs)];
        cells.extend([one.a, one.b].map(|mean| costs::build_mean_cell(one.what, mean)));
        cells.extend(costs::build_difference_cells(one.what, one.paired.difference, one.paired.interval));
        cells.push(Cell::from_p_value(one.paired.p));
        cells
    };
    let heads = ["instances", a, b, "difference", "95% CI", "p"];
    let section = Section::new("Cost", &["<measure"]).with_numbers(heads).with_note(note);
    section.with_rows(comparison.costs.iter().map(row)).into_filled()
}

fn describe_over(over: SamplingUnit) -> &'static str {
    match over {
        SamplingUnit::Tasks => "tasks",
        SamplingUnit::Samples => "samples",
    }
}

fn build_discordant_table(comparison: &Comparison) -> Option<Section> {
    let row = |one: &Discordant| {
        let correct_in = match one.right_in {
            Which::A => &comparison.a.name,
            Which::B => &comparison.b.name,
        };
        [&one.id, &one.task, correct_in, describe_status(one.status)].map(Cell::text).to_vec()
    };
    let section = Section::new("Where they differ", &["<instance", "<task", "<correct in", "<the other"]);
    let section = section.with_rows(comparison.discordant.iter().take(LISTED).map(row)).into_filled()?;
    let more = comparison.discordant.len().saturating_sub(LISTED);
    Some(if more > 0 { section.with_note(format!("And {more} more: `--json` lists all of them.")) } else { section })
}
