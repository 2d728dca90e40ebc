//! Lakes with their views, and other files that are read as declared: their declarations, and their use in the scope of a task.

use std::sync::Arc;

use model::glob::is_path_match;
use model::{Span, Value};
use tables::limits::find_max_bytes;

use super::read::list_title;
use super::shape::has_columns;
use super::sources::{Held, Source};
use super::table::Table;
use crate::context::{Checker, LakeDecl, LakeFile, LakeRead, ReadColumn, ReadTable, TaskChecker, TaskScope, ViewRead};
use crate::fixtures::hidden_tables::has_content;
use crate::fixtures::to_read_column;
use crate::lakes::LakeChecker;
use hir::fixture::{InferredTable, TableKey};
use hir::read_tables::{ReadAs, ReadFile, ReadFiles, find_total_row};
use hir::types::Ty;
use hir::{Entity, FixtureColumnData};
use names as suggest;
use syntax::ast::{self, Ident};
use syntax::diagnostics::wording::{build_duplicate_diagnostic, format_count, join_with_and};
use syntax::diagnostics::{Code, Diagnostic};

impl<'a> Checker<'a> {
    /// Lists the files of a lake and reads its views. Reports everything that cannot be read.
    pub(crate) fn read_lake(&mut self, lake: &'a ast::Lake) -> LakeRead<'a> {
        let folder = self.resolve_project_path(&lake.from);
        let at = match &lake.at {
            None => Some(lake.name.text.clone()),
            Some(at) => self.check_lake_place(at),
        };
        let files = folder.as_ref().and_then(|folder| self.list_lake_files(folder, lake));
        let mut read = LakeRead {
            name: &lake.name,
            at: at.unwrap_or_else(|| lake.name.text.clone()),
            folder: folder.unwrap_or_default(),
            files: files.clone().unwrap_or_default(),
            from: lake.from.span,
            views: Vec::new(),
        };
        let mut names: Vec<&'a Ident> = Vec::new();
        for view in &lake.views {
            // SQL ignores letter case, so it would see only the first of these names.
            if let Some(first) = names.iter().find(|first| first.text.eq_ignore_ascii_case(&view.name.text)) {
                self.report(build_duplicate_diagnostic(&view.name, "view", first.span, "view"));
                continue;
            }
            names.push(&view.name);
            let matched = files.as_ref().and_then(|files| self.match_view_files(&read.folder, files, view));
            let table = self.read_view(&read, view, matched.as_deref());
            read.views.push(ViewRead { name: &view.name, table, files: matched.unwrap_or_default() });
        }
        read
    }

    /// Checks the path of a lake in the sandbox.
    fn check_lake_place(&mut self, at: &'a ast::StringLit) -> Option<String> {
        let place =
            LakeChecker::new(&mut TaskChecker::new_global(self)).require_fixed_text(at, "the place of a lake")?;
        let Some(wrong) = model::path::describe_problem(&place) else { return Some(place) };
        let said =
            Diagnostic::new(Code::UNSAFE_PATH, format!("the path `{place}` {wrong}"), at.span, "not a safe path");
        self.report(said.help("write a folder below the sandbox: at \"data\""));
        None
    }

    /// Finds the files from which a view is read, as indexes in the lake.
    fn match_view_files(&mut self, folder: &str, files: &[LakeFile], view: &'a ast::View) -> Option<Vec<u32>> {
        let glob = LakeChecker::new(&mut TaskChecker::new_global(self))
            .require_fixed_text(&view.from.path, "a view's files")?;
        let found: Vec<u32> =
            (0..).zip(files).filter(|(_, file)| is_path_match(&glob, &file.path)).map(|(at, _)| at).collect();
        if !found.is_empty() {
            return Some(found);
        }
        let message = if glob.contains(['*', '?']) {
            format!("no file of `{folder}` matches `{glob}`")
        } else {
            format!("file `{glob}` does not exist in `{folder}`")
        };
        let said = Diagnostic::new(Code::UNREADABLE_FILE, message, view.from.path.span, "no such file");
        let near = suggest::find_best(&glob, files.iter().map(|file| file.path.as_str()));
        let first = || join_with_and(files.iter().take(3).map(|file| file.path.as_str()));
        self.report(said.help(match near {
            Some((near, _)) => format!("did you mean `{near}`?"),
            None if files.is_empty() => "the folder has no files".to_owned(),
            None => format!(
                "it has {}, such as {}; `*` is any part of a name, and `**` any folders",
                format_count(files.len() as u32, "file"),
                first()
            ),
        }));
        None
    }

    fn read_view(&mut self, lake: &LakeRead<'a>, view: &'a ast::View, files: Option<&[u32]>) -> ReadTable {
        let matched = files.map(|files| files.iter().filter_map(|at| lake.files.get(*at as usize)));
        let source = |file: &LakeFile| Source {
            inner: file.path.clone(),
            held: Held::OnDisk(format!("{}/{}", lake.folder, file.path)),
        };
        let sources: Option<Vec<Source>> = matched.map(|matched| matched.map(source).collect());
        let name = format!("{}.{}", lake.name.text, view.name.text);
        let table =
            Table { format: view.format, format_at: view.format_span, table: view.table.as_ref(), from: &view.from };
        LakeChecker::new(&mut TaskChecker::new_global(self)).read_as_declared(
            &table,
            (&name, &view.name),
            sources.as_deref(),
        )
    }

    /// Reports lakes that contain files that agents must not see, and two lakes with the same path.
    pub(crate) fn check_exposed_lakes(&mut self) {
        let mut found = Vec::new();
        let mut places: Vec<(&str, model::Span)> = Vec::new();
        for lake in self.globals.lakes.values() {
            if let Some((_, first)) = places.iter().find(|(at, _)| *at == lake.at) {
                let message = format!("two lakes are at `{}` in the sandbox", lake.at);
                let said = Diagnostic::new(Code::PATH_CLASH, message, lake.name.span, "the second one");
                found.push(
                    said.label(*first, "the first one")
                        .help("put one of them elsewhere: lake NAME at \"other\" from …"),
                );
            }
            places.push((&lake.at, lake.name.span));
            let below = |path: &str| {
                let inner = path.strip_prefix(lake.folder.as_str())?.strip_prefix('/')?;
                lake.files.iter().find(|file| file.path == inner).map(|file| file.path.clone())
            };
            let handed_out = format!("hands out `{}/`", lake.folder);
            // `at` is the span that makes it secret, with a label; if there is none, that is the span of the lake.
            let mut expose = |path: &str, what: &str, at: Option<(model::Span, &str)>, help: String| {
                let message = format!("`{path}` is {what}, but lake `{}` includes it", lake.name.text);
                let said = match at {
                    Some((at, label)) => {
                        Diagnostic::new(Code::HANDED_OUT, message, at, label).label(lake.from, handed_out.as_str())
                    }
                    None => Diagnostic::new(Code::HANDED_OUT, message, lake.from, handed_out.as_str()),
                };
                found.push(said.help(help));
            };
            for private in self.private.iter().filter(|private| below(&private.path).is_some()) {
                let help = format!("move the file out of `{}/`, or read it as a view of the lake", lake.folder);
                expose(&private.path, "private", Some((private.at, "read privately")), help);
            }
            let own = self.sources.iter().filter(|(_, source)| !source.library);
            for (_, source) in own {
                let Some(path) = source.path.strip_prefix(&self.project.folder).and_then(below) else { continue };
                expose(&path, "a source of the suite", None, "move the source, or the lake, to another folder".into());
            }
            for (path, at) in self.word_lists.iter().filter(|(path, _)| below(path).is_some()) {
                let help = "move the word list, or the lake, to another folder".into();
                expose(path, "a word list", Some((*at, "values are drawn from here")), help);
            }
            for (inner, what) in find_answer_folders(&lake.files) {
                let folder = format!("{}/{inner}", lake.folder);
                let help = format!("move the {what} to another folder: answers can be found in it");
                expose(folder.trim_end_matches('/'), &format!("a {what}"), None, help);
            }
        }
        found.into_iter().for_each(|diagnostic| self.report(diagnostic));
        self.check_exposed_copies();
    }

    /// Reports lakes with a copy of a private file. Only files of the same size are read.
    fn check_exposed_copies(&mut self) {
        let lakes: Vec<Arc<LakeRead<'a>>> = self.globals.lakes.values().map(Arc::clone).collect();
        for private in self.private.clone() {
            if !has_content(&private.bytes) {
                continue;
            }
            for lake in &lakes {
                let alike = lake.files.iter().filter(|file| file.size == private.bytes.len() as u64);
                let paths = alike.map(|file| format!("{}/{}", lake.folder, file.path));
                let others: Vec<String> = paths.filter(|path| *path != private.path).collect();
                let copy = others.into_iter().find(|path| {
                    self.read_project_file(path, private.bytes.len() as u64, lake.from)
                        .is_some_and(|bytes| bytes == private.bytes)
                });
                let Some(copy) = copy else { continue };
                let message = format!("`{}` is private, but lake `{}` has a copy of it", private.path, lake.name.text);
                let help = "remove the copy, or read it as a view of the lake";
                let said = Diagnostic::new(Code::HANDED_OUT, message, private.at, "read privately");
                self.report(said.label(lake.from, format!("hands out `{copy}`")).help(help));
            }
        }
    }
}

/// Finds folders of bundles and runs in a lake, and their kind. They contain answers.
fn find_answer_folders(files: &[LakeFile]) -> impl Iterator<Item = (&str, &'static str)> {
    const KINDS: [(&str, &str, &str); 2] =
        [("manifest.json", "instances.jsonl", "bundle"), ("run.json", "responses.jsonl", "run")];
    let has = |path: &str| files.binary_search_by(|file| file.path.as_str().cmp(path)).is_ok();
    files.iter().filter_map(move |file| {
        let (folder, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
        let (first, second, what) = KINDS.into_iter().find(|(first, ..)| *first == name)?;
        has(&format!("{}{second}", file.path.strip_suffix(first)?)).then_some((folder, what))
    })
}

impl<'a> LakeChecker<'_, '_, 'a> {
    /// Reads the file of a declared table. If it cannot be read, that is reported, and the cells of the table are unknown.
    fn read_as_declared(
        &mut self,
        table: &Table<'a>,
        (name, ident): (&str, &'a Ident),
        sources: Option<&[Source]>,
    ) -> ReadTable {
        let shared = table.table.and_then(|name| self.task.cx.resolve_shared_table(name));
        let own = table.from.body.as_ref();
        for allow in own.iter().flat_map(|body| &body.allows) {
            if let Some(allow) = self.task.cx.check_allow(allow) {
                self.task.cx.allows.push((allow, table.from.span));
            }
        }
        let own = own.filter(|body| !body.has_only_allows());
        let bodies: Vec<&'a ast::Body> = shared.iter().map(|table| &table.body).chain(own).collect();
        let lost = || build_broken_table(&bodies);
        if !has_columns(table.format) {
            let message = format!("{} cannot be read as a table", table.format.noun);
            let said = Diagnostic::new(Code::MISPLACED, message, table.format_at, "does not fit");
            self.task.cx.report(
                said.help("read CSV, TSV, JSON, YAML, XML, a workbook, an HTML page, or lines of text: csv, tsv, json, yaml, xml, xlsx, html, text"),
            );
            return lost();
        }
        let Some(layout) = self.check_layout(table.format, table.from) else { return lost() };
        if table.table.is_some() && shared.is_none() {
            return lost();
        }
        if bodies.is_empty() {
            let Some(sources) = sources else { return lost() };
            return self.task.cx.read_inferred_table(&layout, sources, table, name).unwrap_or_else(lost);
        }
        let Some(declared) = self.check_declared_shape(layout, &bodies) else { return lost() };
        if declared.slots.is_empty() {
            let message = format!("`{}` has no column", ident.text);
            let said = Diagnostic::new(Code::MISSING_PART, message, ident.span, "empty");
            self.task.cx.report(
                said.help("add columns: NAME : int   or remove the braces: columns are then those of the file"),
            );
            return lost();
        }
        let Some(sources) = sources else { return lost() };
        self.read_rows(&declared, (name, ident), sources, table.from).unwrap_or_else(|| {
            // Further errors would only be consequences of those already reported.
            build_table_from_names(declared.slots.iter().filter_map(|slot| slot.name(&declared)))
        })
    }

    /// Reads a file of the project as declared. Also returns its bytes, if it exists.
    pub(crate) fn read_one(
        &mut self,
        table: &Table<'a>,
        ident: &'a Ident,
        path: &str,
    ) -> (ReadTable, Option<Arc<[u8]>>) {
        let bytes = self.task.cx.read_project_file(path, find_max_bytes(table.format) as u64, table.from.path.span);
        let held = |bytes: &Arc<[u8]>| Source { inner: path.to_owned(), held: Held::Bytes(Arc::clone(bytes)) };
        let sources = bytes.as_ref().map(|bytes| [held(bytes)]);
        (self.read_as_declared(table, (&ident.text, ident), sources.as_ref().map(|held| held.as_slice())), bytes)
    }
}

impl<'a> TaskScope<'a> {
    /// Declares the suite's lakes with their views in the scope of the task, after all declarations of the task.
    pub(crate) fn declare_lakes(&mut self, cx: &mut Checker<'a>) {
        let lakes: Vec<Arc<LakeRead<'a>>> = cx.globals.lakes.values().map(Arc::clone).collect();
        for read in lakes {
            let name = read.name.text.as_str();
            if self.is_shadowed(cx, read.name, "lake") {
                continue;
            }
            let mut relations = Vec::new();
            for view in &read.views {
                let name = format!("{name}.{}", view.name.text);
                let from = view.name.span;
                relations.push(self.relations.add_read(name, view.name, from, view.table.clone()));
            }
            let entity = Entity::Lake(self.lakes.len() as u32);
            let name: &'a Ident = read.name;
            self.entities.insert(&name.text, entity);
            self.lakes.push(LakeDecl { read, relations, handed: false });
        }
    }
}

impl<'a> Checker<'a> {
    /// Reads a table with inferred columns. The result is cached until the files or their layout change.
    fn read_inferred_table(
        &mut self,
        layout: &tables::Layout,
        sources: &[Source],
        table: &Table<'a>,
        name: &str,
    ) -> Option<ReadTable> {
        let mut contents = TableKey::with_layout(layout);
        for source in sources {
            contents.add_file(&source.inner, &self.read_source(source, layout.format, table.from.path.span)?);
        }
        let found = match contents.find_table() {
            Some(known) => known,
            None => self.infer_undeclared(layout, sources, table, name)?,
        };
        for (source, sha256) in sources.iter().zip(found.digests.iter()) {
            self.note_content(source, *sha256);
        }
        self.report_unread_rows(found.cuts.iter().map(|(cut, rows)| (cut, *rows)), sources, layout.format, table.from);
        let files = describe_inferred_files(&found, sources, table.from.path.span);
        let columns = found.columns.iter().map(|column| {
            let mut read = to_read_column(column);
            read.given.read = Some(Arc::new(ReadAs {
                header: Some(column.name.clone()),
                at: table.from.path.span,
                written: Vec::new(),
                is_scaled: false,
                missing: layout.missing.clone(),
                files: Arc::clone(&files),
            }));
            read
        });
        Some(ReadTable::new(found.rows as usize, columns))
    }
}

/// Describes the files of a table whose columns are not declared.
fn describe_inferred_files(found: &InferredTable, sources: &[Source], span: Span) -> Arc<ReadFiles> {
    let header: Vec<String> = found.columns.iter().map(|column| column.name.clone()).collect();
    let mut start = 0;
    let files =
        sources.iter().zip(found.cuts.iter()).zip(found.digests.iter()).map(|((source, (cut, rows)), digest)| {
            let end = start + rows;
            let cells: Vec<(&str, &[Value])> = found
                .columns
                .iter()
                .map(|column| (column.name.as_str(), column.values.get(start..end).unwrap_or_default()))
                .collect();
            start = end;
            let total = find_total_row(&cells, *rows);
            let (path, header, title) = (source.inner.clone(), header.clone(), list_title(cut));
            ReadFile { path, rows: *rows, digest: *digest, header, title, total }
        });
    Arc::new(ReadFiles { span, files: files.collect() })
}

fn build_broken_table(bodies: &[&ast::Body]) -> ReadTable {
    let columns = bodies.iter().flat_map(|body| &body.columns).flat_map(|column| &column.keys).map(|key| &key.name);
    let unpivots = bodies.iter().flat_map(|body| &body.unpivots);
    let unpivoted = unpivots
        .flat_map(|unpivot| std::iter::once(&unpivot.name).chain(unpivot.values.iter().map(|value| &value.name)));
    build_table_from_names(columns.chain(unpivoted))
}

/// Builds a table with these columns, of which nothing else is known.
fn build_table_from_names<'n>(names: impl Iterator<Item = &'n Ident>) -> ReadTable {
    let columns = names.filter(|name| !name.text.starts_with('_')).map(|name| {
        let cells = model::Given { values: Arc::from([Value::Null]), ..model::Given::default() };
        let given = FixtureColumnData { cells, odd: true, ..FixtureColumnData::default() };
        ReadColumn { name: name.text.clone(), ty: Ty::UNKNOWN, given, span: Some(name.span) }
    });
    let columns: Vec<ReadColumn> = columns.collect();
    ReadTable { unread: columns.is_empty(), columns, ..ReadTable::new_unread() }
}
