//! The difference of two sides of a comparison as a sum of values with factors: what is known of the order of positions and of columns bounds it.

use std::collections::BTreeMap;

use model::suite::{ColumnId, Op, RelationId};
use model::{Decimal, Value};

use super::cells::find_only_members;
use super::compare::Possible;
use super::judging::Judging;
use super::values::Class;
use hir::facts::Facts;
use hir::paths::leaf::Source;
use hir::paths::predicate::{Nodes, Operation, Relation, Term, TermKind};
use hir::types::TyKind;
use hir::{ColumnSource, DrawDomain, Expr, ExprKind};

/// How many values are replaced by their bounds, one after another.
const MAX_REPLACED: u32 = 3;

/// How many parts of an expression are followed.
const MAX_STEPS: u32 = 60;

/// A value of a sum.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    Position,
    Last,
    /// A cell of the row of the context.
    Cell(RelationId, ColumnId),
    /// The only node with this key.
    Node(String),
    /// The number of the nodes with this key.
    Count(String),
    /// The sum of the nodes with this key.
    Total(String),
    /// A whole number next to another sum.
    Rounded(&'static str, Box<Sum>),
}

/// The functions of rounding.
const ROUNDING: [&str; 3] = ["ceiling", "floor", "round"];

/// An end of the possible values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Low,
    High,
}

/// A sum of values with factors.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Sum {
    constant: Decimal,
    pub(super) parts: BTreeMap<Part, Decimal>,
}

impl Sum {
    fn from_part(part: Part) -> Sum {
        Sum { constant: Decimal::default(), parts: [(part, Decimal::from_int(1))].into() }
    }

    fn from_constant(constant: Decimal) -> Sum {
        Sum { constant, parts: BTreeMap::new() }
    }

    /// Adds another sum with a factor. `None` if a number does not fit.
    pub(super) fn add(mut self, other: &Sum, factor: Decimal) -> Option<Sum> {
        self.constant = self.constant.checked_add(other.constant.checked_mul(factor)?)?;
        for (part, own) in &other.parts {
            let more = own.checked_mul(factor)?;
            let sum = self.parts.remove(part).unwrap_or_default().checked_add(more)?;
            if sum != Decimal::default() {
                self.parts.insert(part.clone(), sum);
            }
        }
        Some(self)
    }

    pub(super) fn negate(&self) -> Option<Sum> {
        Sum::default().add(self, Decimal::from_int(-1))
    }

    /// This sum with a part replaced by another sum.
    fn replace(&self, part: &Part, by: &Sum) -> Option<Sum> {
        let mut rest = self.clone();
        let factor = rest.parts.remove(part)?;
        rest.add(by, factor)
    }
}

/// The possible results of a comparison, from the difference of its sides. `None` if that is not known.
pub fn compare_terms(judge: &dyn Judging<'_>, op: Op, left: &Term, right: &Term) -> Option<Possible> {
    let mut reader = Reader::new(judge);
    let difference = reader.subtract_sides(left, right)?;
    if !reader.is_present {
        return None;
    }
    let zero = Decimal::default();
    if difference.parts.is_empty() && (left.is_same(right) || reader.is_rounded) {
        return None;
    }
    let least = reader.find_least(&difference, MAX_REPLACED);
    let most = difference.negate().and_then(|turned| reader.find_least(&turned, MAX_REPLACED));
    let most = most.and_then(Decimal::checked_neg);
    // Rounded sums are near the exact ones.
    let slack = Decimal::new(i128::from(reader.is_rounded), 6)?;
    let strict = |strict: bool| strict || reader.is_rounded;
    let above = |only: bool| least.is_some_and(|least| least > slack || !strict(only) && least == zero);
    let below = |only: bool| {
        most.and_then(Decimal::checked_neg).is_some_and(|turned| turned > slack || !strict(only) && turned == zero)
    };
    let never = |never: bool, always: bool| Possible { is_true: !never, is_false: !always };
    Some(match op {
        Op::Lt => never(above(false), below(true)),
        Op::Le => never(above(true), below(false)),
        Op::Gt => never(below(false), above(true)),
        Op::Ge => never(below(true), above(false)),
        Op::Eq => never(above(true) || below(true), above(false) && below(false)),
        Op::Ne => never(above(false) && below(false), above(true) || below(true)),
        _ => return None,
    })
}

pub(super) struct Reader<'r, 'a> {
    judge: &'r dyn Judging<'a>,
    /// The ranges of the parts.
    ranges: BTreeMap<Part, (Decimal, Decimal)>,
    /// The number of the values of totals, and the ends of these values.
    totals: BTreeMap<Part, (String, Decimal, Decimal)>,
    /// Whether all are whole numbers.
    pub(super) is_exact: bool,
    /// Whether all are certainly there.
    pub(super) is_present: bool,
    /// Whether the sides are computed with doubles that are rounded.
    pub(super) is_rounded: bool,
}

