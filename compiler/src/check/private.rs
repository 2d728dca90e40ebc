//! `table NAME from "FILE"`: rows of a file that is read and never handed out. All that goes on from here are the rows: neither the file nor its path is part
//! of what is compiled.

use std::collections::HashSet;
use std::sync::Arc;

use plan::suite::RelationId;
use plan::{Span, Value};

use super::fixtures::given;
use super::globals::duplicate;
use super::result_sets::LINE;
use super::task::{ColumnAst, ColumnDecl, Entity, Origin, Private, RelationDecl, State, TaskChecker};
use super::{Checker, one_of_words, suggest_name};
use crate::ast::{self, Ident, ReadingKind};
use crate::diagnostics::{Code, Diagnostic};
use crate::fixture::{self, BYTE_ORDER_MARK, FixtureFormat, FixtureTable, LazyTable, MAX_BYTES, Problems, Tree, tree};
use crate::hir::Given;
use crate::load::plain_path;
use crate::types::{Ty, TyKind};

/// The rows of a file.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReadTable {
    rows: u32,
    columns: Vec<(String, Ty, Given)>,
}

/// A file of the project, as it was read for a table that no agent is given, or for a fixture.
pub(crate) struct ReadFile {
    /// Below the folder of the suite's own file.
    pub path: String,
    pub bytes: Arc<[u8]>,
    /// Where the source names it.
    pub at: Span,
}

