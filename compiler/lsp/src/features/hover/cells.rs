//! Previews of the files of generated tables: the first lines of a file, and cells of a column next to their values.

use std::fmt::Write as _;

use compiler::ast::Span;
use model::suite::{self, Phase};
use runtime::generate::Look;

use super::super::Place;
use crate::render::{choose_fence, render_inline_code, render_value, truncate_text};
use crate::sample::inspect_first;
use crate::state::State;

/// The maximum number of characters that are shown of a line.
const WIDTH: usize = 100;

/// The hover over `as`: values of the column in the first instance, each with its written form.
pub fn describe_styles(state: &mut State, place: &Place, at: Span) -> Option<String> {
    if place.analysis.sources().text(at) != "as" {
        return None;
    }
    let (_, task) = place.analysis.find_task_at(at.file, at.start)?;
    let is_around =
        |span: Span| place.analysis.find_declaration(span).is_some_and(|declared| declared.whole.is_enclosing(at));
    let (relation, column) = task.relations.iter().find_map(|relation| {
        let (_, column) = relation.iter_own_columns().find(|(_, column)| is_around(column.span))?;
        Some((relation.name.as_str(), column.name.as_str()))
    })?;
    let valued = state.with_values(&place.analysis)?;
    let (task, look) = inspect_first(&valued, &task.name)?;
    let relation = task.relations.iter().find(|known| known.name == relation)?;
    let (column, _) = relation.iter_own_columns().find(|(_, known)| known.name == column)?;
    let found = look.cells.iter().find(|cells| Some(cells.file) == relation.file && cells.column == column)?;
    let mut out = "\n\n| value | written |\n| --- | --- |".to_owned();
    for (value, written) in &found.cells {
        // In a cell of a table, `|` is escaped even in code.
        let [value, written] = [render_value(value), render_inline_code(written)].map(|code| code.replace('|', "\\|"));
        let _ = write!(out, "\n| {value} | {written} |");
    }
    Some(out)
}

/// The first written lines of a file that has a form.
pub fn render_file_head<S: Phase>(task: &suite::Task<S>, look: &Look, file: &str) -> Option<String> {
    let at = task.files.position(|known| known.name == file)?;
    task.files.get(at)?.content.form()?;
    let head = look.heads.get(at).filter(|head| !head.is_empty())?;
    let lines: Vec<String> = head.lines().map(|line| truncate_text(line, WIDTH)).collect();
    let fence = choose_fence("```", head);
    Some(format!("\n\n{fence}text\n{}\n{fence}", lines.join("\n")))
}
