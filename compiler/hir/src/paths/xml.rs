//! An XPath 1.0 followed through the elements of a file.

use std::cell::{Cell, RefCell};
use xpath_eval::{Axis, Expr, FilterExpr, LocationPath, NodeTest, PathExpr, PrimaryExpr, QName, Step};

use super::element::Element;
use super::leaf::{Comparison, Source};
use super::predicate::Predicate;
use super::xml_exprs::{collect_compared, collect_relative_paths, find_position, is_last};
use super::xml_nodes::{
    Around, End, Node, Place, collect_ancestors, collect_descendants, is_element_match, is_name_test, make_root_place,
    select_attributes, select_children, select_parent, select_siblings, summarize_places,
};
use super::xml_terms::{Contexts, Written};
use super::{PathError, PathResult, xml_functions, xml_split};
use crate::types::{Ty, TyKind};

/// Where the reader of messages is in the path: the tree of `xpath-eval` has no places.
struct Follower<'t> {
    text: &'t str,
    cursor: Cell<usize>,
    /// Comparisons in predicates, met on the way.
    met: RefCell<Vec<Comparison>>,
    /// Predicates, met on the way.
    predicates: RefCell<Vec<Predicate>>,
}

/// Follows a path. Without a `root`, only the syntax is looked at.
pub fn follow_path(text: &str, root: Option<&Element>) -> Result<PathResult, PathError> {
    let parsed = xpath_eval::parse(text).map_err(|error| {
        let message = format!("the XPath is not valid: {}", error.message);
        let at = error.position.min(text.len())..text.len();
        PathError { syntax: true, ..PathError::new(at, message, "not valid from here") }
    })?;
    if let Some(misstep) = xml_functions::find_unknown(text) {
        return Err(misstep);
    }
    let follower = Follower { text, cursor: Cell::new(0), met: RefCell::default(), predicates: RefCell::default() };
    let Some(root) = root else { return Ok(PathResult::unknown(false)) };
    let found = match follower.follow_expr(&parsed, root)? {
        XPathValue::Places(places) => summarize_places(&places),
        XPathValue::Value(ty) => {
            PathResult { ty, understood: true, least: 1, computed: true, ..PathResult::unknown(true) }
        }
        XPathValue::Unknown => PathResult::unknown(false),
    };
    follower.note_condition(&parsed, root);
    let (comparisons, predicates) = (follower.met.into_inner(), follower.predicates.into_inner());
    Ok(PathResult { comparisons, predicates, ..found })
}

/// The result of an expression.
enum XPathValue<'e> {
    Places(Vec<Place<'e>>),
    /// A value of its own.
    Value(Ty),
    /// Nodes; nothing else is known of them.
    Unknown,
}

impl<'e> From<Option<Vec<Place<'e>>>> for XPathValue<'e> {
    fn from(places: Option<Vec<Place<'e>>>) -> XPathValue<'e> {
        places.map_or(XPathValue::Unknown, XPathValue::Places)
    }
}

