//! Chooses the instances for `--limit N`: spread over tasks, cells, and variants, so a short run covers every part of the suite.

use std::collections::BTreeMap;

use records::Instance;

/// Identifies the sample of a cell whose variants are compared: task, cell, and number of the sample.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    task: String,
    cell: String,
    sample: u32,
}

impl Place {
    /// The place of an instance.
    pub fn from_instance(instance: &Instance) -> Place {
        let row = instance.each.as_ref().map_or_else(String::new, |each| format!("{}\n", each.key));
        let of_axes: String =
            instance.axis.iter().map(|(name, value)| format!("{name}={}\n", value.render_text())).collect();
        let cell = row + &of_axes;
        Place { task: instance.task.clone(), cell, sample: instance.sample }
    }
}

/// Chooses instances (in the bundle's order): `true` for `limit` of them, or for all if there are fewer.
///
/// Tasks take turns; at its turn a task gives its next sample: sample 1 in its first cell, sample 1 in its second, …, then sample 2. All variants of a sample
/// are chosen together, so they can be compared in pairs. If not all of them fit at the end, the remaining places go to the first of them.
pub fn choose_instances(places: &[Place], limit: u64) -> Vec<bool> {
    // For each task in the bundle's order: (sample, number of the cell) → the instances that are its variants.
    let mut tasks: Vec<BTreeMap<(u32, usize), Vec<usize>>> = Vec::new();
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    let mut cells: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for (at, place) in places.iter().enumerate() {
        let task = *numbers.entry(&place.task).or_insert_with(|| {
            tasks.push(BTreeMap::new());
            tasks.len() - 1
        });
        let next = cells.len();
        let cell = *cells.entry((&place.task, &place.cell)).or_insert(next);
        tasks[task].entry((place.sample, cell)).or_default().push(at);
    }
    let mut turns: Vec<_> = tasks.into_iter().map(|task| task.into_values()).collect();
    let mut left = usize::try_from(limit).unwrap_or(usize::MAX);
    let mut chosen = vec![false; places.len()];
    while left > 0 {
        let round: Vec<Vec<usize>> = turns.iter_mut().filter_map(Iterator::next).collect();
        if round.is_empty() {
            break;
        }
        // Complete samples first; the remaining places go to parts of the others.
        let (whole, parts): (Vec<_>, Vec<_>) = round.into_iter().partition(|variants| {
            let fits = variants.len() <= left;
            left -= if fits { variants.len() } else { 0 };
            fits
        });
        for at in whole.into_iter().flatten() {
            chosen[at] = true;
        }
        for at in parts.into_iter().flatten().take(left) {
            chosen[at] = true;
            left -= 1;
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For each (task, cells, variants, samples) the places of its instances, in the bundle's order.
    fn suite(tasks: &[(&str, usize, usize, u32)]) -> (Vec<Place>, Vec<String>) {
        let (mut places, mut names) = (Vec::new(), Vec::new());
        for (task, cells, variants, samples) in tasks {
            for cell in 0..*cells {
                for variant in 0..*variants {
                    for sample in 1..=*samples {
                        places.push(Place { task: (*task).to_owned(), cell: format!("c{cell}"), sample });
                        names.push(format!("{task}{cell}{variant}-{sample}"));
                    }
                }
            }
        }
        (places, names)
    }

    fn chosen(tasks: &[(&str, usize, usize, u32)], limit: u64) -> Vec<String> {
        let (places, names) = suite(tasks);
        let chosen = choose_instances(&places, limit);
        names.into_iter().zip(chosen).filter_map(|(name, chosen)| chosen.then_some(name)).collect()
    }

    #[test]
    fn tasks_take_turns() {
        assert_eq!(
            chosen(&[("a", 1, 1, 9), ("b", 1, 1, 9), ("c", 1, 1, 9)], 5),
            ["a00-1", "a00-2", "b00-1", "b00-2", "c00-1"]
        );
        // A task that has no more leaves its turns to the others.
        assert_eq!(chosen(&[("a", 1, 1, 1), ("b", 1, 1, 9)], 4), ["a00-1", "b00-1", "b00-2", "b00-3"]);
    }

    #[test]
    fn variants_stay_together_as_far_as_they_fit() {
        assert_eq!(chosen(&[("a", 1, 2, 9), ("b", 1, 2, 9)], 4), ["a00-1", "a01-1", "b00-1", "b01-1"]);
        assert_eq!(chosen(&[("a", 1, 3, 9)], 5), ["a00-1", "a00-2", "a01-1", "a01-2", "a02-1"]);
        assert_eq!(chosen(&[("a", 1, 3, 9), ("b", 1, 1, 9)], 2), ["a00-1", "b00-1"]);
    }

    #[test]
    fn cells_take_turns_within_a_task() {
        assert_eq!(chosen(&[("a", 3, 1, 9)], 4), ["a00-1", "a00-2", "a10-1", "a20-1"]);
    }

    #[test]
    fn a_limit_is_kept_to_the_last_instance() {
        let tasks = [("a", 2, 3, 4), ("b", 1, 1, 2), ("c", 1, 2, 7)];
        let all = suite(&tasks).0.len() as u64;
        for limit in 0..all + 3 {
            assert_eq!(chosen(&tasks, limit).len() as u64, limit.min(all));
        }
    }
}