impl<'r, 'a> Reader<'r, 'a> {
    pub(super) fn new(judge: &'r dyn Judging<'a>) -> Reader<'r, 'a> {
        Reader {
            judge,
            ranges: BTreeMap::new(),
            totals: BTreeMap::new(),
            is_exact: true,
            is_present: true,
            is_rounded: false,
        }
    }

    /// The first side less the second.
    pub(super) fn subtract_sides(&mut self, left: &Term, right: &Term) -> Option<Sum> {
        let (a, b) = (self.read_term(left)?, self.read_term(right)?);
        let is_plain = |term: &Term| match &term.kind {
            TermKind::Nodes(_) | TermKind::Literal(_) => true,
            TermKind::Call(name, args) => {
                ROUNDING.contains(&name.as_str()) && args.iter().all(|arg| matches!(arg.kind, TermKind::Nodes(_)))
            }
            _ => false,
        };
        // Only sums of whole numbers are exact as doubles.
        self.is_rounded = !(self.is_exact || is_plain(left) && is_plain(right));
        a.add(&b, Decimal::from_int(-1))
    }

    fn read_term(&mut self, term: &Term) -> Option<Sum> {
        let part = match &term.kind {
            TermKind::Literal(value) => return to_number(value).map(Sum::from_constant),
            TermKind::Position(..) => Part::Position,
            TermKind::Last(..) => Part::Last,
            TermKind::Nodes(nodes) => self.read_nodes(nodes)?,
            TermKind::Operation(operation @ (Operation::Add | Operation::Subtract), sides) => {
                let sign = Decimal::from_int(if *operation == Operation::Add { 1 } else { -1 });
                return self.read_term(&sides.0)?.add(&self.read_term(&sides.1)?, sign);
            }
            TermKind::Operation(Operation::Multiply, sides) => {
                let (a, b) = (self.read_term(&sides.0)?, self.read_term(&sides.1)?);
                let (sum, factor) = if a.parts.is_empty() { (b, a.constant) } else { (a, b.constant) };
                // The product of two values is no sum.
                let is_scaled =
                    matches!(sides.0.kind, TermKind::Literal(_)) || matches!(sides.1.kind, TermKind::Literal(_));
                return is_scaled.then(|| Sum::default().add(&sum, factor)).flatten();
            }
            TermKind::Call(name, args) => match args.as_slice() {
                [only] if name == "number" => return self.read_term(only),
                [only] => self.read_call(name, only)?,
                _ => return None,
            },
            _ => return None,
        };
        let values = self.judge.infer(term)?;
        let [kind] = values.kinds.as_slice() else { return None };
        if values.several {
            return None;
        }
        self.is_present &= !values.absent;
        self.is_exact &= kind.whole;
        if kind.class == Class::Text && !kind.of_time {
            return None;
        }
        if let Some((low, high)) = &kind.known.fact.range
            && let (Some(low), Some(high)) = (to_number(low), to_number(high))
        {
            self.ranges.insert(part.clone(), (low, high));
        }
        Some(Sum::from_part(part))
    }

    /// What a call of one argument is.
    fn read_call(&mut self, name: &str, arg: &Term) -> Option<Part> {
        if let Some(name) = ROUNDING.into_iter().find(|known| *known == name) {
            return Some(Part::Rounded(name, Box::new(self.read_term(arg)?)));
        }
        let TermKind::Nodes(nodes) = &arg.kind else { return None };
        match name {
            "count" if nodes.counted.at.is_none() => Some(Part::Count(nodes.counted.key.clone())),
            "length" if find_only_members(nodes).is_some() => Some(Part::Count(nodes.find_members_key())),
            "sum" if nodes.counted.at.is_none() => {
                let part = Part::Total(nodes.key.clone());
                let values = self.judge.infer(arg)?;
                let [kind] = values.kinds.as_slice() else { return None };
                let (low, high) = kind.known.fact.range.as_ref().filter(|_| kind.class == Class::Number)?;
                let bounds = (nodes.counted.key.clone(), to_number(low)?, to_number(high)?);
                self.totals.insert(part.clone(), bounds);
                Some(part)
            }
            _ => None,
        }
    }

    fn read_nodes(&self, nodes: &Nodes) -> Option<Part> {
        let [node] = nodes.kinds.as_slice() else { return None };
        let leaf = node.leaf.as_ref()?;
        if !matches!(leaf.ty.kind, TyKind::Int | TyKind::Decimal(_) | TyKind::Date) {
            return None;
        }
        match (leaf.source.clone(), &nodes.relation) {
            (Source::Cells(relation, column), Relation::Own) => Some(Part::Cell(relation, column)),
            _ => Some(Part::Node(self.judge.cells().find_key(nodes).to_owned())),
        }
    }

