//! Completion of keys and elements in JSONPaths and XPaths, from the declared shape of the file they read.

use compiler::ast::RawKind;
use compiler::hir::FileContent;
use gen_lsp_types::CompletionItemKind as Item;
use model::Value;
use model::suite::{FixtureKind, Shape};

use super::offer::{Offer, Offers};
use super::scope::Scope;
use crate::context::Context;

/// A node of a file: its declared shape, or its value in an existing file.
#[derive(Clone, Copy)]
enum Node<'a> {
    Declared(&'a Shape),
    Given(&'a Value),
}

/// A child: its key, whether it is an attribute, and its node.
type Child<'a> = (&'a str, bool, Node<'a>);

/// Offers keys. Returns the start of the key under the cursor.
pub fn offer_keys(
    offers: &mut Offers,
    scope: &Scope,
    text: &str,
    (kind, from): (RawKind, usize),
    offset: usize,
    context: &Context<'_>,
) -> usize {
    let raw = text.get(from..offset).unwrap_or("");
    let start =
        offset - raw.chars().rev().take_while(|c| c.is_alphanumeric() || *c == '_').map(char::len_utf8).sum::<usize>();
    let head = text.get(from..start).unwrap_or("");
    // The file is an earlier argument.
    let Some((_, file)) = context.find_last_argument().and_then(|name| scope.find_file(name)) else { return start };
    let (root, root_name) = match &file.content {
        FileContent::Tree { root, shape } => (Node::Declared(shape), root.as_deref()),
        FileContent::Fixture { kind: FixtureKind::Tree(value), .. } => (Node::Given(value), None),
        _ => return start,
    };
    if kind == RawKind::JsonPath {
        offer_json_keys(offers, root, head)
    } else {
        offer_xml_names(offers, root, root_name, head)
    }
    start
}

fn offer_json_keys(offers: &mut Offers, root: Node<'_>, head: &str) {
    let Some(steps) = head.strip_prefix('$') else { return };
    if steps.contains("..") {
        let mut all = Vec::new();
        collect_descendants(root, &mut all, 0);
        all.into_iter().for_each(|(key, _, node)| offers.add_offer(build_key_offer(key, node)));
        return;
    }
    let mut nodes = vec![root];
    let mut rest = steps;
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('.') {
            let length = after.find(['.', '[']).unwrap_or(after.len());
            let (key, behind) = after.split_at(length);
            if !key.is_empty() {
                nodes = if key == "*" { list_elements(&nodes) } else { follow_key(&nodes, key) };
            }
            rest = behind;
        } else if let Some(after) = rest.strip_prefix('[') {
            let Some(length) = after.find(']') else {
                // After `$['`, a key is being written.
                return offer_children(offers, &nodes);
            };
            let (inner, behind) = after.split_at(length);
            let inner = inner.trim();
            let key = inner.trim_matches(['\'', '"']);
            nodes = if key.len() < inner.len() && !inner.starts_with('?') {
                follow_key(&nodes, key)
            } else {
                list_elements(&nodes)
            };
            rest = behind.get(1..).unwrap_or("");
        } else {
            return;
        }
    }
    if head.ends_with('.') {
        offer_children(offers, &nodes);
    } else if nodes.iter().any(|node| is_array(*node)) {
        offers.add_offer(Offer::new("[*]", Item::Operator, 0).with_detail("every element"));
    }
}

