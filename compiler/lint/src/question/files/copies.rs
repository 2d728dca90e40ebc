//! `misread_file`: two of the files of a table are the same, so their rows count twice.

use std::ops::Range;

use super::given::GivenTable;
use syntax::prompts::english::files::COPIES;
use crate::context::report_once;
use crate::question::prompt_content::{Way, has_any_word};
use hir::ColumnSource;
use syntax::diagnostics::{Code, Diagnostic};

/// The fewest rows of files that are hardly equal by chance.
const FEWEST: usize = 3;

pub(super) fn report_copied_files(way: &Way<'_>, tables: &[GivenTable<'_>], said: &mut Vec<Diagnostic>) {
    let speaks =
        way.tellings.iter().any(|telling| telling.opaque || has_any_word(&telling.prompt.to_lowercase(), COPIES));
    if speaks {
        return;
    }
    for table in tables {
        let Some((first, second)) = find_copies(table) else { continue };
        let message = format!("`{first}` and `{second}` are the same, so each of their rows counts twice");
        let new = Diagnostic::new(Code::MISREAD_FILE, message, table.files.span, "matches both")
            .help("match only the files that count, or say in the prompt that the rows of both do");
        report_once(new, said);
    }
}

/// Finds two equal files whose rows have the same values in all columns that answers read.
fn find_copies<'t>(table: &'t GivenTable<'_>) -> Option<(&'t str, &'t str)> {
    let mut start = 0;
    let mut seen: Vec<(&hir::read_tables::ReadFile, Range<usize>)> = Vec::new();
    for file in &table.files.files {
        let rows = start..start + file.rows;
        start = rows.end;
        if file.rows < FEWEST {
            continue;
        }
        let copy = seen.iter().find(|(other, of)| other.digest == file.digest && are_equal(table, of, &rows));
        if let Some((other, _)) = copy {
            return Some((&other.path, &file.path));
        }
        seen.push((file, rows));
    }
    None
}

/// Checks whether two ranges of rows have the same values in all columns that answers read.
fn are_equal(table: &GivenTable<'_>, one: &Range<usize>, other: &Range<usize>) -> bool {
    table.read.iter().filter_map(|id| table.own.columns.get(*id)).all(|column| match &column.source {
        ColumnSource::Given(given) => {
            let values = &given.cells.values;
            let (one, other) = (values.get(one.clone()), values.get(other.clone()));
            one.is_some() && one == other
        }
        _ => false,
    })
}
