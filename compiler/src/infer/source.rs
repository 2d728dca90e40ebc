//! Columns for tables that are declared without columns, inferred from their files. An editor inserts them.

use model::Span;
use model::format::Holds;

use super::columns::{Columns, Names, infer_columns};
use super::render;
use super::wanted::Form;
use crate::query::{ReadTable, TableLocation, read_tables};
use syntax::ast;
use syntax::host::Host;

/// The maximum number of bytes that are read from the files of a view.
const MAX_BYTES: u64 = 64 << 20;

/// The table declared at a position, if it has no columns and can have some.
pub fn find_bare_table(file: &ast::File, at: u32) -> Option<ReadTable<'_>> {
    let table = read_tables(file).into_iter().find(|table| table.whole.has_offset(at))?;
    // Fixtures of other formats contain more than one table.
    let fits = !table.is_fixture || matches!(table.format.holds, Holds::Cells(_));
    let bare = table.shared.is_none() && table.from.body.is_none();
    (bare && fits && render::has_body(table.format)).then_some(table)
}

/// Renders the columns of a table as source, with the position at which to insert them. `folder` is the folder of the suite's root file, with a trailing `/`;
/// `indent` is the indentation of the declaration. Returns `None` if the files cannot be read in their layout.
pub fn render_columns(table: &ReadTable<'_>, folder: &str, indent: &str, host: &dyn Host) -> Option<(Span, String)> {
    let (look, understood) = table.resolve_location()?;
    let files = read_files(&look, folder, host).filter(|_| understood)?;
    let files: Vec<(&str, &[u8])> = files.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice())).collect();
    let found = infer_columns(&look.layout, &files, Names::Kept).ok()?;
    let options = table.from.options.iter().map(|option| option.span.end);
    let end = options.fold(table.from.path.span.end, u32::max);
    let at = Span::new(table.from.path.span.file, end, end);
    (!found.found.is_empty()).then(|| (at, render_braced_body(&found, indent)))
}

/// Reads the files of a table, with their paths.
fn read_files(look: &TableLocation, folder: &str, host: &dyn Host) -> Option<Vec<(String, Vec<u8>)>> {
    let listed = match &look.lake {
        Some(lake) => host.list_folder(&format!("{folder}{lake}")).ok()?,
        None => Vec::new(),
    };
    let mut left = MAX_BYTES;
    let mut found = Vec::new();
    for path in look.list_paths(&listed) {
        let bytes = host.read_at_most(&format!("{folder}{path}"), left).ok()?;
        left = left.checked_sub(bytes.len() as u64)?;
        let content = tables::gzip::open_file(look.layout.format, &path, &bytes).ok()?.into_owned();
        found.push((path, content));
    }
    (!found.is_empty()).then_some(found)
}

/// Renders a body with its braces, formatted like `picardc fmt`.
fn render_braced_body(found: &Columns, indent: &str) -> String {
    let lines: String = render::render_body(found).iter().map(|line| format!("  {line}\n")).collect();
    let laid_out = render::format_declaration(Form::View, &format!("csv v from \"f\" {{\n{lines}}}\n"));
    let inner = laid_out.lines().skip(1).filter(|line| line.starts_with("  "));
    let inner: String = inner.map(|line| format!("{indent}{line}\n")).collect();
    format!(" {{\n{inner}{indent}}}")
}
