//! XPath 1.0 over elements: xpath-eval evaluates the document that a parser of the written file would see, including line starts between elements.

use std::borrow::Cow;
use std::cell::RefCell;
use std::cmp::Ordering;
use std::collections::BTreeMap;

use model::Value;
use model::elements::{Content, Element, parse_prefix};
use xpath_eval::{Document, EvaluationContext, ExpandedName, Expr, Node, NodeKind};

use super::xml::{XmlNode, build_line_start};
use super::xpath_work::{bound_nodes, visit_comparisons};
use crate::generate::failures::{Res, fail_computation};
use crate::generate::work::{NODE, WorkMeter, compute_text_work};

/// The namespace of the prefix `xml`, which is declared everywhere.
const XML_NAMESPACE: &str = "http://www.w3.org/XML/1998/namespace";

/// The number of pairs of nodes whose comparison counts as one unit.
const PAIRS: u64 = 16;

/// The result of an XPath.
pub(crate) enum Selected<'d> {
    /// Nodes in document order.
    Nodes(Vec<XmlHandle<'d>>),
    /// The value of an expression.
    Value(Value),
}

/// The namespaces by prefix; the default one has the empty text.
type Scope = BTreeMap<String, String>;

/// Elements, attributes and texts in document order; the first is the root.
pub(crate) struct XmlDocument {
    entries: Vec<Entry>,
    scopes: Vec<Scope>,
}

struct Entry {
    kind: NodeKind,
    /// Name as written; empty for texts.
    name: String,
    namespace: Option<String>,
    /// The value of an attribute or text.
    value: Value,
    parent: Option<usize>,
    children: Vec<usize>,
    attributes: Vec<usize>,
    /// The position after its last descendant.
    end: usize,
    /// Index into the document's scopes.
    scope: usize,
}

/// A node of a document.
#[derive(Clone, Copy)]
pub(crate) struct XmlHandle<'d> {
    document: &'d XmlDocument,
    at: usize,
    /// For a namespace node, its position in the scope, from 1; 0 for others.
    namespace: usize,
    visits: Option<Visits<'d>>,
}

/// Limits the work of a path. When nothing is left, no node has children, attributes, or a text, so the evaluator ends soon.
#[derive(Clone, Copy)]
struct Visits<'d> {
    meter: &'d WorkMeter,
    /// Additional work of reading a text, which is compared with this many others.
    text: u64,
}

impl XmlDocument {
    /// Creates the document that a parser of the written file sees.
    pub fn new(root: &XmlNode) -> XmlDocument {
        XmlDocument::build_with(|document| document.add_node(root, 0, 0, Some(0)))
    }

    /// Creates the document of an existing file.
    pub fn from_element(root: &Element) -> XmlDocument {
        XmlDocument::build_with(|document| document.add_element(root, 0, 0))
    }

    /// Creates a document of the element that `add` adds below the first node.
    fn build_with(add: impl FnOnce(&mut XmlDocument)) -> XmlDocument {
        let scope = Scope::from([("xml".to_owned(), XML_NAMESPACE.to_owned())]);
        let mut document = XmlDocument { entries: Vec::new(), scopes: vec![scope] };
        document.push_entry(NodeKind::Root, "", None, Value::Null, None, 0);
        add(&mut document);
        document.close_entry(0);
        document
    }

    fn push_entry(
        &mut self,
        kind: NodeKind,
        name: &str,
        namespace: Option<String>,
        value: Value,
        parent: Option<usize>,
        scope: usize,
    ) -> usize {
        let at = self.entries.len();
        let name = name.to_owned();
        let (children, attributes) = (Vec::new(), Vec::new());
        self.entries.push(Entry { kind, name, namespace, value, parent, children, attributes, end: at + 1, scope });
        if let Some(parent) = parent.and_then(|parent| self.entries.get_mut(parent)) {
            match kind {
                NodeKind::Attribute => parent.attributes.push(at),
                _ => parent.children.push(at),
            }
        }
        at
    }

    fn close_entry(&mut self, at: usize) {
        let end = self.entries.len();
        if let Some(entry) = self.entries.get_mut(at) {
            entry.end = end;
        }
    }

