//! JSONPath and XPath in calls, followed through the declared form of the file.

use std::sync::Arc;

use model::Span;
use model::functions::{Edit, FunctionId, Question};
use model::suite::{ColumnId, FileId, FixtureKind, PathQuery, RelationId};

use crate::context::{Checker, Member, Node, Relations, State, TaskChecker, TaskScope, UnreadablePart};
use hir::FileContent;
use hir::facts;
use hir::fixture::{self, Elements, Problems};
use hir::paths::element::{Child, Element};
use hir::paths::form::{Entry, Form};
use hir::paths::leaf::{Comparison, Leaf, Source};
use hir::paths::{PathError, PathResult, json, xml};
use hir::types::{Ty, TyKind};
use names as suggest;
use syntax::ast::{self, Format, RawKind};
use syntax::bounds::Bounds;
use syntax::diagnostics::wording::join_with_or;
use syntax::diagnostics::{Applicability, Code, Diagnostic};

/// The result of following a path.
pub(crate) struct Followed {
    /// The path as an argument.
    pub query: PathQuery,
    /// The type of the call's `scalar`.
    pub scalar: Ty,
    /// The path always leads to a value.
    pub certain: bool,
}

impl TaskChecker<'_, '_> {
    /// Follows the path argument of `function` into `file`. Reports a path that leads nowhere, or to a value that the function does not accept.
    pub fn follow_path(&mut self, function: FunctionId, raw: &ast::Raw, file: FileId) -> Option<Followed> {
        let text = raw.text.trim_end();
        let reached = match raw.kind {
            RawKind::XPath if matches!(self.scope.relations.files[file].ast.content, ast::Content::Fixture(_)) => {
                xml::follow_path(text, self.scope.relations.read_fixture_elements(file, raw.span)?.form.as_deref())
            }
            RawKind::XPath => xml::follow_path(text, self.scope.build_root_element(file).as_ref()),
            _ if self.scope.relations.note_path_read(function, text, file, raw.span) => return None,
            _ => json::follow_path(text, &self.scope.infer_file_form(file)),
        };
        let reached = match reached {
            Ok(reached) => reached,
            Err(misstep) => {
                self.scope.relations.report_misstep(self.cx, raw, Some(file), misstep);
                return None;
            }
        };
        self.note_tests(raw, &reached);
        let (scalar, certain) = self.cx.infer_path_type(function, function.question()?, raw, &reached)?;
        let value_type = if raw.kind == RawKind::XPath { infer_xml_type(&reached.ty) } else { None };
        Some(Followed { query: PathQuery { text: text.to_owned(), value_type, span: raw.span }, scalar, certain })
    }

    /// Checks the path of an edit: in a file whose form is known, or in any value. Reports a path that does not exist or does not allow this edit.
    pub(super) fn check_edit_path(
        &mut self,
        function: FunctionId,
        edit: Edit,
        raw: &ast::Raw,
        file: Option<FileId>,
    ) -> Option<PathQuery> {
        let text = raw.text.trim_end();
        let form = match file {
            Some(file) if self.scope.relations.note_path_read(function, text, file, raw.span) => return None,
            Some(file) => self.scope.infer_file_form(file),
            None => Arc::new(Form::Unknown),
        };
        let reached = match json::follow_path(text, &form) {
            Ok(reached) => reached,
            Err(misstep) => {
                self.scope.relations.report_misstep(self.cx, raw, file, misstep);
                return None;
            }
        };
        self.note_tests(raw, &reached);
        let is_array = matches!(reached.ty.kind, TyKind::List(_) | TyKind::Unknown);
        if edit == Edit::Append && reached.understood && !is_array {
            let message =
                format!("`{function}` needs an array, but the path leads to {}", reached.ty.describe_with_article());
            return self.cx.report_path_misfit(raw, message, "not an array", "name an array");
        }
        if edit == Edit::Remove && text == "$" {
            let message = format!("`{function}` cannot remove the whole content");
            let help = "name a place in it; that a file is gone: expect file … absent";
            return self.cx.report_path_misfit(raw, message, "all of it", help);
        }
        if reached.understood && self.edited.iter().all(|known| known.path != raw.span) {
            let (at_most_one, sources) = (reached.at_most_one, reached.sources);
            self.edited.push(hir::EditedPlaces { path: raw.span, at_most_one, sources });
        }
        Some(PathQuery { text: text.to_owned(), value_type: None, span: raw.span })
    }

