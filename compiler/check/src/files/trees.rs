//! JSON, YAML, and XML files: their structure, and their relations.
//!
//! Values that occur once in the file are a relation with one row and the name of the file; the fields of inner objects are its columns,
//! named by the whole path (`db.host`). Every array is a relation of its own (`conf.services`) with one row per element. An array inside the
//! objects of another array belongs to its rows. In this way, all functions and SQL that work on tables also work on trees.

use model::format::Holds;
use model::suite::{FileId, RelationId, Shape};
use model::{Span, suite};

use crate::context::{Checker, ColumnAst, ColumnDecl, Member, Node, Origin, RelationDecl, Relations, TaskChecker};
use hir::FileContent;
use syntax::ast::{self, ColumnKind, Content, DomainKind, Format, Ident};
use syntax::diagnostics::wording::build_duplicate_diagnostic;
use syntax::diagnostics::{Code, Diagnostic};

pub(crate) use hir::fixture::tree::ELEMENT;

/// The surroundings of fields in their declaration.
struct Around<'n> {
    file: FileId,
    relation: RelationId,
    /// The path of the objects around them within a row of the relation: `db.`.
    within: String,
    /// The path from the root of the file, used in names: `conf.services`.
    path: String,
    /// Inside the elements of an array; inner arrays then belong to its rows.
    repeated: bool,
    format: Format,
    name: &'n str,
}

impl<'a> TaskChecker<'_, 'a> {
    /// Checks the content of a JSON, YAML, or XML file whose relations have been checked.
    pub fn check_tree_content(&mut self, file: FileId, data: &'a ast::Data) -> Option<FileContent> {
        let root = match (data.format.holds, &data.content) {
            (Holds::Elements, Content::Body { root: Some(root), .. }) => Some(root.text.clone()),
            (Holds::Elements, Content::Body { .. }) => return Some(FileContent::Unknown(())),
            (Holds::Elements, _) => return None,
            (_, Content::Computed(value)) => return Some(FileContent::ComputedTree(self.check_expr(value))),
            _ => None,
        };
        let node = self.scope.relations.files[file].tree.clone()?;
        if root.is_some() {
            self.cx.check_xml_prefixes(&node);
        }
        Some(FileContent::Tree { root, shape: build_shape(&node) })
    }
}

impl<'a> Relations<'a> {
    /// Declares the relations of a JSON, YAML, or XML file.
    pub fn declare_tree(&mut self, cx: &mut Checker<'a>, file: FileId, data: &'a ast::Data) {
        let top = Around {
            file,
            relation: self.checked.next_key(),
            within: String::new(),
            path: data.name.text.clone(),
            repeated: false,
            format: data.format,
            name: &data.name.text,
        };
        let node = match &data.content {
            Content::Body { root, body } => {
                cx.check_root_element(data, root.as_ref());
                self.add_tree_relation(&top.path, &data.name, file, data.format, Origin::One);
                let shared = data.table.as_ref().and_then(|name| cx.resolve_shared_table(name));
                let mut members = Vec::new();
                for body in shared.iter().map(|table| &table.body).chain([body]) {
                    self.check_members(cx, body, &top, &mut members);
                }
                Node::Object(members)
            }
            Content::Drawn(domain) if data.format != Format::Xml => match &domain.kind {
                DomainKind::Array { element, count } => {
                    cx.reject_node_modifiers(domain);
                    self.check_array(cx, &data.name, element, count, &top, None)
                }
                _ => return,
            },
            _ => return,
        };
        self.files[file].tree = Some(node);
    }

    fn check_members(
        &mut self,
        cx: &mut Checker<'a>,
        body: &'a ast::Body,
        around: &Around<'_>,
        members: &mut Vec<Member>,
    ) {
        reject_object_clauses(cx, body);
        cx.check_generated_columns(body, false);
        for column in &body.columns {
            for (place, key) in column.keys.iter().enumerate() {
                if cx.is_fit_key(column, key, around, members) {
                    members.push(self.check_member(cx, column, key, place, around));
                }
            }
        }
    }

