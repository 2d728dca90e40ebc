//! The tree of a page as built by the parser: nodes with their neighbors, and their visibility in a browser.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};

use html5ever::tendril::StrTendril;
use html5ever::tree_builder::{ElemName, ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::{Attribute, LocalName, Namespace, QualName};

use crate::fault::Wrong;
use crate::limits::MAX_NODES;
use crate::{FaultKind, Unreadable};

/// Maximum nesting depth. A parser step that repeats the open elements takes time in proportion to their number.
const MAX_DEPTH: u32 = 1000;

/// Maximum number of columns and rows of a cell, as in browsers.
const MAX_COLUMNS: u32 = 1000;
const MAX_ROWS: u32 = 65_534;

/// An index into `Nodes`.
pub(super) type Id = u32;

/// The index that means no node.
pub(super) const NONE: Id = Id::MAX;
const DOCUMENT: Id = 0;

/// A node with its neighbors, which avoids any search.
#[derive(Debug)]
pub(super) struct Node {
    pub what: What,
    pub parent: Id,
    before: Id,
    pub after: Id,
    pub first: Id,
    last: Id,
    depth: u32,
}

#[derive(Debug)]
pub(super) enum What {
    Element(Element),
    Text(String),
    /// The document, a comment, or an instruction, none of which a browser shows.
    Other,
}

#[derive(Debug)]
pub(super) struct Element {
    pub name: QualName,
    /// Whether a browser hides it.
    pub hidden: bool,
    pub columns: u32,
    /// Number of rows; 0 extends to the end of its row group.
    pub rows: u32,
    pub line: u32,
}

/// The parser's tree.
pub(super) struct Page {
    pub nodes: RefCell<Nodes>,
    line: Cell<u32>,
    too_deep: Cell<bool>,
}

#[derive(Debug, Default)]
pub(super) struct Nodes(Vec<Node>);

impl Page {
    pub fn new() -> Page {
        let page = Page { nodes: RefCell::default(), line: Cell::new(1), too_deep: Cell::new(false) };
        page.nodes.borrow_mut().new_node(What::Other);
        page
    }

    pub fn check_bounds(&self) -> Result<(), Wrong> {
        let line = self.line.get();
        let refused =
            |message: String, help: String| Err((line, FaultKind::Unreadable(Unreadable::new(message, help))));
        if self.too_deep.get() {
            let message = format!("the page is nested more than {MAX_DEPTH} levels deep (on line {line})");
            return refused(message, format!("nest less: {MAX_DEPTH} levels are read"));
        }
        if self.nodes.borrow().len() > MAX_NODES {
            let most = model::value::group_digits(MAX_NODES as u64);
            return refused(format!("the page has more than {most} elements and texts"), "cut it down".to_owned());
        }
        Ok(())
    }

    fn make_node(&self, what: What) -> Id {
        self.nodes.borrow_mut().new_node(what)
    }

    fn insert_child(&self, parent: Id, before: Id, child: NodeOrText<Id>) {
        let mut nodes = self.nodes.borrow_mut();
        let child = match child {
            NodeOrText::AppendNode(child) => child,
            NodeOrText::AppendText(text) => {
                let neighbour = if before == NONE { nodes.get(parent).last } else { nodes.get(before).before };
                if let Some(What::Text(known)) = nodes.0.get_mut(neighbour as usize).map(|node| &mut node.what) {
                    known.push_str(&text);
                    return;
                }
                nodes.new_node(What::Text(text.to_string()))
            }
        };
        nodes.remove_node(child);
        nodes.insert_node(parent, before, child);
        if nodes.get(child).depth > MAX_DEPTH {
            self.too_deep.set(true);
        }
    }
}

/// The substitute for a node that does not exist.
const LOST: Node =
    Node { what: What::Other, parent: NONE, before: NONE, after: NONE, first: NONE, last: NONE, depth: 0 };

impl Nodes {
    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn get(&self, at: Id) -> &Node {
        self.0.get(at as usize).unwrap_or(&LOST)
    }

    fn new_node(&mut self, what: What) -> Id {
        self.0.push(Node { what, ..LOST });
        (self.0.len() - 1) as Id
    }

    fn change_node(&mut self, at: Id, change: impl FnOnce(&mut Node)) {
        if let Some(node) = self.0.get_mut(at as usize) {
            change(node);
        }
    }

    /// Makes two nodes neighbours in their parent; without one of them, the other is at its start or end.
    fn link_siblings(&mut self, parent: Id, before: Id, after: Id) {
        if before == NONE {
            self.change_node(parent, |node| node.first = after);
        } else {
            self.change_node(before, |node| node.after = after);
        }
        if after == NONE {
            self.change_node(parent, |node| node.last = before);
        } else {
            self.change_node(after, |node| node.before = before);
        }
    }

    fn remove_node(&mut self, at: Id) {
        let Node { parent, before, after, .. } = *self.get(at);
        self.link_siblings(parent, before, after);
        self.change_node(at, |node| (node.parent, node.before, node.after) = (NONE, NONE, NONE));
    }

    /// Inserts a detached node before another, or at the end.
    fn insert_node(&mut self, parent: Id, before: Id, at: Id) {
        let previous = if before == NONE { self.get(parent).last } else { self.get(before).before };
        let depth = self.get(parent).depth + 1;
        self.change_node(at, |node| {
            (node.parent, node.depth) = (parent, depth);
        });
        self.link_siblings(parent, previous, at);
        self.link_siblings(parent, at, before);
    }

    pub fn children(&self, at: Id) -> impl Iterator<Item = Id> + '_ {
        let next = move |at: Id| Some(at).filter(|at| *at != NONE);
        std::iter::successors(next(self.get(at).first), move |at| next(self.get(*at).after))
    }

    pub fn element(&self, at: Id) -> Option<&Element> {
        match &self.get(at).what {
            What::Element(element) => Some(element),
            _ => None,
        }
    }

    pub fn is_element(&self, at: Id, name: &str) -> bool {
        self.element(at).is_some_and(|element| &*element.name.local == name)
    }

    pub fn is_hidden(&self, at: Id) -> bool {
        self.element(at).is_some_and(|element| element.hidden)
    }

    /// Checks whether the node or one of its ancestors is hidden.
    pub fn is_in_hidden(&self, at: Id) -> bool {
        std::iter::successors(Some(at), |at| Some(self.get(*at).parent).filter(|at| *at != NONE))
            .any(|at| self.is_hidden(at))
    }
}

