//! The form that a declared table keeps if an agent edits it in place: it is read as it is written.

use model::Format;
use model::answer_key::Read;
use model::suite::{FileId, Style, Told};
use tables::write::build_shape;
use tables::{Skip, Until};

use super::cell::InstanceDraft;
use super::failures::Res;
use super::table_file::TableFile;

/// Returns the form of a table at a path of a declared file, if it has another form than a new table: lines above or below it, another header, marks for null, or
/// patterns of numbers. Patterns of dates are told with the expectation.
pub(crate) fn find_declared_form(cell: &InstanceDraft<'_>, file: FileId, path: &str) -> Res<Option<Read>> {
    let Some(of) = TableFile::from_file(cell, file)? else { return Ok(None) };
    let groups = of.list_groups(path)?;
    let Some(group) = groups.iter().find(|group| group.path == path) else { return Ok(None) };
    let layout = build_shape(&group.dress, &[]).layout;
    if group.dress.line.is_some() || !matches!(layout.format, Format::Csv | Format::Tsv) {
        return Ok(None);
    }
    let mut form = Read {
        encoding: Some(of.form.encoding.clone()).filter(|encoding| encoding != model::suite::UTF_8),
        header: Some(layout.header).filter(|rows| *rows != 1),
        ..Read::default()
    };
    match layout.skip {
        Some(Skip::Records(records)) => form.skip = Some(records),
        Some(Skip::Cell(cell)) => form.skip_to = Some(cell),
        None => {}
    }
    match layout.until {
        Some(Until::Blank) => form.until_blank = true,
        Some(Until::Cell(cell)) => form.until = Some(cell),
        None => {}
    }
    for styled in &of.form.styled {
        let Some(column) = of.relation.columns.get(styled.column) else { continue };
        let mut told = Vec::new();
        for style in &styled.styles {
            match style {
                // An empty cell is null in every form.
                Style::Missing(marks) => form.missing.extend(marks.iter().filter(|mark| !mark.is_empty()).cloned()),
                Style::Written { pattern, times, .. } if column.cells.value_type.is_number() => {
                    told.push(Told { pattern: pattern.clone(), times: *times });
                }
                Style::Written { .. } | Style::Text(..) => {}
            }
        }
        if !told.is_empty() {
            form.written.push((column.name.clone(), told));
        }
    }
    form.missing.sort_unstable();
    form.missing.dedup();
    let is_other = !Read { encoding: None, ..form.clone() }.is_plain();
    Ok(is_other.then(|| Read { delimiter: Some(char::from(layout.delimiter)), ..form }))
}