impl<'a> TaskChecker<'_, 'a> {
    /// Takes a table of the task that is read into scope.
    pub fn declare_private(&mut self, table: &'a ast::TableFrom) {
        let relation = RelationId(self.relations.len() as u32);
        if self.enter(&table.name, Entity::Relation(relation)) {
            // One that cannot be read has no columns; that has been said.
            let read = self.read_table(table).unwrap_or_default();
            self.relations.push(private(table, read, Private::OfTask));
        }
    }

    /// Takes the suite's tables that are read into scope. They come after all that the task declares, and no random key knows their place.
    pub fn declare_shared(&mut self) {
        let shared: Vec<(&'a ast::TableFrom, ReadTable)> = self.cx.globals.read.values().cloned().collect();
        for (table, read) in shared {
            let name = table.name.text.as_str();
            match self.scope.get(name).copied() {
                Some(own) => {
                    let at = self.entity_span(own);
                    let second = Ident { text: name.to_owned(), span: at, quoted: false };
                    let word = super::declare::entity_word(own);
                    self.cx.say(duplicate(&second, word, table.name.span, "table"));
                }
                None => {
                    let relation = RelationId(self.relations.len() as u32);
                    self.relations.push(private(table, read, Private::OfSuite));
                    self.scope.insert(&table.name.text, Entity::Relation(relation));
                }
            }
        }
    }

    /// Completes the suite's tables that are read. What nothing in this task has asked for is not made when it is built.
    pub fn finish_shared(&mut self) {
        for index in 0..self.relations.len() {
            let decl = &self.relations[index];
            if decl.private == Some(Private::OfSuite) && decl.state == State::Todo {
                let steps = self.steps.len();
                self.ensure_relation(RelationId(index as u32), None);
                self.steps.truncate(steps);
            }
        }
    }

    /// Reads the file of a table; `None` where it cannot be read, which has been said.
    pub fn read_table(&mut self, table: &'a ast::TableFrom) -> Option<ReadTable> {
        let mut said = Vec::new();
        let name = plain_path(&table.path, &mut said);
        said.into_iter().for_each(|diagnostic| self.cx.say(diagnostic));
        let name = name?;
        let format = self.reading_format(table, &name)?;
        let at = table.path.span;
        let bytes = self.cx.beside(&name, MAX_BYTES as u64, at)?;
        self.cx.private.push(ReadFile { path: name.clone(), bytes: Arc::clone(&bytes), at });
        let read = self.cx.read_fixture(format, &name, &bytes, at)?;
        match read.as_ref() {
            fixture::Fixture::Table(rows) => self.whole_table(&name, at, rows),
            fixture::Fixture::Tables(tables) => self.one_of_tables(table, &name, format, tables),
            fixture::Fixture::Tree(tree) => {
                let mut problems = Problems::default();
                tree.odd.iter().for_each(|(_, odd)| problems.join(odd));
                self.cx.all_read(&name, at, &problems)?;
                let rows = of_tree(tree);
                if rows.is_none() {
                    self.cx.say(
                        Diagnostic::new(
                            Code::BAD_CONTENT,
                            format!("`{name}` is not an array of rows"),
                            at,
                            "no array at its top",
                        )
                        .help("write it as an array of objects, one a row; or as CSV"),
                    );
                }
                rows
            }
            fixture::Fixture::Text | fixture::Fixture::Binary => Some(of_text(&bytes)),
        }
    }

    /// How the file is read, by the ending of its name and the options.
    fn reading_format(&mut self, table: &'a ast::TableFrom, name: &str) -> Option<FixtureFormat> {
        let mut format = FixtureFormat::from_path(name);
        if format == FixtureFormat::Binary {
            if name.to_ascii_lowercase().ends_with(".xml") {
                self.cx.say(
                    Diagnostic::new(Code::NOT_YET, "a table cannot be read from XML yet", table.path.span, "not yet")
                        .help("write its rows as CSV, JSON or YAML"),
                );
                return None;
            }
            format = FixtureFormat::Text;
        }
        for (index, option) in table.options.iter().enumerate() {
            let word = word(&option.kind);
            let earlier = table.options.get(..index).unwrap_or_default();
            if let Some(first) = earlier.iter().find(|earlier| self::word(&earlier.kind) == word) {
                self.cx.say(
                    Diagnostic::new(Code::DUPLICATE, format!("`{word}` appears twice"), option.span, "again here")
                        .label(first.span, "first here")
                        .help("keep one of the two"),
                );
                continue;
            }
            let (fits, goes_with) = match &option.kind {
                ReadingKind::Written(ast::WritingKind::Delimiter(_)) => (format == FixtureFormat::Csv, "CSV files"),
                ReadingKind::Sheet(_) => (format == FixtureFormat::Xlsx, "workbooks"),
                ReadingKind::Written(_) => (false, ""),
            };
            if !fits {
                let (message, help) = match goes_with {
                    "" => {
                        let message = format!("`{word}` does not apply to a file that is read");
                        (message, format!("remove `{word}`: every way to write cells is read"))
                    }
                    _ => {
                        let message = format!("`{word}` does not apply to `{name}`");
                        (message, format!("remove `{word}`: it goes with {goes_with}"))
                    }
                };
                self.cx.say(
                    Diagnostic::new(Code::MISPLACED, message, option.span, "does not fit")
                        .label(table.path.span, "the file")
                        .help(help),
                );
                continue;
            }
            if let ReadingKind::Written(ast::WritingKind::Delimiter(text)) = &option.kind {
                format = match self.delimiter_byte(text)? {
                    b',' => FixtureFormat::Csv,
                    delimiter => FixtureFormat::Delimited(delimiter),
                };
            }
        }
        Some(format)
    }

    /// All rows of a table. All of it is meant to be read: nothing in it may be odd.
    fn whole_table(&mut self, name: &str, at: Span, table: &LazyTable) -> Option<ReadTable> {
        let read = Arc::clone(table.read(self.cx.host.sqlite()));
        let mut problems = read.problems.clone();
        read.columns.iter().for_each(|column| problems.join(&column.problems));
        self.cx.all_read(name, at, &problems)?;
        Some(of_table(&read))
    }

    /// The sheet that is named, or the only one.
    fn one_of_tables(
        &mut self,
        table: &'a ast::TableFrom,
        name: &str,
        format: FixtureFormat,
        tables: &[Arc<LazyTable>],
    ) -> Option<ReadTable> {
        let (book, what) =
            (format == FixtureFormat::Xlsx, if format == FixtureFormat::Xlsx { "sheet" } else { "table" });
        let known = || tables.iter().map(|table| table.name.as_str());
        let written = table.options.iter().find_map(|option| match &option.kind {
            ReadingKind::Sheet(text) => Some(text),
            ReadingKind::Written(_) => None,
        });
        if let Some(text) = written {
            let checked = self.string(text);
            let Some(Value::Text(wanted)) = checked.value() else {
                if !checked.is_broken() {
                    self.cx.not_fixed(&checked, "a sheet", None);
                }
                return None;
            };
            if let Some(found) = tables.iter().find(|table| table.name == **wanted) {
                return self.whole_table(name, table.path.span, found);
            }
            let message = format!("`{name}` has no sheet `{wanted}`");
            let said = Diagnostic::new(Code::UNKNOWN_TABLE, message, text.span, "no such sheet");
            let near = suggest_name(said.clone(), text.span, wanted, known());
            // A fix would write a name where a text is.
            let help = near.help.unwrap_or_else(|| format!("its sheets are {}", one_of_words(known())));
            self.cx.say(said.help(help));
            return None;
        }
        match tables {
            [only] => self.whole_table(name, table.path.span, only),
            [] => {
                self.cx.say(
                    Diagnostic::new(
                        Code::BAD_FIXTURE,
                        format!("`{name}` has no {what}"),
                        table.path.span,
                        "read from here",
                    )
                    .help("a table has a header with the names of its columns"),
                );
                None
            }
            several => {
                let help = if book {
                    format!("write which one: sheet \"{}\"", several.first().map_or("", |first| first.name.as_str()))
                } else {
                    "keep one table in it, or write the table's rows as CSV".to_owned()
                };
                self.cx.say(
                    Diagnostic::new(
                        Code::MISSING_PART,
                        format!("`{name}` has {} {what}s", several.len()),
                        table.path.span,
                        "which one?",
                    )
                    .help(format!("it has {}: {help}", one_of_words(known()).replace(" or ", " and "))),
                );
                None
            }
        }
    }
}

