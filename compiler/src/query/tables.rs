//! The tables of a source that are read from files, with their files and layouts.

use model::glob::is_path_match;
use model::{Format, Span};
use tables::{Encoding, Layout, Skip, Until};

use hir::fixture;
use syntax::ast::{
    self, Content, Cooked, Expr, ExprKind, FromDisk, Ident, Item, ItemKind, Lake, Node, PathOptionKind, Stmt, StmtKind,
    StringLit, visit_nodes,
};
use syntax::host::{Entry, EntryKind};

/// A table that is read from files: a view, a private table, or a fixture.
#[derive(Clone, Copy, Debug)]
pub struct ReadTable<'a> {
    /// Its name.
    pub name: &'a Ident,
    /// The format in which its files are read.
    pub format: Format,
    /// `: TABLE`, a shared table.
    pub shared: Option<&'a Ident>,
    /// Its files, its options, and its columns.
    pub from: &'a FromDisk,
    /// The lake of a view.
    pub lake: Option<&'a Lake>,
    /// Whether the agent receives its file.
    pub is_fixture: bool,
    /// The range of the whole declaration.
    pub whole: Span,
}

/// The location of a table: its files, and its layout in them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TableLocation {
    /// The folder of the lake, for a view.
    pub lake: Option<String>,
    /// The path of the file; for a view, a glob relative to the lake's folder.
    pub path: String,
    /// The layout of the table in each file.
    pub layout: Layout,
}

/// The tables of a source that are read from other files, in source order.
pub fn read_tables(file: &ast::File) -> Vec<ReadTable<'_>> {
    let mut found = Vec::new();
    visit_nodes(file, &mut |node| match node {
        Node::Item(Item { kind: ItemKind::Lake(lake), .. }) => found.extend(lake.views.iter().map(|view| {
            let table = ReadTable::new(&view.name, view.format, view.table.as_ref(), &view.from, view.span);
            ReadTable { lake: Some(lake), ..table }
        })),
        Node::Item(Item { kind: ItemKind::TableFrom(table), span, .. })
        | Node::Stmt(Stmt { kind: StmtKind::TableFrom(table), span, .. }) => {
            let format = extract_plain_text(&table.from.path).map(|path| fixture::format_of(&path));
            found.extend(
                format.map(|format| ReadTable::new(&table.name, format, table.table.as_ref(), &table.from, *span)),
            );
        }
        Node::Stmt(Stmt { kind: StmtKind::Data(data), span, .. }) => {
            if let Content::Fixture(from) = &data.content {
                let table = ReadTable::new(&data.name, data.format, data.table.as_ref(), from, *span);
                found.push(ReadTable { is_fixture: true, ..table });
            }
        }
        _ => {}
    });
    found
}

/// The lakes of a source with their folders, if these are strings without placeholders.
pub fn list_lake_folders(file: &ast::File) -> Vec<(&Ident, String)> {
    let lakes = file.items.iter().filter_map(|item| match &item.kind {
        ItemKind::Lake(lake) => Some((&lake.name, extract_plain_text(&lake.from)?)),
        _ => None,
    });
    lakes.collect()
}

impl<'a> ReadTable<'a> {
    /// A private table.
    fn new(
        name: &'a Ident,
        format: Format,
        shared: Option<&'a Ident>,
        from: &'a FromDisk,
        whole: Span,
    ) -> ReadTable<'a> {
        ReadTable { name, format, shared, from, lake: None, is_fixture: false, whole }
    }

    /// Returns its location, and whether all of its options are understood; `None` if its path is not a string without placeholders.
    pub fn resolve_location(&self) -> Option<(TableLocation, bool)> {
        let lake = match self.lake {
            Some(lake) => Some(extract_plain_text(&lake.from)?),
            None => None,
        };
        let mut layout = Layout::from_format(self.format);
        let mut understood = true;
        for option in &self.from.options {
            understood &= apply_option(&option.kind, &mut layout).is_some();
        }
        Some((TableLocation { lake, path: extract_plain_text(&self.from.path)?, layout }, understood))
    }
}

impl TableLocation {
    /// The paths of its files, relative to the folder of the suite's root file. `listed` contains the entries below the lake's folder.
    pub fn list_paths(&self, listed: &[Entry]) -> Vec<String> {
        let Some(lake) = &self.lake else { return vec![self.path.clone()] };
        let files = listed.iter().filter(|entry| matches!(entry.kind, EntryKind::File(_)));
        let files = files.filter(|entry| is_path_match(&self.path, &entry.path));
        let mut paths: Vec<String> = files.map(|entry| format!("{lake}/{}", entry.path)).collect();
        paths.sort();
        paths
    }
}

/// Applies an option to the layout; `None` if its value is not understood.
fn apply_option(option: &PathOptionKind, layout: &mut Layout) -> Option<()> {
    match option {
        PathOptionKind::Delimiter(text) => {
            layout.delimiter = match extract_plain_text(text)?.as_bytes() {
                [only] => *only,
                _ => return None,
            };
        }
        PathOptionKind::Encoding(text) => layout.encoding = Encoding::from_word(&extract_plain_text(text)?)?,
        PathOptionKind::Header(rows) => layout.header = u8::try_from(rows.value).ok().filter(|rows| *rows <= 2)?,
        PathOptionKind::Skip(ast::Skip::Records(count)) => layout.skip = Some(Skip::Records(count.value)),
        PathOptionKind::Skip(ast::Skip::Cell(text)) => {
            layout.skip = Some(Skip::Cell(extract_plain_text(text)?.trim().to_owned()));
        }
        PathOptionKind::Until(ast::Until::Blank) => layout.until = Some(Until::Blank),
        PathOptionKind::Until(ast::Until::Cell(text)) => {
            layout.until = Some(Until::Cell(extract_plain_text(text)?.trim().to_owned()));
        }
        PathOptionKind::Sheet(text) => layout.sheet = Some(extract_plain_text(text)?),
        PathOptionKind::Missing(marks) => layout.missing = marks.iter().map(read_mark).collect::<Option<_>>()?,
        PathOptionKind::At(text) => layout.at = Some(extract_plain_text(text)?),
        PathOptionKind::Quoted
        | PathOptionKind::Crlf
        | PathOptionKind::Bom
        | PathOptionKind::Above(_)
        | PathOptionKind::Below(_) => return None,
    }
    Some(())
}

fn read_mark(expr: &Expr) -> Option<String> {
    match &expr.kind {
        ExprKind::String(text) => extract_plain_text(text),
        _ => None,
    }
}

/// The value of a string without placeholders.
fn extract_plain_text(text: &StringLit) -> Option<String> {
    let mut cooked = text.cook().into_iter();
    match (cooked.next(), cooked.next()) {
        (None, _) => Some(String::new()),
        (Some(Cooked::Text(text)), None) => Some(text),
        _ => None,
    }
}
