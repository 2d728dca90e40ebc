//! The names and cells that a condition reads, and what they depend on.

use model::suite::{Scope, Step};
use model::{Value, ValueType};

use super::samples::{Ends, Reading, has_ranges_only};
use crate::facts::{Fact, Facts, Row, Slot, is_dependent};
use crate::{Arg, ColumnSource, DrawDomain, Expr, ExprKind, NameSource};

/// The maximum number of names and cells of a condition that is decided by cases.
const MAX_SLOTS: usize = 40;

/// The maximum number of values of which each is likely in some row of some sample.
const MAX_LIKELY: usize = 200;

/// The variables of a condition.
pub struct Variables {
    /// Names and cells that are drawn, each after those on which its values depend.
    pub slots: Vec<Slot>,
    /// Names and cells that are inferred again in each case.
    pub dependent: Vec<Slot>,
    /// Pairs of them that are never equal.
    pub different: Vec<(Slot, Slot)>,
    /// Those that an outer join makes null.
    pub nullable: Vec<Slot>,
    /// The constants of the condition, and of what it depends on.
    pub literals: Vec<Value>,
    /// What the condition reads in texts.
    pub reading: Reading,
}

impl Variables {
    /// Whether each of them is drawn on its own, from few values.
    pub fn are_independent(&self, facts: &Facts<'_>) -> bool {
        let is_independent = |slot: &Slot| match slot {
            Slot::Cell(_, relation, column) => {
                let source = facts.task().find_column((*relation, *column)).map(|column| &column.source);
                let drawn = matches!(source, Some(ColumnSource::Draw { draw, of: 1, .. })
                    if matches!(draw.domain, DrawDomain::Fixed(_)) && draw.except.is_empty() && !draw.unique && !draw.is_serial());
                drawn && facts.lookup_slot(*slot).closed.is_some_and(|values| values.len() <= MAX_LIKELY)
            }
            _ => false,
        };
        self.dependent.is_empty() && self.slots.iter().all(is_independent)
    }
}

/// Collects the variables of a condition.
pub struct Collector<'l, 'a> {
    pub facts: &'l Facts<'a>,
    pub found: Variables,
    /// All that were met, also those that are computed.
    met: Vec<Slot>,
    /// Whether texts are read only by the order and equality of their characters, and by their length.
    by_character: bool,
}

impl<'l, 'a> Collector<'l, 'a> {
    pub fn new(facts: &'l Facts<'a>) -> Collector<'l, 'a> {
        let found = Variables {
            slots: Vec::new(),
            dependent: Vec::new(),
            different: Vec::new(),
            nullable: Vec::new(),
            literals: Vec::new(),
            reading: Reading::Whole,
        };
        Collector { facts, found, met: Vec::new(), by_character: true }
    }

    /// The variables; `None` if there are none, or too many.
    pub fn finish(mut self) -> Option<Variables> {
        self.pair_different();
        self.found.reading = self.find_reading();
        let Variables { slots, .. } = &self.found;
        // Values of which there are few come first, and those that depend on others keep their place.
        let size = |slot: &Slot| match (self.found.dependent.contains(slot), self.facts.lookup_slot(*slot)) {
            (true, _) => usize::MAX,
            (_, fact) => fact.closed.map_or(usize::MAX - 1, |values| values.len()),
        };
        let mut sized: Vec<(usize, Slot)> = slots.iter().map(|slot| (size(slot), *slot)).collect();
        sized.sort_by_key(|(size, _)| *size);
        self.found.slots = sized.into_iter().map(|(_, slot)| slot).collect();
        (!self.found.slots.is_empty() && self.met.len() <= MAX_SLOTS).then_some(self.found)
    }