impl Follower<'_> {
    /// Follows an expression that is evaluated at the root.
    fn follow_expr<'e>(&self, expr: &Expr, root: &'e Element) -> Result<XPathValue<'e>, PathError> {
        Ok(match expr {
            Expr::Or(a, b) | Expr::And(a, b) | Expr::Equality(a, _, b) | Expr::Relational(a, _, b) => {
                self.follow_expr(a, root)?;
                self.follow_expr(b, root)?;
                XPathValue::Value(Ty::new(TyKind::Bool))
            }
            // A whole number stays one, a fraction is a float: only the build knows.
            Expr::Additive(a, _, b) | Expr::Multiplicative(a, _, b) => {
                self.follow_expr(a, root)?;
                self.follow_expr(b, root)?;
                XPathValue::Value(Ty::UNKNOWN)
            }
            Expr::Negate(inner) => {
                self.follow_expr(inner, root)?;
                XPathValue::Value(Ty::UNKNOWN)
            }
            Expr::Union(a, b) => match (self.follow_expr(a, root)?, self.follow_expr(b, root)?) {
                (XPathValue::Places(mut places), XPathValue::Places(more)) => {
                    // What both lead to counts once.
                    places.extend(more.into_iter().map(|place| Place { least: 0, ..place }));
                    XPathValue::Places(places)
                }
                _ => XPathValue::Unknown,
            },
            Expr::Path(PathExpr::Location(path)) => self.follow_location(path, vec![make_root_place(root)])?.into(),
            Expr::Path(PathExpr::Filter(filter)) => self.follow_filter(filter, root)?,
            Expr::Path(PathExpr::FilterLocation(filter, path)) => match self.follow_filter(filter, root)? {
                XPathValue::Places(places) => self.follow_location(path, places)?.into(),
                _ => XPathValue::Unknown,
            },
        })
    }

    fn follow_filter<'e>(&self, filter: &FilterExpr, root: &'e Element) -> Result<XPathValue<'e>, PathError> {
        let mut found = match &filter.primary {
            PrimaryExpr::Parenthesized(inner) => self.follow_expr(inner, root)?,
            PrimaryExpr::Literal(_) => XPathValue::Value(Ty::new(TyKind::Text)),
            PrimaryExpr::Number(_) => XPathValue::Value(Ty::UNKNOWN),
            PrimaryExpr::Function(call) => {
                for arg in &call.args {
                    self.follow_expr(arg, root)?;
                }
                xml_functions::infer_result(&call.name.local).map_or(XPathValue::Unknown, XPathValue::Value)
            }
            _ => XPathValue::Unknown,
        };
        for predicate in &filter.predicates {
            let XPathValue::Places(mut places) = found else { return Ok(XPathValue::Unknown) };
            // Positions count through all that there is.
            let least = places.iter().fold(0_u64, |least, place| least.saturating_add(place.least));
            let most = places.iter().fold(0_u64, |most, place| most.saturating_add(place.most));
            for place in &mut places {
                place.around = Around { from: 0, least: 1, most: 1, one: false };
                place.here = (least, most);
            }
            let at = (self.cursor.get(), self.cursor.get());
            if !self.apply_predicate(predicate, &mut places, at)? {
                return Ok(XPathValue::Unknown);
            }
            found = XPathValue::Places(places);
        }
        Ok(found)
    }

    /// The places that a location path leads to from `places`. `None`: no longer known.
    fn follow_location<'e>(
        &self,
        path: &LocationPath,
        places: Vec<Place<'e>>,
    ) -> Result<Option<Vec<Place<'e>>>, PathError> {
        let mut places = places;
        for step in &path.steps {
            let Some(next) = self.follow_step(step, &places)? else { return Ok(None) };
            places = next;
        }
        Ok(Some(places))
    }

    fn follow_step<'e>(&self, step: &Step, places: &[Place<'e>]) -> Result<Option<Vec<Place<'e>>>, PathError> {
        let at = self.find_step(step);
        let mut next: Vec<Place<'e>> = Vec::new();
        if step.axis == Axis::Child && matches!(step.node_test, NodeTest::Text | NodeTest::Node) {
            let loose = |place: &Place<'_>| matches!(place.node, Node::Element(Element { loose: true, .. }));
            if places.iter().any(loose) {
                return Ok(None);
            }
        }
        for (from, place) in places.iter().enumerate() {
            let before = next.len();
            match step.axis {
                Axis::Child => select_children(place, &step.node_test, &mut next),
                Axis::Attribute => select_attributes(place, &step.node_test, &mut next),
                Axis::SelfAxis if step.node_test == NodeTest::Node => next.push(place.clone()),
                Axis::DescendantOrSelf if step.node_test == NodeTest::Node => {
                    next.push(place.clone());
                    collect_descendants(place, &mut next);
                }
                Axis::Descendant => {
                    let mut all = Vec::new();
                    collect_descendants(place, &mut all);
                    next.extend(all.into_iter().filter(|place| is_element_match(place, &step.node_test)));
                }
                Axis::SelfAxis if is_name_test(&step.node_test) => {
                    next.extend(is_element_match(place, &step.node_test).then(|| place.clone()))
                }
                Axis::Parent => {
                    let Some(parent) = select_parent(place) else { return Ok(None) };
                    let is_met = step.node_test == NodeTest::Node || is_element_match(&parent, &step.node_test);
                    next.extend(is_met.then_some(parent));
                }
                Axis::Ancestor | Axis::AncestorOrSelf => {
                    let own = (step.axis == Axis::AncestorOrSelf).then(|| place.clone());
                    let above = own.into_iter().chain(collect_ancestors(place));
                    next.extend(above.filter(|above| is_element_match(above, &step.node_test)));
                }
                Axis::FollowingSibling | Axis::PrecedingSibling => {
                    let side = if step.axis == Axis::FollowingSibling { End::Last } else { End::First };
                    let Some(found) = select_siblings(place, &step.node_test, side) else { return Ok(None) };
                    next.extend(found);
                }
                _ => return Ok(None),
            }
            for found in next.iter_mut().skip(before) {
                let counted = matches!(
                    step.axis,
                    Axis::Child | Axis::Attribute | Axis::Parent | Axis::FollowingSibling | Axis::PrecedingSibling
                );
                found.around = Around { from, least: place.least, most: place.most, one: false };
                found.here = if counted { found.here } else { (0, u64::MAX) };
            }
        }
        if next.is_empty() {
            return Err(self.explain_misstep(step, places, at));
        }
        self.follow_predicates(step, &mut next, at).map(|known| known.then_some(next))
    }

    /// Narrows places down by the predicates of a step. False: no longer known.
    fn follow_predicates(&self, step: &Step, places: &mut [Place<'_>], at: (usize, usize)) -> Result<bool, PathError> {
        let mut chain = Vec::new();
        for (number, predicate) in step.predicates.iter().enumerate() {
            let written = xml_split::find_predicate(self.text, self.cursor.get());
            if let Some(written) = &written {
                let counts = if number == 0 { Some(step) } else { None };
                chain.push(Written { range: written.clone(), step: counts, places: places.to_vec() });
            }
            if number + 1 == step.predicates.len() {
                self.note_predicates(&chain);
            }
            if !self.apply_predicate(predicate, places, at)? {
                return Ok(false);
            }
            let end = match (find_position(predicate), is_last(predicate)) {
                (Some(1.0), _) => Some(End::First),
                (_, true) => Some(End::Last),
                _ => None,
            };
            if number == 0 && step.axis == Axis::Child {
                places.iter_mut().for_each(|place| place.end = end);
            }
            if let Some(written) = written {
                self.cursor.set(written.end + 1);
            }
        }
        Ok(true)
    }

    /// Narrows places down. False: no longer known.
    fn apply_predicate(
        &self,
        predicate: &Expr,
        places: &mut [Place<'_>],
        at: (usize, usize),
    ) -> Result<bool, PathError> {
        let position = find_position(predicate);
        if position.is_some() || is_last(predicate) {
            let groups: Vec<usize> = places.iter().map(|place| place.around.from).collect();
            for place in places.iter_mut() {
                let reached = groups.iter().filter(|from| **from == place.around.from).count();
                let most = place.here.1;
                if let Some(position) = position {
                    let beyond = reached == 1 && position > most as f64;
                    if position < 1.0 || position.fract() != 0.0 || beyond {
                        let message = match most {
                            1 if beyond => {
                                format!("element {position} does not exist: there is one element, at position 1")
                            }
                            most if beyond => {
                                format!("element {position} does not exist: positions are from 1 to at most {most}")
                            }
                            _ => format!("element {position} does not exist: positions are whole numbers from 1"),
                        };
                        return Err(PathError::new(at.0..at.1, message, "matches nothing"));
                    }
                }
                place.narrow_to_one(reached, position.unwrap_or(1.0));
            }
            return Ok(true);
        }
        let mut paths = Vec::new();
        collect_relative_paths(predicate, &mut paths);
        let mut texts = Vec::new();
        collect_compared(predicate, &mut texts);
        for path in paths {
            let Some(reached) = self.follow_location(path, places.to_vec())? else { continue };
            if let Some((_, text)) = texts.iter().find(|(other, _)| std::ptr::eq(*other, path)) {
                self.note_comparison(&reached, text);
            }
        }
        places.iter_mut().for_each(|place| (place.least, place.here.0) = (0, 0));
        Ok(true)
    }

    /// Notes the predicates of a step.
    fn note_predicates(&self, chain: &[Written<'_, '_>]) {
        let follow = |path: &LocationPath, places| self.follow_quietly(path, places);
        let predicates = Contexts { text: self.text, chain, follow: &follow }.build_predicates();
        self.predicates.borrow_mut().extend(predicates);
    }

    /// Notes an expression that is itself a condition.
    fn note_condition(&self, expr: &Expr, root: &Element) {
        if matches!(expr, Expr::Or(..) | Expr::And(..) | Expr::Equality(..) | Expr::Relational(..)) {
            let chain = [Written { range: 0..self.text.len(), step: None, places: vec![make_root_place(root)] }];
            self.note_predicates(&chain);
        }
    }

    /// The places that a path leads to. Nothing in it is noted: predicates of paths within are visited on their own.
    fn follow_quietly<'e>(&self, path: &LocationPath, places: Vec<Place<'e>>) -> Option<Vec<Place<'e>>> {
        let (cursor, met) = (self.cursor.get(), self.met.borrow().len());
        let noted = self.predicates.borrow().len();
        // It leads to nothing from here if there is an error.
        let found = self.follow_location(path, places).unwrap_or(Some(Vec::new()));
        self.cursor.set(cursor);
        self.met.borrow_mut().truncate(met);
        self.predicates.borrow_mut().truncate(noted);
        found
    }

    /// Notes that the values of these places are compared with a text, which is written after the path just followed.
    fn note_comparison(&self, places: &[Place<'_>], text: &str) {
        let sources: Option<Vec<Source>> =
            places.iter().map(|place| place.node.as_leaf().map(|leaf| leaf.source.clone())).collect();
        let from = self.cursor.get();
        let behind = self.text.get(from..).unwrap_or_default();
        let written = behind.trim_start().strip_prefix('=').map(str::trim_start);
        let quoted = written.filter(|rest| {
            rest.strip_prefix(['\'', '"'])
                .and_then(|rest| rest.strip_prefix(text))
                .is_some_and(|rest| rest.starts_with(['\'', '"']))
        });
        let (Some(sources), Some(quoted)) = (sources, quoted) else { return };
        let start = self.text.len() - quoted.len();
        let literal = (start, start + text.len() + 2);
        self.met.borrow_mut().push(Comparison { literal, text: text.to_owned(), equal: true, sources });
    }

    /// The byte range of a step's name in the text; the cursor moves to its end.
    fn find_step(&self, step: &Step) -> (usize, usize) {
        let name = match &step.node_test {
            NodeTest::QName(QName { prefix: Some(prefix), local }) => format!("{prefix}:{local}"),
            NodeTest::QName(QName { prefix: None, local }) => local.clone(),
            NodeTest::AnyName => "*".to_owned(),
            NodeTest::Text => "text()".to_owned(),
            _ => return (self.cursor.get(), self.cursor.get()),
        };
        let from = self.cursor.get();
        let rest = self.text.get(from..).unwrap_or_default();
        match rest.find(&name) {
            Some(at) => {
                self.cursor.set(from + at + name.len());
                (from + at, from + at + name.len())
            }
            None => (from, self.text.len()),
        }
    }

    fn explain_misstep(&self, step: &Step, places: &[Place<'_>], (start, end): (usize, usize)) -> PathError {
        let written = self.text.get(start..end).unwrap_or_default().to_owned();
        let in_namespace = places.iter().any(|place| match place.node {
            Node::Document(root) => root.has_default_namespace(),
            Node::Element(element) => {
                let own = |child: &super::element::Child| {
                    child.element.name == written && child.element.has_default_namespace()
                };
                place.in_namespace || element.children.iter().any(own)
            }
            Node::Value(_) => false,
        });
        let named = matches!(&step.node_test, NodeTest::QName(QName { prefix: None, .. }));
        let exists = |name: &str| {
            places.iter().any(|place| match place.node {
                Node::Element(element) => element.children.iter().any(|child| child.element.name == name),
                Node::Document(root) => root.name == name,
                Node::Value(_) => false,
            })
        };
        if step.axis == Axis::Child && named && in_namespace && exists(&written) {
            let message = format!("`{written}` is in the namespace of `xmlns`, but a name without a prefix is not");
            let label = format!("write *[local-name() = '{written}'], or give the namespace a prefix in the file");
            return PathError::new(start..end, message, label);
        }
        let mut names: Vec<String> = Vec::new();
        for place in places {
            let known: Vec<&String> = match (&place.node, step.axis) {
                (Node::Document(root), _) => vec![&root.name],
                (Node::Element(element), Axis::Attribute) => element.attributes.iter().map(|(name, _)| name).collect(),
                (Node::Element(element), _) => element.children.iter().map(|child| &child.element.name).collect(),
                (Node::Value(_), _) => Vec::new(),
            };
            for name in known {
                if !names.contains(name) {
                    names.push(name.clone());
                }
            }
        }
        let what = if step.axis == Axis::Attribute { "attribute" } else { "element" };
        let label = if names.is_empty() { "it has none".to_owned() } else { format!("no such {what}") };
        let message = format!("{what} `{written}` does not exist here");
        let names = (!names.is_empty()).then_some((written, names));
        PathError { names, ..PathError::new(start..end, message, label) }
    }
}