fn offer_children(offers: &mut Offers, nodes: &[Node<'_>]) {
    for node in nodes {
        for (key, _, child) in list_children(*node) {
            offers.add_offer(build_key_offer(key, child));
        }
    }
}

fn offer_xml_names(offers: &mut Offers, root: Node<'_>, root_name: Option<&str>, head: &str) {
    let attribute = head.ends_with('@');
    let head = head.trim_end_matches('@');
    let mut nodes = vec![root];
    let steps: Vec<&str> = head.split('/').collect();
    if head.contains("//") && head.trim_end_matches("//").is_empty() {
        let mut all: Vec<Child<'_>> = Vec::new();
        collect_descendants(root, &mut all, 0);
        offers.all.extend(root_name.map(|name| Offer::new(name, Item::Field, 0)));
        let all = all.into_iter().filter(|(_, own, _)| *own == attribute);
        all.for_each(|(key, _, node)| offers.add_offer(build_key_offer(key, node)));
        return;
    }
    let mut inner = steps
        .iter()
        .take(steps.len().saturating_sub(1))
        .filter(|step| !step.is_empty())
        .map(|step| step.split('[').next().unwrap_or(""));
    match inner.next() {
        None => {
            if let Some(name) = root_name {
                offers.add_offer(Offer::new(name, Item::Field, 0).with_detail("the root element"));
            }
            return;
        }
        Some(first) if Some(first) != root_name && !head.starts_with("//") => return,
        Some(first) if Some(first) != root_name => {
            let mut all: Vec<Child<'_>> = Vec::new();
            collect_descendants(root, &mut all, 0);
            nodes = all.into_iter().filter(|(key, _, _)| *key == first).map(|(_, _, node)| node).collect();
        }
        Some(_) => {}
    }
    for name in inner {
        nodes = if name == "*" { list_elements(&nodes) } else { follow_key(&nodes, name) };
    }
    for node in nodes {
        for (key, own, child) in list_children(node) {
            if own == attribute {
                offers.add_offer(build_key_offer(key, child));
            } else if own {
                offers.add_offer(build_key_offer(&format!("@{key}"), child));
            }
        }
    }
}

fn build_key_offer(key: &str, node: Node<'_>) -> Offer {
    let detail = if is_array(node) {
        "array"
    } else if list_children(node).is_empty() {
        "value"
    } else {
        "object"
    };
    Offer::new(key, Item::Property, 0).with_detail(detail)
}

fn is_array(node: Node<'_>) -> bool {
    matches!(node, Node::Declared(Shape::Array(..)) | Node::Given(Value::List(_)))
}

/// The children of a node by key; for an array, the children of its elements.
fn list_children(node: Node<'_>) -> Vec<Child<'_>> {
    match node {
        Node::Declared(Shape::Object(fields)) => {
            fields.iter().map(|field| (field.key.as_str(), field.attribute, Node::Declared(&field.shape))).collect()
        }
        Node::Declared(Shape::Array(_, element)) => list_children(Node::Declared(element)),
        Node::Declared(Shape::Cell(..)) => Vec::new(),
        Node::Given(Value::Object(fields)) => {
            fields.iter().map(|(key, value)| (key.as_str(), false, Node::Given(value))).collect()
        }
        // The first element represents all elements.
        Node::Given(Value::List(items)) => {
            items.first().map(|first| list_children(Node::Given(first))).unwrap_or_default()
        }
        Node::Given(_) => Vec::new(),
    }
}

fn follow_key<'a>(nodes: &[Node<'a>], key: &str) -> Vec<Node<'a>> {
    let all = nodes.iter().flat_map(|node| list_children(*node));
    all.filter(|(known, _, _)| *known == key).map(|(_, _, node)| node).collect()
}

fn list_elements<'a>(nodes: &[Node<'a>]) -> Vec<Node<'a>> {
    nodes
        .iter()
        .flat_map(|node| match *node {
            Node::Declared(Shape::Array(_, element)) => vec![Node::Declared(element)],
            Node::Given(Value::List(items)) => items.first().map(Node::Given).into_iter().collect(),
            other => list_children(other).into_iter().map(|(_, _, node)| node).collect(),
        })
        .collect()
}

/// Adds the descendants of a node, each key once. Shapes are as deep as sources may nest; values of existing files are searched to a depth of 32 levels.
fn collect_descendants<'a>(node: Node<'a>, found: &mut Vec<Child<'a>>, depth: usize) {
    if depth > 32 {
        return;
    }
    for child in list_children(node) {
        if !found.iter().any(|(key, attribute, _)| *key == child.0 && *attribute == child.1) {
            found.push(child);
        }
        collect_descendants(child.2, found, depth + 1);
    }
}
