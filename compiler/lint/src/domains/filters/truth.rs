//! Whether a part of a predicate can be true, and whether it can be false.

use model::Value;
use model::suite::Op;

use super::cells::{self, Cells};
use super::compare::{Possible, compare_values, to_bool};
use super::judging::Judging;
use super::values::{Class, Values, infer_nodes};
use super::{calls, differences, siblings, together};
use hir::facts::Facts;
use hir::paths::predicate::{Language, Nodes, Operation, Relation, Term, TermKind};

/// Judges the parts of a predicate in one of its contexts.
pub struct Judge<'j, 'a> {
    /// The possible values. Without them, only cells are known.
    pub facts: Option<&'j Facts<'a>>,
    pub language: Language,
    /// What is known of some nodes, and of the position.
    pub cells: Cells<'a>,
}

/// Judges a part of a predicate, for all combinations of the values that it reads more than once.
pub fn judge_term(facts: &Facts<'_>, language: Language, term: &Term) -> Possible {
    let facts = Some(facts);
    let plain = Judge { facts, language, cells: Cells::default() };
    let whole = plain.judge(term);
    if whole.is_decided() {
        return whole;
    }
    let mut all = Possible::NONE;
    for cells in cells::list_cells(facts, language, term) {
        all = all.join(Judge { facts, language, cells }.judge(term));
        if all == Possible::ANY {
            break;
        }
    }
    all.meet(whole)
}

impl<'a> Judging<'a> for Judge<'_, 'a> {
    fn judge(&self, term: &Term) -> Possible {
        match &term.kind {
            TermKind::And(parts) => {
                let all = parts.iter().map(|part| self.judge(part)).fold(Possible::ALWAYS, Possible::and);
                if all.is_true && together::are_contradictory(self, parts) { Possible::NEVER } else { all }
            }
            TermKind::Or(parts) => parts.iter().map(|part| self.judge(part)).fold(Possible::NEVER, Possible::or),
            TermKind::Not(inner) => self.judge(inner).invert(),
            TermKind::Nodes(nodes) => self.judge_existence(nodes),
            TermKind::Operation(Operation::Compare(op), sides) => self.compare(*op, &sides.0, &sides.1),
            TermKind::Call(name, args) => calls::judge_call(self, name, args).unwrap_or(Possible::ANY),
            TermKind::Unknown => Possible::ANY,
            TermKind::Literal(_) | TermKind::Position(..) | TermKind::Last(..) | TermKind::Operation(..) => {
                self.infer(term).map_or(Possible::ANY, |values| to_bool(&values))
            }
        }
    }

    fn infer(&self, term: &Term) -> Option<Values<'a>> {
        match &term.kind {
            TermKind::Literal(value) => Some(Values::from_literal(value)),
            TermKind::Nodes(nodes) => {
                let known = self.cells.lookup(nodes).cloned();
                let values = known.or_else(|| infer_nodes(self.facts?, nodes, self.language))?;
                let is_missing = self.cells.find_existence(nodes) == Some(Possible::NEVER);
                Some(if is_missing { Values { kinds: Vec::new(), absent: true, ..values } } else { values })
            }
            TermKind::Position(least, most) => {
                let (least, most) = self.cells.position.unwrap_or((*least, *most));
                Some(Values::from_count(least, most))
            }
            TermKind::Last(least, most) => Some(Values::from_count(*least, *most)),
            TermKind::Call(name, args) => calls::infer_call(self, name, args),
            TermKind::Operation(Operation::Compare(_), _) | TermKind::And(_) | TermKind::Or(_) | TermKind::Not(_) => {
                Some(to_values(self.judge(term)))
            }
            TermKind::Operation(operation, sides) => {
                super::arithmetic::operate(*operation, &self.infer(&sides.0)?, &self.infer(&sides.1)?)
            }
            TermKind::Unknown => None,
        }
    }

    fn facts(&self) -> Option<&Facts<'a>> {
        self.facts
    }

    fn cells(&self) -> &Cells<'a> {
        &self.cells
    }

    fn language(&self) -> Language {
        self.language
    }
}

