//! The declarations of a file, as a tree: items, and the declarations of tasks, columns, and fields inside them.

use syntax::ast::*;

/// The kinds of declarations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Kind {
    Suite,
    Domain,
    /// A shared table.
    Columns,
    Constant,
    Task,
    Function,
    Draw,
    Compute,
    Axis,
    /// The row variable of `each`.
    Each,
    File(Format),
    Table,
    /// A table that is read from a file and not handed out.
    TableFrom,
    Lake,
    View,
    Column,
    Variant,
    Stage,
}

impl Kind {
    /// Describes it in the author's terms.
    pub fn describe_kind(self) -> &'static str {
        match self {
            Kind::Suite => "suite",
            Kind::Domain => "domain",
            Kind::Columns => "reusable table",
            Kind::Constant => "constant",
            Kind::Task => "task",
            Kind::Function => "function",
            Kind::Draw => "drawn value",
            Kind::Compute => "computed value",
            Kind::Axis => "axis",
            Kind::Each => "row",
            Kind::File(format) => format.bare_noun(),
            Kind::Table => "table",
            Kind::TableFrom => "private table",
            Kind::Lake => "lake",
            Kind::View => "view",
            Kind::Column => "column",
            Kind::Variant => "variant",
            Kind::Stage => "stage",
        }
    }
}

/// A declaration.
#[derive(Clone, Debug, PartialEq)]
pub struct Declaration {
    /// Its name.
    pub name: Ident,
    /// Its kind.
    pub kind: Kind,
    /// Its documentation.
    pub doc: Option<String>,
    /// The range of the whole statement or item.
    pub whole: Span,
    /// The range of the domain that it is drawn from.
    pub domain: Option<Span>,
    /// The declarations inside it.
    pub inner: Vec<Declaration>,
}

/// The declarations of a file, in source order.
pub fn list_declarations(file: &File) -> Vec<Declaration> {
    file.items.iter().filter_map(declare_item).collect()
}

impl Declaration {
    fn new(name: &Ident, kind: Kind, doc: Option<&Doc>, whole: Span) -> Declaration {
        Declaration {
            name: name.clone(),
            kind,
            doc: doc.map(|doc| doc.text.clone()),
            whole,
            domain: None,
            inner: Vec::new(),
        }
    }

    fn with_domain(self, domain: Option<&Domain>) -> Declaration {
        Declaration { domain: domain.map(|domain| domain.span), ..self }
    }

    fn with_inner(self, inner: Vec<Declaration>) -> Declaration {
        Declaration { inner, ..self }
    }

    /// It and every declaration inside it, outermost first, each with the task around it. `task` is the one around the declaration itself.
    pub fn iter_all<'d>(
        &'d self,
        task: Option<&'d Declaration>,
    ) -> Box<dyn Iterator<Item = (&'d Declaration, Option<&'d Declaration>)> + 'd> {
        let around = if self.kind == Kind::Task { Some(self) } else { task };
        let inner = self.inner.iter().flat_map(move |inner| inner.iter_all(around));
        Box::new(std::iter::once((self, task)).chain(inner))
    }
}

fn declare_item(item: &Item) -> Option<Declaration> {
    let new = |name, kind| Declaration::new(name, kind, item.doc.as_ref(), item.span);
    Some(match &item.kind {
        ItemKind::Suite(suite) => new(&suite.name, Kind::Suite),
        ItemKind::Domain(def) => new(&def.name, Kind::Domain).with_domain(Some(&def.domain)),
        ItemKind::Table(def) => new(&def.name, Kind::Columns).with_inner(declare_columns(&def.body)),
        ItemKind::TableFrom(table) => new(&table.name, Kind::TableFrom).with_inner(declare_body(&table.from.body)),
        ItemKind::Lake(lake) => new(&lake.name, Kind::Lake).with_inner(lake.views.iter().map(declare_view).collect()),
        ItemKind::Constant(def) => new(&def.name, Kind::Constant),
        ItemKind::Task(task) => new(&task.name, Kind::Task).with_inner(declare_statements(&task.body)),
        ItemKind::Function(def) => new(&def.name, Kind::Function),
        ItemKind::Use(_) | ItemKind::Reserved(_) => return None,
    })
}

