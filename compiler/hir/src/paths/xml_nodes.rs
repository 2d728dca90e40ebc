//! The node sets of an XPath: the places that it may have reached, and the axes from one to the next.

use std::rc::Rc;

use xpath_eval::{NodeTest, QName};

use super::PathResult;
use super::element::Element;
use super::leaf::Leaf;
use crate::types::{Ty, TyKind};

/// A place that the path may have reached.
#[derive(Clone)]
pub(super) struct Place<'e> {
    pub(super) node: Node<'e>,
    /// Names without prefix are in a namespace here.
    pub(super) in_namespace: bool,
    /// At least this many of them exist.
    pub(super) least: u64,
    /// At most this many of them exist.
    pub(super) most: u64,
    /// The place that it was reached from: positions count from 1 in each.
    pub(super) around: Around,
    /// How many of them each of those has: least and most.
    pub(super) here: (u64, u64),
    /// They are attributes.
    pub(super) attribute: bool,
    /// The place of which they are children or attributes.
    pub(super) parent: Option<Rc<Place<'e>>>,
    /// Whether each is the first of those here, or the last.
    pub(super) end: Option<End>,
}

/// An end of the nodes of one kind in the same parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    First,
    Last,
}

/// The place that others were reached from.
#[derive(Clone, Copy)]
pub(super) struct Around {
    /// Its number among the places before.
    pub(super) from: usize,
    pub(super) least: u64,
    pub(super) most: u64,
    /// A position has left only one of the places that were reached from it.
    pub(super) one: bool,
}

impl<'e> Place<'e> {
    /// The place of a node that occurs `here.0` to `here.1` times in each of the places like this one.
    fn reach_node(&self, node: Node<'e>, here: (u64, u64)) -> Place<'e> {
        Place {
            node,
            in_namespace: self.in_namespace,
            least: self.least.saturating_mul(here.0),
            most: self.most.saturating_mul(here.1),
            around: Around { from: 0, least: self.least, most: self.most, one: false },
            here,
            attribute: false,
            parent: Some(Rc::new(self.clone())),
            end: None,
        }
    }

    /// Keeps only the node at `position` of the `reached` places that were reached from the same place, if it exists.
    pub(super) fn narrow_to_one(&mut self, reached: usize, position: f64) {
        let alone = reached == 1;
        self.least = if alone && self.here.0 as f64 >= position { self.around.least } else { 0 };
        self.most = self.around.most;
        self.here = (self.here.0.min(1), 1);
        self.around.one = !alone;
    }
}

impl<'e> Place<'e> {
    /// The place above the root element.
    pub(super) fn find_document(&self) -> Place<'e> {
        let mut above = self;
        while let Some(parent) = &above.parent {
            above = parent;
        }
        above.clone()
    }
}

#[derive(Clone)]
pub(super) enum Node<'e> {
    /// Above the root element.
    Document(&'e Element),
    Element(&'e Element),
    /// An attribute or a text.
    Value(Leaf),
}

impl Node<'_> {
    /// The possible values of an attribute, of a text, or of an element that contains only a text.
    pub(super) fn as_leaf(&self) -> Option<&Leaf> {
        match self {
            Node::Value(leaf) => Some(leaf),
            Node::Element(Element { text: Some(leaf), children, .. }) if children.is_empty() => Some(leaf),
            _ => None,
        }
    }
}

/// Above the root element.
pub(super) fn make_root_place(root: &Element) -> Place<'_> {
    let around = Around { from: 0, least: 1, most: 1, one: false };
    Place {
        node: Node::Document(root),
        in_namespace: false,
        least: 1,
        most: 1,
        around,
        here: (1, 1),
        attribute: false,
        parent: None,
        end: None,
    }
}

pub(super) fn select_children<'e>(place: &Place<'e>, test: &NodeTest, next: &mut Vec<Place<'e>>) {
    match place.node {
        Node::Document(root) => {
            let found =
                Place { in_namespace: root.has_default_namespace(), ..place.reach_node(Node::Element(root), (1, 1)) };
            if is_element_match(&found, test) {
                next.push(found);
            }
        }
        Node::Element(element) => {
            for child in &element.children {
                let found = Place {
                    in_namespace: place.in_namespace || child.element.has_default_namespace(),
                    ..place.reach_node(Node::Element(&child.element), (child.least, child.most))
                };
                if is_element_match(&found, test) {
                    next.push(found);
                }
            }
            if let (Some(leaf), NodeTest::Text | NodeTest::Node) = (&element.text, test) {
                let sure = u64::from(!leaf.ty.nullable);
                next.push(place.reach_node(Node::Value(leaf.clone()), (sure, 1)));
            }
        }
        Node::Value(_) => {}
    }
}

