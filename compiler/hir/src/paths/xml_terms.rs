//! The predicates of an XPath, with what their paths lead to.

use std::ops::Range;

use model::Value;
use model::suite::Op;
use xpath_eval::{
    AdditiveOp, Axis, EqualityOp, Expr, FilterExpr, LocationPath, MultiplicativeOp, NodeTest, PathExpr, PrimaryExpr,
    RelationalOp, Step,
};

use super::predicate::{Counted, Language, NodeKind, Nodes, Operation, Predicate, Relation, Term, TermKind};
use super::xml_nodes::{Node, Place};
use super::xml_split::{Part, PartKind, split_condition};

/// Finds the places that a path leads to. `None` if they are not known.
pub type Follow<'f, 'e> = dyn Fn(&LocationPath, Vec<Place<'e>>) -> Option<Vec<Place<'e>>> + 'f;

/// A predicate of a step, and the nodes that it is evaluated for.
pub struct Written<'c, 'e> {
    /// Its range in the path.
    pub range: Range<usize>,
    /// The step whose nodes it counts, if no other predicate comes before it.
    pub step: Option<&'c Step>,
    /// The nodes.
    pub places: Vec<Place<'e>>,
}

/// The predicates of a step with their contexts.
pub struct Contexts<'c, 'e> {
    /// The text of the path.
    pub text: &'c str,
    /// The predicates, in order.
    pub chain: &'c [Written<'c, 'e>],
    /// Follows paths.
    pub follow: &'c Follow<'c, 'e>,
}

impl<'e> Contexts<'_, 'e> {
    /// The predicates of the step: as one of which all parts hold, unless a later one counts what the others leave.
    pub fn build_predicates(&self) -> Vec<Predicate> {
        let parts: Vec<Part> =
            self.chain.iter().map(|written| split_condition(self.text, written.range.clone())).collect();
        let kinds = self.chain.first().map_or(0, |first| first.places.len());
        let case = |at: usize| {
            let terms = self.chain.iter().zip(&parts).map(|(written, part)| self.build_case(written, part, at));
            terms.collect::<Option<Vec<Term>>>()
        };
        let Some(cases) = (0..kinds).map(case).collect::<Option<Vec<Vec<Term>>>>() else { return Vec::new() };
        let language = Language::XPath;
        if cases.iter().any(|terms| terms.iter().skip(1).any(Term::has_position)) {
            let own = |at: usize| cases.iter().filter_map(|terms| terms.get(at).cloned()).collect();
            return (0..parts.len()).map(|at| Predicate { language, cases: own(at) }).collect();
        }
        let cases: Vec<Term> = cases.into_iter().filter_map(join_terms).collect();
        if cases.is_empty() { Vec::new() } else { vec![Predicate { language, cases }] }
    }

    fn build_case(&self, written: &Written<'_, 'e>, part: &Part, at: usize) -> Option<Term> {
        let place = written.places.get(at)?;
        let group = written.places.iter().filter(|other| other.around.from == place.around.from);
        let size = group.fold((0_u64, 0_u64), |(least, most), other| {
            (least.saturating_add(other.here.0), most.saturating_add(other.here.1))
        });
        let counted = written.step.filter(|step| step.axis == Axis::Child);
        let by_name = counted.is_some_and(|step| matches!(step.node_test, NodeTest::QName(_)));
        let context = Context { text: self.text, place, size, by_name, follow: self.follow };
        Some(select_by_position(context.build_part(part), size))
    }
}

/// The only term, or all of them together.
fn join_terms(mut terms: Vec<Term>) -> Option<Term> {
    let place = (terms.first()?.place.0, terms.last()?.place.1);
    if terms.len() == 1 { terms.pop() } else { Some(Term { place, kind: TermKind::And(terms) }) }
}

/// A number as a predicate is a position: `[last() - 1]`.
fn select_by_position(term: Term, (_, most): (u64, u64)) -> Term {
    const NUMBERS: [&str; 7] = ["ceiling", "count", "floor", "number", "round", "string-length", "sum"];
    let is_number = match &term.kind {
        // Where these are positions beyond the end, the path leads to nothing.
        TermKind::Literal(Value::Int(_) | Value::Float(_)) | TermKind::Last(..) => return Term::unknown(term.place),
        TermKind::Position(..) => true,
        TermKind::Operation(operation, _) => !matches!(operation, Operation::Compare(_)),
        TermKind::Call(name, _) => NUMBERS.contains(&name.as_str()),
        _ => false,
    };
    if !is_number {
        return term;
    }
    let place = term.place;
    let position = Term { place, kind: TermKind::Position(1, most.max(1)) };
    Term { place, kind: TermKind::Operation(Operation::Compare(Op::Eq), Box::new((position, term))) }
}

