//! Tables of a source that have no columns, and the columns that their files have: what an editor writes into them.

use std::fmt::Write as _;

use plan::format::Holds;
use plan::glob::matches_path;
use plan::{Format, Span};
use tabular::{Encoding, Layout, Skip, Until};

use super::columns::{Columns, Names, columns};
use super::{Form, write};
use crate::ast::{
    self, Content, Cooked, Expr, ExprKind, FromDisk, Ident, Item, ItemKind, PathOptionKind, StmtKind, StringLit,
};
use crate::fixture;
use crate::host::{EntryKind, Host};

/// No more bytes of the files of a view are read for its columns.
const MOST_BYTES: u64 = 64 << 20;

/// A table of a source whose columns are those of its files.
#[derive(Clone, Copy, Debug)]
pub struct Bare<'a> {
    /// Its name.
    pub name: &'a Ident,
    format: Format,
    from: &'a FromDisk,
    /// Of a view, its lake's.
    folder: Option<&'a StringLit>,
}

/// The table without columns that is declared at a place.
pub fn bare(file: &ast::File, at: u32) -> Option<Bare<'_>> {
    let item = file.items.iter().find(|item| item.span.touches(at))?;
    in_item(item, at).filter(|bare| bare.from.body.is_none() && bare.has_columns())
}

fn in_item(item: &Item, at: u32) -> Option<Bare<'_>> {
    match &item.kind {
        ItemKind::Lake(lake) => {
            let view = lake.views.iter().find(|view| view.span.touches(at) && view.table.is_none())?;
            Some(Bare { name: &view.name, format: view.format, from: &view.from, folder: Some(&lake.from) })
        }
        ItemKind::TableFrom(table) => private(table),
        ItemKind::Task(task) => {
            let stmt = task.body.iter().find(|stmt| stmt.span.touches(at))?;
            match &stmt.kind {
                StmtKind::TableFrom(table) => private(table),
                StmtKind::Data(data) if data.table.is_none() => match &data.content {
                    // The other formats have more in them than one table.
                    Content::Fixture(from) if matches!(data.format.holds, Holds::Cells(_)) => {
                        Some(Bare { name: &data.name, format: data.format, from, folder: None })
                    }
                    _ => None,
                },
                _ => None,
            }
        }
        _ => None,
    }
}

fn private(table: &ast::TableFrom) -> Option<Bare<'_>> {
    let format = fixture::format_of(&plain(&table.from.path)?);
    table.table.is_none().then_some(Bare { name: &table.name, format, from: &table.from, folder: None })
}

impl Bare<'_> {
    fn has_columns(&self) -> bool {
        write::has_body(self.format)
    }

    /// Its columns as source, and where they are inserted. `folder` is that of the suite's own file, with a `/` at its end; `indent` is how far
    /// the declaration is indented. `None` if the files cannot be read so.
    pub fn written(&self, folder: &str, indent: &str, host: &dyn Host) -> Option<(Span, String)> {
        let layout = self.layout()?;
        let files = self.files(folder, host)?;
        let files: Vec<(&str, &[u8])> = files.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice())).collect();
        let found = columns(&layout, &files, Names::Kept).ok()?;
        let options = self.from.options.iter().map(|option| option.span.end);
        let end = options.fold(self.from.path.span.end, u32::max);
        let at = Span::new(self.from.path.span.file, end, end);
        (!found.found.is_empty()).then(|| (at, inserted(&found, indent)))
    }

    /// The files, by their paths.
    fn files(&self, folder: &str, host: &dyn Host) -> Option<Vec<(String, Vec<u8>)>> {
        let path = plain(&self.from.path)?;
        let paths = match self.folder {
            None => vec![path],
            Some(lake) => {
                let lake = plain(lake)?;
                let listed = host.list(&format!("{folder}{lake}")).ok()?;
                let files = listed.into_iter().filter(|entry| matches!(entry.kind, EntryKind::File(_)));
                let files = files.filter(|entry| matches_path(&path, &entry.path));
                let mut paths: Vec<String> = files.map(|entry| format!("{lake}/{}", entry.path)).collect();
                paths.sort();
                paths
            }
        };
        let mut left = MOST_BYTES;
        let mut found = Vec::with_capacity(paths.len());
        for path in paths {
            let bytes = host.read_at_most(&format!("{folder}{path}"), left).ok()?;
            left = left.checked_sub(bytes.len() as u64)?;
            found.push((path, bytes));
        }
        (!found.is_empty()).then_some(found)
    }

    /// The layout that the options say, where they are plain.
    fn layout(&self) -> Option<Layout> {
        let mut layout = Layout::of(self.format);
        for option in &self.from.options {
            match &option.kind {
                PathOptionKind::Delimiter(text) => {
                    layout.delimiter = match plain(text)?.as_bytes() {
                        [only] => *only,
                        _ => return None,
                    };
                }
                PathOptionKind::Encoding(text) => layout.encoding = Encoding::of(&plain(text)?)?,
                PathOptionKind::Header(rows) => {
                    layout.header = u8::try_from(rows.value).ok().filter(|rows| *rows <= 2)?
                }
                PathOptionKind::Skip(ast::Skip::Records(count)) => layout.skip = Some(Skip::Records(count.value)),
                PathOptionKind::Skip(ast::Skip::Cell(text)) => {
                    layout.skip = Some(Skip::Cell(plain(text)?.trim().to_owned()));
                }
                PathOptionKind::Until(ast::Until::Blank) => layout.until = Some(Until::Blank),
                PathOptionKind::Until(ast::Until::Cell(text)) => {
                    layout.until = Some(Until::Cell(plain(text)?.trim().to_owned()));
                }
                PathOptionKind::Sheet(text) => layout.sheet = Some(plain(text)?),
                PathOptionKind::Missing(marks) => layout.missing = marks.iter().map(mark).collect::<Option<_>>()?,
                PathOptionKind::At(text) => layout.at = Some(plain(text)?),
                PathOptionKind::Quoted
                | PathOptionKind::Crlf
                | PathOptionKind::Bom
                | PathOptionKind::Above(_)
                | PathOptionKind::Below(_) => return None,
            }
        }
        Some(layout)
    }
}

fn mark(expr: &Expr) -> Option<String> {
    match &expr.kind {
        ExprKind::String(text) => plain(text),
        _ => None,
    }
}

/// What a string without placeholders says.
fn plain(text: &StringLit) -> Option<String> {
    let mut cooked = text.cook().into_iter();
    match (cooked.next(), cooked.next()) {
        (None, _) => Some(String::new()),
        (Some(Cooked::Text(text)), None) => Some(text),
        _ => None,
    }
}

/// A body with its braces, as `picardc fmt` writes it.
fn inserted(found: &Columns, indent: &str) -> String {
    let lines: String = write::body(found).iter().map(|line| format!("  {line}\n")).collect();
    let laid_out = write::formatted(Form::View, &format!("csv v from \"f\" {{\n{lines}}}\n"));
    let mut out = String::from(" {\n");
    for line in laid_out.lines().skip(1).filter(|line| line.starts_with("  ")) {
        let _ = writeln!(out, "{indent}{line}");
    }
    let _ = write!(out, "{indent}}}");
    out
}