    /// Records the comparisons and predicates in the filters of a path.
    fn note_tests(&mut self, raw: &ast::Raw, PathResult { comparisons, predicates, .. }: &PathResult) {
        let place = |at: usize| raw.span.start.saturating_add(at as u32).min(raw.span.end);
        for Comparison { literal: (start, end), text, equal, sources } in comparisons {
            let literal = Span::new(raw.span.file, place(*start), place(*end));
            if self.path_tests.iter().all(|known| known.literal != literal) {
                let (text, equal, sources) = (text.clone(), *equal, sources.clone());
                self.path_tests.push(hir::PathTest { literal, text, equal, sources });
            }
        }
        // A path is followed once for each wording that it is in.
        if self.path_predicates.iter().all(|known| known.path != raw.span) {
            let predicates = predicates.iter().cloned();
            self.path_predicates.extend(predicates.map(|predicate| hir::PathPredicate { path: raw.span, predicate }));
        }
    }
}

impl TaskScope<'_> {
    /// Returns the form of a checked JSON or YAML file: the values that it can contain.
    fn infer_file_form(&self, file: FileId) -> Arc<Form> {
        let decl = &self.relations.files[file];
        if let Some(read) = &decl.read {
            return Arc::clone(read.form());
        }
        Arc::new(match (&decl.tree, &decl.content) {
            (Some(node), _) => self.infer_node_form(node),
            (None, Some(FileContent::ComputedTree(value))) => match value.as_constant() {
                Some(value) => Form::from_value(value),
                None => Form::from_type(&value.ty),
            },
            _ => Form::Unknown,
        })
    }

    fn infer_node_form(&self, node: &Node) -> Form {
        match node {
            Node::Cell(relation, column) => {
                match Form::from_type(&self.relations.build_column_leaf(*relation, *column).ty) {
                    Form::Scalar(leaf) => Form::Scalar(Leaf { source: Source::Cells(*relation, *column), ..leaf }),
                    form => form,
                }
            }
            Node::Object(members) => Form::Object(
                members
                    .iter()
                    .filter(|member| !member.helper)
                    .map(|member| Entry {
                        key: member.key.text.clone(),
                        optional: false,
                        form: self.infer_node_form(&member.node),
                    })
                    .collect(),
            ),
            Node::Array(relation, element) => {
                let Bounds { least, most } = self.infer_element_bounds(*relation);
                Form::Array { element: Box::new(self.infer_node_form(element)), least, most }
            }
        }
    }

    /// Returns the bounds of the number of elements of an array in each place where it occurs.
    fn infer_element_bounds(&self, relation: RelationId) -> Bounds {
        let (low, high) = match &self.relations.checked[relation].rows {
            _ if self.relations.declared[relation].state == State::Todo => return Bounds::ANY,
            hir::Rows::Count(low, high) | hir::Rows::PerRow { low, high, .. } => (low, high),
            hir::Rows::Given(rows) => return Bounds::from_count(u64::from(*rows)),
            hir::Rows::Query(_) | hir::Rows::Lines(_) | hir::Rows::View(_) | hir::Rows::Taken { .. } => {
                return Bounds::ANY;
            }
        };
        facts::infer_count_bounds(&self.infer_number_fact(low), &self.infer_number_fact(high))
    }

    /// Builds the root element of a checked XML file.
    fn build_root_element(&self, file: FileId) -> Option<Element> {
        let decl = &self.relations.files[file];
        let ast::Content::Body { root: Some(root), .. } = &decl.ast.content else { return None };
        match (&decl.tree, decl.format) {
            (Some(Node::Object(members)), Format::Xml) => Some(self.build_element(&root.text, members)),
            _ => None,
        }
    }

    fn build_element(&self, name: &str, members: &[Member]) -> Element {
        let mut element = Element { name: name.to_owned(), ..Element::default() };
        for member in members.iter().filter(|member| !member.helper) {
            let key = &member.key.text;
            match &member.node {
                Node::Cell(relation, column) => {
                    let leaf = self.relations.build_column_leaf(*relation, *column);
                    if member.attribute {
                        element.attributes.push((key.clone(), leaf));
                    } else if key == "#text" {
                        element.text = Some(leaf);
                    } else {
                        element.children.push(build_field_child(key, leaf));
                    }
                }
                Node::Object(members) => {
                    let child = self.build_element(key, members);
                    element.children.push(Child { element: child, least: 1, most: 1 });
                }
                Node::Array(..) => self.collect_repeated_children(key, &member.node, (1, 1), &mut element.children),
            }
        }
        element
    }

    fn collect_repeated_children(&self, key: &str, node: &Node, around: (u64, u64), children: &mut Vec<Child>) {
        match node {
            Node::Array(relation, inner) => {
                let Bounds { least, most } = self.infer_element_bounds(*relation);
                let times = (around.0.saturating_mul(least), around.1.saturating_mul(most));
                self.collect_repeated_children(key, inner, times, children);
            }
            Node::Object(members) => {
                children.push(Child { element: self.build_element(key, members), least: around.0, most: around.1 });
            }
            Node::Cell(relation, column) => {
                let child = build_typed_child(key, self.relations.build_column_leaf(*relation, *column));
                children.push(Child { least: around.0, most: around.1, ..child });
            }
        }
    }
}

