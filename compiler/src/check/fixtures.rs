//! Fixtures: files beside the suite that are copied into the sandbox, read here so that what is asked of them is checked.

use std::collections::HashSet;
use std::sync::Arc;

use plan::Span;
use plan::suite::{Bytes, ColumnId, FileIx, FixtureKind, RelationId};

use super::Checker;
use super::odd::OddPlace;
use super::private::ReadFile;
use super::task::{ColumnAst, ColumnDecl, Fixture, Member, Node, Origin, RelationDecl, TaskChecker};
use crate::ast::{self, Format, Ident};
use crate::diagnostics::{Code, Diagnostic};
use crate::fixture::{self, FixtureColumn, FixtureFormat, LazyTable, Problems, Tree};
use crate::hir::Given;
use crate::host::MOST_OF_A_FIXTURE;
use crate::load::plain_path;
use crate::types::Ty;

impl<'a> TaskChecker<'_, 'a> {
    /// Takes a fixture and its relations into scope; `None` where it cannot be read, which has been said.
    pub fn declare_fixture(&mut self, file: FileIx, data: &'a ast::Data, path: &'a ast::StringLit) -> Option<()> {
        let mut said = Vec::new();
        let name = plain_path(path, &mut said);
        for diagnostic in said {
            self.cx.say(diagnostic);
        }
        let name = name?;
        let format = match data.format {
            Format::Csv => match self.fixture_delimiter(data)? {
                b',' => FixtureFormat::Csv,
                delimiter => FixtureFormat::Delimited(delimiter),
            },
            Format::Tsv => FixtureFormat::Tsv,
            Format::Json => FixtureFormat::Json,
            Format::Yaml => FixtureFormat::Yaml,
            Format::Sqlite => FixtureFormat::Sqlite,
            Format::Xlsx => FixtureFormat::Xlsx,
            Format::Text => FixtureFormat::Text,
            Format::File => FixtureFormat::from_path(&name),
            Format::Xml => {
                self.cx.say(
                    Diagnostic::new(
                        Code::NOT_YET,
                        "XML fixtures cannot be read yet",
                        data.format_span,
                        "not yet",
                    )
                    .help(format!(
                        "copy it as a text: file {} at \"…\" from \"{name}\"; or declare the XML file's content here",
                        data.name.text
                    )),
                );
                return None;
            }
        };
        if let Some(table) = &data.table {
            self.cx.say(
                Diagnostic::new(Code::MISPLACED, "a fixture has its own columns", table.span, "not here")
                    .label(path.span, "read from this file")
                    .help("remove the table's name"),
            );
        }
        let bytes = self.cx.beside(&name, MOST_OF_A_FIXTURE, path.span)?;
        self.cx.fixtures.push(ReadFile { path: name.clone(), bytes: Arc::clone(&bytes), at: path.span });
        let read = self.cx.read_fixture(format, &name, &bytes, path.span)?;
        // Some of its cells may not be UTF-8: then it can be read as a table, not as a text.
        let text = match fixture::as_text(&bytes) {
            _ if !matches!(format, FixtureFormat::Csv | FixtureFormat::Tsv | FixtureFormat::Delimited(_)) => {
                FixtureKind::Text
            }
            Ok(()) => FixtureKind::Text,
            Err(error) => {
                self.is_odd(file, OddPlace::Text, &Problems::one(error));
                FixtureKind::Binary
            }
        };
        let (format, kind) = match (format, read.as_ref()) {
            (FixtureFormat::Csv | FixtureFormat::Delimited(_), _) => (Format::Csv, text),
            (FixtureFormat::Tsv, _) => (Format::Tsv, text),
            (FixtureFormat::Sqlite, _) => (Format::Sqlite, FixtureKind::Sqlite),
            (FixtureFormat::Xlsx, _) => (Format::Xlsx, FixtureKind::Binary),
            (FixtureFormat::Json, fixture::Fixture::Tree(tree)) => {
                (Format::Json, FixtureKind::Tree(tree.value.clone()))
            }
            (FixtureFormat::Yaml, fixture::Fixture::Tree(tree)) => {
                (Format::Yaml, FixtureKind::Tree(tree.value.clone()))
            }
            (_, fixture::Fixture::Text) => (Format::Text, FixtureKind::Text),
            _ => (Format::File, FixtureKind::Binary),
        };
        let decl = &mut self.files[file.0 as usize];
        decl.format = format;
        decl.fixture = Some(Fixture { bytes: Bytes(bytes), kind });
        let place = Place { file, format, span: path.span };
        match read.as_ref() {
            fixture::Fixture::Table(table) => {
                self.fixture_table(&place, data.name.text.clone(), &data.name.text, table);
            }
            fixture::Fixture::Tables(tables) => {
                for table in tables {
                    let name = format!("{}.{}", data.name.text, table.name);
                    self.fixture_table(&place, name, &table.name, table);
                }
            }
            fixture::Fixture::Tree(tree) => {
                self.files[file.0 as usize].read = Some(Arc::clone(tree));
                self.tree_is_odd(file, tree);
                let top = self.fixture_tree(&place, &data.name.text, tree);
                self.files[file.0 as usize].tree = top;
            }
            fixture::Fixture::Text => self.declare_lines(file, &data.name),
            fixture::Fixture::Binary => {}
        }
        Some(())
    }

    fn fixture_table(&mut self, place: &Place, name: String, own: &str, table: &Arc<LazyTable>) {
        let columns = table.columns.iter().map(|column| (column.as_str(), "", ColumnAst::Cells));
        let relation = self.fixture_relation(place, name, own, 0, columns);
        self.relations[relation.0 as usize].cells = Some(Arc::clone(table));
        if let Some(read) = table.known() {
            self.table_is_odd(relation, read);
        }
    }

    /// The cells of a column, which are read for whoever asks first.
    pub fn cells_of(&mut self, relation: RelationId, column: ColumnId) -> (Ty, Box<Given>) {
        let sqlite = self.cx.host.sqlite();
        let table = self.relations[relation.0 as usize].cells.as_ref().map(|cells| cells.read(sqlite));
        let Some(column) = table.and_then(|table| table.columns.get(column.0 as usize)) else {
            return (Ty::UNKNOWN, Box::default());
        };
        let (ty, given) = given(column);
        (ty, Box::new(given))
    }

    fn fixture_relation<'c>(
        &mut self,
        place: &Place,
        name: String,
        own: &str,
        rows: u32,
        columns: impl Iterator<Item = (&'c str, &'c str, ColumnAst<'a>)>,
    ) -> RelationId {
        let relation = RelationId(self.relations.len() as u32);
        let named = |text: &str| Ident { text: text.to_owned(), span: place.span, quoted: false };
        // SQL folds case: of names that differ in nothing else, it sees the first.
        let mut folded: HashSet<String> = HashSet::new();
        let columns = columns.map(|(name, within, ast)| ColumnDecl {
            helper: !folded.insert(name.to_ascii_lowercase()),
            within: within.to_owned(),
            ..ColumnDecl::new(named(name), ast)
        });
        self.relations.push(RelationDecl {
            file: Some(place.file),
            format: Some(place.format),
            columns: columns.collect(),
            ..RelationDecl::new(name, named(own), Origin::Given(rows))
        });
        self.files[place.file.0 as usize].relations.push(relation);
        relation
    }

    /// The relations of a JSON or YAML file.
    fn fixture_tree(&mut self, place: &Place, name: &str, tree: &Tree) -> Option<Node> {
        let mut relations = Vec::with_capacity(tree.tables.len());
        for table in &tree.tables {
            let own = table.path.strip_prefix('.').unwrap_or(name);
            let columns = table.columns.iter().map(|column| {
                let given = Given {
                    cells: plan::Given { values: Arc::clone(&column.values), ..plan::Given::default() },
                    seen: Arc::clone(&column.seen),
                    note: column.problems.first().map(|problem| problem.message.clone()),
                    odd: !column.problems.is_empty(),
                    ..Given::default()
                };
                let ast = ColumnAst::Given(column.ty.clone(), Box::new(given));
                (column.name.as_str(), column.within.as_str(), ast)
            });
            let path = format!("{name}{}", table.path);
            let relation = self.fixture_relation(place, path, own, table.rows as u32, columns);
            self.relations[relation.0 as usize].single = table.single;
            self.is_odd(place.file, OddPlace::Rows(relation), &table.problems);
            for (id, column) in (0..).map(ColumnId).zip(&table.columns) {
                self.is_odd(place.file, OddPlace::Column(relation, id), &column.problems);
            }
            relations.push(relation);
        }
        tree.top.as_ref().and_then(|top| node(top, &relations, place.span))
    }
}

