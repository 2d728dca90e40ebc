//! Counts the different instances of a task: prompts with their files.
//!
//! The possible draws are counted in the plan, without drawing. Values that can be read back from the prompt or the files (`recoverable`) in any
//! combination are a lower bound: the product of their numbers. All values on which prompt and files depend (`uses`) are an upper bound. If both are
//! equal, the number is exact.

mod draws;
mod recoverable;
pub mod size;

use model::Plan;
use model::suite::Extra;
use model::suite::{ColumnId, DomainExpr, NameSource, Task, Variant};

use draws::CountScope;
use model::uses::Uses;
use recoverable::{Drawn, Shown};
use size::Size;

/// The maximum difference of two logarithms that count as equal.
const SAME: f64 = 1e-9;

/// The number of instances, as log10.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Count {
    /// The lower bound.
    pub least: f64,
    /// The upper bound; `None` if it is unknown.
    pub most: Option<f64>,
}

impl Count {
    /// Whether both bounds are equal.
    pub fn is_exact(self) -> bool {
        self.most.is_some_and(|most| most - self.least < SAME)
    }

    /// Raises the lower bound to one that was found in another way.
    pub fn with_lower_bound(self, log: f64) -> Count {
        // The lower bound never exceeds the upper one.
        Count { least: self.least.max(self.most.map_or(log, |most| log.min(most))), ..self }
    }
}

/// Counts the instances of a task, or of its variants `variants` together. `accepted`: the minimum share of draws that is assumed to pass its `require`s.
///
/// If `require` accepts a share of the draws, at least that share of their number remains if all are equally likely; otherwise as many of the likeliest as make
/// up the share. The count is then as certain as the share, and not exact.
pub fn count_instances(plan: &Plan, task: &Task, variants: &[u32], accepted: f64) -> Count {
    let variants: Vec<Option<&Variant>> = match variants {
        [] => vec![None],
        some => some.iter().map(|at| task.variants.get(*at as usize)).collect(),
    };
    let (mut least, mut most) = (0.0f64, Vec::new());
    for cell in 0..task.count_cells() {
        for variant in &variants {
            let size = count_in_cell(CountScope { plan, task, cell }, *variant);
            let here = if task.requires.is_empty() { size.least } else { size.spread + libm::log10(accepted) };
            // Two cells or variants may have the same instances, so their numbers are not added.
            least = least.max(here);
            most.push(size.most);
        }
    }
    let most = size::sum_logs(most);
    let conditional = !task.requires.is_empty();
    // If a condition removes an unknown share, the lower bound is not the exact number.
    let least = if conditional && most - least < SAME { most - 2.0 * SAME } else { least };
    Count { least, most: most.is_finite().then_some(most) }
}

fn count_in_cell(here: CountScope<'_>, variant: Option<&Variant>) -> Size {
    let (task, uses, shown) = (here.task, Uses::from_instances(here.task, variant), Shown::new(here, variant));
    let mut total = Size::ONE;
    // Names are counted by statement.
    let mut statements: Vec<&str> = Vec::new();
    for name in &task.names {
        if let NameSource::Draw { group, .. } = &name.source
            && !statements.contains(&group.as_str())
        {
            statements.push(group);
        }
    }
    for statement in statements {
        total = total.combine_with(count_statement_names(here, statement, &uses, &shown));
    }
    for id in &uses.relations {
        if let Some(relation) = here.relation(*id) {
            let is_shown = |column: ColumnId| shown.drawn.contains(&Drawn::Column(*id, column));
            total = total.combine_with(here.count_relation_draws(relation, &is_shown, shown.counted.contains(id)));
        }
    }
    for file in &task.files {
        if let Some(draw) = file.content.draw() {
            total = total.combine_with(here.count_name_draws(draw, 1, 1));
        }
    }
    let prompts = [&task.prompt].into_iter().chain(variant.map(|variant| &variant.prompt));
    for prompt in prompts {
        total = total.combine_with(Size::new_uniform(libm::log10(prompt.wordings.len().max(1) as f64)).as_hidden());
    }
    if task.extras.iter().any(Extra::is_drawn) { total.combine_with(Size::UNKNOWN) } else { total }
}

/// Counts the draws of all used names of one statement.
fn count_statement_names(here: CountScope<'_>, statement: &str, uses: &Uses<'_>, shown: &Shown) -> Size {
    let names = (0..).map(model::suite::NameId).zip(&here.task.names);
    let of: Vec<_> = names
        .filter_map(|(id, name)| match &name.source {
            NameSource::Draw { draw, group, .. } if group == statement && uses.names.contains(&id) => Some((id, draw)),
            _ => None,
        })
        .collect();
    let Some((_, draw)) = of.first() else { return Size::ONE };
    let is_shown = |id: &model::suite::NameId| shown.drawn.contains(&Drawn::Name(*id));
    match &draw.domain {
        // All are cells of one row: only the one that distinguishes the most rows counts.
        DomainExpr::Ref { together, .. } if !together.is_empty() => {
            let sizes = of.iter().map(|(id, draw)| here.count_name_draws(draw, u64::from(is_shown(id)), 1));
            sizes
                .fold(None, |best: Option<Size>, one| match best {
                    Some(best) if best.least >= one.least => Some(best),
                    _ => Some(one),
                })
                .unwrap_or(Size::ONE)
        }
        _ => here.count_name_draws(draw, of.iter().filter(|(id, _)| is_shown(id)).count() as u64, of.len() as u64),
    }
}
