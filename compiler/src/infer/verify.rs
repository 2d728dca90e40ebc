//! Checks of a declaration in its own suite. If it does not pass, a simpler declaration is tried.

use std::sync::Arc;

use model::Format;
use model::format::Holds;
use tables::{CellType, Layout, Reading, Unreadable};

use super::columns::{Columns, Names, infer_columns};
use super::render::{format_declaration, has_body, render_body, render_declaration, render_options};
use super::wanted::{Form, Wanted};
use syntax::diagnostics::Severity;
use syntax::host::{Compute, Entry, EntryKind, Host, ReadError, Sqlite};

/// The path of the suite's source, which no file has.
const SUITE: &str = "\u{1}.pcd";

/// The folder of the lake.
const FOLDER: &str = "f";

/// A file for which declarations are tried.
pub(super) struct File<'f> {
    pub wanted: Wanted<'f>,
    /// What is in it.
    pub bytes: Arc<[u8]>,
    /// Its bytes, which can be those of a gzip file.
    pub stored: Arc<[u8]>,
    /// SQLite and the evaluator.
    pub host: &'f dyn Host,
}

impl File<'_> {
    /// Declares a table; returns `None` if no declaration reads it as one.
    pub fn declare_table(&self, name: &str, layout: &Layout) -> Result<Option<(String, Columns)>, Unreadable> {
        if !has_body(layout.format) {
            let none = Columns::default();
            return Ok(self.check_declaration(name, layout, &none).map(|declaration| (declaration, none)));
        }
        let file = (self.wanted.path, &*self.bytes);
        let Ok(long) = infer_columns(layout, &[file], Names::Unpivoted) else { return Ok(None) };
        // Without headers that are values, both are equal.
        let all = if long.unpivot.is_none() { Ok(long.clone()) } else { infer_columns(layout, &[file], Names::Made) };
        let Ok(all) = all else { return Ok(None) };
        if all.found.is_empty() {
            return Ok(None);
        }
        let keyless = |columns: &Columns| Columns { key: Vec::new(), ..columns.clone() };
        let mut texts = Columns { missing: layout.missing.clone(), ..keyless(&all) };
        // Texts have no inferred null marks.
        texts.lost.keep_nulls();
        for column in &mut texts.found {
            column.notes.clear();
            column.split = None;
            column.reading = Reading { missing: vec![String::new()], ..Reading::from_type(CellType::Text) };
        }
        let mut ways = Vec::new();
        for columns in [Some(long).filter(|long| long.unpivot.is_some()), Some(all)].into_iter().flatten() {
            let keyless = keyless(&columns);
            ways.extend([columns, keyless]);
        }
        ways.push(texts);
        Ok(ways.into_iter().find_map(|columns| {
            let layout = Layout { missing: columns.missing.clone(), ..layout.clone() };
            self.check_declaration(name, &layout, &columns).map(|declaration| (declaration, columns))
        }))
    }

    /// Declares a file without columns: in its own format, otherwise as text.
    pub fn declare_file(&self, name: &str, format: Format) -> Result<String, Unreadable> {
        let none = Columns::default();
        let own = self.wanted.form == Form::Fixture
            || !matches!(
                format.holds,
                Holds::Database | Holds::Elements | Holds::Cells(_) | Holds::Columns | Holds::Tables
            );
        let mut layouts: Vec<Layout> = own.then(|| Layout::from_format(format)).into_iter().collect();
        if self.wanted.form != Form::Table {
            let encoding = super::layout::guess_encoding(&self.bytes);
            layouts.extend(encoding.map(|encoding| Layout { encoding, ..Layout::from_format(Format::Text) }));
        }
        if self.wanted.form == Form::Fixture {
            layouts.push(Layout::from_format(Format::File));
        }
        layouts.iter().find_map(|layout| self.check_declaration(name, layout, &none)).ok_or_else(|| {
            let help = match (self.wanted.form, format.holds) {
                (Form::Table, Holds::Database) | (Form::View, Holds::Database) => {
                    "declare it as a file: `--as fixture`"
                }
                (Form::Table, _) => "read its lines: `--as view`",
                _ => "declare it as a file: `--as fixture`",
            };
            Unreadable::new(format!("`{}` cannot be read as a table", self.wanted.path), help)
        })
    }

    /// Returns the formatted declaration if `check` reports no error.
    fn check_declaration(&self, name: &str, layout: &Layout, columns: &Columns) -> Option<String> {
        let body = render_body(columns);
        let source = render_declaration(self.wanted, name, layout.format, &render_options(layout), &body);
        let source = format_declaration(self.wanted.form, &source);
        let task = |inside: &str| format!("task q {{\n  prompt \"q\"\n  expect reply text \"a\"\n{inside}}}\n");
        let items = match self.wanted.form {
            Form::View => format!("lake lake_1 from \"{FOLDER}\" {{\n{source}}}\n{}", task("")),
            Form::Table => format!("{source}{}", task("")),
            Form::Fixture => task(&source),
        };
        let suite = format!("suite s {{ title \"S\" version \"1\" }}\n{items}");
        let host = Alone { suite, file: self };
        let said = crate::diagnose(SUITE, &host);
        said.iter().all(|said| said.severity() != Severity::Error).then_some(source)
    }
}

/// A host with only the suite and the file.
struct Alone<'a> {
    suite: String,
    file: &'a File<'a>,
}

impl Alone<'_> {
    fn file_name(&self) -> &str {
        let path = self.file.wanted.path;
        path.rsplit('/').next().unwrap_or(path)
    }
}

impl Host for Alone<'_> {
    fn read_file(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        let in_lake = || path.strip_prefix(FOLDER).and_then(|rest| rest.strip_prefix('/')) == Some(self.file_name());
        match path {
            SUITE => Ok(self.suite.clone().into_bytes()),
            path if path == self.file.wanted.path || in_lake() => Ok(self.file.stored.to_vec()),
            _ => Err(ReadError::NotFound),
        }
    }

    fn list_folder(&self, folder: &str) -> Result<Vec<Entry>, ReadError> {
        if folder != FOLDER {
            return Err(ReadError::NotFound);
        }
        Ok(vec![Entry { path: self.file_name().to_owned(), kind: EntryKind::File(self.file.stored.len() as u64) }])
    }

    fn must_read_all_tables(&self) -> bool {
        true
    }

    fn sqlite(&self) -> &dyn Sqlite {
        self.file.host.sqlite()
    }

    fn evaluator(&self) -> &dyn Compute {
        self.file.host.evaluator()
    }
}
