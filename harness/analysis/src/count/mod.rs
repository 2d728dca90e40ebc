//! How many different instances a task has: prompts with their files.
//!
//! What is drawn is counted in the plan, without drawing. Values that can be read again in the prompt or the files (`recoverable`), and may come in any
//! combination, give at least the product of their numbers; all values on which prompt and files depend (`uses`) give at most theirs. Where both are
//! the same, the number is exact.

mod draws;
mod recoverable;
pub mod size;

use model::Plan;
use model::suite::Extra;
use model::suite::{ColumnId, DomainExpr, NameSource, Task, Variant};

use draws::CountScope;
use model::uses::Uses;
use recoverable::Shown;
use size::Size;

/// How far two logarithms of the same number may be apart.
const SAME: f64 = 1e-9;

/// How many instances there are, as log10.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Count {
    /// At least.
    pub least: f64,
    /// At most, where that is known.
    pub most: Option<f64>,
}

impl Count {
    /// Whether it is known.
    pub fn is_exact(self) -> bool {
        self.most.is_some_and(|most| most - self.least < SAME)
    }

    /// With a bound that was found in another way.
    pub fn with_lower_bound(self, log: f64) -> Count {
        // Never above what is sure.
        Count { least: self.least.max(self.most.map_or(log, |most| log.min(most))), ..self }
    }
}

/// Counts the instances of a task, or of its variants `variants` together. `accepted`: the least share of draws that its `require`s are believed to let pass.
///
/// Of draws that `require` cuts down to a share, at least that share of their number is left, if all are as likely; else as many as it takes of the
/// likeliest to make up the share. The count is then as sure as the share, and no longer exact.
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
            // Two cells, or two variants, may have the same instances: they are not added up.
            least = least.max(here);
            most.push(size.most);
        }
    }
    let most = size::sum_logs(most);
    let conditional = !task.requires.is_empty();
    // A bound that a condition reduces by an unknown share is not an exact number.
    let least = if conditional && most - least < SAME { most - 2.0 * SAME } else { least };
    Count { least, most: most.is_finite().then_some(most) }
}

fn count_in_cell(here: CountScope<'_>, variant: Option<&Variant>) -> Size {
    let (task, uses, shown) = (here.task, Uses::from_instances(here.task, variant), Shown::new(here, variant));
    let mut total = Size::ONE;
    // Names, by statement.
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
            let is_shown = |column: ColumnId| shown.columns.contains(&(*id, column));
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

/// All names of one statement, as far as they are used.
fn count_statement_names(here: CountScope<'_>, statement: &str, uses: &Uses<'_>, shown: &Shown) -> Size {
    let names = (0..).map(model::suite::NameId).zip(&here.task.names);
    let of: Vec<_> = names
        .filter_map(|(id, name)| match &name.source {
            NameSource::Draw { draw, group, .. } if group == statement && uses.names.contains(&id) => Some((id, draw)),
            _ => None,
        })
        .collect();
    let Some((_, draw)) = of.first() else { return Size::ONE };
    let is_shown = |id: &model::suite::NameId| shown.names.contains(id);
    match &draw.domain {
        // All are cells of one row: one of them counts, the one that tells rows apart best.
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