impl<'a> Relations<'a> {
    fn report_misstep(&self, cx: &mut Checker<'a>, raw: &ast::Raw, file: Option<FileId>, misstep: PathError) {
        let start = raw.span.start + misstep.start as u32;
        let end = (raw.span.start + misstep.end as u32).clamp(start, raw.span.end);
        let span = Span::new(raw.span.file, start, end.max(start + u32::from(start < raw.span.end)));
        let code = if misstep.syntax { Code::PATH_SYNTAX } else { Code::PATH_NOWHERE };
        let declared = file.map(|file| self.files[file].ast.name.span);
        let mut said = Diagnostic::new(code, misstep.message, span, misstep.label);
        let help = match (misstep.syntax, &misstep.names) {
            (true, _) if raw.kind == RawKind::XPath => {
                "XPath 1.0: /root/item[1]/@id, //item[price > 10]/name".to_owned()
            }
            (true, _) => {
                "JSONPath (RFC 9535): $.items[0].name, $.items[*].price, $.items[?@.price > 10].name".to_owned()
            }
            (false, Some((_, names))) => format!("there are {}", join_with_or(names.iter().map(String::as_str))),
            (false, None) => "follow the declared shape of the file from its top".to_owned(),
        };
        if !misstep.syntax {
            said = said.with_labels(declared.map(|declared| (declared, "its shape is declared here")));
        }
        if let Some((wrong, names)) = &misstep.names {
            // A quoted name keeps its quotes.
            if misstep.syntax || cx.sources.text(span) == wrong {
                said = suggest_step(said, raw.kind, span, wrong, names);
            } else if let Some(near) = suggest::find_closest(wrong, names.iter().map(String::as_str)) {
                said = said.help(format!("did you mean `{near}`?"));
            }
        }
        cx.report(said.with_default_help(help));
    }

    /// Builds a leaf for the cells of a column.
    fn build_column_leaf(&self, relation: RelationId, column: ColumnId) -> Leaf {
        let ty = self.checked[relation].columns[column].ty.clone();
        Leaf { ty, source: Source::Cells(relation, column) }
    }