pub(super) fn select_attributes<'e>(place: &Place<'e>, test: &NodeTest, next: &mut Vec<Place<'e>>) {
    let Node::Element(element) = place.node else { return };
    for (name, leaf) in element.attributes.iter().filter(|(name, _)| name != "xmlns" && !name.starts_with("xmlns:")) {
        let fits = match test {
            NodeTest::AnyName | NodeTest::Node => true,
            NodeTest::QName(wanted) => *name == render_name(wanted),
            NodeTest::NamespaceWildcard(prefix) => name.starts_with(&format!("{prefix}:")),
            _ => false,
        };
        if fits {
            // A null attribute is not written.
            let sure = u64::from(!leaf.ty.nullable);
            let leaf = Leaf { ty: Ty { nullable: false, ..leaf.ty.clone() }, source: leaf.source.clone() };
            next.push(Place { attribute: true, ..place.reach_node(Node::Value(leaf), (sure, 1)) });
        }
    }
}

pub(super) fn is_element_match(place: &Place<'_>, test: &NodeTest) -> bool {
    let Node::Element(element) = place.node else { return false };
    match test {
        NodeTest::AnyName | NodeTest::Node => true,
        NodeTest::QName(name) => element.name == render_name(name) && !(name.prefix.is_none() && place.in_namespace),
        NodeTest::NamespaceWildcard(prefix) => element.name.starts_with(&format!("{prefix}:")),
        _ => false,
    }
}

/// Whether a test is about the names of elements, or of attributes.
pub(super) fn is_name_test(test: &NodeTest) -> bool {
    matches!(test, NodeTest::AnyName | NodeTest::QName(_) | NodeTest::NamespaceWildcard(_))
}

fn render_name(name: &QName) -> String {
    match &name.prefix {
        Some(prefix) => format!("{prefix}:{}", name.local),
        None => name.local.clone(),
    }
}

/// The parent of a place. `None` if it is not known.
pub(super) fn select_parent<'e>(place: &Place<'e>) -> Option<Place<'e>> {
    let parent = place.parent.as_deref()?;
    let here = (1, 1);
    // Several nodes can have the same parent.
    Some(Place { least: place.least.min(1), most: parent.most.min(place.most), here, end: None, ..parent.clone() })
}

/// The elements above a place, the nearest first.
pub(super) fn collect_ancestors<'e>(place: &Place<'e>) -> Vec<Place<'e>> {
    let next = |below: &Place<'e>| select_parent(below);
    std::iter::successors(next(place), next).filter(|above| matches!(above.node, Node::Element(_))).collect()
}

/// The siblings that follow a place up to the last, or precede it. `None` if they are not known.
pub(super) fn select_siblings<'e>(place: &Place<'e>, test: &NodeTest, side: End) -> Option<Vec<Place<'e>>> {
    let Node::Element(own) = &place.node else { return None };
    let parent = place.parent.as_deref()?;
    if !is_name_test(test) {
        return None;
    }
    let mut all = Vec::new();
    select_children(&Place { least: place.least, most: place.most, ..parent.clone() }, test, &mut all);
    // In an existing file, elements with different names can be in any order.
    let found = all.into_iter().filter_map(|sibling| {
        let is_same = matches!(sibling.node, Node::Element(other) if std::ptr::eq(other, *own));
        let most = sibling.here.1.saturating_sub(u64::from(is_same));
        let none = is_same && place.end == Some(side) || most == 0;
        (!none).then(|| Place { least: 0, most: place.most.saturating_mul(most), here: (0, most), ..sibling })
    });
    Some(found.collect())
}

/// The elements below a place.
pub(super) fn collect_descendants<'e>(place: &Place<'e>, all: &mut Vec<Place<'e>>) {
    let mut next = Vec::new();
    select_children(place, &NodeTest::AnyName, &mut next);
    for child in next {
        all.push(child.clone());
        collect_descendants(&child, all);
    }
}

pub(super) fn summarize_places(places: &[Place<'_>]) -> PathResult {
    // XML has no null: what is missing is an element without text.
    let ty = |place: &Place<'_>| place.node.as_leaf().map_or(Ty::new(TyKind::Text), |leaf| leaf.ty.clone());
    PathResult {
        ty: Ty::join_all(places.iter().map(ty)).unwrap_or(Ty::new(TyKind::Text)),
        understood: true,
        at_most_one: match places {
            [only] => only.most <= 1,
            [first, ..] => {
                places.iter().all(|place| place.around.one && place.around.from == first.around.from && place.most <= 1)
            }
            [] => true,
        },
        elements: !places.iter().all(|place| place.attribute),
        least: places.iter().map(|place| place.least).sum(),
        ..PathResult::unknown(true)
    }
}