    /// Adds an element at a depth; `None` inside of text, where nothing is indented.
    fn add_node(&mut self, node: &XmlNode, parent: usize, outer: usize, depth: Option<usize>) {
        let depth = depth.filter(|_| !node.is_mixed());
        let declared = node.iter_namespaces().map(|(prefix, namespace)| (prefix, namespace.render_text()));
        let attributes = node.attributes.iter().map(|(name, value)| (name.as_str(), value.clone()));
        let (at, scope) = self.start_element(&node.name, declared, attributes, (parent, outer));
        if let Some(text) = node.text.as_ref().filter(|text| !text.render_text().is_empty()) {
            self.add_text(text.clone(), at, scope);
        }
        let inner = depth.map(|depth| depth + 1);
        for child in &node.children {
            if let Some(inner) = inner {
                self.add_text(Value::Text(build_line_start(inner)), at, scope);
            }
            self.add_node(child, at, scope, inner);
        }
        if let Some(depth) = depth.filter(|_| !node.children.is_empty()) {
            self.add_text(Value::Text(build_line_start(depth)), at, scope);
        }
        self.close_entry(at);
    }

    fn add_element(&mut self, element: &Element, parent: usize, outer: usize) {
        let declared = element.iter_namespaces().map(|(prefix, namespace)| (prefix, Cow::Borrowed(namespace)));
        let attributes = element.attributes.iter().map(|(name, value)| (name.as_str(), Value::from_text(value)));
        let (at, scope) = self.start_element(&element.name, declared, attributes, (parent, outer));
        for content in &element.content {
            match content {
                Content::Text(text) => self.add_text(Value::from_text(text), at, scope),
                Content::Element(element) => self.add_element(element, at, scope),
            }
        }
        self.close_entry(at);
    }

    /// Adds an element with its attributes, inside of a parent and its scope. Returns its index and its own scope.
    fn start_element<'n>(
        &mut self,
        name: &str,
        declared: impl Iterator<Item = (&'n str, Cow<'n, str>)>,
        attributes: impl Iterator<Item = (&'n str, Value)>,
        (parent, outer): (usize, usize),
    ) -> (usize, usize) {
        let scope = self.add_scope(declared, outer);
        // Without a prefix, an element has the default namespace, and an attribute has none.
        let namespace = self.find_namespace(scope, name.split_once(':').map_or("", |(prefix, _)| prefix));
        let at = self.push_entry(NodeKind::Element, name, namespace, Value::Null, Some(parent), scope);
        for (name, value) in attributes.filter(|(name, _)| parse_prefix(name).is_none()) {
            self.push_entry(
                NodeKind::Attribute,
                name,
                name.split_once(':').and_then(|(prefix, _)| self.find_namespace(scope, prefix)),
                value,
                Some(at),
                scope,
            );
        }
        (at, scope)
    }

    fn add_text(&mut self, value: Value, parent: usize, scope: usize) {
        self.push_entry(NodeKind::Text, "", None, value, Some(parent), scope);
    }