    /// Adds what an expression of `scope` reads; `row` and `outer` are its rows.
    pub fn add_expr(&mut self, expr: &'a Expr, scope: Scope, (row, outer): (Option<Row>, Option<Row>)) {
        if self.met.len() > MAX_SLOTS {
            return;
        }
        let here = match expr.kind {
            ExprKind::Column(_) => row,
            ExprKind::OuterColumn(_) => outer,
            _ => None,
        };
        match &expr.kind {
            ExprKind::Const(value) => self.add_literal(value),
            ExprKind::Name(name) => self.add_slot(Slot::Name(*name)),
            ExprKind::Column(_) | ExprKind::OuterColumn(_) => {
                if let Some((row, (relation, column))) = here.zip(expr.find_cell(scope)) {
                    self.add_slot(Slot::Cell(row, relation, column));
                }
            }
            ExprKind::Call(function, args) => {
                let reads = args.iter().any(|arg| matches!(arg, Arg::Value(value) if value.ty.may_hold_text()));
                if reads && !function.by_character {
                    self.read_whole();
                }
            }
            _ => {}
        }
        expr.visit_children(&mut |child, rows| {
            match rows {
                None => self.add_expr(child, scope, (row, outer)),
                // What is read of other rows is not looked at.
                Some(_) => self.read_whole(),
            }
        });
    }

    /// Notes that a text is read in another way than character by character, for example as a number.
    pub fn read_whole(&mut self) {
        self.by_character = false;
    }