    fn check_member(
        &mut self,
        cx: &mut Checker<'a>,
        column: &'a ast::Column,
        key: &'a ast::Key,
        place: usize,
        around: &Around<'_>,
    ) -> Member {
        let helper = key.name.text.starts_with('_');
        let node = match &column.kind {
            ColumnKind::Draw(domain @ ast::Domain { kind: DomainKind::Object(body), .. }) => {
                cx.reject_node_modifiers(domain);
                let inner = Around {
                    within: format!("{}{}.", around.within, key.name.text),
                    path: format!("{}.{}", around.path, key.name.text),
                    ..*around
                };
                let mut members = Vec::new();
                self.check_members(cx, body, &inner, &mut members);
                Node::Object(members)
            }
            ColumnKind::Draw(domain @ ast::Domain { kind: DomainKind::Array { element, count }, .. }) => {
                cx.reject_node_modifiers(domain);
                let parent = around.repeated.then_some(around.relation);
                self.check_array(cx, &key.name, element, count, around, parent)
            }
            _ => {
                let name = format!("{}{}", around.within, key.name.text);
                let decl = ColumnDecl { within: around.within.clone(), ..ColumnDecl::from_column(column, place) };
                Node::Cell(around.relation, self.add_column(around.relation, name, key.name.span, helper, decl))
            }
        };
        Member { key: key.name.clone(), attribute: key.attribute, helper, node }
    }

    /// Checks `[ ELEMENT ; COUNT ]`.
    fn check_array(
        &mut self,
        cx: &mut Checker<'a>,
        key: &Ident,
        element: &'a ast::Domain,
        count: &'a ast::Count,
        around: &Around<'_>,
        parent: Option<RelationId>,
    ) -> Node {
        let top = self.files[around.file].relations.is_empty();
        let path = if top { around.path.clone() } else { format!("{}.{}", around.path, key.text) };
        let table = path.strip_prefix(around.name).and_then(|rest| rest.strip_prefix('.')).unwrap_or(&path).to_owned();
        let ident = Ident { text: table, span: key.span, quoted: false };
        let relation = self.add_tree_relation(&path, &ident, around.file, around.format, Origin::Array(count, parent));
        let inner = Around { relation, within: String::new(), path, repeated: true, ..*around };
        let node = match &element.kind {
            DomainKind::Object(body) => {
                cx.reject_node_modifiers(element);
                let mut members = Vec::new();
                self.check_members(cx, body, &inner, &mut members);
                Node::Object(members)
            }
            DomainKind::Array { element: items, count } => {
                cx.reject_node_modifiers(element);
                let key = Ident { text: ELEMENT.to_owned(), span: element.span, quoted: false };
                self.check_array(cx, &key, items, count, &inner, Some(relation))
            }
            _ => {
                let decl = ColumnDecl::new(ColumnAst::Element(element));
                Node::Cell(relation, self.add_column(relation, ELEMENT.to_owned(), element.span, false, decl))
            }
        };
        Node::Array(relation, Box::new(node))
    }

    /// Adds a relation of a tree to its file.
    fn add_tree_relation(
        &mut self,
        name: &str,
        ident: &Ident,
        file: FileId,
        format: Format,
        origin: Origin<'a>,
    ) -> RelationId {
        let decl = RelationDecl { format: Some(format), ..RelationDecl::new(origin) };
        let relation = self.add_relation(name.to_owned(), ident, Some(file), decl);
        self.files[file].relations.push(relation);
        relation
    }

    /// Checks whether a relation is part of a JSON, YAML, or XML file, whose cells can contain lists and objects.
    pub fn is_tree_relation(&self, relation: RelationId) -> bool {
        self.declared[relation].format.is_some_and(Format::is_tree)
    }

