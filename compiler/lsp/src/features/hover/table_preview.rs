//! Previews of tables that are read: the number of files, the first and last rows, and the text that is cut off.

use std::fmt::Write as _;
use std::sync::Arc;

use compiler::query::{CutOff, Declaration, TablePreview, list_lake_folders, read_tables};
use compiler::{EntryKind, hir};
use model::Value;
use model::value::group_digits;

use crate::analysis::Analysis;
use crate::render::{format_quantity, render_inline_code, render_value, truncate_text};
use crate::sample::SHOWN;
use crate::state::State;

/// The maximum number of columns that are shown.
const COLUMNS: usize = 8;
/// The maximum number of characters that are shown of a field.
const WIDTH: usize = 24;

/// Loads the preview of the table with this declaration.
pub fn load_table_glimpse(state: &mut State, analysis: &Analysis, declared: &Declaration) -> Option<Arc<TablePreview>> {
    let ast = analysis.find_ast(declared.name.span.file)?;
    let table = read_tables(ast).into_iter().find(|table| table.name.span == declared.name.span)?;
    let (look, _) = table.resolve_location()?;
    state.workspace.disk.load_glimpse(&analysis.root, &look)
}

/// The number of files of the lake with this declaration.
pub fn count_lake_files(state: &mut State, analysis: &Analysis, declared: &Declaration) -> Option<String> {
    let ast = analysis.find_ast(declared.name.span.file)?;
    let (_, folder) = list_lake_folders(ast).into_iter().find(|(name, _)| name.span == declared.name.span)?;
    let listed = state.workspace.disk.list_folder(&analysis.root, &folder)?;
    let files = listed.iter().filter(|entry| matches!(entry.kind, EntryKind::File(_)));
    Some(format!("{} in {}", format_quantity(files.count(), "file"), render_inline_code(&folder)))
}

/// The numbers of files and rows. The rows are counted in the checked suite; failing that, in the preview if it contains all files.
pub fn count_files_and_rows(analysis: &Analysis, declared: &Declaration, seen: Option<&TablePreview>) -> Vec<String> {
    let relations = analysis.iter_tasks().flat_map(|task| &task.relations);
    let mut given = relations.filter(|relation| relation.span == declared.name.span);
    let rows = given.find_map(|relation| match relation.rows {
        hir::Rows::Given(rows) => Some(rows as usize),
        _ => None,
    });
    let whole = seen.filter(|seen| seen.read == seen.files && seen.unread.is_none());
    let files = seen.map(|seen| format_quantity(seen.files, "file"));
    let rows = rows.or(whole.map(|seen| seen.rows)).map(|rows| format_quantity(rows, "row"));
    files.into_iter().chain(rows).collect()
}

/// Renders the first and last rows, and the text that is cut off.
pub fn render_region(seen: &TablePreview) -> String {
    let mut out = String::new();
    if !seen.columns.is_empty() && seen.rows > 0 {
        out.push_str("\n\n");
        write_rows(&mut out, seen);
    }
    if let Some(cut) = &seen.above {
        cut_off(&mut out, cut, "before the table");
    }
    if let Some(cut) = &seen.below {
        cut_off(&mut out, cut, "after the rows");
    }
    if let Some(path) = &seen.unread {
        let _ = write!(out, "\n\n{} cannot be read with these options", render_inline_code(path));
    }
    if seen.read < seen.files {
        let _ =
            write!(out, "\n\nshown: {} of {}", format_quantity(seen.read, "file"), format_quantity(seen.files, "file"));
    }
    out
}

/// Writes the rows as a Markdown table.
fn write_rows(out: &mut String, seen: &TablePreview) {
    let width = seen.columns.len().min(COLUMNS);
    let more = seen.columns.len() > width;
    let header = (0..width).zip(&seen.columns).map(|(at, column)| match column.name.as_str() {
        "" => format!("{}", at + 1),
        name => escape_field(name),
    });
    let render_row = |fields: &Vec<String>| -> Vec<String> {
        (0..width).map(|at| fields.get(at).map_or_else(String::new, |text| escape_field(text))).collect()
    };
    let fill = |text: &str| vec![text.to_owned(); width];
    let mut rows = vec![header.collect(), fill("---")];
    rows.extend(seen.first.iter().map(render_row));
    rows.extend((seen.rows > seen.first.len() + seen.last.len()).then(|| fill("…")));
    rows.extend(seen.last.iter().map(render_row));
    let end = if more { " … |" } else { "" };
    let lines: Vec<String> = rows.iter().map(|fields| format!("| {} |{end}", fields.join(" | "))).collect();
    out.push_str(&lines.join("\n"));
}

/// Escapes a field for a Markdown table.
fn escape_field(text: &str) -> String {
    let mut out = String::new();
    for char in truncate_text(text, WIDTH).chars() {
        match char {
            '\n' | '\r' => out.push('⏎'),
            '|' | '\\' | '`' | '*' | '_' | '<' | '[' | '&' => out.extend(['\\', char]),
            char => out.push(char),
        }
    }
    out
}

fn cut_off(out: &mut String, cut: &CutOff, place: &str) {
    let left = usize::try_from(cut.left.records).unwrap_or(usize::MAX);
    let _ = write!(out, "\n\n{} {place} in {}", format_quantity(left, "record"), render_inline_code(&cut.path));
    for (shown, first) in cut.left.shown.iter().zip([": ", "; ", "; "]) {
        let _ = write!(out, "{first}line {} {}", shown.line, render_inline_code(&shown.text));
    }
    if left > cut.left.shown.len() {
        out.push_str("; …");
    }
}

/// The number of nulls in a column, and its first five distinct values.
pub fn summarize_fields(values: &[Value]) -> (String, Vec<String>) {
    let nulls = values.iter().filter(|value| value.is_null()).count();
    let said = if nulls == 0 {
        "no nulls".to_owned()
    } else {
        format!("null in {} of {}", group_digits(nulls as u64), format_quantity(values.len(), "row"))
    };
    let mut found: Vec<String> = Vec::new();
    for value in values.iter().filter(|value| !value.is_null()) {
        let text = render_value(value);
        if !found.contains(&text) {
            found.push(text);
        }
        if found.len() == SHOWN {
            break;
        }
    }
    (said, found)
}
