//! The predicates in the filters of a path, with what each of their paths leads to from each kind of context.

use model::Value;

use super::json_nodes::make_members_key;
use super::leaf::Leaf;

/// The byte range of a part of a path.
pub type Place = (usize, usize);

/// A predicate of a path.
#[derive(Clone, Debug, PartialEq)]
pub struct Predicate {
    /// The language of the path, which decides how values are compared.
    pub language: Language,
    /// The predicate as it is for each kind of context: all have the same parts at the same places.
    pub cases: Vec<Term>,
}

/// The language of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// JSONPath: values of different types are never equal, and never less or greater.
    Json,
    /// XPath 1.0: values are converted, and only numbers are less or greater.
    XPath,
}

/// A part of a predicate.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// Its byte range in the path.
    pub place: Place,
    /// What it is.
    pub kind: TermKind,
}

/// What a part of a predicate is.
#[derive(Clone, Debug, PartialEq)]
pub enum TermKind {
    /// A literal.
    Literal(Value),
    /// The nodes that a path leads to.
    Nodes(Nodes),
    /// The position of the context, counted from 1: it is between these.
    Position(u64, u64),
    /// The number of contexts: it is between these.
    Last(u64, u64),
    /// A call of a function.
    Call(String, Vec<Term>),
    /// An operator between two values.
    Operation(Operation, Box<(Term, Term)>),
    /// All of them hold.
    And(Vec<Term>),
    /// One of them holds.
    Or(Vec<Term>),
    /// It does not hold.
    Not(Box<Term>),
    /// Nothing is known.
    Unknown,
}

/// An operator between two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Operation {
    Compare(model::suite::Op),
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

/// The nodes that a path leads to from a context.
#[derive(Clone, Debug, PartialEq)]
pub struct Nodes {
    /// Equal for paths that lead to the same nodes of a context.
    pub key: String,
    /// The kinds of nodes.
    pub kinds: Vec<NodeKind>,
    /// The minimum number of nodes.
    pub least: u64,
    /// The maximum number of nodes.
    pub most: u64,
    /// How they are related to the context.
    pub relation: Relation,
    /// With which others they are counted.
    pub counted: Counted,
}

impl Nodes {
    /// The key of the members of the only array or object, in JSON.
    pub fn find_members_key(&self) -> String {
        make_members_key(&self.key)
    }
}

/// With which nodes others are counted.
#[derive(Clone, Debug, PartialEq)]
pub struct Counted {
    /// The key of the nodes of which there are as many, or of which it is one.
    pub key: String,
    /// The place among them, counted from 1, if it is one of them.
    pub at: Option<u64>,
}

/// How nodes are related to the context.
#[derive(Clone, Debug, PartialEq)]
pub enum Relation {
    /// They are parts of it, in no list: their cells are in the row of the context.
    Own,
    /// Among them are the nodes of the context that have this key.
    Around(String),
    /// They are the nodes that have this key in the sibling at a position.
    Sibling(u64, String),
    /// They are among the nodes that have this key in siblings before the context.
    Before(String),
    /// They are among those in siblings after it.
    After(String),
    /// Anything else.
    Other,
}

/// One kind of node.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeKind {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Its values, if it is a single value.
    pub leaf: Option<Leaf>,
    /// The minimum and the maximum number of its members, if it is an array or an object.
    pub members: Option<(u64, u64)>,
}

impl Term {
    /// A term of which nothing is known.
    pub fn unknown(place: Place) -> Term {
        Term { place, kind: TermKind::Unknown }
    }

    /// The parts directly below it.
    pub fn parts(&self) -> Vec<&Term> {
        match &self.kind {
            TermKind::Call(_, parts) | TermKind::And(parts) | TermKind::Or(parts) => parts.iter().collect(),
            TermKind::Operation(_, sides) => vec![&sides.0, &sides.1],
            TermKind::Not(inner) => vec![inner],
            _ => Vec::new(),
        }
    }

    /// Whether it is the same as another part, at another place.
    pub fn is_same(&self, other: &Term) -> bool {
        let (own, others) = (self.parts(), other.parts());
        let is_alike = match (&self.kind, &other.kind) {
            (TermKind::Nodes(own), TermKind::Nodes(other)) => own.key == other.key,
            (TermKind::Call(own, _), TermKind::Call(other, _)) => own == other,
            (TermKind::Operation(own, _), TermKind::Operation(other, _)) => own == other,
            (TermKind::And(_), TermKind::And(_))
            | (TermKind::Or(_), TermKind::Or(_))
            | (TermKind::Not(_), TermKind::Not(_)) => true,
            (TermKind::Unknown, _) | (_, TermKind::Unknown) => false,
            (own, other) => own == other,
        };
        is_alike && own.len() == others.len() && own.iter().zip(others).all(|(own, other)| own.is_same(other))
    }

    /// Visits it and all parts below it.
    pub fn visit_parts<'t>(&'t self, visit: &mut dyn FnMut(&'t Term)) {
        visit(self);
        self.parts().into_iter().for_each(|part| part.visit_parts(visit));
    }

    /// Whether it depends on the position of the context.
    pub fn has_position(&self) -> bool {
        let mut found = false;
        self.visit_parts(&mut |part| found |= matches!(part.kind, TermKind::Position(..) | TermKind::Last(..)));
        found
    }
}