    /// Checks whether a column of a relation can have a name with dots, for a field of an inner object: its rows belong to a tree or to JSON Lines, or are taken
    /// from there.
    pub fn has_fields(&self, relation: RelationId) -> bool {
        let taken = std::iter::successors(Some(relation), |of| self.declared[*of].taken);
        taken.take(self.declared.len()).any(|of| self.declared[of].format.is_some_and(Format::has_keys))
    }
}

impl Checker<'_> {
    /// Reports an XML file without a root element, or another format with one.
    fn check_root_element(&mut self, data: &ast::Data, root: Option<&Ident>) {
        let name = &data.name.text;
        match (data.format, root) {
            (Format::Xml, None) => {
                let message = format!("`{name}` does not name its root element");
                let at = data.path.span.shrink_to_end();
                let said = Diagnostic::new(Code::MISSING_PART, message, at, "missing name");
                let help = format!("write the element's name after the path: xml {name} at \"…\" catalog {{ … }}");
                self.report(said.help(help));
            }
            (Format::Xml, Some(root)) => self.check_xml_name(root),
            (_, Some(root)) => {
                let message = "only XML files have a root element with a name";
                self.report(Diagnostic::new(Code::MISPLACED, message, root.span, "not XML").help("remove the name"));
            }
            _ => {}
        }
    }

    /// Reports a key with `@` in a file that is not XML.
    pub(crate) fn reject_attribute(&mut self, key: &ast::Key) {
        if key.attribute {
            let said = Diagnostic::new(Code::MISPLACED, "`@` works only in XML files", key.name.span, "not XML");
            self.report(said.help("remove the `@`"));
        }
    }

    /// Checks that a key is allowed at this place. Reports it if not.
    fn is_fit_key(&mut self, column: &ast::Column, key: &ast::Key, around: &Around<'_>, members: &[Member]) -> bool {
        // Relations ignore letter case, as SQL does.
        if let Some(first) = members.iter().find(|known| known.key.text.eq_ignore_ascii_case(&key.name.text)) {
            let what = if around.format == Format::Xml { "element or attribute" } else { "key" };
            let first = first.key.span;
            self.report(build_duplicate_diagnostic(&key.name, what, first, what));
            return false;
        }
        let xml = around.format == Format::Xml;
        if !xml {
            self.reject_attribute(key);
        }
        let holds_more = matches!(&column.kind, ColumnKind::Draw(domain)
            if matches!(domain.kind, DomainKind::Object(_) | DomainKind::Array { .. }));
        if holds_more && (key.attribute || key.name.text == "#text") {
            let message = "an attribute needs a single value";
            let said = Diagnostic::new(Code::BAD_CONTENT, message, column.span, "holds several");
            self.report(said.help(format!("make it a child element: remove the `@` before `{}`", key.name.text)));
            return false;
        }
        if xml && !key.name.text.starts_with('_') && key.name.text != "#text" {
            self.check_xml_name(&key.name);
        }
        !holds_more || is_declared_alone(self, column)
    }

    /// Reports a modifier or suffix such as `unique` or `blank` on an object or array.
    pub(super) fn reject_node_modifiers(&mut self, domain: &ast::Domain) {
        let modifier = domain.modifiers.first().map(|(_, span)| *span);
        if let Some(span) = modifier.or(domain.suffixes.first().map(|suffix| suffix.span)) {
            let what = if matches!(domain.kind, DomainKind::Array { .. }) { "an array" } else { "an object" };
            let said = Diagnostic::new(Code::MISPLACED, format!("{what} cannot have modifiers"), span, "not here");
            self.report(said.help("write modifiers at the domains of the fields in it"));
        }
    }

    /// Reports a name that cannot be the name of an XML element or attribute (Namespaces in XML 1.0: a name, or a prefix and a name).
    fn check_xml_name(&mut self, name: &Ident) {
        let part = |text: &str| {
            let mut letters = text.chars();
            letters.next().is_some_and(|first| first.is_alphabetic() || first == '_')
                && letters.all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))
        };
        let (prefix, local) = match name.text.split_once(':') {
            Some((prefix, local)) => (prefix, local),
            None => ("x", name.text.as_str()),
        };
        if !(part(prefix) && part(local)) {
            let message = format!("`{}` is not a name for an XML element or attribute", name.text);
            let said = Diagnostic::new(Code::BAD_CONTENT, message, name.span, "not a name");
            self.report(said.help("start with a letter or `_`, followed by letters, digits, `-`, `_`, or `.`"));
        }
    }

    /// Reports a prefix of an XML name that the root element does not declare.
    fn check_xml_prefixes(&mut self, root: &Node) {
        let Node::Object(top) = root else { return };
        let declared: Vec<&str> = top
            .iter()
            .filter(|member| member.attribute)
            .filter_map(|member| member.key.text.strip_prefix("xmlns:"))
            .collect();
        let mut unknown: Vec<(String, Span)> = Vec::new();
        visit_keys(root, &mut |member| {
            if let Some((prefix, _)) = member.key.text.split_once(':')
                && !declared.contains(&prefix)
                && prefix != "xml"
                && !(prefix == "xmlns" && member.attribute)
                && !unknown.iter().any(|(known, _)| known == prefix)
            {
                unknown.push((prefix.to_owned(), member.key.span));
            }
        });
        for (prefix, span) in unknown {
            let help = match prefix.as_str() {
                "xmlns" => "namespaces are declared by attributes: write @ before the name".to_owned(),
                _ => format!("declare it on the root element: @`xmlns:{prefix}` = \"https://example.com/ns\""),
            };
            let message = format!("the prefix `{prefix}` is not bound to a namespace");
            let said = Diagnostic::new(Code::BAD_CONTENT, message, span, "not declared");
            self.report(said.help(help));
        }
    }
}