impl<'a> Checker<'a> {
    /// Says what of a file that is read as a whole cannot be read; `None` where there is something.
    fn all_read(&mut self, name: &str, at: Span, problems: &Problems) -> Option<()> {
        let Some((message, help)) = problems.words(name) else { return Some(()) };
        self.say(Diagnostic::new(Code::BAD_FIXTURE, message, at, "read from here").help(help));
        None
    }

    /// Refuses fixtures that hand out what a table reads in private.
    pub(super) fn handed_out(&mut self) {
        let mut found = Vec::new();
        for fixture in &self.fixtures {
            let same_path = |private: &&ReadFile| private.path == fixture.path;
            let same_content = |private: &&ReadFile| private.bytes == fixture.bytes && says_something(&private.bytes);
            let private = self.private.iter().find(same_path).or_else(|| self.private.iter().find(same_content));
            let Some(private) = private else { continue };
            let message = if private.path == fixture.path {
                format!("the agent is given `{}`, which a table reads in private", fixture.path)
            } else {
                format!("the agent is given `{}`, which is the private `{}`", fixture.path, private.path)
            };
            let help = "read its rows from the fixture, or keep what the agent must not see in another file";
            found.push(
                Diagnostic::new(Code::HANDED_OUT, message, fixture.at, "handed out here")
                    .label(private.at, "read in private here")
                    .help(help),
            );
        }
        found.into_iter().for_each(|diagnostic| self.say(diagnostic));
    }
}

/// Whether a file has more than blanks: two files without content have nothing to hide.
fn says_something(bytes: &[u8]) -> bool {
    !bytes.trim_ascii().is_empty()
}

fn private<'a>(table: &'a ast::TableFrom, read: ReadTable, reach: Private) -> RelationDecl<'a> {
    let named = |text: String| Ident { text, span: table.path.span, quoted: false };
    // SQL folds case: of names that differ in nothing else, it sees the first.
    let mut folded: HashSet<String> = HashSet::new();
    let columns = read.columns.into_iter().map(|(name, ty, given)| ColumnDecl {
        helper: !folded.insert(name.to_ascii_lowercase()),
        ..ColumnDecl::new(named(name), ColumnAst::Given(ty, Box::new(given)))
    });
    RelationDecl {
        columns: columns.collect(),
        private: Some(reach),
        ..RelationDecl::new(table.name.text.clone(), table.name.clone(), Origin::Given(read.rows))
    }
}

fn of_table(table: &FixtureTable) -> ReadTable {
    let columns = table.columns.iter().map(|column| {
        let (ty, given) = given(column);
        (column.name.clone(), ty, given)
    });
    ReadTable { rows: table.rows as u32, columns: columns.collect() }
}

/// The rows of the array that a whole file is. Arrays inside of it are no columns.
fn of_tree(tree: &Tree) -> Option<ReadTable> {
    let Some(tree::Place::Array(table, _)) = &tree.top else { return None };
    let table = tree.tables.get(*table)?;
    let columns = table.columns.iter().map(|column| {
        let given = Given {
            cells: plan::Given { values: Arc::clone(&column.values), ..plan::Given::default() },
            seen: Arc::clone(&column.seen),
            ..Given::default()
        };
        (column.name.clone(), column.ty.clone(), given)
    });
    Some(ReadTable { rows: table.rows as u32, columns: columns.collect() })
}

/// The lines of a text, which has been found to be UTF-8.
fn of_text(bytes: &[u8]) -> ReadTable {
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    let mut different = HashSet::new();
    let (mut unique, mut values) = (true, Vec::new());
    for line in plan::lines::lines(text) {
        unique &= different.insert(line);
        values.push(Value::text(line));
    }
    let rows = values.len() as u32;
    let given = Given {
        cells: plan::Given { values: values.into(), ..plan::Given::default() },
        seen: Arc::default(),
        unique: unique && rows > 0,
        ..Given::default()
    };
    ReadTable { rows, columns: vec![(LINE.to_owned(), Ty::of(TyKind::Text), given)] }
}

fn word(kind: &ReadingKind) -> &'static str {
    match kind {
        ReadingKind::Written(written) => super::csv_options::word(written),
        ReadingKind::Sheet(_) => "sheet",
    }
}
