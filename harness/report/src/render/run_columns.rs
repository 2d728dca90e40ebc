//! The columns of runs in a table: all of them for one run, a column each for several.

use super::section::{Cell, Section};
use crate::model::RunReport;
use crate::model::lines::collect_unique;
use crate::model::share::Group;

/// Builds a table with one row for each group: in full for one run, with a column each for several.
pub fn build_group_table(
    title: &str,
    first: &str,
    runs: &[RunReport],
    of: impl Fn(&RunReport) -> Vec<Group>,
) -> Option<Section> {
    let all: Vec<Vec<Group>> = runs.iter().map(of).collect();
    let names = collect_unique(all.iter().flatten().map(|group| group.name.as_str()));
    let cells = |at: usize, name: &&str| {
        let share = &all.get(at)?.iter().find(|group| group.name == *name)?.share;
        let full = vec![
            Cell::from_share(share),
            Cell::from_interval(share.interval),
            Cell::count(share.correct),
            Cell::count(share.of),
            Cell::from_fraction(share.score),
        ];
        Some((full, Cell::from_share_and_interval(Some(share))))
    };
    let full = ["accuracy", "95% CI", "correct", "of", "score"];
    let rows = names.into_iter().map(|name| (name, vec![Cell::text(name)])).collect();
    build_by_run(Section::new(title, &[first]), &full, "Accuracy with its 95% CI.", runs, rows, cells)
}

/// Adds the columns of runs, and a row for each key, to a table that has the columns of the keys. For a single run, these are the columns `full`; several
/// have a column each and a note. `cells` returns the cells of a run for a key: those of `full`, and the single one. `None` without keys.
pub fn build_by_run<K>(
    head: Section,
    full: &[&str],
    note: &str,
    runs: &[RunReport],
    rows: Vec<(K, Vec<Cell>)>,
    cells: impl Fn(usize, &K) -> Option<(Vec<Cell>, Cell)>,
) -> Option<Section> {
    let single = runs.len() == 1;
    let section = if single {
        head.with_numbers(full.iter().copied())
    } else {
        head.with_numbers(list_names(runs)).with_note(note)
    };
    let of_run = |key: &K, at: usize| match cells(at, key) {
        Some((full, _)) if single => full,
        Some((_, one)) => vec![one],
        None => vec![Cell::none()],
    };
    let row = |(key, lead): (K, Vec<Cell>)| {
        let own = (0..runs.len()).flat_map(|at| of_run(&key, at));
        lead.into_iter().chain(own).collect()
    };
    section.with_rows(rows.into_iter().map(row)).into_filled()
}

/// Lists the names of the runs.
pub fn list_names(runs: &[RunReport]) -> impl Iterator<Item = &str> {
    runs.iter().map(|run| run.name.as_str())
}