/// Reports clauses of tables in the body of an object.
pub(super) fn reject_object_clauses(cx: &mut Checker<'_>, body: &ast::Body) {
    cx.reject_clauses(
        body.iter_rows_clauses(),
        "an object cannot have `rows`",
        "belongs to tables",
        "an array has its number of elements after a semicolon: items : [ { … } ; 5..20 ]",
    );
    cx.reject_clauses(
        body.constraints.iter().map(|constraint| constraint.span),
        "keys and indexes work only in tables",
        "not a table",
        "to make values differ, write in the array: id : unique …",
    );
    cx.reject_clauses(
        body.lines.iter().map(|line| line.span),
        "`line` works only in a text file",
        "not a text file",
        "write: text NAME at \"app.log\" { rows 100  line \"…\"  … }",
    );
}

/// Checks that an object or array has a declaration of its own. Reports it if not.
pub(super) fn is_declared_alone(cx: &mut Checker<'_>, column: &ast::Column) -> bool {
    if column.keys.len() > 1 {
        let message = "several keys share one object or array";
        let said = Diagnostic::new(Code::BAD_CONTENT, message, column.span, "several names");
        cx.report(said.help("give each key a declaration of its own"));
        return false;
    }
    true
}

fn visit_keys<'n>(node: &'n Node, visit: &mut dyn FnMut(&'n Member)) {
    match node {
        Node::Cell(..) => {}
        Node::Array(_, element) => visit_keys(element, visit),
        Node::Object(members) => {
            for member in members {
                visit(member);
                visit_keys(&member.node, visit);
            }
        }
    }
}

/// Builds the shape of a node, without helpers.
fn build_shape(node: &Node) -> Shape {
    match node {
        Node::Cell(relation, column) => Shape::Cell(*relation, *column),
        Node::Array(relation, element) => Shape::Array(*relation, Box::new(build_shape(element))),
        Node::Object(members) => Shape::Object(
            members
                .iter()
                .filter(|member| !member.helper)
                .map(|member| suite::Field {
                    key: member.key.text.clone(),
                    attribute: member.attribute,
                    shape: build_shape(&member.node),
                })
                .collect(),
        ),
    }
}