    /// Returns the scope inside of an element: a new one if it declares a namespace.
    fn add_scope<'n>(&mut self, declared: impl Iterator<Item = (&'n str, Cow<'n, str>)>, outer: usize) -> usize {
        let mut scope = None;
        for (prefix, namespace) in declared {
            let scope = scope.get_or_insert_with(|| self.scopes.get(outer).cloned().unwrap_or_default());
            if namespace.is_empty() {
                scope.remove(prefix);
            } else {
                scope.insert(prefix.to_owned(), namespace.into_owned());
            }
        }
        match scope {
            None => outer,
            Some(scope) => {
                self.scopes.push(scope);
                self.scopes.len() - 1
            }
        }
    }

    fn find_namespace(&self, scope: usize, prefix: &str) -> Option<String> {
        self.scopes.get(scope)?.get(prefix).cloned()
    }

    fn handle_at(&self, at: usize) -> XmlHandle<'_> {
        XmlHandle { document: self, at, namespace: 0, visits: None }
    }

    /// Prepares the limit of a path. Fails if a single comparison may take more work than what is left: the evaluator would not end within it.
    fn limit_visits<'d>(&self, path: &Expr, meter: &'d WorkMeter) -> Res<Visits<'d>> {
        let is_named = |entry: &Entry, local: &str| entry.name.rsplit(':').next() == Some(local);
        let count = |local: Option<&str>| match local {
            None => self.entries.len() as u64,
            Some(local) => self.entries.iter().filter(|entry| is_named(entry, local)).count() as u64,
        };
        let (mut text, mut pairs, mut work) = (0, 0, 0);
        visit_comparisons(path, &mut |left, right| {
            let right = bound_nodes(right, &count);
            text = right.max(text);
            pairs = bound_nodes(left, &count).saturating_mul(right).max(pairs);
            work += self.entries.len() as u64;
        });
        meter.count_expression(work)?;
        // With less than that left, nothing is left after it.
        meter.count_expression(if pairs / PAIRS < meter.left() { 0 } else { u64::MAX })?;
        Ok(Visits { meter, text: text / PAIRS })
    }

    /// Evaluates a path. Its prefixes are those declared by the root element. The meter limits the work.
    pub fn evaluate_path<'d>(&'d self, path: &str, meter: Option<&'d WorkMeter>) -> Res<Selected<'d>> {
        let parsed = match xpath_eval::parse(path) {
            Ok(parsed) => parsed,
            Err(error) => return fail_computation(format!("`{path}` is not a valid XPath: {}", error.message)),
        };
        let root = self.root().children().find(|node| node.kind() == NodeKind::Element);
        let scope = root.map(XmlHandle::scope);
        let unknown = RefCell::new(None);
        let namespaces = |prefix: &str| {
            let namespace = scope.and_then(|scope| scope.get(prefix)).cloned();
            if namespace.is_none() {
                unknown.replace(Some(prefix.to_owned()));
            }
            namespace
        };
        let visits = meter.map(|meter| self.limit_visits(&parsed, meter)).transpose()?;
        let mut context = EvaluationContext::new(XmlHandle { visits, ..self.root() });
        context.namespaces = Some(&namespaces);
        let found = xpath_eval::evaluate(&parsed, &context);
        meter.map_or(Ok(()), |meter| meter.count_expression(0))?;
        if let Some(prefix) = unknown.take() {
            // The evaluator treats this as a name that nothing has.
            let advice = format!("the root element does not declare `xmlns:{prefix}`");
            return fail_computation(format!("the prefix `{prefix}` in `{path}` has no namespace: {advice}"));
        }
        match found {
            Err(error) => fail_computation(format!("`{path}` has no result: {error}")),
            Ok(xpath_eval::Value::NodeSet(mut nodes)) => {
                nodes.sort_by(|a, b| a.document_order(*b));
                nodes.dedup();
                Ok(Selected::Nodes(nodes))
            }
            Ok(xpath_eval::Value::Boolean(value)) => Ok(Selected::Value(Value::Bool(value))),
            Ok(xpath_eval::Value::String(text)) => Ok(Selected::Value(Value::Text(text))),
            Ok(xpath_eval::Value::Number(number)) => match to_whole_number(number) {
                Some(whole) => Ok(Selected::Value(Value::Int(whole))),
                None if number.is_finite() => Ok(Selected::Value(Value::Float(number))),
                None => fail_computation(format!("`{path}` gives no number")),
            },
        }
    }
}

/// Converts a double without a fraction to an int, in the range where doubles represent all integers.
fn to_whole_number(number: f64) -> Option<i64> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    (number.fract() == 0.0 && number.abs() < EXACT).then_some(number as i64)
}

impl Document for XmlDocument {
    type N<'d> = XmlHandle<'d>;

    fn root(&self) -> XmlHandle<'_> {
        self.handle_at(0)
    }
}

