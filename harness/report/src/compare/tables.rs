//! The tables of a comparison.

use statistics::accuracy::SamplingUnit;
use statistics::proportion::render_percent;

use super::{Comparison, Design, Difference, Which};
use crate::render::section::{Cell, Column, Section};
use crate::render::words::{describe_status, format_p_value, format_points, format_signed, from_to};
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
    let capital = |text: &str| {
        let mut chars = text.chars();
        chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
    };
    let because: Vec<String> = comparison.because.iter().map(|sentence| format!("{}.", capital(sentence))).collect();
    // The sentence begins with the name of a run, so it is not capitalized.
    vec![format!("{}.", comparison.sentence), because.join(" ")]
}

fn build_difference_table(comparison: &Comparison) -> Section {
    let (a, b) = (comparison.a.name.as_str(), comparison.b.name.as_str());
    let paired = comparison.design == Design::Paired;
    let only = [format!("only {a}"), format!("only {b}")];
    let mut heads = vec!["<task", a, "accuracy", b, "accuracy", "difference", "95% CI"];
    if paired {
        heads.extend([only[0].as_str(), only[1].as_str(), "p McNemar", "p permutation", "p Holm"]);
    } else {
        heads.extend(["p Fisher", "p Holm"]);
    }
    let over = describe_over(comparison.over);
    let note = if paired {
        format!(
            "Difference in points: the second run minus the first, with Tango's 95% CI (for all tasks: over {over}; for one task: over its samples)."
        )
    } else {
        "Difference in points: the second run minus the first, with Newcombe's 95% CI.".to_owned()
    };
    let mut section = Section::new("Difference", &[]).with_note(note);
    section.columns = build_columns(&heads);
    for difference in std::iter::once(&comparison.whole).chain(&comparison.tasks) {
        section.push_row(build_difference_cells(difference, comparison.design));
    }
    section
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
    let p = |p: Option<f64>| p.map_or_else(Cell::none, |p| Cell::number(format_p_value(p), p));
    let mut cells = vec![
        Cell::text(name),
        side(*a),
        share(*a, difference.accuracy_a),
        side(*b),
        share(*b, difference.accuracy_b),
        Cell::number(format_signed(difference.difference), difference.difference),
        Cell::number(from_to(*interval), interval.low),
    ];
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
    if comparison.costs.is_empty() {
        return None;
    }
    let (a, b) = (comparison.a.name.as_str(), comparison.b.name.as_str());
    let note = format!(
        "Means over the instances that report the measure in both runs. Difference: the second run minus the first, with Student's 95% CI over {} \
         (- if all differ by the same amount). p: permutation test over {0}, for each measure alone.",
        describe_over(comparison.over)
    );
    let mut section = Section::new("Cost", &[]).with_note(note);
    section.columns = build_columns(&["<measure", "instances", a, b, "difference", "95% CI", "p"]);
    for one in &comparison.costs {
        let mut cells = vec![Cell::text(one.what.label()), Cell::count(one.paired.pairs)];
        cells.extend([one.a, one.b].map(|mean| costs::build_mean_cell(one.what, mean)));
        cells.extend(costs::build_difference_cells(one.what, &one.paired));
        section.push_row(cells);
    }
    Some(section)
}

fn describe_over(over: SamplingUnit) -> &'static str {
    match over {
        SamplingUnit::Tasks => "tasks",
        SamplingUnit::Samples => "samples",
    }
}

/// Builds columns from heads that may be names of runs: these can begin with `<`.
fn build_columns(heads: &[&str]) -> Vec<Column> {
    let mut columns = Section::new("", heads).columns;
    for (column, head) in columns.iter_mut().zip(heads).skip(1) {
        column.head = (*head).to_owned();
        column.right = true;
    }
    columns
}

fn build_discordant_table(comparison: &Comparison) -> Option<Section> {
    if comparison.discordant.is_empty() {
        return None;
    }
    let mut section = Section::new("Where they differ", &["<instance", "<task", "<correct in", "<the other"]);
    for one in comparison.discordant.iter().take(LISTED) {
        let correct_in = match one.right_in {
            Which::A => &comparison.a.name,
            Which::B => &comparison.b.name,
        };
        section.push_row(vec![
            Cell::text(&one.id),
            Cell::text(&one.task),
            Cell::text(correct_in),
            Cell::text(describe_status(one.status)),
        ]);
    }
    let more = comparison.discordant.len().saturating_sub(LISTED);
    Some(if more > 0 { section.with_note(format!("And {more} more: `--json` lists all of them.")) } else { section })
}
