//! Fixtures: files beside the suite that are copied into the sandbox, read here so that what is asked of them is checked.

use plan::suite::{Bytes, ColumnId, FileIx, FixtureKind, RelationId};
use plan::{Span, Value};

use super::task::{ColumnAst, ColumnDecl, Fixture, Member, Node, Origin, RelationDecl, TaskChecker};
use super::trees::ELEMENT;
use crate::ast::{self, Format, Ident};
use crate::diagnostics::{Code, Diagnostic};
use crate::fixture::{self, FixtureColumn, FixtureFormat, FixtureTable};
use crate::hir::Given;
use crate::host::MOST_OF_A_FIXTURE;
use crate::load::plain_path;
use crate::paths::form::Form;
use crate::types::{Ty, TyKind};

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
        let read = match fixture::read(format, &bytes, self.cx.host.sqlite()) {
            Ok(read) => read,
            Err(error) => {
                self.cx.say(
                    Diagnostic::new(
                        Code::BAD_FIXTURE,
                        format!("`{name}` cannot be read: {}", error.message),
                        path.span,
                        "read from here",
                    )
                    .help(error.help),
                );
                return None;
            }
        };
        let (format, kind) = match (format, &read) {
            (FixtureFormat::Csv | FixtureFormat::Delimited(_), _) => (Format::Csv, FixtureKind::Text),
            (FixtureFormat::Tsv, _) => (Format::Tsv, FixtureKind::Text),
            (FixtureFormat::Sqlite, _) => (Format::Sqlite, FixtureKind::Sqlite),
            (FixtureFormat::Xlsx, _) => (Format::Xlsx, FixtureKind::Binary),
            (FixtureFormat::Json, fixture::Fixture::Tree(value)) => (Format::Json, FixtureKind::Tree(value.clone())),
            (FixtureFormat::Yaml, fixture::Fixture::Tree(value)) => (Format::Yaml, FixtureKind::Tree(value.clone())),
            (_, fixture::Fixture::Text) => (Format::Text, FixtureKind::Text),
            _ => (Format::File, FixtureKind::Binary),
        };
        let decl = &mut self.files[file.0 as usize];
        decl.format = format;
        decl.fixture = Some(Fixture { bytes: Bytes(bytes), kind });
        let place = Place { file, format, span: path.span };
        match read {
            fixture::Fixture::Table(table) => {
                self.fixture_table(&place, data.name.text.clone(), &data.name.text, table);
            }
            fixture::Fixture::Tables(tables) => {
                for table in tables {
                    let name = format!("{}.{}", data.name.text, table.name);
                    let own = table.name.clone();
                    self.fixture_table(&place, name, &own, table);
                }
            }
            fixture::Fixture::Tree(value) => {
                self.files[file.0 as usize].form = Some(Form::of_value(&value));
                let tree = self.fixture_tree(&place, &data.name.text, &value);
                self.files[file.0 as usize].tree = tree;
            }
            fixture::Fixture::Text => self.declare_lines(file, &data.name),
            fixture::Fixture::Binary => {}
        }
        Some(())
    }

    fn fixture_table(&mut self, place: &Place, name: String, own: &str, table: FixtureTable) {
        let rows = table.rows as u32;
        let columns: Vec<Filled> = table.columns.into_iter().map(Filled::from).collect();
        self.fixture_relation(place, name, own, rows, columns);
    }

    fn fixture_relation(
        &mut self,
        place: &Place,
        name: String,
        own: &str,
        rows: u32,
        columns: Vec<Filled>,
    ) -> RelationId {
        let relation = RelationId(self.relations.len() as u32);
        let ident = Ident { text: own.to_owned(), span: place.span, quoted: false };
        self.relations.push(RelationDecl {
            file: Some(place.file),
            format: Some(place.format),
            ..RelationDecl::new(name, ident, Origin::Given(rows))
        });
        for column in columns {
            self.fixture_column(place, relation, "", column);
        }
        self.files[place.file.0 as usize].relations.push(relation);
        relation
    }

    fn fixture_column(&mut self, place: &Place, relation: RelationId, within: &str, column: Filled) -> ColumnId {
        let columns = &mut self.relations[relation.0 as usize].columns;
        let id = ColumnId(columns.len() as u32);
        // SQL folds case: of names that differ in nothing else, it sees the first.
        let helper = columns.iter().any(|known| known.ident.text.eq_ignore_ascii_case(&column.name));
        let ident = Ident { text: column.name, span: place.span, quoted: false };
        let given = ColumnAst::Given(column.ty, Box::new(column.given));
        columns.push(ColumnDecl { helper, within: within.to_owned(), ..ColumnDecl::new(ident, given) });
        id
    }

    /// The relations of a JSON or YAML file: what stands once is a row of one, each array of objects or of single values a relation.
    fn fixture_tree(&mut self, place: &Place, name: &str, value: &Value) -> Option<Node> {
        match value {
            Value::Object(_) => {
                let relation = self.fixture_relation(place, name.to_owned(), name, 1, Vec::new());
                self.relations[relation.0 as usize].single = true;
                let members = self.fixture_members(place, relation, "", name, name, &[Some(value)]);
                Some(Node::Object(members))
            }
            Value::List(_) => self.fixture_array(place, name, name, &[Some(value)]),
            _ => None,
        }
    }

    /// The fields of objects that stand at one place in several rows.
    fn fixture_members(
        &mut self,
        place: &Place,
        relation: RelationId,
        within: &str,
        path: &str,
        file: &str,
        rows: &[Option<&Value>],
    ) -> Vec<Member> {
        let mut keys: Vec<&str> = Vec::new();
        for row in rows {
            if let Some(Value::Object(fields)) = row {
                keys.extend(fields.iter().map(|(key, _)| key.as_str()));
            }
        }
        let mut seen = std::collections::BTreeSet::new();
        keys.retain(|key| seen.insert(*key));
        let mut members = Vec::new();
        for key in keys {
            let values: Vec<Option<&Value>> = rows.iter().map(|row| field(*row, key)).collect();
            let inner = format!("{path}.{key}");
            let all = |fits: fn(&Value) -> bool| {
                values.iter().flatten().any(|value| !value.is_null())
                    && values.iter().flatten().all(|value| value.is_null() || fits(value))
            };
            let node = if all(|value| matches!(value, Value::Object(_))) {
                let within = format!("{within}{key}.");
                Node::Object(self.fixture_members(place, relation, &within, &inner, file, &values))
            } else if all(|value| matches!(value, Value::List(_)))
                && let Some(node) = self.fixture_array(place, &inner, file, &values)
            {
                node
            } else {
                let filled = Filled::of_values(
                    format!("{within}{key}"),
                    values.iter().map(|value| value.cloned().unwrap_or(Value::Null)).collect(),
                );
                let id = self.fixture_column(place, relation, within, filled);
                Node::Cell(relation, id)
            };
            let key = Ident { text: key.to_owned(), span: place.span, quoted: false };
            members.push(Member { key, attribute: false, helper: false, node });
        }
        members
    }

    /// The relation of arrays that stand at one place, if their elements are all objects, or all single values.
    fn fixture_array(&mut self, place: &Place, path: &str, file: &str, arrays: &[Option<&Value>]) -> Option<Node> {
        let mut elements: Vec<Option<&Value>> = Vec::new();
        for array in arrays.iter().flatten() {
            if let Value::List(items) = array {
                elements.extend(items.iter().map(Some));
            }
        }
        let objects = elements.iter().flatten().all(|value| matches!(value, Value::Object(_)));
        let single = |value: &Value| !matches!(value, Value::Object(_) | Value::List(_) | Value::Rows(_));
        let singles = elements.iter().flatten().all(|value| single(value));
        if !objects && !singles {
            return None;
        }
        let own = path.strip_prefix(file).and_then(|rest| rest.strip_prefix('.')).unwrap_or(path).to_owned();
        let rows = elements.len() as u32;
        if objects && !elements.is_empty() {
            let relation = self.fixture_relation(place, path.to_owned(), &own, rows, Vec::new());
            let members = self.fixture_members(place, relation, "", path, file, &elements);
            return Some(Node::Array(relation, Box::new(Node::Object(members))));
        }
        let values = elements.iter().map(|value| value.cloned().unwrap_or(Value::Null)).collect();
        let column = Filled::of_values(ELEMENT.to_owned(), values);
        let relation = self.fixture_relation(place, path.to_owned(), &own, rows, vec![column]);
        Some(Node::Array(relation, Box::new(Node::Cell(relation, ColumnId(0)))))
    }
}