impl Checker<'_> {
    /// What is in a file; `None` where it cannot be read, which has been said.
    pub(super) fn read_fixture(
        &mut self,
        format: FixtureFormat,
        name: &str,
        bytes: &Arc<[u8]>,
        at: Span,
    ) -> Option<Arc<fixture::Fixture>> {
        match fixture::read_shared(format, bytes, self.host.sqlite()) {
            Ok(read) => Some(read),
            Err(error) => {
                let message = format!("`{name}` cannot be read: {}", error.message);
                self.say(Diagnostic::new(Code::BAD_FIXTURE, message, at, "read from here").help(error.help));
                None
            }
        }
    }
}

/// The type of a fixture's column, and what is known of its cells.
pub(super) fn given(column: &FixtureColumn) -> (Ty, Given) {
    let given = Given {
        cells: plan::Given { values: Arc::clone(&column.values), written: Arc::clone(&column.written) },
        seen: Arc::clone(&column.seen),
        unique: column.unique,
        primary_key: column.primary_key,
        note: column.note.clone(),
        odd: !column.problems.is_empty(),
    };
    (Ty::from(column.value_type).or_null(column.nullable), given)
}

/// A place of a tree, its tables now being relations.
fn node(place: &fixture::tree::Place, relations: &[RelationId], span: Span) -> Option<Node> {
    use fixture::tree::Place as P;
    Some(match place {
        P::Cell(table, column) => Node::Cell(*relations.get(*table)?, ColumnId(u32::try_from(*column).ok()?)),
        P::Object(places) => {
            let member = |(key, place): &(String, P)| {
                let key = Ident { text: key.clone(), span, quoted: false };
                Some(Member { key, attribute: false, helper: false, node: node(place, relations, span)? })
            };
            Node::Object(places.iter().map(member).collect::<Option<_>>()?)
        }
        P::Array(table, element) => Node::Array(*relations.get(*table)?, Box::new(node(element, relations, span)?)),
    })
}

/// Where a fixture is declared.
struct Place {
    file: FileIx,
    format: Format,
    span: Span,
}