    /// How the condition reads texts: the characters of all texts that may be compared with each other are the ends of cells.
    fn find_reading(&self) -> Reading {
        let facts: Vec<Fact<'a>> = self.found.slots.iter().map(|slot| self.facts.lookup_slot(*slot)).collect();
        let is_text = |fact: &&Fact<'a>| match &fact.closed {
            Some(values) => values.iter().any(|value| matches!(value, Value::Text(_))),
            None => fact.domain.is_some_and(|domain| domain.value_type() == ValueType::Text),
        };
        let texts: Vec<&Fact<'a>> = facts.iter().filter(is_text).collect();
        if texts.is_empty() || !self.by_character {
            return Reading::Whole;
        }
        let mut ends = Ends::new();
        self.found.literals.iter().for_each(|literal| ends.add_literal(literal));
        for fact in &texts {
            let alone = texts.len() == 1;
            match (&fact.closed, fact.domain) {
                (Some(values), _) if !alone => values.iter().for_each(|value| ends.add_literal(value)),
                (None, Some(domain)) if alone || has_ranges_only(domain) => ends.add_ranges(domain),
                (None, Some(_)) => return Reading::Whole,
                _ => {}
            }
        }
        Reading::Characters(ends)
    }

    /// Adds a constant.
    pub fn add_literal(&mut self, value: &Value) {
        match value {
            Value::List(items) => items.iter().for_each(|item| self.add_literal(item)),
            value => self.found.literals.push(value.clone()),
        }
    }

    /// Adds a name or cell, after those on which it depends.
    pub fn add_slot(&mut self, slot: Slot) {
        if self.met.contains(&slot) || self.met.len() > MAX_SLOTS {
            return;
        }
        self.met.push(slot);
        let task = self.facts.task();
        let (draw, scope, rows) = match slot {
            Slot::Name(name) => match task.names.get(name).map(|name| &name.source) {
                Some(NameSource::Compute(value)) => return self.add_computed(slot, value, Scope::default(), None),
                Some(NameSource::Draw { draw, .. }) => (Some(draw), Scope::default(), None),
                Some(NameSource::Axis | NameSource::Row) => (None, Scope::default(), None),
                None => return,
            },
            Slot::Cell(row, relation, column) => {
                match task.find_column((relation, column)).map(|column| &column.source) {
                    Some(ColumnSource::Compute(value)) => {
                        return self.add_computed(slot, value, Scope::with_row(relation), Some(row));
                    }
                    Some(source @ ColumnSource::Draw { draw, .. }) => {
                        if is_dependent(source) {
                            self.found.dependent.push(slot);
                        }
                        (Some(draw), Scope::with_row(relation), Some(row))
                    }
                    Some(_) => (None, Scope::default(), None),
                    None => return,
                }
            }
            Slot::Result(..) => (None, Scope::default(), None),
        };
        match draw.map(|draw| &draw.domain) {
            Some(DrawDomain::Range { low, high, .. }) => {
                if matches!(slot, Slot::Name(_)) {
                    self.found.dependent.push(slot);
                }
                self.add_expr(low, scope, (rows, None));
                self.add_expr(high, scope, (rows, None));
            }
            Some(DrawDomain::OneOf(items)) => {
                if matches!(slot, Slot::Name(_)) {
                    self.found.dependent.push(slot);
                }
                items.iter().for_each(|item| self.add_expr(item, scope, (rows, None)));
            }
            _ => {}
        }
        self.found.slots.push(slot);
    }

    fn add_computed(&mut self, slot: Slot, value: &'a Expr, scope: Scope, row: Option<Row>) {
        self.found.dependent.push(slot);
        let before = self.found.slots.len();
        self.add_expr(value, scope, (row, None));
        // For example, an aggregate, which has no variables: its own values are the cases.
        if self.found.slots.len() == before && self.facts.lookup_slot(slot).closed.is_some() {
            self.found.dependent.retain(|known| *known != slot);
            self.found.slots.push(slot);
        }
    }

    /// Notes which of the variables are drawn apart: `a, b : distinct D`, `except NAME`, and `except REL.COLUMN`.
    fn pair_different(&mut self) {
        let mut pairs = Vec::new();
        for (index, a) in self.met.iter().enumerate() {
            for b in self.met.iter().skip(index + 1) {
                if self.is_distinct(*a, *b) || self.is_excepted(*a, *b) || self.is_excepted(*b, *a) {
                    pairs.push((*a, *b));
                }
            }
        }
        self.found.different = pairs;
    }

    fn is_distinct(&self, a: Slot, b: Slot) -> bool {
        let task = self.facts.task();
        match (a, b) {
            (Slot::Name(a), Slot::Name(b)) => {
                match (task.names.get(a).map(|a| &a.source), task.names.get(b).map(|b| &b.source)) {
                    (Some(NameSource::Draw { draw, group: a, .. }), Some(NameSource::Draw { group: b, .. })) => {
                        a == b && draw.unique && !draw.is_together()
                    }
                    _ => false,
                }
            }
            (Slot::Cell(row, relation, a), Slot::Cell(other_row, other, b))
                if row == other_row && relation == other =>
            {
                let source = |column| task.find_column((relation, column)).map(|column| &column.source);
                match (source(a), source(b)) {
                    (
                        Some(ColumnSource::Draw { draw, group: a, of, .. }),
                        Some(ColumnSource::Draw { group: b, .. }),
                    ) => a == b && *of > 1 && !draw.is_together(),
                    _ => false,
                }
            }
            _ => false,
        }
    }

    /// Whether `a` is drawn `except b`.
    fn is_excepted(&self, a: Slot, b: Slot) -> bool {
        let task = self.facts.task();
        let (draw, row) = match a {
            Slot::Name(name) => (task.names.get(name).and_then(|name| name.source.draw()), None),
            Slot::Cell(row, relation, column) => {
                match task.find_column((relation, column)).map(|column| &column.source) {
                    Some(ColumnSource::Draw { draw, .. }) => (Some(draw), Some((row, relation))),
                    _ => (None, None),
                }
            }
            Slot::Result(..) => (None, None),
        };
        draw.into_iter().flat_map(|draw| &draw.except).any(|except| match (&except.kind, b) {
            (ExprKind::Name(name), Slot::Name(b)) => *name == b,
            (ExprKind::Column(column), Slot::Cell(other_row, relation, b)) => {
                row == Some((other_row, relation)) && *column == b
            }
            (ExprKind::Call(function, args), Slot::Cell(_, relation, b)) if function.is_value_list() => {
                let comes_before = matches!(a, Slot::Name(_)) && task.steps.contains(&Step::Relation(relation));
                comes_before
                    && matches!(args.as_slice(), [Arg::Column { relation: of, column, filter: None }] if (*of, *column) == (relation, b))
            }
            _ => false,
        })
    }
}