/// One context of a predicate.
struct Context<'c, 'e> {
    text: &'c str,
    /// The node that it is evaluated for.
    place: &'c Place<'e>,
    /// The minimum and the maximum number of nodes among which positions count.
    size: (u64, u64),
    /// Whether positions count all siblings with the name of the node.
    by_name: bool,
    follow: &'c Follow<'c, 'e>,
}

impl<'e> Context<'_, 'e> {
    /// The term that a part of a predicate is.
    fn build_part(&self, part: &Part) -> Term {
        let place = (part.range.start, part.range.end);
        let all = |parts: &[Part]| parts.iter().map(|part| self.build_part(part)).collect();
        let kind = match &part.kind {
            PartKind::And(parts) => TermKind::And(all(parts)),
            PartKind::Or(parts) => TermKind::Or(all(parts)),
            PartKind::Not(inner) => TermKind::Not(Box::new(self.build_part(inner))),
            PartKind::Whole => return self.parse(part.range.clone()),
        };
        Term { place, kind }
    }

    fn parse(&self, range: Range<usize>) -> Term {
        let place = (range.start, range.end);
        let parsed = self.text.get(range).and_then(|text| xpath_eval::parse(text).ok());
        parsed.map_or(Term::unknown(place), |expr| self.build(&expr, place))
    }

    fn build(&self, expr: &Expr, place: (usize, usize)) -> Term {
        let two = |operation, a: &Expr, b: &Expr| {
            TermKind::Operation(operation, Box::new((self.build(a, place), self.build(b, place))))
        };
        let kind = match expr {
            Expr::Or(a, b) => TermKind::Or(vec![self.build(a, place), self.build(b, place)]),
            Expr::And(a, b) => TermKind::And(vec![self.build(a, place), self.build(b, place)]),
            Expr::Equality(a, op, b) => {
                let op = if *op == EqualityOp::Eq { Op::Eq } else { Op::Ne };
                two(Operation::Compare(op), a, b)
            }
            Expr::Relational(a, op, b) => {
                let op = match op {
                    RelationalOp::Lt => Op::Lt,
                    RelationalOp::Gt => Op::Gt,
                    RelationalOp::Le => Op::Le,
                    RelationalOp::Ge => Op::Ge,
                };
                two(Operation::Compare(op), a, b)
            }
            Expr::Additive(a, op, b) => {
                two(if *op == AdditiveOp::Add { Operation::Add } else { Operation::Subtract }, a, b)
            }
            Expr::Multiplicative(a, op, b) => {
                let operation = match op {
                    MultiplicativeOp::Mul => Operation::Multiply,
                    MultiplicativeOp::Div => Operation::Divide,
                    MultiplicativeOp::Mod => Operation::Remainder,
                };
                two(operation, a, b)
            }
            Expr::Negate(inner) => {
                let zero = Term { place, kind: TermKind::Literal(Value::Int(0)) };
                TermKind::Operation(Operation::Subtract, Box::new((zero, self.build(inner, place))))
            }
            Expr::Union(a, b) => self.unite(self.build(a, place), self.build(b, place)),
            Expr::Path(PathExpr::Location(path)) => self.find_nodes(path),
            Expr::Path(PathExpr::Filter(FilterExpr { primary, predicates })) if predicates.is_empty() => {
                return self.build_primary(primary, place);
            }
            Expr::Path(_) => TermKind::Unknown,
        };
        Term { place, kind }
    }

    fn build_primary(&self, primary: &PrimaryExpr, place: (usize, usize)) -> Term {
        let kind = match primary {
            PrimaryExpr::Literal(text) => TermKind::Literal(Value::from_text(text.as_str())),
            PrimaryExpr::Number(number) => TermKind::Literal(to_number(*number)),
            PrimaryExpr::Parenthesized(inner) => return self.build(inner, place),
            PrimaryExpr::Variable(_) => TermKind::Unknown,
            PrimaryExpr::Function(call) => {
                let args: Vec<Term> = call.args.iter().map(|arg| self.build(arg, place)).collect();
                match (call.name.local.as_str(), args.len()) {
                    ("true" | "false", 0) => TermKind::Literal(Value::Bool(call.name.local == "true")),
                    ("position", 0) => TermKind::Position(1, self.size.1.max(1)),
                    ("last", 0) => TermKind::Last(self.size.0.max(1), self.size.1.max(1)),
                    ("not", 1) => match args.into_iter().next() {
                        Some(inner) => TermKind::Not(Box::new(inner)),
                        None => TermKind::Unknown,
                    },
                    // Without an argument, these are about the context.
                    ("string" | "number" | "string-length" | "normalize-space" | "local-name" | "name", 0) => {
                        let own = Term { place, kind: self.describe(std::slice::from_ref(self.place), ".".to_owned()) };
                        TermKind::Call(call.name.local.clone(), vec![own])
                    }
                    ("lang", 1) => TermKind::Call("lang".to_owned(), vec![Term { place, kind: self.find_languages() }]),
                    (name, _) => TermKind::Call(name.to_owned(), args),
                }
            }
        };
        Term { place, kind }
    }

    fn find_nodes(&self, path: &LocationPath) -> TermKind {
        let from = if path.is_absolute { self.place.find_document() } else { make_single(self.place) };
        let Some(places) = (self.follow)(path, vec![from]) else { return TermKind::Unknown };
        let kind = self.describe(&places, make_key(path));
        match kind {
            TermKind::Nodes(nodes) => {
                TermKind::Nodes(Nodes { relation: self.relate(path), counted: self.count_with(path, &places), ..nodes })
            }
            other => other,
        }
    }

    fn describe(&self, places: &[Place<'e>], key: String) -> TermKind {
        let kinds = places.iter().map(|place| {
            let name = match &place.node {
                Node::Element(element) => Some(element.name.clone()),
                Node::Document(_) | Node::Value(_) => None,
            };
            NodeKind { name, leaf: place.node.as_leaf().cloned(), members: None }
        });
        let sum = |count: fn(&Place<'e>) -> u64| places.iter().map(count).fold(0, u64::saturating_add);
        let (least, most) = (sum(|place| place.least), sum(|place| place.most));
        let counted = Counted { key: key.clone(), at: None };
        TermKind::Nodes(Nodes { key, kinds: kinds.collect(), least, most, relation: Relation::Other, counted })
    }

    /// The attributes that tell the language of the context.
    fn find_languages(&self) -> TermKind {
        let above = std::iter::successors(Some(self.place), |place| place.parent.as_deref());
        let told = above.filter(|place| match place.node {
            Node::Element(element) => element.attributes.iter().any(|(name, _)| name == "xml:lang"),
            _ => false,
        });
        let (key, most) = ("xml:lang".to_owned(), told.count() as u64);
        let counted = Counted { key: key.clone(), at: None };
        TermKind::Nodes(Nodes { key, kinds: Vec::new(), least: 0, most, relation: Relation::Other, counted })
    }

    /// With which nodes those of a path are counted: `line/qty` with `line`, if each line has one, and `tag[2]` with `tag`.
    fn count_with(&self, path: &LocationPath, places: &[Place<'e>]) -> Counted {
        let whole = Counted { key: make_key(path), at: None };
        if path.is_absolute {
            return whole;
        }
        if let ([step], true) = (path.steps.as_slice(), path.steps.iter().all(|step| step.axis == Axis::Child)) {
            let at = match step.predicates.as_slice() {
                [only] => as_position(only),
                _ => None,
            };
            let plain = Step { predicates: Vec::new(), ..step.clone() };
            return at.map_or(whole, |at| Counted { key: make_relative_key(&[plain]), at: Some(at) });
        }
        let (mut steps, mut place) = (
            path.steps.as_slice(),
            match places {
                [only] => Some(only),
                _ => None,
            },
        );
        while let (Some(own), [before @ .., step]) = (place, steps) {
            let is_one = own.here == (1, 1) && matches!(step.axis, Axis::Child | Axis::Attribute);
            if before.is_empty() || !is_one || !step.predicates.is_empty() {
                break;
            }
            (steps, place) = (before, own.parent.as_deref());
        }
        Counted { key: make_relative_key(steps), at: None }
    }

    /// How the nodes of a path are related to the context.
    fn relate(&self, path: &LocationPath) -> Relation {
        let is_plain = |step: &Step| {
            matches!(step.axis, Axis::Child | Axis::Attribute | Axis::SelfAxis) && step.predicates.is_empty()
        };
        if !path.is_absolute && path.steps.iter().all(is_plain) {
            return Relation::Own;
        }
        if let Some(relation) = self.relate_to_siblings(path) {
            return relation;
        }
        let Some((item, rest)) = self.split_sibling(path) else { return Relation::Other };
        let key = make_relative_key(rest);
        match item.predicates.as_slice() {
            [] => Relation::Around(key),
            [only] if self.by_name => as_position(only).map_or(Relation::Other, |at| Relation::Sibling(at, key)),
            _ => Relation::Other,
        }
    }

    /// How the nodes of `following-sibling::item/@no` and `preceding-sibling::item/@no` are related to a context that is an item.
    fn relate_to_siblings(&self, path: &LocationPath) -> Option<Relation> {
        let Node::Element(own) = &self.place.node else { return None };
        let [first, rest @ ..] = path.steps.as_slice() else { return None };
        let is_own =
            matches!(&first.node_test, NodeTest::QName(name) if name.prefix.is_none() && name.local == own.name);
        let is_plain = |step: &Step| matches!(step.axis, Axis::Child | Axis::Attribute) && step.predicates.is_empty();
        if path.is_absolute || !is_own || !rest.iter().all(is_plain) {
            return None;
        }
        match first.axis {
            Axis::FollowingSibling => Some(Relation::After(make_relative_key(rest))),
            Axis::PrecedingSibling => Some(Relation::Before(make_relative_key(rest))),
            _ => None,
        }
    }

    /// The step of a path that leads to the nodes with the name of the context next to it, and the steps after it: `../item/@sku`, `//item/@sku`.
    fn split_sibling<'p>(&self, path: &'p LocationPath) -> Option<(&'p Step, &'p [Step])> {
        let Node::Element(own) = &self.place.node else { return None };
        let is_all = |step: &Step| step.node_test == NodeTest::Node && step.predicates.is_empty();
        let [first, item, rest @ ..] = path.steps.as_slice() else { return None };
        let from = match first.axis {
            Axis::Parent => !path.is_absolute && is_all(first),
            Axis::DescendantOrSelf => path.is_absolute && is_all(first) && item.predicates.is_empty(),
            _ => false,
        };
        let is_own = item.axis == Axis::Child
            && match &item.node_test {
                NodeTest::AnyName => item.predicates.is_empty(),
                NodeTest::QName(name) => name.prefix.is_none() && name.local == own.name,
                _ => false,
            };
        (from && is_own).then_some((item, rest))
    }

    fn unite(&self, a: Term, b: Term) -> TermKind {
        let (TermKind::Nodes(a), TermKind::Nodes(b)) = (a.kind, b.kind) else { return TermKind::Unknown };
        TermKind::Nodes(Nodes {
            key: format!("{}|{}", a.key, b.key),
            kinds: a.kinds.into_iter().chain(b.kinds).collect(),
            least: a.least.max(b.least),
            most: a.most.saturating_add(b.most),
            relation: Relation::Other,
            counted: Counted { key: format!("{}|{}", a.key, b.key), at: None },
        })
    }
}

/// The position that a predicate is: `[2]`.
fn as_position(predicate: &Expr) -> Option<u64> {
    match predicate {
        Expr::Path(PathExpr::Filter(FilterExpr { primary: PrimaryExpr::Number(number), predicates }))
            if predicates.is_empty() && *number >= 1.0 && number.fract() == 0.0 && *number < 1e9 =>
        {
            Some(*number as u64)
        }
        _ => None,
    }
}

fn make_key(path: &LocationPath) -> String {
    let key = make_relative_key(&path.steps);
    if path.is_absolute { format!("/{key}") } else { key }
}

fn make_relative_key(steps: &[Step]) -> String {
    // `.` leads to the node itself.
    let is_other = |step: &&Step| step.axis != Axis::SelfAxis || step.node_test != NodeTest::Node;
    let steps: Vec<&Step> = steps.iter().filter(is_other).collect();
    if steps.is_empty() { ".".to_owned() } else { format!("{steps:?}") }
}

/// One node of a place.
fn make_single<'e>(place: &Place<'e>) -> Place<'e> {
    Place { least: 1, most: 1, ..place.clone() }
}

fn to_number(number: f64) -> Value {
    let whole = number.fract() == 0.0 && number.abs() < 1e15;
    if whole { Value::Int(number as i64) } else { Value::Float(number) }
}