    /// Reads the elements of an XML fixture and adds them to the plan. Returns `None` if it cannot be read, which has been reported.
    fn read_fixture_elements(&mut self, file: FileId, at: Span) -> Option<Elements> {
        // Reading its rows reports that it is not XML.
        let decl = &mut self.files[file];
        let (bytes, kind) = match (&mut decl.fixture, &mut decl.content) {
            (Some(fixture), _) => (&fixture.bytes, &mut fixture.kind),
            // The prompt names the file, so it has been completed already.
            (None, Some(FileContent::Fixture { bytes, kind })) => (&*bytes, kind),
            _ => return None,
        };
        let packed = tables::gzip::is_packed(&bytes.0).then(|| tables::gzip::unpack(&bytes.0, tables::gzip::MAX_UNPACKED));
        let content = packed.transpose().ok()?;
        let read = fixture::read_elements(content.as_deref().unwrap_or(&bytes.0)).ok()?;
        if let Some(error) = read.undeclared {
            self.note_odd_part(file, UnreadablePart::Text, &Problems::from_error(error));
            self.note_text_read(file, at);
            return None;
        }
        *kind = FixtureKind::Elements(Arc::clone(&read.root));
        Some(read)
    }
}

impl Checker<'_> {
    /// Converts a constant text to a path whose span is the text between its quotes.
    pub(super) fn to_raw_path(&self, path: &hir::Expr) -> ast::Raw {
        let text = match path.as_constant() {
            Some(model::Value::Text(text)) => text.clone(),
            _ => String::new(),
        };
        let written = self.sources.text(path.span);
        let inside = written.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) == Some(text.as_str());
        let span = if inside { Span::new(path.span.file, path.span.start + 1, path.span.end - 1) } else { path.span };
        ast::Raw { kind: RawKind::JsonPath, text, span }
    }

    /// Infers the type of the call's `scalar`, and whether the path always leads to a value.
    fn infer_path_type(
        &mut self,
        function: FunctionId,
        question: Question,
        raw: &ast::Raw,
        reached: &PathResult,
    ) -> Option<(Ty, bool)> {
        let some = reached.least > 0 && !reached.ty.nullable;
        let leads_to = reached.ty.describe_with_article();
        let condition = question == Question::Exists && matches!(reached.ty.kind, TyKind::Bool | TyKind::Unknown);
        if reached.computed && question != Question::Value && !condition {
            let what = if reached.ty.is_unknown() { "a number" } else { &leads_to };
            let message = format!("the XPath computes {what}, but `{function}` needs a path");
            let help = "use <<xpath_value: …>> for what it computes";
            return self.report_path_misfit(raw, message, "not a path", help);
        }
        if question == Question::Attribute && reached.understood && reached.elements {
            let message = "the path leads to an element, but `xpath_attr` needs an attribute";
            let help = "end the path with the attribute's name, as in /@id; the text of an element: <<xpath_value: …>>";
            return self.report_path_misfit(raw, message, "not an attribute", help);
        }
        match question {
            Question::Whole | Question::Value | Question::Attribute | Question::Keys => {
                if reached.understood && !reached.at_most_one {
                    let collect = find_sibling_name(function, Question::Collect);
                    let first = match raw.kind {
                        RawKind::XPath => format!("({})[1]", raw.text),
                        _ => "[0]".to_owned(),
                    };
                    let help = format!("name one of them, such as {first}; all of them: <<{collect}: …>>");
                    let message = format!("the path can match several values, but `{function}` needs one");
                    return self.report_path_misfit(raw, message, "several", help);
                }
                if matches!(question, Question::Value | Question::Attribute) && !reached.scalars {
                    let count = find_sibling_name(function, Question::Count);
                    let help = format!("go on to one of its fields, or count what is in it: <<{count}: …>>");
                    let message = format!("the path leads to {leads_to}, but `{function}` needs a single value");
                    return self.report_path_misfit(raw, message, "not a single value", help);
                }
                let known = reached.understood && reached.ty.kind != TyKind::Unknown;
                if question == Question::Keys && known && !matches!(reached.ty.kind, TyKind::Object(_) | TyKind::Map(_))
                {
                    let message = format!("the path leads to {leads_to}, which does not have keys");
                    return self.report_path_misfit(raw, message, "not an object", "name an object");
                }
                Some((reached.ty.clone().with_null_if(reached.least == 0), some))
            }
            Question::Count
                if reached.at_most_one
                    && reached.understood
                    && reached.ty.kind != TyKind::Unknown
                    && reached.members.is_none()
                    && raw.kind != RawKind::XPath =>
            {
                let message = format!("the path leads to {leads_to}, which does not contain anything to count");
                let help = "name an array or an object, or several places: $.items[*]";
                self.report_path_misfit(raw, message, "a single value", help)
            }
            Question::Sum | Question::Avg | Question::Max | Question::Min => {
                let ordered = matches!(reached.ty.kind, TyKind::Text | TyKind::Date | TyKind::DateTime);
                let fits = reached.ty.is_number()
                    || reached.ty.kind == TyKind::Null
                    || (matches!(question, Question::Max | Question::Min) && ordered && raw.kind != RawKind::XPath);
                if !fits || !reached.scalars {
                    let message = format!("`{function}` needs numbers, but the path leads to {leads_to}");
                    return self.report_path_misfit(raw, message, "not numbers", "name a field that contains numbers");
                }
                Some((Ty { nullable: !some, ..reached.ty.clone() }, some))
            }
            _ => Some((Ty { nullable: false, ..reached.ty.clone() }, some)),
        }
    }

    fn report_path_misfit<T>(
        &mut self,
        raw: &ast::Raw,
        message: impl Into<String>,
        label: &str,
        help: impl Into<String>,
    ) -> Option<T> {
        self.report(Diagnostic::new(Code::PATH_SHAPE, message, raw.span, label).help(help));
        None
    }
}