/// Checks whether the content of an element is never shown.
fn is_unseen(name: &str) -> bool {
    matches!(
        name,
        "script" | "style" | "template" | "head" | "noscript" | "datalist" | "iframe" | "object" | "audio" | "video"
    )
}

/// The stored name of an element.
#[derive(Debug)]
pub(super) struct Name(QualName);

impl ElemName for Name {
    fn ns(&self) -> &Namespace {
        &self.0.ns
    }

    fn local_name(&self) -> &LocalName {
        &self.0.local
    }
}

impl TreeSink for Page {
    type Handle = Id;
    type Output = Page;
    type ElemName<'a> = Name;

    fn finish(self) -> Page {
        self
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> Id {
        DOCUMENT
    }

    fn elem_name(&self, target: &Id) -> Name {
        match self.nodes.borrow().element(*target) {
            Some(element) => Name(element.name.clone()),
            None => Name(QualName::new(None, Namespace::default(), LocalName::default())),
        }
    }

    fn create_element(&self, name: QualName, attributes: Vec<Attribute>, _: ElementFlags) -> Id {
        let value =
            |wanted: &str| attributes.iter().find(|known| &*known.name.local == wanted).map(|known| &*known.value);
        let hidden = is_unseen(&name.local)
            || value("hidden").is_some_and(|value| !value.eq_ignore_ascii_case("until-found"))
            || value("style").is_some_and(is_undisplayed);
        let columns = value("colspan")
            .and_then(parse_leading_number)
            .filter(|columns| *columns > 0)
            .unwrap_or(1)
            .min(MAX_COLUMNS);
        let rows = value("rowspan").and_then(parse_leading_number).unwrap_or(1).min(MAX_ROWS);
        self.make_node(What::Element(Element { name, hidden, columns, rows, line: self.line.get() }))
    }

    fn create_comment(&self, _: StrTendril) -> Id {
        self.make_node(What::Other)
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> Id {
        self.make_node(What::Other)
    }

    fn append(&self, parent: &Id, child: NodeOrText<Id>) {
        self.insert_child(*parent, NONE, child);
    }

    fn append_based_on_parent_node(&self, element: &Id, previous: &Id, child: NodeOrText<Id>) {
        let parent = self.nodes.borrow().get(*element).parent;
        if parent == NONE {
            self.insert_child(*previous, NONE, child)
        } else {
            self.insert_child(parent, *element, child)
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    // The content of a template is never shown, so it may be stored in the element itself.
    fn get_template_contents(&self, target: &Id) -> Id {
        *target
    }

    fn same_node(&self, a: &Id, b: &Id) -> bool {
        a == b
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &Id, child: NodeOrText<Id>) {
        let parent = self.nodes.borrow().get(*sibling).parent;
        if parent != NONE {
            self.insert_child(parent, *sibling, child);
        }
    }

    fn add_attrs_if_missing(&self, _: &Id, _: Vec<Attribute>) {}

    fn remove_from_parent(&self, target: &Id) {
        self.nodes.borrow_mut().remove_node(*target);
    }

    fn reparent_children(&self, node: &Id, parent: &Id) {
        let children: Vec<Id> = self.nodes.borrow().children(*node).collect();
        for child in children {
            self.insert_child(*parent, NONE, NodeOrText::AppendNode(child));
        }
    }

    fn set_current_line(&self, line: u64) {
        self.line.set(u32::try_from(line).unwrap_or(u32::MAX));
    }
}

/// Checks whether a style disables display.
fn is_undisplayed(style: &str) -> bool {
    style.split(';').filter_map(|rule| rule.split_once(':')).any(|(name, value)| {
        let value = value.split('!').next().unwrap_or_default().trim();
        name.trim().eq_ignore_ascii_case("display") && value.eq_ignore_ascii_case("none")
    })
}

/// Parses the integer at the start of a text, as browsers parse attributes.
fn parse_leading_number(text: &str) -> Option<u32> {
    let text = text.trim_start();
    let text = text.strip_prefix('+').unwrap_or(text);
    let end = text.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    let digits = text.get(..end).unwrap_or_default();
    if digits.is_empty() { None } else { Some(digits.parse().unwrap_or(u32::MAX)) }
}