impl<'d> XmlHandle<'d> {
    fn entry(self) -> Option<&'d Entry> {
        self.document.entries.get(self.at)
    }

    fn scope(self) -> &'d Scope {
        const EMPTY: &Scope = &Scope::new();
        self.entry().and_then(|entry| self.document.scopes.get(entry.scope)).unwrap_or(EMPTY)
    }

    /// Counts work; returns `false` if that is limited and nothing is left.
    fn count_work(self, work: u64) -> bool {
        self.visits.is_none_or(|visits| visits.meter.try_spend(work))
    }

    fn list_handles(self, of: impl Fn(&'d Entry) -> &'d [usize]) -> impl Iterator<Item = XmlHandle<'d>> + 'd {
        let ids = match self.entry() {
            Some(entry) if self.namespace == 0 => of(entry),
            _ => &[],
        };
        ids.iter().map(move |at| XmlHandle { at: *at, ..self }).take_while(|node| node.count_work(NODE))
    }

    /// Returns the prefix and namespace of a namespace node.
    fn find_binding(self) -> Option<(&'d String, &'d String)> {
        self.scope().iter().nth(self.namespace.checked_sub(1)?)
    }

    /// Checks whether it is an attribute.
    pub fn is_attribute(self) -> bool {
        self.kind() == NodeKind::Attribute
    }

    /// Returns its text by the rules of XPath; for an element, all text inside it.
    pub fn text(self) -> String {
        self.string_value()
    }

    /// Returns the typed value of an attribute, a text, or a text-only element; `None` for others.
    pub fn value(self) -> Option<&'d Value> {
        const NULL: &Value = &Value::Null;
        let entry = self.entry().filter(|_| self.namespace == 0)?;
        match (entry.kind, entry.children.as_slice()) {
            (NodeKind::Attribute | NodeKind::Text, _) => Some(&entry.value),
            (NodeKind::Element, []) => Some(NULL),
            (NodeKind::Element, [only]) => {
                self.document.entries.get(*only).filter(|only| only.kind == NodeKind::Text).map(|only| &only.value)
            }
            _ => None,
        }
    }

    /// Renders its place for messages: `/orders/order[2]/@id`.
    pub fn render_place(self) -> String {
        let Some(entry) = self.entry() else { return String::new() };
        let parent = self.parent().map(XmlHandle::render_place).unwrap_or_default();
        let name = match (entry.kind, self.find_binding()) {
            (_, Some((prefix, _))) => {
                return format!("{}/namespace::{prefix}", self.document.handle_at(self.at).render_place());
            }
            (NodeKind::Root, _) => return String::new(),
            (NodeKind::Attribute, _) => format!("@{}", entry.name),
            (NodeKind::Element, _) => entry.name.clone(),
            _ => "text()".to_owned(),
        };
        let siblings =
            self.parent().into_iter().flat_map(Node::children).filter_map(|node| Some((node.at, node.entry()?)));
        let alike: Vec<usize> = siblings
            .filter(|(_, other)| other.kind == entry.kind && other.name == entry.name)
            .map(|(at, _)| at)
            .collect();
        match alike.iter().position(|at| *at == self.at) {
            Some(position) if alike.len() > 1 => format!("{parent}/{name}[{}]", position + 1),
            _ => format!("{parent}/{name}"),
        }
    }
}

impl PartialEq for XmlHandle<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.document, other.document) && (self.at, self.namespace) == (other.at, other.namespace)
    }
}

impl Eq for XmlHandle<'_> {}

impl<'d> Node<'d> for XmlHandle<'d> {
    fn kind(self) -> NodeKind {
        match self.entry() {
            Some(_) if self.namespace > 0 => NodeKind::Namespace,
            Some(entry) => entry.kind,
            None => NodeKind::Text,
        }
    }

    fn parent(self) -> Option<Self> {
        match self.namespace {
            _ if !self.count_work(NODE) => None,
            0 => self.entry()?.parent.map(|at| XmlHandle { at, ..self }),
            _ => Some(XmlHandle { namespace: 0, ..self }),
        }
    }

    fn children(self) -> impl Iterator<Item = Self> + 'd {
        self.list_handles(|entry| &entry.children)
    }

    fn attributes(self) -> impl Iterator<Item = Self> + 'd {
        self.list_handles(|entry| &entry.attributes)
    }

    fn namespaces(self) -> impl Iterator<Item = Self> + 'd {
        let count = if self.kind() == NodeKind::Element { self.scope().len() } else { 0 };
        (1..=count).map(move |namespace| XmlHandle { namespace, ..self }).take_while(|node| node.count_work(NODE))
    }

    fn expanded_name(self) -> Option<ExpandedName> {
        if let Some((prefix, _)) = self.find_binding() {
            return Some(ExpandedName { namespace_uri: None, local_name: prefix.clone() });
        }
        let entry = self.entry().filter(|entry| !entry.name.is_empty())?;
        let local = entry.name.split_once(':').map_or(entry.name.as_str(), |(_, local)| local);
        Some(ExpandedName { namespace_uri: entry.namespace.clone(), local_name: local.to_owned() })
    }

    fn string_value(self) -> String {
        if self.visits.is_some_and(|visits| !self.count_work(NODE + visits.text)) {
            return String::new();
        }
        if let Some((_, namespace)) = self.find_binding() {
            return namespace.clone();
        }
        let Some(entry) = self.entry() else { return String::new() };
        let mut out = String::new();
        match entry.kind {
            NodeKind::Attribute | NodeKind::Text => entry.value.render_into(&mut out),
            _ => {
                let inside = self.document.entries.get(self.at..entry.end).unwrap_or_default();
                if !self.count_work(inside.len() as u64) {
                    return out;
                }
                inside
                    .iter()
                    .filter(|entry| entry.kind == NodeKind::Text)
                    .for_each(|text| text.value.render_into(&mut out));
            }
        }
        self.count_work(compute_text_work(&out));
        out
    }

    fn document_order(self, other: Self) -> Ordering {
        (self.at, self.namespace).cmp(&(other.at, other.namespace))
    }
}
