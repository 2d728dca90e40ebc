//! How a table that is generated is written: the first lines of its file, and cells of a column next to their values.

use std::fmt::Write as _;

use compiler::ast::Span;
use model::suite::{self, Phase};
use runtime::generate::Look;

use super::super::Place;
use crate::sample::{code, look, shown};
use crate::state::State;

/// A line of a file is cut after this number of characters.
const WIDTH: usize = 100;

/// Over `as`: values of the column, and how they are written in the first instance.
pub fn of_styles(state: &mut State, place: &Place, at: Span) -> Option<String> {
    if place.analysis.sources().text(at) != "as" {
        return None;
    }
    let (_, task) = place.analysis.task_at(at.file, at.start)?;
    let is_around =
        |span: Span| place.analysis.declaration(span).is_some_and(|(declared, _)| declared.whole.covers(at));
    let (relation, column) = task.relations.iter().find_map(|relation| {
        let (_, column) = relation.own_columns().find(|(_, column)| is_around(column.span))?;
        Some((relation.name.clone(), column.name.clone()))
    })?;
    let name = task.name.clone();
    let valued = state.with_values(&place.analysis)?;
    let (index, task) = valued.task_named(&name)?;
    let relation = task.relations.iter().find(|known| known.name == relation)?;
    let (column, _) = relation.own_columns().find(|(_, known)| known.name == column)?;
    let look = look(&valued, index, 0)?;
    let found = look.cells.iter().find(|cells| Some(cells.file) == relation.file && cells.column == column)?;
    let mut out = "\n\n| value | written |\n| --- | --- |".to_owned();
    for (value, written) in &found.cells {
        let _ = write!(out, "\n| {} | {} |", in_table(&shown(value)), in_table(&code(written)));
    }
    Some(out)
}

/// The first lines of a file that has a form, as they are written.
pub fn head<S: Phase>(task: &suite::Task<S>, look: &Look, file: &str) -> Option<String> {
    let at = task.files.position(|known| known.name == file)?;
    task.files.get(at)?.content.form()?;
    let head = look.heads.get(at).filter(|head| !head.is_empty())?;
    let lines: Vec<String> = head.lines().map(cut).collect();
    let fence = if head.contains("```") { "````" } else { "```" };
    Some(format!("\n\n{fence}text\n{}\n{fence}", lines.join("\n")))
}

fn cut(line: &str) -> String {
    let cut: String = line.chars().take(WIDTH).collect();
    if cut.len() < line.len() { format!("{cut}…") } else { cut }
}

/// Code in a cell of a table.
fn in_table(code: &str) -> String {
    code.replace('|', "\\|")
}