impl<'a> Judge<'_, 'a> {
    fn judge_existence(&self, nodes: &Nodes) -> Possible {
        if let Some(known) = self.cells.find_existence(nodes) {
            return known;
        }
        match self.cells.lookup(nodes) {
            Some(values) => Possible { is_true: !values.kinds.is_empty(), is_false: values.absent },
            None => Possible { is_true: nodes.most > 0, is_false: nodes.least == 0 },
        }
    }

    fn compare(&self, op: Op, left: &Term, right: &Term) -> Possible {
        let (one, other) = (self.find_kept(left), self.find_kept(right));
        if let Some(known) = self.compare_related(op, one, other).or_else(|| compare_same(op, left, right)) {
            return known;
        }
        let by_values = match (self.infer(left), self.infer(right)) {
            (Some(a), Some(b)) => compare_values(op, &a, &b, self.language),
            _ => Possible::ANY,
        };
        if by_values.is_decided() {
            return by_values;
        }
        differences::compare_terms(self, op, left, right).map_or(by_values, |known| known.meet(by_values))
    }

    /// The nodes that a call leaves as they are: `number(price)`, and `normalize-space(name)` without blanks to remove.
    fn find_kept<'t>(&self, term: &'t Term) -> &'t Term {
        let TermKind::Call(name, args) = &term.kind else { return term };
        let ([inner], Language::XPath) = (args.as_slice(), self.language) else { return term };
        let values = self.infer(inner).filter(|values| values.of_nodes && !values.absent && !values.several);
        let Some([kind]) = values.as_ref().map(|values| values.kinds.as_slice()) else { return term };
        let is_kept = match name.as_str() {
            "number" => kind.class == Class::Number,
            "normalize-space" => calls::is_without_blanks(kind),
            _ => false,
        };
        if is_kept { inner } else { term }
    }

    /// Compares nodes with themselves, or with others among which they are.
    fn compare_related(&self, op: Op, left: &Term, right: &Term) -> Option<Possible> {
        let (TermKind::Nodes(a), TermKind::Nodes(b)) = (&left.kind, &right.kind) else { return None };
        let (a_key, b_key) = (self.cells.find_key(a), self.cells.find_key(b));
        let present = |nodes: &Nodes| nodes.least > 0 && nodes.kinds.iter().all(|kind| kind.leaf.is_some());
        let around = |one: &Nodes, key: &str| matches!(&one.relation, Relation::Around(own) if own == key);
        if a_key == b_key && a.most <= 1 {
            let present = present(a) || self.language == Language::Json && matches!(op, Op::Eq | Op::Ne);
            return match op {
                Op::Ne | Op::Lt | Op::Gt => Some(Possible::NEVER),
                Op::Eq if present => Some(Possible::ALWAYS),
                _ => None,
            };
        }
        if siblings::are_apart(self.facts, op, a, b) || siblings::are_apart(self.facts, op.swap_sides(), b, a) {
            return Some(Possible::NEVER);
        }
        let among = around(b, a_key) && present(a) || around(a, b_key) && present(b);
        (op == Op::Eq && self.language == Language::XPath && among || op == Op::Eq && a_key == b_key && present(a))
            .then_some(Possible::ALWAYS)
    }
}

/// Compares a computed value with itself.
fn compare_same(op: Op, left: &Term, right: &Term) -> Option<Possible> {
    const NEVER_NAN: [&str; 12] = [
        "concat",
        "count",
        "length",
        "local-name",
        "name",
        "normalize-space",
        "string",
        "string-length",
        "substring",
        "substring-after",
        "substring-before",
        "translate",
    ];
    let TermKind::Call(name, _) = &left.kind else { return None };
    if !NEVER_NAN.contains(&name.as_str()) || !left.is_same(right) {
        return None;
    }
    match op {
        Op::Ne | Op::Lt | Op::Gt => Some(Possible::NEVER),
        Op::Eq => Some(Possible::ALWAYS),
        _ => None,
    }
}

/// A condition as a value.
fn to_values<'a>(possible: Possible) -> Values<'a> {
    let values = [(possible.is_true, true), (possible.is_false, false)];
    let values = values.into_iter().filter_map(|(is, value)| is.then_some(Value::Bool(value)));
    let known = hir::terms::Known::from_fact(hir::facts::Fact::from_values(values));
    Values::from_kind(super::values::Kind::new(Class::Bool, known))
}