fn declare_statements(stmts: &[Stmt]) -> Vec<Declaration> {
    let mut found = Vec::new();
    for stmt in stmts {
        let new = |name, kind| Declaration::new(name, kind, stmt.doc.as_ref(), stmt.span);
        let declared = match &stmt.kind {
            StmtKind::Draw { names, domain } => {
                found.extend(names.iter().map(|name| new(name, Kind::Draw).with_domain(Some(domain))));
                continue;
            }
            StmtKind::Compute(compute) => new(&compute.name, Kind::Compute),
            StmtKind::Axis { name, .. } => new(name, Kind::Axis),
            StmtKind::Each(each) => new(&each.name, Kind::Each),
            StmtKind::Data(data) => new(&data.name, Kind::File(data.format)).with_inner(declare_content(&data.content)),
            StmtKind::Table(stmt) => declare_table(stmt),
            StmtKind::TableFrom(table) => new(&table.name, Kind::TableFrom).with_inner(declare_body(&table.from.body)),
            StmtKind::Variant { name, body } => new(name, Kind::Variant).with_inner(declare_statements(body)),
            StmtKind::Stage(stage) => new(&stage.name, Kind::Stage).with_inner(declare_statements(&stage.body)),
            _ => continue,
        };
        found.push(declared);
    }
    found
}

fn declare_content(content: &Content) -> Vec<Declaration> {
    match content {
        Content::Tables(tables) => tables.iter().map(declare_table).collect(),
        Content::Body { body: inner, .. } => declare_columns(inner),
        Content::Drawn(domain) => declare_fields(domain),
        Content::Fixture(from) => declare_body(&from.body),
        Content::Taken(from) => declare_body(&from.body),
        Content::Computed(_) | Content::Missing(_) => Vec::new(),
    }
}

fn declare_body(body: &Option<Body>) -> Vec<Declaration> {
    body.iter().flat_map(declare_columns).collect()
}

fn declare_view(view: &View) -> Declaration {
    let declared = Declaration::new(&view.name, Kind::View, view.doc.as_ref(), view.span);
    declared.with_inner(declare_body(&view.from.body))
}

fn declare_table(table: &TableStmt) -> Declaration {
    // A view has no columns in the source.
    let kind = if table.view.is_some() { Kind::View } else { Kind::Table };
    Declaration::new(&table.name, kind, table.doc.as_ref(), table.span).with_inner(declare_columns(&table.body))
}

fn declare_columns(body: &Body) -> Vec<Declaration> {
    let mut found = Vec::new();
    for column in &body.columns {
        for key in &column.keys {
            let declared = Declaration::new(&key.name, Kind::Column, column.doc.as_ref(), column.span);
            found.push(match &column.kind {
                ColumnKind::Draw(domain) => declared.with_domain(Some(domain)).with_inner(declare_fields(domain)),
                _ => declared,
            });
        }
    }
    for unpivot in &body.unpivots {
        let names = unpivot.values.iter().map(|value| (&value.name, Some(&value.domain)));
        for (name, domain) in std::iter::once((&unpivot.name, unpivot.domain.as_ref())).chain(names) {
            let declared = Declaration::new(name, Kind::Column, unpivot.doc.as_ref(), unpivot.span);
            found.push(declared.with_domain(domain));
        }
    }
    found
}

/// The fields of an object, or of the elements of an array.
fn declare_fields(domain: &Domain) -> Vec<Declaration> {
    match &domain.kind {
        DomainKind::Object(inner) => declare_columns(inner),
        DomainKind::Array { element, .. } => declare_fields(element),
        _ => Vec::new(),
    }
}
