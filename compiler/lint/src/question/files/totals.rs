//! `misread_file`: the last row of a file sums up the others, and is read as one of them.

use super::given::GivenTable;
use crate::context::report_once;
use syntax::diagnostics::{Code, Diagnostic};

pub(super) fn report_total_rows(tables: &[GivenTable<'_>], said: &mut Vec<Diagnostic>) {
    for table in tables {
        let files: Vec<_> = table.files.files.iter().filter(|file| file.rows > 2).collect();
        let Some(first) = files.first() else { continue };
        let Some(total) = &first.total else { continue };
        // Sums can be a coincidence in one file; in all of several, they are not.
        let is_sure = total.label.is_some() || files.len() > 1 && total.is_sum;
        if !is_sure || !files.iter().all(|file| file.total.is_some()) {
            continue;
        }
        // An answer that reads the names of rows can leave this one out.
        let reads_label = total.label.as_ref().is_some_and(|(name, _)| {
            table.iter_columns().any(|(id, column, _)| column.name == *name && table.read.contains(&id))
        });
        if reads_label {
            continue;
        }
        let name = &table.own.name;
        let message = format!("`{name}` reads a row that sums up the others");
        let what = match &total.label {
            Some((_, label)) => format!("the last row of `{}` is `{label}`", first.path),
            None => format!("the last row of `{}` has the sums of the rows above it", first.path),
        };
        let end = total.label.as_ref().map_or("Total", |(_, label)| label.as_str());
        let new = Diagnostic::new(Code::MISREAD_FILE, message, table.files.span, "its last row is a row, too")
            .note(what)
            .help(format!("let the rows end before it: until \"{end}\""));
        report_once(new, said);
    }
}