/// Where a fixture is declared.
struct Place {
    file: FileIx,
    format: Format,
    span: Span,
}

/// A column and its values.
struct Filled {
    name: String,
    ty: Ty,
    given: Given,
}

impl From<FixtureColumn> for Filled {
    fn from(column: FixtureColumn) -> Filled {
        let ty = Ty::from(column.value_type).or_null(column.nullable);
        let given = Given {
            cells: plan::Given { values: column.values, written: column.written },
            unique: column.unique,
            primary_key: column.primary_key,
            note: column.note,
        };
        Filled { name: column.name, ty, given }
    }
}

impl Filled {
    fn of_values(name: String, values: Vec<Value>) -> Filled {
        let mut ty: Option<Ty> = None;
        let mut several = false;
        for value in &values {
            let own = Form::of_value(value).ty();
            match Ty::joined(ty.as_ref(), &own) {
                Some(joined) => ty = Some(joined),
                None => several = true,
            }
        }
        let nullable = values.iter().any(Value::is_null);
        let ty = match ty {
            Some(ty) if !several && ty.kind != TyKind::Null => ty,
            _ => Ty::UNKNOWN,
        };
        let cells = plan::Given { values: values.into(), ..plan::Given::default() };
        let given = Given { cells, unique: false, primary_key: false, note: None };
        Filled { name, ty: ty.or_null(nullable), given }
    }
}

/// A field of an object.
fn field<'v>(row: Option<&'v Value>, key: &str) -> Option<&'v Value> {
    match row {
        Some(Value::Object(fields)) => fields.iter().find(|(name, _)| name == key).map(|(_, value)| value),
        _ => None,
    }
}
