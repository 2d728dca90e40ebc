//! The table of mistakes that explain wrong answers.

use model::mistake::describe_mistake;
use statistics::proportion;

use super::section::{Cell, Section};
use super::tables::{build_interval_cell, build_run_table};
use crate::model::RunReport;
use crate::model::lines::collect_unique;

const TITLE: &str = "Wrong answers that known mistakes give";

const NOTE: &str = "A wrong answer that is equal to the value of a trap is evidence of that mistake, not proof. Share: of the wrong answers to \
                    the task or stage.";

/// Builds a table with one row for each trap and task: in full for one run, with a column each for several; `None` if no answer is equal to the value of a
/// trap.
pub(super) fn build_table(runs: &[RunReport]) -> Option<Section> {
    let found = collect_unique(
        runs.iter().flat_map(|run| &run.traps).map(|trap| (trap.describe_question(), trap.trap.as_str())),
    );
    if found.is_empty() {
        return None;
    }
    let heads = ["<trap", "<task", "times", "wrong", "share", "95% CI"];
    let mut section = if runs.len() == 1 {
        Section::new(TITLE, &heads).with_note(NOTE)
    } else {
        let mut section = build_run_table(TITLE, "<trap", runs).with_note(NOTE);
        section.columns.splice(1..1, Section::new("", &["<task"]).columns);
        section
    };
    for (asked, name) in found {
        let mut cells = vec![Cell::text(describe_mistake(name)), Cell::text(&asked)];
        for run in runs {
            let Some(trap) = run.traps.iter().find(|trap| trap.describe_question() == asked && trap.trap == name)
            else {
                cells.push(Cell::none());
                continue;
            };
            let share = format!("{}%", proportion::render_percent(trap.times, trap.wrong));
            if runs.len() == 1 {
                let (times, wrong) = (Cell::count(trap.times), Cell::count(trap.wrong));
                cells.extend([times, wrong, Cell::number(share, trap.share), build_interval_cell(trap.interval)]);
            } else {
                cells.push(Cell::number(format!("{share} ({} of {})", trap.times, trap.wrong), trap.share));
            }
        }
        section.push_row(cells);
    }
    Some(section)
}
