//! The table of mistakes that explain wrong answers.

use model::mistake::describe_mistake;

use super::run_columns::build_by_run;
use super::section::{Cell, Section};
use crate::model::RunReport;
use crate::model::lines::collect_unique;
use crate::model::traps::Trap;

const TITLE: &str = "Wrong answers that known mistakes give";

const NOTE: &str = "A wrong answer that is equal to the value of a trap is evidence of that mistake, not proof. Share: of the wrong answers to \
                    the task or stage.";

/// Builds a table with one row for each trap and task: in full for one run, with a column each for several; `None` if no answer is equal to the value of a
/// trap.
pub(super) fn build_table(runs: &[RunReport]) -> Option<Section> {
    let found = collect_unique(
        runs.iter().flat_map(|run| &run.traps).map(|trap| (trap.describe_question(), trap.trap.as_str())),
    );
    let cells = |at: usize, (asked, name): &(String, &str)| {
        let is_it = |trap: &&Trap| trap.describe_question() == *asked && trap.trap == *name;
        let Trap { times, wrong, interval, .. } = runs.get(at)?.traps.iter().find(is_it)?;
        let share = Cell::from_ratio(*times, *wrong);
        let one = Cell { text: format!("{} ({times} of {wrong})", share.text), ..share.clone() };
        Some((vec![Cell::count(*times), Cell::count(*wrong), share, Cell::from_interval(*interval)], one))
    };
    let rows = found.into_iter().map(|(asked, name)| {
        let lead = vec![Cell::text(describe_mistake(name)), Cell::text(&asked)];
        ((asked, name), lead)
    });
    let section = Section::new(TITLE, &["<trap", "<task"]);
    build_by_run(section, &["times", "wrong", "share", "95% CI"], NOTE, runs, rows.collect(), cells)
        .map(|section| section.with_note(NOTE))
}