/// Builds the element of a field. It is missing if the value is null.
fn build_field_child(key: &str, leaf: Leaf) -> Child {
    let nullable = leaf.ty.nullable;
    let child = build_typed_child(key, Leaf { ty: Ty { nullable: false, ..leaf.ty }, ..leaf });
    Child { least: if nullable { 0 } else { child.least }, ..child }
}

/// Builds the element of a single value; a list has one element for each item.
fn build_typed_child(key: &str, leaf: Leaf) -> Child {
    let mut element = Element { name: key.to_owned(), ..Element::default() };
    match &leaf.ty.kind {
        TyKind::List(item) => {
            element.text = Some(Leaf::new(item.as_ref().clone()));
            return Child { element, least: 0, most: u64::MAX };
        }
        TyKind::Object(fields) => {
            element.children = fields.iter().map(|(key, ty)| build_field_child(key, Leaf::new(ty.clone()))).collect();
        }
        _ => element.text = Some(leaf),
    }
    Child { element, least: 1, most: 1 }
}

/// Returns the type that a text of XML is converted to, or `None` if it stays text.
fn infer_xml_type(ty: &Ty) -> Option<model::ValueType> {
    ty.value_type().filter(|value_type| *value_type != model::ValueType::Text)
}

/// Returns the name of the function that asks another question about the same kind of file.
fn find_sibling_name(function: FunctionId, asked: Question) -> &'static str {
    function.find_sibling(asked).unwrap_or(function).name
}

/// Suggests the closest name for a step of a path; without a fix if the name would need quotes in the language of the path.
fn suggest_step(said: Diagnostic, kind: RawKind, span: Span, wrong: &str, names: &[String]) -> Diagnostic {
    let Some((name, clear)) = suggest::find_best(wrong, names.iter().map(String::as_str)) else { return said };
    let inside = |c: char| c.is_alphanumeric() || c == '_' || kind == RawKind::XPath && matches!(c, '-' | '.' | ':');
    if !name.chars().all(inside) || !name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        return said.help(format!("did you mean `{name}`?"));
    }
    said.suggest(Applicability::from_clearness(clear), span, name)
}