    /// The smallest value of a sum that is known, with up to `replaced` of its parts replaced by their bounds.
    pub(super) fn find_least(&self, sum: &Sum, replaced: u32) -> Option<Decimal> {
        let zero = Decimal::default();
        let mut best = sum.parts.iter().try_fold(sum.constant, |total, (part, factor)| {
            let (low, high) = self.find_range(part)?;
            total.checked_add(factor.checked_mul(if *factor > zero { low } else { high })?)
        });
        if replaced == 0 {
            return best;
        }
        for (part, factor) in &sum.parts {
            for bound in self.list_bounds(part, if *factor > zero { End::Low } else { End::High }) {
                let least = sum.replace(part, &bound).and_then(|sum| self.find_least(&sum, replaced - 1));
                best = match (best, least) {
                    (Some(one), Some(other)) => Some(one.max(other)),
                    (one, other) => one.or(other),
                };
            }
        }
        best
    }

    fn find_range(&self, part: &Part) -> Option<(Decimal, Decimal)> {
        if let Some(range) = self.ranges.get(part) {
            return Some(*range);
        }
        let Part::Cell(relation, column) = part else { return None };
        let fact = self.judge.facts()?.lookup_column(*relation, *column);
        let (low, high) = fact.range.as_ref()?;
        Some((to_number(low)?, to_number(high)?))
    }

    /// Sums that a part is never below, or never above.
    fn list_bounds(&self, part: &Part, end: End) -> Vec<Sum> {
        match part {
            Part::Position if end == End::High => vec![Sum::from_part(Part::Last)],
            Part::Last if end == End::Low => vec![Sum::from_part(Part::Position)],
            Part::Cell(relation, column) => {
                let bound = self.judge.facts().and_then(|facts| find_column_bound(facts, (*relation, *column), end));
                bound.into_iter().collect()
            }
            Part::Total(_) => {
                let bound = self.totals.get(part).and_then(|(key, low, high)| {
                    let count = Sum::from_part(Part::Count(key.clone()));
                    Sum::default().add(&count, if end == End::Low { *low } else { *high })
                });
                bound.into_iter().collect()
            }
            Part::Rounded(name, inner) => {
                let tenths = match (*name, end) {
                    ("floor", End::Low) => -10,
                    ("ceiling", End::High) => 10,
                    ("round", End::Low) => -5,
                    ("round", End::High) => 5,
                    _ => 0,
                };
                let by = Decimal::new(tenths, 1).unwrap_or_default();
                inner.as_ref().clone().add(&Sum::from_constant(by), Decimal::from_int(1)).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }
}

/// The sum that a drawn column is never below, or never above, or that a computed column is.
fn find_column_bound(facts: &Facts<'_>, (relation, column): (RelationId, ColumnId), end: End) -> Option<Sum> {
    let declared = facts.task().find_column((relation, column))?;
    if declared.ty.nullable {
        return None;
    }
    let expr = match &declared.source {
        ColumnSource::Draw { draw, .. } => match &draw.domain {
            DrawDomain::Range { low, .. } if end == End::Low => low,
            DrawDomain::Range { high, .. } => high,
            _ => return None,
        },
        ColumnSource::Compute(value) => value,
        _ => return None,
    };
    let mut steps = 0;
    read_expr(expr, relation, &mut steps)
}

/// The sum of cells of a row that an exact expression is.
fn read_expr(expr: &Expr, relation: RelationId, steps: &mut u32) -> Option<Sum> {
    *steps += 1;
    let exact = matches!(expr.ty.kind, TyKind::Int | TyKind::Decimal(_) | TyKind::Date | TyKind::Duration);
    if *steps > MAX_STEPS || !exact {
        return None;
    }
    let mut read = |expr: &Expr| read_expr(expr, relation, steps);
    match &expr.kind {
        ExprKind::Const(value) => to_number(value).map(Sum::from_constant),
        ExprKind::Column(column) => Some(Sum::from_part(Part::Cell(relation, *column))),
        ExprKind::Neg(inner) => read(inner)?.negate(),
        ExprKind::Binary(op @ (Op::Add | Op::Sub), sides) => {
            let sign = Decimal::from_int(if *op == Op::Add { 1 } else { -1 });
            read(&sides.0)?.add(&read(&sides.1)?, sign)
        }
        ExprKind::Binary(Op::Mul, sides) => {
            let constant = |side: &Expr| side.as_constant().and_then(to_number);
            match (constant(&sides.0), constant(&sides.1)) {
                (Some(factor), _) => Sum::default().add(&read(&sides.1)?, factor),
                (_, Some(factor)) => Sum::default().add(&read(&sides.0)?, factor),
                _ => None,
            }
        }
        _ => None,
    }
}

/// A number, or a day or days as a number.
fn to_number(value: &Value) -> Option<Decimal> {
    const DAY: i64 = 86_400;
    match value {
        Value::Int(number) => Some(Decimal::from_int(*number)),
        Value::Decimal(number) => Some(*number),
        Value::Float(number) => Decimal::from_f64(*number, 9).filter(|near| near.to_f64() == *number),
        Value::Date(day) => Some(Decimal::from_int(i64::from(day.0))),
        Value::Duration(duration) if duration.months == 0 && duration.seconds % DAY == 0 => {
            Some(Decimal::from_int(duration.seconds / DAY))
        }
        Value::Text(text) => model::Date::parse_iso(text).map(|day| Decimal::from_int(i64::from(day.0))),
        _ => None,
    }
}
